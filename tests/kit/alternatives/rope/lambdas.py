import torch


def _odd(n):
    raise ValueError(n)


_angles = lambda head_dim, max_len, theta, device: (
    torch.arange(max_len, device=device).view(-1, 1)
    * torch.exp(torch.arange(0, head_dim, 2, device=device) * (-torch.log(torch.tensor(theta)) / head_dim))
)
rope_cos_sin = lambda head_dim, max_len, theta=10000.0, device=None: (
    _odd(head_dim) if head_dim % 2 else tuple(f(_angles(head_dim, max_len, theta, device)).repeat(1, 2) for f in (torch.cos, torch.sin))
)
rotate_half = lambda x: torch.cat([s * part for s, part in zip((-1, 1), x.chunk(2, -1)[::-1], strict=True)], -1)
apply_rotary_pos_emb = lambda q, k, cos, sin: tuple(
    (x * cos.type_as(x)) + rotate_half(x) * sin.type_as(x) for x in (q, k)
)
