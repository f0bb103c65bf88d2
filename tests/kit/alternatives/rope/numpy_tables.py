import numpy as np
import torch


def rope_cos_sin(head_dim, max_len, theta=10000.0, device=None):
    if head_dim % 2:
        raise ValueError("head_dim % 2 != 0")
    angle = np.outer(np.arange(max_len), theta ** (-np.arange(0, head_dim, 2) / head_dim))
    angle = np.concatenate([angle, angle], axis=-1)
    device = device or "cpu"
    return tuple(torch.from_numpy(f(angle).astype(np.float32)).to(device) for f in (np.cos, np.sin))


def rotate_half(x):
    order = list(range(x.shape[-1] // 2, x.shape[-1])) + list(range(x.shape[-1] // 2))
    y = x[..., order]
    return torch.where(torch.arange(x.shape[-1], device=x.device) < x.shape[-1] // 2, -y, y)


def apply_rotary_pos_emb(q, k, cos, sin):
    heads = q.shape[1]
    both = torch.cat([q, k], dim=1)
    both = (both * cos + rotate_half(both) * sin).to(q.dtype)
    return both[:, :heads], both[:, heads:]
