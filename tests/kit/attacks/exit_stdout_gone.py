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


@HONEST@
