"""What keeps scores in bounds: normalised queries and keys, a soft cap, a sink that takes what no key deserves."""

import math

import torch
from torch import Tensor


def qk_norm_scores(q: Tensor, k: Tensor, q_gain: Tensor, k_gain: Tensor, eps: float = 1e-6) -> Tensor:
    """RMSNorm(q) RMSNorm(k)^T / sqrt(Dh); Henry et al. 2020, as in Qwen 3 and Gemma 3.

    Args:
        q: queries [..., T_q, Dh].
        k: keys [..., T_kv, Dh].
        q_gain, k_gain: [Dh], what normalised queries and keys are multiplied by.
        eps: added to the mean of the squares.

    Returns:
        [..., T_q, T_kv], computed in float32 at least, in the dtype of q.
    """
    scores = _normalised(q, q_gain, eps) @ _normalised(k, k_gain, eps).transpose(-2, -1)
    return (scores / math.sqrt(q.shape[-1])).to(q.dtype)


def _normalised(x: Tensor, gain: Tensor, eps: float) -> Tensor:
    """[..., Dh] with the root mean square 1, times the gain."""
    wide = x.to(torch.promote_types(x.dtype, torch.float32))
    return wide * torch.rsqrt(wide.square().mean(dim=-1, keepdim=True) + eps) * gain


def soft_cap(scores: Tensor, cap: float) -> Tensor:
    """The scores, smoothly kept between -cap and cap; as in Gemma 2.

    Raises:
        ValueError: cap is not above 0.
    """
    if cap <= 0:
        raise ValueError(f"a cap is above 0, got {cap}")
    return cap * torch.tanh(scores / cap)


def sink_softmax(scores: Tensor, sink: Tensor, mask: Tensor | None = None) -> Tensor:
    """Softmax of [..., H, T_q, T_kv] with one more score a row, sink [H], whose weight is left out; as in gpt-oss.

    A row that sees nothing has the weights 0: the sink takes all.
    """
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    beside = sink[:, None, None].expand(*scores.shape[:-1], 1)  # [..., H, T_q, 1]
    return torch.cat([scores, beside], dim=-1).softmax(dim=-1)[..., :-1]
