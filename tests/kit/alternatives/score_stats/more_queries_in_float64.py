import torch


def score_stats(d, n, scale, seed):
    g = torch.Generator()
    g.manual_seed(seed * 31 + 7)
    parts = []
    for _ in range(4):
        keys = torch.randn(500, n, d, generator=g, dtype=torch.float64)
        query = torch.randn(500, d, 1, generator=g, dtype=torch.float64)
        parts.append(torch.bmm(keys, query).squeeze(-1))
    s = torch.cat(parts)
    if scale:
        s = s.div(torch.tensor(d, dtype=torch.float64).sqrt())
    p = s.softmax(1)
    jac = torch.stack([torch.diag(row) - torch.outer(row, row) for row in p[:300]])
    rest = p[300:].diag_embed() - p[300:, :, None] @ p[300:, None, :]
    norms = torch.cat([jac, rest]).pow(2).sum((1, 2)).sqrt()
    return {"jac_norm": float(norms.mean()), "max_weight": float(p.max(1)[0].mean()), "var": float(s.var())}
