import math

import torch


def _project(x, w, b):
    return torch.addmm(b, x.reshape(-1, x.shape[-1]), w).reshape(x.shape)


def multi_head_attention(x, W, biases, num_heads, mask=None):
    B, T, D = x.size()
    Dh = D / num_heads
    if Dh != int(Dh):
        raise ValueError("num_heads must divide D")
    Dh = int(Dh)
    q, k, v = [_project(x, W[n], biases[n]).view(B, T, num_heads, Dh).permute(0, 2, 1, 3) for n in range(3)]
    q, k, v = [t.reshape(B * num_heads, T, Dh) for t in (q, k, v)]
    bias = x.new_zeros(B, num_heads, T, T)
    if mask is not None:
        bias = bias.masked_fill(~mask.to(bias.device), torch.finfo(x.dtype).min / 2)
    scores = torch.baddbmm(bias.reshape(-1, T, T), q, k.transpose(1, 2), alpha=1 / math.sqrt(Dh))
    scores = scores - scores.amax(-1, keepdim=True).detach()
    weights = scores.exp()
    heads = torch.bmm(weights / weights.sum(-1, keepdim=True), v).view(B, num_heads, T, Dh)
    return _project(torch.cat([heads[:, h] for h in range(num_heads)], -1), W[3], biases[3])
