"""Raises the grader's own exceptions: MachineError, CourseError, CheckFailed, NoAnswer.

Stopped by: an exception is data: no class of the worker's reaches the grader.
"""
# deserves 0

import sys

NAMES = ("MachineError", "CourseError", "CheckFailed", "NoAnswer", "BadValue", "NotChecked", "Skipped")
calls = 0


def scale(x, factor=2.0):
    global calls
    calls += 1
    errors = sys.modules.get("grader.errors")
    own = type(NAMES[calls % len(NAMES)], (Exception,), {})
    raise getattr(errors, NAMES[calls % len(NAMES)], own)("a fault of the grader's")
