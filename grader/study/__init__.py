"""The course in a browser: pages on which a learner reads, writes, runs and sees, served on their own machine.

In: a course folder and requests of a browser on this machine. Out: pages, and what `grader watch` keeps, too.
"""

from grader.study.server import StudyServer
from grader.study.session import END, StudySession
from grader.study.views import StudyViews
