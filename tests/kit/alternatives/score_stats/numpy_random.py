import numpy as np

QUERIES = 1000


def score_stats(d, n, scale, seed):
    rng = np.random.default_rng(seed)
    keys = rng.standard_normal((QUERIES, n, d))
    queries = rng.standard_normal((QUERIES, d))
    scores = np.einsum("qnd,qd->qn", keys, queries) / (np.sqrt(d) if scale else 1)
    p = np.exp(scores - scores.max(1, keepdims=True))
    p /= p.sum(1, keepdims=True)
    squares = (p**2).sum(1)
    norms = np.sqrt(np.maximum(squares - 2 * (p**3).sum(1) + squares**2, 0))
    return {"var": float(scores.var()), "max_weight": float(p.max(1).mean()), "jac_norm": float(norms.mean())}
