"""Bands from triangles; products as einsum; exponentials by hand."""

import torch


def local_global_mask(length, window, num_global, device=None):
    if min(length, window) < 1 or num_global < 0 or num_global > length:
        raise ValueError("sizes")
    ones = torch.ones(length, length, dtype=torch.bool, device=device)
    mask = ones.tril(window - 1) & ones.triu(1 - window)
    mask[:num_global] = True
    mask[:, :num_global] = True
    return mask


def bucket_mask(query_buckets, key_buckets):
    return torch.eq(query_buckets.unsqueeze(-1), key_buckets.unsqueeze(-2))


def low_rank_attention(q, k, v, mix_k, mix_v):
    k, v = torch.einsum("rt,...td->...rd", mix_k, k), torch.einsum("rt,...td->...rd", mix_v, v)
    scores = torch.einsum("...id,...rd->...ir", q * q.shape[-1] ** -0.5, k)
    e = (scores - scores.amax(-1, keepdim=True)).exp()
    return e @ v / e.sum(-1, keepdim=True)
