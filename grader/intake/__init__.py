"""Reads what was handed in: folders, zips, notebooks, class lists.

In: a path. Out: a Submission, the source text of each exercise or why it is refused.
"""

from grader.intake import downloads, roster
from grader.intake.csv_tables import Line, take_lines
from grader.intake.decoding import encode
from grader.intake.entries import Entry
from grader.intake.notebook_files import NOTEBOOK, Cell, Notebook
from grader.intake.notebooks import NO_WORK, defining, work_cell
from grader.intake.sources import Source, Submission, listed
from grader.intake.submission import from_notebooks, load, load_as, read_notebooks
from grader.intake.tree import printable
