"""Keys drawn before queries, each query's figures in a loop."""

import math

import torch

QUERIES = 1000


def score_stats(d, n, scale, seed):
    source = torch.Generator().manual_seed(seed + 1)
    keys = torch.normal(0.0, 1.0, (QUERIES, n, d), generator=source)
    queries = torch.normal(0.0, 1.0, (QUERIES, d), generator=source)
    all_scores, favourites, norms = [], [], []
    for q, k in zip(queries, keys):
        s = k @ q
        s = s / math.sqrt(d) if scale else s
        p = torch.softmax(s, 0)
        all_scores.append(s)
        favourites.append(p.max().item())
        norms.append((torch.diag(p) - torch.outer(p, p)).norm().item())
    s = torch.cat(all_scores)
    mean = s.mean()
    return {
        "var": ((s - mean) ** 2).mean().item(),
        "max_weight": sum(favourites) / QUERIES,
        "jac_norm": sum(norms) / QUERIES,
    }
