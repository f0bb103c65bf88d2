"""Reads the nonce from the worker's frame, answers 'passed' itself, then swallows the real answer.

Stopped by: messages.Returned: a reply holds values, never a verdict; the values are compared in the grader.
"""
# deserves at most 1

import sys
import time


def scale(x, factor=2.0):
    frame = sys._getframe()
    while frame.f_code.co_name != "serve":
        frame = frame.f_back
    channel, nonce = frame.f_locals["channel"], frame.f_locals["nonce"]
    channel.send(["Returned", True, None, [], [], 0, {"verdict": "passed", "score": 4, "points": 4}], (), nonce)
    time.sleep(0.3)
