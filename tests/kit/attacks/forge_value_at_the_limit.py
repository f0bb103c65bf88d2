"""Returns as much as is allowed at every call, to fill the grader's memory.

Stopped by: target.Recorder: what a check keeps of its calls is bounded.
"""
# deserves 0

import torch


def scale(x, factor=2.0):
    return torch.zeros(250_000)
