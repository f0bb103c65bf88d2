"""All tiles that are not empty in one batch, with a dimension of their own; their sums are added up row by row."""

import torch


def block_mask(mask_mod, q_len, kv_len, block, device=None):
    if block < 1:
        raise ValueError(f"block {block}")
    q_idx, kv_idx = torch.arange(q_len, device=device), torch.arange(kv_len, device=device)
    seen = mask_mod(q_idx.view(-1, 1), kv_idx.view(1, -1)).float()
    pooled = [
        torch.nn.functional.max_pool2d(x[None, None], block, ceil_mode=True, stride=block)[0, 0] if min(x.shape) else x
        for x in (torch.nn.functional.pad(seen, (0, -kv_len % block, 0, -q_len % block), value=0.0),
                  torch.nn.functional.pad(1 - seen, (0, -kv_len % block, 0, -q_len % block), value=0.0))
    ]  # fmt: skip
    some, hidden = (x > 0.5 for x in pooled)
    return some.long() + (some & ~hidden).long()


def flex_attention(q, k, v, mask_mod, tiles, block, score_mod=None):
    B, H, t_q, dh = q.shape
    t_kv, dv, device = k.shape[-2], v.shape[-1], q.device
    tiles = tiles.to(device)
    row, column = tiles.nonzero(as_tuple=True)
    if len(row) == 0:
        return q.new_zeros(B, H, t_q, dv)
    within = torch.arange(block, device=device)
    i, j = row[:, None] * block + within, column[:, None] * block + within
    exist = (i < t_q)[:, :, None] & (j < t_kv)[:, None, :]
    i, j = i.clamp(max=t_q - 1), j.clamp(max=t_kv - 1)
    scores = q[:, :, i] @ k[:, :, j].transpose(-1, -2) / dh**0.5  # [B, H, N, block, block]
    if score_mod is not None:
        b = torch.arange(B, device=device).view(-1, 1, 1, 1, 1)
        h = torch.arange(H, device=device).view(-1, 1, 1, 1)
        scores = score_mod(scores, b, h, i[:, :, None], j[:, None, :])
    visible, partial = exist.clone(), tiles[row, column] == 1
    if partial.any():
        visible[partial] &= mask_mod(i[partial][:, :, None], j[partial][:, None, :])
    scores = scores.masked_fill(~visible, -torch.inf)
    top = torch.full((B, H, len(tiles), block), -torch.inf, dtype=q.dtype, device=device)
    top = top.index_reduce(2, row, scores.detach().amax(-1), "amax")
    weights = (scores - top[:, :, row].clamp(min=torch.finfo(q.dtype).min)[..., None]).exp()
    total = torch.zeros_like(top).index_add(2, row, weights.sum(-1))
    mixed = torch.zeros(*top.shape, dv, dtype=q.dtype, device=device).index_add(2, row, weights @ v[:, :, j])
    return (mixed / total.masked_fill(total == 0, 1.0)[..., None]).flatten(2, 3)[:, :, :t_q]
