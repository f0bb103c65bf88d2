"""Replaces the worker's inspection of the source, to hide the forbidden call that follows.

Stopped by: student.StudentCode.load: the source is inspected before any of it runs.
"""
# deserves 0

import sys

import torch

worker = sys.modules["grader.sandbox.worker.worker"]
honest = worker.inspect


def forged(asked):
    found, text, tree = honest(asked)
    found.borrowed = None
    return found, text, tree


worker.inspect = forged


def scale(x, factor=2.0):
    return torch.lerp(torch.zeros_like(x), x, factor)
