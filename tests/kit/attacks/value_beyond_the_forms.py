"""Returns tensors that no form describes: of 60 dimensions, of 2 ** 60 entries or none beside them, with strides as long.

Stopped by: values.check_layout: what the grader would refuse is not sent, and costs the check with a sentence, not the worker.
"""
# deserves 0

import torch

calls = 0


def scale(x, factor=2.0):
    global calls
    calls += 1
    if calls % 4 == 0:
        return torch.zeros([1] * 60)
    if calls % 4 == 1:
        return torch.empty(0, 1 << 60)
    if calls % 4 == 2:
        return torch.zeros(1).expand(1 << 60)
    return torch.zeros(1).as_strided((1,), (1 << 60,))
