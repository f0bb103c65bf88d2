import math

import torch


class MultiHeadAttention(torch.nn.Module):
    """The heads stay where they are; einsum names the axes."""

    def __init__(self, d_model, num_heads, bias=True):
        super().__init__()
        if d_model % num_heads > 0:
            raise ValueError(f"{d_model=} {num_heads=}")
        self.n = num_heads
        self._modules.update({f"w_{c}": torch.nn.Linear(d_model, d_model, bias=bias) for c in "qkvo"})

    def forward(self, x, mask=None):
        q, k, v = (self._modules[f"w_{c}"](x).unflatten(2, (self.n, -1)) for c in "qkv")
        s = torch.einsum("bthc,bshc->bhts", q / math.sqrt(q.shape[-1]), k)
        if mask is not None:
            if mask.dim() == 2:
                mask = mask[None]
            if mask.dim() == 3:
                mask = mask[:, None]
            s = s.masked_fill(mask.logical_not(), -math.inf)
        w = (s - s.logsumexp(-1, keepdim=True)).exp()
        return self.w_o(torch.einsum("bhts,bshc->bthc", w, v).flatten(2)), w
