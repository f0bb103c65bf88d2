"""One pair at a time, in Python."""

import math

import torch


def linear_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim % 2 == 1 or head_dim <= 0:
        raise ValueError("channels come in pairs")
    if factor < 1:
        raise ValueError("texts become longer, not shorter")
    return torch.tensor([1 / theta ** (2 * i / head_dim) / factor for i in range(head_dim // 2)], device=device)


def ntk_frequencies(head_dim, factor, theta=10000.0, device=None):
    if head_dim % 2 == 1 or head_dim <= 2:
        raise ValueError("two pairs at least")
    if factor < 1:
        raise ValueError("texts become longer, not shorter")
    # pair i is slowed down by factor^(i / last)
    last = head_dim // 2 - 1
    return torch.tensor(
        [theta ** (-2 * i / head_dim) / factor ** (i / last) for i in range(last + 1)],
        dtype=torch.float32,
        device=device,
    )


def yarn_frequencies(head_dim, factor, trained_len, theta=10000.0, slow=1.0, fast=32.0, device=None):
    if head_dim % 2 == 1 or head_dim <= 0 or factor < 1 or trained_len < 1 or not slow < fast:
        raise ValueError("sizes")
    found = []
    for i in range(head_dim // 2):
        f = theta ** (-2 * i / head_dim)
        turns = trained_len / (2 * math.pi / f)
        if turns >= fast:
            found.append(f)
        elif turns <= slow:
            found.append(f / factor)
        else:
            keep = (turns - slow) / (fast - slow)
            found.append(keep * f + (1 - keep) * (f / factor))
    return torch.tensor(found, device=device)
