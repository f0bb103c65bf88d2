"""Returns weights for looking at, without a gradient; the output has one."""

import math


def scaled_dot_product_attention(q, k, v, mask=None):
    s = (q.unsqueeze(-2) * k.unsqueeze(-3)).sum(-1) / math.sqrt(q.size(-1))
    if mask is not None:
        s = s.masked_fill(~mask, -math.inf)
    s = s - s.detach().amax(-1, keepdim=True)
    w = s.exp()
    w = w / w.sum(-1, keepdim=True)
    return (w.unsqueeze(-1) * v.unsqueeze(-3)).sum(-2), w.detach()
