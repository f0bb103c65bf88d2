"""Multi-head self-attention as a module: nn.MultiheadAttention with four layers in sight."""

import math

from torch import Tensor, nn


class MultiHeadAttention(nn.Module):
    """Self-attention with num_heads heads; Vaswani et al. 2017, section 3.2.2.

    Args:
        d_model: channels of a token, D.
        num_heads: H.
        bias: whether the four layers w_q, w_k, w_v, w_o have one.

    Raises:
        ValueError: d_model is not divisible by num_heads.
    """

    def __init__(self, d_model: int, num_heads: int, bias: bool = True) -> None:
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"{d_model} channels cannot be shared equally among {num_heads} heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model, bias=bias)
        self.w_k = nn.Linear(d_model, d_model, bias=bias)
        self.w_v = nn.Linear(d_model, d_model, bias=bias)
        self.w_o = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Args: x [B, T, D]; mask bool [T, T], [B, T, T] or 4-D, True = may attend.

        Returns: output [B, T, D] and weights [B, H, T, T].
        """
        B, T, D = x.shape
        Dh = D // self.num_heads
        layers = (self.w_q, self.w_k, self.w_v)
        q, k, v = (layer(x).reshape(B, T, -1, Dh).transpose(1, 2) for layer in layers)  # [B, H, T, Dh]
        scores = q @ k.transpose(-2, -1) / math.sqrt(Dh)  # [B, H, T, T]
        if mask is not None:
            mask = mask[:, None] if mask.dim() == 3 else mask  # one for each example: the same for all its heads
            scores = scores.masked_fill(~mask, -math.inf)  # [B, H, T, T]
        weights = scores.softmax(dim=-1)  # [B, H, T, T]
        merged = (weights @ v).transpose(1, 2).reshape(B, T, D)  # [B, T, D]: head 0 first
        return self.w_o(merged), weights
