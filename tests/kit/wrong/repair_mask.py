"""Wrong submissions for repair_mask, as people write them; written from the statement, without the suite in view."""

# --- as_it_was
import math


def masked_multi_head(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    B, T, D = x.shape
    head_dim = D // num_heads
    q, k, v = ((x @ w)[..., : num_heads * head_dim].view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(head_dim)
    weights = scores.softmax(dim=-1)
    merged = (weights @ v).transpose(1, 2).reshape(B, T, -1)
    return merged @ w_o[: num_heads * head_dim]


# --- mask_used_width_unchecked
import math


def masked_multi_head(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    B, T, D = x.shape
    head_dim = D // num_heads
    q, k, v = ((x @ w)[..., : num_heads * head_dim].view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(head_dim)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = scores.softmax(dim=-1)
    merged = (weights @ v).transpose(1, 2).reshape(B, T, -1)
    return merged @ w_o[: num_heads * head_dim]


# --- width_checked_mask_unused
import math


def masked_multi_head(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    B, T, D = x.shape
    if D % num_heads != 0:
        raise ValueError("D must be divisible by num_heads")
    q, k, v = ((x @ w).view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    weights = (q @ k.transpose(-2, -1) / math.sqrt(D // num_heads)).softmax(dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, T, -1) @ w_o


# --- inverted_and_unchecked
import math


def masked_multi_head(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    B, T, D = x.shape
    head_dim = D // num_heads
    q, k, v = ((x @ w)[..., : num_heads * head_dim].view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(head_dim)
    if mask is not None:
        scores = scores.masked_fill(mask, float("-inf"))
    weights = scores.softmax(dim=-1)
    merged = (weights @ v).transpose(1, 2).reshape(B, T, -1)
    return merged @ w_o[: num_heads * head_dim]


# --- inverted
import math


def masked_multi_head(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    B, T, D = x.shape
    if D % num_heads:
        raise ValueError("width")
    q, k, v = ((x @ w).view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(D // num_heads)
    if mask is not None:
        scores = scores.masked_fill(mask, -1e9)
    return (scores.softmax(-1) @ v).transpose(1, 2).reshape(B, T, -1) @ w_o


# --- mask_must_be_given
import math


def masked_multi_head(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    B, T, D = x.shape
    if D % num_heads:
        raise ValueError("width")
    q, k, v = ((x @ w).view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(D // num_heads)
    scores = scores.masked_fill(~mask, -math.inf)
    return (scores.softmax(-1) @ v).transpose(1, 2).reshape(B, T, -1) @ w_o


# --- if_mask
import math


def masked_multi_head(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    B, T, D = x.shape
    if D % num_heads:
        raise ValueError("width")
    q, k, v = ((x @ w).view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(D // num_heads)
    if mask:
        scores = scores.masked_fill(~mask, -math.inf)
    return (scores.softmax(-1) @ v).transpose(1, 2).reshape(B, T, -1) @ w_o


# --- after_softmax
import math


def masked_multi_head(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    B, T, D = x.shape
    assert D % num_heads == 0
    q, k, v = ((x @ w).view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    weights = (q @ k.transpose(-2, -1) / math.sqrt(D // num_heads)).softmax(dim=-1)
    if mask is not None:
        weights = weights * mask
    return (weights @ v).transpose(1, 2).reshape(B, T, -1) @ w_o


# --- after_softmax_renormalised
import math


def masked_multi_head(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    B, T, D = x.shape
    if D % num_heads:
        raise ValueError("width")
    q, k, v = ((x @ w).view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    weights = (q @ k.transpose(-2, -1) / math.sqrt(D // num_heads)).softmax(dim=-1)
    if mask is not None:
        weights = weights * mask
        weights = weights / weights.sum(-1, keepdim=True)
    return (weights @ v).transpose(1, 2).reshape(B, T, -1) @ w_o


# --- scores_times_mask
import math


def masked_multi_head(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    B, T, D = x.shape
    if D % num_heads:
        raise ValueError("width")
    q, k, v = ((x @ w).view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(D // num_heads)
    if mask is not None:
        scores = scores * mask
    return (scores.softmax(-1) @ v).transpose(1, 2).reshape(B, T, -1) @ w_o


# --- billion_in_half
import math


def masked_multi_head(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    B, T, D = x.shape
    if D % num_heads:
        raise ValueError("width")
    q, k, v = ((x @ w).view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(D // num_heads)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    return (scores.softmax(-1) @ v).transpose(1, 2).reshape(B, T, -1) @ w_o


# --- always_causal
import math

import torch


def masked_multi_head(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    B, T, D = x.shape
    if D % num_heads:
        raise ValueError("width")
    q, k, v = ((x @ w).view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(D // num_heads)
    causal = torch.ones(T, T, dtype=torch.bool, device=x.device).tril()
    scores = scores.masked_fill(~causal, -math.inf)
    return (scores.softmax(-1) @ v).transpose(1, 2).reshape(B, T, -1) @ w_o


# --- one_mask_for_all_heads
import math


def masked_multi_head(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    B, T, D = x.shape
    if D % num_heads:
        raise ValueError("width")
    q, k, v = ((x @ w).view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(D // num_heads)
    if mask is not None:
        if mask.dim() == 4:
            mask = mask[:, :1]
        scores = scores.masked_fill(~mask, -math.inf)
    return (scores.softmax(-1) @ v).transpose(1, 2).reshape(B, T, -1) @ w_o


# --- mask_gets_a_head_axis
import math


def masked_multi_head(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    B, T, D = x.shape
    if D % num_heads:
        raise ValueError("width")
    q, k, v = ((x @ w).view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(D // num_heads)
    if mask is not None:
        scores = scores.masked_fill(~mask.unsqueeze(1), -math.inf)
    return (scores.softmax(-1) @ v).transpose(1, 2).reshape(B, T, -1) @ w_o


# --- view_of_heads_without_transpose
import math


def masked_multi_head(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    B, T, D = x.shape
    if D % num_heads:
        raise ValueError("width")
    q, k, v = ((x @ w).view(B, num_heads, T, -1) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(D // num_heads)
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    return (scores.softmax(-1) @ v).transpose(1, 2).reshape(B, T, -1) @ w_o


# --- merged_without_transpose
import math


def masked_multi_head(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    B, T, D = x.shape
    if D % num_heads:
        raise ValueError("width")
    q, k, v = ((x @ w).view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(D // num_heads)
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    return (scores.softmax(-1) @ v).reshape(B, T, -1) @ w_o


# --- scale_of_the_model
import math


def masked_multi_head(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    B, T, D = x.shape
    if D % num_heads:
        raise ValueError("width")
    q, k, v = ((x @ w).view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(D)
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    return (scores.softmax(-1) @ v).transpose(1, 2).reshape(B, T, -1) @ w_o


# --- width_of_the_heads_refused_wrongly
import math


def masked_multi_head(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    B, T, D = x.shape
    if num_heads > D:
        raise ValueError("too many heads")
    head_dim = D // num_heads
    q, k, v = ((x @ w)[..., : num_heads * head_dim].view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(head_dim)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    merged = (scores.softmax(dim=-1) @ v).transpose(1, 2).reshape(B, T, -1)
    return merged @ w_o[: num_heads * head_dim]


# --- transposed_weights
import math


def masked_multi_head(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    B, T, D = x.shape
    if D % num_heads:
        raise ValueError("width")
    q, k, v = ((x @ w.T).view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(D // num_heads)
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    return (scores.softmax(-1) @ v).transpose(1, 2).reshape(B, T, -1) @ w_o.T


# --- no_output_projection
import math


def masked_multi_head(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    B, T, D = x.shape
    if D % num_heads:
        raise ValueError("width")
    q, k, v = ((x @ w).view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(D // num_heads)
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    return (scores.softmax(-1) @ v).transpose(1, 2).reshape(B, T, -1)


# --- added_minus_a_hundred
import math


def masked_multi_head(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    B, T, D = x.shape
    if D % num_heads:
        raise ValueError("width")
    q, k, v = ((x @ w).view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(D // num_heads)
    if mask is not None:
        scores = scores + (1 - mask.to(x.dtype)) * -100
    return (scores.softmax(-1) @ v).transpose(1, 2).reshape(B, T, -1) @ w_o


# --- detached_weights
import math


def masked_multi_head(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    B, T, D = x.shape
    if D % num_heads:
        raise ValueError("width")
    q, k, v = ((x @ w).view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(D // num_heads)
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    return (scores.softmax(-1).detach() @ v).transpose(1, 2).reshape(B, T, -1) @ w_o


# --- float32_throughout
import math


def masked_multi_head(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    B, T, D = x.shape
    if D % num_heads:
        raise ValueError("width")
    x, w_q, w_k, w_v, w_o = (t.float() for t in (x, w_q, w_k, w_v, w_o))
    q, k, v = ((x @ w).view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(D // num_heads)
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    return (scores.softmax(-1) @ v).transpose(1, 2).reshape(B, T, -1) @ w_o


# --- mask_gets_a_head_axis_in_the_given_code
import math
import torch
import torch.nn.functional as F
from torch import Tensor


def masked_multi_head(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    B, T, D = x.shape
    if D % num_heads:
        raise ValueError
    head_dim = D // num_heads
    q, k, v = ((x @ w).view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(head_dim)
    if mask is not None:
        scores = scores.masked_fill(~mask.unsqueeze(1), float("-inf"))
    return (scores.softmax(-1) @ v).transpose(1, 2).reshape(B, T, -1) @ w_o


# --- hides_what_is_visible
# slip: the mask is used without being negated, so that it hides what may be attended to
import math

from torch import Tensor


def masked_multi_head(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, num_heads: int, mask: Tensor | None = None
) -> Tensor:
    B, T, D = x.shape
    if D % num_heads != 0:
        raise ValueError(f"num_heads={num_heads} does not divide D={D}")
    head_dim = D // num_heads
    q, k, v = ((x @ w).view(B, T, num_heads, head_dim).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(head_dim)
    if mask is not None:
        scores = scores.masked_fill(mask, float("-inf"))
    weights = scores.softmax(dim=-1)
    merged = (weights @ v).transpose(1, 2).reshape(B, T, D)
    return merged @ w_o


# --- two_slips_1
import math

from torch import Tensor


def masked_multi_head(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, num_heads: int, mask: Tensor | None = None
) -> Tensor:
    B, T, D = x.shape
    head_dim = D // num_heads
    q, k, v = ((x @ w)[..., : num_heads * head_dim].view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(head_dim)
    weights = scores.softmax(dim=-1)
    if mask is not None:
        weights = weights * mask
    merged = (weights @ v).transpose(1, 2).reshape(B, T, -1)
    return merged @ w_o[: num_heads * head_dim]
