"""Wrong submissions for sliding_window, as people write them; written from the statement, without the suite in view."""

# --- one_position_too_many_unchecked
import torch


def sliding_window_mask(q_len, window, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    i = torch.arange(q_len, device=device)[:, None] + kv_len - q_len
    j = torch.arange(kv_len, device=device)[None]
    return (j <= i) & (j >= i - window)


def sliding_window_attention(q, k, v, window):
    mask = sliding_window_mask(q.shape[-2], window, k.shape[-2], q.device)
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    return torch.softmax(scores.masked_fill(~mask, float("-inf")), dim=-1) @ v


# --- nothing_refused
import torch


def sliding_window_mask(q_len, window, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    i = torch.arange(q_len, device=device)[:, None] + kv_len - q_len
    j = torch.arange(kv_len, device=device)[None]
    return (j <= i) & (j > i - window)


def sliding_window_attention(q, k, v, window):
    mask = sliding_window_mask(q.shape[-2], window, k.shape[-2], q.device)
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    return torch.softmax(scores.masked_fill(~mask, float("-inf")), dim=-1) @ v


# --- symmetric_window_unchecked
import torch


def sliding_window_mask(q_len, window, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    i = torch.arange(kv_len - q_len, kv_len, device=device)[:, None]
    j = torch.arange(kv_len, device=device)[None]
    return (i - j).abs() < window


def sliding_window_attention(q, k, v, window):
    mask = sliding_window_mask(q.shape[-2], window, k.shape[-2], q.device)
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    return torch.softmax(scores.masked_fill(~mask, float("-inf")), dim=-1) @ v


# --- queries_counted_from_zero
import torch


def sliding_window_mask(q_len, window, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if window < 1 or q_len < 1 or kv_len < q_len:
        raise ValueError("bad lengths")
    i = torch.arange(q_len, device=device)[:, None]
    j = torch.arange(kv_len, device=device)[None]
    return (j <= i) & (i - j < window)


def sliding_window_attention(q, k, v, window):
    mask = sliding_window_mask(q.shape[-2], window, k.shape[-2], q.device)
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    return torch.softmax(scores.masked_fill(~mask, float("-inf")), dim=-1) @ v


# --- attention_makes_a_square_mask
import torch


def sliding_window_mask(q_len, window, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if window < 1 or q_len < 1 or kv_len < q_len:
        raise ValueError("bad lengths")
    ones = torch.ones(q_len, kv_len, dtype=torch.bool, device=device)
    return ones.tril(kv_len - q_len) & ones.triu(kv_len - q_len - window + 1)


def sliding_window_attention(q, k, v, window):
    mask = sliding_window_mask(q.shape[-2], window, device=q.device)
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    return torch.softmax(scores.masked_fill(~mask, float("-inf")), dim=-1) @ v


# --- attention_on_the_cpu
import torch


def sliding_window_mask(q_len, window, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if window < 1 or q_len < 1 or kv_len < q_len:
        raise ValueError("bad lengths")
    ones = torch.ones(q_len, kv_len, dtype=torch.bool, device=device)
    return ones.tril(kv_len - q_len) & ones.triu(kv_len - q_len - window + 1)


def sliding_window_attention(q, k, v, window):
    mask = sliding_window_mask(q.shape[-2], window, k.shape[-2])
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    return torch.softmax(scores.masked_fill(~mask, float("-inf")), dim=-1) @ v


# --- mask_on_the_cpu
import torch


def sliding_window_mask(q_len, window, kv_len=None, device=None):
    if kv_len is None:
        kv_len = q_len
    if window < 1 or q_len < 1 or kv_len < q_len:
        raise ValueError("bad lengths")
    mask = torch.zeros(q_len, kv_len, dtype=torch.bool)
    for i in range(q_len):
        end = i + kv_len - q_len + 1
        mask[i, max(0, end - window) : end] = True
    return mask


def sliding_window_attention(q, k, v, window):
    mask = sliding_window_mask(q.shape[-2], window, k.shape[-2]).to(q.device)
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    return torch.softmax(scores.masked_fill(~mask, float("-inf")), dim=-1) @ v


# --- negative_slice_start
import torch


def sliding_window_mask(q_len, window, kv_len=None, device=None):
    if kv_len is None:
        kv_len = q_len
    if window < 1 or q_len < 1 or kv_len < q_len:
        raise ValueError("bad lengths")
    mask = torch.zeros(q_len, kv_len, dtype=torch.bool, device=device)
    for i in range(q_len):
        end = i + kv_len - q_len + 1
        mask[i, end - window : end] = True
    return mask


def sliding_window_attention(q, k, v, window):
    mask = sliding_window_mask(q.shape[-2], window, k.shape[-2], q.device)
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    return torch.softmax(scores.masked_fill(~mask, float("-inf")), dim=-1) @ v


# --- true_means_hidden
import torch


def sliding_window_mask(q_len, window, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if window < 1 or q_len < 1 or kv_len < q_len:
        raise ValueError("bad lengths")
    d = torch.arange(kv_len - q_len, kv_len, device=device)[:, None] - torch.arange(kv_len, device=device)
    return (d < 0) | (d >= window)


def sliding_window_attention(q, k, v, window):
    mask = sliding_window_mask(q.shape[-2], window, k.shape[-2], q.device)
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    return torch.softmax(scores.masked_fill(mask, float("-inf")), dim=-1) @ v


# --- fill_of_a_billion
import torch


def sliding_window_mask(q_len, window, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if window < 1 or q_len < 1 or kv_len < q_len:
        raise ValueError("bad lengths")
    d = torch.arange(kv_len - q_len, kv_len, device=device)[:, None] - torch.arange(kv_len, device=device)
    return (d >= 0) & (d < window)


def sliding_window_attention(q, k, v, window):
    mask = sliding_window_mask(q.shape[-2], window, k.shape[-2], q.device)
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    return torch.softmax(scores.masked_fill(~mask, -1e9), dim=-1) @ v


# --- added_minus_a_thousand
import torch


def sliding_window_mask(q_len, window, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if window < 1 or q_len < 1 or kv_len < q_len:
        raise ValueError("bad lengths")
    d = torch.arange(kv_len - q_len, kv_len, device=device)[:, None] - torch.arange(kv_len, device=device)
    return (d >= 0) & (d < window)


def sliding_window_attention(q, k, v, window):
    mask = sliding_window_mask(q.shape[-2], window, k.shape[-2], q.device)
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    return torch.softmax(scores + (~mask).to(q.dtype) * -1000, dim=-1) @ v


# --- times_the_mask
import torch


def sliding_window_mask(q_len, window, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if window < 1 or q_len < 1 or kv_len < q_len:
        raise ValueError("bad lengths")
    d = torch.arange(kv_len - q_len, kv_len, device=device)[:, None] - torch.arange(kv_len, device=device)
    return (d >= 0) & (d < window)


def sliding_window_attention(q, k, v, window):
    mask = sliding_window_mask(q.shape[-2], window, k.shape[-2], q.device)
    w = torch.softmax(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5, dim=-1) * mask
    return w / w.sum(-1, keepdim=True) @ v


# --- transpose_one_two
import torch


def sliding_window_mask(q_len, window, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if window < 1 or q_len < 1 or kv_len < q_len:
        raise ValueError("bad lengths")
    d = torch.arange(kv_len - q_len, kv_len, device=device)[:, None] - torch.arange(kv_len, device=device)
    return (d >= 0) & (d < window)


def sliding_window_attention(q, k, v, window):
    mask = sliding_window_mask(q.shape[-2], window, k.shape[-2], q.device)
    scores = q @ k.transpose(1, 2) / q.shape[-1] ** 0.5
    return torch.softmax(scores.masked_fill(~mask, float("-inf")), dim=-1) @ v


# --- not_scaled_and_unchecked
import torch


def sliding_window_mask(q_len, window, kv_len=None, device=None):
    kv_len = kv_len or q_len
    d = torch.arange(kv_len - q_len, kv_len, device=device)[:, None] - torch.arange(kv_len, device=device)
    return (d >= 0) & (d < window)


def sliding_window_attention(q, k, v, window):
    mask = sliding_window_mask(q.shape[-2], window, k.shape[-2], q.device)
    return torch.softmax((q @ k.mT).masked_fill(~mask, float("-inf")), dim=-1) @ v


# --- scaled_by_dv
import torch


def sliding_window_mask(q_len, window, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if window < 1 or q_len < 1 or kv_len < q_len:
        raise ValueError("bad lengths")
    d = torch.arange(kv_len - q_len, kv_len, device=device)[:, None] - torch.arange(kv_len, device=device)
    return (d >= 0) & (d < window)


def sliding_window_attention(q, k, v, window):
    mask = sliding_window_mask(q.shape[-2], window, k.shape[-2], q.device)
    scores = q @ k.mT / v.shape[-1] ** 0.5
    return torch.softmax(scores.masked_fill(~mask, float("-inf")), dim=-1) @ v


# --- last_keys_only
import torch


def sliding_window_mask(q_len, window, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if window < 1 or q_len < 1 or kv_len < q_len:
        raise ValueError("bad lengths")
    d = torch.arange(kv_len - q_len, kv_len, device=device)[:, None] - torch.arange(kv_len, device=device)
    return (d >= 0) & (d < window)


def sliding_window_attention(q, k, v, window):
    k, v = k[..., -window:, :], v[..., -window:, :]
    scores = q @ k.mT / q.shape[-1] ** 0.5
    return torch.softmax(scores, dim=-1) @ v


# --- kept_mask
import torch

_mask = None


def sliding_window_mask(q_len, window, kv_len=None, device=None):
    global _mask
    kv_len = q_len if kv_len is None else kv_len
    if window < 1 or q_len < 1 or kv_len < q_len:
        raise ValueError("bad lengths")
    if _mask is None or _mask.shape != (q_len, kv_len):
        d = torch.arange(kv_len - q_len, kv_len, device=device)[:, None] - torch.arange(kv_len, device=device)
        _mask = (d >= 0) & (d < window)
    return _mask


def sliding_window_attention(q, k, v, window):
    mask = sliding_window_mask(q.shape[-2], window, k.shape[-2], q.device)
    scores = q @ k.mT / q.shape[-1] ** 0.5
    return torch.softmax(scores.masked_fill(~mask, float("-inf")), dim=-1) @ v


# --- detached_and_float32
import torch


def sliding_window_mask(q_len, window, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if window < 1 or q_len < 1 or kv_len < q_len:
        raise ValueError("bad lengths")
    d = torch.arange(kv_len - q_len, kv_len, device=device)[:, None] - torch.arange(kv_len, device=device)
    return (d >= 0) & (d < window)


def sliding_window_attention(q, k, v, window):
    mask = sliding_window_mask(q.shape[-2], window, k.shape[-2], q.device)
    with torch.no_grad():
        scores = q.float() @ k.float().mT / q.shape[-1] ** 0.5
    return torch.softmax(scores.masked_fill(~mask, float("-inf")), dim=-1) @ v.float()


# --- scaled_in_place
import torch


def sliding_window_mask(q_len, window, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if window < 1 or q_len < 1 or kv_len < q_len:
        raise ValueError("bad lengths")
    d = torch.arange(kv_len - q_len, kv_len, device=device)[:, None] - torch.arange(kv_len, device=device)
    return (d >= 0) & (d < window)


def sliding_window_attention(q, k, v, window):
    mask = sliding_window_mask(q.shape[-2], window, k.shape[-2], q.device)
    q /= q.shape[-1] ** 0.5
    return torch.softmax((q @ k.mT).masked_fill(~mask, float("-inf")), dim=-1) @ v


# --- window_cut_to_the_queries
import torch


def sliding_window_mask(q_len, window, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if window < 1 or q_len < 1 or kv_len < q_len or window > kv_len:
        raise ValueError("bad lengths")
    d = torch.arange(kv_len - q_len, kv_len, device=device)[:, None] - torch.arange(kv_len, device=device)
    return (d >= 0) & (d < window)


def sliding_window_attention(q, k, v, window):
    mask = sliding_window_mask(q.shape[-2], window, k.shape[-2], q.device)
    scores = q @ k.mT / q.shape[-1] ** 0.5
    return torch.softmax(scores.masked_fill(~mask, float("-inf")), dim=-1) @ v


# --- only_the_window_refused
import torch


def sliding_window_mask(q_len, window, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if window < 1:
        raise ValueError("window")
    d = torch.arange(kv_len - q_len, kv_len, device=device)[:, None] - torch.arange(kv_len, device=device)
    return (d >= 0) & (d < window)


def sliding_window_attention(q, k, v, window):
    mask = sliding_window_mask(q.shape[-2], window, k.shape[-2], q.device)
    scores = q @ k.mT / q.shape[-1] ** 0.5
    return torch.softmax(scores.masked_fill(~mask, float("-inf")), dim=-1) @ v


# --- weights_returned_too
import torch


def sliding_window_mask(q_len, window, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if window < 1 or q_len < 1 or kv_len < q_len:
        raise ValueError("bad lengths")
    d = torch.arange(kv_len - q_len, kv_len, device=device)[:, None] - torch.arange(kv_len, device=device)
    return (d >= 0) & (d < window)


def sliding_window_attention(q, k, v, window):
    mask = sliding_window_mask(q.shape[-2], window, k.shape[-2], q.device)
    scores = q @ k.mT / q.shape[-1] ** 0.5
    w = torch.softmax(scores.masked_fill(~mask, float("-inf")), dim=-1)
    return w @ v, w


# --- triu_no_offset
import torch


def sliding_window_mask(q_len, window, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if min(q_len, window, kv_len) < 1 or kv_len < q_len:
        raise ValueError
    m = torch.ones(q_len, kv_len, dtype=torch.bool, device=device)
    return m.tril(kv_len - q_len).triu(1 - window)


def sliding_window_attention(q, k, v, window):
    m = sliding_window_mask(q.shape[-2], window, k.shape[-2], q.device)
    s = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(~m, float("-inf"))
    return torch.softmax(s, -1) @ v


# --- bool_times_minus_inf
import torch


def sliding_window_mask(q_len, window, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if min(q_len, window, kv_len) < 1 or kv_len < q_len:
        raise ValueError
    d = torch.arange(q_len, device=device)[:, None] + kv_len - q_len - torch.arange(kv_len, device=device)
    return (d >= 0) & (d < window)


def sliding_window_attention(q, k, v, window):
    m = sliding_window_mask(q.shape[-2], window, k.shape[-2], q.device)
    s = q @ k.mT / q.shape[-1] ** 0.5 + (~m) * float("-inf")
    return torch.softmax(s, -1) @ v


# --- strict_window
import torch


def sliding_window_mask(q_len, window, kv_len=None, device=None):
    if kv_len is None:
        kv_len = q_len
    if window < 1 or q_len < 1 or kv_len < q_len:
        raise ValueError("sizes")
    i = torch.arange(q_len, device=device)[:, None] + kv_len - q_len
    j = torch.arange(kv_len, device=device)[None]
    return (j < i) & (j > i - window)


def sliding_window_attention(q, k, v, window):
    m = sliding_window_mask(q.shape[-2], window, k.shape[-2], q.device)
    s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    s = s.masked_fill(~m, float("-inf"))
    return torch.softmax(s, dim=-1) @ v


# --- scale_of_key_count
import torch


def sliding_window_mask(q_len, window, kv_len=None, device=None):
    if kv_len is None:
        kv_len = q_len
    if window < 1 or q_len < 1 or kv_len < q_len:
        raise ValueError("sizes")
    i = torch.arange(q_len, device=device)[:, None] + kv_len - q_len
    j = torch.arange(kv_len, device=device)[None]
    return (j <= i) & (j > i - window)


def sliding_window_attention(q, k, v, window):
    m = sliding_window_mask(q.shape[-2], window, k.shape[-2], q.device)
    s = q @ k.transpose(-2, -1) / k.shape[-2] ** 0.5
    s = s.masked_fill(~m, float("-inf"))
    return torch.softmax(s, dim=-1) @ v


# --- window_before_itself
import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def sliding_window_mask(q_len, window, kv_len=None, device=None):
    if kv_len is None: kv_len = q_len
    for name, n in dict(q_len=q_len, window=window, kv_len=kv_len).items():
        if n < 1: raise ValueError(f"{name} must be positive, got {n}")
    if kv_len < q_len: raise ValueError("kv_len < q_len")
    i = torch.arange(kv_len - q_len, kv_len, device=device).unsqueeze(1)
    j = torch.arange(kv_len, device=device).unsqueeze(0)
    dist = i - j
    return (0 < dist) & (dist <= window)
def sliding_window_attention(q, k, v, window):
    rows = []
    Tq, Tk = q.shape[-2], k.shape[-2]
    for t in range(Tq):
        end = Tk - Tq + t + 1
        begin = max(0, end - window)
        s = (k[..., begin:end, :] @ q[..., t, :, None])[..., 0] / math.sqrt(q.shape[-1])
        rows.append((s.softmax(-1)[..., None] * v[..., begin:end, :]).sum(-2))
    return torch.stack(rows, -2)


# --- two_slips_1
import torch
from torch import Tensor


def sliding_window_mask(
    q_len: int, window: int, kv_len: int | None = None, device: torch.device | str | None = None
) -> Tensor:
    if kv_len is None:
        kv_len = q_len
    if q_len < 1 or window < 1 or kv_len < q_len:
        raise ValueError("bad arguments")
    i = torch.arange(q_len, device=device)[:, None] + kv_len - q_len
    j = torch.arange(kv_len, device=device)[None, :]
    diff = i - j
    return (diff >= 0) & (diff <= window)


def sliding_window_attention(q: Tensor, k: Tensor, v: Tensor, window: int) -> Tensor:
    m = sliding_window_mask(q.shape[-2], window, k.shape[-2], q.device)
    scores = q @ k.transpose(-2, -1)
    scores = scores.masked_fill(~m, float("-inf"))
    return torch.softmax(scores, dim=-1) @ v


# --- two_slips_2
import torch
from torch import Tensor


def sliding_window_mask(
    q_len: int, window: int, kv_len: int | None = None, device: torch.device | str | None = None
) -> Tensor:
    keys = kv_len if kv_len is not None else q_len
    if min(q_len, window, keys) < 1:
        raise ValueError("lengths and window must be at least 1")
    if keys < q_len:
        raise ValueError("kv_len must not be smaller than q_len")
    rows = torch.arange(q_len, device=device).unsqueeze(-1)
    distance = rows - torch.arange(keys, device=device)
    return distance.abs() < window


def sliding_window_attention(q: Tensor, k: Tensor, v: Tensor, window: int) -> Tensor:
    visible = sliding_window_mask(q.size(-2), window, kv_len=k.size(-2), device=q.device)
    logits = torch.einsum("...qd,...kd->...qk", q, k) / q.size(-1) ** 0.5
    p = logits.masked_fill(visible.logical_not(), -torch.inf).softmax(dim=-1)
    return torch.einsum("...qk,...kv->...qv", p, v)


# --- two_slips_3
import math
import torch
from torch import Tensor


def sliding_window_mask(
    q_len: int, window: int, kv_len: int | None = None, device: torch.device | str | None = None
) -> Tensor:
    if kv_len is None:
        kv_len = q_len
    if window <= 0 or q_len <= 0 or q_len > kv_len:
        raise ValueError(f"{q_len=} {window=} {kv_len=}")
    ones = torch.ones(q_len, kv_len, dtype=torch.bool, device=device)
    past = ones.tril(kv_len - q_len)
    too_far = ones.tril(kv_len - q_len - window)
    return past & ~too_far


def sliding_window_attention(q: Tensor, k: Tensor, v: Tensor, window: int) -> Tensor:
    n_q, n_k = q.shape[-2], k.shape[-2]
    mask = sliding_window_mask(n_k, window, device=q.device)[:n_q]
    att = q @ k.mT / math.sqrt(q.shape[-1])
    att = att.masked_fill(~mask, -100.0)
    return att.softmax(-1) @ v


# --- two_slips_4
import torch
from torch import Tensor


def sliding_window_mask(
    q_len: int, window: int, kv_len: int | None = None, device: torch.device | str | None = None
) -> Tensor:
    if kv_len is None:
        kv_len = q_len
    if q_len < 1 or kv_len < q_len:
        raise ValueError("lengths")
    own = torch.arange(kv_len, device=device)[kv_len - q_len :].reshape(q_len, 1)
    other = torch.arange(kv_len, device=device).reshape(1, kv_len)
    return torch.logical_and(other <= own, other > own - window)


def sliding_window_attention(q: Tensor, k: Tensor, v: Tensor, window: int) -> Tensor:
    mask = sliding_window_mask(q.shape[-2], window, k.shape[-2], device=q.device)
    scores = torch.matmul(q, k.transpose(-2, -1)) * (q.shape[-1] ** -0.5)
    scores = torch.where(mask, scores, -torch.inf)
    weights = torch.softmax(scores, dim=-2)
    return torch.matmul(weights, v)


# --- two_slips_5
# slips: the window takes one position more than asked for (<= in place of <); the offset kv_len - q_len of the queries is missing
import math

import torch
from torch import Tensor


def sliding_window_mask(
    q_len: int, window: int, kv_len: int | None = None, device: torch.device | str | None = None
) -> Tensor:
    if kv_len is None:
        kv_len = q_len
    if window < 1 or q_len < 1 or kv_len < q_len:
        raise ValueError("bad sizes")
    i = torch.arange(q_len, device=device).unsqueeze(1)
    j = torch.arange(kv_len, device=device).unsqueeze(0)
    dist = i - j
    return (dist >= 0) & (dist <= window)


def sliding_window_attention(q: Tensor, k: Tensor, v: Tensor, window: int) -> Tensor:
    m = sliding_window_mask(q.shape[-2], window, k.shape[-2], q.device)
    s = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return s.masked_fill(~m, -math.inf).softmax(-1) @ v


# --- two_slips_6
# slips: the mask looks at the absolute distance, so later keys in the window are visible; softmax runs over the queries
import torch
import torch.nn.functional as F
from torch import Tensor


def sliding_window_mask(
    q_len: int, window: int, kv_len: int | None = None, device: torch.device | str | None = None
) -> Tensor:
    n = q_len if kv_len is None else kv_len
    if min(q_len, n, window) < 1:
        raise ValueError("lengths and window must be positive")
    if n < q_len:
        raise ValueError("fewer keys than queries")
    queries = torch.arange(n - q_len, n, device=device)
    keys = torch.arange(n, device=device)
    gap = queries[:, None] - keys[None, :]
    return gap.abs() < window


def sliding_window_attention(q: Tensor, k: Tensor, v: Tensor, window: int) -> Tensor:
    allowed = sliding_window_mask(q.size(-2), window, kv_len=k.size(-2), device=q.device)
    scores = torch.einsum("...qd,...kd->...qk", q, k) / q.size(-1) ** 0.5
    scores = scores.masked_fill(allowed == False, float("-inf"))  # noqa: E712
    attn = F.softmax(scores, dim=-2).nan_to_num()
    return torch.einsum("...qk,...kd->...qd", attn, v)


# --- two_slips_7
# slips: the window is cut down to the number of queries; hidden scores are lowered by 1000 only, not removed
import torch
from torch import Tensor


def sliding_window_mask(
    q_len: int, window: int, kv_len: int | None = None, device: torch.device | str | None = None
) -> Tensor:
    kv_len = kv_len if kv_len is not None else q_len
    if window < 1 or q_len < 1 or kv_len < 1 or kv_len < q_len:
        raise ValueError
    window = min(window, q_len)  # no use in looking further
    shift = kv_len - q_len
    full = torch.ones(q_len, kv_len, dtype=torch.bool, device=device)
    causal = full.tril(diagonal=shift)
    too_old = full.tril(diagonal=shift - window)
    return causal & ~too_old


def sliding_window_attention(q: Tensor, k: Tensor, v: Tensor, window: int) -> Tensor:
    mask = sliding_window_mask(q.shape[-2], window, k.shape[-2], device=q.device)
    bias = torch.zeros(mask.shape, dtype=q.dtype, device=q.device).masked_fill(~mask, -1e3)
    logits = (q @ k.mT) * q.shape[-1] ** -0.5 + bias
    return torch.softmax(logits, dim=-1) @ v


# --- two_slips_8
import torch


def sliding_window_mask(q_len, window, kv_len=None, device=None):
    if kv_len is None:
        kv_len = q_len
    if window < 1 or q_len < 1 or kv_len < q_len:
        raise ValueError("bad lengths")
    i = torch.arange(q_len, device=device)[:, None] + kv_len - q_len
    j = torch.arange(kv_len, device=device)[None, :]
    return (j <= i) & (i - j <= window)


def sliding_window_attention(q, k, v, window):
    T, S = q.shape[-2], k.shape[-2]
    mask = sliding_window_mask(S, window, device=q.device)[:T]
    s = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    return s.masked_fill(~mask, float("-inf")).softmax(-1) @ v


# --- masks_kept_by_q_len_kv_len_without_the_window
import math
import torch
from torch import Tensor

_masks: dict = {}


def sliding_window_mask(q_len: int, window: int, kv_len: int | None = None, device=None) -> Tensor:
    kv_len = q_len if kv_len is None else kv_len
    if min(q_len, kv_len, window) < 1:
        raise ValueError("lengths and window must be 1 or more")
    if kv_len < q_len:
        raise ValueError("fewer keys than queries")
    key = (q_len, kv_len, str(device))
    if key not in _masks:
        ones = torch.ones(q_len, kv_len, dtype=torch.bool, device=device)
        shift = kv_len - q_len
        _masks[key] = ones.tril(shift) & ones.triu(shift - window + 1)
    return _masks[key].clone()


def sliding_window_attention(q: Tensor, k: Tensor, v: Tensor, window: int) -> Tensor:
    keep = sliding_window_mask(q.size(-2), window, k.size(-2), q.device)
    att = torch.einsum("...id,...jd->...ij", q, k) / math.sqrt(q.size(-1))
    att = torch.where(keep, att, torch.full_like(att, -math.inf))
    return torch.einsum("...ij,...je->...ie", torch.softmax(att, dim=-1), v)
