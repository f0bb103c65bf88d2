"""First the largest score of each query, then the sums; einsum for the products, chunks for the kinds."""

import torch


def block_mask(mask_mod, q_len, kv_len, block, device=None):
    if not block > 0:
        raise ValueError("block")
    rows = []
    for q_idx in torch.arange(q_len, device=device).split(block):
        strip = mask_mod(q_idx.reshape(-1, 1), torch.arange(kv_len, device=device).reshape(1, -1))
        rows.append(torch.stack([t.any() * 1 + t.all() * 1 for t in strip.split(block, dim=-1)]))
    return torch.stack(rows)


def scored(q, k, b, h, i, j, kind, mask_mod, score_mod):
    scores = torch.einsum("bhid,bhjd->bhij", q[:, :, i], k[:, :, j]) / torch.tensor(q.shape[-1]).sqrt().item()
    i, j = i[:, None], j[None]
    scores = scores if score_mod is None else score_mod(score=scores, b=b, h=h, q_idx=i, kv_idx=j)
    return scores if kind == 2 else torch.where(mask_mod(q_idx=i, kv_idx=j), scores, float("-inf"))


def flex_attention(q, k, v, mask_mod, tiles, block, score_mod=None):
    b = torch.arange(q.shape[0], device=q.device).reshape(-1, 1, 1, 1).expand(-1, q.shape[1], 1, 1)
    h = torch.arange(q.shape[1], device=q.device).reshape(1, -1, 1, 1).expand(q.shape[0], -1, 1, 1)
    queries = torch.arange(q.shape[2], device=q.device).split(block)
    keys = torch.arange(k.shape[2], device=q.device).split(block)
    rows = []
    for r, i in enumerate(queries):
        found = [(keys[c], int(tiles[r, c])) for c in range(len(keys)) if tiles[r, c] != 0]
        parts = [(scored(q, k, b, h, i, j, kind, mask_mod, score_mod), j) for j, kind in found]
        top = torch.full((*q.shape[:2], len(i), 1), torch.finfo(q.dtype).min, dtype=q.dtype, device=q.device)
        for scores, _ in parts:
            top = torch.maximum(top, scores.amax(-1, keepdim=True)).detach()
        total = torch.zeros_like(top)
        mixed = torch.zeros(*q.shape[:2], len(i), v.shape[-1], dtype=q.dtype, device=q.device)
        for scores, j in parts:
            weights = torch.exp(scores - top)
            total = total + weights.sum(-1, keepdim=True)
            mixed = mixed + torch.einsum("bhij,bhjd->bhid", weights, v[:, :, j])
        rows.append(torch.where(total > 0, mixed / torch.where(total > 0, total, 1.0), 0.0))
    return torch.cat(rows, dim=2)
