"""A tuple whose parts have names, and tensordot."""

from typing import NamedTuple

import torch


class Views(NamedTuple):
    q: torch.Tensor
    k: torch.Tensor
    v: torch.Tensor


def qkv_projection(x, w_q, w_k, w_v):
    return Views(*(torch.tensordot(x, w, dims=1) for w in (w_q, w_k, w_v)))
