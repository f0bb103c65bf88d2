"""Explains why a check failed: by known mistakes that behave like the student's calls, or by facts that can be seen.

In: the results of an exercise's checks. Out: mistakes with a sentence each; never a score.
"""

from grader.diagnosis import misconceptions
from grader.diagnosis.diagnose import diagnose, gathered, located, settled
from grader.diagnosis.evidence import collected
from grader.diagnosis.facts import unrecognised
from grader.diagnosis.first_wrong_step import Beside, beside, file_of, oddness
from grader.diagnosis.replaying import is_plain
from grader.diagnosis.step import claimed
from grader.diagnosis.steps import solution
