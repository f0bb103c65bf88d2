"""Wrong submissions for repair_padding, as people write them; written from the statement, without the suite in view."""

# --- as_it_was
import math


def padded_attention(q, k, v, mask):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return scores.masked_fill(~mask, -math.inf).softmax(dim=-1) @ v


# --- two_dimensions_only
import math


def padded_attention(q, k, v, mask):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    mask = mask[:, None, None, :]
    return scores.masked_fill(~mask, -math.inf).softmax(dim=-1) @ v


# --- nothing_refused
import math


def padded_attention(q, k, v, mask):
    if mask.dim() == 2:
        mask = mask[:, None, None, :]
    elif mask.dim() == 3:
        mask = mask[:, None]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return scores.masked_fill(~mask, -math.inf).softmax(dim=-1) @ v


# --- other_than_two_is_three
import math


def padded_attention(q, k, v, mask):
    mask = mask[:, None, None, :] if mask.dim() == 2 else mask[:, None]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return scores.masked_fill(~mask, -math.inf).softmax(dim=-1) @ v


# --- along_the_queries
import math


def padded_attention(q, k, v, mask):
    if mask.dim() == 2:
        mask = mask[:, None, :, None]
    elif mask.dim() == 3:
        mask = mask[:, None]
    else:
        raise ValueError("mask")
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return scores.masked_fill(~mask, -math.inf).softmax(dim=-1) @ v


# --- both_rows_and_columns
import math

import torch


def padded_attention(q, k, v, mask):
    if mask.dim() == 2:
        mask = mask[:, None, :, None] & mask[:, None, None, :]
    elif mask.dim() == 3:
        mask = mask[:, None]
    else:
        raise ValueError("mask")
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return torch.nan_to_num(scores.masked_fill(~mask, -math.inf).softmax(dim=-1)) @ v


# --- three_dimensions_in_front
import math


def padded_attention(q, k, v, mask):
    if mask.dim() == 2:
        mask = mask[:, None, None, :]
    elif mask.dim() == 3:
        mask = mask[None]
    else:
        raise ValueError("mask")
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return scores.masked_fill(~mask, -math.inf).softmax(dim=-1) @ v


# --- transposed_triple
import math


def padded_attention(q, k, v, mask):
    if mask.dim() == 2:
        mask = mask[:, None, None, :]
    elif mask.dim() == 3:
        mask = mask.transpose(1, 2)[:, None]
    else:
        raise ValueError("mask")
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return scores.masked_fill(~mask, -math.inf).softmax(dim=-1) @ v


# --- first_example
import math


def padded_attention(q, k, v, mask):
    if mask.dim() == 2:
        mask = mask[0]
    elif mask.dim() == 3:
        mask = mask[0]
    else:
        raise ValueError("mask")
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return scores.masked_fill(~mask, -math.inf).softmax(dim=-1) @ v


# --- inverted
import math


def padded_attention(q, k, v, mask):
    if mask.dim() not in (2, 3):
        raise ValueError("mask")
    mask = mask[:, None, None, :] if mask.dim() == 2 else mask[:, None]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return scores.masked_fill(mask, -math.inf).softmax(dim=-1) @ v


# --- inverted_with_a_billion
import math


def padded_attention(q, k, v, mask):
    if mask.dim() not in (2, 3):
        raise ValueError("mask")
    mask = mask[:, None, None, :] if mask.dim() == 2 else mask[:, None]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return scores.masked_fill(mask, -1e9).softmax(dim=-1) @ v


# --- after_softmax
import math


def padded_attention(q, k, v, mask):
    if mask.dim() not in (2, 3):
        raise ValueError("mask")
    mask = mask[:, None, None, :] if mask.dim() == 2 else mask[:, None]
    weights = (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1)
    return (weights * mask) @ v


# --- scores_times_mask
import math


def padded_attention(q, k, v, mask):
    if mask.dim() not in (2, 3):
        raise ValueError("mask")
    mask = mask[:, None, None, :] if mask.dim() == 2 else mask[:, None]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return (scores * mask).softmax(-1) @ v


# --- a_billion
import math


def padded_attention(q, k, v, mask):
    if mask.dim() not in (2, 3):
        raise ValueError("mask")
    mask = mask[:, None, None, :] if mask.dim() == 2 else mask[:, None]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return scores.masked_fill(~mask, -1e9).softmax(dim=-1) @ v


# --- minus_twenty
import math


def padded_attention(q, k, v, mask):
    if mask.dim() not in (2, 3):
        raise ValueError("mask")
    mask = mask[:, None, None, :] if mask.dim() == 2 else mask[:, None]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return scores.masked_fill(~mask, -20.0).softmax(dim=-1) @ v


# --- repeated_wrongly
import math


def padded_attention(q, k, v, mask):
    B, H, T, _ = q.shape
    if mask.dim() == 2:
        mask = mask.repeat(1, H * T).view(B, H, T, T)
    elif mask.dim() == 3:
        mask = mask.repeat(H, 1, 1).view(B, H, T, T)
    else:
        raise ValueError("mask")
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return scores.masked_fill(~mask, -math.inf).softmax(dim=-1) @ v


# --- shapes_guessed_from_sizes
import math


def padded_attention(q, k, v, mask):
    B, H, T, _ = q.shape
    if mask.shape == (B, T):
        mask = mask.view(B, 1, 1, T)
    elif mask.shape == (B, T, T):
        mask = mask.view(B, 1, T, T)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return scores.masked_fill(~mask, -math.inf).softmax(dim=-1) @ v


# --- asserted
import math


def padded_attention(q, k, v, mask):
    assert mask.dim() in (2, 3)
    mask = mask[:, None, None, :] if mask.dim() == 2 else mask[:, None]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return scores.masked_fill(~mask, -math.inf).softmax(dim=-1) @ v


# --- four_dimensions_accepted
import math


def padded_attention(q, k, v, mask):
    if mask.dim() == 2:
        mask = mask[:, None, None, :]
    elif mask.dim() == 3:
        mask = mask[:, None]
    elif mask.dim() != 4:
        raise ValueError("mask")
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return scores.masked_fill(~mask, -math.inf).softmax(dim=-1) @ v


# --- bias_on_the_cpu
import math

import torch


def padded_attention(q, k, v, mask):
    if mask.dim() not in (2, 3):
        raise ValueError("mask")
    mask = mask[:, None, None, :] if mask.dim() == 2 else mask[:, None]
    bias = torch.zeros(mask.shape, dtype=q.dtype)
    bias[~mask] = -math.inf
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]) + bias).softmax(-1) @ v


# --- float32_bias
import math

import torch


def padded_attention(q, k, v, mask):
    if mask.dim() not in (2, 3):
        raise ValueError("mask")
    mask = mask[:, None, None, :] if mask.dim() == 2 else mask[:, None]
    bias = torch.zeros(mask.shape, device=q.device).masked_fill(~mask, -math.inf)
    weights = (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]) + bias).softmax(-1)
    return weights @ v.to(weights.dtype)


# --- scale_of_all_heads
import math


def padded_attention(q, k, v, mask):
    if mask.dim() not in (2, 3):
        raise ValueError("mask")
    mask = mask[:, None, None, :] if mask.dim() == 2 else mask[:, None]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1] * q.shape[1])
    return scores.masked_fill(~mask, -math.inf).softmax(dim=-1) @ v


# --- kept_mask
import math

_seen = {}


def padded_attention(q, k, v, mask):
    if mask.dim() not in (2, 3):
        raise ValueError("mask")
    if mask.shape not in _seen:
        _seen[mask.shape] = mask[:, None, None, :] if mask.dim() == 2 else mask[:, None]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return scores.masked_fill(~_seen[mask.shape], -math.inf).softmax(dim=-1) @ v


# --- outer
import math
def padded_attention(q, k, v, mask):
    if mask.dim() == 2:
        mask = (mask[:, None, :] & mask[:, :, None])[:, None]
    elif mask.dim() == 3:
        mask = mask[:, None]
    else:
        raise ValueError("mask")
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return scores.masked_fill(~mask, -math.inf).softmax(dim=-1) @ v


# --- axis_of_heads_put_last
# slip: a mask [B, T, T] gets its new axis in front of the keys (dimension 2) in place of the heads (dimension 1)
import math

from torch import Tensor


def padded_attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> Tensor:
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask.dim() == 2:
        mask = mask[:, None, None, :]
    elif mask.dim() == 3:
        mask = mask.unsqueeze(2)
    else:
        raise ValueError("mask must be [B, T] or [B, T, T]")
    return scores.masked_fill(~mask, -math.inf).softmax(dim=-1) @ v


# --- only_a_mask_whose_batch_differs
import math

from torch import Tensor


def padded_attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> Tensor:
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask.dim() == 2 and mask.shape[0] != mask.shape[1]:
        mask = mask[:, None, None, :]
    elif mask.dim() == 3:
        mask = mask[:, None]
    elif mask.dim() != 2:
        raise ValueError("mask must be [B, T] or [B, T, T]")
    return scores.masked_fill(~mask, -math.inf).softmax(dim=-1) @ v
