"""The global generator of numpy, torch for the rest."""

import numpy as np
import torch


def score_stats(d, n, scale, seed):
    np.random.seed(seed)
    q = torch.from_numpy(np.random.randn(1000, d))
    k = torch.from_numpy(np.random.randn(1000, n, d))
    s = torch.matmul(k, q.unsqueeze(-1)).squeeze(-1)
    s *= 1 / np.sqrt(d) if scale else 1
    p = torch.nn.functional.softmax(s, dim=-1)
    jac = torch.func.vmap(lambda w: torch.diag(w) - torch.outer(w, w))(p)
    norms = torch.linalg.norm(jac, dim=(-2, -1))
    return {"var": s.var(unbiased=False), "max_weight": p.max(dim=-1).values.mean(), "jac_norm": norms.mean()}
