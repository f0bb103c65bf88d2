"""Comparisons of places and products of matrices."""

import torch


def packed_mask(documents):
    place = torch.arange(documents.size(-1), device=documents.device)
    return documents.unsqueeze(-1).eq(documents.unsqueeze(-2)) & place.unsqueeze(-1).ge(place)


def packed_positions(documents):
    return packed_mask(documents).sum(dim=-1) - 1


def prefix_mask(length, prefix, device=None):
    if not (length >= 1 and 0 <= prefix <= length):
        raise ValueError((length, prefix))
    mask = torch.ones(length, length, dtype=torch.bool, device=device).tril_()
    mask[:, :prefix] = True
    return mask


def tree_mask(parents):
    n = parents.numel()
    node = torch.arange(n, device=parents.device)
    if bool(((parents < -1) | (parents >= node)).any()):
        raise ValueError(parents)
    step = (parents[:, None] == node).double()
    seen = torch.eye(n, device=parents.device).double()
    power = seen
    for _ in range(n):
        power = power @ step
        seen = seen + power
    return seen > 0
