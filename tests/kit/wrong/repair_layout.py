"""Wrong files for repair_layout, each a whole submission as somebody might hand it in."""
# --- as_given_but_merged
import math

import torch


def rotary_attention(x, w_q, w_k, w_v, w_o, num_heads, cos, sin):
    B, T, D = x.shape
    q, k, v = ((x @ w).view(B, T, num_heads, -1) for w in (w_q, w_k, w_v))
    q, k, v = q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2)
    half = q.shape[-1] // 2
    q, k = (u * cos[:, None] + torch.cat([-u[..., half:], u[..., :half]], dim=-1) * sin[:, None] for u in (q, k))
    weights = (q @ k.transpose(-2, -1) / math.sqrt(2 * half)).softmax(dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, T, D) @ w_o
# --- no_output_projection
import math

import torch


def rotary_attention(x, w_q, w_k, w_v, w_o, num_heads, cos, sin):
    B, T, D = x.shape
    q, k, v = ((x @ w).view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    half = q.shape[-1] // 2
    q, k = (u * cos + torch.cat([-u[..., half:], u[..., :half]], dim=-1) * sin for u in (q, k))
    weights = (q @ k.transpose(-2, -1) / math.sqrt(2 * half)).softmax(dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, T, D)
# --- merged_without_transpose
import math

import torch


def rotary_attention(x, w_q, w_k, w_v, w_o, num_heads, cos, sin):
    B, T, D = x.shape
    q, k, v = ((x @ w).view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    half = q.shape[-1] // 2
    q, k = (u * cos + torch.cat([-u[..., half:], u[..., :half]], dim=-1) * sin for u in (q, k))
    weights = (q @ k.transpose(-2, -1) / math.sqrt(2 * half)).softmax(dim=-1)
    return (weights @ v).reshape(B, T, D) @ w_o
# --- viewed
import math

import torch


def rotary_attention(x, w_q, w_k, w_v, w_o, num_heads, cos, sin):
    B, T, D = x.shape
    q, k, v = ((x @ w).view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    half = q.shape[-1] // 2
    q, k = (u * cos + torch.cat([-u[..., half:], u[..., :half]], dim=-1) * sin for u in (q, k))
    weights = (q @ k.transpose(-2, -1) / math.sqrt(2 * half)).softmax(dim=-1)
    return (weights @ v).transpose(1, 2).view(B, T, D) @ w_o
# --- values_rotated_too
import math

import torch


def rotary_attention(x, w_q, w_k, w_v, w_o, num_heads, cos, sin):
    B, T, D = x.shape
    q, k, v = ((x @ w).view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    half = q.shape[-1] // 2
    q, k, v = (u * cos + torch.cat([-u[..., half:], u[..., :half]], dim=-1) * sin for u in (q, k, v))
    weights = (q @ k.transpose(-2, -1) / math.sqrt(2 * half)).softmax(dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, T, D) @ w_o
# --- only_queries_rotated
import math

import torch


def rotary_attention(x, w_q, w_k, w_v, w_o, num_heads, cos, sin):
    B, T, D = x.shape
    q, k, v = ((x @ w).view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    half = q.shape[-1] // 2
    q = q * cos + torch.cat([-q[..., half:], q[..., :half]], dim=-1) * sin
    weights = (q @ k.transpose(-2, -1) / math.sqrt(2 * half)).softmax(dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, T, D) @ w_o
# --- rotated_the_other_way
import math

import torch


def rotary_attention(x, w_q, w_k, w_v, w_o, num_heads, cos, sin):
    B, T, D = x.shape
    q, k, v = ((x @ w).view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    half = q.shape[-1] // 2
    q, k = (u * cos + torch.cat([u[..., half:], -u[..., :half]], dim=-1) * sin for u in (q, k))
    weights = (q @ k.transpose(-2, -1) / math.sqrt(2 * half)).softmax(dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, T, D) @ w_o
# --- one_rotated_the_other_way
import math

import torch


def rotary_attention(x, w_q, w_k, w_v, w_o, num_heads, cos, sin):
    B, T, D = x.shape
    q, k, v = ((x @ w).view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    half = q.shape[-1] // 2
    q = q * cos + torch.cat([-q[..., half:], q[..., :half]], dim=-1) * sin
    k = k * cos - torch.cat([-k[..., half:], k[..., :half]], dim=-1) * sin
    weights = (q @ k.transpose(-2, -1) / math.sqrt(2 * half)).softmax(dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, T, D) @ w_o
# --- not_rotated
import math

import torch


def rotary_attention(x, w_q, w_k, w_v, w_o, num_heads, cos, sin):
    B, T, D = x.shape
    q, k, v = ((x @ w).view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    half = q.shape[-1] // 2
    weights = (q @ k.transpose(-2, -1) / math.sqrt(2 * half)).softmax(dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, T, D) @ w_o
# --- interleaved_pairs
import math

import torch


def rotary_attention(x, w_q, w_k, w_v, w_o, num_heads, cos, sin):
    B, T, D = x.shape
    q, k, v = ((x @ w).view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    turned = lambda u: torch.stack([-u[..., 1::2], u[..., ::2]], dim=-1).flatten(-2)
    q, k = (u * cos + turned(u) * sin for u in (q, k))
    weights = (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, T, D) @ w_o
# --- rotated_before_the_split
import math

import torch


def rotary_attention(x, w_q, w_k, w_v, w_o, num_heads, cos, sin):
    B, T, D = x.shape
    cos, sin = cos.repeat(1, num_heads), sin.repeat(1, num_heads)
    turned = lambda u: torch.cat([-u[..., D // 2 :], u[..., : D // 2]], dim=-1)
    q, k = ((x @ w) * cos + turned(x @ w) * sin for w in (w_q, w_k))
    q, k, v = (u.view(B, T, num_heads, -1).transpose(1, 2) for u in (q, k, x @ w_v))
    weights = (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, T, D) @ w_o
# --- split_without_transpose
import math

import torch


def rotary_attention(x, w_q, w_k, w_v, w_o, num_heads, cos, sin):
    B, T, D = x.shape
    q, k, v = ((x @ w).view(B, num_heads, T, -1) for w in (w_q, w_k, w_v))
    half = q.shape[-1] // 2
    q, k = (u * cos + torch.cat([-u[..., half:], u[..., :half]], dim=-1) * sin for u in (q, k))
    weights = (q @ k.transpose(-2, -1) / math.sqrt(2 * half)).softmax(dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, T, D) @ w_o
# --- scale_of_a_half
import math

import torch


def rotary_attention(x, w_q, w_k, w_v, w_o, num_heads, cos, sin):
    B, T, D = x.shape
    q, k, v = ((x @ w).view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    half = q.shape[-1] // 2
    q, k = (u * cos + torch.cat([-u[..., half:], u[..., :half]], dim=-1) * sin for u in (q, k))
    weights = (q @ k.transpose(-2, -1) / math.sqrt(half)).softmax(dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, T, D) @ w_o
# --- causal
import math

import torch


def rotary_attention(x, w_q, w_k, w_v, w_o, num_heads, cos, sin):
    B, T, D = x.shape
    q, k, v = ((x @ w).view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    half = q.shape[-1] // 2
    q, k = (u * cos + torch.cat([-u[..., half:], u[..., :half]], dim=-1) * sin for u in (q, k))
    scores = q @ k.transpose(-2, -1) / math.sqrt(2 * half)
    scores = scores.masked_fill(torch.ones(T, T).tril() == 0, float("-inf"))
    return (scores.softmax(dim=-1) @ v).transpose(1, 2).reshape(B, T, D) @ w_o
# --- keys_transposed_1_2
import math

import torch


def rotary_attention(x, w_q, w_k, w_v, w_o, num_heads, cos, sin):
    B, T, D = x.shape
    q, k, v = ((x @ w).view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    half = q.shape[-1] // 2
    q, k = (u * cos + torch.cat([-u[..., half:], u[..., :half]], dim=-1) * sin for u in (q, k))
    weights = (q @ k.transpose(1, 2) / math.sqrt(2 * half)).softmax(dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, T, D) @ w_o
# --- in_place_projection
import math

import torch


def rotary_attention(x, w_q, w_k, w_v, w_o, num_heads, cos, sin):
    B, T, D = x.shape
    w_q *= math.sqrt(num_heads / D)
    q, k, v = ((x @ w).view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    half = q.shape[-1] // 2
    q, k = (u * cos + torch.cat([-u[..., half:], u[..., :half]], dim=-1) * sin for u in (q, k))
    weights = (q @ k.transpose(-2, -1)).softmax(dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, T, D) @ w_o
# --- tables_made_anew
import math

import torch


def rotary_attention(x, w_q, w_k, w_v, w_o, num_heads, cos, sin):
    B, T, D = x.shape
    dh = D // num_heads
    angles = torch.arange(T)[:, None] / 10000 ** (torch.arange(0, dh, 2) / dh)
    cos, sin = angles.cos().repeat(1, 2), angles.sin().repeat(1, 2)
    q, k, v = ((x @ w).view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    half = q.shape[-1] // 2
    q, k = (u * cos + torch.cat([-u[..., half:], u[..., :half]], dim=-1) * sin for u in (q, k))
    weights = (q @ k.transpose(-2, -1) / math.sqrt(2 * half)).softmax(dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, T, D) @ w_o
# --- tables_transposed_for_the_heads
import math

import torch


def rotary_attention(x, w_q, w_k, w_v, w_o, num_heads, cos, sin):
    B, T, D = x.shape
    q, k, v = ((x @ w).view(B, T, num_heads, -1) for w in (w_q, w_k, w_v))
    half = q.shape[-1] // 2
    q, k = (u * cos[:num_heads] + torch.cat([-u[..., half:], u[..., :half]], dim=-1) * sin[:num_heads] for u in (q, k))
    q, k, v = q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2)
    weights = (q @ k.transpose(-2, -1) / math.sqrt(2 * half)).softmax(dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, T, D) @ w_o
# --- untouched
import math

import torch


def rotary_attention(x, w_q, w_k, w_v, w_o, num_heads, cos, sin):
    B, T, D = x.shape
    q, k, v = ((x @ w).view(B, T, num_heads, -1) for w in (w_q, w_k, w_v))
    q, k = q.transpose(1, 2), k.transpose(1, 2)
    half = q.shape[-1] // 2
    q, k = (u * cos[:, None] + torch.cat([-u[..., half:], u[..., :half]], dim=-1) * sin[:, None] for u in (q, k))
    weights = (q @ k.transpose(-2, -1) / math.sqrt(2 * half)).softmax(dim=-1)
    return (weights @ v).reshape(B, T, D)
# --- float32_result
import math

import torch


def rotary_attention(x, w_q, w_k, w_v, w_o, num_heads, cos, sin):
    B, T, D = x.shape
    x, w_q, w_k, w_v, w_o, cos, sin = (t.float() for t in (x, w_q, w_k, w_v, w_o, cos, sin))
    q, k, v = ((x @ w).view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    half = q.shape[-1] // 2
    q, k = (u * cos + torch.cat([-u[..., half:], u[..., :half]], dim=-1) * sin for u in (q, k))
    weights = (q @ k.transpose(-2, -1) / math.sqrt(2 * half)).softmax(dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, T, D) @ w_o


# --- halves
import math
import torch


def rotary_attention(x, w_q, w_k, w_v, w_o, num_heads, cos, sin):
    B, T, D = x.shape
    q, k, v = ((x @ w).view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    half = q.shape[-1] // 2
    q, k = (u * cos + torch.cat([-u[..., :half], u[..., half:]], dim=-1) * sin for u in (q, k))
    weights = (q @ k.transpose(-2, -1) / math.sqrt(2 * half)).softmax(dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, T, D) @ w_o


# --- wo_T
import math
import torch


def rotary_attention(x, w_q, w_k, w_v, w_o, num_heads, cos, sin):
    B, T, D = x.shape
    q, k, v = ((x @ w).view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    half = q.shape[-1] // 2
    q, k = (u * cos + torch.cat([-u[..., half:], u[..., :half]], dim=-1) * sin for u in (q, k))
    weights = (q @ k.transpose(-2, -1) / math.sqrt(2 * half)).softmax(dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, T, D) @ w_o.T


# --- k_twice
import math
import torch


def rotary_attention(x, w_q, w_k, w_v, w_o, num_heads, cos, sin):
    B, T, D = x.shape
    q, k, v = ((x @ w).view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_k))
    half = q.shape[-1] // 2
    q, k = (u * cos + torch.cat([-u[..., half:], u[..., :half]], dim=-1) * sin for u in (q, k))
    weights = (q @ k.transpose(-2, -1) / math.sqrt(2 * half)).softmax(dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, T, D) @ w_o


# --- residual
import math
import torch


def rotary_attention(x, w_q, w_k, w_v, w_o, num_heads, cos, sin):
    B, T, D = x.shape
    q, k, v = ((x @ w).view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    half = q.shape[-1] // 2
    q, k = (u * cos + torch.cat([-u[..., half:], u[..., :half]], dim=-1) * sin for u in (q, k))
    weights = (q @ k.transpose(-2, -1) / math.sqrt(2 * half)).softmax(dim=-1)
    return x + (weights @ v).transpose(1, 2).reshape(B, T, D) @ w_o


# --- squeeze_batch
import math
import torch


def rotary_attention(x, w_q, w_k, w_v, w_o, num_heads, cos, sin):
    B, T, D = x.shape
    q, k, v = ((x @ w).view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    half = q.shape[-1] // 2
    q, k = (
        u * cos[:B, None, None] + torch.cat([-u[..., half:], u[..., :half]], dim=-1) * sin[:B, None, None]
        for u in (q, k)
    )
    weights = (q @ k.transpose(-2, -1) / math.sqrt(2 * half)).softmax(dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, T, D) @ w_o


# --- values_reshaped
import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def rotary_attention(x, w_q, w_k, w_v, w_o, num_heads, cos, sin):
    B, T, D = x.shape
    q, k, v = ((x @ w).view(B, T, num_heads, -1) for w in (w_q, w_k, w_v))
    def rot(u):
        a, b = u.chunk(2, -1)
        return (u * cos[:, None] + torch.cat([-b, a], -1) * sin[:, None]).to(x.dtype)
    q, k, v = rot(q).transpose(1, 2), rot(k).transpose(1, 2), v.reshape(B, num_heads, T, -1)
    w = (q @ k.mT / math.sqrt(D // num_heads)).softmax(-1)
    return (w @ v).permute(0, 2, 1, 3).flatten(2) @ w_o


# --- values_rotated_too_2
# slip: the repair rotates the values along with queries and keys
import math

import torch
from torch import Tensor


def rotary_attention(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, num_heads: int, cos: Tensor, sin: Tensor
) -> Tensor:
    B, T, D = x.shape
    q, k, v = ((x @ w).view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    half = q.shape[-1] // 2

    def rot(u):
        return u * cos + torch.cat([-u[..., half:], u[..., :half]], dim=-1) * sin

    q, k = rot(q), rot(k)
    v = rot(v)
    weights = (q @ k.transpose(-2, -1) / math.sqrt(2 * half)).softmax(dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, T, D) @ w_o


# --- two_slips_1
import math

import torch
from torch import Tensor


def rotary_attention(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, num_heads: int, cos: Tensor, sin: Tensor
) -> Tensor:
    B, T, D = x.shape
    q, k, v = ((x @ w).view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    half = q.shape[-1] // 2
    if T == num_heads:
        cos, sin = cos[:, None], sin[:, None]
    q, k = (u * cos + torch.cat([-u[..., half:], u[..., :half]], dim=-1) * sin for u in (q, k))
    weights = (q @ k.transpose(-2, -1) / math.sqrt(2 * half)).softmax(dim=-1)
    return (weights @ v).reshape(B, T, D) @ w_o
