import torch


QUERIES = 1000
def score_stats(d, n, scale, seed):
    g = torch.Generator().manual_seed(seed)
    scores, weights, norms = [], [], []
    for _ in range(10):
        q = torch.randn(QUERIES // 10, d, generator=g)
        k = torch.randn(QUERIES // 10, n, d, generator=g)
        s = (k * q.unsqueeze(1)).sum(2) * (d ** -0.5 if scale else 1)
        p = torch.softmax(s, 1)
        scores.append(s); weights.append(p.max(1).values)
        norms += [torch.linalg.norm(torch.diag(r) - torch.outer(r, r)).item() for r in p]
    s = torch.cat(scores).double()
    return {"var": (s * s).mean().item() - s.mean().item() ** 2, "max_weight": torch.cat(weights).mean().item(), "jac_norm": sum(norms) / len(norms)}
