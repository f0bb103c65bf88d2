import math
from typing import NamedTuple

import torch
from torch import Tensor


class Attended(NamedTuple):
    output: Tensor
    weights: Tensor


def scaled_dot_product_attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> Attended:
    s = q.matmul(k.swapaxes(-1, -2)) * (1.0 / math.sqrt(k.shape[-1]))
    if mask is not None:
        s = s + torch.zeros_like(mask, dtype=s.dtype).masked_fill_(~mask, -math.inf)
    w = torch.exp(s - torch.logsumexp(s, dim=-1, keepdim=True))
    return Attended(w.matmul(v), w)
