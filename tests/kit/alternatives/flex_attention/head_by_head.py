"""One example and head after the other, with whole numbers for both; the keys of a row of tiles are gathered first."""

import torch


def block_mask(mask_mod, q_len, kv_len, block, device=None):
    if block <= 0:
        raise ValueError("no tile has such a side")
    q_idx, kv_idx = torch.arange(q_len, device=device), torch.arange(kv_len, device=device)
    seen = mask_mod(q_idx[:, None], kv_idx[None, :])
    kinds = []
    for top in range(0, q_len, block):
        kinds.append([])
        for left in range(0, kv_len, block):
            tile = seen[top : top + block, left : left + block]
            kinds[-1].append(2 if tile.all() else 1 if tile.any() else 0)
    return torch.tensor(kinds, device=device)


def flex_attention(q, k, v, mask_mod, tiles, block, score_mod=None):
    output = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype, device=q.device)
    for b in range(q.shape[0]):
        for h in range(q.shape[1]):
            for row in range(len(tiles)):
                i = torch.arange(q.shape[2], device=q.device)[row * block : (row + 1) * block]
                places = torch.arange(k.shape[2], device=q.device)
                kind = tiles[row].to(q.device).repeat_interleave(block)[: k.shape[2]]
                j, kind = places[kind > 0], kind[kind > 0]
                if len(j) == 0:
                    continue
                scores = q[b, h, i] @ k[b, h, j].T * q.shape[-1] ** -0.5
                if score_mod is not None:
                    scores = score_mod(scores, b, h, i[:, None], j[None, :])
                visible = torch.ones_like(scores, dtype=torch.bool)
                if (kind == 1).any():
                    visible[:, kind == 1] = mask_mod(i[:, None], j[kind == 1])
                lowest = torch.finfo(scores.dtype).min
                weights = torch.where(visible, scores, lowest).softmax(-1)
                output[b, h, i] = torch.where(visible, weights, 0.0) @ v[b, h, j]
    return output
