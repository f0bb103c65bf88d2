"""Wrong submissions for masked_softmax, as people write them; written from the statement, without the suite in view."""

# --- minus_infinity_and_nothing_else
import torch


def masked_softmax(scores, mask, dim=-1):
    scores = scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(scores, dim=dim)


# --- minus_a_billion
import torch


def masked_softmax(scores, mask, dim=-1):
    scores = torch.where(mask, scores, torch.full_like(scores, -1e9))
    return torch.softmax(scores, dim=dim)


# --- minus_a_billion_then_multiplied
def masked_softmax(scores, mask, dim=-1):
    scores = scores.masked_fill(mask == 0, -1e9)
    return scores.softmax(dim) * mask


# --- added_minus_a_billion_then_multiplied
def masked_softmax(scores, mask, dim=-1):
    bias = (1 - mask.to(scores.dtype)) * -1e9
    return (scores + bias).softmax(dim) * mask


# --- added_ten_thousand_then_multiplied
def masked_softmax(scores, mask, dim=-1):
    bias = (1.0 - mask.to(scores.dtype)) * -10000.0
    return (scores + bias).softmax(dim).masked_fill(~mask, 0)


# --- minus_infinity_added_nan_to_num
import torch


def masked_softmax(scores, mask, dim=-1):
    bias = torch.zeros_like(scores).masked_fill(~mask, float("-inf"))
    return torch.nan_to_num((scores + bias).softmax(dim), nan=0.0)


# --- nan_times_mask
import torch


def masked_softmax(scores, mask, dim=-1):
    filled = torch.where(mask, scores, float("-inf"))
    weights = torch.softmax(filled, dim)
    return weights * mask


# --- exponentials_times_mask
import torch


def masked_softmax(scores, mask, dim=-1):
    e = torch.exp(scores) * mask
    return e / (e.sum(dim=dim, keepdim=True) + 1e-12)


# --- maximum_over_hidden_too
import torch


def masked_softmax(scores, mask, dim=-1):
    e = torch.exp(scores - scores.max(dim=dim, keepdim=True).values) * mask
    total = e.sum(dim=dim, keepdim=True)
    return torch.where(total > 0, e / total.clamp(min=1e-30), torch.zeros_like(e))


# --- weights_renormalised_with_epsilon
def masked_softmax(scores, mask, dim=-1):
    weights = scores.softmax(dim) * mask
    return weights / (weights.sum(dim, keepdim=True) + 1e-8)


# --- last_dimension_only
import torch


def masked_softmax(scores, mask, dim=-1):
    weights = torch.softmax(scores.masked_fill(~mask, float("-inf")), dim=-1)
    return torch.nan_to_num(weights)


# --- dead_rows_found_along_the_last_dimension
import torch


def masked_softmax(scores, mask, dim=-1):
    mask = mask.expand_as(scores)
    alive = mask.any(dim=-1, keepdim=True)
    filled = scores.masked_fill(~mask, float("-inf")).masked_fill(~alive, 0.0)
    return torch.softmax(filled, dim=dim).masked_fill(~mask, 0.0)


# --- zeros_only_if_nothing_is_visible_anywhere
import torch


def masked_softmax(scores, mask, dim=-1):
    if not mask.any():
        return torch.zeros_like(scores)
    return torch.softmax(scores.masked_fill(~mask, -torch.inf), dim)


# --- hidden_is_true
import torch


def masked_softmax(scores, mask, dim=-1):
    w = torch.softmax(scores.masked_fill(mask, -torch.inf), dim)
    return w.masked_fill(mask, 0.0)


# --- scores_times_mask
def masked_softmax(scores, mask, dim=-1):
    return (scores * mask).softmax(dim) * mask


# --- minus_a_thousand
def masked_softmax(scores, mask, dim=-1):
    return scores.masked_fill(~mask, -1000.0).softmax(dim).masked_fill(~mask, 0)


# --- lowest_number_of_float32
import torch


def masked_softmax(scores, mask, dim=-1):
    lowest = torch.finfo(torch.float32).min
    return scores.masked_fill(~mask, lowest).softmax(dim) * mask


# --- lowest_number_and_nothing_else
import torch


def masked_softmax(scores, mask, dim=-1):
    return scores.masked_fill(~mask, torch.finfo(scores.dtype).min).softmax(dim)


# --- writes_into_the_scores
import torch


def masked_softmax(scores, mask, dim=-1):
    scores[~mask.expand_as(scores)] = float("-inf")
    weights = torch.softmax(scores, dim)
    weights[torch.isnan(weights)] = 0
    return weights


# --- repaired_in_place
import torch


def masked_softmax(scores, mask, dim=-1):
    weights = torch.softmax(scores.masked_fill(~mask, -torch.inf), dim)
    weights[weights.isnan()] = 0.0
    return weights.float()


# --- under_no_grad
import torch


@torch.no_grad()
def masked_softmax(scores, mask, dim=-1):
    w = torch.softmax(scores.masked_fill(~mask, float("-inf")), dim=dim)
    return torch.where(torch.isnan(w), torch.zeros_like(w), w)


# --- result_filled_on_the_cpu
import torch


def masked_softmax(scores, mask, dim=-1):
    out = torch.zeros(scores.shape, dtype=scores.dtype)
    w = torch.softmax(scores.masked_fill(~mask, float("-inf")), dim)
    return torch.where(mask, w, out)


# --- rows_of_a_matrix
import torch


def masked_softmax(scores, mask, dim=-1):
    out = torch.zeros_like(scores)
    for i in range(scores.shape[0]):
        if mask[i].any():
            out[i][mask[i]] = torch.softmax(scores[i][mask[i]], dim=0)
    return out


# --- picks_with_a_mask_of_full_shape
import torch


def masked_softmax(scores, mask, dim=-1):
    e = torch.zeros_like(scores)
    e[mask] = torch.exp(scores[mask] - scores[mask].max())
    return e / e.sum(dim, keepdim=True).clamp_min(1e-9)


# --- dead_rows_uniform_on_purpose
import torch


def masked_softmax(scores, mask, dim=-1):
    w = torch.softmax(scores.masked_fill(~mask, float("-inf")), dim)
    return torch.where(torch.isnan(w), torch.full_like(w, 1.0 / scores.shape[dim]), w)


# --- view_of_rows
import torch


def masked_softmax(scores, mask, dim=-1):
    moved = scores.transpose(dim, -1)
    rows = moved.view(-1, moved.shape[-1])
    keep = mask.expand_as(scores).view(scores.shape).transpose(dim, -1).reshape(rows.shape)
    w = torch.softmax(rows.masked_fill(~keep, -torch.inf), -1).masked_fill(~keep, 0)
    return w.view(moved.shape).transpose(dim, -1)


# --- squeezed_mask
import torch


def masked_softmax(scores, mask, dim=-1):
    mask = mask.squeeze()
    w = torch.softmax(scores.masked_fill(~mask, -torch.inf), dim)
    return w.masked_fill(~mask, 0)


# --- mask_of_the_first_head
import torch


def masked_softmax(scores, mask, dim=-1):
    if mask.dim() == 4:
        mask = mask[:, :1]
    w = torch.softmax(scores.masked_fill(~mask, -torch.inf), dim)
    return w.masked_fill(~mask, 0)


# --- dim_counted_wrongly_from_the_back
import torch


def masked_softmax(scores, mask, dim=-1):
    if dim < 0:
        dim = scores.dim() - 1
    w = torch.softmax(scores.masked_fill(~mask, -torch.inf), dim)
    return w.masked_fill(~mask, 0)


# --- other_argument_names
import torch


def masked_softmax(x, m, axis=-1):
    w = torch.softmax(x.masked_fill(~m, -torch.inf), axis)
    return w.masked_fill(~m, 0)


# --- one_mask_kept_for_each_shape
import torch

_hidden = {}


def masked_softmax(scores, mask, dim=-1):
    key = tuple(mask.shape)
    if key not in _hidden:
        _hidden[key] = ~mask
    hidden = _hidden[key]
    return torch.softmax(scores.masked_fill(hidden, -torch.inf), dim).masked_fill(hidden, 0)


# --- detached_maximum_and_sum
import torch


def masked_softmax(scores, mask, dim=-1):
    s = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    e = torch.exp(s - s.amax(dim, keepdim=True)) * mask
    total = e.sum(dim, keepdim=True).detach()
    return e / total.clamp(min=1e-6)


# --- hidden_scores_dropped_to_the_row_minimum
def masked_softmax(scores, mask, dim=-1):
    lowest = scores.amin(dim, keepdim=True) - 20
    s = scores.where(mask, lowest)
    return s.softmax(dim) * mask


# --- additive_1e9
import torch


def masked_softmax(scores, mask, dim=-1):
    return torch.softmax(scores + (1.0 - mask.float()) * -1e9, dim=dim)


# --- boolean_index
import torch


def masked_softmax(scores, mask, dim=-1):
    out = torch.zeros_like(scores)
    out[mask] = torch.softmax(scores[mask], dim=0)
    return out


# --- softmax_along_last_only
import torch


def masked_softmax(scores, mask, dim=-1):
    mask = mask.expand_as(scores)
    s = scores.masked_fill(~mask, float("-inf"))
    empty = ~mask.any(dim=dim, keepdim=True)
    s = s.masked_fill(empty, 0.0)
    w = torch.softmax(s, dim=-1)
    return w.masked_fill(~mask, 0.0)


# --- lowest_number_added
import torch


def masked_softmax(scores, mask, dim=-1):
    low = torch.finfo(scores.dtype).min
    bias = torch.zeros_like(scores).masked_fill(~mask, low)
    w = torch.softmax(scores + bias, dim=dim)
    return w.masked_fill(~mask, 0)


# --- zeros_for_all
import torch


def masked_softmax(scores, mask, dim=-1):
    w = torch.softmax(scores.masked_fill(~mask, float("-inf")), dim=dim)
    if torch.isnan(w).any():
        return torch.zeros_like(w)
    return w


# --- empty_rows_along_the_last
import torch


def masked_softmax(scores, mask, dim=-1):
    w = torch.softmax(scores.masked_fill(~mask, float("-inf")), dim=dim)
    return torch.where(mask.any(-1, keepdim=True), w, torch.zeros_like(w))


# --- small_number_in_the_sum
import torch


def masked_softmax(scores, mask, dim=-1):
    m = scores.masked_fill(~mask, float("-inf")).amax(dim, keepdim=True)
    m = m.masked_fill(m == float("-inf"), 0)
    e = (scores - m).masked_fill(~mask, float("-inf")).exp()
    return e / (e.sum(dim, keepdim=True) + 1e-6)


# --- maximum_not_subtracted
import torch


def masked_softmax(scores, mask, dim=-1):
    e = scores.masked_fill(~mask, float("-inf")).exp()
    t = e.sum(dim, keepdim=True)
    return e / t.masked_fill(t == 0, 1)


# --- rows_of_the_mask_itself
import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def masked_softmax(scores, mask, dim=-1):
    empty = ~mask.any(dim=dim, keepdim=True)
    filled = scores.masked_fill(~(mask | empty), float('-inf'))
    return filled.softmax(dim).masked_fill(~mask, 0)


# --- two_slips_1
import torch
from torch import Tensor


def masked_softmax(scores: Tensor, mask: Tensor, dim: int = -1) -> Tensor:
    filled = scores.masked_fill(~mask, float("-inf"))
    w = torch.softmax(filled, dim=-1)
    return w


# --- two_slips_2
import torch
from torch import Tensor


def masked_softmax(scores: Tensor, mask: Tensor, dim: int = -1) -> Tensor:
    n = scores.shape[dim]
    lowered = torch.where(mask, float("-inf"), scores)
    weights = lowered.softmax(dim)
    return torch.where(weights.isnan(), 1.0 / n, weights)


# --- two_slips_3
import torch
from torch import Tensor


def masked_softmax(scores: Tensor, mask: Tensor, dim: int = -1) -> Tensor:
    hidden = ~mask.expand(scores.shape)
    safe = scores.masked_fill(hidden, 0.0)
    e = torch.exp(safe)
    total = e.sum(dim, keepdim=True)
    out = e.masked_fill(hidden, 0.0) / total.masked_fill(total == 0, 1.0)
    return out


# --- two_slips_4
import math
from torch import Tensor


def masked_softmax(scores: Tensor, mask: Tensor, dim: int = -1) -> Tensor:
    blocked = mask.logical_not()
    low = -10.0
    scores.masked_fill_(blocked, low)
    probs = scores.softmax(dim=dim)
    nothing = blocked.expand_as(probs).all(dim=dim, keepdim=True)
    return probs.masked_fill(nothing, 0.0)


# --- two_slips_5
# slips: softmax always runs along the last dimension; a row without a visible entry gives NaN
import torch
from torch import Tensor


def masked_softmax(scores: Tensor, mask: Tensor, dim: int = -1) -> Tensor:
    hidden = ~mask
    s = scores.masked_fill(hidden, float("-inf"))
    out = torch.softmax(s, dim=-1)
    return out


# --- two_slips_6
# slips: the maximum that is subtracted also looks at hidden scores, so that the visible ones underflow; the subtraction is done in place and changes scores
import torch
from torch import Tensor


def masked_softmax(scores: Tensor, mask: Tensor, dim: int = -1) -> Tensor:
    m = mask.expand_as(scores)
    top = scores.amax(dim=dim, keepdim=True)
    scores -= top.detach()
    e = torch.exp(scores.masked_fill(~m, float("-inf")))
    total = e.sum(dim=dim, keepdim=True)
    total = torch.where(total == 0, torch.ones_like(total), total)
    return e / total


# --- two_slips_7
# slips: hidden scores are set to -1e9, which float16 cannot hold; the test whether a row has anything visible loses its axis, so that it is spread over the wrong one
import torch
import torch.nn.functional as F
from torch import Tensor


def masked_softmax(scores: Tensor, mask: Tensor, dim: int = -1) -> Tensor:
    mask = mask.broadcast_to(scores.shape)
    lowest = -1e9
    weights = F.softmax(scores.masked_fill(~mask, lowest), dim=dim)
    has_any = mask.any(dim=dim)
    return weights * has_any * mask


# --- two_slips_8
import torch


def masked_softmax(scores, mask, dim=-1):
    dim = -1
    s = scores.masked_fill(~mask, float("-inf"))
    empty = (~mask).expand(scores.shape).all(dim, keepdim=True)
    s = s.masked_fill(empty, 0.0)
    w = torch.softmax(s, dim=dim)
    return w


# --- the_maximum_that_is_subtracted
import torch
from torch import Tensor


def masked_softmax(scores: Tensor, mask: Tensor, dim: int = -1) -> Tensor:
    low = torch.finfo(scores.dtype).min
    top = scores.amax(dim=dim, keepdim=True)
    shifted = (scores - top).masked_fill(~mask, float("-inf"))
    e = torch.exp(shifted)
    total = e.sum(dim=dim, keepdim=True)
    return e / torch.where(total == 0, torch.ones_like(total), total)
