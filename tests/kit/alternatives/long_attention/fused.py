"""PyTorch's own attention on the mixed keys; buckets by subtraction."""

import torch
import torch.nn.functional as F


def local_global_mask(length, window, num_global, device=None):
    if not (length > 0 and window > 0 and 0 <= num_global <= length):
        raise ValueError((length, window, num_global))
    i = torch.arange(length, device=device)
    distance = i.view(-1, 1) - i.view(1, -1)
    earlier = torch.minimum(i.view(-1, 1), i.view(1, -1))
    return (distance < window) & (distance > -window) | (earlier < num_global)


def bucket_mask(query_buckets, key_buckets):
    return (query_buckets[..., None] - key_buckets[..., None, :]) == 0


def low_rank_attention(q, k, v, mix_k, mix_v):
    return F.scaled_dot_product_attention(q, torch.matmul(mix_k, k), torch.matmul(mix_v, v))
