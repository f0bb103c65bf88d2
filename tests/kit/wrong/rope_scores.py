"""Wrong files for rope_scores, each a whole submission as somebody might hand it in."""


# --- no_refusal_and_exponent_halved
import math

import torch


def rotate(x, positions, theta=10000.0):
    half = x.shape[-1] // 2
    freqs = theta ** (-torch.arange(half, device=x.device).float() / x.shape[-1])
    angles = positions.float()[:, None] * freqs
    cos, sin = angles.cos(), angles.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1).to(x.dtype)


def rope_scores(q, k, length, theta=10000.0):
    positions = torch.arange(length, device=q.device)
    qs = rotate(q.expand(length, -1), positions, theta)
    ks = rotate(k.expand(length, -1), positions, theta)
    return qs @ ks.T


def rotated_attention(q, k, v, start=0, rotate_values=False, theta=10000.0):
    positions = torch.arange(start, start + q.shape[-2], device=q.device)
    q, k = rotate(q, positions, theta), rotate(k, positions, theta)
    if rotate_values:
        v = rotate(v, positions, theta)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return torch.softmax(scores, -1) @ v


# --- no_refusal_and_backwards
import math

import torch


def rotate(x, positions, theta=10000.0):
    half = x.shape[-1] // 2
    freqs = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angles = positions.float()[:, None] * freqs
    cos, sin = angles.cos(), angles.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos + x2 * sin, x2 * cos - x1 * sin], -1).to(x.dtype)


def rope_scores(q, k, length, theta=10000.0):
    positions = torch.arange(length, device=q.device)
    qs = rotate(q.expand(length, -1), positions, theta)
    ks = rotate(k.expand(length, -1), positions, theta)
    return qs @ ks.T


def rotated_attention(q, k, v, start=0, rotate_values=False, theta=10000.0):
    positions = torch.arange(start, start + q.shape[-2], device=q.device)
    q, k = rotate(q, positions, theta), rotate(k, positions, theta)
    if rotate_values:
        v = rotate(v, positions, theta)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return torch.softmax(scores, -1) @ v


# --- neighbours
import math

import torch


def rotate(x, positions, theta=10000.0):
    half = x.shape[-1] // 2
    if x.shape[-1] % 2:
        raise ValueError("odd number of channels")
    freqs = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angles = positions.float()[:, None] * freqs
    cos, sin = angles.cos(), angles.sin()
    x1, x2 = x[..., ::2], x[..., 1::2]
    return torch.stack([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1).flatten(-2).to(x.dtype)


def rope_scores(q, k, length, theta=10000.0):
    positions = torch.arange(length, device=q.device)
    qs = rotate(q.expand(length, -1), positions, theta)
    ks = rotate(k.expand(length, -1), positions, theta)
    return qs @ ks.T


def rotated_attention(q, k, v, start=0, rotate_values=False, theta=10000.0):
    positions = torch.arange(start, start + q.shape[-2], device=q.device)
    q, k = rotate(q, positions, theta), rotate(k, positions, theta)
    if rotate_values:
        v = rotate(v, positions, theta)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return torch.softmax(scores, -1) @ v


# --- neighbours_put_side_by_side
import math

import torch


def rotate(x, positions, theta=10000.0):
    half = x.shape[-1] // 2
    if x.shape[-1] % 2:
        raise ValueError("odd number of channels")
    freqs = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angles = positions.float()[:, None] * freqs
    cos, sin = angles.cos(), angles.sin()
    x1, x2 = x[..., ::2], x[..., 1::2]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1).to(x.dtype)


def rope_scores(q, k, length, theta=10000.0):
    positions = torch.arange(length, device=q.device)
    qs = rotate(q.expand(length, -1), positions, theta)
    ks = rotate(k.expand(length, -1), positions, theta)
    return qs @ ks.T


def rotated_attention(q, k, v, start=0, rotate_values=False, theta=10000.0):
    positions = torch.arange(start, start + q.shape[-2], device=q.device)
    q, k = rotate(q, positions, theta), rotate(k, positions, theta)
    if rotate_values:
        v = rotate(v, positions, theta)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return torch.softmax(scores, -1) @ v


# --- positive_exponent
import math

import torch


def rotate(x, positions, theta=10000.0):
    half = x.shape[-1] // 2
    if x.shape[-1] % 2:
        raise ValueError("odd number of channels")
    freqs = theta ** (2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angles = positions.float()[:, None] * freqs
    cos, sin = angles.cos(), angles.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1).to(x.dtype)


def rope_scores(q, k, length, theta=10000.0):
    positions = torch.arange(length, device=q.device)
    qs = rotate(q.expand(length, -1), positions, theta)
    ks = rotate(k.expand(length, -1), positions, theta)
    return qs @ ks.T


def rotated_attention(q, k, v, start=0, rotate_values=False, theta=10000.0):
    positions = torch.arange(start, start + q.shape[-2], device=q.device)
    q, k = rotate(q, positions, theta), rotate(k, positions, theta)
    if rotate_values:
        v = rotate(v, positions, theta)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return torch.softmax(scores, -1) @ v


# --- theta_not_passed_on
import math

import torch


def rotate(x, positions, theta=10000.0):
    half = x.shape[-1] // 2
    if x.shape[-1] % 2:
        raise ValueError("odd number of channels")
    freqs = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angles = positions.float()[:, None] * freqs
    cos, sin = angles.cos(), angles.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1).to(x.dtype)


def rope_scores(q, k, length, theta=10000.0):
    positions = torch.arange(length, device=q.device)
    qs = rotate(q.expand(length, -1), positions)
    ks = rotate(k.expand(length, -1), positions)
    return qs @ ks.T


def rotated_attention(q, k, v, start=0, rotate_values=False, theta=10000.0):
    positions = torch.arange(start, start + q.shape[-2], device=q.device)
    q, k = rotate(q, positions), rotate(k, positions)
    if rotate_values:
        v = rotate(v, positions)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return torch.softmax(scores, -1) @ v


# --- rows_for_positions
import math

import torch


def rotate(x, positions, theta=10000.0):
    half = x.shape[-1] // 2
    if x.shape[-1] % 2:
        raise ValueError("odd number of channels")
    freqs = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angles = torch.arange(x.shape[-2], device=x.device).float()[:, None] * freqs
    cos, sin = angles.cos(), angles.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1).to(x.dtype)


def rope_scores(q, k, length, theta=10000.0):
    positions = torch.arange(length, device=q.device)
    qs = rotate(q.expand(length, -1), positions, theta)
    ks = rotate(k.expand(length, -1), positions, theta)
    return qs @ ks.T


def rotated_attention(q, k, v, start=0, rotate_values=False, theta=10000.0):
    positions = torch.arange(start, start + q.shape[-2], device=q.device)
    q, k = rotate(q, positions, theta), rotate(k, positions, theta)
    if rotate_values:
        v = rotate(v, positions, theta)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return torch.softmax(scores, -1) @ v


# --- angles_in_own_dtype
import math

import torch


def rotate(x, positions, theta=10000.0):
    half = x.shape[-1] // 2
    if x.shape[-1] % 2:
        raise ValueError("odd number of channels")
    freqs = theta ** (-2 * torch.arange(half, device=x.device).to(x.dtype) / x.shape[-1])
    angles = positions.to(x.dtype)[:, None] * freqs
    cos, sin = angles.cos(), angles.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1).to(x.dtype)


def rope_scores(q, k, length, theta=10000.0):
    positions = torch.arange(length, device=q.device)
    qs = rotate(q.expand(length, -1), positions, theta)
    ks = rotate(k.expand(length, -1), positions, theta)
    return qs @ ks.T


def rotated_attention(q, k, v, start=0, rotate_values=False, theta=10000.0):
    positions = torch.arange(start, start + q.shape[-2], device=q.device)
    q, k = rotate(q, positions, theta), rotate(k, positions, theta)
    if rotate_values:
        v = rotate(v, positions, theta)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return torch.softmax(scores, -1) @ v


# --- float32_result
import math

import torch


def rotate(x, positions, theta=10000.0):
    half = x.shape[-1] // 2
    if x.shape[-1] % 2:
        raise ValueError("odd number of channels")
    freqs = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angles = positions.float()[:, None] * freqs
    cos, sin = angles.cos(), angles.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)


def rope_scores(q, k, length, theta=10000.0):
    positions = torch.arange(length, device=q.device)
    qs = rotate(q.expand(length, -1), positions, theta)
    ks = rotate(k.expand(length, -1), positions, theta)
    return qs @ ks.T


def rotated_attention(q, k, v, start=0, rotate_values=False, theta=10000.0):
    positions = torch.arange(start, start + q.shape[-2], device=q.device)
    q, k = rotate(q, positions, theta), rotate(k, positions, theta)
    if rotate_values:
        v = rotate(v, positions, theta)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return torch.softmax(scores, -1) @ v


# --- device_forgotten
import math

import torch


def rotate(x, positions, theta=10000.0):
    half = x.shape[-1] // 2
    if x.shape[-1] % 2:
        raise ValueError("odd number of channels")
    freqs = theta ** (-2 * torch.arange(half).float() / x.shape[-1])
    angles = positions.float()[:, None] * freqs
    cos, sin = angles.cos(), angles.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1).to(x.dtype)


def rope_scores(q, k, length, theta=10000.0):
    positions = torch.arange(length, device=q.device)
    qs = rotate(q.expand(length, -1), positions, theta)
    ks = rotate(k.expand(length, -1), positions, theta)
    return qs @ ks.T


def rotated_attention(q, k, v, start=0, rotate_values=False, theta=10000.0):
    positions = torch.arange(start, start + q.shape[-2], device=q.device)
    q, k = rotate(q, positions, theta), rotate(k, positions, theta)
    if rotate_values:
        v = rotate(v, positions, theta)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return torch.softmax(scores, -1) @ v


# --- device_forgotten_in_table
import math

import torch


def rotate(x, positions, theta=10000.0):
    half = x.shape[-1] // 2
    if x.shape[-1] % 2:
        raise ValueError("odd number of channels")
    freqs = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angles = positions.float()[:, None] * freqs
    cos, sin = angles.cos(), angles.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1).to(x.dtype)


def rope_scores(q, k, length, theta=10000.0):
    positions = torch.arange(length)
    qs = rotate(q.expand(length, -1), positions, theta)
    ks = rotate(k.expand(length, -1), positions, theta)
    return qs @ ks.T


def rotated_attention(q, k, v, start=0, rotate_values=False, theta=10000.0):
    positions = torch.arange(start, start + q.shape[-2], device=q.device)
    q, k = rotate(q, positions, theta), rotate(k, positions, theta)
    if rotate_values:
        v = rotate(v, positions, theta)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return torch.softmax(scores, -1) @ v


# --- in_place
import math

import torch


def rotate(x, positions, theta=10000.0):
    half = x.shape[-1] // 2
    if x.shape[-1] % 2:
        raise ValueError("odd number of channels")
    freqs = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angles = positions.float()[:, None] * freqs
    cos, sin = angles.cos(), angles.sin()
    x1, x2 = x[..., :half], x[..., half:]
    a, b = x1 * cos - x2 * sin, x2 * cos + x1 * sin
    x[..., :half] = a
    x[..., half:] = b
    return x


def rope_scores(q, k, length, theta=10000.0):
    positions = torch.arange(length, device=q.device)
    qs = rotate(q.expand(length, -1), positions, theta)
    ks = rotate(k.expand(length, -1), positions, theta)
    return qs @ ks.T


def rotated_attention(q, k, v, start=0, rotate_values=False, theta=10000.0):
    positions = torch.arange(start, start + q.shape[-2], device=q.device)
    q, k = rotate(q, positions, theta), rotate(k, positions, theta)
    if rotate_values:
        v = rotate(v, positions, theta)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return torch.softmax(scores, -1) @ v


# --- overwritten
import math

import torch


def rotate(x, positions, theta=10000.0):
    half = x.shape[-1] // 2
    if x.shape[-1] % 2:
        raise ValueError("odd number of channels")
    freqs = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angles = positions.float()[:, None] * freqs
    cos, sin = angles.cos(), angles.sin()
    x1, x2 = x[..., :half], x[..., half:]
    x1 = x1 * cos - x2 * sin
    x2 = x2 * cos + x1 * sin
    return torch.cat([x1, x2], -1).to(x.dtype)


def rope_scores(q, k, length, theta=10000.0):
    positions = torch.arange(length, device=q.device)
    qs = rotate(q.expand(length, -1), positions, theta)
    ks = rotate(k.expand(length, -1), positions, theta)
    return qs @ ks.T


def rotated_attention(q, k, v, start=0, rotate_values=False, theta=10000.0):
    positions = torch.arange(start, start + q.shape[-2], device=q.device)
    q, k = rotate(q, positions, theta), rotate(k, positions, theta)
    if rotate_values:
        v = rotate(v, positions, theta)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return torch.softmax(scores, -1) @ v


# --- detached
import math

import torch


def rotate(x, positions, theta=10000.0):
    x = x.detach()
    half = x.shape[-1] // 2
    if x.shape[-1] % 2:
        raise ValueError("odd number of channels")
    freqs = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angles = positions.float()[:, None] * freqs
    cos, sin = angles.cos(), angles.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1).to(x.dtype)


def rope_scores(q, k, length, theta=10000.0):
    positions = torch.arange(length, device=q.device)
    qs = rotate(q.expand(length, -1), positions, theta)
    ks = rotate(k.expand(length, -1), positions, theta)
    return qs @ ks.T


def rotated_attention(q, k, v, start=0, rotate_values=False, theta=10000.0):
    positions = torch.arange(start, start + q.shape[-2], device=q.device)
    q, k = rotate(q, positions, theta), rotate(k, positions, theta)
    if rotate_values:
        v = rotate(v, positions, theta)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return torch.softmax(scores, -1) @ v


# --- table_transposed
import math

import torch


def rotate(x, positions, theta=10000.0):
    half = x.shape[-1] // 2
    if x.shape[-1] % 2:
        raise ValueError("odd number of channels")
    freqs = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angles = positions.float()[:, None] * freqs
    cos, sin = angles.cos(), angles.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1).to(x.dtype)


def rope_scores(q, k, length, theta=10000.0):
    positions = torch.arange(length, device=q.device)
    qs = rotate(q.expand(length, -1), positions, theta)
    ks = rotate(k.expand(length, -1), positions, theta)
    return ks @ qs.T


def rotated_attention(q, k, v, start=0, rotate_values=False, theta=10000.0):
    positions = torch.arange(start, start + q.shape[-2], device=q.device)
    q, k = rotate(q, positions, theta), rotate(k, positions, theta)
    if rotate_values:
        v = rotate(v, positions, theta)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return torch.softmax(scores, -1) @ v


# --- table_scaled
import math

import torch


def rotate(x, positions, theta=10000.0):
    half = x.shape[-1] // 2
    if x.shape[-1] % 2:
        raise ValueError("odd number of channels")
    freqs = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angles = positions.float()[:, None] * freqs
    cos, sin = angles.cos(), angles.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1).to(x.dtype)


def rope_scores(q, k, length, theta=10000.0):
    positions = torch.arange(length, device=q.device)
    qs = rotate(q.expand(length, -1), positions, theta)
    ks = rotate(k.expand(length, -1), positions, theta)
    return qs @ ks.T / math.sqrt(len(q))


def rotated_attention(q, k, v, start=0, rotate_values=False, theta=10000.0):
    positions = torch.arange(start, start + q.shape[-2], device=q.device)
    q, k = rotate(q, positions, theta), rotate(k, positions, theta)
    if rotate_values:
        v = rotate(v, positions, theta)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return torch.softmax(scores, -1) @ v


# --- table_only_q
import math

import torch


def rotate(x, positions, theta=10000.0):
    half = x.shape[-1] // 2
    if x.shape[-1] % 2:
        raise ValueError("odd number of channels")
    freqs = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angles = positions.float()[:, None] * freqs
    cos, sin = angles.cos(), angles.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1).to(x.dtype)


def rope_scores(q, k, length, theta=10000.0):
    positions = torch.arange(length, device=q.device)
    qs = rotate(q.expand(length, -1), positions, theta)
    ks = k.expand(length, -1)
    return qs @ ks.T


def rotated_attention(q, k, v, start=0, rotate_values=False, theta=10000.0):
    positions = torch.arange(start, start + q.shape[-2], device=q.device)
    q, k = rotate(q, positions, theta), rotate(k, positions, theta)
    if rotate_values:
        v = rotate(v, positions, theta)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return torch.softmax(scores, -1) @ v


# --- table_absolute_distance
import math

import torch


def rotate(x, positions, theta=10000.0):
    half = x.shape[-1] // 2
    if x.shape[-1] % 2:
        raise ValueError("odd number of channels")
    freqs = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angles = positions.float()[:, None] * freqs
    cos, sin = angles.cos(), angles.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1).to(x.dtype)


def rope_scores(q, k, length, theta=10000.0):
    i = torch.arange(length, device=q.device)
    d = (i[:, None] - i[None]).abs()
    turned = rotate(q.expand(length * length, -1), d.flatten(), theta)
    return (turned @ k).reshape(length, length)


def rotated_attention(q, k, v, start=0, rotate_values=False, theta=10000.0):
    positions = torch.arange(start, start + q.shape[-2], device=q.device)
    q, k = rotate(q, positions, theta), rotate(k, positions, theta)
    if rotate_values:
        v = rotate(v, positions, theta)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return torch.softmax(scores, -1) @ v


# --- table_from_position_1_for_q
import math

import torch


def rotate(x, positions, theta=10000.0):
    half = x.shape[-1] // 2
    if x.shape[-1] % 2:
        raise ValueError("odd number of channels")
    freqs = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angles = positions.float()[:, None] * freqs
    cos, sin = angles.cos(), angles.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1).to(x.dtype)


def rope_scores(q, k, length, theta=10000.0):
    positions = torch.arange(length, device=q.device)
    qs = rotate(q.expand(length, -1), positions + 1, theta)
    ks = rotate(k.expand(length, -1), positions, theta)
    return qs @ ks.T


def rotated_attention(q, k, v, start=0, rotate_values=False, theta=10000.0):
    positions = torch.arange(start, start + q.shape[-2], device=q.device)
    q, k = rotate(q, positions, theta), rotate(k, positions, theta)
    if rotate_values:
        v = rotate(v, positions, theta)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return torch.softmax(scores, -1) @ v


# --- start_ignored
import math

import torch


def rotate(x, positions, theta=10000.0):
    half = x.shape[-1] // 2
    if x.shape[-1] % 2:
        raise ValueError("odd number of channels")
    freqs = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angles = positions.float()[:, None] * freqs
    cos, sin = angles.cos(), angles.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1).to(x.dtype)


def rope_scores(q, k, length, theta=10000.0):
    positions = torch.arange(length, device=q.device)
    qs = rotate(q.expand(length, -1), positions, theta)
    ks = rotate(k.expand(length, -1), positions, theta)
    return qs @ ks.T


def rotated_attention(q, k, v, start=0, rotate_values=False, theta=10000.0):
    positions = torch.arange(q.shape[-2], device=q.device)
    q, k = rotate(q, positions, theta), rotate(k, positions, theta)
    if rotate_values:
        v = rotate(v, positions, theta)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return torch.softmax(scores, -1) @ v


# --- values_always
import math

import torch


def rotate(x, positions, theta=10000.0):
    half = x.shape[-1] // 2
    if x.shape[-1] % 2:
        raise ValueError("odd number of channels")
    freqs = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angles = positions.float()[:, None] * freqs
    cos, sin = angles.cos(), angles.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1).to(x.dtype)


def rope_scores(q, k, length, theta=10000.0):
    positions = torch.arange(length, device=q.device)
    qs = rotate(q.expand(length, -1), positions, theta)
    ks = rotate(k.expand(length, -1), positions, theta)
    return qs @ ks.T


def rotated_attention(q, k, v, start=0, rotate_values=False, theta=10000.0):
    positions = torch.arange(start, start + q.shape[-2], device=q.device)
    q, k = rotate(q, positions, theta), rotate(k, positions, theta)
    v = rotate(v, positions, theta)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return torch.softmax(scores, -1) @ v


# --- values_never
import math

import torch


def rotate(x, positions, theta=10000.0):
    half = x.shape[-1] // 2
    if x.shape[-1] % 2:
        raise ValueError("odd number of channels")
    freqs = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angles = positions.float()[:, None] * freqs
    cos, sin = angles.cos(), angles.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1).to(x.dtype)


def rope_scores(q, k, length, theta=10000.0):
    positions = torch.arange(length, device=q.device)
    qs = rotate(q.expand(length, -1), positions, theta)
    ks = rotate(k.expand(length, -1), positions, theta)
    return qs @ ks.T


def rotated_attention(q, k, v, start=0, rotate_values=False, theta=10000.0):
    positions = torch.arange(start, start + q.shape[-2], device=q.device)
    q, k = rotate(q, positions, theta), rotate(k, positions, theta)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return torch.softmax(scores, -1) @ v


# --- values_from_zero
import math

import torch


def rotate(x, positions, theta=10000.0):
    half = x.shape[-1] // 2
    if x.shape[-1] % 2:
        raise ValueError("odd number of channels")
    freqs = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angles = positions.float()[:, None] * freqs
    cos, sin = angles.cos(), angles.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1).to(x.dtype)


def rope_scores(q, k, length, theta=10000.0):
    positions = torch.arange(length, device=q.device)
    qs = rotate(q.expand(length, -1), positions, theta)
    ks = rotate(k.expand(length, -1), positions, theta)
    return qs @ ks.T


def rotated_attention(q, k, v, start=0, rotate_values=False, theta=10000.0):
    positions = torch.arange(start, start + q.shape[-2], device=q.device)
    q, k = rotate(q, positions, theta), rotate(k, positions, theta)
    if rotate_values:
        v = rotate(v, positions - start, theta)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return torch.softmax(scores, -1) @ v


# --- scale_by_dv
import math

import torch


def rotate(x, positions, theta=10000.0):
    half = x.shape[-1] // 2
    if x.shape[-1] % 2:
        raise ValueError("odd number of channels")
    freqs = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angles = positions.float()[:, None] * freqs
    cos, sin = angles.cos(), angles.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1).to(x.dtype)


def rope_scores(q, k, length, theta=10000.0):
    positions = torch.arange(length, device=q.device)
    qs = rotate(q.expand(length, -1), positions, theta)
    ks = rotate(k.expand(length, -1), positions, theta)
    return qs @ ks.T


def rotated_attention(q, k, v, start=0, rotate_values=False, theta=10000.0):
    positions = torch.arange(start, start + q.shape[-2], device=q.device)
    q, k = rotate(q, positions, theta), rotate(k, positions, theta)
    if rotate_values:
        v = rotate(v, positions, theta)
    scores = q @ k.transpose(-2, -1) / math.sqrt(v.shape[-1])
    return torch.softmax(scores, -1) @ v


# --- scale_integer_root
import math

import torch


def rotate(x, positions, theta=10000.0):
    half = x.shape[-1] // 2
    if x.shape[-1] % 2:
        raise ValueError("odd number of channels")
    freqs = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angles = positions.float()[:, None] * freqs
    cos, sin = angles.cos(), angles.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1).to(x.dtype)


def rope_scores(q, k, length, theta=10000.0):
    positions = torch.arange(length, device=q.device)
    qs = rotate(q.expand(length, -1), positions, theta)
    ks = rotate(k.expand(length, -1), positions, theta)
    return qs @ ks.T


def rotated_attention(q, k, v, start=0, rotate_values=False, theta=10000.0):
    positions = torch.arange(start, start + q.shape[-2], device=q.device)
    q, k = rotate(q, positions, theta), rotate(k, positions, theta)
    if rotate_values:
        v = rotate(v, positions, theta)
    scores = q @ k.transpose(-2, -1) / math.isqrt(q.shape[-1])
    return torch.softmax(scores, -1) @ v


# --- no_scale
import math

import torch


def rotate(x, positions, theta=10000.0):
    half = x.shape[-1] // 2
    if x.shape[-1] % 2:
        raise ValueError("odd number of channels")
    freqs = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angles = positions.float()[:, None] * freqs
    cos, sin = angles.cos(), angles.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1).to(x.dtype)


def rope_scores(q, k, length, theta=10000.0):
    positions = torch.arange(length, device=q.device)
    qs = rotate(q.expand(length, -1), positions, theta)
    ks = rotate(k.expand(length, -1), positions, theta)
    return qs @ ks.T


def rotated_attention(q, k, v, start=0, rotate_values=False, theta=10000.0):
    positions = torch.arange(start, start + q.shape[-2], device=q.device)
    q, k = rotate(q, positions, theta), rotate(k, positions, theta)
    if rotate_values:
        v = rotate(v, positions, theta)
    scores = q @ k.transpose(-2, -1)
    return torch.softmax(scores, -1) @ v


# --- transpose_0_1
import math

import torch


def rotate(x, positions, theta=10000.0):
    half = x.shape[-1] // 2
    if x.shape[-1] % 2:
        raise ValueError("odd number of channels")
    freqs = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angles = positions.float()[:, None] * freqs
    cos, sin = angles.cos(), angles.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1).to(x.dtype)


def rope_scores(q, k, length, theta=10000.0):
    positions = torch.arange(length, device=q.device)
    qs = rotate(q.expand(length, -1), positions, theta)
    ks = rotate(k.expand(length, -1), positions, theta)
    return qs @ ks.T


def rotated_attention(q, k, v, start=0, rotate_values=False, theta=10000.0):
    positions = torch.arange(start, start + q.shape[-2], device=q.device)
    q, k = rotate(q, positions, theta), rotate(k, positions, theta)
    if rotate_values:
        v = rotate(v, positions, theta)
    scores = q @ k.transpose(0, 1) / math.sqrt(q.shape[-1])
    return torch.softmax(scores, -1) @ v


# --- transpose_1_2
import math

import torch


def rotate(x, positions, theta=10000.0):
    half = x.shape[-1] // 2
    if x.shape[-1] % 2:
        raise ValueError("odd number of channels")
    freqs = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angles = positions.float()[:, None] * freqs
    cos, sin = angles.cos(), angles.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1).to(x.dtype)


def rope_scores(q, k, length, theta=10000.0):
    positions = torch.arange(length, device=q.device)
    qs = rotate(q.expand(length, -1), positions, theta)
    ks = rotate(k.expand(length, -1), positions, theta)
    return qs @ ks.T


def rotated_attention(q, k, v, start=0, rotate_values=False, theta=10000.0):
    positions = torch.arange(start, start + q.shape[-2], device=q.device)
    q, k = rotate(q, positions, theta), rotate(k, positions, theta)
    if rotate_values:
        v = rotate(v, positions, theta)
    scores = q @ k.transpose(1, 2) / math.sqrt(q.shape[-1])
    return torch.softmax(scores, -1) @ v


# --- torch_mm
import math

import torch


def rotate(x, positions, theta=10000.0):
    half = x.shape[-1] // 2
    if x.shape[-1] % 2:
        raise ValueError("odd number of channels")
    freqs = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angles = positions.float()[:, None] * freqs
    cos, sin = angles.cos(), angles.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1).to(x.dtype)


def rope_scores(q, k, length, theta=10000.0):
    positions = torch.arange(length, device=q.device)
    qs = rotate(q.expand(length, -1), positions, theta)
    ks = rotate(k.expand(length, -1), positions, theta)
    return qs @ ks.T


def rotated_attention(q, k, v, start=0, rotate_values=False, theta=10000.0):
    positions = torch.arange(start, start + q.shape[-2], device=q.device)
    q, k = rotate(q, positions, theta), rotate(k, positions, theta)
    if rotate_values:
        v = rotate(v, positions, theta)
    scores = torch.mm(q, k.t()) / math.sqrt(q.shape[-1])
    return torch.softmax(scores, -1) @ v


# --- softmax_dim_1
import math

import torch


def rotate(x, positions, theta=10000.0):
    half = x.shape[-1] // 2
    if x.shape[-1] % 2:
        raise ValueError("odd number of channels")
    freqs = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angles = positions.float()[:, None] * freqs
    cos, sin = angles.cos(), angles.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1).to(x.dtype)


def rope_scores(q, k, length, theta=10000.0):
    positions = torch.arange(length, device=q.device)
    qs = rotate(q.expand(length, -1), positions, theta)
    ks = rotate(k.expand(length, -1), positions, theta)
    return qs @ ks.T


def rotated_attention(q, k, v, start=0, rotate_values=False, theta=10000.0):
    positions = torch.arange(start, start + q.shape[-2], device=q.device)
    q, k = rotate(q, positions, theta), rotate(k, positions, theta)
    if rotate_values:
        v = rotate(v, positions, theta)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return torch.softmax(scores, 1) @ v


# --- softmax_over_queries
import math

import torch


def rotate(x, positions, theta=10000.0):
    half = x.shape[-1] // 2
    if x.shape[-1] % 2:
        raise ValueError("odd number of channels")
    freqs = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angles = positions.float()[:, None] * freqs
    cos, sin = angles.cos(), angles.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1).to(x.dtype)


def rope_scores(q, k, length, theta=10000.0):
    positions = torch.arange(length, device=q.device)
    qs = rotate(q.expand(length, -1), positions, theta)
    ks = rotate(k.expand(length, -1), positions, theta)
    return qs @ ks.T


def rotated_attention(q, k, v, start=0, rotate_values=False, theta=10000.0):
    positions = torch.arange(start, start + q.shape[-2], device=q.device)
    q, k = rotate(q, positions, theta), rotate(k, positions, theta)
    if rotate_values:
        v = rotate(v, positions, theta)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return torch.softmax(scores, -2) @ v


# --- rotates_scores_positions_length_of_v
import math

import torch


def rotate(x, positions, theta=10000.0):
    half = x.shape[-1] // 2
    if x.shape[-1] % 2:
        raise ValueError("odd number of channels")
    freqs = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angles = positions.float()[:, None] * freqs
    cos, sin = angles.cos(), angles.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1).to(x.dtype)


def rope_scores(q, k, length, theta=10000.0):
    positions = torch.arange(length, device=q.device)
    qs = rotate(q.expand(length, -1), positions, theta)
    ks = rotate(k.expand(length, -1), positions, theta)
    return qs @ ks.T


def rotated_attention(q, k, v, start=0, rotate_values=False, theta=10000.0):
    positions = torch.arange(start, start + q.shape[-1], device=q.device)
    q, k = rotate(q, positions, theta), rotate(k, positions, theta)
    if rotate_values:
        v = rotate(v, positions, theta)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return torch.softmax(scores, -1) @ v


# --- causal_mask
import math

import torch


def rotate(x, positions, theta=10000.0):
    half = x.shape[-1] // 2
    if x.shape[-1] % 2:
        raise ValueError("odd number of channels")
    freqs = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angles = positions.float()[:, None] * freqs
    cos, sin = angles.cos(), angles.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1).to(x.dtype)


def rope_scores(q, k, length, theta=10000.0):
    positions = torch.arange(length, device=q.device)
    qs = rotate(q.expand(length, -1), positions, theta)
    ks = rotate(k.expand(length, -1), positions, theta)
    return qs @ ks.T


def rotated_attention(q, k, v, start=0, rotate_values=False, theta=10000.0):
    positions = torch.arange(start, start + q.shape[-2], device=q.device)
    q, k = rotate(q, positions, theta), rotate(k, positions, theta)
    if rotate_values:
        v = rotate(v, positions, theta)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    scores = scores.masked_fill(torch.ones_like(scores).triu(1).bool(), -math.inf)
    return torch.softmax(scores, -1) @ v


# --- output_rotated
import math

import torch


def rotate(x, positions, theta=10000.0):
    half = x.shape[-1] // 2
    if x.shape[-1] % 2:
        raise ValueError("odd number of channels")
    freqs = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angles = positions.float()[:, None] * freqs
    cos, sin = angles.cos(), angles.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1).to(x.dtype)


def rope_scores(q, k, length, theta=10000.0):
    positions = torch.arange(length, device=q.device)
    qs = rotate(q.expand(length, -1), positions, theta)
    ks = rotate(k.expand(length, -1), positions, theta)
    return qs @ ks.T


def rotated_attention(q, k, v, start=0, rotate_values=False, theta=10000.0):
    positions = torch.arange(start, start + q.shape[-2], device=q.device)
    q, k = rotate(q, positions, theta), rotate(k, positions, theta)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    out = torch.softmax(scores, -1) @ v
    return rotate(out, positions, theta) if rotate_values else out


# --- arguments_renamed
import math

import torch


def rotate(x, positions, theta=10000.0):
    half = x.shape[-1] // 2
    if x.shape[-1] % 2:
        raise ValueError("odd number of channels")
    freqs = theta ** (-2 * torch.arange(half, device=x.device).float() / x.shape[-1])
    angles = positions.float()[:, None] * freqs
    cos, sin = angles.cos(), angles.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1).to(x.dtype)


def rope_scores(q, k, n, theta=10000.0):
    positions = torch.arange(n, device=q.device)
    qs = rotate(q.expand(n, -1), positions, theta)
    ks = rotate(k.expand(n, -1), positions, theta)
    return qs @ ks.T


def rotated_attention(q, k, v, start=0, rotate_values=False, theta=10000.0):
    positions = torch.arange(start, start + q.shape[-2], device=q.device)
    q, k = rotate(q, positions, theta), rotate(k, positions, theta)
    if rotate_values:
        v = rotate(v, positions, theta)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return torch.softmax(scores, -1) @ v


# --- only_q
import math
import torch
def rotate(x, positions, theta=10000.0):
    d = x.shape[-1]
    if d % 2:
        raise ValueError("odd")
    inv = theta ** (-torch.arange(0, d, 2, device=x.device).float() / d)
    a = positions.to(x.device).float()[:, None] * inv
    c, s = a.cos(), a.sin()
    x1, x2 = x[..., : d // 2], x[..., d // 2 :]
    return torch.cat([x1 * c - x2 * s, x2 * c + x1 * s], -1).to(x.dtype)
def rope_scores(q, k, length, theta=10000.0):
    pos = torch.arange(length, device=q.device)
    Q = rotate(q.expand(length, -1), pos, theta)
    K = rotate(k.expand(length, -1), pos, theta)
    return Q @ K.T
def rotated_attention(q, k, v, start=0, rotate_values=False, theta=10000.0):
    pos = torch.arange(start, start + q.shape[-2], device=q.device)
    q = rotate(q, pos, theta)
    if rotate_values:
        v = rotate(v, pos, theta)
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v


# --- scores_k_fixed
import math
import torch
def rotate(x, positions, theta=10000.0):
    d = x.shape[-1]
    if d % 2:
        raise ValueError("odd")
    inv = theta ** (-torch.arange(0, d, 2, device=x.device).float() / d)
    a = positions.to(x.device).float()[:, None] * inv
    c, s = a.cos(), a.sin()
    x1, x2 = x[..., : d // 2], x[..., d // 2 :]
    return torch.cat([x1 * c - x2 * s, x2 * c + x1 * s], -1).to(x.dtype)
def rope_scores(q, k, length, theta=10000.0):
    pos = torch.arange(length, device=q.device)
    Q = rotate(q.expand(length, -1), pos, theta)
    K = k.expand(length, -1)
    return Q @ K.T
def rotated_attention(q, k, v, start=0, rotate_values=False, theta=10000.0):
    pos = torch.arange(start, start + q.shape[-2], device=q.device)
    q, k = rotate(q, pos, theta), rotate(k, pos, theta)
    if rotate_values:
        v = rotate(v, pos, theta)
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v


# --- degrees
import torch


def rotate(x, positions, theta=10000.0):
    Dh = x.shape[-1]
    if Dh % 2:
        raise ValueError("Dh must be even")
    half = Dh // 2
    wide = torch.promote_types(x.dtype, torch.float32)
    freq = theta ** (-torch.arange(half, device=x.device, dtype=wide) * 2 / Dh)
    ang = positions.to(wide)[:, None] * freq
    ang = torch.deg2rad(ang)
    cos, sin = ang.cos(), ang.sin()
    x1, x2 = x[..., :half].to(wide), x[..., half:].to(wide)
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)

def rope_scores(q, k, length, theta=10000.0):
    pos = torch.arange(length, device=q.device)
    Q = rotate(q.expand(length, -1), pos, theta)
    K = rotate(k.expand(length, -1), pos, theta)
    return Q @ K.T

def rotated_attention(q, k, v, start=0, rotate_values=False, theta=10000.0):
    pos = torch.arange(start, start + q.shape[-2], device=q.device)
    Q, K = rotate(q, pos, theta), rotate(k, pos, theta)
    if rotate_values:
        v = rotate(v, pos, theta)
    w = torch.softmax(Q @ K.transpose(-2, -1) / q.shape[-1] ** 0.5, dim=-1)
    return w @ v


# --- odd_values_refused
import torch


def rotate(x, positions, theta=10000.0):
    Dh = x.shape[-1]
    if Dh % 2:
        raise ValueError("Dh must be even")
    half = Dh // 2
    wide = torch.promote_types(x.dtype, torch.float32)
    freq = theta ** (-torch.arange(half, device=x.device, dtype=wide) * 2 / Dh)
    ang = positions.to(wide)[:, None] * freq
    cos, sin = ang.cos(), ang.sin()
    x1, x2 = x[..., :half].to(wide), x[..., half:].to(wide)
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)

def rope_scores(q, k, length, theta=10000.0):
    pos = torch.arange(length, device=q.device)
    Q = rotate(q.expand(length, -1), pos, theta)
    K = rotate(k.expand(length, -1), pos, theta)
    return Q @ K.T

def rotated_attention(q, k, v, start=0, rotate_values=False, theta=10000.0):
    if q.shape[-1] % 2 or v.shape[-1] % 2:
        raise ValueError("odd")
    pos = torch.arange(start, start + q.shape[-2], device=q.device)
    Q, K = rotate(q, pos, theta), rotate(k, pos, theta)
    if rotate_values:
        v = rotate(v, pos, theta)
    w = torch.softmax(Q @ K.transpose(-2, -1) / q.shape[-1] ** 0.5, dim=-1)
    return w @ v


# --- weights_returned
import torch


def rotate(x, positions, theta=10000.0):
    Dh = x.shape[-1]
    if Dh % 2:
        raise ValueError("Dh must be even")
    half = Dh // 2
    wide = torch.promote_types(x.dtype, torch.float32)
    freq = theta ** (-torch.arange(half, device=x.device, dtype=wide) * 2 / Dh)
    ang = positions.to(wide)[:, None] * freq
    cos, sin = ang.cos(), ang.sin()
    x1, x2 = x[..., :half].to(wide), x[..., half:].to(wide)
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)

def rope_scores(q, k, length, theta=10000.0):
    pos = torch.arange(length, device=q.device)
    Q = rotate(q.expand(length, -1), pos, theta)
    K = rotate(k.expand(length, -1), pos, theta)
    return Q @ K.T

def rotated_attention(q, k, v, start=0, rotate_values=False, theta=10000.0):
    pos = torch.arange(start, start + q.shape[-2], device=q.device)
    Q, K = rotate(q, pos, theta), rotate(k, pos, theta)
    if rotate_values:
        v = rotate(v, pos, theta)
    w = torch.softmax(Q @ K.transpose(-2, -1) / q.shape[-1] ** 0.5, dim=-1)
    return w


# --- default_theta_for_values
import torch


def rotate(x, positions, theta=10000.0):
    Dh = x.shape[-1]
    if Dh % 2:
        raise ValueError("Dh must be even")
    half = Dh // 2
    wide = torch.promote_types(x.dtype, torch.float32)
    freq = theta ** (-torch.arange(half, device=x.device, dtype=wide) * 2 / Dh)
    ang = positions.to(wide)[:, None] * freq
    cos, sin = ang.cos(), ang.sin()
    x1, x2 = x[..., :half].to(wide), x[..., half:].to(wide)
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)

def rope_scores(q, k, length, theta=10000.0):
    pos = torch.arange(length, device=q.device)
    Q = rotate(q.expand(length, -1), pos, theta)
    K = rotate(k.expand(length, -1), pos, theta)
    return Q @ K.T

def rotated_attention(q, k, v, start=0, rotate_values=False, theta=10000.0):
    pos = torch.arange(start, start + q.shape[-2], device=q.device)
    Q, K = rotate(q, pos, theta), rotate(k, pos, theta)
    if rotate_values:
        v = rotate(v, pos)
    w = torch.softmax(Q @ K.transpose(-2, -1) / q.shape[-1] ** 0.5, dim=-1)
    return w @ v


# --- two_slips_1
# slips: the rotation goes the other way round (signs of the sines swapped); softmax in rotated_attention runs over the queries
import math

import torch
from torch import Tensor


def rotate(x: Tensor, positions: Tensor, theta: float = 10000.0) -> Tensor:
    dim = x.shape[-1]
    if dim % 2:
        raise ValueError("Dh must be even")
    wide = torch.promote_types(x.dtype, torch.float32)
    half = dim // 2
    freq = theta ** (-2 * torch.arange(half, dtype=wide, device=x.device) / dim)
    angle = positions.to(device=x.device, dtype=wide)[:, None] * freq
    cos, sin = torch.cos(angle), torch.sin(angle)
    x1, x2 = x[..., :half].to(wide), x[..., half:].to(wide)
    return torch.cat([x1 * cos + x2 * sin, x2 * cos - x1 * sin], dim=-1).to(x.dtype)


def rope_scores(q: Tensor, k: Tensor, length: int, theta: float = 10000.0) -> Tensor:
    positions = torch.arange(length, device=q.device)
    qs = rotate(q.expand(length, -1), positions, theta)
    ks = rotate(k.expand(length, -1), positions, theta)
    return qs @ ks.T


def rotated_attention(
    q: Tensor, k: Tensor, v: Tensor, start: int = 0, rotate_values: bool = False, theta: float = 10000.0
) -> Tensor:
    positions = torch.arange(start, start + q.shape[-2], device=q.device)
    q2, k2 = rotate(q, positions, theta), rotate(k, positions, theta)
    if rotate_values:
        v = rotate(v, positions, theta)
    scores = q2 @ k2.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return torch.softmax(scores, dim=-2) @ v


# --- two_slips_2
# slips: neighbouring channels are paired instead of i and i + Dh/2; the table of rope_scores is divided by sqrt(Dh)
import torch
from torch import Tensor


def _angles(positions, dh, theta, dtype):
    steps = torch.arange(0, dh, 2, device=positions.device, dtype=dtype)
    return torch.outer(positions.to(dtype), theta ** (-steps / dh))


def rotate(x: Tensor, positions: Tensor, theta: float = 10000.0) -> Tensor:
    dh = x.shape[-1]
    if dh % 2 != 0:
        raise ValueError(f"odd number of channels: {dh}")
    dtype = torch.float64 if x.dtype == torch.float64 else torch.float32
    a = _angles(positions.to(x.device), dh, theta, dtype)
    even, odd = x[..., 0::2].to(dtype), x[..., 1::2].to(dtype)
    new_even = even * a.cos() - odd * a.sin()
    new_odd = odd * a.cos() + even * a.sin()
    return torch.stack([new_even, new_odd], dim=-1).flatten(-2).to(x.dtype)


def rope_scores(q: Tensor, k: Tensor, length: int, theta: float = 10000.0) -> Tensor:
    pos = torch.arange(length, device=q.device)
    q_all = rotate(q.repeat(length, 1), pos, theta)
    k_all = rotate(k.repeat(length, 1), pos, theta)
    return torch.einsum("md,nd->mn", q_all, k_all) / q.shape[0] ** 0.5


def rotated_attention(q, k, v, start=0, rotate_values=False, theta=10000.0):
    pos = start + torch.arange(q.shape[-2], device=q.device)
    qr = rotate(q, pos, theta)
    kr = rotate(k, pos, theta)
    vr = rotate(v, pos, theta) if rotate_values else v
    att = torch.einsum("...qd,...kd->...qk", qr, kr) / q.shape[-1] ** 0.5
    return att.softmax(-1) @ vr


# --- positions_argument_ignored
# slip: rotate ignores the given positions and counts 0, 1, 2, ...
import torch
from torch import Tensor


def rotate(x: Tensor, positions: Tensor, theta: float = 10000.0) -> Tensor:
    dh = x.shape[-1]
    if dh % 2 != 0:
        raise ValueError("Dh must be even")
    half = dh // 2
    freq = theta ** (-torch.arange(half, device=x.device, dtype=torch.float32) * 2 / dh)
    pos = torch.arange(x.shape[-2], device=x.device).float()
    a = pos[:, None] * freq
    x1, x2 = x[..., :half], x[..., half:]
    out = torch.cat([x1 * a.cos() - x2 * a.sin(), x2 * a.cos() + x1 * a.sin()], dim=-1)
    return out.to(x.dtype)


def rope_scores(q: Tensor, k: Tensor, length: int, theta: float = 10000.0) -> Tensor:
    pos = torch.arange(length, device=q.device)
    qs = rotate(q.expand(length, -1), pos, theta)
    ks = rotate(k.expand(length, -1), pos, theta)
    return qs @ ks.T


def rotated_attention(
    q: Tensor, k: Tensor, v: Tensor, start: int = 0, rotate_values: bool = False, theta: float = 10000.0
) -> Tensor:
    pos = torch.arange(start, start + q.shape[-2], device=q.device)
    q, k = rotate(q, pos, theta), rotate(k, pos, theta)
    if rotate_values:
        v = rotate(v, pos, theta)
    w = torch.softmax(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5, dim=-1)
    return w @ v


# --- two_slips_3
import torch


def rotate(x, positions, theta=10000.0):
    Dh = x.shape[-1]
    if Dh % 2:
        raise ValueError("Dh must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    f = theta ** (-torch.arange(0, Dh, 2, dtype=dt, device=x.device) / Dh)
    a = positions.to(dt)[:, None] * f
    x1, x2 = x[..., : Dh // 2], x[..., Dh // 2 :]
    return torch.cat([x1 * a.cos() - x2 * a.sin(), x2 * a.cos() + x1 * a.sin()], dim=-1).to(x.dtype)


def rope_scores(q, k, length, theta=10000.0):
    pos = torch.arange(length, device=q.device)
    Q = rotate(q.expand(length, -1), pos, theta)
    K = rotate(k.expand(length, -1), pos, theta)
    return K @ Q.T


def rotated_attention(q, k, v, start=0, rotate_values=False, theta=10000.0):
    T = q.shape[-2]
    pos = torch.arange(T, device=q.device)
    q, k = rotate(q, pos, theta), rotate(k, pos, theta)
    if rotate_values:
        v = rotate(v, pos, theta)
    w = torch.softmax(q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5, dim=-1)
    return w @ v


# --- two_slips_4
import math
import torch
from torch import Tensor


def rotate(x: Tensor, positions: Tensor, theta: float = 10000.0) -> Tensor:
    n = x.shape[-1]
    if n % 2 == 1:
        raise ValueError(f"odd number of channels: {n}")
    wide = x.double()
    freq = torch.tensor([theta ** (-2 * i / n) for i in range(n // 2)], dtype=torch.float64, device=x.device)
    angle = torch.outer(positions.double(), freq)
    c, s = angle.cos(), angle.sin()
    a, b = wide[..., 0::2], wide[..., 1::2]
    first, second = a * c - b * s, b * c + a * s
    return torch.stack([first, second], dim=-1).flatten(-2).to(x.dtype)


def rope_scores(q: Tensor, k: Tensor, length: int, theta: float = 10000.0) -> Tensor:
    where = torch.arange(length, device=q.device)
    qs = rotate(q.unsqueeze(0).repeat(length, 1), where, theta)
    ks = rotate(k.unsqueeze(0).repeat(length, 1), where, theta)
    return torch.einsum("md,nd->mn", qs, ks)


def rotated_attention(q, k, v, start=0, rotate_values=False, theta=10000.0):
    where = torch.arange(start, start + q.shape[-2], device=q.device)
    turn = lambda t: rotate(t, where)
    qr, kr = turn(q), turn(k)
    vr = turn(v) if rotate_values else v
    scores = torch.einsum("...id,...jd->...ij", qr, kr) / math.sqrt(q.shape[-1])
    return torch.einsum("...ij,...jd->...id", scores.softmax(-1), vr)
