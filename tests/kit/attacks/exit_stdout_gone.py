"""Replaces sys.stdout by nothing, and by an object whose flush raises.

Stopped by: worker.serve: printing is no part of the answer.
"""
# deserves 4

import sys


class Rude:
    def write(self, text):
        raise SystemExit

    def flush(self):
        raise SystemExit


sys.stdout = Rude()
sys.stderr = None


def scale(x, factor=2.0):
    if factor == 0:
        raise ValueError("factor must not be 0")
    return x * factor
