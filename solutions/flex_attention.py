"""Attention with a score modifier, a mask and the tiles that the mask leaves."""

import math
from collections.abc import Callable

import torch
from torch import Tensor


def block_mask(
    mask_mod: Callable, q_len: int, kv_len: int, block: int, device: torch.device | str | None = None
) -> Tensor:
    """Kinds of tiles [N_q, N_kv]: 0 empty, 1 partial, 2 full."""
    if block < 1:
        raise ValueError(f"a tile has a side of 1 or more, got {block}")
    rows, columns = (torch.arange(n, device=device).split(block) for n in (q_len, kv_len))
    seen = [[mask_mod(row.unsqueeze(-1), column) for column in columns] for row in rows]
    return torch.tensor([[int(s.any()) + int(s.all()) for s in row] for row in seen], device=device)


def flex_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    mask_mod: Callable,
    tiles: Tensor,
    block: int,
    score_mod: Callable | None = None,
) -> Tensor:
    """softmax(score_mod(q k^T / sqrt(Dh))) v, row of tiles by row of tiles; Dong et al., 2024.

    Returns:
        [B, H, T_q, Dv].
    """
    b, h = (torch.arange(n, device=q.device) for n in q.shape[:2])
    rows, columns = (torch.arange(x.shape[-2], device=q.device).split(block) for x in (q, k))
    outputs = []
    for row, kinds in zip(rows, tiles.tolist(), strict=True):
        places, scores = [], []
        for column, kind in zip(columns, kinds, strict=True):
            if kind == 0:
                continue
            score = q[:, :, row] @ k[:, :, column].transpose(-2, -1) / math.sqrt(q.shape[-1])
            if score_mod is not None:
                score = score_mod(score, b[:, None, None, None], h[:, None, None], row.unsqueeze(-1), column)
            if kind == 1:
                score = score.masked_fill(~mask_mod(row.unsqueeze(-1), column), -math.inf)
            places.append(column)
            scores.append(score)
        if scores:
            outputs.append(_mixed(torch.cat(scores, -1), v[:, :, torch.cat(places)]))
        else:
            outputs.append(q.new_zeros(*q.shape[:2], len(row), v.shape[-1]))
    return torch.cat(outputs, dim=-2)


def _mixed(scores: Tensor, v: Tensor) -> Tensor:
    """Softmax over the keys, times the values; 0 where all scores are -inf."""
    blind = (scores == -math.inf).all(-1, keepdim=True)
    return scores.masked_fill(blind, 0.0).softmax(-1).masked_fill(blind, 0.0) @ v
