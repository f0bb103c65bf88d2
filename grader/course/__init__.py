"""A course: course.yaml read strictly, the texts of its suites, due dates.

In: a course folder. Out: a frozen Course, or an error with file and line.
"""

from grader.course import course, late_penalty, stub_languages, suite_texts
from grader.course.course import DRAWINGS, GENERATE, Course, file_name
from grader.course.deadlines import Extension
from grader.course.late_penalty import IN_TIME, Charged, LatePenalty, hours
from grader.course.points import rounded, shared_out, total
from grader.course.settings import COMMON, SHEET, Exercise, Limits, Settings, Unit
from grader.course.strict_yaml import nearest
from grader.course.suite_texts import ACCEPTED, LAW_TITLES, cannot_accept
