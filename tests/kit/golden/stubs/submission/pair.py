"""Return two results.

返回两个结果。
"""

import torch


def pair(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """x + 1 and x * 2.

    x + 1 与 x * 2。
    """
    raise NotImplementedError
