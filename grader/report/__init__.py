"""The results as data: a report, the row of a class table, the files of a batch, the sums of a class.

In: results and files of results. Out: frozen data; nothing here is rendered.
"""

from grader.report import class_tally, decisions, essays, graded_with, oral_exam, record, report, results, seeds
from grader.report.class_tally import ClassMistake, ClassTally
from grader.report.decisions import Decision, Record
from grader.report.essays import Mark, Marks
from grader.report.essays import keep as keep_marks
from grader.report.essays import read as read_marks
from grader.report.feedback import LEVELS, redact
from grader.report.format_1 import in_words
from grader.report.graded_with import Batch, ClassList, GradedWith, Handed
from grader.report.report import (
    RAN,
    Cell,
    Check,
    Diagnosis,
    Environment,
    ExerciseReport,
    Picture,
    Printed,
    Report,
    Status,
    Verdict,
    in_parts,
    same,
    total,
)
from grader.report.results import Regrade, Results
from grader.report.sheet_attempts import SheetAttempt
from grader.report.spreadsheets import as_csv, defused, guarded, unguarded
from grader.report.summary import NOT_ANSWERED, STATUS, Fault, Row, in_order, often_missing
