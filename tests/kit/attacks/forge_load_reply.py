"""Claims at import that it defines functions which it does not, and rubbish besides.

Stopped by: student.StudentCode: a call to nothing is an exception.
"""
# deserves at most 1

import sys

names = ["scale", "pair", "x" * 100_000, "__import__", "\x1b[2J\u202e", *map(str, range(50_000))]
sys.modules["grader.sandbox.worker.worker"].Loaded = lambda _, *more: ["Loaded", names, *more]
