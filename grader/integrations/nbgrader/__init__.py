"""Makes assignments for nbgrader, and runs its `autograde` in the sandbox.

In: an nbgrader course and its submitted notebooks. Out: source notebooks, graded notebooks, rows of the gradebook.
"""

from grader.integrations.nbgrader import config, source_notebook
from grader.integrations.nbgrader.course import NbCourse
