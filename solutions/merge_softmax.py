"""Softmax in parts: what has to be kept of a part, and how two parts become one; Milakov and Gimelshein 2018."""

import math

import torch
from torch import Tensor

Part = tuple[Tensor, Tensor, Tensor]


def softmax_part(scores: Tensor, v: Tensor) -> Part:
    """What attention keeps of the keys in one part.

    Args:
        scores: [..., T, n], for n of the keys; -inf for hidden ones.
        v: their values [..., n, Dv].

    Returns:
        m [..., T], the largest score; l [..., T], the sum of e^(score - m); o [..., T, Dv], the values' sum with these
        factors. A row in which everything is hidden gives (-inf, 0, 0).
    """
    m = scores.amax(dim=-1)  # [..., T]
    factors = (scores - finite(m).unsqueeze(-1)).exp()  # [..., T, n]
    return m, factors.sum(dim=-1), factors @ v


def merge_softmax(one: Part, other: Part) -> Part:
    """The part of all keys together, from two parts (m [..., T], l [..., T], o [..., T, Dv])."""
    m = torch.maximum(one[0], other[0])  # [..., T]
    a, b = (one[0] - finite(m)).exp(), (other[0] - finite(m)).exp()  # [..., T]: 1 and at most 1
    return m, a * one[1] + b * other[1], a.unsqueeze(-1) * one[2] + b.unsqueeze(-1) * other[2]


def finite(m: Tensor) -> Tensor:
    """m with 0 in place of -inf, since -inf - -inf is not a number."""
    return m.masked_fill(m == -math.inf, 0.0)
