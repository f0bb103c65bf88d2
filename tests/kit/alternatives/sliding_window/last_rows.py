"""The last rows of the square mask of all positions; additive bias of the lowest number."""

import torch


class Window:
    def __init__(self, size):
        if size < 1:
            raise ValueError("window must be positive")
        self.size = size

    def square(self, n, device=None):
        d = torch.arange(n, device=device)[:, None] - torch.arange(n, device=device)[None]
        return torch.where(d < 0, False, d < self.size)


def sliding_window_mask(q_len, window, kv_len=None, device=None):
    n = q_len if kv_len is None else kv_len
    if q_len <= 0 or n < q_len:
        raise ValueError((q_len, kv_len))
    return Window(window).square(n, device)[-q_len:]


def sliding_window_attention(q, k, v, window):
    mask = Window(window).square(k.size(-2), q.device)[-q.size(-2) :]
    scores = torch.einsum("...id,...jd->...ij", q / q.size(-1) ** 0.5, k)
    scores = torch.where(mask, scores, torch.tensor(torch.finfo(q.dtype).min, dtype=q.dtype, device=q.device))
    e = torch.exp(scores - scores.amax(-1, keepdim=True))
    return torch.einsum("...ij,...jd->...id", e / e.sum(-1, keepdim=True), v)
