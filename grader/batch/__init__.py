"""Many submissions: spread over grading processes on this machine or a cluster, none graded twice.

In: entries of a submissions folder. Out: a report a student, written as it ends, and a row or a fault each.
"""

from grader.batch import batch
from grader.batch.batch import AnyEntry, or_fault
from grader.batch.environment import (
    WITHOUT_TORCH,
    course_languages,
    course_packages,
    default_language,
    environment,
    kit_version,
    language,
)
from grader.batch.grading_processes import AUTHORING, SHOW_STEPS, ForkServer, GradingProcess
from grader.batch.pool import GradingPool, Pool
