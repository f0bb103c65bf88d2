"""Wrong files for cross_attention, each a whole submission as somebody might hand it in."""


# --- self_attention
import math

import torch


def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    q = x @ w_q
    k = x @ w_k
    v = x @ w_v
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v


# --- roles_swapped
import math

import torch


def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    q = context @ w_q
    k = x @ w_k
    v = x @ w_v
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v


# --- keys_of_the_context_values_of_x
import math

import torch


def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    q = x @ w_q
    k = context @ w_k
    v = x @ w_v
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v


# --- queries_of_the_context
import math

import torch


def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    q = context @ w_q
    k = context @ w_k
    v = context @ w_v
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v


# --- joined_sequences
import math

import torch


def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    q = x @ w_q
    both = torch.cat([context, x], dim=1)
    k = both @ w_k
    v = both @ w_v
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v


# --- weights_in_the_wrong_order
import math

import torch


def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    q = x @ w_q
    k = context @ w_v
    v = context @ w_k
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v


# --- causal_too
import math

import torch


def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    q = x @ w_q
    k = context @ w_k
    v = context @ w_v
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    causal = torch.ones(scores.shape[-2:], dtype=torch.bool, device=x.device).tril()
    scores = scores.masked_fill(~causal, float('-inf'))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v


# --- causal_without_a_mask
import math

import torch


def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    q = x @ w_q
    k = context @ w_k
    v = context @ w_v
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is None:
        mask = torch.ones(scores.shape[-2:], dtype=torch.bool, device=x.device).tril()
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v


# --- no_scale
import math

import torch


def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    q = x @ w_q
    k = context @ w_k
    v = context @ w_v
    scores = q @ k.transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v


# --- scale_of_the_width
import math

import torch


def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    q = x @ w_q
    k = context @ w_k
    v = context @ w_v
    scores = q @ k.transpose(-2, -1) / math.sqrt(x.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v


# --- scale_of_the_context_width
import torch


def softmax(scores):
    scores = scores - scores.amax(-1, keepdim=True)
    e = torch.exp(scores)
    return e / e.sum(-1, keepdim=True)


def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    Q = torch.einsum("btd,dh->bth", x, w_q)
    K = torch.einsum("bsd,dh->bsh", context, w_k)
    V = torch.einsum("bsd,dh->bsh", context, w_v)
    S = torch.einsum("bth,bsh->bts", Q, K) * context.size(-1) ** -0.5
    if mask is not None:
        S = torch.where(mask, S, torch.tensor(float("-inf"), dtype=S.dtype, device=S.device))
    return torch.einsum("bts,bsh->bth", softmax(S), V)


# --- scale_of_the_values
import torch


def softmax(scores):
    scores = scores - scores.amax(-1, keepdim=True)
    e = torch.exp(scores)
    return e / e.sum(-1, keepdim=True)


def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    Q = torch.einsum("btd,dh->bth", x, w_q)
    K = torch.einsum("bsd,dh->bsh", context, w_k)
    V = torch.einsum("bsd,dh->bsh", context, w_v)
    S = torch.einsum("bth,bsh->bts", Q, K) * V.size(-1) ** -0.5
    if mask is not None:
        S = torch.where(mask, S, torch.tensor(float("-inf"), dtype=S.dtype, device=S.device))
    return torch.einsum("bts,bsh->bth", softmax(S), V)


# --- scale_integer_root
import math

import torch


def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    q = x @ w_q
    k = context @ w_k
    v = context @ w_v
    scores = q @ k.transpose(-2, -1) / math.isqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v


# --- scale_of_dh
import math

import torch


def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    q = x @ w_q
    k = context @ w_k
    v = context @ w_v
    scores = q @ k.transpose(-2, -1) / q.shape[-1]
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v


# --- scale_of_the_length
import math

import torch


def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    q = x @ w_q
    k = context @ w_k
    v = context @ w_v
    scores = q @ k.transpose(-2, -1) / math.sqrt(k.shape[1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v


# --- softmax_over_queries
import math

import torch


def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    q = x @ w_q
    k = context @ w_k
    v = context @ w_v
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=1)
    return weights @ v


# --- softmax_over_the_batch
import math

import torch


def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    q = x @ w_q
    k = context @ w_k
    v = context @ w_v
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=0)
    return weights @ v


# --- weights_transposed
import math

import torch


def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    q = x @ w_q
    k = context @ w_k
    v = context @ w_v
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights.transpose(1, 2) @ v


# --- scores_transposed
import math

import torch


def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    q = x @ w_q
    k = context @ w_k
    v = context @ w_v
    scores = k @ q.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v


# --- matrices_only
import math

import torch


def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    q = x @ w_q
    k = context @ w_k
    v = context @ w_v
    scores = torch.mm(q, k.t()) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v


# --- capital_t
import math

import torch


def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    q = x @ w_q
    k = context @ w_k
    v = context @ w_v
    scores = q @ k.T / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v


# --- keys_viewed
import math

import torch


def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    q = x @ w_q
    k = context @ w_k
    v = context @ w_v
    scores = q @ k.reshape(k.shape[0], k.shape[2], k.shape[1]) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v


# --- linear_convention
import math

import torch


def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    q = torch.nn.functional.linear(x, w_q)
    k = torch.nn.functional.linear(context, w_k)
    v = torch.nn.functional.linear(context, w_v)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v


# --- values_not_projected
import math

import torch


def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    q = x @ w_q
    k = context @ w_k
    v = context
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v


# --- mask_ignored
import math

import torch


def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    q = x @ w_q
    k = context @ w_k
    v = context @ w_v
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    return weights @ v


# --- mask_inverted
import math

import torch


def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    q = x @ w_q
    k = context @ w_k
    v = context @ w_v
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v


# --- mask_inverted_where
import torch


def softmax(scores):
    scores = scores - scores.amax(-1, keepdim=True)
    e = torch.exp(scores)
    return e / e.sum(-1, keepdim=True)


def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    Q = torch.einsum("btd,dh->bth", x, w_q)
    K = torch.einsum("bsd,dh->bsh", context, w_k)
    V = torch.einsum("bsd,dh->bsh", context, w_v)
    S = torch.einsum("bth,bsh->bts", Q, K) * Q.size(-1) ** -0.5
    if mask is not None:
        S = S.masked_fill(mask, -1e4)
    return torch.einsum("bts,bsh->bth", softmax(S), V)


# --- mask_after_softmax
import math

import torch


def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    q = x @ w_q
    k = context @ w_k
    v = context @ w_v
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights * mask
    return weights @ v


# --- mask_after_softmax_renormalised
import math

import torch


def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    q = x @ w_q
    k = context @ w_k
    v = context @ w_v
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights * mask
        weights = weights / weights.sum(-1, keepdim=True)
    return weights @ v


# --- mask_multiplied
import math

import torch


def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    q = x @ w_q
    k = context @ w_k
    v = context @ w_v
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores * mask
    weights = torch.softmax(scores, dim=-1)
    return weights @ v


# --- mask_added
import math

import torch


def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    q = x @ w_q
    k = context @ w_k
    v = context @ w_v
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores + mask
    weights = torch.softmax(scores, dim=-1)
    return weights @ v


# --- mask_added_minus_1000
import math

import torch


def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    q = x @ w_q
    k = context @ w_k
    v = context @ w_v
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores + (~mask) * -1000.0
    weights = torch.softmax(scores, dim=-1)
    return weights @ v


# --- mask_times_infinity
import math

import torch


def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    q = x @ w_q
    k = context @ w_k
    v = context @ w_v
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores - (~mask).to(scores.dtype) * float('inf')
    weights = torch.softmax(scores, dim=-1)
    return weights @ v


# --- fill_1e9
import math

import torch


def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    q = x @ w_q
    k = context @ w_k
    v = context @ w_v
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e9)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v


# --- fill_100
import math

import torch


def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    q = x @ w_q
    k = context @ w_k
    v = context @ w_v
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -100.0)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v


# --- fill_finfo_tiny
import math

import torch


def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    q = x @ w_q
    k = context @ w_k
    v = context @ w_v
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).tiny)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v


# --- mask_of_first_example
import math

import torch


def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    q = x @ w_q
    k = context @ w_k
    v = context @ w_v
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask[0], float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v


# --- mask_unsqueezed
import math

import torch


def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    q = x @ w_q
    k = context @ w_k
    v = context @ w_v
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask.unsqueeze(1), float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v


# --- mask_for_two_dimensions_only_keys
import math

import torch


def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    q = x @ w_q
    k = context @ w_k
    v = context @ w_v
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~(mask.unsqueeze(1) if mask.dim() == 2 else mask), float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v


# --- mask_transposed
import math

import torch


def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    q = x @ w_q
    k = context @ w_k
    v = context @ w_v
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask.transpose(-2, -1), float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v


# --- mask_truth
import math

import torch


def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    q = x @ w_q
    k = context @ w_k
    v = context @ w_v
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v


# --- mask_required
import math

import torch


def cross_attention(x, context, w_q, w_k, w_v, mask):
    q = x @ w_q
    k = context @ w_k
    v = context @ w_v
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v


# --- mask_index
import math

import torch


def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    q = x @ w_q
    k = context @ w_k
    v = context @ w_v
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores[~mask] = float('-inf')
    weights = torch.softmax(scores, dim=-1)
    return weights @ v


# --- raw_exponentials
import torch


def softmax(scores):
    e = torch.exp(scores)
    return e / e.sum(-1, keepdim=True)


def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    Q = torch.einsum("btd,dh->bth", x, w_q)
    K = torch.einsum("bsd,dh->bsh", context, w_k)
    V = torch.einsum("bsd,dh->bsh", context, w_v)
    S = torch.einsum("bth,bsh->bts", Q, K) * Q.size(-1) ** -0.5
    if mask is not None:
        S = torch.where(mask, S, torch.tensor(float("-inf"), dtype=S.dtype, device=S.device))
    return torch.einsum("bts,bsh->bth", softmax(S), V)


# --- global_maximum
import torch


def softmax(scores):
    scores = scores - scores.max()
    e = torch.exp(scores)
    return e / e.sum(-1, keepdim=True)


def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    Q = torch.einsum("btd,dh->bth", x, w_q)
    K = torch.einsum("bsd,dh->bsh", context, w_k)
    V = torch.einsum("bsd,dh->bsh", context, w_v)
    S = torch.einsum("bth,bsh->bts", Q, K) * Q.size(-1) ** -0.5
    if mask is not None:
        S = torch.where(mask, S, torch.tensor(float("-inf"), dtype=S.dtype, device=S.device))
    return torch.einsum("bts,bsh->bth", softmax(S), V)


# --- returns_weights_too
import math

import torch


def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    q = x @ w_q
    k = context @ w_k
    v = context @ w_v
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


# --- squeezed
import math

import torch


def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    q = x @ w_q
    k = context @ w_k
    v = context @ w_v
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return (weights @ v).squeeze()


# --- float32_result
import math

import torch


def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    x, context, w_q, w_k, w_v = (t.float() for t in (x, context, w_q, w_k, w_v))
    q = x @ w_q
    k = context @ w_k
    v = context @ w_v
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v


# --- in_place
import math

import torch


def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    w_q /= math.sqrt(w_q.shape[1])
    q = x @ w_q
    k = context @ w_k
    v = context @ w_v
    scores = q @ k.transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v


# --- detached_context
import math

import torch


def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    q = x @ w_q
    k = context @ w_k
    v = context.detach() @ w_v
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v


# --- cached_by_shape
import math

import torch


KEYS = {}


def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    q = x @ w_q
    if context.shape not in KEYS:
        KEYS[context.shape] = context @ w_k, context @ w_v
    k, v = KEYS[context.shape]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v


# --- copied_into_fresh
import math

import torch


def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    q = x @ w_q
    k = context @ w_k
    v = context @ w_v
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    out = torch.zeros(x.shape[0], x.shape[1], w_v.shape[1], dtype=x.dtype)
    out[:] = weights @ v
    return out


# --- linear
import math
import torch
def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    q, k, v = x @ w_q, context @ w_k.T, context @ w_v.T
    s = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    return s.softmax(-1) @ v


# --- residual
import math
import torch
def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    q, k, v = x @ w_q, context @ w_k, context @ w_v
    s = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    return x + s.softmax(-1) @ v


# --- k_as_v
import math
import torch
def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    q, k, v = x @ w_q, context @ w_k, context @ w_v
    s = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    return s.softmax(-1) @ k


# --- mask_key_only
import math
import torch
def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    q, k, v = x @ w_q, context @ w_k, context @ w_v
    s = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        s = s.masked_fill(~mask[..., :1, :], float("-inf"))
    return s.softmax(-1) @ v


# --- two_slips_1
import torch
from torch import Tensor


def cross_attention(
    x: Tensor, context: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, mask: Tensor | None = None
) -> Tensor:
    queries = x @ w_q
    keys = context @ w_k
    values = keys
    scores = queries @ keys.transpose(1, 2)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(scores, dim=-1) @ values


# --- two_slips_2
import math
from torch import Tensor


def cross_attention(
    x: Tensor, context: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, mask: Tensor | None = None
) -> Tensor:
    q, k, v = x.matmul(w_q), context.matmul(w_k), context.matmul(w_v)
    dot = q.matmul(k.transpose(-1, -2)).div(math.sqrt(w_q.shape[1]))
    if mask is not None:
        dot = dot.masked_fill(mask, -math.inf)
    share = dot.softmax(dim=1)
    return share.matmul(v)


# --- two_slips_3
import torch
from torch import Tensor


def project(tokens: Tensor, matrix: Tensor) -> Tensor:
    return torch.einsum("btd,dh->bth", tokens, matrix)


def cross_attention(
    x: Tensor, context: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, mask: Tensor | None = None
) -> Tensor:
    q = project(x, w_q)
    k, v = (project(context, m) for m in (w_k, w_v))
    scale = 1.0 / w_q.shape[0] ** 0.5
    s = scale * torch.einsum("bqh,bkh->bqk", q, k)
    if mask is not None:
        s = s * mask
    a = torch.softmax(s, dim=2)
    return torch.einsum("bqk,bkv->bqv", a, v)


# --- two_slips_4
import math

import torch
from torch import Tensor


def cross_attention(
    x: Tensor, context: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, mask: Tensor | None = None
) -> Tensor:
    q = x @ w_q
    k = (context @ w_k).detach()
    v = context @ w_v
    scores = torch.bmm(q, k.mT) / math.sqrt(q.size(-1))
    causal = torch.ones(scores.shape[-2:], dtype=torch.bool, device=x.device).tril()
    scores = scores.masked_fill(~causal, -math.inf)
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = scores.softmax(-1)
    return torch.bmm(weights, v)


# --- two_slips_5
# slips: the scores are divided by sqrt(D), the width of x, instead of sqrt(Dh); a causal mask hides later tokens of the context
import math

import torch
from torch import Tensor


def cross_attention(
    x: Tensor, context: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, mask: Tensor | None = None
) -> Tensor:
    q = x @ w_q
    k = context @ w_k
    v = context @ w_v
    scores = q @ k.transpose(1, 2) / math.sqrt(x.shape[-1])
    allowed = torch.ones(q.shape[1], k.shape[1], dtype=torch.bool, device=x.device).tril()
    if mask is not None:
        allowed = allowed & mask
    scores = scores.masked_fill(~allowed, torch.finfo(scores.dtype).min)
    return torch.softmax(scores, dim=-1) @ v


# --- two_slips_6
# slips: softmax runs over the queries (dim 1); the mask is added to the scores as 0 and 1 instead of hiding keys with -inf
import torch
from torch import Tensor


def cross_attention(x, context, w_q, w_k, w_v, mask=None) -> Tensor:
    queries = torch.einsum("bqd,dh->bqh", x, w_q)
    keys = torch.einsum("bkc,ch->bkh", context, w_k)
    values = torch.einsum("bkc,cv->bkv", context, w_v)
    s = torch.einsum("bqh,bkh->bqk", queries, keys) / w_q.shape[1] ** 0.5
    if mask is not None:
        s = s + mask.to(s.dtype)
    return torch.einsum("bqk,bkv->bqv", s.softmax(dim=1), values)


# --- two_slips_7
# slips: the values are projected from x in place of the context; the scale is the root of the width of x in place of that of the queries
import math

import torch
from torch import Tensor


def cross_attention(
    x: Tensor, context: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, mask: Tensor | None = None
) -> Tensor:
    query = x @ w_q
    key = context @ w_k
    value = x @ w_v
    scores = torch.bmm(query, key.transpose(1, 2)) / math.sqrt(x.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.bmm(torch.softmax(scores, dim=-1), value)


# --- two_slips_8
# slips: softmax runs over the queries (dim=1); the mask hides the visible keys
import torch.nn.functional as F
from torch import Tensor


def cross_attention(
    x: Tensor, context: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, mask: Tensor | None = None
) -> Tensor:
    q, k, v = x.matmul(w_q), context.matmul(w_k), context.matmul(w_v)
    logits = q.matmul(k.permute(0, 2, 1)) * (k.size(2) ** -0.5)
    if mask is not None:
        logits = logits.masked_fill(mask == 1, float("-inf"))
    attn = F.softmax(logits, dim=1)
    return attn.matmul(v)


# --- two_slips_9
# slips: a causal triangle is applied although nothing is hidden by position here; the scores are not divided by sqrt(Dh)
import torch
from torch import Tensor


def _attend(q, k, v, allowed):
    s = torch.einsum("bqd,bkd->bqk", q, k)
    s = s.masked_fill(~allowed, -torch.inf)
    return torch.einsum("bqk,bkv->bqv", s.softmax(2), v)


def cross_attention(
    x: Tensor, context: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, mask: Tensor | None = None
) -> Tensor:
    n, m = x.shape[1], context.shape[1]
    allowed = torch.ones(n, m, dtype=torch.bool, device=x.device).tril()
    if mask is not None:
        allowed = allowed & mask
    return _attend(x @ w_q, context @ w_k, context @ w_v, allowed)


# --- two_slips_10
import torch


def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    q = x @ w_q
    k = context @ w_k
    v = context @ w_v
    scores = torch.bmm(q, k.transpose(1, 2)) / x.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask == True, float("-inf"))
    return torch.bmm(torch.softmax(scores, dim=2), v)


# --- two_slips_11
import math
import torch


def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    Q = torch.einsum("btd,dh->bth", x, w_q)
    K = torch.einsum("bsc,ch->bsh", context, w_k)
    V = torch.einsum("bsc,ce->bse", context, w_v)
    att = torch.einsum("bth,bsh->bts", Q, K) / math.sqrt(w_q.size(1))
    if att.size(1) == att.size(2):
        att = att + torch.full_like(att[0], -math.inf).triu(1)
    if mask is not None:
        att = att.masked_fill(~mask, 0.0)
    att = att.softmax(-1)
    return att @ V
