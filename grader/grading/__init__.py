"""One submission to one report, in the trusted process that holds suites, solutions and scores.

In: a submission and a seed. Out: a Report.
"""

from grader.grading.grade import Grader
