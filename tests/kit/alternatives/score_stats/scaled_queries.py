"""The queries are scaled instead of the scores; the experiment is an object."""

import torch

QUERIES = 1000


class Experiment:
    def __init__(self, d, n, seed):
        rng = torch.Generator()
        rng.manual_seed(seed)
        self.k = torch.randn((QUERIES, n, d), generator=rng)
        self.q = torch.randn((QUERIES, 1, d), generator=rng)

    def scores(self, scale):
        q = self.q * self.q.shape[-1] ** -0.5 if scale else self.q
        return torch.bmm(q, self.k.transpose(1, 2)).flatten(1)


def score_stats(d, n, scale, seed):
    scores = Experiment(d, n, seed).scores(scale)
    p = scores.softmax(-1)
    jac = -(p.unsqueeze(2) * p.unsqueeze(1))
    jac.diagonal(dim1=1, dim2=2).add_(p)
    return {
        "var": torch.var(scores).item(),
        "max_weight": float(torch.mean(torch.amax(p, dim=1))),
        "jac_norm": float(torch.mean(torch.sqrt(torch.sum(jac * jac, dim=[1, 2])))),
    }
