"""Entry by entry, as one would write it first."""

import torch


def rows(documents):
    return documents.reshape(-1, documents.shape[-1]).tolist()


def packed_mask(documents):
    T = documents.shape[-1]
    found = [[[row[i] == row[j] and j <= i for j in range(T)] for i in range(T)] for row in rows(documents)]
    return torch.tensor(found, device=documents.device).reshape(*documents.shape, T)


def packed_positions(documents):
    found = []
    for row in rows(documents):
        count = -1
        for i, document in enumerate(row):
            count = count + 1 if i and document == row[i - 1] else 0
            found.append(count)
    return torch.tensor(found, device=documents.device).reshape(documents.shape)


def prefix_mask(length, prefix, device=None):
    if length < 1:
        raise ValueError("too short")
    if prefix not in range(length + 1):
        raise ValueError("no such prefix")
    return torch.tensor([[j <= i or j < prefix for j in range(length)] for i in range(length)], device=device)


def tree_mask(parents):
    up = parents.tolist()
    if any(p < -1 or p >= n for n, p in enumerate(up)):
        raise ValueError("not a tree")
    ways = []
    for node in range(len(up)):
        way = {node}
        while up[node] >= 0:
            node = up[node]
            way.add(node)
        ways.append([n in way for n in range(len(up))])
    return torch.tensor(ways, device=parents.device)
