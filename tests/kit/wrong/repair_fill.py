"""Wrong submissions for repair_fill, as people write them; written from the statement, without the suite in view."""

# --- as_it_was
import math


def attention_with_mask(q, k, v, mask):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = scores.masked_fill(mask == 0, -1e9).softmax(dim=-1)
    return weights @ v, weights


# --- minus_infinity
import math


def attention_with_mask(q, k, v, mask):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = scores.masked_fill(mask == 0, float("-inf")).softmax(dim=-1)
    return weights @ v, weights


# --- lowest_of_the_dtype
import math

import torch


def attention_with_mask(q, k, v, mask):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = scores.masked_fill(~mask, torch.finfo(scores.dtype).min).softmax(dim=-1)
    return weights @ v, weights


# --- minus_ten_thousand
import math


def attention_with_mask(q, k, v, mask):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = scores.masked_fill(~mask, -1e4).softmax(dim=-1)
    return weights @ v, weights


# --- minus_a_hundred_then_zero
import math


def attention_with_mask(q, k, v, mask):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = scores.masked_fill(~mask, -100.0).softmax(dim=-1).masked_fill(~mask, 0)
    return weights @ v, weights


# --- nan_to_num_of_the_weights_added
import math

import torch


def attention_with_mask(q, k, v, mask):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    bias = torch.zeros(mask.shape, dtype=q.dtype, device=q.device).masked_fill(~mask, -math.inf)
    weights = torch.nan_to_num((scores + bias).softmax(dim=-1))
    return weights @ v, weights


# --- nan_to_num_of_both_results
import math

import torch


def attention_with_mask(q, k, v, mask):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = scores.masked_fill(~mask, float("-inf")).softmax(dim=-1)
    return torch.nan_to_num(weights @ v), torch.nan_to_num(weights)


# --- weights_zeroed_output_not
import math

import torch


def attention_with_mask(q, k, v, mask):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = scores.masked_fill(~mask, torch.finfo(q.dtype).min).softmax(dim=-1)
    output = weights @ v
    weights = weights * mask
    return output, weights


# --- output_zeroed_weights_not
import math

import torch


def attention_with_mask(q, k, v, mask):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = scores.masked_fill(~mask, torch.finfo(q.dtype).min).softmax(dim=-1)
    output = (weights @ v) * mask.any(-1, keepdim=True)
    return output, weights


# --- nan_times_alive
import math


def attention_with_mask(q, k, v, mask):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = scores.masked_fill(~mask, -math.inf).softmax(dim=-1)
    weights = weights * mask.any(dim=-1, keepdim=True)
    return weights @ v, weights


# --- billion_then_zero
import math


def attention_with_mask(q, k, v, mask):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = scores.masked_fill(~mask, -1e9).softmax(dim=-1) * mask
    return weights @ v, weights


# --- in_float32
import math


def attention_with_mask(q, k, v, mask):
    scores = q.float() @ k.float().transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = scores.masked_fill(~mask, -1e9).softmax(dim=-1) * mask
    return weights @ v.float(), weights


# --- softmax_then_mask
import math


def attention_with_mask(q, k, v, mask):
    weights = (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) * mask
    return weights @ v, weights


# --- renormalised_with_epsilon
import math


def attention_with_mask(q, k, v, mask):
    weights = (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) * mask
    weights = weights / (weights.sum(-1, keepdim=True) + 1e-6)
    return weights @ v, weights


# --- zero_if_nothing_at_all_is_visible
import math

import torch


def attention_with_mask(q, k, v, mask):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if not mask.any():
        weights = torch.zeros_like(scores)
    else:
        weights = scores.masked_fill(~mask, -math.inf).softmax(-1)
    return weights @ v, weights


# --- overwritten_in_place
import math


def attention_with_mask(q, k, v, mask):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = scores.masked_fill(~mask, -math.inf).softmax(-1)
    weights[weights.isnan()] = 0
    return weights @ v, weights


# --- zeros_on_the_cpu
import math

import torch


def attention_with_mask(q, k, v, mask):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = scores.masked_fill(~mask, -math.inf).softmax(-1)
    weights = torch.where(mask, weights, torch.zeros(weights.shape, dtype=weights.dtype))
    return weights @ v, weights


# --- detached
import math

import torch


def attention_with_mask(q, k, v, mask):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = scores.masked_fill(~mask, -math.inf).softmax(-1).detach()
    weights = torch.nan_to_num(weights)
    return weights @ v, weights


# --- full_shape_index
import math

import torch


def attention_with_mask(q, k, v, mask):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    scores[~mask] = torch.finfo(scores.dtype).min
    weights = scores.softmax(-1).clone()
    weights[~mask] = 0
    return weights @ v, weights


# --- inverted
import math

import torch


def attention_with_mask(q, k, v, mask):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = scores.masked_fill(mask, torch.finfo(q.dtype).min).softmax(-1).masked_fill(mask, 0)
    return weights @ v, weights


# --- only_the_output
import math

import torch


def attention_with_mask(q, k, v, mask):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = scores.masked_fill(~mask, torch.finfo(q.dtype).min).softmax(-1).masked_fill(~mask, 0)
    return weights @ v


# --- lowest_of_float32
import math

import torch


def attention_with_mask(q, k, v, mask):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = scores.masked_fill(~mask, torch.finfo(torch.float32).min).softmax(-1).masked_fill(~mask, 0)
    return weights @ v, weights


# --- other_names
import math

import torch


def attention_with_mask(query, key, value, m):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = scores.masked_fill(~m, torch.finfo(query.dtype).min).softmax(-1).masked_fill(~m, 0)
    return weights @ value, weights


# --- all_for_any
import math
import torch
def attention_with_mask(q, k, v, mask):
    s = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    seen = mask.all(-1, keepdim=True)
    s = s.masked_fill(~mask, float("-inf")).masked_fill(~seen, 0.0)
    w = s.softmax(-1).masked_fill(~mask, 0.0)
    return w @ v, w


# --- batch_any
import math
import torch
def attention_with_mask(q, k, v, mask):
    s = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    seen = mask.any(-1, keepdim=True)
    s = s.masked_fill(~mask, float("-inf")).masked_fill(~seen, 0.0)
    w = s.softmax(-1).masked_fill(~mask, 0.0)
    if not bool(seen.all()):
        w = torch.zeros_like(w)
    return w @ v, w


# --- any_along_the_queries
import math
import torch
import torch.nn.functional as F
from torch import Tensor


def attention_with_mask(q, k, v, mask):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = scores.masked_fill(~mask, torch.finfo(scores.dtype).min).softmax(dim=-1)
    weights = weights * mask.any(-2, keepdim=True)
    return weights @ v, weights


# --- multiplied_before_and_after
import math
import torch
import torch.nn.functional as F
from torch import Tensor


def attention_with_mask(q, k, v, mask):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = (scores * mask).softmax(dim=-1) * mask
    return weights @ v, weights


# --- smallest_number_of_the_dtype_and_no_more
# slip: the fill is now the smallest number of the dtype, so float16 works, but a row without a visible key still gets equal weights
import math

import torch
from torch import Tensor


def attention_with_mask(q: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    lowest = torch.finfo(scores.dtype).min
    weights = scores.masked_fill(~mask, lowest).softmax(dim=-1)
    return weights @ v, weights


# --- n_1e9_replaced_by_the_dtype_minimum_rows
import math

import torch
from torch import Tensor


def attention_with_mask(q: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = scores.masked_fill(~mask, torch.finfo(scores.dtype).min).softmax(dim=-1)
    return weights @ v, weights
