import math

import torch


def multi_head_attention(x, W, biases, num_heads, mask=None):
    """The output projection head by head: the sum of head_i times row block i of W_O."""
    D = x.size(-1)
    Dh, rest = divmod(D, num_heads)
    if rest:
        raise ValueError(f"cannot split {D} into {num_heads}")
    total = biases[3].expand(x.shape).clone()
    blocks = zip(*(w.split(Dh, dim=1) for w in W[:3]), *(b.split(Dh) for b in biases[:3]), W[3].split(Dh, dim=0))
    for i, (wq, wk, wv, bq, bk, bv, wo) in enumerate(blocks):
        q, k, v = (x @ wq + bq) * (1 / math.sqrt(Dh)), x @ wk + bk, x @ wv + bv
        scores = torch.einsum("btc,bsc->bts", q, k)
        if mask is not None:
            seen = mask if mask.dim() == 2 else mask[:, i if mask.shape[1] > 1 else 0]
            scores = scores.masked_fill(seen.logical_not(), float("-inf"))
        total = total + torch.einsum("bts,bsc,cd->btd", scores.softmax(-1), v, wo)
    return total
