"""Concept questions: experiments derive the key, and a sheet's answers are marked against it.

In: a file of questions and an answer sheet. Out: a verdict on each question, and the wrong answer that explains it.
"""

from grader.questions.answer_forms import Form, Number, Numbers, Written
from grader.questions.choices import Choice
from grader.questions.lab import Question, asked, question
from grader.questions.marking import Marked, Papers
from grader.questions.questions import Paper
from grader.questions.tables import Table
from grader.texts import Text as Text
