"""Everything in the dtype of q and k, one rounding after another."""

import torch


def rope_cos_sin(head_dim: int, max_len: int, theta: float = 10000.0, device=None):
    if head_dim & 1:
        raise ValueError(f"{head_dim} is odd")
    steps = torch.linspace(0, 1, head_dim // 2 + 1, device=device)[:-1]
    inv_freq = torch.pow(theta, -steps)
    table = torch.arange(max_len, device=device).unsqueeze(-1) * torch.hstack([inv_freq, inv_freq])
    return table.cos(), table.sin()


def rotate_half(x):
    out = x.roll(x.shape[-1] // 2, dims=-1)
    sign = torch.ones(x.shape[-1], dtype=x.dtype, device=x.device)
    sign[: x.shape[-1] // 2] = -1
    return out * sign


def apply_rotary_pos_emb(q, k, cos, sin):
    rotated = []
    for x in (q, k):
        c, s = cos.to(x), sin.to(x)
        a, b = x.chunk(2, -1)
        ca, cb = c.chunk(2, -1)
        sa, sb = s.chunk(2, -1)
        rotated.append(torch.cat([a * ca - b * sa, b * cb + a * sb], -1))
    return tuple(rotated)
