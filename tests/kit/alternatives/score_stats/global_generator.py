import torch


def score_stats(d, n, scale, seed):
    torch.manual_seed(seed)
    q = torch.randn(1000, d)
    k = torch.randn(1000, n, d)
    scores = torch.einsum("qd,qnd->qn", q, k)
    if scale:
        scores /= d**0.5
    w = torch.softmax(scores, -1)
    jac = torch.diag_embed(w) - torch.einsum("qi,qj->qij", w, w)
    return dict(var=scores.var(), max_weight=w.max(-1).values.mean(), jac_norm=torch.linalg.matrix_norm(jac).mean())
