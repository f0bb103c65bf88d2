"""First pass: the maximum; second pass: the sums. Exact, and no rescaling at all."""

import math

import torch


class Tiles:
    def __init__(self, q, k, block, causal):
        self.q, self.k, self.block, self.causal = q * (1 / math.sqrt(q.shape[-1])), k, block, causal

    def __iter__(self):
        T_q, T_kv = self.q.shape[-2], self.k.shape[-2]
        for start in range(0, T_kv, self.block):
            piece = slice(start, min(start + self.block, T_kv))
            scores = torch.matmul(self.q, self.k[..., piece, :].mT)
            if self.causal:
                allowed = torch.ones(T_q, scores.shape[-1], dtype=torch.bool, device=scores.device)
                scores = scores.masked_fill(~allowed.tril(T_kv - T_q - start), -math.inf)
            yield piece, scores


def flash_attention(q, k, v, block, causal=False):
    if not block > 0:
        raise ValueError(f"block={block}")
    if causal and q.shape[-2] > k.shape[-2]:
        raise ValueError("T_q > T_kv")
    tiles = Tiles(q, k, block, causal)
    maxima = [scores.max(dim=-1, keepdim=True)[0] for _, scores in tiles]
    top = torch.cat(maxima, -1).max(dim=-1, keepdim=True)[0]
    total, output = 0, 0
    for piece, scores in tiles:
        p = torch.exp(scores - top)
        total = total + p.sum(-1, keepdim=True)
        output = output + p @ v[..., piece, :]
    return output / total
