"""Columns of tiles on the outside; each tile gives its logarithm of the sum and its output, and two are merged."""

import math

import torch


def block_mask(mask_mod, q_len, kv_len, block, device=None):
    if block < 1:
        raise ValueError("a tile needs a side of 1 or more")
    shape = math.ceil(q_len / block), math.ceil(kv_len / block)
    kinds = torch.empty(shape, dtype=torch.long, device=device)
    for r in range(shape[0]):
        for c in range(shape[1]):
            i = torch.arange(r * block, min((r + 1) * block, q_len), device=device)
            j = torch.arange(c * block, min((c + 1) * block, kv_len), device=device)
            share = mask_mod(*torch.meshgrid(i, j, indexing="ij")).double().mean()
            kinds[r, c] = 0 if share == 0 else 2 if share == 1 else 1
    return kinds


class Rows:
    def __init__(self, parts, dv):
        self.log = [p.new_full((*p.shape[:3], 1), -math.inf) for p in parts]
        self.out = [p.new_zeros(*p.shape[:3], dv) for p in parts]

    def add(self, r, scores, values):
        seen = (scores > -math.inf).any(-1, keepdim=True)
        log = scores.masked_fill(~seen, 0.0).logsumexp(-1, keepdim=True).masked_fill(~seen, -math.inf)
        out = (scores - log.masked_fill(~seen, 0.0)).exp() @ values
        ever = seen | (self.log[r] > -math.inf)
        old, new = self.log[r].masked_fill(~ever, 0.0), log.masked_fill(~ever, 0.0)
        both = torch.logaddexp(old, new)
        self.out[r] = self.out[r] * (old - both).exp() + out * (new - both).exp()
        self.log[r] = both.masked_fill(~ever, -math.inf)


def flex_attention(q, k, v, mask_mod, tiles, block, score_mod=None):
    parts = q.split(block, dim=2)
    rows = Rows(parts, v.shape[-1])
    for c, (of_keys, of_values) in enumerate(zip(k.split(block, dim=2), v.split(block, dim=2), strict=True)):
        for r, of_queries in enumerate(parts):
            if not tiles[r, c]:
                continue
            i = torch.arange(of_queries.shape[2], device=q.device).view(-1, 1) + r * block
            j = torch.arange(of_keys.shape[2], device=q.device).view(1, -1) + c * block
            scores = (of_queries / math.sqrt(q.shape[3])) @ of_keys.mT
            if score_mod is not None:
                b = torch.arange(q.shape[0], device=q.device).view(-1, 1, 1, 1)
                h = torch.arange(q.shape[1], device=q.device).view(-1, 1, 1)
                scores = score_mod(scores, b, h, i, j)
            if tiles[r, c] == 1:
                scores = scores + torch.zeros_like(scores).masked_fill(mask_mod(i, j).logical_not(), -math.inf)
            rows.add(r, scores, of_values)
    return torch.cat(rows.out, dim=2)
