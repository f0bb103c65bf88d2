"""torch's own function with the same weights. Students may not call it, but it has to get full marks."""

import torch
from torch import nn
from torch.nn import functional as F


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=True):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("embed_dim must be divisible by num_heads")
        self.d_model, self.num_heads = d_model, num_heads
        for name in "qkvo":
            setattr(self, f"w_{name}", nn.Linear(d_model, d_model, bias=bias))

    def forward(self, x, mask=None):
        B, T, D = x.shape
        if mask is not None:
            mask = mask[:, None] if mask.dim() == 3 else mask
            mask = ~mask.expand(B, self.num_heads, T, T).reshape(B * self.num_heads, T, T)
        layers = (self.w_q, self.w_k, self.w_v)
        x = x.transpose(0, 1)
        output, weights = F.multi_head_attention_forward(
            x, x, x, self.d_model, self.num_heads,
            in_proj_weight=torch.cat([w.weight for w in layers]),
            in_proj_bias=None if self.w_q.bias is None else torch.cat([w.bias for w in layers]),
            bias_k=None, bias_v=None, add_zero_attn=False, dropout_p=0.0,
            out_proj_weight=self.w_o.weight, out_proj_bias=self.w_o.bias,
            training=self.training, attn_mask=mask, need_weights=True, average_attn_weights=False,
        )
        return output.transpose(0, 1), weights
