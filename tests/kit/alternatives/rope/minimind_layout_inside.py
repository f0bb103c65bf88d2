import torch


def rope_cos_sin(head_dim, max_len, theta=1e4, device=None):
    """In steps: each row is the row before it turned once more, in float64."""
    if head_dim % 2:
        raise ValueError("an unpaired channel")
    frequency = theta ** -(torch.arange(0, head_dim, 2, dtype=torch.float64, device=device) / head_dim)
    step = torch.complex(frequency.cos(), frequency.sin())
    rows = [torch.ones_like(step)]
    while len(rows) < max_len:
        rows.append(rows[-1] * step)
    table = torch.stack(rows)
    return torch.cat([table.real] * 2, -1).to(torch.float32), torch.cat([table.imag] * 2, -1).to(torch.float32)


def rotate_half(x):
    return torch.cat((-x[..., x.shape[-1] // 2 :], x[..., : x.shape[-1] // 2]), dim=-1)


def apply_rotary_pos_emb(q, k, cos, sin, unsqueeze_dim=1):
    q, k = q.transpose(1, 2), k.transpose(1, 2)
    cos, sin = cos.unsqueeze(unsqueeze_dim), sin.unsqueeze(unsqueeze_dim)
    q_embed = ((q * cos) + (rotate_half(q) * sin)).to(q.dtype)
    k_embed = ((k * cos) + (rotate_half(k) * sin)).to(k.dtype)
    return q_embed.transpose(1, 2), k_embed.transpose(1, 2)
