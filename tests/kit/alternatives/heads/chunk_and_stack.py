import torch


def split_heads(x, num_heads):
    if x.shape[-1] % num_heads:
        raise ValueError("uneven heads")
    return torch.stack(x.chunk(num_heads, dim=-1), dim=1)


def merge_heads(x):
    return torch.cat(x.unbind(dim=1), dim=-1)
