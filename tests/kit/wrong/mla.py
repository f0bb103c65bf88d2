"""Wrong submissions for mla, written from the statement, without the suite in view."""

# --- not_absorbed
import torch


def mla_expanded(q, q_rope, latent, k_rope, w_k, w_v, mask=None):
    k = torch.einsum("btc,hcd->bhtd", latent, w_k)
    v = torch.einsum("btc,hcd->bhtd", latent, w_v)
    s = q @ k.transpose(-1, -2) + q_rope @ k_rope[:, None].transpose(-1, -2)
    s = s / (q.shape[-1] + q_rope.shape[-1]) ** 0.5
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    return s.softmax(-1) @ v


def mla_step(q, q_rope, latent, k_rope, w_k, w_v, cache=None):
    if cache is not None:
        latent = torch.cat([cache[0], latent], 1)
        k_rope = torch.cat([cache[1], k_rope], 1)
    n, m = q.shape[2], latent.shape[1]
    mask = torch.ones(n, m, dtype=torch.bool, device=q.device).tril(m - n)
    return mla_expanded(q, q_rope, latent, k_rope, w_k, w_v, mask), (latent, k_rope)


# --- scale_of_the_latent
import torch


def mla_expanded(q, q_rope, latent, k_rope, w_k, w_v, mask=None):
    k = torch.einsum("btc,hcd->bhtd", latent, w_k)
    v = torch.einsum("btc,hcd->bhtd", latent, w_v)
    s = q @ k.transpose(-1, -2) + q_rope @ k_rope[:, None].transpose(-1, -2)
    s = s / (q.shape[-1] + q_rope.shape[-1]) ** 0.5
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    return s.softmax(-1) @ v


def mla_step(q, q_rope, latent, k_rope, w_k, w_v, cache=None):
    if cache is not None:
        latent = torch.cat([cache[0], latent], 1)
        k_rope = torch.cat([cache[1], k_rope], 1)
    n, m = q.shape[2], latent.shape[1]
    mask = torch.ones(n, m, dtype=torch.bool, device=q.device).tril(m - n)
    a = torch.einsum("bhtd,hcd->bhtc", q, w_k)
    s = a @ latent[:, None].transpose(-1, -2) + q_rope @ k_rope[:, None].transpose(-1, -2)
    s = s / (latent.shape[-1] + q_rope.shape[-1]) ** 0.5
    w = s.masked_fill(~mask, float("-inf")).softmax(-1)
    return (w @ latent[:, None]) @ w_v, (latent, k_rope)


# --- scale_dh_only
import torch


def mla_expanded(q, q_rope, latent, k_rope, w_k, w_v, mask=None):
    k = torch.einsum("btc,hcd->bhtd", latent, w_k)
    v = torch.einsum("btc,hcd->bhtd", latent, w_v)
    s = q @ k.transpose(-1, -2) + q_rope @ k_rope[:, None].transpose(-1, -2)
    s = s / q.shape[-1] ** 0.5
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    return s.softmax(-1) @ v


def mla_step(q, q_rope, latent, k_rope, w_k, w_v, cache=None):
    if cache is not None:
        latent = torch.cat([cache[0], latent], 1)
        k_rope = torch.cat([cache[1], k_rope], 1)
    n, m = q.shape[2], latent.shape[1]
    mask = torch.ones(n, m, dtype=torch.bool, device=q.device).tril(m - n)
    a = torch.einsum("bhtd,hcd->bhtc", q, w_k)
    s = a @ latent[:, None].transpose(-1, -2) + q_rope @ k_rope[:, None].transpose(-1, -2)
    s = s / q.shape[-1] ** 0.5
    w = s.masked_fill(~mask, float("-inf")).softmax(-1)
    return (w @ latent[:, None]) @ w_v, (latent, k_rope)


# --- forgets_rope
import torch


def mla_expanded(q, q_rope, latent, k_rope, w_k, w_v, mask=None):
    k = torch.einsum("btc,hcd->bhtd", latent, w_k)
    v = torch.einsum("btc,hcd->bhtd", latent, w_v)
    s = q @ k.transpose(-1, -2)
    s = s / (q.shape[-1] + q_rope.shape[-1]) ** 0.5
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    return s.softmax(-1) @ v


def mla_step(q, q_rope, latent, k_rope, w_k, w_v, cache=None):
    if cache is not None:
        latent = torch.cat([cache[0], latent], 1)
        k_rope = torch.cat([cache[1], k_rope], 1)
    n, m = q.shape[2], latent.shape[1]
    mask = torch.ones(n, m, dtype=torch.bool, device=q.device).tril(m - n)
    a = torch.einsum("bhtd,hcd->bhtc", q, w_k)
    s = a @ latent[:, None].transpose(-1, -2) + q_rope @ k_rope[:, None].transpose(-1, -2)
    s = s / (q.shape[-1] + q_rope.shape[-1]) ** 0.5
    w = s.masked_fill(~mask, float("-inf")).softmax(-1)
    return (w @ latent[:, None]) @ w_v, (latent, k_rope)


# --- top_left_mask
import torch


def mla_expanded(q, q_rope, latent, k_rope, w_k, w_v, mask=None):
    k = torch.einsum("btc,hcd->bhtd", latent, w_k)
    v = torch.einsum("btc,hcd->bhtd", latent, w_v)
    s = q @ k.transpose(-1, -2) + q_rope @ k_rope[:, None].transpose(-1, -2)
    s = s / (q.shape[-1] + q_rope.shape[-1]) ** 0.5
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    return s.softmax(-1) @ v


def mla_step(q, q_rope, latent, k_rope, w_k, w_v, cache=None):
    if cache is not None:
        latent = torch.cat([cache[0], latent], 1)
        k_rope = torch.cat([cache[1], k_rope], 1)
    n, m = q.shape[2], latent.shape[1]
    mask = torch.ones(n, m, dtype=torch.bool, device=q.device).tril()
    a = torch.einsum("bhtd,hcd->bhtc", q, w_k)
    s = a @ latent[:, None].transpose(-1, -2) + q_rope @ k_rope[:, None].transpose(-1, -2)
    s = s / (q.shape[-1] + q_rope.shape[-1]) ** 0.5
    w = s.masked_fill(~mask, float("-inf")).softmax(-1)
    return (w @ latent[:, None]) @ w_v, (latent, k_rope)


# --- no_mask_in_step
import torch


def mla_expanded(q, q_rope, latent, k_rope, w_k, w_v, mask=None):
    k = torch.einsum("btc,hcd->bhtd", latent, w_k)
    v = torch.einsum("btc,hcd->bhtd", latent, w_v)
    s = q @ k.transpose(-1, -2) + q_rope @ k_rope[:, None].transpose(-1, -2)
    s = s / (q.shape[-1] + q_rope.shape[-1]) ** 0.5
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    return s.softmax(-1) @ v


def mla_step(q, q_rope, latent, k_rope, w_k, w_v, cache=None):
    if cache is not None:
        latent = torch.cat([cache[0], latent], 1)
        k_rope = torch.cat([cache[1], k_rope], 1)
    n, m = q.shape[2], latent.shape[1]
    mask = torch.ones(n, m, dtype=torch.bool, device=q.device).tril(m - n)
    a = torch.einsum("bhtd,hcd->bhtc", q, w_k)
    s = a @ latent[:, None].transpose(-1, -2) + q_rope @ k_rope[:, None].transpose(-1, -2)
    s = s / (q.shape[-1] + q_rope.shape[-1]) ** 0.5
    w = s.softmax(-1)
    return (w @ latent[:, None]) @ w_v, (latent, k_rope)


# --- returns_new_cache_only
import torch


def mla_expanded(q, q_rope, latent, k_rope, w_k, w_v, mask=None):
    k = torch.einsum("btc,hcd->bhtd", latent, w_k)
    v = torch.einsum("btc,hcd->bhtd", latent, w_v)
    s = q @ k.transpose(-1, -2) + q_rope @ k_rope[:, None].transpose(-1, -2)
    s = s / (q.shape[-1] + q_rope.shape[-1]) ** 0.5
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    return s.softmax(-1) @ v


def mla_step(q, q_rope, latent, k_rope, w_k, w_v, cache=None):
    new = (latent, k_rope)
    if cache is not None:
        latent = torch.cat([cache[0], latent], 1)
        k_rope = torch.cat([cache[1], k_rope], 1)
    n, m = q.shape[2], latent.shape[1]
    mask = torch.ones(n, m, dtype=torch.bool, device=q.device).tril(m - n)
    a = torch.einsum("bhtd,hcd->bhtc", q, w_k)
    s = a @ latent[:, None].transpose(-1, -2) + q_rope @ k_rope[:, None].transpose(-1, -2)
    s = s / (q.shape[-1] + q_rope.shape[-1]) ** 0.5
    w = s.masked_fill(~mask, float("-inf")).softmax(-1)
    return (w @ latent[:, None]) @ w_v, new


# --- caches_keys_of_heads
import torch


def mla_expanded(q, q_rope, latent, k_rope, w_k, w_v, mask=None):
    k = torch.einsum("btc,hcd->bhtd", latent, w_k)
    v = torch.einsum("btc,hcd->bhtd", latent, w_v)
    s = q @ k.transpose(-1, -2) + q_rope @ k_rope[:, None].transpose(-1, -2)
    s = s / (q.shape[-1] + q_rope.shape[-1]) ** 0.5
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    return s.softmax(-1) @ v


def mla_step(q, q_rope, latent, k_rope, w_k, w_v, cache=None):
    if cache is not None:
        latent = torch.cat([cache[0], latent], 1)
        k_rope = torch.cat([cache[1], k_rope], 1)
    n, m = q.shape[2], latent.shape[1]
    mask = torch.ones(n, m, dtype=torch.bool, device=q.device).tril(m - n)
    a = torch.einsum("bhtd,hcd->bhtc", q, w_k)
    s = a @ latent[:, None].transpose(-1, -2) + q_rope @ k_rope[:, None].transpose(-1, -2)
    s = s / (q.shape[-1] + q_rope.shape[-1]) ** 0.5
    w = s.masked_fill(~mask, float("-inf")).softmax(-1)
    return (w @ latent[:, None]) @ w_v, (torch.einsum("btc,hcd->bhtd", latent, w_k), k_rope)


# --- fill_minus_1e4
import torch


def mla_expanded(q, q_rope, latent, k_rope, w_k, w_v, mask=None):
    k = torch.einsum("btc,hcd->bhtd", latent, w_k)
    v = torch.einsum("btc,hcd->bhtd", latent, w_v)
    s = q @ k.transpose(-1, -2) + q_rope @ k_rope[:, None].transpose(-1, -2)
    s = s / (q.shape[-1] + q_rope.shape[-1]) ** 0.5
    if mask is not None:
        s = s.masked_fill(~mask, -1e4)
    return s.softmax(-1) @ v


def mla_step(q, q_rope, latent, k_rope, w_k, w_v, cache=None):
    if cache is not None:
        latent = torch.cat([cache[0], latent], 1)
        k_rope = torch.cat([cache[1], k_rope], 1)
    n, m = q.shape[2], latent.shape[1]
    mask = torch.ones(n, m, dtype=torch.bool, device=q.device).tril(m - n)
    a = torch.einsum("bhtd,hcd->bhtc", q, w_k)
    s = a @ latent[:, None].transpose(-1, -2) + q_rope @ k_rope[:, None].transpose(-1, -2)
    s = s / (q.shape[-1] + q_rope.shape[-1]) ** 0.5
    w = s.masked_fill(~mask, float("-inf")).softmax(-1)
    return (w @ latent[:, None]) @ w_v, (latent, k_rope)


# --- rope_scaled_apart
import torch


def mla_expanded(q, q_rope, latent, k_rope, w_k, w_v, mask=None):
    k = torch.einsum("btc,hcd->bhtd", latent, w_k)
    v = torch.einsum("btc,hcd->bhtd", latent, w_v)
    s = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    s = s + q_rope @ k_rope[:, None].transpose(-1, -2) / q_rope.shape[-1] ** 0.5
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    return s.softmax(-1) @ v


def mla_step(q, q_rope, latent, k_rope, w_k, w_v, cache=None):
    if cache is not None:
        latent = torch.cat([cache[0], latent], 1)
        k_rope = torch.cat([cache[1], k_rope], 1)
    n, m = q.shape[2], latent.shape[1]
    mask = torch.ones(n, m, dtype=torch.bool, device=q.device).tril(m - n)
    a = torch.einsum("bhtd,hcd->bhtc", q, w_k)
    s = a @ latent[:, None].transpose(-1, -2) + q_rope @ k_rope[:, None].transpose(-1, -2)
    s = s / (q.shape[-1] + q_rope.shape[-1]) ** 0.5
    w = s.masked_fill(~mask, float("-inf")).softmax(-1)
    return (w @ latent[:, None]) @ w_v, (latent, k_rope)


# --- mask_upside_down
import torch


def mla_expanded(q, q_rope, latent, k_rope, w_k, w_v, mask=None):
    k = torch.einsum("btc,hcd->bhtd", latent, w_k)
    v = torch.einsum("btc,hcd->bhtd", latent, w_v)
    s = q @ k.transpose(-1, -2) + q_rope @ k_rope[:, None].transpose(-1, -2)
    s = s / (q.shape[-1] + q_rope.shape[-1]) ** 0.5
    if mask is not None:
        s = s.masked_fill(mask, float("-inf"))
    return s.softmax(-1) @ v


def mla_step(q, q_rope, latent, k_rope, w_k, w_v, cache=None):
    if cache is not None:
        latent = torch.cat([cache[0], latent], 1)
        k_rope = torch.cat([cache[1], k_rope], 1)
    n, m = q.shape[2], latent.shape[1]
    mask = torch.ones(n, m, dtype=torch.bool, device=q.device).tril(m - n)
    a = torch.einsum("bhtd,hcd->bhtc", q, w_k)
    s = a @ latent[:, None].transpose(-1, -2) + q_rope @ k_rope[:, None].transpose(-1, -2)
    s = s / (q.shape[-1] + q_rope.shape[-1]) ** 0.5
    w = s.masked_fill(~mask, float("-inf")).softmax(-1)
    return (w @ latent[:, None]) @ w_v, (latent, k_rope)


# --- two_slips_1
# slips: scores are divided by sqrt(Dh) only instead of sqrt(Dh + Dr); mla_step has no causal mask among the new tokens
import math

import torch
from torch import Tensor


def mla_expanded(
    q: Tensor, q_rope: Tensor, latent: Tensor, k_rope: Tensor, w_k: Tensor, w_v: Tensor, mask: Tensor | None = None
) -> Tensor:
    k = latent.unsqueeze(1) @ w_k  # [B, H, T_kv, Dh]
    v = latent.unsqueeze(1) @ w_v
    scores = q @ k.transpose(-2, -1) + q_rope @ k_rope.unsqueeze(1).transpose(-2, -1)
    scores = scores / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(scores, dim=-1) @ v


def mla_step(
    q: Tensor,
    q_rope: Tensor,
    latent: Tensor,
    k_rope: Tensor,
    w_k: Tensor,
    w_v: Tensor,
    cache: tuple[Tensor, Tensor] | None = None,
) -> tuple[Tensor, tuple[Tensor, Tensor]]:
    if cache is not None:
        latent = torch.cat([cache[0], latent], dim=1)
        k_rope = torch.cat([cache[1], k_rope], dim=1)
    absorbed = q @ w_k.transpose(-2, -1)  # [B, H, T, Dc]
    scores = absorbed @ latent.unsqueeze(1).transpose(-2, -1)
    scores = scores + q_rope @ k_rope.unsqueeze(1).transpose(-2, -1)
    weights = torch.softmax(scores / math.sqrt(q.shape[-1]), dim=-1)
    mixed = weights @ latent.unsqueeze(1)
    return mixed @ w_v, (latent, k_rope)


# --- two_slips_2
# slips: mla_expanded hides the keys where the mask is True; mla_step scales by sqrt(Dc + Dr) instead of sqrt(Dh + Dr)
import torch
from torch import Tensor, einsum


def mla_expanded(q, q_rope, latent, k_rope, w_k, w_v, mask=None) -> Tensor:
    keys = einsum("btc,hcd->bhtd", latent, w_k)
    vals = einsum("btc,hcd->bhtd", latent, w_v)
    s = einsum("bhqd,bhkd->bhqk", q, keys) + einsum("bhqr,bkr->bhqk", q_rope, k_rope)
    s = s * (q.shape[-1] + q_rope.shape[-1]) ** -0.5
    if mask is not None:
        s = s.masked_fill(mask, -torch.inf)
    return einsum("bhqk,bhkd->bhqd", s.softmax(-1), vals)


def mla_step(q, q_rope, latent, k_rope, w_k, w_v, cache=None):
    old = 0
    if cache is not None:
        old = cache[0].shape[1]
        latent = torch.cat((cache[0], latent), 1)
        k_rope = torch.cat((cache[1], k_rope), 1)
    n_new, n_all = q.shape[2], latent.shape[1]
    q_lat = einsum("bhqd,hcd->bhqc", q, w_k)
    s = einsum("bhqc,bkc->bhqk", q_lat, latent) + einsum("bhqr,bkr->bhqk", q_rope, k_rope)
    s = s * (q_lat.shape[-1] + q_rope.shape[-1]) ** -0.5
    visible = torch.arange(n_all, device=q.device) <= torch.arange(n_new, device=q.device)[:, None] + old
    s = s.masked_fill(~visible, -torch.inf)
    mix = einsum("bhqk,bkc->bhqc", s.softmax(-1), latent)
    return einsum("bhqc,hcd->bhqd", mix, w_v), (latent, k_rope)
