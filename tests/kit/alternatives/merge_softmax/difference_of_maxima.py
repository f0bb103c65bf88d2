"""Only the part with the smaller maximum is touched."""

import torch


def softmax_part(scores, v):
    m = scores.amax(-1, keepdim=True)
    p = torch.nan_to_num(torch.exp(scores - m), nan=0.0)
    return m.squeeze(-1), p.sum(-1), p @ v


def merge_softmax(one, other):
    first = one[0] >= other[0]
    high = [torch.where(first if t == 0 or t == 1 else first.unsqueeze(-1), one[t], other[t]) for t in range(3)]
    low = [torch.where(first if t == 0 or t == 1 else first.unsqueeze(-1), other[t], one[t]) for t in range(3)]
    shrink = torch.exp(torch.where(low[0] == float("-inf"), low[0], low[0] - high[0]))
    return high[0], high[1] + shrink * low[1], high[2] + shrink.unsqueeze(-1) * low[2]
