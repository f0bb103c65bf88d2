"""Writes concept questions with their keys for the quizzes of other systems.

In: questions as a grading process describes them. Out: a file that Moodle or Canvas takes, and what is lost on the way.
"""

from grader.integrations.quizzes import moodle_xml, qti
from grader.integrations.quizzes.items import Section, sections
