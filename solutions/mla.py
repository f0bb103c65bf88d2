"""Multi-head latent attention: as it is defined, and with matrices absorbed into queries and outputs."""

import math

import torch
from torch import Tensor


def mla_expanded(
    q: Tensor, q_rope: Tensor, latent: Tensor, k_rope: Tensor, w_k: Tensor, w_v: Tensor, mask: Tensor | None = None
) -> Tensor:
    """Keys and values of each head from the latents [B, T_kv, Dc]; DeepSeek-V2, 2024.

    Returns:
        [B, H, T_q, Dv].
    """
    keys, values = latent.unsqueeze(1) @ w_k, latent.unsqueeze(1) @ w_v  # [B, H, T_kv, Dh] and Dv
    return _weights(q, q_rope, keys, k_rope, math.sqrt(q.shape[-1] + q_rope.shape[-1]), mask) @ values


def mla_step(
    q: Tensor,
    q_rope: Tensor,
    latent: Tensor,
    k_rope: Tensor,
    w_k: Tensor,
    w_v: Tensor,
    cache: tuple[Tensor, Tensor] | None = None,
) -> tuple[Tensor, tuple[Tensor, Tensor]]:
    """The next T tokens: latents are keys and values of all heads, w_k and w_v come to queries and outputs.

    Returns:
        [B, H, T, Dv], and the longer cache.
    """
    if cache is not None:
        latent, k_rope = (torch.cat(parts, dim=1) for parts in zip(cache, (latent, k_rope), strict=True))
    T, T_all = q.shape[-2], latent.shape[1]
    mask = torch.ones(T, T_all, dtype=torch.bool, device=q.device).tril(T_all - T)
    absorbed, shared = q @ w_k.transpose(-2, -1), latent.unsqueeze(1)  # [B, H, T, Dc] and [B, 1, T_all, Dc]
    weights = _weights(absorbed, q_rope, shared, k_rope, math.sqrt(q.shape[-1] + q_rope.shape[-1]), mask)
    return (weights @ shared) @ w_v, (latent, k_rope)


def _weights(q: Tensor, q_rope: Tensor, k: Tensor, k_rope: Tensor, root: float, mask: Tensor | None) -> Tensor:
    """softmax((q k^T + q_rope k_rope^T) / root): [B, H, T_q, T_kv]."""
    scores = (q @ k.transpose(-2, -1) + q_rope @ k_rope.unsqueeze(1).transpose(-2, -1)) / root
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    return scores.softmax(dim=-1)
