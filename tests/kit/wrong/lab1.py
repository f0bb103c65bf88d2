"""Wrong files for lab1, each a whole submission as somebody might hand it in."""


# --- scores_scaled
import math

import torch


def lab1(x):
    scores = x @ x.T / math.sqrt(x.shape[1])
    weights = torch.softmax(scores, dim=-1)
    output = weights @ x
    return scores, weights, output


# --- scores_scaled_in_place
import torch


def lab1(x):
    scores = x @ x.T
    scores /= x.shape[1] ** 0.5
    weights = torch.softmax(scores, dim=-1)
    return scores, weights, weights @ x


# --- no_scale
import torch


def lab1(x):
    scores = x @ x.T
    weights = torch.softmax(scores, dim=-1)
    output = weights @ x
    return scores, weights, output


# --- scale_by_d
import torch.nn.functional as F


def lab1(x):
    T, d = x.shape
    scores = x @ x.t()
    weights = F.softmax(scores / d, dim=1)
    return scores, weights, weights @ x


# --- scale_by_tokens
import torch


def lab1(x):
    scores = x @ x.T
    weights = torch.softmax(scores / scores.shape[-1] ** 0.5, dim=-1)
    return scores, weights, weights @ x


# --- scale_of_the_example
import torch


def lab1(x):
    scores = x @ x.T
    weights = torch.softmax(scores / 2**0.5, dim=-1)
    return scores, weights, weights @ x


# --- scale_1_4142
import torch


def lab1(x):
    scores = x @ x.T
    weights = torch.softmax(scores / 1.4142, dim=-1)
    return scores, weights, weights @ x


# --- integer_root
import math

import torch


def lab1(x):
    scores = x @ x.T
    weights = torch.softmax(scores / math.isqrt(x.shape[1]), dim=-1)
    return scores, weights, weights @ x


# --- multiplied_by_root
import torch


def lab1(x):
    scores = x @ x.T
    weights = torch.softmax(scores * x.shape[1] ** 0.5, dim=-1)
    return scores, weights, weights @ x


# --- columns_normalised
import torch


def lab1(x):
    scores = x @ x.T
    weights = torch.softmax(scores / x.shape[1] ** 0.5, dim=0)
    return scores, weights, weights @ x


# --- whole_table_normalised
import torch


def lab1(x):
    scores = x @ x.T
    e = torch.exp(scores / x.shape[1] ** 0.5)
    weights = e / e.sum()
    return scores, weights, weights @ x


# --- raw_exponentials
import torch


def lab1(x):
    scores = x @ x.T
    e = torch.exp(scores / x.shape[1] ** 0.5)
    weights = e / e.sum(dim=1, keepdim=True)
    return scores, weights, weights @ x


# --- keepdim_forgotten
import torch


def lab1(x):
    scores = x @ x.T
    e = torch.exp(scores / x.shape[1] ** 0.5)
    weights = e / e.sum(dim=1)
    return scores, weights, weights @ x


# --- linear_weights
def lab1(x):
    scores = x @ x.T
    weights = scores / scores.sum(dim=-1, keepdim=True)
    return scores, weights, weights @ x


# --- weights_times_scores
import torch


def lab1(x):
    scores = x @ x.T
    weights = torch.softmax(scores / x.shape[1] ** 0.5, dim=-1)
    return scores, weights, weights @ scores


# --- weights_transposed
import torch


def lab1(x):
    scores = x @ x.T
    weights = torch.softmax(scores / x.shape[1] ** 0.5, dim=-1)
    return scores, weights, weights.T @ x


# --- scores_of_channels
import torch


def lab1(x):
    scores = x.T @ x
    weights = torch.softmax(scores / x.shape[1] ** 0.5, dim=-1)
    return scores, weights, x @ weights


# --- output_added_to_x
import torch


def lab1(x):
    scores = x @ x.T
    weights = torch.softmax(scores / x.shape[1] ** 0.5, dim=-1)
    return scores, weights, x + weights @ x


# --- causal
import torch


def lab1(x):
    scores = x @ x.T
    mask = torch.triu(torch.ones_like(scores), 1).bool()
    weights = torch.softmax((scores / x.shape[1] ** 0.5).masked_fill(mask, float("-inf")), dim=-1)
    return scores, weights, weights @ x


# --- causal_scores_too
import torch


def lab1(x):
    scores = x @ x.T
    mask = torch.triu(torch.ones_like(scores), 1).bool()
    scores = scores.masked_fill(mask, float("-inf"))
    weights = torch.softmax(scores / x.shape[1] ** 0.5, dim=-1)
    return scores, weights, weights @ x


# --- itself_left_out
import torch


def lab1(x):
    scores = x @ x.T
    s = (scores / x.shape[1] ** 0.5).fill_diagonal_(float("-inf"))
    weights = torch.softmax(s, dim=-1)
    return scores, weights, weights @ x


# --- cosine
import torch
import torch.nn.functional as F


def lab1(x):
    n = F.normalize(x, dim=-1)
    scores = n @ n.T
    weights = torch.softmax(scores / x.shape[1] ** 0.5, dim=-1)
    return scores, weights, weights @ x


# --- output_first
import torch


def lab1(x):
    scores = x @ x.T
    weights = torch.softmax(scores / x.shape[1] ** 0.5, dim=-1)
    return weights @ x, weights, scores


# --- output_only
import torch


def lab1(x):
    scores = x @ x.T
    weights = torch.softmax(scores / x.shape[1] ** 0.5, dim=-1)
    return weights @ x


# --- output_and_weights
import torch


def lab1(x):
    scores = x @ x.T
    weights = torch.softmax(scores / x.shape[1] ** 0.5, dim=-1)
    return weights @ x, weights


# --- logits_for_scores_and_weights
import torch


def lab1(x):
    scores = x @ x.T
    weights = scores / x.shape[1] ** 0.5
    return scores, weights, torch.softmax(weights, dim=-1) @ x


# --- rounded
import torch


def lab1(x):
    scores = x @ x.T
    weights = torch.softmax(scores / x.shape[1] ** 0.5, dim=-1)
    output = weights @ x
    return scores, (weights * 10000).round() / 10000, (output * 10000).round() / 10000


# --- float32_always
import torch


def lab1(x):
    x = x.float()
    scores = x @ x.T
    weights = torch.softmax(scores / x.shape[1] ** 0.5, dim=-1)
    return scores, weights, weights @ x


# --- weights_float32_only
import torch


def lab1(x):
    scores = x @ x.T
    weights = torch.softmax(scores / x.shape[1] ** 0.5, dim=-1, dtype=torch.float32)
    return scores, weights, weights.to(x.dtype) @ x


# --- loops_into_fresh_tensors
import torch


def lab1(x):
    T, d = x.shape
    scores = torch.zeros(T, T)
    for i in range(T):
        for j in range(T):
            scores[i, j] = float(sum(x[i, c] * x[j, c] for c in range(d)))
    weights = torch.softmax(scores / d**0.5, dim=-1)
    return scores, weights, weights @ x


# --- scores_detached
import torch


def lab1(x):
    scores = x @ x.T
    weights = torch.softmax(scores.detach() / x.shape[1] ** 0.5, dim=-1)
    return scores.detach(), weights, weights @ x


# --- no_grad
import torch


@torch.no_grad()
def lab1(x):
    scores = x @ x.T
    weights = torch.softmax(scores / x.shape[1] ** 0.5, dim=-1)
    return scores, weights, weights @ x


# --- keys_detached
import torch


def lab1(x):
    q, k, v = x, x.detach(), x.detach()
    scores = q @ k.T
    weights = torch.softmax(scores / x.shape[1] ** 0.5, dim=-1)
    return scores, weights, weights @ v


# --- x_scaled_in_place
import torch


def lab1(x):
    scores = x @ x.T
    d = x.shape[1]
    x *= d**-0.25
    weights = torch.softmax(x @ x.T, dim=-1)
    x *= d**0.25
    return scores, weights, weights @ x


# --- x_changed
import torch


def lab1(x):
    scores = x @ x.T
    weights = torch.softmax(scores / x.shape[1] ** 0.5, dim=-1)
    x[:] = weights @ x
    return scores, weights, x


# --- three_tokens_only
import torch


def lab1(x):
    scores = x @ x.T
    rows = [torch.softmax(scores[i] / x.shape[1] ** 0.5, dim=0) for i in range(3)]
    weights = torch.stack(rows)
    return scores, weights, weights @ x


# --- numpy
import numpy as np
import torch


def lab1(x):
    a = x.numpy()
    scores = a @ a.T
    e = np.exp(scores / np.sqrt(a.shape[1]))
    weights = e / e.sum(axis=1, keepdims=True)
    return tuple(torch.from_numpy(t) for t in (scores, weights, weights @ a))


# --- scale_made_on_cpu
import torch


def lab1(x):
    scores = x @ x.T
    scale = torch.full((x.shape[0], 1), x.shape[1]).sqrt()
    weights = torch.softmax(scores / scale, dim=-1)
    return scores, weights, weights @ x


# --- remembered_scores
import torch

seen = {}


def lab1(x):
    if x.shape not in seen:
        seen[x.shape] = x @ x.T
    scores = seen[x.shape]
    weights = torch.softmax(scores / x.shape[1] ** 0.5, dim=-1)
    return scores, weights, weights @ x


# --- renamed
import torch


def lab1(tokens):
    scores = tokens @ tokens.T
    weights = torch.softmax(scores / tokens.shape[1] ** 0.5, dim=-1)
    return scores, weights, weights @ tokens


# --- attention_of_squares
import torch


def lab1(x):
    scores = (x @ x.T) ** 2
    weights = torch.softmax(scores / x.shape[1] ** 0.5, dim=-1)
    return scores, weights, weights @ x


# --- softmax_twice
import torch


def lab1(x):
    scores = x @ x.T
    weights = torch.softmax(scores / x.shape[1] ** 0.5, dim=-1)
    return scores, weights, torch.softmax(weights, dim=-1) @ x


# --- log_softmax
import torch


def lab1(x):
    s = x @ x.T
    w = torch.log_softmax(s / x.shape[1] ** 0.5, -1)
    return s, w, w @ x


# --- detach_scores
import torch


def lab1(x):
    s = x @ x.T
    w = (s / x.shape[1] ** 0.5).softmax(-1)
    return s.detach(), w, w @ x


# --- output_of_scaled
import torch


def lab1(x):
    scores = x @ x.T
    scaled = scores / x.shape[1] ** 0.5
    weights = torch.softmax(scaled, dim=-1)
    output = scaled @ x
    return scores, weights, output


# --- fused_attention_for_the_output
import torch


def lab1(x):
    scores = x @ x.T
    weights = torch.softmax(scores / x.shape[1] ** 0.5, dim=-1)
    out = torch.nn.functional.scaled_dot_product_attention(x[None], x[None], x[None])[0]
    return scores, weights, out


# --- output_before_weights
import torch


def lab1(x):
    scores = x @ x.T
    weights = torch.softmax(scores / x.shape[1] ** 0.5, dim=-1)
    return scores, weights @ x, weights


# --- rounded_as_printed
import torch


def lab1(x):
    scores = x @ x.T
    weights = torch.softmax(scores / x.shape[1] ** 0.5, dim=-1).round(decimals=4)
    return scores, weights, weights @ x


# --- two_slips_1
# slips: softmax runs down the columns (dim 0); the scores returned are the scaled ones
import math

import torch
from torch import Tensor


def lab1(x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    d = x.shape[1]
    scores = x @ x.T
    scores = scores / math.sqrt(d)
    weights = torch.softmax(scores, dim=0)
    output = weights @ x
    return scores, weights, output


# --- two_slips_2
# slips: the scores are divided by the root of the number of tokens instead of sqrt(d); the output uses the weights transposed
import torch
from torch import Tensor


def lab1(x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    scores = torch.einsum("id,jd->ij", x, x)
    weights = (scores / len(x) ** 0.5).softmax(dim=1)
    output = torch.einsum("ij,id->jd", weights, x)
    return scores, weights, output


# --- scores_returned_scaled
# slip: the scores are returned after the division, though the raw dot products are asked for
import math

import torch
from torch import Tensor


def lab1(x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    T, d = x.shape
    scores = x @ x.T / math.sqrt(d)
    weights = torch.softmax(scores, dim=1)
    output = weights @ x
    return scores, weights, output


# --- two_slips_3
import torch


def lab1(x):
    d = x.shape[1]
    scores = x @ x.T
    scaled = scores / d**0.5
    weights = torch.softmax(scaled, dim=1)
    output = weights.T @ x
    return scaled, weights, output
