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


# --- two_slips_3
# slips: the sum of both products is divided by sqrt(Dh) in place of sqrt(Dh + Dr); in mla_step several new tokens see each other in both directions
import math

import torch
from torch import Tensor


def mla_expanded(
    q: Tensor, q_rope: Tensor, latent: Tensor, k_rope: Tensor, w_k: Tensor, w_v: Tensor, mask: Tensor | None = None
) -> Tensor:
    k = latent.unsqueeze(1) @ w_k  # [B, H, T_kv, Dh]
    v = latent.unsqueeze(1) @ w_v
    s = q @ k.transpose(-2, -1) + q_rope @ k_rope.unsqueeze(1).transpose(-2, -1)
    s = s / math.sqrt(q.shape[-1])
    if mask is not None:
        s = s.masked_fill(~mask, -math.inf)
    return s.softmax(dim=-1) @ v


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
    T, n = q.shape[2], latent.shape[1]
    absorbed = q @ w_k.transpose(-2, -1)  # [B, H, T, Dc]
    s = absorbed @ latent.unsqueeze(1).transpose(-2, -1) + q_rope @ k_rope.unsqueeze(1).transpose(-2, -1)
    s = s / math.sqrt(q.shape[-1] + q_rope.shape[-1])
    out = s.softmax(dim=-1) @ latent.unsqueeze(1) @ w_v
    return out, (latent, k_rope)


# --- two_slips_4
# slips: mla_expanded takes the mask and ignores it; mla_step puts the new latents before those of the cache
import torch
import torch.nn.functional as F
from torch import Tensor


def _weights(content, position, width, allowed):
    logits = (content + position) * width**-0.5
    if allowed is not None:
        logits = logits.masked_fill(allowed.logical_not(), float("-inf"))
    return F.softmax(logits, dim=-1)


def mla_expanded(
    q: Tensor, q_rope: Tensor, latent: Tensor, k_rope: Tensor, w_k: Tensor, w_v: Tensor, mask: Tensor | None = None
) -> Tensor:
    keys = torch.einsum("btc,hcd->bhtd", latent, w_k)
    values = torch.einsum("btc,hcv->bhtv", latent, w_v)
    a = torch.einsum("bhqd,bhtd->bhqt", q, keys)
    r = torch.einsum("bhqr,btr->bhqt", q_rope, k_rope)
    w = _weights(a, r, q.size(-1) + q_rope.size(-1), None)
    return torch.einsum("bhqt,bhtv->bhqv", w, values)


def mla_step(
    q: Tensor,
    q_rope: Tensor,
    latent: Tensor,
    k_rope: Tensor,
    w_k: Tensor,
    w_v: Tensor,
    cache: tuple[Tensor, Tensor] | None = None,
) -> tuple[Tensor, tuple[Tensor, Tensor]]:
    old = 0
    if cache is not None:
        old = cache[0].size(1)
        latent = torch.cat((latent, cache[0]), 1)
        k_rope = torch.cat((k_rope, cache[1]), 1)
    total = latent.size(1)
    allowed = torch.ones(total - old, total, dtype=torch.bool, device=q.device).tril(old)
    q_abs = torch.einsum("bhqd,hcd->bhqc", q, w_k)
    a = torch.einsum("bhqc,btc->bhqt", q_abs, latent)
    r = torch.einsum("bhqr,btr->bhqt", q_rope, k_rope)
    w = _weights(a, r, q.size(-1) + q_rope.size(-1), allowed)
    mixed = torch.einsum("bhqt,btc->bhqc", w, latent)
    return torch.einsum("bhqc,hcv->bhqv", mixed, w_v), (latent, k_rope)


# --- two_slips_5
# slips: mla_step leaves out the product of the rotated parts; mla_expanded lowers hidden scores by setting them to -1e4, which may be above the visible ones
import torch
from torch import Tensor


def mla_expanded(
    q: Tensor, q_rope: Tensor, latent: Tensor, k_rope: Tensor, w_k: Tensor, w_v: Tensor, mask: Tensor | None = None
) -> Tensor:
    H = q.shape[1]
    out = []
    for h in range(H):
        k = torch.cat([latent @ w_k[h], k_rope], dim=-1)  # [B, T_kv, Dh + Dr]
        v = latent @ w_v[h]
        full_q = torch.cat([q[:, h], q_rope[:, h]], dim=-1)
        s = full_q @ k.mT / full_q.shape[-1] ** 0.5
        if mask is not None:
            m = mask.expand(q.shape[0], H, q.shape[2], latent.shape[1])[:, h]
            s = torch.where(m, s, torch.full_like(s, -1e4))
        out.append(s.softmax(-1) @ v)
    return torch.stack(out, dim=1)


def mla_step(
    q: Tensor,
    q_rope: Tensor,
    latent: Tensor,
    k_rope: Tensor,
    w_k: Tensor,
    w_v: Tensor,
    cache: tuple[Tensor, Tensor] | None = None,
) -> tuple[Tensor, tuple[Tensor, Tensor]]:
    past = 0
    if cache is not None:
        past = cache[0].shape[1]
        latent, k_rope = torch.cat([cache[0], latent], 1), torch.cat([cache[1], k_rope], 1)
    n = q.shape[2]
    # (q W_K^T) . latent, so that no keys are needed
    scores = (q @ w_k.mT) @ latent[:, None].mT
    scores = scores / (q.shape[-1] + q_rope.shape[-1]) ** 0.5
    i = torch.arange(past, past + n, device=q.device)
    j = torch.arange(past + n, device=q.device)
    scores = scores.masked_fill(j > i[:, None], -torch.inf)
    mix = scores.softmax(-1) @ latent[:, None]
    return mix @ w_v, (latent, k_rope)


# --- scale_of_absorbed_query_width
# slip: the scores of mla_step are divided by the root of the latents' width, since the absorbed query has that many channels
import torch
from torch import Tensor


def mla_expanded(
    q: Tensor, q_rope: Tensor, latent: Tensor, k_rope: Tensor, w_k: Tensor, w_v: Tensor, mask: Tensor | None = None
) -> Tensor:
    B, H, Tq, Dh = q.shape
    k = torch.matmul(latent[:, None], w_k[None])
    v = torch.matmul(latent[:, None], w_v[None])
    kr = k_rope[:, None].expand(-1, H, -1, -1)
    qq, kk = torch.cat([q, q_rope], -1), torch.cat([k, kr], -1)
    logits = qq @ kk.transpose(2, 3) / qq.size(-1) ** 0.5
    if mask is not None:
        logits = logits.masked_fill(~mask, float("-inf"))
    return torch.softmax(logits, -1) @ v


def mla_step(
    q: Tensor,
    q_rope: Tensor,
    latent: Tensor,
    k_rope: Tensor,
    w_k: Tensor,
    w_v: Tensor,
    cache: tuple[Tensor, Tensor] | None = None,
) -> tuple[Tensor, tuple[Tensor, Tensor]]:
    c, r = latent, k_rope
    if cache is not None:
        c = torch.cat([cache[0], c], 1)
        r = torch.cat([cache[1], r], 1)
    T, S = q.size(2), c.size(1)
    q_full = torch.cat([torch.einsum("bhtd,hcd->bhtc", q, w_k), q_rope], -1)
    k_full = torch.cat([c, r], -1)
    logits = torch.einsum("bhtx,bsx->bhts", q_full, k_full)
    logits = logits / q_full.size(-1) ** 0.5
    causal = torch.ones(T, S, dtype=torch.bool, device=q.device).tril(S - T)
    w = torch.softmax(logits.masked_fill(~causal, float("-inf")), -1)
    out = torch.einsum("bhts,bsc->bhtc", w, c) @ w_v
    return out, (c, r)


# --- two_slips_6
import torch


def mla_expanded(q, q_rope, latent, k_rope, w_k, w_v, mask=None):
    k = torch.einsum("btc,hcd->bhtd", latent, w_k)
    v = torch.einsum("btc,hce->bhte", latent, w_v)
    scores = torch.einsum("bhid,bhjd->bhij", q, k) + torch.einsum("bhir,bjr->bhij", q_rope, k_rope)
    scores = scores / q.shape[-1] ** 0.5
    return scores.softmax(-1) @ v


def mla_step(q, q_rope, latent, k_rope, w_k, w_v, cache=None):
    if cache is not None:
        latent = torch.cat([cache[0], latent], dim=1)
        k_rope = torch.cat([cache[1], k_rope], dim=1)
    T, S = q.shape[2], latent.shape[1]
    qa = torch.einsum("bhid,hcd->bhic", q, w_k)
    scores = torch.einsum("bhic,bjc->bhij", qa, latent) + torch.einsum("bhir,bjr->bhij", q_rope, k_rope)
    scores = scores / q.shape[-1] ** 0.5
    m = torch.ones(T, S, dtype=torch.bool, device=q.device).tril(S - T)
    w = scores.masked_fill(~m, float("-inf")).softmax(-1)
    mixed = torch.einsum("bhij,bjc->bhic", w, latent)
    return torch.einsum("bhic,hce->bhie", mixed, w_v), (latent, k_rope)


# --- mla_step_the_new_tokens_see
import math
import torch


def _softmax_scores(s, mask):
    if mask is not None:
        s = torch.where(mask, s, torch.full_like(s, -math.inf))
    return torch.softmax(s, dim=-1)


def mla_expanded(q, q_rope, latent, k_rope, w_k, w_v, mask=None):
    lat = latent[:, None]
    keys = torch.cat([lat @ w_k, k_rope[:, None].expand(-1, w_k.shape[0], -1, -1)], dim=-1)
    queries = torch.cat([q, q_rope], dim=-1)
    s = queries @ keys.transpose(-1, -2) / math.sqrt(queries.shape[-1])
    return _softmax_scores(s, mask) @ (lat @ w_v)


def mla_step(q, q_rope, latent, k_rope, w_k, w_v, cache=None):
    n = 0
    if cache is not None:
        n = cache[0].shape[1]
        latent, k_rope = torch.cat((cache[0], latent), 1), torch.cat((cache[1], k_rope), 1)
    T = q.shape[2]
    mask = None if n else torch.ones(T, n + T, dtype=torch.bool, device=q.device).tril(n)
    lat, kr = latent[:, None], k_rope[:, None]
    s = (q @ w_k.mT) @ lat.mT + q_rope @ kr.mT
    w = _softmax_scores(s / math.sqrt(q.shape[-1] + q_rope.shape[-1]), mask)
    return (w @ lat) @ w_v, (latent, k_rope)
