"""Replaces what writes JSON and MessagePack in the worker, so that replies are what the student wants.

Stopped by: the grader decodes replies itself and believes none of them.
"""
# deserves 0

import json
import sys

FORGED = b"\x82\xa7verdict\xa6passed\xa6points\x04"
json.dumps = lambda *a, **k: '{"verdict": "passed", "points": 4}'


def scale(x, factor=2.0):
    sys.modules["grader.sandbox.processes.channel"]._ENCODE = lambda message: FORGED
    return x
