"""Wrong files for chunked_prefill, each a whole submission as somebody might hand it in."""


# --- as_given
import math

import torch
import torch.nn.functional as F
from torch import Tensor

Past = tuple[Tensor, Tensor]


def rotate(x: Tensor, start: int, theta: float) -> Tensor:
    half = x.shape[3] // 2
    frequency = theta ** (-torch.arange(half, device=x.device).float() / half)  # [Dh/2]
    position = torch.arange(start, start + x.shape[1], device=x.device).float()  # [T]
    angle = torch.outer(position, frequency).unsqueeze(1)  # [T, 1, Dh/2]
    cos, sin = angle.cos(), angle.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)


def prefill(
    x: Tensor,
    W: list[Tensor],
    num_heads: int,
    num_kv_heads: int,
    past: Past | None = None,
    flash: bool = True,
    theta: float = 1e6,
) -> tuple[Tensor, Past]:
    B, T, C = x.shape
    q = (x @ W[0]).view(B, T, num_heads, -1)
    k = (x @ W[1]).view(B, T, num_kv_heads, -1)
    v = (x @ W[2]).view(B, T, num_kv_heads, -1)
    start = past[0].shape[1] if past is not None else 0
    q, k = rotate(q, start, theta), rotate(k, start, theta)
    if past is not None:
        k = torch.cat([past[0], k], dim=1)
        v = torch.cat([past[1], v], dim=1)
    past = (k, v)
    n_rep = num_heads // num_kv_heads
    q = q.transpose(1, 2)
    k = k.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    v = v.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    if flash and T > 1:
        heads = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    else:
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        scores = scores + torch.full((T, T), float("-inf"), device=x.device).triu(1)
        heads = scores.softmax(dim=-1).to(q.dtype) @ v
    return heads.transpose(1, 2).reshape(B, T, C) @ W[3], past


# --- only_by_hand_mended
import math

import torch
import torch.nn.functional as F
from torch import Tensor

Past = tuple[Tensor, Tensor]


def rotate(x: Tensor, start: int, theta: float) -> Tensor:
    half = x.shape[3] // 2
    frequency = theta ** (-torch.arange(half, device=x.device).float() / half)  # [Dh/2]
    position = torch.arange(start, start + x.shape[1], device=x.device).float()  # [T]
    angle = torch.outer(position, frequency).unsqueeze(1)  # [T, 1, Dh/2]
    cos, sin = angle.cos(), angle.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)


def prefill(
    x: Tensor,
    W: list[Tensor],
    num_heads: int,
    num_kv_heads: int,
    past: Past | None = None,
    flash: bool = True,
    theta: float = 1e6,
) -> tuple[Tensor, Past]:
    B, T, C = x.shape
    q = (x @ W[0]).view(B, T, num_heads, -1)
    k = (x @ W[1]).view(B, T, num_kv_heads, -1)
    v = (x @ W[2]).view(B, T, num_kv_heads, -1)
    start = past[0].shape[1] if past is not None else 0
    q, k = rotate(q, start, theta), rotate(k, start, theta)
    if past is not None:
        k = torch.cat([past[0], k], dim=1)
        v = torch.cat([past[1], v], dim=1)
    past = (k, v)
    n_rep = num_heads // num_kv_heads
    q = q.transpose(1, 2)
    k = k.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    v = v.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    if flash and T > 1:
        heads = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    else:
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        scores[:, :, :, start:] += torch.full((T, T), float("-inf"), device=x.device).triu(1)
        heads = scores.softmax(dim=-1).to(q.dtype) @ v
    return heads.transpose(1, 2).reshape(B, T, C) @ W[3], past


# --- only_flash_mended
import math

import torch
import torch.nn.functional as F
from torch import Tensor

Past = tuple[Tensor, Tensor]


def rotate(x: Tensor, start: int, theta: float) -> Tensor:
    half = x.shape[3] // 2
    frequency = theta ** (-torch.arange(half, device=x.device).float() / half)  # [Dh/2]
    position = torch.arange(start, start + x.shape[1], device=x.device).float()  # [T]
    angle = torch.outer(position, frequency).unsqueeze(1)  # [T, 1, Dh/2]
    cos, sin = angle.cos(), angle.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)


def prefill(
    x: Tensor,
    W: list[Tensor],
    num_heads: int,
    num_kv_heads: int,
    past: Past | None = None,
    flash: bool = True,
    theta: float = 1e6,
) -> tuple[Tensor, Past]:
    B, T, C = x.shape
    q = (x @ W[0]).view(B, T, num_heads, -1)
    k = (x @ W[1]).view(B, T, num_kv_heads, -1)
    v = (x @ W[2]).view(B, T, num_kv_heads, -1)
    start = past[0].shape[1] if past is not None else 0
    q, k = rotate(q, start, theta), rotate(k, start, theta)
    if past is not None:
        k = torch.cat([past[0], k], dim=1)
        v = torch.cat([past[1], v], dim=1)
    past = (k, v)
    n_rep = num_heads // num_kv_heads
    q = q.transpose(1, 2)
    k = k.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    v = v.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    if flash and T > 1:
        heads = F.scaled_dot_product_attention(q, k, v, attn_mask=torch.ones(T, k.shape[2], dtype=torch.bool, device=x.device).tril(start))
    else:
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        scores = scores + torch.full((T, T), float("-inf"), device=x.device).triu(1)
        heads = scores.softmax(dim=-1).to(q.dtype) @ v
    return heads.transpose(1, 2).reshape(B, T, C) @ W[3], past


# --- flash_without_a_mask_after_the_first_chunk
import math

import torch
import torch.nn.functional as F
from torch import Tensor

Past = tuple[Tensor, Tensor]


def rotate(x: Tensor, start: int, theta: float) -> Tensor:
    half = x.shape[3] // 2
    frequency = theta ** (-torch.arange(half, device=x.device).float() / half)  # [Dh/2]
    position = torch.arange(start, start + x.shape[1], device=x.device).float()  # [T]
    angle = torch.outer(position, frequency).unsqueeze(1)  # [T, 1, Dh/2]
    cos, sin = angle.cos(), angle.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)


def prefill(
    x: Tensor,
    W: list[Tensor],
    num_heads: int,
    num_kv_heads: int,
    past: Past | None = None,
    flash: bool = True,
    theta: float = 1e6,
) -> tuple[Tensor, Past]:
    B, T, C = x.shape
    q = (x @ W[0]).view(B, T, num_heads, -1)
    k = (x @ W[1]).view(B, T, num_kv_heads, -1)
    v = (x @ W[2]).view(B, T, num_kv_heads, -1)
    start = past[0].shape[1] if past is not None else 0
    q, k = rotate(q, start, theta), rotate(k, start, theta)
    if past is not None:
        k = torch.cat([past[0], k], dim=1)
        v = torch.cat([past[1], v], dim=1)
    past = (k, v)
    n_rep = num_heads // num_kv_heads
    q = q.transpose(1, 2)
    k = k.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    v = v.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    if flash:
        heads = F.scaled_dot_product_attention(q, k, v, is_causal=start == 0)
    else:
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        scores[:, :, :, -T:] += torch.full((T, T), float("-inf"), device=x.device).triu(1)
        heads = scores.softmax(dim=-1).to(q.dtype) @ v
    return heads.transpose(1, 2).reshape(B, T, C) @ W[3], past


# --- no_mask_after_the_first_chunk
import math

import torch
import torch.nn.functional as F
from torch import Tensor

Past = tuple[Tensor, Tensor]


def rotate(x: Tensor, start: int, theta: float) -> Tensor:
    half = x.shape[3] // 2
    frequency = theta ** (-torch.arange(half, device=x.device).float() / half)  # [Dh/2]
    position = torch.arange(start, start + x.shape[1], device=x.device).float()  # [T]
    angle = torch.outer(position, frequency).unsqueeze(1)  # [T, 1, Dh/2]
    cos, sin = angle.cos(), angle.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)


def prefill(
    x: Tensor,
    W: list[Tensor],
    num_heads: int,
    num_kv_heads: int,
    past: Past | None = None,
    flash: bool = True,
    theta: float = 1e6,
) -> tuple[Tensor, Past]:
    B, T, C = x.shape
    q = (x @ W[0]).view(B, T, num_heads, -1)
    k = (x @ W[1]).view(B, T, num_kv_heads, -1)
    v = (x @ W[2]).view(B, T, num_kv_heads, -1)
    start = past[0].shape[1] if past is not None else 0
    q, k = rotate(q, start, theta), rotate(k, start, theta)
    if past is not None:
        k = torch.cat([past[0], k], dim=1)
        v = torch.cat([past[1], v], dim=1)
    past = (k, v)
    n_rep = num_heads // num_kv_heads
    q = q.transpose(1, 2)
    k = k.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    v = v.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    S = k.shape[2]
    mask = torch.ones(T, S, dtype=torch.bool, device=x.device).tril(S - T)
    if flash and T > 1:
        heads = F.scaled_dot_product_attention(q, k, v, attn_mask=mask if start == 0 else None)
    else:
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        if start == 0:
            scores = scores.masked_fill(~mask, float("-inf"))
        heads = scores.softmax(dim=-1).to(q.dtype) @ v
    return heads.transpose(1, 2).reshape(B, T, C) @ W[3], past


# --- mask_top_left
import math

import torch
import torch.nn.functional as F
from torch import Tensor

Past = tuple[Tensor, Tensor]


def rotate(x: Tensor, start: int, theta: float) -> Tensor:
    half = x.shape[3] // 2
    frequency = theta ** (-torch.arange(half, device=x.device).float() / half)  # [Dh/2]
    position = torch.arange(start, start + x.shape[1], device=x.device).float()  # [T]
    angle = torch.outer(position, frequency).unsqueeze(1)  # [T, 1, Dh/2]
    cos, sin = angle.cos(), angle.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)


def prefill(
    x: Tensor,
    W: list[Tensor],
    num_heads: int,
    num_kv_heads: int,
    past: Past | None = None,
    flash: bool = True,
    theta: float = 1e6,
) -> tuple[Tensor, Past]:
    B, T, C = x.shape
    q = (x @ W[0]).view(B, T, num_heads, -1)
    k = (x @ W[1]).view(B, T, num_kv_heads, -1)
    v = (x @ W[2]).view(B, T, num_kv_heads, -1)
    start = past[0].shape[1] if past is not None else 0
    q, k = rotate(q, start, theta), rotate(k, start, theta)
    if past is not None:
        k = torch.cat([past[0], k], dim=1)
        v = torch.cat([past[1], v], dim=1)
    past = (k, v)
    n_rep = num_heads // num_kv_heads
    q = q.transpose(1, 2)
    k = k.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    v = v.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    S = k.shape[2]
    mask = torch.ones(T, S, dtype=torch.bool, device=x.device).tril()
    if flash and T > 1:
        heads = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    else:
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        scores = scores.masked_fill(~mask, float("-inf"))
        heads = scores.softmax(dim=-1).to(q.dtype) @ v
    return heads.transpose(1, 2).reshape(B, T, C) @ W[3], past


# --- mask_top_left_by_hand
import math

import torch
import torch.nn.functional as F
from torch import Tensor

Past = tuple[Tensor, Tensor]


def rotate(x: Tensor, start: int, theta: float) -> Tensor:
    half = x.shape[3] // 2
    frequency = theta ** (-torch.arange(half, device=x.device).float() / half)  # [Dh/2]
    position = torch.arange(start, start + x.shape[1], device=x.device).float()  # [T]
    angle = torch.outer(position, frequency).unsqueeze(1)  # [T, 1, Dh/2]
    cos, sin = angle.cos(), angle.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)


def prefill(
    x: Tensor,
    W: list[Tensor],
    num_heads: int,
    num_kv_heads: int,
    past: Past | None = None,
    flash: bool = True,
    theta: float = 1e6,
) -> tuple[Tensor, Past]:
    B, T, C = x.shape
    q = (x @ W[0]).view(B, T, num_heads, -1)
    k = (x @ W[1]).view(B, T, num_kv_heads, -1)
    v = (x @ W[2]).view(B, T, num_kv_heads, -1)
    start = past[0].shape[1] if past is not None else 0
    q, k = rotate(q, start, theta), rotate(k, start, theta)
    if past is not None:
        k = torch.cat([past[0], k], dim=1)
        v = torch.cat([past[1], v], dim=1)
    past = (k, v)
    n_rep = num_heads // num_kv_heads
    q = q.transpose(1, 2)
    k = k.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    v = v.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    if flash and T > 1:
        heads = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    else:
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        scores = scores + torch.full((T, k.shape[2]), float("-inf"), device=x.device).triu(1)
        heads = scores.softmax(dim=-1).to(q.dtype) @ v
    return heads.transpose(1, 2).reshape(B, T, C) @ W[3], past


# --- square_on_the_first_columns
import math

import torch
import torch.nn.functional as F
from torch import Tensor

Past = tuple[Tensor, Tensor]


def rotate(x: Tensor, start: int, theta: float) -> Tensor:
    half = x.shape[3] // 2
    frequency = theta ** (-torch.arange(half, device=x.device).float() / half)  # [Dh/2]
    position = torch.arange(start, start + x.shape[1], device=x.device).float()  # [T]
    angle = torch.outer(position, frequency).unsqueeze(1)  # [T, 1, Dh/2]
    cos, sin = angle.cos(), angle.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)


def prefill(
    x: Tensor,
    W: list[Tensor],
    num_heads: int,
    num_kv_heads: int,
    past: Past | None = None,
    flash: bool = True,
    theta: float = 1e6,
) -> tuple[Tensor, Past]:
    B, T, C = x.shape
    q = (x @ W[0]).view(B, T, num_heads, -1)
    k = (x @ W[1]).view(B, T, num_kv_heads, -1)
    v = (x @ W[2]).view(B, T, num_kv_heads, -1)
    start = past[0].shape[1] if past is not None else 0
    q, k = rotate(q, start, theta), rotate(k, start, theta)
    if past is not None:
        k = torch.cat([past[0], k], dim=1)
        v = torch.cat([past[1], v], dim=1)
    past = (k, v)
    n_rep = num_heads // num_kv_heads
    q = q.transpose(1, 2)
    k = k.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    v = v.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    if flash and start == 0:
        heads = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    else:
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        scores[:, :, :, :T] += torch.full((T, T), float("-inf"), device=x.device).triu(1)
        heads = scores.softmax(dim=-1).to(q.dtype) @ v
    return heads.transpose(1, 2).reshape(B, T, C) @ W[3], past


# --- keys_cut_to_the_chunk
import math

import torch
import torch.nn.functional as F
from torch import Tensor

Past = tuple[Tensor, Tensor]


def rotate(x: Tensor, start: int, theta: float) -> Tensor:
    half = x.shape[3] // 2
    frequency = theta ** (-torch.arange(half, device=x.device).float() / half)  # [Dh/2]
    position = torch.arange(start, start + x.shape[1], device=x.device).float()  # [T]
    angle = torch.outer(position, frequency).unsqueeze(1)  # [T, 1, Dh/2]
    cos, sin = angle.cos(), angle.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)


def prefill(
    x: Tensor,
    W: list[Tensor],
    num_heads: int,
    num_kv_heads: int,
    past: Past | None = None,
    flash: bool = True,
    theta: float = 1e6,
) -> tuple[Tensor, Past]:
    B, T, C = x.shape
    q = (x @ W[0]).view(B, T, num_heads, -1)
    k = (x @ W[1]).view(B, T, num_kv_heads, -1)
    v = (x @ W[2]).view(B, T, num_kv_heads, -1)
    start = past[0].shape[1] if past is not None else 0
    q, k = rotate(q, start, theta), rotate(k, start, theta)
    if past is not None:
        k = torch.cat([past[0], k], dim=1)
        v = torch.cat([past[1], v], dim=1)
    past = (k, v)
    k, v = k[:, -T:], v[:, -T:]
    n_rep = num_heads // num_kv_heads
    q = q.transpose(1, 2)
    k = k.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    v = v.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    if flash and T > 1:
        heads = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    else:
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        scores = scores + torch.full((T, T), float("-inf"), device=x.device).triu(1)
        heads = scores.softmax(dim=-1).to(q.dtype) @ v
    return heads.transpose(1, 2).reshape(B, T, C) @ W[3], past


# --- queries_of_the_whole_text_padded
import math

import torch
import torch.nn.functional as F
from torch import Tensor

Past = tuple[Tensor, Tensor]


def rotate(x: Tensor, start: int, theta: float) -> Tensor:
    half = x.shape[3] // 2
    frequency = theta ** (-torch.arange(half, device=x.device).float() / half)  # [Dh/2]
    position = torch.arange(start, start + x.shape[1], device=x.device).float()  # [T]
    angle = torch.outer(position, frequency).unsqueeze(1)  # [T, 1, Dh/2]
    cos, sin = angle.cos(), angle.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)


def prefill(
    x: Tensor,
    W: list[Tensor],
    num_heads: int,
    num_kv_heads: int,
    past: Past | None = None,
    flash: bool = True,
    theta: float = 1e6,
) -> tuple[Tensor, Past]:
    B, T, C = x.shape
    q = (x @ W[0]).view(B, T, num_heads, -1)
    k = (x @ W[1]).view(B, T, num_kv_heads, -1)
    v = (x @ W[2]).view(B, T, num_kv_heads, -1)
    start = past[0].shape[1] if past is not None else 0
    q, k = rotate(q, start, theta), rotate(k, start, theta)
    if past is not None:
        k = torch.cat([past[0], k], dim=1)
        v = torch.cat([past[1], v], dim=1)
    past = (k, v)
    n_rep = num_heads // num_kv_heads
    q = q.transpose(1, 2)
    k = k.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    v = v.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    S = k.shape[2]
    q = F.pad(q, (0, 0, 0, S - T))
    if flash and T > 1:
        heads = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    else:
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        scores = scores + torch.full((S, S), float("-inf"), device=x.device).triu(1)
        heads = scores.softmax(dim=-1).to(q.dtype) @ v
    heads = heads[:, :, :T]
    return heads.transpose(1, 2).reshape(B, T, C) @ W[3], past


# --- mask_one_too_far
import math

import torch
import torch.nn.functional as F
from torch import Tensor

Past = tuple[Tensor, Tensor]


def rotate(x: Tensor, start: int, theta: float) -> Tensor:
    half = x.shape[3] // 2
    frequency = theta ** (-torch.arange(half, device=x.device).float() / half)  # [Dh/2]
    position = torch.arange(start, start + x.shape[1], device=x.device).float()  # [T]
    angle = torch.outer(position, frequency).unsqueeze(1)  # [T, 1, Dh/2]
    cos, sin = angle.cos(), angle.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)


def prefill(
    x: Tensor,
    W: list[Tensor],
    num_heads: int,
    num_kv_heads: int,
    past: Past | None = None,
    flash: bool = True,
    theta: float = 1e6,
) -> tuple[Tensor, Past]:
    B, T, C = x.shape
    q = (x @ W[0]).view(B, T, num_heads, -1)
    k = (x @ W[1]).view(B, T, num_kv_heads, -1)
    v = (x @ W[2]).view(B, T, num_kv_heads, -1)
    start = past[0].shape[1] if past is not None else 0
    q, k = rotate(q, start, theta), rotate(k, start, theta)
    if past is not None:
        k = torch.cat([past[0], k], dim=1)
        v = torch.cat([past[1], v], dim=1)
    past = (k, v)
    n_rep = num_heads // num_kv_heads
    q = q.transpose(1, 2)
    k = k.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    v = v.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    S = k.shape[2]
    mask = torch.ones(T, S, dtype=torch.bool, device=x.device).tril(S - T + 1)
    if flash and T > 1:
        heads = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    else:
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        scores = scores.masked_fill(~mask, float("-inf"))
        heads = scores.softmax(dim=-1).to(q.dtype) @ v
    return heads.transpose(1, 2).reshape(B, T, C) @ W[3], past


# --- mask_hides_the_token_itself
import math

import torch
import torch.nn.functional as F
from torch import Tensor

Past = tuple[Tensor, Tensor]


def rotate(x: Tensor, start: int, theta: float) -> Tensor:
    half = x.shape[3] // 2
    frequency = theta ** (-torch.arange(half, device=x.device).float() / half)  # [Dh/2]
    position = torch.arange(start, start + x.shape[1], device=x.device).float()  # [T]
    angle = torch.outer(position, frequency).unsqueeze(1)  # [T, 1, Dh/2]
    cos, sin = angle.cos(), angle.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)


def prefill(
    x: Tensor,
    W: list[Tensor],
    num_heads: int,
    num_kv_heads: int,
    past: Past | None = None,
    flash: bool = True,
    theta: float = 1e6,
) -> tuple[Tensor, Past]:
    B, T, C = x.shape
    q = (x @ W[0]).view(B, T, num_heads, -1)
    k = (x @ W[1]).view(B, T, num_kv_heads, -1)
    v = (x @ W[2]).view(B, T, num_kv_heads, -1)
    start = past[0].shape[1] if past is not None else 0
    q, k = rotate(q, start, theta), rotate(k, start, theta)
    if past is not None:
        k = torch.cat([past[0], k], dim=1)
        v = torch.cat([past[1], v], dim=1)
    past = (k, v)
    n_rep = num_heads // num_kv_heads
    q = q.transpose(1, 2)
    k = k.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    v = v.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    S = k.shape[2]
    mask = torch.ones(T, S, dtype=torch.bool, device=x.device).tril(max(S - T - 1, 0))
    if flash and T > 1:
        heads = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    else:
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        scores = scores.masked_fill(~mask, float("-inf"))
        heads = scores.softmax(dim=-1).to(q.dtype) @ v
    return heads.transpose(1, 2).reshape(B, T, C) @ W[3], past


# --- mask_inverted_for_sdpa
import math

import torch
import torch.nn.functional as F
from torch import Tensor

Past = tuple[Tensor, Tensor]


def rotate(x: Tensor, start: int, theta: float) -> Tensor:
    half = x.shape[3] // 2
    frequency = theta ** (-torch.arange(half, device=x.device).float() / half)  # [Dh/2]
    position = torch.arange(start, start + x.shape[1], device=x.device).float()  # [T]
    angle = torch.outer(position, frequency).unsqueeze(1)  # [T, 1, Dh/2]
    cos, sin = angle.cos(), angle.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)


def prefill(
    x: Tensor,
    W: list[Tensor],
    num_heads: int,
    num_kv_heads: int,
    past: Past | None = None,
    flash: bool = True,
    theta: float = 1e6,
) -> tuple[Tensor, Past]:
    B, T, C = x.shape
    q = (x @ W[0]).view(B, T, num_heads, -1)
    k = (x @ W[1]).view(B, T, num_kv_heads, -1)
    v = (x @ W[2]).view(B, T, num_kv_heads, -1)
    start = past[0].shape[1] if past is not None else 0
    q, k = rotate(q, start, theta), rotate(k, start, theta)
    if past is not None:
        k = torch.cat([past[0], k], dim=1)
        v = torch.cat([past[1], v], dim=1)
    past = (k, v)
    n_rep = num_heads // num_kv_heads
    q = q.transpose(1, 2)
    k = k.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    v = v.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    S = k.shape[2]
    mask = torch.ones(T, S, dtype=torch.bool, device=x.device).tril(S - T)
    if flash and T > 1:
        heads = F.scaled_dot_product_attention(q, k, v, attn_mask=~mask)
    else:
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        scores = scores.masked_fill(~mask, float("-inf"))
        heads = scores.softmax(dim=-1).to(q.dtype) @ v
    return heads.transpose(1, 2).reshape(B, T, C) @ W[3], past


# --- mask_as_float_for_sdpa
import math

import torch
import torch.nn.functional as F
from torch import Tensor

Past = tuple[Tensor, Tensor]


def rotate(x: Tensor, start: int, theta: float) -> Tensor:
    half = x.shape[3] // 2
    frequency = theta ** (-torch.arange(half, device=x.device).float() / half)  # [Dh/2]
    position = torch.arange(start, start + x.shape[1], device=x.device).float()  # [T]
    angle = torch.outer(position, frequency).unsqueeze(1)  # [T, 1, Dh/2]
    cos, sin = angle.cos(), angle.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)


def prefill(
    x: Tensor,
    W: list[Tensor],
    num_heads: int,
    num_kv_heads: int,
    past: Past | None = None,
    flash: bool = True,
    theta: float = 1e6,
) -> tuple[Tensor, Past]:
    B, T, C = x.shape
    q = (x @ W[0]).view(B, T, num_heads, -1)
    k = (x @ W[1]).view(B, T, num_kv_heads, -1)
    v = (x @ W[2]).view(B, T, num_kv_heads, -1)
    start = past[0].shape[1] if past is not None else 0
    q, k = rotate(q, start, theta), rotate(k, start, theta)
    if past is not None:
        k = torch.cat([past[0], k], dim=1)
        v = torch.cat([past[1], v], dim=1)
    past = (k, v)
    n_rep = num_heads // num_kv_heads
    q = q.transpose(1, 2)
    k = k.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    v = v.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    S = k.shape[2]
    mask = torch.ones(T, S, dtype=torch.bool, device=x.device).tril(S - T)
    if flash and T > 1:
        heads = F.scaled_dot_product_attention(q, k, v, attn_mask=mask.to(q.dtype))
    else:
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        scores = scores.masked_fill(~mask, float("-inf"))
        heads = scores.softmax(dim=-1).to(q.dtype) @ v
    return heads.transpose(1, 2).reshape(B, T, C) @ W[3], past


# --- mask_and_is_causal
import math

import torch
import torch.nn.functional as F
from torch import Tensor

Past = tuple[Tensor, Tensor]


def rotate(x: Tensor, start: int, theta: float) -> Tensor:
    half = x.shape[3] // 2
    frequency = theta ** (-torch.arange(half, device=x.device).float() / half)  # [Dh/2]
    position = torch.arange(start, start + x.shape[1], device=x.device).float()  # [T]
    angle = torch.outer(position, frequency).unsqueeze(1)  # [T, 1, Dh/2]
    cos, sin = angle.cos(), angle.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)


def prefill(
    x: Tensor,
    W: list[Tensor],
    num_heads: int,
    num_kv_heads: int,
    past: Past | None = None,
    flash: bool = True,
    theta: float = 1e6,
) -> tuple[Tensor, Past]:
    B, T, C = x.shape
    q = (x @ W[0]).view(B, T, num_heads, -1)
    k = (x @ W[1]).view(B, T, num_kv_heads, -1)
    v = (x @ W[2]).view(B, T, num_kv_heads, -1)
    start = past[0].shape[1] if past is not None else 0
    q, k = rotate(q, start, theta), rotate(k, start, theta)
    if past is not None:
        k = torch.cat([past[0], k], dim=1)
        v = torch.cat([past[1], v], dim=1)
    past = (k, v)
    n_rep = num_heads // num_kv_heads
    q = q.transpose(1, 2)
    k = k.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    v = v.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    S = k.shape[2]
    mask = torch.ones(T, S, dtype=torch.bool, device=x.device).tril(S - T)
    if flash and T > 1:
        heads = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, is_causal=True)
    else:
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        scores = scores.masked_fill(~mask, float("-inf"))
        heads = scores.softmax(dim=-1).to(q.dtype) @ v
    return heads.transpose(1, 2).reshape(B, T, C) @ W[3], past


# --- fill_1e9
import math

import torch
import torch.nn.functional as F
from torch import Tensor

Past = tuple[Tensor, Tensor]


def rotate(x: Tensor, start: int, theta: float) -> Tensor:
    half = x.shape[3] // 2
    frequency = theta ** (-torch.arange(half, device=x.device).float() / half)  # [Dh/2]
    position = torch.arange(start, start + x.shape[1], device=x.device).float()  # [T]
    angle = torch.outer(position, frequency).unsqueeze(1)  # [T, 1, Dh/2]
    cos, sin = angle.cos(), angle.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)


def prefill(
    x: Tensor,
    W: list[Tensor],
    num_heads: int,
    num_kv_heads: int,
    past: Past | None = None,
    flash: bool = True,
    theta: float = 1e6,
) -> tuple[Tensor, Past]:
    B, T, C = x.shape
    q = (x @ W[0]).view(B, T, num_heads, -1)
    k = (x @ W[1]).view(B, T, num_kv_heads, -1)
    v = (x @ W[2]).view(B, T, num_kv_heads, -1)
    start = past[0].shape[1] if past is not None else 0
    q, k = rotate(q, start, theta), rotate(k, start, theta)
    if past is not None:
        k = torch.cat([past[0], k], dim=1)
        v = torch.cat([past[1], v], dim=1)
    past = (k, v)
    n_rep = num_heads // num_kv_heads
    q = q.transpose(1, 2)
    k = k.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    v = v.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    S = k.shape[2]
    mask = torch.ones(T, S, dtype=torch.bool, device=x.device).tril(S - T)
    if flash and T > 1:
        heads = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    else:
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        scores = scores.masked_fill(~mask, -1e9)
        heads = scores.softmax(dim=-1).to(q.dtype) @ v
    return heads.transpose(1, 2).reshape(B, T, C) @ W[3], past


# --- fill_zero
import math

import torch
import torch.nn.functional as F
from torch import Tensor

Past = tuple[Tensor, Tensor]


def rotate(x: Tensor, start: int, theta: float) -> Tensor:
    half = x.shape[3] // 2
    frequency = theta ** (-torch.arange(half, device=x.device).float() / half)  # [Dh/2]
    position = torch.arange(start, start + x.shape[1], device=x.device).float()  # [T]
    angle = torch.outer(position, frequency).unsqueeze(1)  # [T, 1, Dh/2]
    cos, sin = angle.cos(), angle.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)


def prefill(
    x: Tensor,
    W: list[Tensor],
    num_heads: int,
    num_kv_heads: int,
    past: Past | None = None,
    flash: bool = True,
    theta: float = 1e6,
) -> tuple[Tensor, Past]:
    B, T, C = x.shape
    q = (x @ W[0]).view(B, T, num_heads, -1)
    k = (x @ W[1]).view(B, T, num_kv_heads, -1)
    v = (x @ W[2]).view(B, T, num_kv_heads, -1)
    start = past[0].shape[1] if past is not None else 0
    q, k = rotate(q, start, theta), rotate(k, start, theta)
    if past is not None:
        k = torch.cat([past[0], k], dim=1)
        v = torch.cat([past[1], v], dim=1)
    past = (k, v)
    n_rep = num_heads // num_kv_heads
    q = q.transpose(1, 2)
    k = k.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    v = v.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    S = k.shape[2]
    mask = torch.ones(T, S, dtype=torch.bool, device=x.device).tril(S - T)
    if flash and T > 1:
        heads = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    else:
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        scores = scores.masked_fill(~mask, 0)
        heads = scores.softmax(dim=-1).to(q.dtype) @ v
    return heads.transpose(1, 2).reshape(B, T, C) @ W[3], past


# --- mask_after_softmax
import math

import torch
import torch.nn.functional as F
from torch import Tensor

Past = tuple[Tensor, Tensor]


def rotate(x: Tensor, start: int, theta: float) -> Tensor:
    half = x.shape[3] // 2
    frequency = theta ** (-torch.arange(half, device=x.device).float() / half)  # [Dh/2]
    position = torch.arange(start, start + x.shape[1], device=x.device).float()  # [T]
    angle = torch.outer(position, frequency).unsqueeze(1)  # [T, 1, Dh/2]
    cos, sin = angle.cos(), angle.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)


def prefill(
    x: Tensor,
    W: list[Tensor],
    num_heads: int,
    num_kv_heads: int,
    past: Past | None = None,
    flash: bool = True,
    theta: float = 1e6,
) -> tuple[Tensor, Past]:
    B, T, C = x.shape
    q = (x @ W[0]).view(B, T, num_heads, -1)
    k = (x @ W[1]).view(B, T, num_kv_heads, -1)
    v = (x @ W[2]).view(B, T, num_kv_heads, -1)
    start = past[0].shape[1] if past is not None else 0
    q, k = rotate(q, start, theta), rotate(k, start, theta)
    if past is not None:
        k = torch.cat([past[0], k], dim=1)
        v = torch.cat([past[1], v], dim=1)
    past = (k, v)
    n_rep = num_heads // num_kv_heads
    q = q.transpose(1, 2)
    k = k.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    v = v.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    S = k.shape[2]
    mask = torch.ones(T, S, dtype=torch.bool, device=x.device).tril(S - T)
    if flash and T > 1:
        heads = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    else:
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        heads = (scores.softmax(dim=-1) * mask).to(q.dtype) @ v
    return heads.transpose(1, 2).reshape(B, T, C) @ W[3], past


# --- mask_on_the_cpu
import math

import torch
import torch.nn.functional as F
from torch import Tensor

Past = tuple[Tensor, Tensor]


def rotate(x: Tensor, start: int, theta: float) -> Tensor:
    half = x.shape[3] // 2
    frequency = theta ** (-torch.arange(half, device=x.device).float() / half)  # [Dh/2]
    position = torch.arange(start, start + x.shape[1], device=x.device).float()  # [T]
    angle = torch.outer(position, frequency).unsqueeze(1)  # [T, 1, Dh/2]
    cos, sin = angle.cos(), angle.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)


def prefill(
    x: Tensor,
    W: list[Tensor],
    num_heads: int,
    num_kv_heads: int,
    past: Past | None = None,
    flash: bool = True,
    theta: float = 1e6,
) -> tuple[Tensor, Past]:
    B, T, C = x.shape
    q = (x @ W[0]).view(B, T, num_heads, -1)
    k = (x @ W[1]).view(B, T, num_kv_heads, -1)
    v = (x @ W[2]).view(B, T, num_kv_heads, -1)
    start = past[0].shape[1] if past is not None else 0
    q, k = rotate(q, start, theta), rotate(k, start, theta)
    if past is not None:
        k = torch.cat([past[0], k], dim=1)
        v = torch.cat([past[1], v], dim=1)
    past = (k, v)
    n_rep = num_heads // num_kv_heads
    q = q.transpose(1, 2)
    k = k.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    v = v.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    S = k.shape[2]
    mask = torch.ones(T, S, dtype=torch.bool).tril(S - T)
    if flash and T > 1:
        heads = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    else:
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        scores = scores.masked_fill(~mask, float("-inf"))
        heads = scores.softmax(dim=-1).to(q.dtype) @ v
    return heads.transpose(1, 2).reshape(B, T, C) @ W[3], past


# --- flash_ignored_and_no_scale
import math

import torch
import torch.nn.functional as F
from torch import Tensor

Past = tuple[Tensor, Tensor]


def rotate(x: Tensor, start: int, theta: float) -> Tensor:
    half = x.shape[3] // 2
    frequency = theta ** (-torch.arange(half, device=x.device).float() / half)  # [Dh/2]
    position = torch.arange(start, start + x.shape[1], device=x.device).float()  # [T]
    angle = torch.outer(position, frequency).unsqueeze(1)  # [T, 1, Dh/2]
    cos, sin = angle.cos(), angle.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)


def prefill(
    x: Tensor,
    W: list[Tensor],
    num_heads: int,
    num_kv_heads: int,
    past: Past | None = None,
    flash: bool = True,
    theta: float = 1e6,
) -> tuple[Tensor, Past]:
    B, T, C = x.shape
    q = (x @ W[0]).view(B, T, num_heads, -1)
    k = (x @ W[1]).view(B, T, num_kv_heads, -1)
    v = (x @ W[2]).view(B, T, num_kv_heads, -1)
    start = past[0].shape[1] if past is not None else 0
    q, k = rotate(q, start, theta), rotate(k, start, theta)
    if past is not None:
        k = torch.cat([past[0], k], dim=1)
        v = torch.cat([past[1], v], dim=1)
    past = (k, v)
    n_rep = num_heads // num_kv_heads
    q = q.transpose(1, 2)
    k = k.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    v = v.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    S = k.shape[2]
    mask = torch.ones(T, S, dtype=torch.bool, device=x.device).tril(S - T)
    scores = (q @ k.transpose(-2, -1)).masked_fill(~mask, float('-inf'))
    heads = scores.softmax(dim=-1) @ v
    return heads.transpose(1, 2).reshape(B, T, C) @ W[3], past


# --- scale_twice_by_hand
import math

import torch
import torch.nn.functional as F
from torch import Tensor

Past = tuple[Tensor, Tensor]


def rotate(x: Tensor, start: int, theta: float) -> Tensor:
    half = x.shape[3] // 2
    frequency = theta ** (-torch.arange(half, device=x.device).float() / half)  # [Dh/2]
    position = torch.arange(start, start + x.shape[1], device=x.device).float()  # [T]
    angle = torch.outer(position, frequency).unsqueeze(1)  # [T, 1, Dh/2]
    cos, sin = angle.cos(), angle.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)


def prefill(
    x: Tensor,
    W: list[Tensor],
    num_heads: int,
    num_kv_heads: int,
    past: Past | None = None,
    flash: bool = True,
    theta: float = 1e6,
) -> tuple[Tensor, Past]:
    B, T, C = x.shape
    q = (x @ W[0]).view(B, T, num_heads, -1)
    k = (x @ W[1]).view(B, T, num_kv_heads, -1)
    v = (x @ W[2]).view(B, T, num_kv_heads, -1)
    start = past[0].shape[1] if past is not None else 0
    q, k = rotate(q, start, theta), rotate(k, start, theta)
    if past is not None:
        k = torch.cat([past[0], k], dim=1)
        v = torch.cat([past[1], v], dim=1)
    past = (k, v)
    n_rep = num_heads // num_kv_heads
    q = q.transpose(1, 2)
    k = k.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    v = v.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    S = k.shape[2]
    mask = torch.ones(T, S, dtype=torch.bool, device=x.device).tril(S - T)
    if flash and T > 1:
        heads = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    else:
        scores = q @ k.transpose(-2, -1) / q.shape[-1]
        scores = scores.masked_fill(~mask, float("-inf"))
        heads = scores.softmax(dim=-1).to(q.dtype) @ v
    return heads.transpose(1, 2).reshape(B, T, C) @ W[3], past


# --- positions_from_zero
import math

import torch
import torch.nn.functional as F
from torch import Tensor

Past = tuple[Tensor, Tensor]


def rotate(x: Tensor, start: int, theta: float) -> Tensor:
    half = x.shape[3] // 2
    frequency = theta ** (-torch.arange(half, device=x.device).float() / half)  # [Dh/2]
    position = torch.arange(start, start + x.shape[1], device=x.device).float()  # [T]
    angle = torch.outer(position, frequency).unsqueeze(1)  # [T, 1, Dh/2]
    cos, sin = angle.cos(), angle.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)


def prefill(
    x: Tensor,
    W: list[Tensor],
    num_heads: int,
    num_kv_heads: int,
    past: Past | None = None,
    flash: bool = True,
    theta: float = 1e6,
) -> tuple[Tensor, Past]:
    B, T, C = x.shape
    q = (x @ W[0]).view(B, T, num_heads, -1)
    k = (x @ W[1]).view(B, T, num_kv_heads, -1)
    v = (x @ W[2]).view(B, T, num_kv_heads, -1)
    start = past[0].shape[1] if past is not None else 0
    q, k = rotate(q, 0, theta), rotate(k, 0, theta)
    if past is not None:
        k = torch.cat([past[0], k], dim=1)
        v = torch.cat([past[1], v], dim=1)
    past = (k, v)
    n_rep = num_heads // num_kv_heads
    q = q.transpose(1, 2)
    k = k.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    v = v.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    S = k.shape[2]
    mask = torch.ones(T, S, dtype=torch.bool, device=x.device).tril(S - T)
    if flash and T > 1:
        heads = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    else:
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        scores = scores.masked_fill(~mask, float("-inf"))
        heads = scores.softmax(dim=-1).to(q.dtype) @ v
    return heads.transpose(1, 2).reshape(B, T, C) @ W[3], past


# --- start_from_the_heads_axis
import math

import torch
import torch.nn.functional as F
from torch import Tensor

Past = tuple[Tensor, Tensor]


def rotate(x: Tensor, start: int, theta: float) -> Tensor:
    half = x.shape[3] // 2
    frequency = theta ** (-torch.arange(half, device=x.device).float() / half)  # [Dh/2]
    position = torch.arange(start, start + x.shape[1], device=x.device).float()  # [T]
    angle = torch.outer(position, frequency).unsqueeze(1)  # [T, 1, Dh/2]
    cos, sin = angle.cos(), angle.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)


def prefill(
    x: Tensor,
    W: list[Tensor],
    num_heads: int,
    num_kv_heads: int,
    past: Past | None = None,
    flash: bool = True,
    theta: float = 1e6,
) -> tuple[Tensor, Past]:
    B, T, C = x.shape
    q = (x @ W[0]).view(B, T, num_heads, -1)
    k = (x @ W[1]).view(B, T, num_kv_heads, -1)
    v = (x @ W[2]).view(B, T, num_kv_heads, -1)
    start = past[0].shape[2] if past is not None else 0
    q, k = rotate(q, start, theta), rotate(k, start, theta)
    if past is not None:
        k = torch.cat([past[0], k], dim=1)
        v = torch.cat([past[1], v], dim=1)
    past = (k, v)
    n_rep = num_heads // num_kv_heads
    q = q.transpose(1, 2)
    k = k.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    v = v.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    S = k.shape[2]
    mask = torch.ones(T, S, dtype=torch.bool, device=x.device).tril(S - T)
    if flash and T > 1:
        heads = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    else:
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        scores = scores.masked_fill(~mask, float("-inf"))
        heads = scores.softmax(dim=-1).to(q.dtype) @ v
    return heads.transpose(1, 2).reshape(B, T, C) @ W[3], past


# --- past_rotated_again
import math

import torch
import torch.nn.functional as F
from torch import Tensor

Past = tuple[Tensor, Tensor]


def rotate(x: Tensor, start: int, theta: float) -> Tensor:
    half = x.shape[3] // 2
    frequency = theta ** (-torch.arange(half, device=x.device).float() / half)  # [Dh/2]
    position = torch.arange(start, start + x.shape[1], device=x.device).float()  # [T]
    angle = torch.outer(position, frequency).unsqueeze(1)  # [T, 1, Dh/2]
    cos, sin = angle.cos(), angle.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)


def prefill(
    x: Tensor,
    W: list[Tensor],
    num_heads: int,
    num_kv_heads: int,
    past: Past | None = None,
    flash: bool = True,
    theta: float = 1e6,
) -> tuple[Tensor, Past]:
    B, T, C = x.shape
    q = (x @ W[0]).view(B, T, num_heads, -1)
    k = (x @ W[1]).view(B, T, num_kv_heads, -1)
    v = (x @ W[2]).view(B, T, num_kv_heads, -1)
    start = past[0].shape[1] if past is not None else 0
    q = rotate(q, start, theta)
    if past is not None:
        k = torch.cat([past[0], k], dim=1)
        v = torch.cat([past[1], v], dim=1)
    k = rotate(k, 0, theta)
    past = (k, v)
    n_rep = num_heads // num_kv_heads
    q = q.transpose(1, 2)
    k = k.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    v = v.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    S = k.shape[2]
    mask = torch.ones(T, S, dtype=torch.bool, device=x.device).tril(S - T)
    if flash and T > 1:
        heads = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    else:
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        scores = scores.masked_fill(~mask, float("-inf"))
        heads = scores.softmax(dim=-1).to(q.dtype) @ v
    return heads.transpose(1, 2).reshape(B, T, C) @ W[3], past


# --- unrotated_past
import math

import torch
import torch.nn.functional as F
from torch import Tensor

Past = tuple[Tensor, Tensor]


def rotate(x: Tensor, start: int, theta: float) -> Tensor:
    half = x.shape[3] // 2
    frequency = theta ** (-torch.arange(half, device=x.device).float() / half)  # [Dh/2]
    position = torch.arange(start, start + x.shape[1], device=x.device).float()  # [T]
    angle = torch.outer(position, frequency).unsqueeze(1)  # [T, 1, Dh/2]
    cos, sin = angle.cos(), angle.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)


def prefill(
    x: Tensor,
    W: list[Tensor],
    num_heads: int,
    num_kv_heads: int,
    past: Past | None = None,
    flash: bool = True,
    theta: float = 1e6,
) -> tuple[Tensor, Past]:
    B, T, C = x.shape
    q = (x @ W[0]).view(B, T, num_heads, -1)
    k = (x @ W[1]).view(B, T, num_kv_heads, -1)
    v = (x @ W[2]).view(B, T, num_kv_heads, -1)
    start = past[0].shape[1] if past is not None else 0
    q = rotate(q, start, theta)
    if past is not None:
        k = torch.cat([past[0], k], dim=1)
        v = torch.cat([past[1], v], dim=1)
    past = (k, v)
    k = rotate(k, 0, theta)
    n_rep = num_heads // num_kv_heads
    q = q.transpose(1, 2)
    k = k.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    v = v.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    S = k.shape[2]
    mask = torch.ones(T, S, dtype=torch.bool, device=x.device).tril(S - T)
    if flash and T > 1:
        heads = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    else:
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        scores = scores.masked_fill(~mask, float("-inf"))
        heads = scores.softmax(dim=-1).to(q.dtype) @ v
    return heads.transpose(1, 2).reshape(B, T, C) @ W[3], past


# --- new_in_front
import math

import torch
import torch.nn.functional as F
from torch import Tensor

Past = tuple[Tensor, Tensor]


def rotate(x: Tensor, start: int, theta: float) -> Tensor:
    half = x.shape[3] // 2
    frequency = theta ** (-torch.arange(half, device=x.device).float() / half)  # [Dh/2]
    position = torch.arange(start, start + x.shape[1], device=x.device).float()  # [T]
    angle = torch.outer(position, frequency).unsqueeze(1)  # [T, 1, Dh/2]
    cos, sin = angle.cos(), angle.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)


def prefill(
    x: Tensor,
    W: list[Tensor],
    num_heads: int,
    num_kv_heads: int,
    past: Past | None = None,
    flash: bool = True,
    theta: float = 1e6,
) -> tuple[Tensor, Past]:
    B, T, C = x.shape
    q = (x @ W[0]).view(B, T, num_heads, -1)
    k = (x @ W[1]).view(B, T, num_kv_heads, -1)
    v = (x @ W[2]).view(B, T, num_kv_heads, -1)
    start = past[0].shape[1] if past is not None else 0
    q, k = rotate(q, start, theta), rotate(k, start, theta)
    if past is not None:
        k = torch.cat([k, past[0]], dim=1)
        v = torch.cat([v, past[1]], dim=1)
    past = (k, v)
    n_rep = num_heads // num_kv_heads
    q = q.transpose(1, 2)
    k = k.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    v = v.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    S = k.shape[2]
    mask = torch.ones(T, S, dtype=torch.bool, device=x.device).tril(S - T)
    if flash and T > 1:
        heads = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    else:
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        scores = scores.masked_fill(~mask, float("-inf"))
        heads = scores.softmax(dim=-1).to(q.dtype) @ v
    return heads.transpose(1, 2).reshape(B, T, C) @ W[3], past


# --- new_keys_in_front
import math

import torch
import torch.nn.functional as F
from torch import Tensor

Past = tuple[Tensor, Tensor]


def rotate(x: Tensor, start: int, theta: float) -> Tensor:
    half = x.shape[3] // 2
    frequency = theta ** (-torch.arange(half, device=x.device).float() / half)  # [Dh/2]
    position = torch.arange(start, start + x.shape[1], device=x.device).float()  # [T]
    angle = torch.outer(position, frequency).unsqueeze(1)  # [T, 1, Dh/2]
    cos, sin = angle.cos(), angle.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)


def prefill(
    x: Tensor,
    W: list[Tensor],
    num_heads: int,
    num_kv_heads: int,
    past: Past | None = None,
    flash: bool = True,
    theta: float = 1e6,
) -> tuple[Tensor, Past]:
    B, T, C = x.shape
    q = (x @ W[0]).view(B, T, num_heads, -1)
    k = (x @ W[1]).view(B, T, num_kv_heads, -1)
    v = (x @ W[2]).view(B, T, num_kv_heads, -1)
    start = past[0].shape[1] if past is not None else 0
    q, k = rotate(q, start, theta), rotate(k, start, theta)
    if past is not None:
        k = torch.cat([k, past[0]], dim=1)
        v = torch.cat([past[1], v], dim=1)
    past = (k, v)
    n_rep = num_heads // num_kv_heads
    q = q.transpose(1, 2)
    k = k.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    v = v.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    S = k.shape[2]
    mask = torch.ones(T, S, dtype=torch.bool, device=x.device).tril(S - T)
    if flash and T > 1:
        heads = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    else:
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        scores = scores.masked_fill(~mask, float("-inf"))
        heads = scores.softmax(dim=-1).to(q.dtype) @ v
    return heads.transpose(1, 2).reshape(B, T, C) @ W[3], past


# --- returns_repeated
import math

import torch
import torch.nn.functional as F
from torch import Tensor

Past = tuple[Tensor, Tensor]


def rotate(x: Tensor, start: int, theta: float) -> Tensor:
    half = x.shape[3] // 2
    frequency = theta ** (-torch.arange(half, device=x.device).float() / half)  # [Dh/2]
    position = torch.arange(start, start + x.shape[1], device=x.device).float()  # [T]
    angle = torch.outer(position, frequency).unsqueeze(1)  # [T, 1, Dh/2]
    cos, sin = angle.cos(), angle.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)


def prefill(
    x: Tensor,
    W: list[Tensor],
    num_heads: int,
    num_kv_heads: int,
    past: Past | None = None,
    flash: bool = True,
    theta: float = 1e6,
) -> tuple[Tensor, Past]:
    B, T, C = x.shape
    q = (x @ W[0]).view(B, T, num_heads, -1)
    k = (x @ W[1]).view(B, T, num_kv_heads, -1)
    v = (x @ W[2]).view(B, T, num_kv_heads, -1)
    start = past[0].shape[1] if past is not None else 0
    q, k = rotate(q, start, theta), rotate(k, start, theta)
    if past is not None:
        k = torch.cat([past[0], k], dim=1)
        v = torch.cat([past[1], v], dim=1)
    n_rep = num_heads // num_kv_heads
    q = q.transpose(1, 2)
    k = k.repeat_interleave(n_rep, dim=2)
    v = v.repeat_interleave(n_rep, dim=2)
    past = (k, v)
    k, v = k.transpose(1, 2), v.transpose(1, 2)
    S = k.shape[2]
    mask = torch.ones(T, S, dtype=torch.bool, device=x.device).tril(S - T)
    if flash and T > 1:
        heads = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    else:
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        scores = scores.masked_fill(~mask, float("-inf"))
        heads = scores.softmax(dim=-1).to(q.dtype) @ v
    return heads.transpose(1, 2).reshape(B, T, C) @ W[3], past


# --- returns_heads_first
import math

import torch
import torch.nn.functional as F
from torch import Tensor

Past = tuple[Tensor, Tensor]


def rotate(x: Tensor, start: int, theta: float) -> Tensor:
    half = x.shape[3] // 2
    frequency = theta ** (-torch.arange(half, device=x.device).float() / half)  # [Dh/2]
    position = torch.arange(start, start + x.shape[1], device=x.device).float()  # [T]
    angle = torch.outer(position, frequency).unsqueeze(1)  # [T, 1, Dh/2]
    cos, sin = angle.cos(), angle.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)


def prefill(
    x: Tensor,
    W: list[Tensor],
    num_heads: int,
    num_kv_heads: int,
    past: Past | None = None,
    flash: bool = True,
    theta: float = 1e6,
) -> tuple[Tensor, Past]:
    B, T, C = x.shape
    q = (x @ W[0]).view(B, T, num_heads, -1)
    k = (x @ W[1]).view(B, T, num_kv_heads, -1)
    v = (x @ W[2]).view(B, T, num_kv_heads, -1)
    start = past[0].shape[1] if past is not None else 0
    q, k = rotate(q, start, theta), rotate(k, start, theta)
    if past is not None:
        k = torch.cat([past[0], k], dim=1)
        v = torch.cat([past[1], v], dim=1)
    past = (k, v)
    n_rep = num_heads // num_kv_heads
    q = q.transpose(1, 2)
    k = k.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    v = v.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    past = past[0].transpose(1, 2), past[1].transpose(1, 2)
    S = k.shape[2]
    mask = torch.ones(T, S, dtype=torch.bool, device=x.device).tril(S - T)
    if flash and T > 1:
        heads = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    else:
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        scores = scores.masked_fill(~mask, float("-inf"))
        heads = scores.softmax(dim=-1).to(q.dtype) @ v
    return heads.transpose(1, 2).reshape(B, T, C) @ W[3], past


# --- returns_the_chunk_only
import math

import torch
import torch.nn.functional as F
from torch import Tensor

Past = tuple[Tensor, Tensor]


def rotate(x: Tensor, start: int, theta: float) -> Tensor:
    half = x.shape[3] // 2
    frequency = theta ** (-torch.arange(half, device=x.device).float() / half)  # [Dh/2]
    position = torch.arange(start, start + x.shape[1], device=x.device).float()  # [T]
    angle = torch.outer(position, frequency).unsqueeze(1)  # [T, 1, Dh/2]
    cos, sin = angle.cos(), angle.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)


def prefill(
    x: Tensor,
    W: list[Tensor],
    num_heads: int,
    num_kv_heads: int,
    past: Past | None = None,
    flash: bool = True,
    theta: float = 1e6,
) -> tuple[Tensor, Past]:
    B, T, C = x.shape
    q = (x @ W[0]).view(B, T, num_heads, -1)
    k = (x @ W[1]).view(B, T, num_kv_heads, -1)
    v = (x @ W[2]).view(B, T, num_kv_heads, -1)
    start = past[0].shape[1] if past is not None else 0
    q, k = rotate(q, start, theta), rotate(k, start, theta)
    new = (k, v)
    if past is not None:
        k = torch.cat([past[0], k], dim=1)
        v = torch.cat([past[1], v], dim=1)
    past = new
    n_rep = num_heads // num_kv_heads
    q = q.transpose(1, 2)
    k = k.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    v = v.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    S = k.shape[2]
    mask = torch.ones(T, S, dtype=torch.bool, device=x.device).tril(S - T)
    if flash and T > 1:
        heads = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    else:
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        scores = scores.masked_fill(~mask, float("-inf"))
        heads = scores.softmax(dim=-1).to(q.dtype) @ v
    return heads.transpose(1, 2).reshape(B, T, C) @ W[3], past


# --- tiled
import math

import torch
import torch.nn.functional as F
from torch import Tensor

Past = tuple[Tensor, Tensor]


def rotate(x: Tensor, start: int, theta: float) -> Tensor:
    half = x.shape[3] // 2
    frequency = theta ** (-torch.arange(half, device=x.device).float() / half)  # [Dh/2]
    position = torch.arange(start, start + x.shape[1], device=x.device).float()  # [T]
    angle = torch.outer(position, frequency).unsqueeze(1)  # [T, 1, Dh/2]
    cos, sin = angle.cos(), angle.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)


def prefill(
    x: Tensor,
    W: list[Tensor],
    num_heads: int,
    num_kv_heads: int,
    past: Past | None = None,
    flash: bool = True,
    theta: float = 1e6,
) -> tuple[Tensor, Past]:
    B, T, C = x.shape
    q = (x @ W[0]).view(B, T, num_heads, -1)
    k = (x @ W[1]).view(B, T, num_kv_heads, -1)
    v = (x @ W[2]).view(B, T, num_kv_heads, -1)
    start = past[0].shape[1] if past is not None else 0
    q, k = rotate(q, start, theta), rotate(k, start, theta)
    if past is not None:
        k = torch.cat([past[0], k], dim=1)
        v = torch.cat([past[1], v], dim=1)
    past = (k, v)
    n_rep = num_heads // num_kv_heads
    q = q.transpose(1, 2)
    k = k.repeat(1, 1, n_rep, 1).transpose(1, 2)
    v = v.repeat(1, 1, n_rep, 1).transpose(1, 2)
    S = k.shape[2]
    mask = torch.ones(T, S, dtype=torch.bool, device=x.device).tril(S - T)
    if flash and T > 1:
        heads = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    else:
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        scores = scores.masked_fill(~mask, float("-inf"))
        heads = scores.softmax(dim=-1).to(q.dtype) @ v
    return heads.transpose(1, 2).reshape(B, T, C) @ W[3], past


# --- merge_view
import math

import torch
import torch.nn.functional as F
from torch import Tensor

Past = tuple[Tensor, Tensor]


def rotate(x: Tensor, start: int, theta: float) -> Tensor:
    half = x.shape[3] // 2
    frequency = theta ** (-torch.arange(half, device=x.device).float() / half)  # [Dh/2]
    position = torch.arange(start, start + x.shape[1], device=x.device).float()  # [T]
    angle = torch.outer(position, frequency).unsqueeze(1)  # [T, 1, Dh/2]
    cos, sin = angle.cos(), angle.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)


def prefill(
    x: Tensor,
    W: list[Tensor],
    num_heads: int,
    num_kv_heads: int,
    past: Past | None = None,
    flash: bool = True,
    theta: float = 1e6,
) -> tuple[Tensor, Past]:
    B, T, C = x.shape
    q = (x @ W[0]).view(B, T, num_heads, -1)
    k = (x @ W[1]).view(B, T, num_kv_heads, -1)
    v = (x @ W[2]).view(B, T, num_kv_heads, -1)
    start = past[0].shape[1] if past is not None else 0
    q, k = rotate(q, start, theta), rotate(k, start, theta)
    if past is not None:
        k = torch.cat([past[0], k], dim=1)
        v = torch.cat([past[1], v], dim=1)
    past = (k, v)
    n_rep = num_heads // num_kv_heads
    q = q.transpose(1, 2)
    k = k.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    v = v.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    S = k.shape[2]
    mask = torch.ones(T, S, dtype=torch.bool, device=x.device).tril(S - T)
    if flash and T > 1:
        heads = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    else:
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        scores = scores.masked_fill(~mask, float("-inf"))
        heads = scores.softmax(dim=-1).to(q.dtype) @ v
    return heads.transpose(1, 2).view(B, T, C) @ W[3], past


# --- merge_without_transpose
import math

import torch
import torch.nn.functional as F
from torch import Tensor

Past = tuple[Tensor, Tensor]


def rotate(x: Tensor, start: int, theta: float) -> Tensor:
    half = x.shape[3] // 2
    frequency = theta ** (-torch.arange(half, device=x.device).float() / half)  # [Dh/2]
    position = torch.arange(start, start + x.shape[1], device=x.device).float()  # [T]
    angle = torch.outer(position, frequency).unsqueeze(1)  # [T, 1, Dh/2]
    cos, sin = angle.cos(), angle.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)


def prefill(
    x: Tensor,
    W: list[Tensor],
    num_heads: int,
    num_kv_heads: int,
    past: Past | None = None,
    flash: bool = True,
    theta: float = 1e6,
) -> tuple[Tensor, Past]:
    B, T, C = x.shape
    q = (x @ W[0]).view(B, T, num_heads, -1)
    k = (x @ W[1]).view(B, T, num_kv_heads, -1)
    v = (x @ W[2]).view(B, T, num_kv_heads, -1)
    start = past[0].shape[1] if past is not None else 0
    q, k = rotate(q, start, theta), rotate(k, start, theta)
    if past is not None:
        k = torch.cat([past[0], k], dim=1)
        v = torch.cat([past[1], v], dim=1)
    past = (k, v)
    n_rep = num_heads // num_kv_heads
    q = q.transpose(1, 2)
    k = k.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    v = v.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    S = k.shape[2]
    mask = torch.ones(T, S, dtype=torch.bool, device=x.device).tril(S - T)
    if flash and T > 1:
        heads = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    else:
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        scores = scores.masked_fill(~mask, float("-inf"))
        heads = scores.softmax(dim=-1).to(q.dtype) @ v
    return heads.reshape(B, T, C) @ W[3], past


# --- past_extended_in_place
import math

import torch
import torch.nn.functional as F
from torch import Tensor

Past = tuple[Tensor, Tensor]


def rotate(x: Tensor, start: int, theta: float) -> Tensor:
    half = x.shape[3] // 2
    frequency = theta ** (-torch.arange(half, device=x.device).float() / half)  # [Dh/2]
    position = torch.arange(start, start + x.shape[1], device=x.device).float()  # [T]
    angle = torch.outer(position, frequency).unsqueeze(1)  # [T, 1, Dh/2]
    cos, sin = angle.cos(), angle.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)


def prefill(
    x: Tensor,
    W: list[Tensor],
    num_heads: int,
    num_kv_heads: int,
    past: Past | None = None,
    flash: bool = True,
    theta: float = 1e6,
) -> tuple[Tensor, Past]:
    B, T, C = x.shape
    q = (x @ W[0]).view(B, T, num_heads, -1)
    k = (x @ W[1]).view(B, T, num_kv_heads, -1)
    v = (x @ W[2]).view(B, T, num_kv_heads, -1)
    start = past[0].shape[1] if past is not None else 0
    q, k = rotate(q, start, theta), rotate(k, start, theta)
    if past is not None:
        past[0].set_(torch.cat([past[0], k], dim=1))
        past[1].set_(torch.cat([past[1], v], dim=1))
        k, v = past
    past = (k, v)
    n_rep = num_heads // num_kv_heads
    q = q.transpose(1, 2)
    k = k.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    v = v.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    S = k.shape[2]
    mask = torch.ones(T, S, dtype=torch.bool, device=x.device).tril(S - T)
    if flash and T > 1:
        heads = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    else:
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        scores = scores.masked_fill(~mask, float("-inf"))
        heads = scores.softmax(dim=-1).to(q.dtype) @ v
    return heads.transpose(1, 2).reshape(B, T, C) @ W[3], past


# --- mask_kept_by_length
import math

import torch
import torch.nn.functional as F
from torch import Tensor

Past = tuple[Tensor, Tensor]


def rotate(x: Tensor, start: int, theta: float) -> Tensor:
    half = x.shape[3] // 2
    frequency = theta ** (-torch.arange(half, device=x.device).float() / half)  # [Dh/2]
    position = torch.arange(start, start + x.shape[1], device=x.device).float()  # [T]
    angle = torch.outer(position, frequency).unsqueeze(1)  # [T, 1, Dh/2]
    cos, sin = angle.cos(), angle.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)


MASKS = {}


def prefill(
    x: Tensor,
    W: list[Tensor],
    num_heads: int,
    num_kv_heads: int,
    past: Past | None = None,
    flash: bool = True,
    theta: float = 1e6,
) -> tuple[Tensor, Past]:
    B, T, C = x.shape
    q = (x @ W[0]).view(B, T, num_heads, -1)
    k = (x @ W[1]).view(B, T, num_kv_heads, -1)
    v = (x @ W[2]).view(B, T, num_kv_heads, -1)
    start = past[0].shape[1] if past is not None else 0
    q, k = rotate(q, start, theta), rotate(k, start, theta)
    if past is not None:
        k = torch.cat([past[0], k], dim=1)
        v = torch.cat([past[1], v], dim=1)
    past = (k, v)
    n_rep = num_heads // num_kv_heads
    q = q.transpose(1, 2)
    k = k.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    v = v.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    S = k.shape[2]
    if T not in MASKS:
        MASKS[T] = torch.ones(T, S, dtype=torch.bool, device=x.device).tril(S - T)
    mask = MASKS[T]
    if flash and T > 1:
        heads = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    else:
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        scores = scores.masked_fill(~mask, float("-inf"))
        heads = scores.softmax(dim=-1).to(q.dtype) @ v
    return heads.transpose(1, 2).reshape(B, T, C) @ W[3], past


# --- past_in_a_global
import math

import torch
import torch.nn.functional as F
from torch import Tensor

Past = tuple[Tensor, Tensor]


def rotate(x: Tensor, start: int, theta: float) -> Tensor:
    half = x.shape[3] // 2
    frequency = theta ** (-torch.arange(half, device=x.device).float() / half)  # [Dh/2]
    position = torch.arange(start, start + x.shape[1], device=x.device).float()  # [T]
    angle = torch.outer(position, frequency).unsqueeze(1)  # [T, 1, Dh/2]
    cos, sin = angle.cos(), angle.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)


KEPT = None


def prefill(
    x: Tensor,
    W: list[Tensor],
    num_heads: int,
    num_kv_heads: int,
    past: Past | None = None,
    flash: bool = True,
    theta: float = 1e6,
) -> tuple[Tensor, Past]:
    global KEPT
    B, T, C = x.shape
    if past is None and KEPT is not None and KEPT[0].shape[0] == B and KEPT[0].shape[2] == num_kv_heads:
        past = KEPT
    q = (x @ W[0]).view(B, T, num_heads, -1)
    k = (x @ W[1]).view(B, T, num_kv_heads, -1)
    v = (x @ W[2]).view(B, T, num_kv_heads, -1)
    start = past[0].shape[1] if past is not None else 0
    q, k = rotate(q, start, theta), rotate(k, start, theta)
    if past is not None:
        k = torch.cat([past[0], k], dim=1)
        v = torch.cat([past[1], v], dim=1)
    past = (k, v)
    KEPT = past
    n_rep = num_heads // num_kv_heads
    q = q.transpose(1, 2)
    k = k.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    v = v.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    S = k.shape[2]
    mask = torch.ones(T, S, dtype=torch.bool, device=x.device).tril(S - T)
    if flash and T > 1:
        heads = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    else:
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        scores = scores.masked_fill(~mask, float("-inf"))
        heads = scores.softmax(dim=-1).to(q.dtype) @ v
    return heads.transpose(1, 2).reshape(B, T, C) @ W[3], past


# --- no_grad
import math

import torch
import torch.nn.functional as F
from torch import Tensor

Past = tuple[Tensor, Tensor]


def rotate(x: Tensor, start: int, theta: float) -> Tensor:
    half = x.shape[3] // 2
    frequency = theta ** (-torch.arange(half, device=x.device).float() / half)  # [Dh/2]
    position = torch.arange(start, start + x.shape[1], device=x.device).float()  # [T]
    angle = torch.outer(position, frequency).unsqueeze(1)  # [T, 1, Dh/2]
    cos, sin = angle.cos(), angle.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)


@torch.no_grad()
def prefill(
    x: Tensor,
    W: list[Tensor],
    num_heads: int,
    num_kv_heads: int,
    past: Past | None = None,
    flash: bool = True,
    theta: float = 1e6,
) -> tuple[Tensor, Past]:
    B, T, C = x.shape
    q = (x @ W[0]).view(B, T, num_heads, -1)
    k = (x @ W[1]).view(B, T, num_kv_heads, -1)
    v = (x @ W[2]).view(B, T, num_kv_heads, -1)
    start = past[0].shape[1] if past is not None else 0
    q, k = rotate(q, start, theta), rotate(k, start, theta)
    if past is not None:
        k = torch.cat([past[0], k], dim=1)
        v = torch.cat([past[1], v], dim=1)
    past = (k, v)
    n_rep = num_heads // num_kv_heads
    q = q.transpose(1, 2)
    k = k.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    v = v.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    S = k.shape[2]
    mask = torch.ones(T, S, dtype=torch.bool, device=x.device).tril(S - T)
    if flash and T > 1:
        heads = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    else:
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        scores = scores.masked_fill(~mask, float("-inf"))
        heads = scores.softmax(dim=-1).to(q.dtype) @ v
    return heads.transpose(1, 2).reshape(B, T, C) @ W[3], past


# --- float32_result
import math

import torch
import torch.nn.functional as F
from torch import Tensor

Past = tuple[Tensor, Tensor]


def rotate(x: Tensor, start: int, theta: float) -> Tensor:
    half = x.shape[3] // 2
    frequency = theta ** (-torch.arange(half, device=x.device).float() / half)  # [Dh/2]
    position = torch.arange(start, start + x.shape[1], device=x.device).float()  # [T]
    angle = torch.outer(position, frequency).unsqueeze(1)  # [T, 1, Dh/2]
    cos, sin = angle.cos(), angle.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)


def prefill(
    x: Tensor,
    W: list[Tensor],
    num_heads: int,
    num_kv_heads: int,
    past: Past | None = None,
    flash: bool = True,
    theta: float = 1e6,
) -> tuple[Tensor, Past]:
    B, T, C = x.shape
    q = (x @ W[0]).view(B, T, num_heads, -1)
    k = (x @ W[1]).view(B, T, num_kv_heads, -1)
    v = (x @ W[2]).view(B, T, num_kv_heads, -1)
    start = past[0].shape[1] if past is not None else 0
    q, k = rotate(q, start, theta), rotate(k, start, theta)
    if past is not None:
        k = torch.cat([past[0], k], dim=1)
        v = torch.cat([past[1], v], dim=1)
    past = (k, v)
    n_rep = num_heads // num_kv_heads
    q = q.transpose(1, 2)
    k = k.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    v = v.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    S = k.shape[2]
    q, k, v = q.float(), k.float(), v.float()
    mask = torch.ones(T, S, dtype=torch.bool, device=x.device).tril(S - T)
    if flash and T > 1:
        heads = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    else:
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        scores = scores.masked_fill(~mask, float("-inf"))
        heads = scores.softmax(dim=-1).to(q.dtype) @ v
    return heads.transpose(1, 2).reshape(B, T, C) @ W[3].float(), past


# --- squeezed
import math

import torch
import torch.nn.functional as F
from torch import Tensor

Past = tuple[Tensor, Tensor]


def rotate(x: Tensor, start: int, theta: float) -> Tensor:
    half = x.shape[3] // 2
    frequency = theta ** (-torch.arange(half, device=x.device).float() / half)  # [Dh/2]
    position = torch.arange(start, start + x.shape[1], device=x.device).float()  # [T]
    angle = torch.outer(position, frequency).unsqueeze(1)  # [T, 1, Dh/2]
    cos, sin = angle.cos(), angle.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)


def prefill(
    x: Tensor,
    W: list[Tensor],
    num_heads: int,
    num_kv_heads: int,
    past: Past | None = None,
    flash: bool = True,
    theta: float = 1e6,
) -> tuple[Tensor, Past]:
    B, T, C = x.shape
    q = (x @ W[0]).view(B, T, num_heads, -1)
    k = (x @ W[1]).view(B, T, num_kv_heads, -1)
    v = (x @ W[2]).view(B, T, num_kv_heads, -1)
    start = past[0].shape[1] if past is not None else 0
    q, k = rotate(q, start, theta), rotate(k, start, theta)
    if past is not None:
        k = torch.cat([past[0], k], dim=1)
        v = torch.cat([past[1], v], dim=1)
    past = (k, v)
    n_rep = num_heads // num_kv_heads
    q = q.transpose(1, 2)
    k = k.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    v = v.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    S = k.shape[2]
    mask = torch.ones(T, S, dtype=torch.bool, device=x.device).tril(S - T)
    if flash and T > 1:
        heads = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    else:
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        scores = scores.masked_fill(~mask, float("-inf"))
        heads = scores.softmax(dim=-1).to(q.dtype) @ v
    return heads.transpose(1, 2).reshape(B, T, C).squeeze() @ W[3], past


# --- mask_polarity
import math

import torch
import torch.nn.functional as F


def rotate(x, start, theta):
    half = x.shape[3] // 2
    frequency = theta ** (-torch.arange(half, device=x.device).float() / half)
    position = torch.arange(start, start + x.shape[1], device=x.device).float()
    angle = torch.outer(position, frequency).unsqueeze(1)
    cos, sin = angle.cos(), angle.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)


def prefill(x, W, num_heads, num_kv_heads, past=None, flash=True, theta=1e6):
    B, T, C = x.shape
    q = (x @ W[0]).view(B, T, num_heads, -1)
    k = (x @ W[1]).view(B, T, num_kv_heads, -1)
    v = (x @ W[2]).view(B, T, num_kv_heads, -1)
    start = past[0].shape[1] if past is not None else 0
    q, k = rotate(q, start, theta), rotate(k, start, theta)
    if past is not None:
        k = torch.cat([past[0], k], dim=1)
        v = torch.cat([past[1], v], dim=1)
    past = (k, v)
    n_rep = num_heads // num_kv_heads
    q = q.transpose(1, 2)
    k = k.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    v = v.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    S = k.shape[-2]
    mask = torch.ones(T, S, dtype=torch.bool, device=x.device).tril(S - T)
    if flash:
        heads = F.scaled_dot_product_attention(q, k, v, attn_mask=~mask)
    else:
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        scores = scores.masked_fill(~mask, float("-inf"))
        heads = scores.softmax(dim=-1).to(q.dtype) @ v
    return heads.transpose(1, 2).reshape(B, T, C) @ W[3], past


# --- diagonal_of_the_chunk
import math

import torch
import torch.nn.functional as F
from torch import Tensor

Past = tuple[Tensor, Tensor]


def rotate(x: Tensor, start: int, theta: float) -> Tensor:
    """RoPE for x [B, T, H, Dh] at the positions start, start + 1, ...; this function is right.

    对 x [B, T, H, Dh] 施加 RoPE，位置为 start、start + 1、……；这个函数没有问题。
    """
    half = x.shape[3] // 2
    frequency = theta ** (-torch.arange(half, device=x.device).float() / half)  # [Dh/2]
    position = torch.arange(start, start + x.shape[1], device=x.device).float()  # [T]
    angle = torch.outer(position, frequency).unsqueeze(1)  # [T, 1, Dh/2]
    cos, sin = angle.cos(), angle.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)




def _qkv(x, W, num_heads, num_kv_heads, past, theta):
    B, T, C = x.shape
    q = (x @ W[0]).view(B, T, num_heads, -1)
    k = (x @ W[1]).view(B, T, num_kv_heads, -1)
    v = (x @ W[2]).view(B, T, num_kv_heads, -1)
    start = past[0].shape[1] if past is not None else 0
    q, k = rotate(q, start, theta), rotate(k, start, theta)
    if past is not None:
        k = torch.cat([past[0], k], dim=1)
        v = torch.cat([past[1], v], dim=1)
    return q, k, v


def prefill(x, W, num_heads, num_kv_heads, past=None, flash=True, theta=1e6):
    B, T, C = x.shape
    q, k, v = _qkv(x, W, num_heads, num_kv_heads, past, theta)
    later = past is not None
    past = (k, v)
    n_rep = num_heads // num_kv_heads
    q = q.transpose(1, 2)
    k = k.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    v = v.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    S = k.shape[2]
    mask = torch.ones(T, S, dtype=torch.bool, device=x.device).tril(T if later else 0)
    heads = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    return heads.transpose(1, 2).reshape(B, T, C) @ W[3], past


# --- two_slips_1
# slips: the causal mask is off by one, each query sees the next token; scores are scaled by sqrt(C) instead of sqrt(Dh)
import math

import torch
from torch import Tensor

Past = tuple[Tensor, Tensor]


def rotate(x: Tensor, start: int, theta: float) -> Tensor:
    half = x.shape[3] // 2
    frequency = theta ** (-torch.arange(half, device=x.device).float() / half)
    position = torch.arange(start, start + x.shape[1], device=x.device).float()
    angle = torch.outer(position, frequency).unsqueeze(1)
    cos, sin = angle.cos(), angle.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)


def prefill(
    x: Tensor,
    W: list[Tensor],
    num_heads: int,
    num_kv_heads: int,
    past: Past | None = None,
    flash: bool = True,
    theta: float = 1e6,
) -> tuple[Tensor, Past]:
    B, T, C = x.shape
    q = (x @ W[0]).view(B, T, num_heads, -1)
    k = (x @ W[1]).view(B, T, num_kv_heads, -1)
    v = (x @ W[2]).view(B, T, num_kv_heads, -1)
    start = past[0].shape[1] if past is not None else 0
    q, k = rotate(q, start, theta), rotate(k, start, theta)
    if past is not None:
        k = torch.cat([past[0], k], dim=1)
        v = torch.cat([past[1], v], dim=1)
    past = (k, v)
    n_rep = num_heads // num_kv_heads
    q = q.transpose(1, 2)
    k = k.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    v = v.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    # by hand for both values of flash
    total = k.shape[2]
    scores = q @ k.transpose(-2, -1) / math.sqrt(C)
    hidden = torch.ones(T, total, dtype=torch.bool, device=x.device).triu(total - T + 2)
    scores = scores.masked_fill(hidden, float("-inf"))
    heads = scores.softmax(dim=-1).to(q.dtype) @ v
    return heads.transpose(1, 2).reshape(B, T, C) @ W[3], past


# --- two_slips_2
# slips: in the way with flash=False the mask lines up at the top left; only the keys and values of the last chunk are returned
import math

import torch
import torch.nn.functional as F
from torch import Tensor

Past = tuple[Tensor, Tensor]


def rotate(x: Tensor, start: int, theta: float) -> Tensor:
    half = x.shape[3] // 2
    frequency = theta ** (-torch.arange(half, device=x.device).float() / half)
    position = torch.arange(start, start + x.shape[1], device=x.device).float()
    angle = torch.outer(position, frequency).unsqueeze(1)
    cos, sin = angle.cos(), angle.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)


def prefill(x, W, num_heads, num_kv_heads, past=None, flash=True, theta=1e6):
    B, T, C = x.shape
    q = (x @ W[0]).view(B, T, num_heads, -1)
    k = (x @ W[1]).view(B, T, num_kv_heads, -1)
    v = (x @ W[2]).view(B, T, num_kv_heads, -1)
    start = 0 if past is None else past[0].shape[1]
    q, k = rotate(q, start, theta), rotate(k, start, theta)
    new_past = (k, v)
    if past is not None:
        k = torch.cat([past[0], k], dim=1)
        v = torch.cat([past[1], v], dim=1)
    n_rep = num_heads // num_kv_heads
    q = q.transpose(1, 2)
    k = k.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    v = v.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    if flash:
        rows = torch.arange(start, start + T, device=x.device)[:, None]
        cols = torch.arange(start + T, device=x.device)[None, :]
        heads = F.scaled_dot_product_attention(q, k, v, attn_mask=cols <= rows)
    else:
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        scores = scores + torch.full((T, start + T), float("-inf"), device=x.device, dtype=scores.dtype).triu(1)
        heads = scores.softmax(dim=-1).to(q.dtype) @ v
    return heads.transpose(1, 2).reshape(B, T, C) @ W[3], new_past


# --- two_slips_3
# slips: the new mask is a triangle without the offset of the cached keys; F.scaled_dot_product_attention gets it upside down, with True for hidden
import math

import torch
import torch.nn.functional as F
from torch import Tensor

Past = tuple[Tensor, Tensor]


def rotate(x: Tensor, start: int, theta: float) -> Tensor:
    half = x.shape[3] // 2
    frequency = theta ** (-torch.arange(half, device=x.device).float() / half)  # [Dh/2]
    position = torch.arange(start, start + x.shape[1], device=x.device).float()  # [T]
    angle = torch.outer(position, frequency).unsqueeze(1)  # [T, 1, Dh/2]
    cos, sin = angle.cos(), angle.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)


def prefill(
    x: Tensor,
    W: list[Tensor],
    num_heads: int,
    num_kv_heads: int,
    past: Past | None = None,
    flash: bool = True,
    theta: float = 1e6,
) -> tuple[Tensor, Past]:
    B, T, C = x.shape
    q = (x @ W[0]).view(B, T, num_heads, -1)
    k = (x @ W[1]).view(B, T, num_kv_heads, -1)
    v = (x @ W[2]).view(B, T, num_kv_heads, -1)
    start = past[0].shape[1] if past is not None else 0
    q, k = rotate(q, start, theta), rotate(k, start, theta)
    if past is not None:
        k = torch.cat([past[0], k], dim=1)
        v = torch.cat([past[1], v], dim=1)
    past = (k, v)
    n_rep = num_heads // num_kv_heads
    q = q.transpose(1, 2)
    k = k.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    v = v.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    hidden = torch.ones(T, k.shape[2], dtype=torch.bool, device=x.device).triu(1)
    if flash:
        heads = F.scaled_dot_product_attention(q, k, v, attn_mask=hidden)
    else:
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        scores = scores.masked_fill(hidden, float("-inf"))
        heads = scores.softmax(dim=-1).to(q.dtype) @ v
    return heads.transpose(1, 2).reshape(B, T, C) @ W[3], past


# --- two_slips_4
# slips: with flash a later chunk gets no mask at all, so it sees its own future; by hand the triangle begins one key too late and shows the next token
import math

import torch
import torch.nn.functional as F
from torch import Tensor

Past = tuple[Tensor, Tensor]


def rotate(x: Tensor, start: int, theta: float) -> Tensor:
    """RoPE for x [B, T, H, Dh] at the positions start, start + 1, ...; this function is right."""
    half = x.shape[3] // 2
    frequency = theta ** (-torch.arange(half, device=x.device).float() / half)  # [Dh/2]
    position = torch.arange(start, start + x.shape[1], device=x.device).float()  # [T]
    angle = torch.outer(position, frequency).unsqueeze(1)  # [T, 1, Dh/2]
    cos, sin = angle.cos(), angle.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)


def prefill(
    x: Tensor,
    W: list[Tensor],
    num_heads: int,
    num_kv_heads: int,
    past: Past | None = None,
    flash: bool = True,
    theta: float = 1e6,
) -> tuple[Tensor, Past]:
    B, T, C = x.shape
    q = (x @ W[0]).view(B, T, num_heads, -1)
    k = (x @ W[1]).view(B, T, num_kv_heads, -1)
    v = (x @ W[2]).view(B, T, num_kv_heads, -1)
    first = past is None
    start = 0 if first else past[0].shape[1]
    q, k = rotate(q, start, theta), rotate(k, start, theta)
    if not first:
        k = torch.cat([past[0], k], dim=1)
        v = torch.cat([past[1], v], dim=1)
    past = (k, v)
    n_rep = num_heads // num_kv_heads
    q = q.transpose(1, 2)
    k = k.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    v = v.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    if flash and first:
        heads = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    elif flash:
        heads = F.scaled_dot_product_attention(q, k, v)
    else:
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        scores = scores + torch.full((T, start + T), float("-inf"), device=x.device).triu(start + 2)
        heads = scores.softmax(dim=-1).to(q.dtype) @ v
    return heads.transpose(1, 2).reshape(B, T, C) @ W[3], past


# --- two_slips_5
# slips: the past that is returned holds the heads after they were repeated; the rewritten attention by hand has lost its scale
import torch
from torch import Tensor

Past = tuple[Tensor, Tensor]


def rotate(x: Tensor, start: int, theta: float) -> Tensor:
    half = x.shape[3] // 2
    frequency = theta ** (-torch.arange(half, device=x.device).float() / half)
    position = torch.arange(start, start + x.shape[1], device=x.device).float()
    angle = torch.outer(position, frequency).unsqueeze(1)
    cos, sin = angle.cos(), angle.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)


def attend(q, k, v):
    """q [B, T, H, Dh], k and v [B, S, H, Dh]; the queries are the last T of S positions."""
    T, S = q.shape[1], k.shape[1]
    scores = torch.einsum("bthd,bshd->bhts", q, k)
    i = torch.arange(S - T, S, device=q.device)
    j = torch.arange(S, device=q.device)
    scores = scores.masked_fill(j[None, :] > i[:, None], float("-inf"))
    return torch.einsum("bhts,bshd->bthd", scores.softmax(dim=-1), v)


def prefill(
    x: Tensor,
    W: list[Tensor],
    num_heads: int,
    num_kv_heads: int,
    past: Past | None = None,
    flash: bool = True,
    theta: float = 1e6,
) -> tuple[Tensor, Past]:
    # flash is not needed any more, both ways are the same now
    B, T, C = x.shape
    q = (x @ W[0]).view(B, T, num_heads, -1)
    k = (x @ W[1]).view(B, T, num_kv_heads, -1)
    v = (x @ W[2]).view(B, T, num_kv_heads, -1)
    n_rep = num_heads // num_kv_heads
    start = past[0].shape[1] if past is not None else 0
    q, k = rotate(q, start, theta), rotate(k, start, theta)
    k = k.repeat_interleave(n_rep, dim=2)
    v = v.repeat_interleave(n_rep, dim=2)
    if past is not None:
        k = torch.cat([past[0], k], dim=1)
        v = torch.cat([past[1], v], dim=1)
    out = attend(q, k, v)
    return out.reshape(B, T, C) @ W[3], (k, v)


# --- two_slips_6
import math

import torch
import torch.nn.functional as F


def rotate(x, start, theta):
    half = x.shape[3] // 2
    freq = theta ** (-torch.arange(half, device=x.device).float() / half)
    pos = torch.arange(start, start + x.shape[1], device=x.device).float()
    ang = torch.outer(pos, freq).unsqueeze(1)
    c, s = ang.cos(), ang.sin()
    a, b = x[..., :half], x[..., half:]
    return torch.cat([a * c - b * s, b * c + a * s], dim=-1).to(x.dtype)


def prefill(x, W, num_heads, num_kv_heads, past=None, flash=True, theta=1e6):
    B, T, C = x.shape
    q = (x @ W[0]).view(B, T, num_heads, -1)
    k = (x @ W[1]).view(B, T, num_kv_heads, -1)
    v = (x @ W[2]).view(B, T, num_kv_heads, -1)
    start = 0 if past is None else past[0].shape[1]
    q, k = rotate(q, start, theta), rotate(k, start, theta)
    if past is not None:
        k, v = torch.cat([past[0], k], dim=1), torch.cat([past[1], v], dim=1)
    new_past = (k, v)
    rep = num_heads // num_kv_heads
    q = q.transpose(1, 2)
    k = k.repeat_interleave(rep, dim=2).transpose(1, 2)
    v = v.repeat_interleave(rep, dim=2).transpose(1, 2)
    S = k.shape[2]
    mask = torch.ones(T, S, dtype=torch.bool, device=x.device).tril(S - T)
    if flash:
        if T > 1:
            heads = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        else:
            heads = F.scaled_dot_product_attention(q, k, v)
    else:
        scores = q @ k.transpose(-2, -1)
        scores = scores.masked_fill(~mask, float("-inf"))
        heads = scores.softmax(dim=-1) @ v
    return heads.transpose(1, 2).reshape(B, T, C) @ W[3], new_past


# --- the_mask_hides_cached_tokens_further_back
import math

import torch
import torch.nn.functional as F
from torch import Tensor

Past = tuple[Tensor, Tensor]


def rotate(x: Tensor, start: int, theta: float) -> Tensor:
    half = x.shape[3] // 2
    frequency = theta ** (-torch.arange(half, device=x.device).float() / half)
    position = torch.arange(start, start + x.shape[1], device=x.device).float()
    angle = torch.outer(position, frequency).unsqueeze(1)
    cos, sin = angle.cos(), angle.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)


def prefill(
    x: Tensor, W: list[Tensor], num_heads: int, num_kv_heads: int, past: Past | None = None, flash: bool = True,
    theta: float = 1e6,
) -> tuple[Tensor, Past]:
    B, T, C = x.shape
    q = (x @ W[0]).view(B, T, num_heads, -1)
    k = (x @ W[1]).view(B, T, num_kv_heads, -1)
    v = (x @ W[2]).view(B, T, num_kv_heads, -1)
    start = past[0].shape[1] if past is not None else 0
    q, k = rotate(q, start, theta), rotate(k, start, theta)
    if past is not None:
        k = torch.cat([past[0], k], dim=1)
        v = torch.cat([past[1], v], dim=1)
    past = (k, v)
    n_rep = num_heads // num_kv_heads
    q = q.transpose(1, 2)
    k = k.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    v = v.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    i = torch.arange(T, device=x.device)[:, None]
    j = torch.arange(start + T, device=x.device)[None, :]
    allowed = (j <= i + start) & (j >= start - T)
    if flash:
        heads = F.scaled_dot_product_attention(q, k, v, attn_mask=allowed)
    else:
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        scores = scores.masked_fill(~allowed, float("-inf"))
        heads = scores.softmax(dim=-1).to(q.dtype) @ v
    return heads.transpose(1, 2).reshape(B, T, C) @ W[3], past
