"""Keys and values in front of the text are padding; every query gets a window of its own by unfold. Float32 inside."""

import torch


def sliding_window_mask(q_len, window, kv_len=None, device=None):
    if kv_len is None:
        kv_len = q_len
    if q_len < 1 or window < 1:
        raise ValueError("below one")
    if kv_len - q_len < 0:
        raise ValueError("kv_len < q_len")
    i = torch.arange(q_len, device=device).reshape(-1, 1) + (kv_len - q_len)
    j = torch.arange(kv_len, device=device).reshape(1, -1)
    return torch.logical_and(j <= i, i < j + window)


def windows(t, window, count):
    front = t.new_zeros(*t.shape[:-2], window - 1, t.shape[-1])
    return torch.cat([front, t], -2).unfold(-2, window, 1)[..., -count:, :, :]  # [..., T_q, D, window]


def sliding_window_attention(q, k, v, window):
    T_q, T_kv = q.shape[-2], k.shape[-2]
    window = min(window, T_kv)
    dtype = torch.float64 if q.dtype == torch.float64 else torch.float32
    keys, values = windows(k.to(dtype), window, T_q), windows(v.to(dtype), window, T_q)
    scores = torch.einsum("...td,...tdw->...tw", q.to(dtype), keys) / q.shape[-1] ** 0.5
    position = torch.arange(T_kv - T_q, T_kv, device=q.device).unsqueeze(1) - torch.arange(
        window - 1, -1, -1, device=q.device
    )
    weights = scores.masked_fill(position < 0, float("-inf")).softmax(-1)
    return torch.einsum("...tw,...tdw->...td", weights, values).to(q.dtype)
