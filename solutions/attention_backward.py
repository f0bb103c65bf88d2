"""The gradients of attention by hand: through the mix of values, through softmax, through the scores."""

import math

import torch
from torch import Tensor


def softmax_backward(weights: Tensor, d_weights: Tensor) -> Tensor:
    """The gradient of the scores, from that of weights = softmax(scores): [..., n].

    The Jacobian of a row is diag(w) - w w^T, so that it need not be made.
    """
    return weights * (d_weights - (weights * d_weights).sum(dim=-1, keepdim=True))


def attention_backward(
    q: Tensor, k: Tensor, v: Tensor, d_output: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    """The gradients of q, k and v, from that of the output; as the backward pass of FlashAttention, Dao et al. 2022.

    Args:
        q: queries [..., T_q, Dh].
        k: keys [..., T_kv, Dh].
        v: values [..., T_kv, Dv].
        d_output: the gradient of the output [..., T_q, Dv].
        mask: bool, broadcastable to [..., T_q, T_kv]; True = may attend. Each row has a True.
    """
    scale = 1 / math.sqrt(q.shape[-1])
    scores = q @ k.transpose(-2, -1) * scale  # [..., T_q, T_kv]
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    d_v = weights.transpose(-2, -1) @ d_output  # [..., T_kv, Dv]
    d_weights = d_output @ v.transpose(-2, -1)  # [..., T_q, T_kv]
    d_scores = softmax_backward(weights, d_weights) * scale
    return d_scores @ k, d_scores.transpose(-2, -1) @ q, d_v
