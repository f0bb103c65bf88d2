"""Finds the worker's module in sys.modules and makes it hide changed inputs and wrong gradients.

Stopped by: probes: gradients are compared in the grader. (Hiding an in-place change is possible; see docs/threat-
model.md.)
"""
# deserves at most 1

import sys

worker = sys.modules.get("grader.sandbox.worker.worker")
if worker is not None:
    worker.gradients = lambda result, inputs, only: [t.detach() * 0 + 1 for t in inputs]
    worker.describe = lambda error, name: {"types": ["ValueErro"], "message": "", "line": None}
    worker.MESSAGE_CAP = 1 << 60


def scale(x, factor=2.0):
    return x + 1
