import math


def repeat_kv(x, n_rep):
    return x.unsqueeze(2).repeat(1, 1, n_rep, 1, 1).flatten(start_dim=1, end_dim=2)


def grouped_query_attention(q, k, v, mask=None):
    if q.shape[1] % k.shape[1] != 0:
        raise ValueError("query heads: {}, key heads: {}".format(*q.shape[1:2], *k.shape[1:2]))
    grouped = q.unflatten(1, (k.shape[1], -1))  # [B, H_kv, G, T_q, Dh]
    scores = (grouped @ k.unsqueeze(2).transpose(-2, -1)).flatten(1, 2) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = scores.softmax(-1)
    output = weights.unflatten(1, (k.shape[1], -1)) @ v.unsqueeze(2)
    return output.flatten(1, 2), weights
