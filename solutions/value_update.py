"""What the heads of one layer add to the tokens, tokens as columns."""

import torch
from torch import Tensor


def value_update(E: Tensor, patterns: list[Tensor], downs: list[Tensor], ups: list[Tensor]) -> Tensor:
    """sum_h up_h down_h E A_h, which is W_O Concat(down_h E A_h) (Elhage et al. 2021, transformer-circuits.pub).

    Args:
        E: tokens as columns [d, n].
        patterns: A_h [n, n], shares in columns.
        downs: [dk, d] each.
        ups: [d, dk] each.

    Returns:
        [d, n].
    """
    merged = torch.cat([downs[h] @ E @ patterns[h] for h in range(len(downs))])  # [h * dk, n]: the heads, merged
    W_O = torch.cat(ups, dim=1)  # [d, h * dk]
    return W_O @ merged  # [d, n]
