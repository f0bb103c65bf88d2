"""A teacher's work on the results of a class: decisions, marks, and the pages on which both are made.

In: a RESULTS folder, requests of a browser on this machine. Out: pages; reports with what the teacher gave.
"""

from grader.desk.deciding import Effect, moved, sensible
from grader.desk.writing import written_anew
