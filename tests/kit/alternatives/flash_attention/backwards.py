"""From the last block to the first, with lists from split; blocks of hidden keys come first."""

import torch


def flash_attention(q, k, v, block, causal=False):
    if block < 1 or causal and q.size(-2) > k.size(-2):
        raise ValueError
    q = q / q.size(-1) ** 0.5
    blocks = list(zip(k.split(block, -2), v.split(block, -2)))
    top = weight = output = None
    end = k.size(-2)
    for keys, values in reversed(blocks):
        scores = torch.einsum("...id,...jd->...ij", q, keys)
        start = end - keys.size(-2)
        if causal:
            i = torch.arange(k.size(-2) - q.size(-2), k.size(-2), device=q.device).unsqueeze(-1)
            scores = scores.masked_fill(torch.arange(start, end, device=q.device) > i, torch.finfo(q.dtype).min)
        end = start
        peak = scores.amax(-1, keepdim=True).detach()
        if top is not None:
            peak = torch.maximum(peak, top)
        e = (scores - peak).exp()
        if top is None:
            weight, output = e.sum(-1, keepdim=True), e @ values
        else:
            old = (top - peak).exp()
            weight, output = old * weight + e.sum(-1, keepdim=True), old * output + e @ values
        top = peak
    return output / weight
