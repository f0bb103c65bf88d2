"""Returns a tensor subclass whose __torch_function__ makes every comparison true.

Stopped by: wire: results are rebuilt as plain tensors from their bytes.
"""
# deserves at most 1

import torch


class Liar(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func in (torch.equal, torch.allclose, torch.Tensor.eq, torch.Tensor.__eq__, torch.Tensor.le):
            return torch.tensor(True)
        return super().__torch_function__(func, types, args, kwargs or {})


def scale(x, factor=2.0):
    if factor == 0:
        return x.as_subclass(Liar)
    return torch.full_like(x, 7.0).as_subclass(Liar)
