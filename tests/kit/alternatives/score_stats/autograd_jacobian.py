import torch


def score_stats(d, n, scale, seed):
    """Each column of the Jacobian is a gradient."""
    random = torch.Generator().manual_seed(seed)
    q = torch.randn(1000, 1, d, generator=random)
    k = torch.randn(1000, n, d, generator=random)
    scores = (q * k).sum(-1)
    scores = (scores * d**-0.5 if scale else scores).requires_grad_()
    weights = scores.softmax(-1)
    rows = [torch.autograd.grad(weights[:, i].sum(), scores, retain_graph=True)[0] for i in range(n)]
    norms = torch.stack(rows, 1).flatten(1).norm(dim=1)
    return {
        "var": scores.detach().square().mean().item(),
        "max_weight": weights.detach().amax(-1).mean().item(),
        "jac_norm": norms.mean().item(),
    }
