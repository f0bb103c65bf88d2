"""One query head after another, complex numbers for RoPE, a list as the cache."""

import math

import torch


def spin(x, start, theta):
    half = x.shape[-1] // 2
    wide = x if x.dtype == torch.float64 else x.float()
    angles = torch.arange(start, start + x.shape[1], device=x.device).to(wide.dtype)[:, None] * torch.tensor(
        [theta ** (-i / half) for i in range(half)], dtype=wide.dtype, device=x.device
    )
    z = torch.complex(wide[..., :half], wide[..., half:]) * torch.polar(torch.ones_like(angles), angles)
    return torch.cat([z.real, z.imag], -1).type_as(x)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    group, rest = divmod(num_heads, num_kv_heads)
    if rest or group == 0:
        raise ValueError(f"{num_heads=} {num_kv_heads=}")
    Dh = W[0].shape[1] // num_heads
    past = 0 if cache is None else cache[0].size(2)
    keys, values = [], []
    for h in range(num_kv_heads):
        columns = slice(h * Dh, (h + 1) * Dh)
        k, v = spin(x @ W[1][:, columns], past, theta), x @ W[2][:, columns]
        if cache is not None:
            k, v = torch.cat([cache[0][:, h], k], 1), torch.cat([cache[1][:, h], v], 1)
        keys.append(k)
        values.append(v)
    total = 0
    for h in range(num_heads):
        columns = slice(h * Dh, (h + 1) * Dh)
        q = spin(x @ W[0][:, columns], past, theta) / math.sqrt(Dh)
        scores = torch.einsum("bid,bjd->bij", q, keys[h // group])
        later = torch.full(scores.shape[1:], float("-inf"), dtype=x.dtype, device=x.device).triu(past + 1)
        weights = torch.softmax(scores + later, -1)
        total = total + torch.einsum("bij,bjd->bid", weights, values[h // group]) @ W[3][columns]
    return total, [torch.stack(keys, 1), torch.stack(values, 1)]
