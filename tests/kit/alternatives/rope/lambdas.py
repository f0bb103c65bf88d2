import torch


def _odd(n):
    raise ValueError(n)


_angles = lambda d, n, theta, device: (
    torch.arange(n, device=device).view(-1, 1)
    * torch.exp(torch.arange(0, d, 2, device=device) * (-torch.log(torch.tensor(theta)) / d))
)
rope_cos_sin = lambda d, n, theta=10000.0, device=None: (
    _odd(d) if d % 2 else tuple(f(_angles(d, n, theta, device)).repeat(1, 2) for f in (torch.cos, torch.sin))
)
rotate_half = lambda x: torch.cat([s * part for s, part in zip((-1, 1), x.chunk(2, -1)[::-1], strict=True)], -1)
apply_rotary_pos_emb = lambda q, k, cos, sin: tuple(
    (x * cos.type_as(x)) + rotate_half(x) * sin.type_as(x) for x in (q, k)
)
