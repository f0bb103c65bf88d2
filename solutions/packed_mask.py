"""Who may see whom where texts share a row: packed documents, a prefix, a tree of drafts."""

import torch
from torch import Tensor


def packed_mask(documents: Tensor) -> Tensor:
    """True where a token of [..., T] and an earlier one, or itself, belong to the same document: [..., T, T]."""
    same = documents[..., :, None] == documents[..., None, :]
    return same.tril()


def packed_positions(documents: Tensor) -> Tensor:
    """The position of each token [..., T] in its own document, from 0."""
    place = torch.arange(documents.shape[-1], device=documents.device).expand(documents.shape)
    follows = torch.nn.functional.pad(documents.diff(dim=-1) == 0, (1, 0))  # the first token follows nothing
    return place - place.masked_fill(follows, 0).cummax(dim=-1).values


def prefix_mask(length: int, prefix: int, device: torch.device | str | None = None) -> Tensor:
    """bool [length, length]: causal, but all see the first `prefix` tokens; T5, Raffel et al. 2020.

    Raises:
        ValueError: length is below 1, or prefix is not in 0 ... length.
    """
    if length < 1 or not 0 <= prefix <= length:
        raise ValueError(f"got length={length} and prefix={prefix}")
    token = torch.arange(length, device=device)
    return (token <= token[:, None]) | (token < prefix)


def tree_mask(parents: Tensor) -> Tensor:
    """True where node [N] sees an ancestor or itself: [N, N]; SpecInfer, Miao et al. 2023.

    Raises:
        ValueError: a parent is not in -1 ... own number - 1.
    """
    seen = torch.eye(len(parents), dtype=torch.bool, device=parents.device)
    for node, parent in enumerate(parents.tolist()):
        if not -1 <= parent < node:
            raise ValueError(f"node {node} cannot have the parent {parent}")
        if parent >= 0:
            seen[node] |= seen[parent]
    return seen
