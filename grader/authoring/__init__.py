"""The tools of course authors: lint, the figures of judgement, examples, answer sheets, students' copies.

In: a course folder. Out: its problems, and the files that are made from it.
"""

from grader.authoring import answer_sheets, judgement, lint, student_copy
from grader.authoring.answer_sheets import blank_sheet
from grader.authoring.student_copy import Examples, Lessons, Questions, zipped
