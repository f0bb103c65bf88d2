"""A pair of channels as a complex number: turning it is one multiplication."""

import torch


def rope_cos_sin(head_dim, max_len, theta=10000.0, device=None):
    if head_dim % 2:
        raise ValueError("odd head_dim")
    freqs = theta ** (torch.arange(0, head_dim, 2, device=device) / -head_dim)
    angles = torch.outer(torch.arange(max_len, device=device), freqs)
    turn = torch.polar(torch.ones_like(angles), angles)
    turn = torch.cat([turn, turn], dim=1)
    return turn.real, turn.imag


def rotate_half(x):
    first, second = x.tensor_split(2, dim=-1)
    return torch.cat([second.neg(), first], dim=-1)


def _turn(x, cos, sin):
    half = x.shape[-1] // 2
    wide = x.float() if x.dtype in (torch.float16, torch.bfloat16) else x
    z = torch.complex(wide[..., :half], wide[..., half:])
    z = z * torch.complex(cos[:, :half], sin[:, :half]).to(z.dtype)
    return torch.cat([z.real, z.imag], dim=-1).to(x.dtype)


def apply_rotary_pos_emb(q, k, cos, sin):
    return _turn(q, cos, sin), _turn(k, cos, sin)
