"""Returns a subclass whose shape, dtype, device and stride are lies.

Stopped by: wire.decode: whatever does not describe memory inside the payload is refused.
"""
# deserves at most 1

import torch


class Liar(torch.Tensor):
    shape = property(lambda self: torch.Size([1 << 40]))
    dtype = property(lambda self: torch.float32)
    device = property(lambda self: torch.device("cpu"))

    def stride(self, *a):
        return (1 << 40,)

    def numel(self):
        return 1

    def cpu(self):
        return self


def scale(x, factor=2.0):
    return torch.zeros(1).as_subclass(Liar)
