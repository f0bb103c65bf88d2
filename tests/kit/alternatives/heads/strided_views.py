import torch


def split_heads(x, num_heads):
    B, T, D = x.shape
    if D % num_heads:
        raise ValueError("not divisible")
    b, t, d = x.stride()
    Dh = D // num_heads
    return torch.as_strided(x, (B, num_heads, T, Dh), (b, Dh * d, t, d), x.storage_offset())


def merge_heads(x):
    return torch.hstack(list(x.transpose(0, 1).transpose(-1, -2))).transpose(-1, -2)
