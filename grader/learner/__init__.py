"""Helps a learner between two attempts: the watch, progress, hints, and the way back to an untouched stub.

In: saved files and pressed keys. Out: what to show, and `.grader/` beside the exercises.
"""

from grader.learner import debugging, views
from grader.learner.attempts import Attempts, Failed
from grader.learner.keyboard import by_line, in_foreground, raw
from grader.learner.progress import Progress
from grader.learner.saved_files import watched
from grader.learner.untouched import Untouched
from grader.learner.watch import Event, Pressed, Redraw, Saved, Watch, run
