"""Finds the worker's module in sys.modules and makes it hide changed inputs and wrong gradients.

Stopped by: probes: gradients are compared in the grader. (Hiding an in-place change is possible; see docs/threat-
model.md.)
"""
# deserves at most 1

import sys

calls, worker = (sys.modules[f"grader.sandbox.worker.{name}"] for name in ("calls", "worker"))
calls.gradients = lambda result, inputs, only: [t.detach() * 0 + 1 for t in inputs]
calls._EQUAL = lambda *a: True
worker.describe = lambda error, name: ["Raised", ["ValueError"], ""]


def scale(x, factor=2.0):
    return x + 1
