"""Keeps the interpreter's lock, so that no Python code of the worker can run.

Stopped by: the deadline is the grader's, not the worker's.
"""
# deserves 0

import ctypes


def scale(x, factor=2.0):
    ctypes.PyDLL(None).sleep(3600)
