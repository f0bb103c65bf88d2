"""Latent and rotated key as one long key, scaled queries, float32 inside at least."""

import torch


def attend(q, k, v, mask):
    scores = q @ k.transpose(-1, -2)
    if mask is not None:
        scores = scores.masked_fill(mask.logical_not(), float("-inf"))
    return torch.softmax(scores, dim=-1) @ v


def mla_expanded(q, q_rope, latent, k_rope, w_k, w_v, mask=None):
    wide = torch.promote_types(q.dtype, torch.float32)
    long_q = torch.cat([q, q_rope], -1).to(wide)
    of_heads = latent.to(wide)[:, None] @ w_k.to(wide)
    rotated = k_rope.to(wide)[:, None].expand(-1, q.shape[1], -1, -1)
    out = attend(
        long_q * long_q.shape[-1] ** -0.5,
        torch.cat([of_heads, rotated], -1),
        latent.to(wide)[:, None] @ w_v.to(wide),
        mask,
    )
    return out.to(q.dtype)


def mla_step(q, q_rope, latent, k_rope, w_k, w_v, cache=None):
    wide = torch.promote_types(q.dtype, torch.float32)
    old = cache if cache is not None else (latent[:, :0], k_rope[:, :0])
    latent, k_rope = torch.cat([old[0], latent], 1), torch.cat([old[1], k_rope], 1)
    key = torch.cat([latent, k_rope], -1).to(wide)[:, None]
    query = torch.cat([q.to(wide) @ w_k.to(wide).mT, q_rope.to(wide)], -1) / (q.shape[-1] + q_rope.shape[-1]) ** 0.5
    new, both = q.shape[2], latent.shape[1]
    mask = torch.tril(torch.ones(new, both, dtype=torch.bool, device=q.device), diagonal=both - new)
    out = attend(query, key, latent.to(wide)[:, None], mask) @ w_v.to(wide)
    return out.to(q.dtype), (latent, k_rope)
