"""Wrong files for rope, each a whole submission as somebody might hand it in."""


# --- no_refusal_and_interleaved_columns
import torch
from torch import Tensor


def rope_cos_sin(head_dim, max_len, theta=10000.0, device=None):
    freqs = theta ** (-torch.arange(0, head_dim, 2, device=device).float() / head_dim)
    angles = torch.outer(torch.arange(max_len, device=device).float(), freqs).repeat_interleave(2, dim=-1)
    return angles.cos(), angles.sin()


def rotate_half(x):
    half = x.shape[-1] // 2
    return torch.cat([-x[..., half:], x[..., :half]], dim=-1)


def apply_rotary_pos_emb(q, k, cos, sin):
    cos, sin = cos.to(q.dtype), sin.to(q.dtype)
    return q * cos + rotate_half(q) * sin, k * cos + rotate_half(k) * sin


# --- no_refusal_and_exponent_halved
import torch
from torch import Tensor


def rope_cos_sin(head_dim, max_len, theta=10000.0, device=None):
    freqs = theta ** (-torch.arange(head_dim // 2, device=device).float() / head_dim)
    angles = torch.outer(torch.arange(max_len, device=device).float(), freqs)
    emb = torch.cat([angles, angles], -1)
    return emb.cos(), emb.sin()


def rotate_half(x):
    half = x.shape[-1] // 2
    return torch.cat([-x[..., half:], x[..., :half]], dim=-1)


def apply_rotary_pos_emb(q, k, cos, sin):
    cos, sin = cos.to(q.dtype), sin.to(q.dtype)
    return q * cos + rotate_half(q) * sin, k * cos + rotate_half(k) * sin


# --- frequencies_not_inverted
import torch
from torch import Tensor


def rope_cos_sin(head_dim, max_len, theta=10000.0, device=None):
    if head_dim % 2:
        raise ValueError("odd")
    freqs = theta ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim)
    angles = torch.arange(max_len, device=device).float()[:, None] * freqs
    emb = torch.cat([angles, angles], -1)
    return emb.cos(), emb.sin()


def rotate_half(x):
    half = x.shape[-1] // 2
    return torch.cat([-x[..., half:], x[..., :half]], dim=-1)


def apply_rotary_pos_emb(q, k, cos, sin):
    cos, sin = cos.to(q.dtype), sin.to(q.dtype)
    return q * cos + rotate_half(q) * sin, k * cos + rotate_half(k) * sin


# --- outer_the_other_way
import torch
from torch import Tensor


def rope_cos_sin(head_dim, max_len, theta=10000.0, device=None):
    if head_dim % 2:
        raise ValueError("odd")
    freqs = theta ** (-torch.arange(0, head_dim, 2, device=device).float() / head_dim)
    angles = torch.outer(freqs, torch.arange(max_len, device=device).float())
    emb = torch.cat([angles, angles])
    return emb.cos(), emb.sin()


def rotate_half(x):
    half = x.shape[-1] // 2
    return torch.cat([-x[..., half:], x[..., :half]], dim=-1)


def apply_rotary_pos_emb(q, k, cos, sin):
    cos, sin = cos.to(q.dtype), sin.to(q.dtype)
    return q * cos + rotate_half(q) * sin, k * cos + rotate_half(k) * sin


# --- degrees
import torch
from torch import Tensor


def rope_cos_sin(head_dim, max_len, theta=10000.0, device=None):
    if head_dim % 2:
        raise ValueError("odd")
    freqs = theta ** (-torch.arange(0, head_dim, 2, device=device).float() / head_dim)
    angles = torch.deg2rad(torch.outer(torch.arange(max_len, device=device).float(), freqs))
    emb = torch.cat([angles, angles], -1)
    return emb.cos(), emb.sin()


def rotate_half(x):
    half = x.shape[-1] // 2
    return torch.cat([-x[..., half:], x[..., :half]], dim=-1)


def apply_rotary_pos_emb(q, k, cos, sin):
    cos, sin = cos.to(q.dtype), sin.to(q.dtype)
    return q * cos + rotate_half(q) * sin, k * cos + rotate_half(k) * sin


# --- two_pi
import torch
from torch import Tensor


def rope_cos_sin(head_dim, max_len, theta=10000.0, device=None):
    if head_dim % 2:
        raise ValueError("odd")
    freqs = theta ** (-torch.arange(0, head_dim, 2, device=device).float() / head_dim)
    angles = 2 * torch.pi * torch.outer(torch.arange(max_len, device=device).float(), freqs)
    emb = torch.cat([angles, angles], -1)
    return emb.cos(), emb.sin()


def rotate_half(x):
    half = x.shape[-1] // 2
    return torch.cat([-x[..., half:], x[..., :half]], dim=-1)


def apply_rotary_pos_emb(q, k, cos, sin):
    cos, sin = cos.to(q.dtype), sin.to(q.dtype)
    return q * cos + rotate_half(q) * sin, k * cos + rotate_half(k) * sin


# --- repeated_down
import torch
from torch import Tensor


def rope_cos_sin(head_dim, max_len, theta=10000.0, device=None):
    if head_dim % 2:
        raise ValueError("odd")
    freqs = theta ** (-torch.arange(0, head_dim, 2, device=device).float() / head_dim)
    angles = torch.outer(torch.arange(max_len, device=device).float(), freqs)
    return angles.cos().repeat(2, 1), angles.sin().repeat(2, 1)


def rotate_half(x):
    half = x.shape[-1] // 2
    return torch.cat([-x[..., half:], x[..., :half]], dim=-1)


def apply_rotary_pos_emb(q, k, cos, sin):
    cos, sin = cos.to(q.dtype), sin.to(q.dtype)
    return q * cos + rotate_half(q) * sin, k * cos + rotate_half(k) * sin


# --- cached_by_size
import torch
from torch import Tensor


CACHE = {}


def rope_cos_sin(head_dim, max_len, theta=10000.0, device=None):
    if head_dim % 2:
        raise ValueError("odd")
    key = (head_dim, max_len)
    if key not in CACHE:
        freqs = theta ** (-torch.arange(0, head_dim, 2, device=device).float() / head_dim)
        angles = torch.outer(torch.arange(max_len, device=device).float(), freqs)
        emb = torch.cat([angles, angles], -1)
        CACHE[key] = emb.cos(), emb.sin()
    return CACHE[key]


def rotate_half(x):
    half = x.shape[-1] // 2
    return torch.cat([-x[..., half:], x[..., :half]], dim=-1)


def apply_rotary_pos_emb(q, k, cos, sin):
    cos, sin = cos.to(q.dtype), sin.to(q.dtype)
    return q * cos + rotate_half(q) * sin, k * cos + rotate_half(k) * sin


# --- device_forgotten
import torch
from torch import Tensor


def rope_cos_sin(head_dim, max_len, theta=10000.0, device=None):
    if head_dim % 2:
        raise ValueError("odd")
    freqs = theta ** (-torch.arange(0, head_dim, 2).float() / head_dim)
    angles = torch.outer(torch.arange(max_len).float(), freqs)
    emb = torch.cat([angles, angles], -1)
    return emb.cos(), emb.sin()


def rotate_half(x):
    half = x.shape[-1] // 2
    return torch.cat([-x[..., half:], x[..., :half]], dim=-1)


def apply_rotary_pos_emb(q, k, cos, sin):
    cos, sin = cos.to(q.dtype), sin.to(q.dtype)
    return q * cos + rotate_half(q) * sin, k * cos + rotate_half(k) * sin


# --- float64_tables
import torch
from torch import Tensor


def rope_cos_sin(head_dim, max_len, theta=10000.0, device=None):
    if head_dim % 2:
        raise ValueError("odd")
    freqs = theta ** (-torch.arange(0, head_dim, 2, device=device, dtype=torch.float64) / head_dim)
    angles = torch.outer(torch.arange(max_len, device=device, dtype=torch.float64), freqs)
    emb = torch.cat([angles, angles], -1)
    return emb.cos(), emb.sin()


def rotate_half(x):
    half = x.shape[-1] // 2
    return torch.cat([-x[..., half:], x[..., :half]], dim=-1)


def apply_rotary_pos_emb(q, k, cos, sin):
    cos, sin = cos.to(q.dtype), sin.to(q.dtype)
    return q * cos + rotate_half(q) * sin, k * cos + rotate_half(k) * sin


# --- parameters_renamed
import torch
from torch import Tensor


def rope_cos_sin(dim, end, base=10000.0, device=None):
    if dim % 2:
        raise ValueError("odd")
    freqs = base ** (-torch.arange(0, dim, 2, device=device).float() / dim)
    angles = torch.outer(torch.arange(end, device=device).float(), freqs)
    emb = torch.cat([angles, angles], -1)
    return emb.cos(), emb.sin()


def rotate_half(x):
    half = x.shape[-1] // 2
    return torch.cat([-x[..., half:], x[..., :half]], dim=-1)


def apply_rotary_pos_emb(q, k, cos, sin):
    cos, sin = cos.to(q.dtype), sin.to(q.dtype)
    return q * cos + rotate_half(q) * sin, k * cos + rotate_half(k) * sin


# --- assertion
import torch
from torch import Tensor


def rope_cos_sin(head_dim, max_len, theta=10000.0, device=None):
    assert head_dim % 2 == 0
    freqs = theta ** (-torch.arange(0, head_dim, 2, device=device).float() / head_dim)
    angles = torch.outer(torch.arange(max_len, device=device).float(), freqs)
    emb = torch.cat([angles, angles], -1)
    return emb.cos(), emb.sin()


def rotate_half(x):
    half = x.shape[-1] // 2
    return torch.cat([-x[..., half:], x[..., :half]], dim=-1)


def apply_rotary_pos_emb(q, k, cos, sin):
    cos, sin = cos.to(q.dtype), sin.to(q.dtype)
    return q * cos + rotate_half(q) * sin, k * cos + rotate_half(k) * sin


# --- divided_by_half
import torch
from torch import Tensor


def rope_cos_sin(head_dim, max_len, theta=10000.0, device=None):
    if head_dim % 2:
        raise ValueError("odd")
    freqs = theta ** (-torch.arange(0, head_dim, 2, device=device).float() / (head_dim // 2))
    angles = torch.outer(torch.arange(max_len, device=device).float(), freqs)
    emb = torch.cat([angles, angles], -1)
    return emb.cos(), emb.sin()


def rotate_half(x):
    half = x.shape[-1] // 2
    return torch.cat([-x[..., half:], x[..., :half]], dim=-1)


def apply_rotary_pos_emb(q, k, cos, sin):
    cos, sin = cos.to(q.dtype), sin.to(q.dtype)
    return q * cos + rotate_half(q) * sin, k * cos + rotate_half(k) * sin


# --- linspace
import torch
from torch import Tensor


def rope_cos_sin(head_dim, max_len, theta=10000.0, device=None):
    if head_dim % 2:
        raise ValueError("odd")
    freqs = theta ** -torch.linspace(0, 1, head_dim // 2, device=device)
    angles = torch.outer(torch.arange(max_len, device=device).float(), freqs)
    emb = torch.cat([angles, angles], -1)
    return emb.cos(), emb.sin()


def rotate_half(x):
    half = x.shape[-1] // 2
    return torch.cat([-x[..., half:], x[..., :half]], dim=-1)


def apply_rotary_pos_emb(q, k, cos, sin):
    cos, sin = cos.to(q.dtype), sin.to(q.dtype)
    return q * cos + rotate_half(q) * sin, k * cos + rotate_half(k) * sin


# --- neighbours_in_rotate_half
import torch
from torch import Tensor


def rope_cos_sin(head_dim, max_len, theta=10000.0, device=None):
    if head_dim % 2:
        raise ValueError("head_dim must be even")
    freqs = 1.0 / theta ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim)
    angles = torch.outer(torch.arange(max_len, device=device).float(), freqs)
    emb = torch.cat([angles, angles], dim=-1)
    return emb.cos(), emb.sin()


def rotate_half(x):
    x1, x2 = x[..., ::2], x[..., 1::2]
    return torch.stack([-x2, x1], dim=-1).flatten(-2)


def apply_rotary_pos_emb(q, k, cos, sin):
    cos, sin = cos.to(q.dtype), sin.to(q.dtype)
    return q * cos + rotate_half(q) * sin, k * cos + rotate_half(k) * sin


# --- every_second_side_by_side
import torch
from torch import Tensor


def rope_cos_sin(head_dim, max_len, theta=10000.0, device=None):
    if head_dim % 2:
        raise ValueError("head_dim must be even")
    freqs = 1.0 / theta ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim)
    angles = torch.outer(torch.arange(max_len, device=device).float(), freqs)
    emb = torch.cat([angles, angles], dim=-1)
    return emb.cos(), emb.sin()


def rotate_half(x):
    x1, x2 = x[..., ::2], x[..., 1::2]
    return torch.cat([-x2, x1], dim=-1)


def apply_rotary_pos_emb(q, k, cos, sin):
    cos, sin = cos.to(q.dtype), sin.to(q.dtype)
    return q * cos + rotate_half(q) * sin, k * cos + rotate_half(k) * sin


# --- minus_on_the_other_half
import torch
from torch import Tensor


def rope_cos_sin(head_dim, max_len, theta=10000.0, device=None):
    if head_dim % 2:
        raise ValueError("head_dim must be even")
    freqs = 1.0 / theta ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim)
    angles = torch.outer(torch.arange(max_len, device=device).float(), freqs)
    emb = torch.cat([angles, angles], dim=-1)
    return emb.cos(), emb.sin()


def rotate_half(x):
    half = x.shape[-1] // 2
    return torch.cat([x[..., half:], -x[..., :half]], -1)


def apply_rotary_pos_emb(q, k, cos, sin):
    cos, sin = cos.to(q.dtype), sin.to(q.dtype)
    return q * cos + rotate_half(q) * sin, k * cos + rotate_half(k) * sin


# --- chunk_along_dim_1
import torch
from torch import Tensor


def rope_cos_sin(head_dim, max_len, theta=10000.0, device=None):
    if head_dim % 2:
        raise ValueError("head_dim must be even")
    freqs = 1.0 / theta ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim)
    angles = torch.outer(torch.arange(max_len, device=device).float(), freqs)
    emb = torch.cat([angles, angles], dim=-1)
    return emb.cos(), emb.sin()


def rotate_half(x):
    x1, x2 = x.chunk(2, dim=1)
    return torch.cat([-x2, x1], dim=1)


def apply_rotary_pos_emb(q, k, cos, sin):
    cos, sin = cos.to(q.dtype), sin.to(q.dtype)
    return q * cos + rotate_half(q) * sin, k * cos + rotate_half(k) * sin


# --- in_place_rotate_half
import torch
from torch import Tensor


def rope_cos_sin(head_dim, max_len, theta=10000.0, device=None):
    if head_dim % 2:
        raise ValueError("head_dim must be even")
    freqs = 1.0 / theta ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim)
    angles = torch.outer(torch.arange(max_len, device=device).float(), freqs)
    emb = torch.cat([angles, angles], dim=-1)
    return emb.cos(), emb.sin()


def rotate_half(x):
    half = x.shape[-1] // 2
    x[..., half:] *= -1
    return torch.cat([x[..., half:], x[..., :half]], -1)


def apply_rotary_pos_emb(q, k, cos, sin):
    cos, sin = cos.to(q.dtype), sin.to(q.dtype)
    return q * cos + rotate_half(q) * sin, k * cos + rotate_half(k) * sin


# --- hard_coded_64
import torch
from torch import Tensor


def rope_cos_sin(head_dim, max_len, theta=10000.0, device=None):
    if head_dim % 2:
        raise ValueError("head_dim must be even")
    freqs = 1.0 / theta ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim)
    angles = torch.outer(torch.arange(max_len, device=device).float(), freqs)
    emb = torch.cat([angles, angles], dim=-1)
    return emb.cos(), emb.sin()


def rotate_half(x):
    return torch.cat([-x[..., 32:], x[..., :32]], -1)


def apply_rotary_pos_emb(q, k, cos, sin):
    cos, sin = cos.to(q.dtype), sin.to(q.dtype)
    return q * cos + rotate_half(q) * sin, k * cos + rotate_half(k) * sin


# --- rotate_half_only_swaps
import torch
from torch import Tensor


def rope_cos_sin(head_dim, max_len, theta=10000.0, device=None):
    if head_dim % 2:
        raise ValueError("head_dim must be even")
    freqs = 1.0 / theta ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim)
    angles = torch.outer(torch.arange(max_len, device=device).float(), freqs)
    emb = torch.cat([angles, angles], dim=-1)
    return emb.cos(), emb.sin()


def rotate_half(x):
    return torch.roll(x, x.shape[-1] // 2, -1)


def apply_rotary_pos_emb(q, k, cos, sin):
    cos, sin = cos.to(q.dtype), sin.to(q.dtype)
    return q * cos + rotate_half(q) * sin, k * cos + rotate_half(k) * sin


# --- unsqueezed_for_minimind
import torch
from torch import Tensor


def rope_cos_sin(head_dim, max_len, theta=10000.0, device=None):
    if head_dim % 2:
        raise ValueError("head_dim must be even")
    freqs = 1.0 / theta ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim)
    angles = torch.outer(torch.arange(max_len, device=device).float(), freqs)
    emb = torch.cat([angles, angles], dim=-1)
    return emb.cos(), emb.sin()


def rotate_half(x):
    half = x.shape[-1] // 2
    return torch.cat([-x[..., half:], x[..., :half]], dim=-1)


def apply_rotary_pos_emb(q, k, cos, sin):
    cos, sin = cos.unsqueeze(1).to(q.dtype), sin.unsqueeze(1).to(q.dtype)
    return q * cos + rotate_half(q) * sin, k * cos + rotate_half(k) * sin


# --- copy_and_paste
import torch
from torch import Tensor


def rope_cos_sin(head_dim, max_len, theta=10000.0, device=None):
    if head_dim % 2:
        raise ValueError("head_dim must be even")
    freqs = 1.0 / theta ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim)
    angles = torch.outer(torch.arange(max_len, device=device).float(), freqs)
    emb = torch.cat([angles, angles], dim=-1)
    return emb.cos(), emb.sin()


def rotate_half(x):
    half = x.shape[-1] // 2
    return torch.cat([-x[..., half:], x[..., :half]], dim=-1)


def apply_rotary_pos_emb(q, k, cos, sin):
    q_embed = q * cos + rotate_half(q) * sin
    k_embed = k * cos + rotate_half(q)[:, : k.shape[1]] * sin
    return q_embed.to(q.dtype), k_embed.to(k.dtype)


# --- result_in_float32
import torch
from torch import Tensor


def rope_cos_sin(head_dim, max_len, theta=10000.0, device=None):
    if head_dim % 2:
        raise ValueError("head_dim must be even")
    freqs = 1.0 / theta ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim)
    angles = torch.outer(torch.arange(max_len, device=device).float(), freqs)
    emb = torch.cat([angles, angles], dim=-1)
    return emb.cos(), emb.sin()


def rotate_half(x):
    half = x.shape[-1] // 2
    return torch.cat([-x[..., half:], x[..., :half]], dim=-1)


def apply_rotary_pos_emb(q, k, cos, sin):
    return q * cos + rotate_half(q) * sin, k * cos + rotate_half(k) * sin


# --- in_place_apply
import torch
from torch import Tensor


def rope_cos_sin(head_dim, max_len, theta=10000.0, device=None):
    if head_dim % 2:
        raise ValueError("head_dim must be even")
    freqs = 1.0 / theta ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim)
    angles = torch.outer(torch.arange(max_len, device=device).float(), freqs)
    emb = torch.cat([angles, angles], dim=-1)
    return emb.cos(), emb.sin()


def rotate_half(x):
    half = x.shape[-1] // 2
    return torch.cat([-x[..., half:], x[..., :half]], dim=-1)


def apply_rotary_pos_emb(q, k, cos, sin):
    for t in (q, k):
        r = rotate_half(t)
        t *= cos
        t += r * sin
    return q, k


# --- detached
import torch
from torch import Tensor


def rope_cos_sin(head_dim, max_len, theta=10000.0, device=None):
    if head_dim % 2:
        raise ValueError("head_dim must be even")
    freqs = 1.0 / theta ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim)
    angles = torch.outer(torch.arange(max_len, device=device).float(), freqs)
    emb = torch.cat([angles, angles], dim=-1)
    return emb.cos(), emb.sin()


def rotate_half(x):
    half = x.shape[-1] // 2
    return torch.cat([-x[..., half:], x[..., :half]], dim=-1)


def apply_rotary_pos_emb(q, k, cos, sin):
    with torch.no_grad():
        return (q * cos + rotate_half(q) * sin).to(q.dtype), (k * cos + rotate_half(k) * sin).to(k.dtype)


# --- positions_from_zero_always
import torch
from torch import Tensor


def rope_cos_sin(head_dim, max_len, theta=10000.0, device=None):
    if head_dim % 2:
        raise ValueError("head_dim must be even")
    freqs = 1.0 / theta ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim)
    angles = torch.outer(torch.arange(max_len, device=device).float(), freqs)
    emb = torch.cat([angles, angles], dim=-1)
    return emb.cos(), emb.sin()


def rotate_half(x):
    half = x.shape[-1] // 2
    return torch.cat([-x[..., half:], x[..., :half]], dim=-1)


def apply_rotary_pos_emb(q, k, cos, sin):
    c, s = rope_cos_sin(q.shape[-1], q.shape[2], device=q.device)
    return (q * c + rotate_half(q) * s).to(q.dtype), (k * c + rotate_half(k) * s).to(k.dtype)


# --- halves_one_after_the_other
import torch
from torch import Tensor


def rope_cos_sin(head_dim, max_len, theta=10000.0, device=None):
    if head_dim % 2:
        raise ValueError("head_dim must be even")
    freqs = 1.0 / theta ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim)
    angles = torch.outer(torch.arange(max_len, device=device).float(), freqs)
    emb = torch.cat([angles, angles], dim=-1)
    return emb.cos(), emb.sin()


def rotate_half(x):
    half = x.shape[-1] // 2
    return torch.cat([-x[..., half:], x[..., :half]], dim=-1)


def apply_rotary_pos_emb(q, k, cos, sin):
    half = q.shape[-1] // 2
    c, s = cos[:, :half], sin[:, :half]
    def turn(x):
        x = x.clone()
        x[..., :half] = x[..., :half] * c - x[..., half:] * s
        x[..., half:] = x[..., half:] * c + x[..., :half] * s
        return x
    return turn(q), turn(k)


# --- reshaped_to_kv_heads
import torch
from torch import Tensor


def rope_cos_sin(head_dim, max_len, theta=10000.0, device=None):
    if head_dim % 2:
        raise ValueError("head_dim must be even")
    freqs = 1.0 / theta ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim)
    angles = torch.outer(torch.arange(max_len, device=device).float(), freqs)
    emb = torch.cat([angles, angles], dim=-1)
    return emb.cos(), emb.sin()


def rotate_half(x):
    half = x.shape[-1] // 2
    return torch.cat([-x[..., half:], x[..., :half]], dim=-1)


def apply_rotary_pos_emb(q, k, cos, sin):
    cos, sin = cos.to(q.dtype), sin.to(q.dtype)
    q2, k2 = q * cos + rotate_half(q) * sin, k * cos + rotate_half(k) * sin
    return q2.squeeze(), k2.squeeze()


# --- needs_view
import torch
from torch import Tensor


def rope_cos_sin(head_dim, max_len, theta=10000.0, device=None):
    if head_dim % 2:
        raise ValueError("head_dim must be even")
    freqs = 1.0 / theta ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim)
    angles = torch.outer(torch.arange(max_len, device=device).float(), freqs)
    emb = torch.cat([angles, angles], dim=-1)
    return emb.cos(), emb.sin()


def rotate_half(x):
    y = x.view(-1, x.shape[-1])
    half = x.shape[-1] // 2
    return torch.cat([-y[:, half:], y[:, :half]], -1).view(x.shape)


def apply_rotary_pos_emb(q, k, cos, sin):
    cos, sin = cos.to(q.dtype), sin.to(q.dtype)
    return q * cos + rotate_half(q) * sin, k * cos + rotate_half(k) * sin


# --- sin_subtracted
import torch
from torch import Tensor


def rope_cos_sin(head_dim, max_len, theta=10000.0, device=None):
    if head_dim % 2:
        raise ValueError("head_dim must be even")
    freqs = 1.0 / theta ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim)
    angles = torch.outer(torch.arange(max_len, device=device).float(), freqs)
    emb = torch.cat([angles, angles], dim=-1)
    return emb.cos(), emb.sin()


def rotate_half(x):
    half = x.shape[-1] // 2
    return torch.cat([-x[..., half:], x[..., :half]], dim=-1)


def apply_rotary_pos_emb(q, k, cos, sin):
    cos, sin = cos.to(q.dtype), sin.to(q.dtype)
    return q * cos - rotate_half(q) * sin, k * cos - rotate_half(k) * sin


# --- k_as_many_heads_as_q
import torch
from torch import Tensor


def rope_cos_sin(head_dim, max_len, theta=10000.0, device=None):
    if head_dim % 2:
        raise ValueError("head_dim must be even")
    freqs = 1.0 / theta ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim)
    angles = torch.outer(torch.arange(max_len, device=device).float(), freqs)
    emb = torch.cat([angles, angles], dim=-1)
    return emb.cos(), emb.sin()


def rotate_half(x):
    half = x.shape[-1] // 2
    return torch.cat([-x[..., half:], x[..., :half]], dim=-1)


def apply_rotary_pos_emb(q, k, cos, sin):
    both = torch.stack([q, k])
    both = both * cos + rotate_half(both) * sin
    return both[0].to(q.dtype), both[1].to(k.dtype)


# --- theta_million_default
import torch


def rope_cos_sin(head_dim, max_len, theta=1e6, device=None):
    if head_dim % 2: raise ValueError
    f = 1.0 / (theta ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim))
    a = torch.outer(torch.arange(max_len, device=device).float(), f)
    a = torch.cat([a, a], -1)
    return a.cos(), a.sin()


def rotate_half(x):
    a, b = x.chunk(2, -1)
    return torch.cat([-b, a], -1)


def apply_rotary_pos_emb(q, k, cos, sin):
    r = lambda x: (x * cos + rotate_half(x) * sin).to(x.dtype)
    return r(q), r(k)


# --- degrees_again
import torch


def rope_cos_sin(head_dim, max_len, theta=10000.0, device=None):
    if head_dim % 2: raise ValueError
    f = 1.0 / (theta ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim))
    a = torch.outer(torch.arange(max_len, device=device).float(), f)
    a = torch.rad2deg(torch.cat([a, a], -1))
    return a.cos(), a.sin()


def rotate_half(x):
    a, b = x.chunk(2, -1)
    return torch.cat([-b, a], -1)


def apply_rotary_pos_emb(q, k, cos, sin):
    r = lambda x: (x * cos + rotate_half(x) * sin).to(x.dtype)
    return r(q), r(k)


# --- half_angles
import torch


def rope_cos_sin(head_dim, max_len, theta=10000.0, device=None):
    if head_dim % 2: raise ValueError
    f = 1.0 / (theta ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim))
    a = torch.outer(torch.arange(max_len, device=device).bfloat16(), f.bfloat16())
    a = torch.cat([a, a], -1)
    return a.cos().float(), a.sin().float()


def rotate_half(x):
    a, b = x.chunk(2, -1)
    return torch.cat([-b, a], -1)


def apply_rotary_pos_emb(q, k, cos, sin):
    r = lambda x: (x * cos + rotate_half(x) * sin).to(x.dtype)
    return r(q), r(k)


# --- sin_negative
import torch


def rope_cos_sin(head_dim, max_len, theta=10000.0, device=None):
    if head_dim % 2: raise ValueError
    f = 1.0 / (theta ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim))
    a = -torch.outer(torch.arange(max_len, device=device).float(), f)
    a = torch.cat([a, a], -1)
    return a.cos(), a.sin()


def rotate_half(x):
    a, b = x.chunk(2, -1)
    return torch.cat([-b, a], -1)


def apply_rotary_pos_emb(q, k, cos, sin):
    r = lambda x: (x * cos + rotate_half(x) * sin).to(x.dtype)
    return r(q), r(k)


# --- linspace_freq
import torch


def rope_cos_sin(head_dim, max_len, theta=10000.0, device=None):
    if head_dim % 2: raise ValueError
    f = torch.linspace(1, 1 / theta, head_dim // 2, device=device)
    a = torch.outer(torch.arange(max_len, device=device).float(), f)
    a = torch.cat([a, a], -1)
    return a.cos(), a.sin()


def rotate_half(x):
    a, b = x.chunk(2, -1)
    return torch.cat([-b, a], -1)


def apply_rotary_pos_emb(q, k, cos, sin):
    r = lambda x: (x * cos + rotate_half(x) * sin).to(x.dtype)
    return r(q), r(k)


# --- rotate_order
import torch


def rotate_half(x):
    a, b = x.chunk(2, -1)
    return torch.cat([a, -b], -1)


def rope_cos_sin(head_dim, max_len, theta=10000.0, device=None):
    if head_dim % 2: raise ValueError("head_dim must be even")
    f = theta ** (-torch.arange(0, head_dim, 2, device=device, dtype=torch.float32) / head_dim)
    a = torch.outer(torch.arange(max_len, device=device, dtype=torch.float32), f)
    a = torch.cat([a, a], -1)
    return a.cos(), a.sin()


def apply_rotary_pos_emb(q, k, cos, sin):
    r = lambda x: (x * cos + rotate_half(x) * sin).to(x.dtype)
    return r(q), r(k)


# --- rotate_axis
import torch


def rotate_half(x):
    a, b = x.chunk(2, -2)
    return torch.cat([-b, a], -2)


def rope_cos_sin(head_dim, max_len, theta=10000.0, device=None):
    if head_dim % 2: raise ValueError("head_dim must be even")
    f = theta ** (-torch.arange(0, head_dim, 2, device=device, dtype=torch.float32) / head_dim)
    a = torch.outer(torch.arange(max_len, device=device, dtype=torch.float32), f)
    a = torch.cat([a, a], -1)
    return a.cos(), a.sin()


def apply_rotary_pos_emb(q, k, cos, sin):
    r = lambda x: (x * cos + rotate_half(x) * sin).to(x.dtype)
    return r(q), r(k)


# --- apply_k_twice
import torch


def apply_rotary_pos_emb(q, k, cos, sin):
    q = (q * cos + rotate_half(q) * sin).to(q.dtype)
    k = (k * cos + rotate_half(q) * sin).to(k.dtype) if q.shape == k.shape else (k * cos + rotate_half(k) * sin).to(k.dtype)
    return q, k


def rope_cos_sin(head_dim, max_len, theta=10000.0, device=None):
    if head_dim % 2: raise ValueError("head_dim must be even")
    f = theta ** (-torch.arange(0, head_dim, 2, device=device, dtype=torch.float32) / head_dim)
    a = torch.outer(torch.arange(max_len, device=device, dtype=torch.float32), f)
    a = torch.cat([a, a], -1)
    return a.cos(), a.sin()


def rotate_half(x):
    a, b = x.chunk(2, -1)
    return torch.cat([-b, a], -1)


# --- halves_joined_along_dim_1
import math
import torch
from torch import Tensor


def rope_cos_sin(head_dim, max_len, theta=10000.0, device=None):
    if head_dim % 2:
        raise ValueError("head_dim must be even")
    freq = theta ** (-torch.arange(0, head_dim, 2, dtype=torch.float32, device=device) / head_dim)
    pos = torch.arange(max_len, dtype=torch.float32, device=device)
    angle = torch.outer(pos, freq)
    angle = torch.cat([angle, angle], dim=-1)
    return angle.cos(), angle.sin()


def apply_rotary_pos_emb(q, k, cos, sin):
    def rot(x):
        return (x * cos + rotate_half(x) * sin).to(x.dtype)
    return rot(q), rot(k)


def rotate_half(x):
    half = x.shape[-1] // 2
    return torch.cat([-x[..., half:], x[..., :half]], dim=1)


# --- two_slips_1
import torch
from torch import Tensor


def rope_cos_sin(
    head_dim: int, max_len: int, theta: float = 10000.0, device: torch.device | str | None = None
) -> tuple[Tensor, Tensor]:
    if head_dim % 2 != 0:
        raise ValueError("head_dim must be even")
    i = torch.arange(head_dim // 2, dtype=torch.float32, device=device)
    freqs = theta ** (-i / head_dim)
    pos = torch.arange(max_len, dtype=torch.float32, device=device)
    angles = pos[:, None] * freqs[None, :]
    angles = torch.cat((angles, angles), dim=1)
    return torch.cos(angles), torch.sin(angles)


def rotate_half(x: Tensor) -> Tensor:
    half = x.shape[-1] // 2
    first, second = x[..., :half], x[..., half:]
    return torch.cat((second, -first), dim=-1)


def apply_rotary_pos_emb(q: Tensor, k: Tensor, cos: Tensor, sin: Tensor) -> tuple[Tensor, Tensor]:
    def rot(t: Tensor) -> Tensor:
        return (t * cos + rotate_half(t) * sin).to(t.dtype)

    return rot(q), rot(k)


# --- two_slips_2
import torch
from torch import Tensor


def rope_cos_sin(
    head_dim: int, max_len: int, theta: float = 10000.0, device: torch.device | str | None = None
) -> tuple[Tensor, Tensor]:
    if head_dim % 2 == 1:
        raise ValueError(f"odd head_dim {head_dim}")
    inv_freq = 1.0 / (10000.0 ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim))
    t = torch.arange(max_len, device=device).float()
    table = torch.outer(t, inv_freq)
    table = table.repeat_interleave(2, dim=-1)
    return table.cos(), table.sin()


def rotate_half(x: Tensor) -> Tensor:
    a, b = x.chunk(2, dim=-1)
    return torch.cat([-b, a], dim=-1)


def apply_rotary_pos_emb(q: Tensor, k: Tensor, cos: Tensor, sin: Tensor) -> tuple[Tensor, Tensor]:
    q_out = q * cos + rotate_half(q) * sin
    k_out = k * cos + rotate_half(k) * sin
    return q_out.type_as(q), k_out.type_as(k)


# --- two_slips_3
import torch
from torch import Tensor


def rope_cos_sin(
    head_dim: int, max_len: int, theta: float = 10000.0, device: torch.device | str | None = None
) -> tuple[Tensor, Tensor]:
    if head_dim & 1:
        raise ValueError("need an even number of channels")
    exponents = torch.arange(0, head_dim, 2, dtype=torch.float32, device=device).div(head_dim)
    frequencies = torch.pow(theta, -exponents)
    angle = torch.einsum("p,f->pf", torch.arange(max_len, dtype=torch.float32, device=device), frequencies)
    cos, sin = angle.cos(), angle.sin()
    return torch.hstack([cos, cos]), torch.hstack([sin, sin])


def rotate_half(x: Tensor) -> Tensor:
    x1, x2 = x[..., 0::2], x[..., 1::2]
    out = torch.stack((-x2, x1), dim=-1)
    return out.flatten(-2)


def apply_rotary_pos_emb(q: Tensor, k: Tensor, cos: Tensor, sin: Tensor) -> tuple[Tensor, Tensor]:
    rotated_q = q * cos + rotate_half(q) * sin
    rotated_k = k * sin + rotate_half(k) * cos
    return rotated_q.to(q.dtype), rotated_k.to(k.dtype)


# --- two_slips_4
import torch
from torch import Tensor


def rope_cos_sin(
    head_dim: int, max_len: int, theta: float = 10000.0, device: torch.device | str | None = None
) -> tuple[Tensor, Tensor]:
    if head_dim % 2:
        raise ValueError("head_dim")
    steps = torch.arange(head_dim // 2, device=device, dtype=torch.float32)
    freq = theta ** (-2.0 * steps / head_dim)
    where = torch.arange(1, max_len + 1, device=device, dtype=torch.float32)
    angle = where.unsqueeze(1) * freq.unsqueeze(0)
    both = torch.cat([angle, angle], dim=-1)
    return both.cos(), both.sin()


def rotate_half(x: Tensor) -> Tensor:
    n = x.size(-1) // 2
    return torch.cat([-x[..., n:], x[..., :n]], dim=-1)


def apply_rotary_pos_emb(q: Tensor, k: Tensor, cos: Tensor, sin: Tensor) -> tuple[Tensor, Tensor]:
    q_new = q * cos + rotate_half(q) * sin
    k_new = k * cos + rotate_half(k) * sin
    return q_new, k_new


# --- two_slips_5
# slips: the frequencies are doubled pair by pair (f0 f0 f1 f1) in place of half after half; rotate_half puts the minus on the first half
import torch
from torch import Tensor


def rope_cos_sin(
    head_dim: int, max_len: int, theta: float = 10000.0, device: torch.device | str | None = None
) -> tuple[Tensor, Tensor]:
    if head_dim % 2 == 1:
        raise ValueError("head_dim must be even")
    inv_freq = 1.0 / theta ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim)
    pos = torch.arange(max_len, device=device).float()
    angles = torch.outer(pos, inv_freq)
    emb = angles.repeat_interleave(2, dim=-1)
    return emb.cos(), emb.sin()


def rotate_half(x: Tensor) -> Tensor:
    a, b = x.chunk(2, dim=-1)
    return torch.cat((b, -a), dim=-1)


def apply_rotary_pos_emb(q: Tensor, k: Tensor, cos: Tensor, sin: Tensor) -> tuple[Tensor, Tensor]:
    rq = q * cos + rotate_half(q) * sin
    rk = k * cos + rotate_half(k) * sin
    return rq.to(q.dtype), rk.to(k.dtype)


# --- two_slips_6
# slips: the exponent is i / head_dim in place of 2i / head_dim; half precision comes back as float32
import torch
from torch import Tensor


def rope_cos_sin(
    head_dim: int, max_len: int, theta: float = 10000.0, device: torch.device | str | None = None
) -> tuple[Tensor, Tensor]:
    if head_dim % 2:
        raise ValueError
    half = head_dim // 2
    i = torch.arange(half, dtype=torch.float32, device=device)
    freqs = theta ** (-i / head_dim)
    p = torch.arange(max_len, dtype=torch.float32, device=device)[:, None]
    angle = (p * freqs[None, :]).repeat(1, 2)
    return torch.cos(angle), torch.sin(angle)


def rotate_half(x: Tensor) -> Tensor:
    half = x.shape[-1] // 2
    return torch.cat([-x[..., half:], x[..., :half]], -1)


def apply_rotary_pos_emb(q: Tensor, k: Tensor, cos: Tensor, sin: Tensor) -> tuple[Tensor, Tensor]:
    out = []
    for t in (q, k):
        r = t * cos + rotate_half(t) * sin
        out.append(r)
    return out[0], out[1]


# --- two_slips_7
# slips: the positions count from 1; the keys are combined with rotate_half of the queries (copied line)
import torch
from torch import Tensor


def rope_cos_sin(
    head_dim: int, max_len: int, theta: float = 10000.0, device: torch.device | str | None = None
) -> tuple[Tensor, Tensor]:
    if head_dim % 2 != 0:
        raise ValueError("odd head_dim")
    exponents = -torch.arange(0, head_dim, 2, dtype=torch.float64, device=device) / head_dim
    freqs = torch.pow(torch.tensor(theta, dtype=torch.float64, device=device), exponents)
    t = torch.arange(1, max_len + 1, dtype=torch.float64, device=device)
    table = torch.einsum("t,f->tf", t, freqs)
    table = torch.cat([table, table], dim=1)
    return table.cos().float(), table.sin().float()


def rotate_half(x: Tensor) -> Tensor:
    n = x.size(-1)
    first, second = x.split(n // 2, dim=-1)
    return torch.cat([second.neg(), first], dim=-1)


def apply_rotary_pos_emb(q: Tensor, k: Tensor, cos: Tensor, sin: Tensor) -> tuple[Tensor, Tensor]:
    cos, sin = cos[None, None], sin[None, None]
    q_half = rotate_half(q)
    k_half = rotate_half(q)
    q_rot = q * cos + q_half * sin
    k_rot = k * cos + k_half * sin
    return q_rot.to(q.dtype), k_rot.to(k.dtype)


# --- two_slips_8
import torch


def rope_cos_sin(head_dim, max_len, theta=10000.0, device=None):
    if head_dim % 2:
        raise ValueError("head_dim must be even")
    inv = 1.0 / theta ** (torch.arange(0, head_dim, 2, device=device).double() / head_dim)
    t = torch.arange(max_len, device=device).double()
    ang = torch.outer(t, inv)
    ang = ang.repeat_interleave(2, dim=-1)
    return ang.cos().float(), ang.sin().float()


def rotate_half(x):
    x1, x2 = x.chunk(2, dim=-1)
    return torch.cat([x2, -x1], dim=-1)


def apply_rotary_pos_emb(q, k, cos, sin):
    q2 = q * cos + rotate_half(q) * sin
    k2 = k * cos + rotate_half(k) * sin
    return q2.to(q.dtype), k2.to(k.dtype)


# --- two_slips_9
import torch
from torch import Tensor


def rope_cos_sin(head_dim: int, max_len: int, theta: float = 10000.0, device=None) -> tuple[Tensor, Tensor]:
    if head_dim % 2 != 0:
        raise ValueError(f"head_dim {head_dim} is odd")
    half = head_dim // 2
    freqs = torch.tensor([theta ** (-2 * i / head_dim) for i in range(half)], dtype=torch.float64, device=device)
    positions = torch.arange(1, max_len + 1, dtype=torch.float64, device=device)
    table = (positions[:, None] * freqs[None, :]).repeat(1, 2)
    return torch.cos(table).to(torch.float32), torch.sin(table).to(torch.float32)


def rotate_half(x: Tensor) -> Tensor:
    n = x.shape[-1] // 2
    return torch.cat((x[..., n:].neg(), x[..., :n]), dim=-1)


def apply_rotary_pos_emb(q: Tensor, k: Tensor, cos: Tensor, sin: Tensor) -> tuple[Tensor, Tensor]:
    rotated = []
    for x in (q, k):
        y = x * cos + rotate_half(x) * sin
        rotated.append(y)
    return rotated[0], rotated[1]


# --- theta_ignored_always_10000
import torch

BASE = 10000.0


def rope_cos_sin(head_dim, max_len, theta=BASE, device=None):
    if head_dim % 2 == 1:
        raise ValueError("odd head_dim")
    exponent = torch.arange(head_dim // 2, device=device, dtype=torch.float64) * (-2.0 / head_dim)
    freq = torch.pow(BASE, exponent)
    angle = torch.einsum("p,f->pf", torch.arange(max_len, device=device, dtype=torch.float64), freq)
    full = torch.cat((angle, angle), 1)
    return full.cos().to(torch.float32), full.sin().to(torch.float32)


def rotate_half(x):
    first, second = torch.tensor_split(x, 2, dim=-1)
    return torch.cat((-second, first), -1)


def apply_rotary_pos_emb(q, k, cos, sin):
    def apply(x):
        return (x * cos + rotate_half(x) * sin).to(x.dtype)

    return apply(q), apply(k)
