import torch


class RopeTables:
    """Grows one table for each width, theta and device, and hands out its first rows."""

    def __init__(self):
        self.known = {}

    def __call__(self, head_dim, max_len, theta=10000.0, device=None):
        if head_dim % 2:
            raise ValueError("head_dim must be a multiple of 2")
        key = (head_dim, float(theta), str(device))
        if key not in self.known or self.known[key][0].shape[0] < max_len:
            exponent = -torch.arange(0, head_dim, 2, device=device, dtype=torch.float32) / head_dim
            angle = torch.arange(2 * max_len, device=device)[:, None] * torch.as_tensor(theta) ** exponent
            self.known[key] = [torch.cat([f(angle)] * 2, dim=1) for f in (torch.cos, torch.sin)]
        return tuple(table[:max_len] for table in self.known[key])


rope_cos_sin = RopeTables()


def rotate_half(x):
    half = x.size(-1) // 2
    return torch.cat((x.narrow(-1, half, half).mul(-1), x.narrow(-1, 0, half)), -1)


def _rope(x, cos, sin):
    return torch.addcmul(x * cos, rotate_half(x), sin).to(x.dtype) if x.dtype == cos.dtype else (
        x.to(torch.float32) * cos + rotate_half(x.to(torch.float32)) * sin
    ).to(x.dtype)  # fmt: skip


def apply_rotary_pos_emb(q, k, cos, sin):
    return _rope(q, cos, sin), _rope(k, cos, sin)
