"""Reports and progress on a terminal.

In: reports and rows of a class. Out: lines, tables and pictures made of characters.
"""

from grader.rendering.terminal import batch_progress, class_table, entries_table, oral
from grader.rendering.terminal.batch_progress import Stream
from grader.rendering.terminal.pictures import bar, padded
from grader.rendering.terminal.screen import ALL_DONE, BY_HAND, SIGNS, Screen
