"""The checks of a student's code: the API of hidden suites, their runner, the reference, and what students read.

In: a suite, a solution, something that answers calls. Out: a result for each check, with the calls behind it.
"""

from grader.closeness import RECORDED_UNITS as ROUNDED
from grader.suites import breaking, exceptions, laws, lenient, result_form, torch_errors, wording
from grader.suites.api import (
    CheckFailed,
    Make,
    MakeNumpy,
    Text,
    Tolerance,
    dtypes,
    error_bound,
    essential,
    exact,
    expect,
    expect_close,
    facts,
    oracle,
    points,
    tolerance,
)  # fmt: skip
from grader.suites.excerpt import LARGE, MOST, Compared, excerpts, salience
from grader.suites.given import Given, crossing, excess, given, taken
from grader.suites.lenient import accepts
from grader.suites.local import LocalTarget
from grader.suites.misconceptions import Misconception, held_by, misconception, misconceptions
from grader.suites.plugin import CheckResult
from grader.suites.promises import alike
from grader.suites.recorded import find, not_shown
from grader.suites.reference import ExpectedCall, Reference, upcast
from grader.suites.regions import SAME_SEED
from grader.suites.runner import Suite, Suites, load_solution, open_package
from grader.suites.student import StudentCode
from grader.suites.student_file import LoadFailed, StudentFile, first_answer
from grader.suites.target import Call, ExpectedAnswer, Made, NoAnswer, Outcome
from grader.suites.worker_link import WorkerLink
