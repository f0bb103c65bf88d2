"""Wrong files for score_stats, each a whole submission as somebody might hand it in."""


# --- scaled_by_d
import torch

QUERIES = 1000


def score_stats(d, n, scale, seed):
    g = torch.Generator().manual_seed(seed)
    q = torch.randn(QUERIES, d, generator=g)
    k = torch.randn(QUERIES, n, d, generator=g)
    s = torch.einsum("qd,qnd->qn", q, k)
    if scale:
        s = s / d
    p = s.softmax(-1)
    J = torch.diag_embed(p) - p[:, :, None] * p[:, None, :]
    return {
        "var": s.var().item(),
        "max_weight": p.max(-1).values.mean().item(),
        "jac_norm": J.flatten(1).norm(dim=1).mean().item(),
    }


# --- always_scaled
import torch

QUERIES = 1000


def score_stats(d, n, scale, seed):
    g = torch.Generator().manual_seed(seed)
    q = torch.randn(QUERIES, d, generator=g)
    k = torch.randn(QUERIES, n, d, generator=g)
    s = torch.einsum("qd,qnd->qn", q, k) / d**0.5
    p = s.softmax(-1)
    J = torch.diag_embed(p) - p[:, :, None] * p[:, None, :]
    return {
        "var": s.var().item(),
        "max_weight": p.max(-1).values.mean().item(),
        "jac_norm": J.flatten(1).norm(dim=1).mean().item(),
    }


# --- scale_turned_round
import torch

QUERIES = 1000


def score_stats(d, n, scale, seed):
    g = torch.Generator().manual_seed(seed)
    q = torch.randn(QUERIES, d, generator=g)
    k = torch.randn(QUERIES, n, d, generator=g)
    s = torch.einsum("qd,qnd->qn", q, k)
    if not scale:
        s = s / d**0.5
    p = s.softmax(-1)
    J = torch.diag_embed(p) - p[:, :, None] * p[:, None, :]
    return {
        "var": s.var().item(),
        "max_weight": p.max(-1).values.mean().item(),
        "jac_norm": J.flatten(1).norm(dim=1).mean().item(),
    }


# --- integer_root
import math

import torch

QUERIES = 1000


def score_stats(d, n, scale, seed):
    g = torch.Generator().manual_seed(seed)
    q = torch.randn(QUERIES, d, generator=g)
    k = torch.randn(QUERIES, n, d, generator=g)
    s = torch.einsum("qd,qnd->qn", q, k)
    if scale:
        s = s / math.isqrt(d)
    p = s.softmax(-1)
    J = torch.diag_embed(p) - p[:, :, None] * p[:, None, :]
    return {
        "var": s.var().item(),
        "max_weight": p.max(-1).values.mean().item(),
        "jac_norm": J.flatten(1).norm(dim=1).mean().item(),
    }


# --- scaled_by_root_n
import torch

QUERIES = 1000


def score_stats(d, n, scale, seed):
    g = torch.Generator().manual_seed(seed)
    q = torch.randn(QUERIES, d, generator=g)
    k = torch.randn(QUERIES, n, d, generator=g)
    s = torch.einsum("qd,qnd->qn", q, k)
    if scale:
        s = s / n**0.5
    p = s.softmax(-1)
    J = torch.diag_embed(p) - p[:, :, None] * p[:, None, :]
    return {
        "var": s.var().item(),
        "max_weight": p.max(-1).values.mean().item(),
        "jac_norm": J.flatten(1).norm(dim=1).mean().item(),
    }


# --- variance_before_division
import torch

QUERIES = 1000


def score_stats(d, n, scale, seed):
    g = torch.Generator().manual_seed(seed)
    q = torch.randn(QUERIES, d, generator=g)
    k = torch.randn(QUERIES, n, d, generator=g)
    s = torch.einsum("qd,qnd->qn", q, k)
    var = s.var().item()
    if scale:
        s = s / d**0.5
    p = s.softmax(-1)
    J = torch.diag_embed(p) - p[:, :, None] * p[:, None, :]
    return {
        "var": var,
        "max_weight": p.max(-1).values.mean().item(),
        "jac_norm": J.flatten(1).norm(dim=1).mean().item(),
    }


# --- standard_deviation
import torch

QUERIES = 1000


def score_stats(d, n, scale, seed):
    g = torch.Generator().manual_seed(seed)
    q = torch.randn(QUERIES, d, generator=g)
    k = torch.randn(QUERIES, n, d, generator=g)
    s = torch.einsum("qd,qnd->qn", q, k)
    if scale:
        s = s / d**0.5
    p = s.softmax(-1)
    J = torch.diag_embed(p) - p[:, :, None] * p[:, None, :]
    return {
        "var": s.std().item(),
        "max_weight": p.max(-1).values.mean().item(),
        "jac_norm": J.flatten(1).norm(dim=1).mean().item(),
    }


# --- variance_of_each_query
import torch

QUERIES = 1000


def score_stats(d, n, scale, seed):
    g = torch.Generator().manual_seed(seed)
    q = torch.randn(QUERIES, d, generator=g)
    k = torch.randn(QUERIES, n, d, generator=g)
    s = torch.einsum("qd,qnd->qn", q, k)
    if scale:
        s = s / d**0.5
    p = s.softmax(-1)
    J = torch.diag_embed(p) - p[:, :, None] * p[:, None, :]
    return {
        "var": s.var(dim=-1, unbiased=False).mean().item(),
        "max_weight": p.max(-1).values.mean().item(),
        "jac_norm": J.flatten(1).norm(dim=1).mean().item(),
    }


# --- variance_of_weights
import torch

QUERIES = 1000


def score_stats(d, n, scale, seed):
    g = torch.Generator().manual_seed(seed)
    q = torch.randn(QUERIES, d, generator=g)
    k = torch.randn(QUERIES, n, d, generator=g)
    s = torch.einsum("qd,qnd->qn", q, k)
    if scale:
        s = s / d**0.5
    p = s.softmax(-1)
    J = torch.diag_embed(p) - p[:, :, None] * p[:, None, :]
    return {
        "var": p.var().item(),
        "max_weight": p.max(-1).values.mean().item(),
        "jac_norm": J.flatten(1).norm(dim=1).mean().item(),
    }


# --- largest_of_all
import torch

QUERIES = 1000


def score_stats(d, n, scale, seed):
    g = torch.Generator().manual_seed(seed)
    q = torch.randn(QUERIES, d, generator=g)
    k = torch.randn(QUERIES, n, d, generator=g)
    s = torch.einsum("qd,qnd->qn", q, k)
    if scale:
        s = s / d**0.5
    p = s.softmax(-1)
    J = torch.diag_embed(p) - p[:, :, None] * p[:, None, :]
    return {
        "var": s.var().item(),
        "max_weight": p.max().item(),
        "jac_norm": J.flatten(1).norm(dim=1).mean().item(),
    }


# --- largest_score
import torch

QUERIES = 1000


def score_stats(d, n, scale, seed):
    g = torch.Generator().manual_seed(seed)
    q = torch.randn(QUERIES, d, generator=g)
    k = torch.randn(QUERIES, n, d, generator=g)
    s = torch.einsum("qd,qnd->qn", q, k)
    if scale:
        s = s / d**0.5
    p = s.softmax(-1)
    J = torch.diag_embed(p) - p[:, :, None] * p[:, None, :]
    return {
        "var": s.var().item(),
        "max_weight": s.max(-1).values.mean().item(),
        "jac_norm": J.flatten(1).norm(dim=1).mean().item(),
    }


# --- softmax_over_queries
import torch

QUERIES = 1000


def score_stats(d, n, scale, seed):
    g = torch.Generator().manual_seed(seed)
    q = torch.randn(QUERIES, d, generator=g)
    k = torch.randn(QUERIES, n, d, generator=g)
    s = torch.einsum("qd,qnd->qn", q, k)
    if scale:
        s = s / d**0.5
    p = s.softmax(0)
    J = torch.diag_embed(p) - p[:, :, None] * p[:, None, :]
    return {
        "var": s.var().item(),
        "max_weight": p.max(-1).values.mean().item(),
        "jac_norm": J.flatten(1).norm(dim=1).mean().item(),
    }


# --- norm_of_all_jacobians
import torch

QUERIES = 1000


def score_stats(d, n, scale, seed):
    g = torch.Generator().manual_seed(seed)
    q = torch.randn(QUERIES, d, generator=g)
    k = torch.randn(QUERIES, n, d, generator=g)
    s = torch.einsum("qd,qnd->qn", q, k)
    if scale:
        s = s / d**0.5
    p = s.softmax(-1)
    J = torch.diag_embed(p) - p[:, :, None] * p[:, None, :]
    return {
        "var": s.var().item(),
        "max_weight": p.max(-1).values.mean().item(),
        "jac_norm": J.norm().item(),
    }


# --- norm_of_mean_jacobian
import torch

QUERIES = 1000


def score_stats(d, n, scale, seed):
    g = torch.Generator().manual_seed(seed)
    q = torch.randn(QUERIES, d, generator=g)
    k = torch.randn(QUERIES, n, d, generator=g)
    s = torch.einsum("qd,qnd->qn", q, k)
    if scale:
        s = s / d**0.5
    p = s.softmax(-1)
    J = torch.diag_embed(p) - p[:, :, None] * p[:, None, :]
    return {
        "var": s.var().item(),
        "max_weight": p.max(-1).values.mean().item(),
        "jac_norm": J.mean(0).norm().item(),
    }


# --- spectral_norm
import torch

QUERIES = 1000


def score_stats(d, n, scale, seed):
    g = torch.Generator().manual_seed(seed)
    q = torch.randn(QUERIES, d, generator=g)
    k = torch.randn(QUERIES, n, d, generator=g)
    s = torch.einsum("qd,qnd->qn", q, k)
    if scale:
        s = s / d**0.5
    p = s.softmax(-1)
    J = torch.diag_embed(p) - p[:, :, None] * p[:, None, :]
    return {
        "var": s.var().item(),
        "max_weight": p.max(-1).values.mean().item(),
        "jac_norm": torch.linalg.matrix_norm(J, 2).mean().item(),
    }


# --- squared_norm
import torch

QUERIES = 1000


def score_stats(d, n, scale, seed):
    g = torch.Generator().manual_seed(seed)
    q = torch.randn(QUERIES, d, generator=g)
    k = torch.randn(QUERIES, n, d, generator=g)
    s = torch.einsum("qd,qnd->qn", q, k)
    if scale:
        s = s / d**0.5
    p = s.softmax(-1)
    J = torch.diag_embed(p) - p[:, :, None] * p[:, None, :]
    return {
        "var": s.var().item(),
        "max_weight": p.max(-1).values.mean().item(),
        "jac_norm": (J**2).sum((1, 2)).mean().item(),
    }


# --- sum_of_magnitudes
import torch

QUERIES = 1000


def score_stats(d, n, scale, seed):
    g = torch.Generator().manual_seed(seed)
    q = torch.randn(QUERIES, d, generator=g)
    k = torch.randn(QUERIES, n, d, generator=g)
    s = torch.einsum("qd,qnd->qn", q, k)
    if scale:
        s = s / d**0.5
    p = s.softmax(-1)
    J = torch.diag_embed(p) - p[:, :, None] * p[:, None, :]
    return {
        "var": s.var().item(),
        "max_weight": p.max(-1).values.mean().item(),
        "jac_norm": J.abs().sum((1, 2)).mean().item(),
    }


# --- diagonal_only
import torch

QUERIES = 1000


def score_stats(d, n, scale, seed):
    g = torch.Generator().manual_seed(seed)
    q = torch.randn(QUERIES, d, generator=g)
    k = torch.randn(QUERIES, n, d, generator=g)
    s = torch.einsum("qd,qnd->qn", q, k)
    if scale:
        s = s / d**0.5
    p = s.softmax(-1)
    return {
        "var": s.var().item(),
        "max_weight": p.max(-1).values.mean().item(),
        "jac_norm": (p * (1 - p)).norm(dim=-1).mean().item(),
    }


# --- plus_instead_of_minus
import torch

QUERIES = 1000


def score_stats(d, n, scale, seed):
    g = torch.Generator().manual_seed(seed)
    q = torch.randn(QUERIES, d, generator=g)
    k = torch.randn(QUERIES, n, d, generator=g)
    s = torch.einsum("qd,qnd->qn", q, k)
    if scale:
        s = s / d**0.5
    p = s.softmax(-1)
    J = torch.diag_embed(p) + p[:, :, None] * p[:, None, :]
    return {
        "var": s.var().item(),
        "max_weight": p.max(-1).values.mean().item(),
        "jac_norm": J.flatten(1).norm(dim=1).mean().item(),
    }


# --- norm_scaled_too
import torch

QUERIES = 1000


def score_stats(d, n, scale, seed):
    g = torch.Generator().manual_seed(seed)
    q = torch.randn(QUERIES, d, generator=g)
    k = torch.randn(QUERIES, n, d, generator=g)
    s = torch.einsum("qd,qnd->qn", q, k)
    if scale:
        s = s / d**0.5
    p = s.softmax(-1)
    J = torch.diag_embed(p) - p[:, :, None] * p[:, None, :]
    if scale:
        J = J / d**0.5
    return {
        "var": s.var().item(),
        "max_weight": p.max(-1).values.mean().item(),
        "jac_norm": J.flatten(1).norm(dim=1).mean().item(),
    }


# --- shared_keys
import torch

QUERIES = 1000


def score_stats(d, n, scale, seed):
    g = torch.Generator().manual_seed(seed)
    q = torch.randn(QUERIES, d, generator=g)
    k = torch.randn(n, d, generator=g)
    s = q @ k.T
    if scale:
        s = s / d**0.5
    p = s.softmax(-1)
    J = torch.diag_embed(p) - p[:, :, None] * p[:, None, :]
    return {
        "var": s.var().item(),
        "max_weight": p.max(-1).values.mean().item(),
        "jac_norm": J.flatten(1).norm(dim=1).mean().item(),
    }


# --- one_query
import torch

QUERIES = 1000


def score_stats(d, n, scale, seed):
    g = torch.Generator().manual_seed(seed)
    q = torch.randn(1, d, generator=g)
    k = torch.randn(QUERIES, n, d, generator=g)
    s = (q * k).sum(-1) if False else torch.einsum("d,qnd->qn", q[0], k)
    if scale:
        s = s / d**0.5
    p = s.softmax(-1)
    J = torch.diag_embed(p) - p[:, :, None] * p[:, None, :]
    return {
        "var": s.var().item(),
        "max_weight": p.max(-1).values.mean().item(),
        "jac_norm": J.flatten(1).norm(dim=1).mean().item(),
    }


# --- uniform
import torch

QUERIES = 1000


def score_stats(d, n, scale, seed):
    g = torch.Generator().manual_seed(seed)
    q = torch.rand(QUERIES, d, generator=g)
    k = torch.rand(QUERIES, n, d, generator=g)
    s = torch.einsum("qd,qnd->qn", q, k)
    if scale:
        s = s / d**0.5
    p = s.softmax(-1)
    J = torch.diag_embed(p) - p[:, :, None] * p[:, None, :]
    return {
        "var": s.var().item(),
        "max_weight": p.max(-1).values.mean().item(),
        "jac_norm": J.flatten(1).norm(dim=1).mean().item(),
    }


# --- same_generator_twice
import torch

QUERIES = 1000


def score_stats(d, n, scale, seed):
    q = torch.randn(QUERIES, d, generator=torch.Generator().manual_seed(seed))
    k = torch.randn(QUERIES, n, d, generator=torch.Generator().manual_seed(seed))
    s = torch.einsum("qd,qnd->qn", q, k)
    if scale:
        s = s / d**0.5
    p = s.softmax(-1)
    J = torch.diag_embed(p) - p[:, :, None] * p[:, None, :]
    return {
        "var": s.var().item(),
        "max_weight": p.max(-1).values.mean().item(),
        "jac_norm": J.flatten(1).norm(dim=1).mean().item(),
    }


# --- seed_ignored
import torch

QUERIES = 1000


def score_stats(d, n, scale, seed):
    g = torch.Generator().manual_seed(0)
    q = torch.randn(QUERIES, d, generator=g)
    k = torch.randn(QUERIES, n, d, generator=g)
    s = torch.einsum("qd,qnd->qn", q, k)
    if scale:
        s = s / d**0.5
    p = s.softmax(-1)
    J = torch.diag_embed(p) - p[:, :, None] * p[:, None, :]
    return {
        "var": s.var().item(),
        "max_weight": p.max(-1).values.mean().item(),
        "jac_norm": J.flatten(1).norm(dim=1).mean().item(),
    }


# --- no_seed
import torch

QUERIES = 1000


def score_stats(d, n, scale, seed):
    q = torch.randn(QUERIES, d)
    k = torch.randn(QUERIES, n, d)
    s = torch.einsum("qd,qnd->qn", q, k)
    if scale:
        s = s / d**0.5
    p = s.softmax(-1)
    J = torch.diag_embed(p) - p[:, :, None] * p[:, None, :]
    return {
        "var": s.var().item(),
        "max_weight": p.max(-1).values.mean().item(),
        "jac_norm": J.flatten(1).norm(dim=1).mean().item(),
    }


# --- seed_depends_on_scale
import torch

QUERIES = 1000


def score_stats(d, n, scale, seed):
    g = torch.Generator().manual_seed(2 * seed + int(scale))
    q = torch.randn(QUERIES, d, generator=g)
    k = torch.randn(QUERIES, n, d, generator=g)
    s = torch.einsum("qd,qnd->qn", q, k)
    if scale:
        s = s / d**0.5
    p = s.softmax(-1)
    J = torch.diag_embed(p) - p[:, :, None] * p[:, None, :]
    return {
        "var": s.var().item(),
        "max_weight": p.max(-1).values.mean().item(),
        "jac_norm": J.flatten(1).norm(dim=1).mean().item(),
    }


# --- ten_queries
import torch

QUERIES = 1000


def score_stats(d, n, scale, seed):
    g = torch.Generator().manual_seed(seed)
    q = torch.randn(10, d, generator=g)
    k = torch.randn(10, n, d, generator=g)
    s = torch.einsum("qd,qnd->qn", q, k)
    if scale:
        s = s / d**0.5
    p = s.softmax(-1)
    J = torch.diag_embed(p) - p[:, :, None] * p[:, None, :]
    return {
        "var": s.var().item(),
        "max_weight": p.max(-1).values.mean().item(),
        "jac_norm": J.flatten(1).norm(dim=1).mean().item(),
    }


# --- tensors_returned
import torch

QUERIES = 1000


def score_stats(d, n, scale, seed):
    g = torch.Generator().manual_seed(seed)
    q = torch.randn(QUERIES, d, generator=g)
    k = torch.randn(QUERIES, n, d, generator=g)
    s = torch.einsum("qd,qnd->qn", q, k)
    if scale:
        s = s / d**0.5
    p = s.softmax(-1)
    J = torch.diag_embed(p) - p[:, :, None] * p[:, None, :]
    return {"var": s.var(), "max_weight": p.max(-1).values, "jac_norm": J.flatten(1).norm(dim=1)}


# --- a_tuple
import torch

QUERIES = 1000


def score_stats(d, n, scale, seed):
    g = torch.Generator().manual_seed(seed)
    q = torch.randn(QUERIES, d, generator=g)
    k = torch.randn(QUERIES, n, d, generator=g)
    s = torch.einsum("qd,qnd->qn", q, k)
    if scale:
        s = s / d**0.5
    p = s.softmax(-1)
    J = torch.diag_embed(p) - p[:, :, None] * p[:, None, :]
    return s.var().item(), p.max(-1).values.mean().item(), J.flatten(1).norm(dim=1).mean().item()


# --- other_keys
import torch

QUERIES = 1000


def score_stats(d, n, scale, seed):
    g = torch.Generator().manual_seed(seed)
    q = torch.randn(QUERIES, d, generator=g)
    k = torch.randn(QUERIES, n, d, generator=g)
    s = torch.einsum("qd,qnd->qn", q, k)
    if scale:
        s = s / d**0.5
    p = s.softmax(-1)
    J = torch.diag_embed(p) - p[:, :, None] * p[:, None, :]
    return {
        "variance": s.var().item(),
        "max_weight": p.max(-1).values.mean().item(),
        "jacobian_norm": J.flatten(1).norm(dim=1).mean().item(),
    }


# --- exponentials_overflow
import torch

QUERIES = 1000


def score_stats(d, n, scale, seed):
    g = torch.Generator().manual_seed(seed)
    q = torch.randn(QUERIES, d, generator=g)
    k = torch.randn(QUERIES, n, d, generator=g)
    s = torch.einsum("qd,qnd->qn", q, k)
    if scale:
        s = s / d**0.5
    p = s.exp() / s.exp().sum(-1, keepdim=True)
    J = torch.diag_embed(p) - p[:, :, None] * p[:, None, :]
    return {
        "var": s.var().item(),
        "max_weight": p.max(-1).values.mean().item(),
        "jac_norm": J.flatten(1).norm(dim=1).mean().item(),
    }


# --- weights_scaled
import torch

QUERIES = 1000


def score_stats(d, n, scale, seed):
    g = torch.Generator().manual_seed(seed)
    q = torch.randn(QUERIES, d, generator=g)
    k = torch.randn(QUERIES, n, d, generator=g)
    s = torch.einsum("qd,qnd->qn", q, k)
    p = s.softmax(-1)
    if scale:
        p = p / d**0.5
    J = torch.diag_embed(p) - p[:, :, None] * p[:, None, :]
    return {
        "var": s.var().item(),
        "max_weight": p.max(-1).values.mean().item(),
        "jac_norm": J.flatten(1).norm(dim=1).mean().item(),
    }


# --- remembered
import torch

QUERIES = 1000
_drawn = {}


def score_stats(d, n, scale, seed):
    if seed not in _drawn:
        g = torch.Generator().manual_seed(seed)
        _drawn[seed] = torch.randn(QUERIES, d, generator=g), torch.randn(QUERIES, n, d, generator=g)
    q, k = _drawn[seed]
    s = torch.einsum("qd,qnd->qn", q, k)
    if scale:
        s = s / d**0.5
    p = s.softmax(-1)
    J = torch.diag_embed(p) - p[:, :, None] * p[:, None, :]
    return {
        "var": s.var().item(),
        "max_weight": p.max(-1).values.mean().item(),
        "jac_norm": J.flatten(1).norm(dim=1).mean().item(),
    }


# --- global_seed_left_behind
import torch

QUERIES = 1000


def score_stats(d, n, scale, seed):
    torch.manual_seed(seed)
    q = torch.randn(QUERIES, d)
    k = torch.randn(QUERIES, n, d)
    if scale:
        q = q / d
        k = k / d
    s = torch.einsum("qd,qnd->qn", q, k)
    p = s.softmax(-1)
    J = torch.diag_embed(p) - p[:, :, None] * p[:, None, :]
    return {
        "var": s.var().item(),
        "max_weight": p.max(-1).values.mean().item(),
        "jac_norm": J.flatten(1).norm(dim=1).mean().item(),
    }


# --- divided_twice
import torch

QUERIES = 1000


def score_stats(d, n, scale, seed):
    g = torch.Generator().manual_seed(seed)
    q = torch.randn(QUERIES, d, generator=g)
    k = torch.randn(QUERIES, n, d, generator=g)
    if scale:
        q, k = q / d**0.5, k / d**0.5
    s = torch.einsum("qd,qnd->qn", q, k)
    p = s.softmax(-1)
    J = torch.diag_embed(p) - p[:, :, None] * p[:, None, :]
    return {
        "var": s.var().item(),
        "max_weight": p.max(-1).values.mean().item(),
        "jac_norm": J.flatten(1).norm(dim=1).mean().item(),
    }


# --- mean_of_squares_of_magnitudes
import torch

QUERIES = 1000


def score_stats(d, n, scale, seed):
    g = torch.Generator().manual_seed(seed)
    q = torch.randn(QUERIES, d, generator=g)
    k = torch.randn(QUERIES, n, d, generator=g)
    s = torch.einsum("qd,qnd->qn", q, k)
    if scale:
        s = s / d**0.5
    p = s.softmax(-1)
    J = torch.diag_embed(p) - p[:, :, None] * p[:, None, :]
    return {
        "var": s.abs().var().item(),
        "max_weight": p.mean(-1).mean().item(),
        "jac_norm": J.flatten(1).norm(dim=1).mean().item(),
    }


# --- a_hundred_queries
import torch


QUERIES = 100
def score_stats(d, n, scale, seed):
    random = torch.Generator().manual_seed(seed)
    q = torch.randn(QUERIES, d, generator=random)
    k = torch.randn(QUERIES, n, d, generator=random)
    s = torch.einsum("qd,qnd->qn", q, k)
    if scale:
        s = s / d ** 0.5
    p = s.softmax(-1)
    jac = torch.diag_embed(p) - p[:, :, None] * p[:, None, :]
    return {"var": s.var().item(), "max_weight": p.max(-1).values.mean().item(), "jac_norm": jac.norm(dim=(1, 2)).mean().item()}


# --- generator_of_the_module
import torch


QUERIES = 1000
random = torch.Generator().manual_seed(0)
def score_stats(d, n, scale, seed):
    q = torch.randn(QUERIES, d, generator=random)
    k = torch.randn(QUERIES, n, d, generator=random)
    s = torch.einsum("qd,qnd->qn", q, k)
    if scale:
        s = s / d ** 0.5
    p = s.softmax(-1)
    jac = torch.diag_embed(p) - p[:, :, None] * p[:, None, :]
    return {"var": s.var().item(), "max_weight": p.max(-1).values.mean().item(), "jac_norm": jac.norm(dim=(1, 2)).mean().item()}


# --- raw_scores_in_softmax
import torch


QUERIES = 1000
def score_stats(d, n, scale, seed):
    g = torch.Generator().manual_seed(seed)
    q = torch.randn(QUERIES, d, generator=g)
    k = torch.randn(QUERIES, n, d, generator=g)
    s = torch.einsum("qd,qnd->qn", q, k)
    var = (s / d ** 0.5).var().item() if scale else s.var().item()
    p = s.softmax(-1)
    jac = torch.diag_embed(p) - p[:, :, None] * p[:, None, :]
    return {"var": var, "max_weight": p.max(-1).values.mean().item(), "jac_norm": jac.norm(dim=(1, 2)).mean().item()}


# --- other_numbers_when_scaled
import torch


QUERIES = 1000
def score_stats(d, n, scale, seed):
    g = torch.Generator().manual_seed(seed + int(scale))
    q = torch.randn(QUERIES, d, generator=g)
    k = torch.randn(QUERIES, n, d, generator=g)
    s = torch.einsum("qd,qnd->qn", q, k)
    if scale:
        s = s / d ** 0.5
    p = s.softmax(-1)
    jac = torch.diag_embed(p) - p[:, :, None] * p[:, None, :]
    return {"var": s.var().item(), "max_weight": p.max(-1).values.mean().item(), "jac_norm": jac.norm(dim=(1, 2)).mean().item()}


# --- drawn_once_a_size
import torch


QUERIES = 1000
_drawn = {}
def score_stats(d, n, scale, seed):
    if (d, n) not in _drawn:
        g = torch.Generator().manual_seed(seed)
        _drawn[d, n] = torch.randn(QUERIES, d, generator=g), torch.randn(QUERIES, n, d, generator=g)
    q, k = _drawn[d, n]
    s = torch.einsum("qd,qnd->qn", q, k)
    if scale:
        s = s / d ** 0.5
    p = s.softmax(-1)
    jac = torch.diag_embed(p) - p[:, :, None] * p[:, None, :]
    return {"var": s.var().item(), "max_weight": p.max(-1).values.mean().item(), "jac_norm": jac.norm(dim=(1, 2)).mean().item()}


# --- keys_without_the_seed
import torch


QUERIES = 1000
def score_stats(d, n, scale, seed):
    g = torch.Generator().manual_seed(seed)
    q = torch.randn(QUERIES, d, generator=g)
    k = torch.randn(QUERIES, n, d)
    s = torch.einsum("qd,qnd->qn", q, k)
    if scale:
        s = s / d ** 0.5
    p = s.softmax(-1)
    jac = torch.diag_embed(p) - p[:, :, None] * p[:, None, :]
    return {"var": s.var().item(), "max_weight": p.max(-1).values.mean().item(), "jac_norm": jac.norm(dim=(1, 2)).mean().item()}


# --- two_slips_1
# slips: the scores are divided by d instead of sqrt(d); the Jacobian lacks its entries off the diagonal
import torch

QUERIES = 1000


def score_stats(d: int, n: int, scale: bool, seed: int) -> dict[str, float]:
    random = torch.Generator().manual_seed(seed)
    queries = torch.randn(QUERIES, d, generator=random)
    keys = torch.randn(QUERIES, n, d, generator=random)
    scores = (keys @ queries.unsqueeze(-1)).squeeze(-1)
    if scale:
        scores = scores / d
    p = torch.softmax(scores, dim=-1)
    jac = torch.diag_embed(p * (1 - p))
    norms = jac.pow(2).sum(dim=(-2, -1)).sqrt()
    return {
        "var": scores.var(unbiased=False).item(),
        "max_weight": p.max(dim=-1).values.mean().item(),
        "jac_norm": norms.mean().item(),
    }


# --- two_slips_2
# slips: the variance is always taken before the division; max_weight is the largest weight of all queries, not the average
import math

import torch

QUERIES = 1000


def score_stats(d: int, n: int, scale: bool, seed: int) -> dict[str, float]:
    gen = torch.Generator().manual_seed(seed)
    q = torch.randn(QUERIES, d, generator=gen)
    k = torch.randn(QUERIES, n, d, generator=gen)
    s = torch.einsum("qd,qnd->qn", q, k)
    var = float(((s - s.mean()) ** 2).mean())
    if scale:
        s = s / math.sqrt(d)
    p = s.softmax(1)
    total = 0.0
    for row in p:
        total += float(torch.linalg.norm(torch.diag(row) - torch.outer(row, row)))
    return {"var": var, "max_weight": float(p.max()), "jac_norm": total / QUERIES}


# --- jacobian_norm_without_square_root
# slip: the Frobenius norm lacks the square root
import torch

QUERIES = 1000


def score_stats(d: int, n: int, scale: bool, seed: int) -> dict[str, float]:
    random = torch.Generator().manual_seed(seed)
    q = torch.randn(QUERIES, d, generator=random)
    k = torch.randn(QUERIES, n, d, generator=random)
    s = torch.einsum("qd,qnd->qn", q, k)
    if scale:
        s = s / d**0.5
    p = torch.softmax(s, dim=-1)
    jac = torch.diag_embed(p) - p[:, :, None] * p[:, None, :]
    norm = (jac**2).sum(dim=(1, 2))
    return {"var": s.var().item(), "max_weight": p.max(dim=-1).values.mean().item(), "jac_norm": norm.mean().item()}


# --- variance_before_the_division
# slip: the variance is measured before the scores are divided
import math

import torch

QUERIES = 1000


def score_stats(d: int, n: int, scale: bool, seed: int) -> dict[str, float]:
    gen = torch.Generator()
    gen.manual_seed(seed)
    queries = torch.randn(QUERIES, d, generator=gen)
    keys = torch.randn(QUERIES, n, d, generator=gen)
    scores = (keys @ queries.unsqueeze(-1)).squeeze(-1)
    var = float(torch.var(scores))
    if scale:
        scores = scores / math.sqrt(d)
    weights = scores.softmax(dim=1)

    norms = []
    for p in weights:
        j = torch.diag(p) - torch.outer(p, p)
        norms.append(torch.linalg.norm(j))
    return {
        "var": var,
        "max_weight": float(weights.amax(dim=1).mean()),
        "jac_norm": float(torch.stack(norms).mean()),
    }


# --- one_set_of_n_keys_shared_by_all_queries
import torch

QUERIES = 1000


def score_stats(d, n, scale, seed):
    gen = torch.Generator().manual_seed(seed)
    q = torch.randn(QUERIES, d, generator=gen)
    k = torch.randn(QUERIES, n, d, generator=gen)
    s = q @ k[0].T
    if scale:
        s = s / d**0.5
    p = s.softmax(dim=-1)
    jac = torch.diag_embed(p) - p[:, :, None] * p[:, None, :]
    return {
        "var": s.var().item(),
        "max_weight": p.max(dim=-1).values.mean().item(),
        "jac_norm": jac.flatten(1).norm(dim=1).mean().item(),
    }


# --- two_slips_3
import torch

QUERIES = 1000
_gens = {}


def generator(seed):
    if seed in _gens:
        return _gens[seed]
    _gens[seed] = torch.Generator().manual_seed(seed)
    return _gens[seed]


def score_stats(d: int, n: int, scale: bool, seed: int) -> dict[str, float]:
    random = generator(seed)
    queries = torch.randn(QUERIES, d, generator=random)
    keys = torch.randn(QUERIES, n, d, generator=random)
    scores = (keys @ queries.unsqueeze(-1)).squeeze(-1)
    if scale:
        scores = scores / d**0.5
    weights = torch.softmax(scores, dim=1)
    jac = torch.diag_embed(weights * (1 - weights))
    return {
        "var": float(scores.var()),
        "max_weight": float(weights.amax(1).mean()),
        "jac_norm": float(torch.linalg.matrix_norm(jac).mean()),
    }
