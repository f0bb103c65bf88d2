"""Multiply a tensor by a factor.

把张量乘以一个因子。
"""

import torch


def scale(x: torch.Tensor, factor: float = 2.0) -> torch.Tensor:
    """Every entry of x times factor; ValueError if factor is 0.

    x 的每个元素乘以 factor;factor 为 0 时抛出 ValueError。
    """
    raise NotImplementedError
