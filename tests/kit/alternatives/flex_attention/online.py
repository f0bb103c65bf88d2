"""A running maximum, sum and output, as in FlashAttention; counts of visible pairs for the kinds."""

import torch


def block_mask(mask_mod, q_len, kv_len, block, device=None):
    if block < 1:
        raise ValueError(block)
    seen = mask_mod(torch.arange(q_len, device=device).unsqueeze(1), torch.arange(kv_len, device=device))
    seen = seen.to(torch.int64)
    rows, columns = -(-q_len // block), -(-kv_len // block)
    pad = (0, columns * block - kv_len, 0, rows * block - q_len)
    there = torch.nn.functional.pad(torch.ones_like(seen), pad).view(rows, block, columns, block).sum((1, 3))
    count = torch.nn.functional.pad(seen, pad).view(rows, block, columns, block).sum((1, 3))
    return (count > 0).long() + (count == there).long()


def flex_attention(q, k, v, mask_mod, tiles, block, score_mod=None):
    B, H, t_q, dh = q.shape
    wide = torch.promote_types(q.dtype, torch.float32)
    b = torch.arange(B, device=q.device)[:, None, None, None]
    h = torch.arange(H, device=q.device)[None, :, None, None]
    rows = []
    for row, kinds in enumerate(tiles):
        of_queries = q[..., row * block : (row + 1) * block, :]
        n = of_queries.shape[-2]
        i = row * block + torch.arange(n, device=q.device)[:, None]
        top = torch.full((B, H, n, 1), -torch.inf, dtype=wide, device=q.device)
        total, output = torch.zeros_like(top), torch.zeros(B, H, n, v.shape[-1], dtype=wide, device=q.device)
        for column in kinds.nonzero().flatten().tolist():
            part = slice(column * block, (column + 1) * block)
            of_keys = k[..., part, :]
            j = column * block + torch.arange(of_keys.shape[-2], device=q.device)[None]
            scores = of_queries @ of_keys.transpose(-1, -2) / dh**0.5
            if score_mod is not None:
                scores = score_mod(scores, b, h, i, j)
            scores = scores.to(wide)
            if kinds[column] == 1:
                scores = scores.where(mask_mod(i, j), torch.tensor(-torch.inf, dtype=wide, device=q.device))
            new = torch.maximum(top, scores.amax(-1, keepdim=True))
            base = new.clamp(min=torch.finfo(wide).min)  # where nothing was visible so far
            old, weights = (top - base).exp(), (scores - base).exp()
            total, output = (
                total * old + weights.sum(-1, keepdim=True),
                output * old + weights @ v[..., part, :].to(wide),
            )
            top = new
        rows.append(output / total.masked_fill(total == 0, 1.0))
    return torch.cat(rows, -2).to(q.dtype)
