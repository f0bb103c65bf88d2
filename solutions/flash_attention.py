"""Attention in tiles: exact, and never with all scores at once."""

import math

import torch
from torch import Tensor


def flash_attention(q: Tensor, k: Tensor, v: Tensor, block: int, causal: bool = False) -> Tensor:
    """softmax(q k^T / sqrt(Dh)) v with `block` keys at a time; online softmax as in Dao et al. 2022.

    Args:
        q: queries [..., T_q, Dh].
        k: keys [..., T_kv, Dh].
        v: values [..., T_kv, Dv].
        causal: hide later keys; the queries are the last T_q of T_kv positions.

    Returns:
        [..., T_q, Dv].

    Raises:
        ValueError: block is below 1, or causal with more queries than keys.
    """
    T_q, T_kv = q.shape[-2], k.shape[-2]
    if block < 1 or (causal and T_q > T_kv):
        raise ValueError(f"got block={block}, {T_q} queries and {T_kv} keys")
    m = q.new_full(q.shape[:-1], -math.inf)  # [..., T_q]: the largest score so far
    total = q.new_zeros(q.shape[:-1])  # [..., T_q]: l, the sum of e^(score - m) so far
    o = q.new_zeros(*q.shape[:-1], v.shape[-1])  # [..., T_q, Dv]: the values' sum with these factors
    query = torch.arange(T_kv - T_q, T_kv, device=q.device).unsqueeze(1)  # [T_q, 1], each query's own position
    for start in range(0, T_kv, block):
        scores = q @ k[..., start : start + block, :].transpose(-2, -1) / math.sqrt(q.shape[-1])  # [..., T_q, block]
        if causal:
            key = torch.arange(start, start + scores.shape[-1], device=q.device)  # [block]
            scores = scores.masked_fill(key > query, -math.inf)  # key 0 is visible to all, so m is finite from now on
        top = torch.maximum(m, scores.amax(dim=-1))  # [..., T_q]
        factors = (scores - top.unsqueeze(-1)).exp()  # [..., T_q, block]
        shrink = (m - top).exp()  # [..., T_q]: brings what was summed so far to the new reference point
        total = shrink * total + factors.sum(dim=-1)
        o = shrink.unsqueeze(-1) * o + factors @ v[..., start : start + block, :]
        m = top
    return o / total.unsqueeze(-1)
