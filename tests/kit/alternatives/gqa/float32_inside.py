"""As in Llama: scores and softmax in float32, back to the dtype of q before the values."""

import math

import torch


def repeat_kv(x, n_rep):
    batch, num_key_value_heads, slen, head_dim = x.shape
    if n_rep == 1:
        return x
    x = x[:, :, None, :, :].expand(batch, num_key_value_heads, n_rep, slen, head_dim)
    return x.reshape(batch, num_key_value_heads * n_rep, slen, head_dim)


def grouped_query_attention(q, k, v, mask=None):
    groups = q.shape[1] / k.shape[1]
    if groups != int(groups):
        raise ValueError("uneven groups")
    k, v = (repeat_kv(t, int(groups)) for t in (k, v))
    scores = torch.matmul(q.float(), k.float().transpose(2, 3)) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores + torch.where(mask, 0.0, -1e9)
    weights = torch.softmax(scores, dim=-1).to(q.dtype)
    return torch.matmul(weights, v), weights
