"""Returns a wrapper subclass whose __torch_dispatch__ answers every operator with what it likes.

Stopped by: wire: results are rebuilt as plain tensors from their bytes.
"""
# deserves at most 1

import torch


class Liar(torch.Tensor):
    @staticmethod
    def __new__(cls, inner):
        return torch.Tensor._make_wrapper_subclass(cls, inner.shape, dtype=inner.dtype)

    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        return torch.tensor(True)


def scale(x, factor=2.0):
    return Liar(x)
