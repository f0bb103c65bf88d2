import torch


def split_heads(x, num_heads):
    D = x.size(-1)
    if D % num_heads:
        raise ValueError("D % num_heads must be 0")
    channels = torch.arange(D, device=x.device).view(num_heads, D // num_heads)
    return x[..., channels].swapaxes(1, 2)


def merge_heads(x):
    Dh = x.size(-1)
    channel = torch.arange(x.size(1) * Dh, device=x.device)
    return x[:, channel // Dh, :, channel % Dh].permute(1, 2, 0)
