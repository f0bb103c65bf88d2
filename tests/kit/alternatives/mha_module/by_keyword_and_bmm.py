import math

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model: int, num_heads: int, bias: bool = True) -> None:
        super().__init__()
        if num_heads < 1 or d_model // num_heads * num_heads != d_model:
            raise ValueError(f"d_model={d_model} cannot be divided by num_heads={num_heads}")
        self.d_model, self.num_heads, self.d_head = d_model, num_heads, d_model // num_heads
        for name in ("w_q", "w_k", "w_v", "w_o"):
            setattr(self, name, nn.Linear(in_features=d_model, out_features=d_model, bias=bias))

    def split(self, t):
        return t.reshape(-1, t.shape[1], self.num_heads, self.d_head).transpose(1, 2).flatten(0, 1)

    def forward(self, x, mask=None):
        B, T, _ = x.shape
        q, k, v = self.split(self.w_q(x)), self.split(self.w_k(x)), self.split(self.w_v(x))
        scores = torch.bmm(q, k.transpose(1, 2)).view(B, self.num_heads, T, T) / math.sqrt(self.d_head)
        if mask is not None:
            if mask.ndim == 3:
                mask = mask.unsqueeze(1)
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        context = torch.bmm(weights.flatten(0, 1), v).view(B, self.num_heads, T, self.d_head)
        return self.w_o(torch.cat(context.unbind(1), dim=-1)), weights
