"""Beginnings by searching; a tree by jumping up until nothing changes."""

import torch


def packed_mask(documents):
    first = beginnings(documents)
    place = torch.arange(documents.shape[-1], device=documents.device)
    return (place >= first[..., None]) & (place <= place[:, None])


def beginnings(documents):
    documents = documents.contiguous()
    return torch.searchsorted(documents, documents)


def packed_positions(documents):
    return torch.arange(documents.shape[-1], device=documents.device) - beginnings(documents)


def prefix_mask(length, prefix, device=None):
    if length <= 0 or prefix < 0 or prefix > length:
        raise ValueError("sizes")
    j = torch.arange(length, device=device)
    last = j.clamp(min=prefix - 1)
    return j[None] <= last[:, None]


def tree_mask(parents):
    node = torch.arange(parents.shape[0], device=parents.device)
    if not torch.logical_and(parents >= -1, parents < node).all():
        raise ValueError("parents come first")
    mask = node[:, None] == node
    at = parents.clone()
    for _ in range(len(node)):
        mask = mask | (at[:, None] == node)
        at = torch.where(at < 0, at, parents[at.clamp(min=0)])
    return mask
