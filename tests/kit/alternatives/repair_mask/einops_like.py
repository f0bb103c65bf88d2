import math

import torch


def masked_multi_head(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    batch, length, width = x.shape
    if width // num_heads * num_heads != width:
        raise ValueError("not divisible")
    q, k, v = (torch.einsum("btd,dhc->bhtc", x, w.unflatten(1, (num_heads, -1))) for w in (w_q, w_k, w_v))
    scores = torch.einsum("bhqc,bhkc->bhqk", q, k) / math.sqrt(width // num_heads)
    if mask is not None:
        bias = torch.zeros(mask.shape, dtype=x.dtype, device=x.device).masked_fill(mask.logical_not(), float("-inf"))
        scores = scores + bias
    probs = torch.softmax(scores, -1)
    return torch.einsum("bhqk,bhkc,hcd->bqd", probs, v, w_o.unflatten(0, (num_heads, -1)))
