import torch


QUERIES = 1000
def score_stats(d, n, scale, seed):
    random = torch.Generator().manual_seed(seed)
    queries = torch.normal(0.0, 1.0, (QUERIES, d), generator=random)
    keys = torch.normal(0.0, 1.0, (QUERIES, n, d), generator=random)
    scores = torch.matmul(keys, queries[..., None])[..., 0]
    if scale is True:
        scores = scores.div(d ** 0.5)
    p = torch.softmax(scores, dim=-1)
    total = torch.zeros(QUERIES)
    for i in range(n):
        for j in range(n):
            entry = p[:, i] * (1 - p[:, i]) if i == j else -p[:, i] * p[:, j]
            total += entry ** 2
    return {"var": scores.var().item(), "max_weight": p.max(dim=-1)[0].mean().item(), "jac_norm": total.sqrt().mean().item()}
