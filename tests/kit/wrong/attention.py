"""Wrong submissions for attention, as people write them; written from the statement, without the suite in view."""

# --- not_scaled
import torch


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    w = torch.softmax(scores, dim=-1)
    return w @ v, w


# --- scaled_by_dh
import torch


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.shape[-1]
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    w = torch.softmax(scores, dim=-1)
    return w @ v, w


# --- scaled_by_dv
import torch


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / v.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    w = torch.softmax(scores, dim=-1)
    return w @ v, w


# --- scaled_by_length
import math

import torch


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(k.shape[-2])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    w = torch.softmax(scores, dim=-1)
    return w @ v, w


# --- integer_root
import torch


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / int(q.shape[-1] ** 0.5)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    w = torch.softmax(scores, dim=-1)
    return w @ v, w


# --- multiplied_by_the_root
import torch


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    w = torch.softmax(scores, dim=-1)
    return w @ v, w


# --- scaled_twice
import torch


def scaled_dot_product_attention(q, k, v, mask=None):
    q = q / q.shape[-1] ** 0.5
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    w = torch.softmax(scores, dim=-1)
    return w @ v, w


# --- transpose_1_2
import torch


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.transpose(1, 2)) / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    w = torch.softmax(scores, dim=-1)
    return torch.matmul(w, v), w


# --- dot_t
import torch


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.T / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    w = torch.softmax(scores, dim=-1)
    return w @ v, w


# --- mm
import torch


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.mm(q, k.t()) / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    w = torch.softmax(scores, dim=-1)
    return torch.mm(w, v), w


# --- bmm
import torch


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.bmm(q, k.transpose(1, 2)) / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    w = torch.softmax(scores, dim=-1)
    return torch.bmm(w, v), w


# --- reshaped_keys
import torch


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2]) / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    w = torch.softmax(scores, dim=-1)
    return w @ v, w


# --- softmax_over_queries
import torch


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    w = torch.softmax(scores, dim=-2)
    return w @ v, w


# --- softmax_without_a_dim
import torch
import torch.nn.functional as F


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    w = F.softmax(scores, dim=1)
    return w @ v, w


# --- mask_never_used
import torch


def scaled_dot_product_attention(q, k, v, mask=None):
    w = torch.softmax(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5, dim=-1)
    return w @ v, w


# --- mask_inverted
import torch


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask, float("-inf"))
    w = torch.softmax(scores, dim=-1)
    return w @ v, w


# --- mask_inverted_with_a_billion
import torch


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask, -1e9)
    w = torch.softmax(scores, dim=-1)
    return w @ v, w


# --- minus_a_billion
import torch


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    w = torch.softmax(scores, dim=-1)
    return w @ v, w


# --- minus_a_thousand
import torch


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -1000.0)
    w = torch.softmax(scores, dim=-1)
    return w @ v, w


# --- added_minus_ten_thousand
import torch


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores + (~mask).to(scores.dtype) * -1e3
    w = torch.softmax(scores, dim=-1)
    return w @ v, w


# --- mask_added
import torch


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores + mask
    w = torch.softmax(scores, dim=-1)
    return w @ v, w


# --- scores_times_mask
import torch


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores * mask
    w = torch.softmax(scores, dim=-1)
    return w @ v, w


# --- weights_times_mask
import torch


def scaled_dot_product_attention(q, k, v, mask=None):
    w = torch.softmax(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5, dim=-1)
    if mask is not None:
        w = w * mask
    return w @ v, w


# --- weights_times_mask_renormalised
import torch


def scaled_dot_product_attention(q, k, v, mask=None):
    w = torch.softmax(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5, dim=-1)
    if mask is not None:
        w = w * mask
        w = w / (w.sum(dim=-1, keepdim=True) + 1e-9)
    return w @ v, w


# --- if_mask
import torch


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    if mask:
        scores = scores.masked_fill(~mask, float("-inf"))
    w = torch.softmax(scores, dim=-1)
    return w @ v, w


# --- mask_required
import torch


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    scores = scores.masked_fill(~mask, float("-inf"))
    w = torch.softmax(scores, dim=-1)
    return w @ v, w


# --- index_by_mask
import torch


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    if mask is not None:
        scores[~mask] = float("-inf")
    w = torch.softmax(scores, dim=-1)
    return w @ v, w


# --- mask_of_head_0
import torch


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    if mask is not None:
        if mask.dim() == 4:
            mask = mask[:, 0].unsqueeze(1)
        scores = scores.masked_fill(~mask, float("-inf"))
    w = torch.softmax(scores, dim=-1)
    return w @ v, w


# --- mask_unsqueezed
import torch


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    if mask is not None:
        if mask.dim() == 3:
            mask = mask.unsqueeze(1)
        scores = scores.masked_fill(~mask, float("-inf"))
    w = torch.softmax(scores, dim=-1)
    return w @ v, w


# --- always_causal
import torch


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    if mask is None:
        mask = torch.ones(scores.shape[-2:], dtype=torch.bool, device=q.device).tril()
    scores = scores.masked_fill(~mask, float("-inf"))
    w = torch.softmax(scores, dim=-1)
    return w @ v, w


# --- weights_first
import torch


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    w = torch.softmax(scores, dim=-1)
    return w, w @ v


# --- output_only
import torch


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(scores, dim=-1) @ v


# --- scores_returned
import torch


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(scores, dim=-1) @ v, scores


# --- weights_before_the_mask_returned
import torch


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    w = torch.softmax(scores, dim=-1)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(scores, dim=-1) @ v, w


# --- float32_result
import torch


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q.float() @ k.float().transpose(-2, -1) / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    w = torch.softmax(scores, dim=-1)
    return w @ v.float(), w


# --- softmax_in_float32
import torch


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    w = torch.softmax(scores, dim=-1, dtype=torch.float32)
    return (w @ v.float()).to(q.dtype), w


# --- in_place_query
import torch


def scaled_dot_product_attention(q, k, v, mask=None):
    q /= q.shape[-1] ** 0.5
    scores = q @ k.transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    w = torch.softmax(scores, dim=-1)
    return w @ v, w


# --- mask_inverted_in_place
import torch


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    if mask is not None:
        mask.logical_not_()
        scores = scores.masked_fill(mask, float("-inf"))
    w = torch.softmax(scores, dim=-1)
    return w @ v, w


# --- no_grad
import torch


@torch.no_grad()
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    w = torch.softmax(scores, dim=-1)
    return w @ v, w


# --- squeezed
import torch


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    w = torch.softmax(scores, dim=-1)
    return (w @ v).squeeze(), w.squeeze()


# --- view_of_batches
import torch


def scaled_dot_product_attention(q, k, v, mask=None):
    lead = q.shape[:-2]
    q, k, v = (t.view(-1, *t.shape[-2:]) for t in (q, k, v))
    scores = torch.bmm(q, k.transpose(1, 2)) / q.shape[-1] ** 0.5
    scores = scores.view(*lead, *scores.shape[-2:])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    w = torch.softmax(scores, dim=-1)
    out = torch.bmm(w.view(-1, *w.shape[-2:]), v)
    return out.view(*lead, *out.shape[-2:]), w


# --- bias_on_the_cpu
import torch


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    if mask is not None:
        bias = torch.zeros(mask.shape, dtype=q.dtype)
        bias = bias.masked_fill(~mask, float("-inf"))
        scores = scores + bias
    w = torch.softmax(scores, dim=-1)
    return w @ v, w


# --- four_dimensions_only
import torch


def scaled_dot_product_attention(q, k, v, mask=None):
    B, H, T, D = q.shape
    scores = torch.einsum("bhqd,bhkd->bhqk", q, k) / D**0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    w = torch.softmax(scores, dim=-1)
    return torch.einsum("bhqk,bhkd->bhqd", w, v), w


# --- other_names
import torch


def scaled_dot_product_attention(query, key, value, attn_mask=None):
    scores = query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5
    if attn_mask is not None:
        scores = scores.masked_fill(~attn_mask, float("-inf"))
    w = torch.softmax(scores, dim=-1)
    return w @ value, w


# --- kept_mask
import torch

_last = None


def scaled_dot_product_attention(q, k, v, mask=None):
    global _last
    if mask is not None:
        _last = mask
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    if _last is not None and _last.dim() <= scores.dim() and _last.shape[-2:] == scores.shape[-2:]:
        scores = scores.masked_fill(~_last, float("-inf"))
    w = torch.softmax(scores, dim=-1)
    return w @ v, w


# --- raw_exponentials
import torch


def scaled_dot_product_attention(q, k, v, mask=None):
    e = torch.exp(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5)
    if mask is not None:
        e = e * mask
    w = e / e.sum(-1, keepdim=True)
    return w @ v, w


# --- values_for_keys
import torch


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ v.transpose(-2, -1) / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    w = torch.softmax(scores, dim=-1)
    return w @ k, w


# --- dropout
import torch
import torch.nn.functional as F


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    w = F.dropout(torch.softmax(scores, dim=-1), 0.1)
    return w @ v, w


# --- additive_tf
import math


def scaled_dot_product_attention(q, k, v, mask=None):
    s = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    if mask is not None: s = s + mask * -1e9
    w = s.softmax(-1)
    return w @ v, w


# --- dropout_again
import math

import torch
import torch.nn.functional as F


def scaled_dot_product_attention(q, k, v, mask=None):
    s = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    if mask is not None: s = s.masked_fill(~mask, -torch.inf)
    w = F.dropout(s.softmax(-1), 0.1)
    return w @ v, w


# --- mask_unsqueeze
import math

import torch


def scaled_dot_product_attention(q, k, v, mask=None):
    s = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    if mask is not None: s = s.masked_fill(~mask.unsqueeze(1), -torch.inf)
    w = s.softmax(-1)
    return w @ v, w


# --- batched_only
import math

import torch


def scaled_dot_product_attention(q, k, v, mask=None):
    s = torch.einsum('bhid,bhjd->bhij', q, k) / math.sqrt(q.size(-1))
    if mask is not None: s = s.masked_fill(~mask, -torch.inf)
    w = s.softmax(-1)
    return torch.einsum('bhij,bhjd->bhid', w, v), w


# --- cosine
import torch
import torch.nn.functional as F


def scaled_dot_product_attention(q, k, v, mask=None):
    s = F.normalize(q, dim=-1) @ F.normalize(k, dim=-1).transpose(-2, -1)
    if mask is not None: s = s.masked_fill(~mask, -torch.inf)
    w = s.softmax(-1)
    return w @ v, w


# --- mask_last_query
import math

import torch


def scaled_dot_product_attention(q, k, v, mask=None):
    s = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    if mask is not None and mask.dim() == 2: s = s.masked_fill(~mask, -torch.inf)
    w = s.softmax(-1)
    return w @ v, w


# --- softmax_over_queries_lowest_fill
import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def scaled_dot_product_attention(q, k, v, mask=None):
    "Compute 'Scaled Dot Product Attention'"
    d_k = q.size(-1)
    scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, torch.finfo(scores.dtype).min)
    p_attn = scores.softmax(dim=-2)
    return torch.matmul(p_attn, v), p_attn


# --- scores_returned_lowest_fill
import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def scaled_dot_product_attention(q, k, v, mask=None):
    "Compute 'Scaled Dot Product Attention'"
    d_k = q.size(-1)
    scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, torch.finfo(scores.dtype).min)
    p_attn = scores.softmax(dim=-1)
    return torch.matmul(p_attn, v), scores


# --- causal_mask_only
import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def scaled_dot_product_attention(q, k, v, mask=None):
    T = q.size(-2)
    att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
    bias = torch.tril(torch.ones(T, k.size(-2), device=q.device))
    att = att.masked_fill(bias == 0, float('-inf'))
    att = F.softmax(att, dim=-1)
    return att @ v, att


# --- other_names_and_divided_by_dh
import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def scaled_dot_product_attention(query, key, value, mask=None):
    s = query @ key.mT / query.size(-1)
    if mask is not None:
        s = s.masked_fill(mask == 0, float('-inf'))
    w = s.softmax(-1)
    return w @ value, w


# --- two_slips_1
import torch
from torch import Tensor


def scaled_dot_product_attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
    scores = torch.matmul(q, k.transpose(-1, -2))
    if mask is not None:
        scores = scores.masked_fill(mask, float("-inf"))
    attn = torch.softmax(scores, dim=-1)
    return torch.matmul(attn, v), attn


# --- two_slips_2
import math
from torch import Tensor


def scaled_dot_product_attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
    d_head = q.shape[-1]
    similarity = q @ k.mT
    similarity = similarity / d_head
    if mask is not None:
        similarity = similarity.masked_fill(mask.logical_not(), -math.inf)
    probs = similarity.softmax(dim=-2)
    mixed = probs @ v
    return mixed, probs


# --- two_slips_3
import torch
from torch import Tensor


def scaled_scores(queries: Tensor, keys: Tensor) -> Tensor:
    width = keys.shape[-2]
    raw = torch.einsum("...id,...jd->...ij", queries, keys)
    return raw / width**0.5


def scaled_dot_product_attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
    logits = scaled_scores(q, k)
    weights = torch.softmax(logits, -1)
    if mask is not None:
        weights = weights * mask
    output = torch.einsum("...ij,...jv->...iv", weights, v)
    return output, weights


# --- two_slips_4
import math
from torch import Tensor


def scaled_dot_product_attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
    scale = math.sqrt(k.shape[-1])
    s = q @ k.transpose(-2, -1) * scale
    if mask is not None:
        s = s.masked_fill(mask == False, -math.inf)  # noqa: E712
    w = s.softmax(-1).detach()
    return w @ v, w


# --- two_slips_5
# slips: softmax runs over the queries (dim -2); hidden weights are set to 0 after softmax, and the visible ones do not share the whole
import math

import torch
from torch import Tensor


def scaled_dot_product_attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
    scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(k.shape[-1])
    weights = torch.softmax(scores, dim=-2)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0.0)
    return torch.matmul(weights, v), weights


# --- two_slips_6
# slips: the scores are divided by sqrt(Dv) instead of sqrt(Dh); hidden scores become 0 instead of -inf
import torch
from torch import Tensor


def scaled_dot_product_attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
    s = torch.einsum("...id,...jd->...ij", q, k) * v.shape[-1] ** -0.5
    if mask is not None:
        s = s * mask.to(s.dtype)
    w = s.softmax(-1)
    return torch.einsum("...ij,...jd->...id", w, v), w


# --- two_slips_7
# slips: the scores are divided by the square root of the number of queries in place of the number of channels; the mask multiplies the finished weights, so the visible ones no longer sum to 1
import torch
import torch.nn.functional as F
from torch import Tensor


def scaled_dot_product_attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
    scale = q.size(-2) ** -0.5
    s = torch.einsum("...id,...jd->...ij", q, k) * scale
    weights = F.softmax(s, dim=-1)
    if mask is not None:
        weights = weights * mask
    return torch.einsum("...ij,...jd->...id", weights, v), weights


# --- two_slips_8
# slips: softmax runs over the queries' axis in place of the keys'; hidden scores are set to 0 in place of minus infinity
from math import sqrt

import torch
from torch import Tensor


def scaled_dot_product_attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
    dh = q.shape[-1]
    attn = torch.matmul(q, k.transpose(-1, -2))
    attn = attn / sqrt(dh)
    if mask is not None:
        attn = torch.where(mask, attn, torch.full_like(attn, 0.0))
    attn = torch.softmax(attn, -2)
    out = torch.matmul(attn, v)
    return out, attn


# --- two_slips_9
# slips: both the queries and the scores are scaled, so the division happens twice; hidden scores are only lowered by 100, which a high score survives
import math

import torch
from torch import Tensor


def _bias(mask, like):
    # 0 where visible, very negative where not
    b = torch.zeros(mask.shape, dtype=like.dtype, device=like.device)
    return b.masked_fill(mask == False, -100.0)  # noqa: E712


def scaled_dot_product_attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
    root = math.sqrt(q.shape[-1])
    q = q / root
    logits = q @ k.mT / root
    if mask is not None:
        logits = logits + _bias(mask, logits)
    p = logits.softmax(-1)
    return p @ v, p


# --- scales_the_queries_in_place
# slip: the queries are scaled in place, which changes the caller's tensor
import torch
from torch import Tensor


def scaled_dot_product_attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
    root = q.shape[-1] ** 0.5
    q /= root
    scores = torch.matmul(q, k.transpose(-2, -1))
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return torch.matmul(weights, v), weights


# --- two_slips_10
import torch


def scaled_dot_product_attention(q, k, v, mask=None):
    d_k = q.size(-1)
    attn = torch.matmul(q, k.transpose(-1, -2)) / d_k
    if mask is not None:
        attn = attn.masked_fill(mask, float("-inf"))
    attn = torch.softmax(attn, dim=-1)
    out = torch.matmul(attn, v)
    return out, attn


# --- two_slips_11
import math
import torch
import torch.nn.functional as F


def scaled_dot_product_attention(q, k, v, mask=None):
    """q: (..., Tq, Dh), k: (..., Tk, Dh), v: (..., Tk, Dv)"""
    scale = 1.0 / math.sqrt(k.shape[-1])
    logits = torch.einsum("...id,...jd->...ij", q, k) * scale
    if mask is not None:
        logits = logits * mask.to(logits.dtype)
    probs = F.softmax(logits, dim=-2)
    return torch.einsum("...ij,...jd->...id", probs, v), probs
