"""Calls what the exercise forbids where `__name__ == "__main__"`, which the inspection skips, and sets that name.

Stopped by: forbidden.withhold: the operator refuses, wherever it is called from.
"""
# deserves 0

import torch

__name__ = "__main__"

if __name__ == "__main__":

    def scale(x, factor=2.0):
        if factor == 0:
            raise ValueError("factor must not be 0")
        return torch.lerp(torch.zeros_like(x), x, factor)
