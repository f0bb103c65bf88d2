"""Wrong submissions for attention_backward, written from the statement, without the suite in view."""

# --- elementwise_softmax_derivative
import torch


def softmax_backward(weights, d_weights):
    return d_weights * weights * (1 - weights)


def attention_backward(q, k, v, d_output, mask=None):
    s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    p = torch.softmax(s, dim=-1)
    dv = p.transpose(-2, -1) @ d_output
    dp = d_output @ v.transpose(-2, -1)
    ds = softmax_backward(p, dp) / q.shape[-1] ** 0.5
    return ds @ k, ds.transpose(-2, -1) @ q, dv


# --- forgot_the_scale
import torch


def softmax_backward(weights, d_weights):
    return weights * (d_weights - (weights * d_weights).sum(-1, keepdim=True))


def attention_backward(q, k, v, d_output, mask=None):
    s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    p = torch.softmax(s, dim=-1)
    dv = p.transpose(-2, -1) @ d_output
    ds = softmax_backward(p, d_output @ v.transpose(-2, -1))
    return ds @ k, ds.transpose(-2, -1) @ q, dv


# --- scale_on_queries_only
import torch


def softmax_backward(weights, d_weights):
    return weights * (d_weights - (weights * d_weights).sum(-1, keepdim=True))


def attention_backward(q, k, v, d_output, mask=None):
    scale = q.shape[-1] ** -0.5
    s = (q * scale) @ k.transpose(-2, -1)
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    p = torch.softmax(s, dim=-1)
    dv = p.transpose(-2, -1) @ d_output
    ds = softmax_backward(p, d_output @ v.transpose(-2, -1))
    return ds @ k * scale, ds.transpose(-2, -1) @ q, dv


# --- keepdim_missing
import torch


def softmax_backward(weights, d_weights):
    return weights * (d_weights - (weights * d_weights).sum(-1))


def attention_backward(q, k, v, d_output, mask=None):
    s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    p = torch.softmax(s, dim=-1)
    dv = p.transpose(-2, -1) @ d_output
    ds = softmax_backward(p, d_output @ v.transpose(-2, -1)) / q.shape[-1] ** 0.5
    return ds @ k, ds.transpose(-2, -1) @ q, dv


# --- dot_t_everywhere
import torch


def softmax_backward(weights, d_weights):
    return weights * (d_weights - (weights * d_weights).sum(-1, keepdim=True))


def attention_backward(q, k, v, d_output, mask=None):
    s = q @ k.T / q.shape[-1] ** 0.5
    if mask is not None:
        s[~mask] = float("-inf")
    p = torch.softmax(s, dim=-1)
    ds = softmax_backward(p, d_output @ v.T) / q.shape[-1] ** 0.5
    return ds @ k, ds.T @ q, p.T @ d_output


# --- no_mask
import torch


def softmax_backward(weights, d_weights):
    return weights * (d_weights - (weights * d_weights).sum(-1, keepdim=True))


def attention_backward(q, k, v, d_output, mask=None):
    p = torch.softmax(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5, dim=-1)
    ds = softmax_backward(p, d_output @ v.transpose(-2, -1)) / q.shape[-1] ** 0.5
    return ds @ k, ds.transpose(-2, -1) @ q, p.transpose(-2, -1) @ d_output


# --- mask_on_the_way_back_only
import torch


def softmax_backward(weights, d_weights):
    return weights * (d_weights - (weights * d_weights).sum(-1, keepdim=True))


def attention_backward(q, k, v, d_output, mask=None):
    p = torch.softmax(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5, dim=-1)
    dv = p.transpose(-2, -1) @ d_output
    ds = softmax_backward(p, d_output @ v.transpose(-2, -1)) / q.shape[-1] ** 0.5
    if mask is not None:
        ds = ds.masked_fill(~mask, 0.0)
    return ds @ k, ds.transpose(-2, -1) @ q, dv


# --- mask_true_means_hidden
import torch


def softmax_backward(weights, d_weights):
    return weights * (d_weights - (weights * d_weights).sum(-1, keepdim=True))


def attention_backward(q, k, v, d_output, mask=None):
    s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    if mask is not None:
        s = s.masked_fill(mask, float("-inf"))
    p = torch.softmax(s, dim=-1)
    ds = softmax_backward(p, d_output @ v.transpose(-2, -1)) / q.shape[-1] ** 0.5
    return ds @ k, ds.transpose(-2, -1) @ q, p.transpose(-2, -1) @ d_output


# --- exponentials_by_hand
import torch


def softmax_backward(weights, d_weights):
    return weights * (d_weights - (weights * d_weights).sum(-1, keepdim=True))


def attention_backward(q, k, v, d_output, mask=None):
    e = torch.exp(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5)
    if mask is not None:
        e = e * mask
    p = e / e.sum(-1, keepdim=True)
    ds = softmax_backward(p, d_output @ v.transpose(-2, -1)) / q.shape[-1] ** 0.5
    return ds @ k, ds.transpose(-2, -1) @ q, p.transpose(-2, -1) @ d_output


# --- softmax_left_out
import torch


def softmax_backward(weights, d_weights):
    return weights * (d_weights - (weights * d_weights).sum(-1, keepdim=True))


def attention_backward(q, k, v, d_output, mask=None):
    s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    p = torch.softmax(s, dim=-1)
    ds = d_output @ v.transpose(-2, -1) / q.shape[-1] ** 0.5
    if mask is not None:
        ds = ds.masked_fill(~mask, 0.0)
    return ds @ k, ds.transpose(-2, -1) @ q, p.transpose(-2, -1) @ d_output


# --- keys_and_queries_crossed
import torch


def softmax_backward(weights, d_weights):
    return weights * (d_weights - (weights * d_weights).sum(-1, keepdim=True))


def attention_backward(q, k, v, d_output, mask=None):
    s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    p = torch.softmax(s, dim=-1)
    ds = softmax_backward(p, d_output @ v.transpose(-2, -1)) / q.shape[-1] ** 0.5
    return ds.transpose(-2, -1) @ q, ds @ k, p.transpose(-2, -1) @ d_output


# --- values_from_the_scores
import torch


def softmax_backward(weights, d_weights):
    return weights * (d_weights - (weights * d_weights).sum(-1, keepdim=True))


def attention_backward(q, k, v, d_output, mask=None):
    s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    if mask is not None:
        s = s.masked_fill(~mask, -1e9)
    p = torch.softmax(s, dim=-1)
    ds = softmax_backward(p, d_output @ v.transpose(-2, -1)) / q.shape[-1] ** 0.5
    return ds @ k, ds.transpose(-2, -1) @ q, s.transpose(-2, -1) @ d_output


# --- mask_written_into_the_scores_of_four_dimensions
import torch


def softmax_backward(weights, d_weights):
    dot = torch.einsum("bhij,bhij->bhi", weights, d_weights)
    return weights * (d_weights - dot[..., None])


def attention_backward(q, k, v, d_output, mask=None):
    s = torch.einsum("bhid,bhjd->bhij", q, k) / q.shape[-1] ** 0.5
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    p = torch.softmax(s, dim=-1)
    ds = softmax_backward(p, torch.einsum("bhid,bhjd->bhij", d_output, v)) / q.shape[-1] ** 0.5
    dq, dk = torch.einsum("bhij,bhjd->bhid", ds, k), torch.einsum("bhij,bhid->bhjd", ds, q)
    return dq, dk, torch.einsum("bhij,bhid->bhjd", p, d_output)


# --- d_output_changed_in_place
import torch


def softmax_backward(weights, d_weights):
    d_weights -= (weights * d_weights).sum(-1, keepdim=True)
    d_weights *= weights
    return d_weights


def attention_backward(q, k, v, d_output, mask=None):
    q *= q.shape[-1] ** -0.5
    s = q @ k.transpose(-2, -1)
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    p = torch.softmax(s, dim=-1)
    ds = softmax_backward(p, d_output @ v.transpose(-2, -1))
    return ds @ k * q.shape[-1] ** -0.5, ds.transpose(-2, -1) @ q, p.transpose(-2, -1) @ d_output


# --- mean_instead_of_sum
import math
import torch

def softmax_backward(weights, d_weights):
    return weights * (d_weights - (weights * d_weights).mean(-1, keepdim=True))

def attention_backward(q, k, v, d_output, mask=None):
    d = q.shape[-1]
    s = q @ k.transpose(-2, -1) / math.sqrt(d)
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    p = torch.softmax(s, dim=-1)
    d_v = p.transpose(-2, -1) @ d_output
    d_p = d_output @ v.transpose(-2, -1)
    d_s = softmax_backward(p, d_p) / math.sqrt(d)
    d_q = d_s @ k
    d_k = d_s.transpose(-2, -1) @ q
    return d_q, d_k, d_v


# --- scale_by_dv
import math
import torch

def softmax_backward(weights, d_weights):
    return weights * (d_weights - (weights * d_weights).sum(-1, keepdim=True))

def attention_backward(q, k, v, d_output, mask=None):
    d = v.shape[-1]
    s = q @ k.transpose(-2, -1) / math.sqrt(d)
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    p = torch.softmax(s, dim=-1)
    d_v = p.transpose(-2, -1) @ d_output
    d_p = d_output @ v.transpose(-2, -1)
    d_s = softmax_backward(p, d_p) / math.sqrt(d)
    d_q = d_s @ k
    d_k = d_s.transpose(-2, -1) @ q
    return d_q, d_k, d_v


# --- softmax_last_dim_fixed
import math
import torch

def softmax_backward(weights, d_weights):
    return weights * (d_weights - (weights * d_weights).sum(-1, keepdim=True))

def attention_backward(q, k, v, d_output, mask=None):
    d = q.shape[-1]
    s = q @ k.transpose(-2, -1) / math.sqrt(d)
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    p = torch.softmax(s, dim=1)
    d_v = p.transpose(-2, -1) @ d_output
    d_p = d_output @ v.transpose(-2, -1)
    d_s = softmax_backward(p, d_p) / math.sqrt(d)
    d_q = d_s @ k
    d_k = d_s.transpose(-2, -1) @ q
    return d_q, d_k, d_v


# --- masked_grad_after
import math
import torch

def softmax_backward(weights, d_weights):
    return weights * (d_weights - (weights * d_weights).sum(-1, keepdim=True))

def attention_backward(q, k, v, d_output, mask=None):
    d = q.shape[-1]
    s = q @ k.transpose(-2, -1) / math.sqrt(d)
    if mask is not None:
        pass
    p = torch.softmax(s, dim=-1)
    d_v = p.transpose(-2, -1) @ d_output
    d_p = d_output @ v.transpose(-2, -1)
    if mask is not None:
        d_p = d_p * mask
    d_s = softmax_backward(p, d_p) / math.sqrt(d)
    d_q = d_s @ k
    d_k = d_s.transpose(-2, -1) @ q
    return d_q, d_k, d_v


# --- keys_and_values_exchanged_in_the_result
import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def softmax_backward(weights, d_weights):
    return weights * (d_weights - (weights * d_weights).sum(-1, keepdim=True))
def attention_backward(q, k, v, d_output, mask=None):
    scale = q.shape[-1] ** -0.5
    s = q @ k.mT * scale
    if mask is not None: s = s.masked_fill(~mask, -math.inf)
    p = s.softmax(-1)
    d_v = p.mT @ d_output
    d_s = softmax_backward(p, d_output @ v.mT) * scale
    return d_s @ k, d_v, d_s.mT @ q


# --- two_slips_1
import torch
from torch import Tensor


def softmax_backward(weights: Tensor, d_weights: Tensor) -> Tensor:
    return weights * d_weights


def attention_backward(
    q: Tensor, k: Tensor, v: Tensor, d_output: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    d = q.shape[-1]
    s = q @ k.transpose(-2, -1) / d**0.5
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    w = torch.softmax(s, dim=-1)
    d_v = w.transpose(-2, -1) @ d_output
    d_w = d_output @ v.transpose(-2, -1)
    d_s = softmax_backward(w, d_w)
    return d_s @ k, d_s.transpose(-2, -1) @ q, d_v


# --- two_slips_2
import math

import torch
from torch import Tensor


def softmax_backward(weights: Tensor, d_weights: Tensor) -> Tensor:
    prod = weights * d_weights
    return prod - weights * prod.sum(dim=0, keepdim=True)


def attention_backward(
    q: Tensor, k: Tensor, v: Tensor, d_output: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    scale = math.sqrt(q.size(-1))
    scores = torch.einsum("...id,...jd->...ij", q, k) / scale
    if mask is not None:
        scores = scores.masked_fill(mask.logical_not(), -math.inf)
    p = scores.softmax(-1)
    grad_p = torch.einsum("...iv,...jv->...ij", d_output, v)
    grad_v = torch.einsum("...ij,...iv->...jv", grad_p, d_output)
    grad_s = softmax_backward(p, grad_p) / scale
    grad_q = torch.einsum("...ij,...jd->...id", grad_s, k)
    grad_k = torch.einsum("...ij,...id->...jd", grad_s, q)
    return grad_q, grad_k, grad_v


# --- two_slips_3
import torch
from torch import Tensor


def softmax_backward(weights: Tensor, d_weights: Tensor) -> Tensor:
    jac = torch.diag_embed(weights) + weights.unsqueeze(-1) * weights.unsqueeze(-2)
    return (jac @ d_weights.unsqueeze(-1)).squeeze(-1)


def attention_backward(
    q: Tensor, k: Tensor, v: Tensor, d_output: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    root = q.shape[-1] ** 0.5
    logits = torch.matmul(q, k.mT).div(root)
    attn = logits.softmax(dim=-1)
    d_attn = torch.matmul(d_output, v.mT)
    d_logits = softmax_backward(attn, d_attn).div(root)
    d_q = torch.matmul(d_logits, k)
    d_k = torch.matmul(d_logits.mT, q)
    d_v = torch.matmul(attn.mT, d_output)
    return d_q, d_k, d_v


# --- two_slips_4
import math

import torch
from torch import Tensor


def softmax_backward(weights: Tensor, d_weights: Tensor) -> Tensor:
    inner = (weights * d_weights).sum(dim=-1, keepdim=True)
    d_weights -= inner
    return weights * d_weights


def attention_backward(
    q: Tensor, k: Tensor, v: Tensor, d_output: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    factor = 1.0 / math.sqrt(q.shape[-1])
    a = (q @ k.transpose(-2, -1)) * factor
    if mask is not None:
        a = a.masked_fill(mask == 0, float("-inf"))
    w = a.softmax(dim=-1)
    dw = d_output @ v.transpose(-2, -1)
    ds = softmax_backward(w, dw) * factor
    dq = ds @ k
    dk = ds @ k
    dv = w.transpose(-2, -1) @ d_output
    return dq, dk, dv


# --- two_slips_5
# slips: the inner sum of softmax's gradient runs over the whole tensor, not row by row; d_q is not divided by sqrt(Dh)
import math

import torch
from torch import Tensor


def softmax_backward(weights: Tensor, d_weights: Tensor) -> Tensor:
    inner = (weights * d_weights).sum()
    return weights * (d_weights - inner)


def attention_backward(
    q: Tensor, k: Tensor, v: Tensor, d_output: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    c = 1 / math.sqrt(q.shape[-1])
    s = (q @ k.transpose(-2, -1)) * c
    if mask is not None:
        s = s.masked_fill(~mask, -math.inf)
    p = torch.softmax(s, dim=-1)
    d_p = d_output @ v.transpose(-2, -1)
    d_s = softmax_backward(p, d_p)
    d_q = d_s @ k
    d_k = d_s.transpose(-2, -1) @ q * c
    d_v = p.transpose(-2, -1) @ d_output
    return d_q, d_k, d_v


# --- two_slips_6
# slips: the weights are computed again without the mask, which only zeroes the gradient of the scores; d_k is multiplied by k where q belongs
import torch
from torch import Tensor


def softmax_backward(weights: Tensor, d_weights: Tensor) -> Tensor:
    dot = torch.einsum("...n,...n->...", weights, d_weights)
    return weights * d_weights - weights * dot.unsqueeze(-1)


def attention_backward(
    q: Tensor, k: Tensor, v: Tensor, d_output: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    scale = q.shape[-1] ** -0.5
    scores = torch.einsum("...qd,...kd->...qk", q, k) * scale
    weights = scores.softmax(dim=-1)

    grad_v = torch.einsum("...qk,...qe->...ke", weights, d_output)
    grad_w = torch.einsum("...qe,...ke->...qk", d_output, v)
    grad_s = softmax_backward(weights, grad_w)
    if mask is not None:
        grad_s = grad_s.masked_fill(~mask, 0.0)
    grad_s = grad_s * scale
    grad_q = torch.einsum("...qk,...kd->...qd", grad_s, k)
    grad_k = torch.einsum("...kq,...qd->...kd", grad_s, k)
    return grad_q, grad_k, grad_v


# --- two_slips_7
# slips: the Jacobian of softmax adds the outer product in place of subtracting it; the scale is taken from the width of the values
import torch
from torch import Tensor


def softmax_backward(weights: Tensor, d_weights: Tensor) -> Tensor:
    # J = diag(w) and the outer product, one matrix for each row
    outer = weights[..., :, None] * weights[..., None, :]
    jac = torch.diag_embed(weights) + outer
    return (jac @ d_weights[..., None])[..., 0]


def attention_backward(
    q: Tensor, k: Tensor, v: Tensor, d_output: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    dh = v.size(-1)
    scores = q @ k.mT / dh**0.5
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)
    w = torch.softmax(scores, dim=-1)
    dv = w.mT @ d_output
    dw = d_output @ v.mT
    ds = softmax_backward(w, dw) / dh**0.5
    return ds @ k, ds.mT @ q, dv


# --- two_slips_8
import math
import torch


def softmax_backward(weights, d_weights):
    dot = (weights * d_weights).sum(dim=-2, keepdim=True)
    return weights * (d_weights - dot)


def attention_backward(q, k, v, d_output, mask=None):
    root = math.sqrt(q.shape[-1])
    s = q @ k.transpose(-1, -2) / root
    if mask is not None:
        s = s.masked_fill(~mask, -math.inf)
    p = torch.softmax(s, dim=-1)

    d_v = p.transpose(-1, -2) @ d_output
    d_p = d_output @ v.transpose(-1, -2)
    d_s = softmax_backward(p, d_p)
    d_q = d_s @ k
    d_k = d_s.transpose(-1, -2) @ q / root
    return d_q, d_k, d_v


# --- two_slips_9
import torch


def softmax_backward(weights, d_weights):
    return weights * (1 - weights) * d_weights


def attention_backward(q, k, v, d_output, mask=None):
    scale = q.shape[-1] ** -0.5
    scores = torch.einsum("...qd,...kd->...qk", q, k) * scale
    w = scores.softmax(-1)
    grad_v = torch.einsum("...qk,...qe->...ke", w, d_output)
    grad_w = torch.einsum("...qe,...ke->...qk", d_output, v)
    grad_s = softmax_backward(w, grad_w) * scale
    grad_q = torch.einsum("...qk,...kd->...qd", grad_s, k)
    grad_k = torch.einsum("...qk,...qd->...kd", grad_s, q)
    return grad_q, grad_k, grad_v
