"""Wrong files for column_attention, each a whole submission as somebody might hand it in."""


# --- rows_softmax
import math

import torch


def column_attention(x, w_q, w_k, w_v, causal=False):
    q, k, v = w_q @ x, w_k @ x, w_v @ x
    s = k.T @ q / math.sqrt(q.shape[0])
    if causal:
        mask = torch.ones_like(s, dtype=torch.bool).triu()
        s = s.masked_fill(~mask, -math.inf)
    return v @ s.softmax(-1)


def to_mha_mask(mask):
    return ~mask if mask.dim() == 2 else ~mask.flatten(0, 1)


# --- scores_of_rows
import math

import torch


def column_attention(x, w_q, w_k, w_v, causal=False):
    q, k, v = w_q @ x, w_k @ x, w_v @ x
    s = q.T @ k / math.sqrt(q.shape[0])
    if causal:
        mask = torch.ones_like(s, dtype=torch.bool).triu()
        s = s.masked_fill(~mask, -math.inf)
    return v @ s.softmax(0)


def to_mha_mask(mask):
    return ~mask if mask.dim() == 2 else ~mask.flatten(0, 1)


# --- row_weights_not_turned
import math

import torch


def column_attention(x, w_q, w_k, w_v, causal=False):
    q, k, v = w_q @ x, w_k @ x, w_v @ x
    s = q.T @ k / math.sqrt(q.shape[0])
    if causal:
        s = s.masked_fill(torch.ones_like(s, dtype=torch.bool).triu(1), -math.inf)
    return v @ s.softmax(-1)


def to_mha_mask(mask):
    return ~mask if mask.dim() == 2 else ~mask.flatten(0, 1)


# --- other_triangle
import math

import torch


def column_attention(x, w_q, w_k, w_v, causal=False):
    q, k, v = w_q @ x, w_k @ x, w_v @ x
    s = k.T @ q / math.sqrt(q.shape[0])
    if causal:
        mask = torch.ones_like(s, dtype=torch.bool).tril()
        s = s.masked_fill(~mask, -math.inf)
    return v @ s.softmax(0)


def to_mha_mask(mask):
    return ~mask if mask.dim() == 2 else ~mask.flatten(0, 1)


# --- self_hidden
import math

import torch


def column_attention(x, w_q, w_k, w_v, causal=False):
    q, k, v = w_q @ x, w_k @ x, w_v @ x
    s = k.T @ q / math.sqrt(q.shape[0])
    if causal:
        mask = torch.ones_like(s, dtype=torch.bool).triu(1)
        s = s.masked_fill(~mask, -math.inf)
    return v @ s.softmax(0)


def to_mha_mask(mask):
    return ~mask if mask.dim() == 2 else ~mask.flatten(0, 1)


# --- one_future_token_seen
import math

import torch


def column_attention(x, w_q, w_k, w_v, causal=False):
    q, k, v = w_q @ x, w_k @ x, w_v @ x
    s = k.T @ q / math.sqrt(q.shape[0])
    if causal:
        mask = torch.ones_like(s, dtype=torch.bool).triu(-1)
        s = s.masked_fill(~mask, -math.inf)
    return v @ s.softmax(0)


def to_mha_mask(mask):
    return ~mask if mask.dim() == 2 else ~mask.flatten(0, 1)


# --- causal_ignored_and_mask_kept
import math


def column_attention(x, w_q, w_k, w_v, causal=False):
    q, k, v = w_q @ x, w_k @ x, w_v @ x
    s = k.T @ q / math.sqrt(q.shape[0])
    return v @ s.softmax(0)


def to_mha_mask(mask):
    return mask if mask.dim() == 2 else mask.flatten(0, 1)


# --- always_causal
import math

import torch


def column_attention(x, w_q, w_k, w_v, causal=False):
    q, k, v = w_q @ x, w_k @ x, w_v @ x
    s = k.T @ q / math.sqrt(q.shape[0])
    mask = torch.ones_like(s, dtype=torch.bool).triu()
    s = s.masked_fill(~mask, -math.inf)
    return v @ s.softmax(0)


def to_mha_mask(mask):
    return ~mask if mask.dim() == 2 else ~mask.flatten(0, 1)


# --- no_scale
import math

import torch


def column_attention(x, w_q, w_k, w_v, causal=False):
    q, k, v = w_q @ x, w_k @ x, w_v @ x
    s = k.T @ q
    if causal:
        mask = torch.ones_like(s, dtype=torch.bool).triu()
        s = s.masked_fill(~mask, -math.inf)
    return v @ s.softmax(0)


def to_mha_mask(mask):
    return ~mask if mask.dim() == 2 else ~mask.flatten(0, 1)


# --- scale_by_last_axis
import math

import torch


def column_attention(x, w_q, w_k, w_v, causal=False):
    q, k, v = w_q @ x, w_k @ x, w_v @ x
    s = k.T @ q / math.sqrt(q.shape[-1])
    if causal:
        mask = torch.ones_like(s, dtype=torch.bool).triu()
        s = s.masked_fill(~mask, -math.inf)
    return v @ s.softmax(0)


def to_mha_mask(mask):
    return ~mask if mask.dim() == 2 else ~mask.flatten(0, 1)


# --- scale_by_model_size
import math

import torch


def column_attention(x, w_q, w_k, w_v, causal=False):
    q, k, v = w_q @ x, w_k @ x, w_v @ x
    s = k.T @ q / math.sqrt(x.shape[0])
    if causal:
        mask = torch.ones_like(s, dtype=torch.bool).triu()
        s = s.masked_fill(~mask, -math.inf)
    return v @ s.softmax(0)


def to_mha_mask(mask):
    return ~mask if mask.dim() == 2 else ~mask.flatten(0, 1)


# --- scale_by_dv
import math

import torch


def column_attention(x, w_q, w_k, w_v, causal=False):
    q, k, v = w_q @ x, w_k @ x, w_v @ x
    s = k.T @ q / math.sqrt(v.shape[0])
    if causal:
        mask = torch.ones_like(s, dtype=torch.bool).triu()
        s = s.masked_fill(~mask, -math.inf)
    return v @ s.softmax(0)


def to_mha_mask(mask):
    return ~mask if mask.dim() == 2 else ~mask.flatten(0, 1)


# --- integer_root
import math

import torch


def column_attention(x, w_q, w_k, w_v, causal=False):
    q, k, v = w_q @ x, w_k @ x, w_v @ x
    s = k.T @ q / math.isqrt(q.shape[0])
    if causal:
        mask = torch.ones_like(s, dtype=torch.bool).triu()
        s = s.masked_fill(~mask, -math.inf)
    return v @ s.softmax(0)


def to_mha_mask(mask):
    return ~mask if mask.dim() == 2 else ~mask.flatten(0, 1)


# --- result_in_rows
import math

import torch


def column_attention(x, w_q, w_k, w_v, causal=False):
    q, k, v = x.T @ w_q.T, x.T @ w_k.T, x.T @ w_v.T
    s = q @ k.T / math.sqrt(q.shape[-1])
    if causal:
        s = s.masked_fill(torch.ones_like(s, dtype=torch.bool).triu(1), -math.inf)
    return s.softmax(-1) @ v


def to_mha_mask(mask):
    return ~mask if mask.dim() == 2 else ~mask.flatten(0, 1)


# --- matrices_turned
import math

import torch


def column_attention(x, w_q, w_k, w_v, causal=False):
    q, k, v = w_q.T @ x, w_k.T @ x, w_v.T @ x
    s = k.T @ q / math.sqrt(q.shape[0])
    if causal:
        mask = torch.ones_like(s, dtype=torch.bool).triu()
        s = s.masked_fill(~mask, -math.inf)
    return v @ s.softmax(0)


def to_mha_mask(mask):
    return ~mask if mask.dim() == 2 else ~mask.flatten(0, 1)


# --- weights_turned_for_output
import math

import torch


def column_attention(x, w_q, w_k, w_v, causal=False):
    q, k, v = w_q @ x, w_k @ x, w_v @ x
    s = k.T @ q / math.sqrt(q.shape[0])
    if causal:
        mask = torch.ones_like(s, dtype=torch.bool).triu()
        s = s.masked_fill(~mask, -math.inf)
    return v @ s.softmax(0).T


def to_mha_mask(mask):
    return ~mask if mask.dim() == 2 else ~mask.flatten(0, 1)


# --- zero_fill
import math

import torch


def column_attention(x, w_q, w_k, w_v, causal=False):
    q, k, v = w_q @ x, w_k @ x, w_v @ x
    s = k.T @ q / math.sqrt(q.shape[0])
    if causal:
        s = s * torch.ones_like(s).triu()
    return v @ s.softmax(0)


def to_mha_mask(mask):
    return ~mask if mask.dim() == 2 else ~mask.flatten(0, 1)


# --- weights_cut_after_softmax
import math


def column_attention(x, w_q, w_k, w_v, causal=False):
    q, k, v = w_q @ x, w_k @ x, w_v @ x
    weights = (k.T @ q / math.sqrt(q.shape[0])).softmax(0)
    if causal:
        weights = weights.triu()
    return v @ weights


def to_mha_mask(mask):
    return ~mask if mask.dim() == 2 else ~mask.flatten(0, 1)


# --- fill_minus_hundred
import math

import torch


def column_attention(x, w_q, w_k, w_v, causal=False):
    q, k, v = w_q @ x, w_k @ x, w_v @ x
    s = k.T @ q / math.sqrt(q.shape[0])
    if causal:
        mask = torch.ones_like(s, dtype=torch.bool).triu()
        s = s.masked_fill(~mask, -100.0)
    return v @ s.softmax(0)


def to_mha_mask(mask):
    return ~mask if mask.dim() == 2 else ~mask.flatten(0, 1)


# --- fill_minus_billion
import math

import torch


def column_attention(x, w_q, w_k, w_v, causal=False):
    q, k, v = w_q @ x, w_k @ x, w_v @ x
    s = k.T @ q / math.sqrt(q.shape[0])
    if causal:
        mask = torch.ones_like(s, dtype=torch.bool).triu()
        s = s.masked_fill(~mask, -1e9)
    return v @ s.softmax(0)


def to_mha_mask(mask):
    return ~mask if mask.dim() == 2 else ~mask.flatten(0, 1)


# --- mask_on_cpu
import math

import torch


def column_attention(x, w_q, w_k, w_v, causal=False):
    q, k, v = w_q @ x, w_k @ x, w_v @ x
    s = k.T @ q / math.sqrt(q.shape[0])
    if causal:
        mask = torch.triu(torch.ones(x.shape[1], x.shape[1])).bool()
        s = s.masked_fill(~mask, -math.inf)
    return v @ s.softmax(0)


def to_mha_mask(mask):
    return ~mask if mask.dim() == 2 else ~mask.flatten(0, 1)


# --- float32_result
import math

import torch


def column_attention(x, w_q, w_k, w_v, causal=False):
    x, w_q, w_k, w_v = x.float(), w_q.float(), w_k.float(), w_v.float()
    q, k, v = w_q @ x, w_k @ x, w_v @ x
    s = k.T @ q / math.sqrt(q.shape[0])
    if causal:
        mask = torch.ones_like(s, dtype=torch.bool).triu()
        s = s.masked_fill(~mask, -math.inf)
    return v @ s.softmax(0)


def to_mha_mask(mask):
    return ~mask if mask.dim() == 2 else ~mask.flatten(0, 1)


# --- weights_detached
import math

import torch


def column_attention(x, w_q, w_k, w_v, causal=False):
    q, k, v = w_q @ x, w_k @ x, w_v @ x
    s = k.T @ q / math.sqrt(q.shape[0])
    if causal:
        mask = torch.ones_like(s, dtype=torch.bool).triu()
        s = s.masked_fill(~mask, -math.inf)
    return v @ s.softmax(0).detach()


def to_mha_mask(mask):
    return ~mask if mask.dim() == 2 else ~mask.flatten(0, 1)


# --- raw_exponentials
import math

import torch


def column_attention(x, w_q, w_k, w_v, causal=False):
    q, k, v = w_q @ x, w_k @ x, w_v @ x
    e = (k.T @ q / math.sqrt(q.shape[0])).exp()
    if causal:
        e = e.triu()
    return v @ (e / e.sum(0, keepdim=True))


def to_mha_mask(mask):
    return ~mask if mask.dim() == 2 else ~mask.flatten(0, 1)


# --- keys_and_values_exchanged
import math

import torch


def column_attention(x, w_q, w_k, w_v, causal=False):
    q, k, v = w_q @ x, w_k @ x, w_v @ x
    s = q.T @ k / math.sqrt(q.shape[0])
    if causal:
        s = s.masked_fill(torch.ones_like(s, dtype=torch.bool).triu(1), -math.inf)
    return k @ s.softmax(-1).T


def to_mha_mask(mask):
    return ~mask if mask.dim() == 2 else ~mask.flatten(0, 1)


# --- x_scaled_in_place
import math

import torch


def column_attention(x, w_q, w_k, w_v, causal=False):
    w_q /= math.sqrt(w_q.shape[0])
    q, k, v = w_q @ x, w_k @ x, w_v @ x
    s = k.T @ q
    if causal:
        mask = torch.ones_like(s, dtype=torch.bool).triu()
        s = s.masked_fill(~mask, -math.inf)
    return v @ s.softmax(0)


def to_mha_mask(mask):
    return ~mask if mask.dim() == 2 else ~mask.flatten(0, 1)


# --- mask_remembered
import math

import torch

MASK = None


def column_attention(x, w_q, w_k, w_v, causal=False):
    global MASK
    q, k, v = w_q @ x, w_k @ x, w_v @ x
    s = k.T @ q / math.sqrt(q.shape[0])
    if causal:
        if MASK is None:
            MASK = torch.ones_like(s, dtype=torch.bool).triu()
        s = s.masked_fill(~MASK, -math.inf)
    return v @ s.softmax(0)


def to_mha_mask(mask):
    return ~mask if mask.dim() == 2 else ~mask.flatten(0, 1)


# --- mask_not_inverted
import math

import torch


def column_attention(x, w_q, w_k, w_v, causal=False):
    q, k, v = w_q @ x, w_k @ x, w_v @ x
    s = k.T @ q / math.sqrt(q.shape[0])
    if causal:
        mask = torch.ones_like(s, dtype=torch.bool).triu()
        s = s.masked_fill(~mask, -math.inf)
    return v @ s.softmax(0)


def to_mha_mask(mask):
    if mask.dim() == 4:
        return mask.reshape(-1, mask.shape[-2], mask.shape[-1])
    return mask


# --- mask_heads_first
import math

import torch


def column_attention(x, w_q, w_k, w_v, causal=False):
    q, k, v = w_q @ x, w_k @ x, w_v @ x
    s = k.T @ q / math.sqrt(q.shape[0])
    if causal:
        mask = torch.ones_like(s, dtype=torch.bool).triu()
        s = s.masked_fill(~mask, -math.inf)
    return v @ s.softmax(0)


def to_mha_mask(mask):
    if mask.dim() == 4:
        return ~mask.transpose(0, 1).flatten(0, 1)
    return ~mask


# --- mask_four_dimensions_left
import math

import torch


def column_attention(x, w_q, w_k, w_v, causal=False):
    q, k, v = w_q @ x, w_k @ x, w_v @ x
    s = k.T @ q / math.sqrt(q.shape[0])
    if causal:
        mask = torch.ones_like(s, dtype=torch.bool).triu()
        s = s.masked_fill(~mask, -math.inf)
    return v @ s.softmax(0)


def to_mha_mask(mask):
    return ~mask


# --- mask_first_head
import math

import torch


def column_attention(x, w_q, w_k, w_v, causal=False):
    q, k, v = w_q @ x, w_k @ x, w_v @ x
    s = k.T @ q / math.sqrt(q.shape[0])
    if causal:
        mask = torch.ones_like(s, dtype=torch.bool).triu()
        s = s.masked_fill(~mask, -math.inf)
    return v @ s.softmax(0)


def to_mha_mask(mask):
    return ~mask if mask.dim() == 2 else ~mask[:, 0]


# --- mask_view
import math

import torch


def column_attention(x, w_q, w_k, w_v, causal=False):
    q, k, v = w_q @ x, w_k @ x, w_v @ x
    s = k.T @ q / math.sqrt(q.shape[0])
    if causal:
        mask = torch.ones_like(s, dtype=torch.bool).triu()
        s = s.masked_fill(~mask, -math.inf)
    return v @ s.softmax(0)


def to_mha_mask(mask):
    if mask.dim() == 2:
        return ~mask
    B, H, T, S = mask.shape
    return ~mask.view(B * H, T, S)


# --- mask_in_place
import math

import torch


def column_attention(x, w_q, w_k, w_v, causal=False):
    q, k, v = w_q @ x, w_k @ x, w_v @ x
    s = k.T @ q / math.sqrt(q.shape[0])
    if causal:
        mask = torch.ones_like(s, dtype=torch.bool).triu()
        s = s.masked_fill(~mask, -math.inf)
    return v @ s.softmax(0)


def to_mha_mask(mask):
    mask.logical_not_()
    return mask if mask.dim() == 2 else mask.flatten(0, 1)


# --- mask_as_numbers
import math

import torch


def column_attention(x, w_q, w_k, w_v, causal=False):
    q, k, v = w_q @ x, w_k @ x, w_v @ x
    s = k.T @ q / math.sqrt(q.shape[0])
    if causal:
        mask = torch.ones_like(s, dtype=torch.bool).triu()
        s = s.masked_fill(~mask, -math.inf)
    return v @ s.softmax(0)


def to_mha_mask(mask):
    m = torch.zeros(mask.shape, device=mask.device).masked_fill(~mask, float("-inf"))
    return m if m.dim() == 2 else m.flatten(0, 1)


# --- mask_one_minus
import math

import torch


def column_attention(x, w_q, w_k, w_v, causal=False):
    q, k, v = w_q @ x, w_k @ x, w_v @ x
    s = k.T @ q / math.sqrt(q.shape[0])
    if causal:
        mask = torch.ones_like(s, dtype=torch.bool).triu()
        s = s.masked_fill(~mask, -math.inf)
    return v @ s.softmax(0)


def to_mha_mask(mask):
    m = 1 - mask.int()
    return m if m.dim() == 2 else m.flatten(0, 1)


# --- mask_turned
import math

import torch


def column_attention(x, w_q, w_k, w_v, causal=False):
    q, k, v = w_q @ x, w_k @ x, w_v @ x
    s = k.T @ q / math.sqrt(q.shape[0])
    if causal:
        mask = torch.ones_like(s, dtype=torch.bool).triu()
        s = s.masked_fill(~mask, -math.inf)
    return v @ s.softmax(0)


def to_mha_mask(mask):
    mask = ~mask if mask.dim() == 2 else ~mask.flatten(0, 1)
    return mask.transpose(-2, -1)


# --- renamed
import math

import torch


def column_attention(X, Wq, Wk, Wv, causal=False):
    q, k, v = Wq @ X, Wk @ X, Wv @ X
    s = k.T @ q / math.sqrt(q.shape[0])
    if causal:
        mask = torch.ones_like(s, dtype=torch.bool).triu()
        s = s.masked_fill(~mask, -math.inf)
    return v @ s.softmax(0)


def to_mha_mask(m):
    return ~m if m.dim() == 2 else ~m.flatten(0, 1)


# --- causal_default
import torch


def column_attention(x, w_q, w_k, w_v, causal=True):
    q, k, v = w_q @ x, w_k @ x, w_v @ x
    s = k.T @ q / q.shape[0] ** 0.5
    if causal:
        s = s.masked_fill(torch.ones_like(s).tril(-1).bool(), float("-inf"))
    return v @ s.softmax(0)


def to_mha_mask(mask):
    return (~mask).flatten(0, 1) if mask.dim() == 4 else ~mask


# --- rows_and_columns_mixed
import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def column_attention(x, w_q, w_k, w_v, causal=False):
    Q, K, V = w_q @ x, w_k @ x, w_v @ x
    S = Q.T @ K / math.sqrt(Q.shape[0])
    if causal:
        S = S.masked_fill(torch.ones_like(S, dtype=torch.bool).triu(1), -math.inf)
    A = S.softmax(dim=0)
    return V @ A
def to_mha_mask(mask):
    return ~(mask.flatten(0, 1) if mask.dim() == 4 else mask)


# --- two_slips_1
import torch
from torch import Tensor


def column_attention(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, causal: bool = False) -> Tensor:
    q = w_q @ x
    k = w_k @ x
    v = w_v @ x
    scores = k.T @ q / q.shape[0] ** 0.5
    if causal:
        T = x.shape[1]
        ok = torch.ones(T, T, dtype=torch.bool, device=x.device).triu()
        scores = scores.masked_fill(~ok, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return v @ weights


def to_mha_mask(mask: Tensor) -> Tensor:
    if mask.dim() == 2:
        return ~mask
    B, H, T_q, T_kv = mask.shape
    return mask.reshape(B * H, T_q, T_kv)


# --- two_slips_2
import math

import torch
from torch import Tensor


def column_attention(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, causal: bool = False) -> Tensor:
    queries, keys, values = w_q.matmul(x), w_k.matmul(x), w_v.matmul(x)
    s = keys.t().matmul(queries) / math.sqrt(queries.shape[1])
    if causal:
        index = torch.arange(s.shape[0], device=s.device)
        hidden = index[:, None] < index[None, :]
        s = s.masked_fill(hidden, -math.inf)
    return values.matmul(s.softmax(dim=0))


def to_mha_mask(mask: Tensor) -> Tensor:
    inverse = mask.logical_not()
    if inverse.dim() == 4:
        inverse = inverse.flatten(0, 1)
    return inverse


# --- two_slips_3
import torch
from torch import Tensor


def column_attention(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, causal: bool = False) -> Tensor:
    Q, K, V = w_q @ x, w_k @ x, w_v @ x
    S = torch.einsum("di,dj->ij", Q, K) * Q.shape[0] ** -0.5
    if causal:
        S = torch.where(torch.ones_like(S).triu().bool(), S, float("-inf"))
    P = S.softmax(0)
    return torch.einsum("vi,ij->vj", V, P)


def to_mha_mask(mask: Tensor) -> Tensor:
    if mask.ndim == 4:
        t_q, t_kv = mask.shape[2:]
        mask = mask.transpose(0, 1).reshape(-1, t_q, t_kv)
    return torch.logical_not(mask)


# --- two_slips_4
import math

import torch
from torch import Tensor


def column_attention(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, causal: bool = False) -> Tensor:
    def project(w: Tensor) -> Tensor:
        return torch.matmul(w, x)

    q, k, v = project(w_q), project(w_k), project(w_v)
    scores = torch.matmul(k.transpose(0, 1), q) / math.sqrt(k.size(0))
    if causal:
        n = scores.size(0)
        later = torch.tril(torch.ones(n, n, device=x.device), diagonal=-1) > 0
        scores = scores.masked_fill(later, -math.inf)
    w = torch.softmax(scores, dim=0)
    return torch.matmul(v, w.transpose(0, 1))


def to_mha_mask(mask: Tensor) -> Tensor:
    hidden = mask.logical_not_()
    if hidden.dim() > 2:
        hidden = hidden.flatten(end_dim=1)
    return hidden


# --- each_row_sums_to_one
# slip: softmax runs along the last dimension, so each row sums to 1, as in the picture with tokens as rows
import torch
import torch.nn.functional as F
from torch import Tensor


def column_attention(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, causal: bool = False) -> Tensor:
    Q, K, V = w_q @ x, w_k @ x, w_v @ x
    S = K.T @ Q / Q.shape[0] ** 0.5
    if causal:
        n = x.shape[1]
        future = torch.ones(n, n, dtype=torch.bool, device=x.device).tril(-1)  # key below query
        S = S.masked_fill(future, float("-inf"))
    A = F.softmax(S, dim=-1)
    return V @ A


def to_mha_mask(mask: Tensor) -> Tensor:
    hidden = ~mask
    if hidden.dim() == 4:
        hidden = hidden.flatten(0, 1)
    return hidden


# --- heads_before_examples_in_mask
# slip: the mask for nn.MultiheadAttention is ordered by heads first and then examples
import math

import torch
from torch import Tensor


def column_attention(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, causal: bool = False) -> Tensor:
    q, k, v = (w.matmul(x) for w in (w_q, w_k, w_v))
    s = torch.einsum("di,dj->ij", k, q) / math.sqrt(q.size(0))
    if causal:
        t = torch.arange(x.size(1), device=x.device)
        s = torch.where(t[:, None] <= t[None, :], s, -math.inf)
    p = torch.softmax(s, dim=0)
    return torch.einsum("di,ij->dj", v, p)


def to_mha_mask(mask: Tensor) -> Tensor:
    if mask.ndim == 2:
        return mask.logical_not()
    B, H, T, S = mask.shape
    return mask.logical_not().transpose(0, 1).reshape(B * H, T, S)


# --- two_slips_5
import math
import torch


def column_attention(x, w_q, w_k, w_v, causal=False):
    Q, K, V = w_q @ x, w_k @ x, w_v @ x
    S = K.T @ Q / math.sqrt(Q.shape[0])
    if causal:
        n = x.shape[1]
        keep = torch.ones(n, n, dtype=torch.bool, device=x.device).tril()
        S = S.masked_fill(~keep, -math.inf)
    P = torch.softmax(S, dim=0)
    return V @ P


def to_mha_mask(mask):
    m = mask.clone()
    if m.dim() == 4:
        return m.flatten(0, 1)
    return m


# --- causal_option_only_taken_when_there_are
import torch


def column_attention(x, w_q, w_k, w_v, causal=False):
    Q, K, V = (w @ x for w in (w_q, w_k, w_v))
    S = (K.mT @ Q) / K.shape[0] ** 0.5
    if causal and V.shape[0] == S.shape[0]:
        late = torch.ones_like(S, dtype=torch.bool).tril(-1)
        S = S.masked_fill(late, float("-inf"))
    return V @ S.softmax(0)


def to_mha_mask(mask):
    blocked = mask.eq(False)
    return blocked if mask.dim() == 2 else blocked.reshape(-1, *mask.shape[-2:])
