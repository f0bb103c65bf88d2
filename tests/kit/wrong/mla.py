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
