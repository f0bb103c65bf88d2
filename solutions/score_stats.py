"""Why divide by sqrt(d): how scores, weights and gradients fare with and without."""

import math

import torch

QUERIES = 1000


def score_stats(d: int, n: int, scale: bool, seed: int) -> dict[str, float]:
    """Scores of independent standard normal vectors have variance d; Vaswani et al. 2017, section 3.2.1, footnote 4.

    Args:
        d: length of the vectors.
        n: keys of each query.
        scale: divide the scores by sqrt(d).
        seed: of the random numbers.

    Returns:
        Variance of the scores, mean largest weight, mean Frobenius norm of the softmax Jacobian.
    """
    random = torch.Generator().manual_seed(seed)
    q = torch.randn(QUERIES, d, generator=random)  # [Q, d]
    k = torch.randn(QUERIES, n, d, generator=random)  # [Q, n, d]
    scores = (k @ q[:, :, None])[:, :, 0]  # [Q, n]
    if scale:
        scores = scores / math.sqrt(d)  # [Q, n]
    p = scores.softmax(dim=1)  # [Q, n]
    jacobian = torch.diag_embed(p) - p[:, :, None] * p[:, None, :]  # [Q, n, n]
    return {
        "var": scores.var().item(),
        "max_weight": p.amax(dim=1).mean().item(),
        "jac_norm": jacobian.square().sum(dim=(1, 2)).sqrt().mean().item(),
    }
