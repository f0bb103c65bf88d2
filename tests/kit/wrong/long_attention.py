"""Wrong submissions for long_attention, written from the statement, without the suite in view."""


# --- half_window
import math
import torch
def local_global_mask(length, window, num_global, device=None):
    if length < 1 or window < 1 or num_global < 0 or num_global > length:
        raise ValueError("sizes")
    i = torch.arange(length, device=device)
    m = (i[:, None] - i[None, :]).abs() <= window // 2
    m[:num_global, :] = True
    m[:, :num_global] = True
    return m
def bucket_mask(query_buckets, key_buckets):
    return query_buckets.unsqueeze(-1) == key_buckets.unsqueeze(-2)
def low_rank_attention(q, k, v, mix_k, mix_v):
    k2 = mix_k @ k
    v2 = mix_v @ v
    s = q @ k2.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return s.softmax(-1) @ v2


# --- one_global
import math
import torch
def local_global_mask(length, window, num_global, device=None):
    if length < 1 or window < 1 or num_global < 0 or num_global > length:
        raise ValueError("sizes")
    i = torch.arange(length, device=device)
    m = (i[:, None] - i[None, :]).abs() < window
    m[0, :] = True
    m[:, 0] = True
    return m
def bucket_mask(query_buckets, key_buckets):
    return query_buckets.unsqueeze(-1) == key_buckets.unsqueeze(-2)
def low_rank_attention(q, k, v, mix_k, mix_v):
    k2 = mix_k @ k
    v2 = mix_v @ v
    s = q @ k2.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return s.softmax(-1) @ v2


# --- rows_only
import math
import torch
def local_global_mask(length, window, num_global, device=None):
    if length < 1 or window < 1 or num_global < 0 or num_global > length:
        raise ValueError("sizes")
    i = torch.arange(length, device=device)
    m = (i[:, None] - i[None, :]).abs() < window
    m[:num_global, :] = True
    return m
def bucket_mask(query_buckets, key_buckets):
    return query_buckets.unsqueeze(-1) == key_buckets.unsqueeze(-2)
def low_rank_attention(q, k, v, mix_k, mix_v):
    k2 = mix_k @ k
    v2 = mix_v @ v
    s = q @ k2.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return s.softmax(-1) @ v2


# --- corner_only
import math
import torch
def local_global_mask(length, window, num_global, device=None):
    if length < 1 or window < 1 or num_global < 0 or num_global > length:
        raise ValueError("sizes")
    i = torch.arange(length, device=device)
    m = (i[:, None] - i[None, :]).abs() < window
    m[:num_global, :num_global] = True
    return m
def bucket_mask(query_buckets, key_buckets):
    return query_buckets.unsqueeze(-1) == key_buckets.unsqueeze(-2)
def low_rank_attention(q, k, v, mix_k, mix_v):
    k2 = mix_k @ k
    v2 = mix_v @ v
    s = q @ k2.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return s.softmax(-1) @ v2


# --- buckets_transposed
import math
import torch
def local_global_mask(length, window, num_global, device=None):
    if length < 1 or window < 1 or num_global < 0 or num_global > length:
        raise ValueError("sizes")
    i = torch.arange(length, device=device)
    m = (i[:, None] - i[None, :]).abs() < window
    m[:num_global, :] = True
    m[:, :num_global] = True
    return m
def bucket_mask(query_buckets, key_buckets):
    return query_buckets.unsqueeze(-2) == key_buckets.unsqueeze(-1)
def low_rank_attention(q, k, v, mix_k, mix_v):
    k2 = mix_k @ k
    v2 = mix_v @ v
    s = q @ k2.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return s.softmax(-1) @ v2


# --- buckets_ne
import math
import torch
def local_global_mask(length, window, num_global, device=None):
    if length < 1 or window < 1 or num_global < 0 or num_global > length:
        raise ValueError("sizes")
    i = torch.arange(length, device=device)
    m = (i[:, None] - i[None, :]).abs() < window
    m[:num_global, :] = True
    m[:, :num_global] = True
    return m
def bucket_mask(query_buckets, key_buckets):
    return query_buckets.unsqueeze(-1) != key_buckets.unsqueeze(-2)
def low_rank_attention(q, k, v, mix_k, mix_v):
    k2 = mix_k @ k
    v2 = mix_v @ v
    s = q @ k2.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return s.softmax(-1) @ v2


# --- buckets_1d
import math
import torch
def local_global_mask(length, window, num_global, device=None):
    if length < 1 or window < 1 or num_global < 0 or num_global > length:
        raise ValueError("sizes")
    i = torch.arange(length, device=device)
    m = (i[:, None] - i[None, :]).abs() < window
    m[:num_global, :] = True
    m[:, :num_global] = True
    return m
def bucket_mask(query_buckets, key_buckets):
    return query_buckets[:, None] == key_buckets[None, :]
def low_rank_attention(q, k, v, mix_k, mix_v):
    k2 = mix_k @ k
    v2 = mix_v @ v
    s = q @ k2.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return s.softmax(-1) @ v2


# --- buckets_causal
import math
import torch
def local_global_mask(length, window, num_global, device=None):
    if length < 1 or window < 1 or num_global < 0 or num_global > length:
        raise ValueError("sizes")
    i = torch.arange(length, device=device)
    m = (i[:, None] - i[None, :]).abs() < window
    m[:num_global, :] = True
    m[:, :num_global] = True
    return m
def bucket_mask(query_buckets, key_buckets):
    return (query_buckets.unsqueeze(-1) == key_buckets.unsqueeze(-2)).tril()
def low_rank_attention(q, k, v, mix_k, mix_v):
    k2 = mix_k @ k
    v2 = mix_v @ v
    s = q @ k2.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return s.softmax(-1) @ v2


# --- buckets_near
import math
import torch
def local_global_mask(length, window, num_global, device=None):
    if length < 1 or window < 1 or num_global < 0 or num_global > length:
        raise ValueError("sizes")
    i = torch.arange(length, device=device)
    m = (i[:, None] - i[None, :]).abs() < window
    m[:num_global, :] = True
    m[:, :num_global] = True
    return m
def bucket_mask(query_buckets, key_buckets):
    return (query_buckets.unsqueeze(-1) - key_buckets.unsqueeze(-2)).abs() <= 1
def low_rank_attention(q, k, v, mix_k, mix_v):
    k2 = mix_k @ k
    v2 = mix_v @ v
    s = q @ k2.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return s.softmax(-1) @ v2


# --- mixk_for_v
import math
import torch
def local_global_mask(length, window, num_global, device=None):
    if length < 1 or window < 1 or num_global < 0 or num_global > length:
        raise ValueError("sizes")
    i = torch.arange(length, device=device)
    m = (i[:, None] - i[None, :]).abs() < window
    m[:num_global, :] = True
    m[:, :num_global] = True
    return m
def bucket_mask(query_buckets, key_buckets):
    return query_buckets.unsqueeze(-1) == key_buckets.unsqueeze(-2)
def low_rank_attention(q, k, v, mix_k, mix_v):
    k2 = mix_k @ k
    v2 = mix_k @ v
    s = q @ k2.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return s.softmax(-1) @ v2


# --- after_scores
import math
import torch
def local_global_mask(length, window, num_global, device=None):
    if length < 1 or window < 1 or num_global < 0 or num_global > length:
        raise ValueError("sizes")
    i = torch.arange(length, device=device)
    m = (i[:, None] - i[None, :]).abs() < window
    m[:num_global, :] = True
    m[:, :num_global] = True
    return m
def bucket_mask(query_buckets, key_buckets):
    return query_buckets.unsqueeze(-1) == key_buckets.unsqueeze(-2)
def low_rank_attention(q, k, v, mix_k, mix_v):
    s = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return s.softmax(-1) @ mix_k.T @ mix_v @ v


# --- mean_mix
import math
import torch
def local_global_mask(length, window, num_global, device=None):
    if length < 1 or window < 1 or num_global < 0 or num_global > length:
        raise ValueError("sizes")
    i = torch.arange(length, device=device)
    m = (i[:, None] - i[None, :]).abs() < window
    m[:num_global, :] = True
    m[:, :num_global] = True
    return m
def bucket_mask(query_buckets, key_buckets):
    return query_buckets.unsqueeze(-1) == key_buckets.unsqueeze(-2)
def low_rank_attention(q, k, v, mix_k, mix_v):
    k2 = mix_k @ k / mix_k.sum(-1, keepdim=True)
    v2 = mix_v @ v / mix_v.sum(-1, keepdim=True)
    s = q @ k2.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return s.softmax(-1) @ v2


# --- distance_with_its_sign
import math
import torch
from torch import Tensor


def bucket_mask(query_buckets, key_buckets):
    return query_buckets.unsqueeze(-1) == key_buckets.unsqueeze(-2)


def low_rank_attention(q, k, v, mix_k, mix_v):
    k, v = mix_k @ k, mix_v @ v
    w = (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1)
    return w @ v


def local_global_mask(length, window, num_global, device=None):
    if length < 1 or window < 1 or num_global < 0 or num_global > length:
        raise ValueError("bad")
    i = torch.arange(length, device=device)
    mask = i[:, None] - i < window
    mask[:num_global] = True
    mask[:, :num_global] = True
    return mask


# --- buckets_as_floats
import math
import torch

def local_global_mask(length, window, num_global, device=None):
    if length < 1 or window < 1:
        raise ValueError("length and window must be at least 1")
    if num_global < 0 or num_global > length:
        raise ValueError("num_global is outside 0 to length")
    i = torch.arange(length, device=device)
    mask = (i[:, None] - i[None, :]).abs() < window
    mask[:num_global] = True
    mask[:, :num_global] = True
    return mask

def bucket_mask(query_buckets, key_buckets):
    return query_buckets.float().unsqueeze(-1) == key_buckets.float().unsqueeze(-2)

def low_rank_attention(q, k, v, mix_k, mix_v):
    keys = mix_k @ k
    values = mix_v @ v
    scores = q @ keys.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return torch.softmax(scores, dim=-1) @ values


# --- two_slips_1
# slips: the window takes in one neighbour too many on each side (<= instead of <); low-rank scores are not scaled
import torch
from torch import Tensor


def local_global_mask(length: int, window: int, num_global: int, device: torch.device | str | None = None) -> Tensor:
    if length < 1 or window < 1:
        raise ValueError("length and window must be at least 1")
    if num_global < 0 or num_global > length:
        raise ValueError("num_global must be between 0 and length")
    i = torch.arange(length, device=device)
    near = (i[:, None] - i[None, :]).abs() <= window
    is_global = i < num_global
    return near | is_global[:, None] | is_global[None, :]


def bucket_mask(query_buckets: Tensor, key_buckets: Tensor) -> Tensor:
    return query_buckets.unsqueeze(-1) == key_buckets.unsqueeze(-2)


def low_rank_attention(q: Tensor, k: Tensor, v: Tensor, mix_k: Tensor, mix_v: Tensor) -> Tensor:
    small_k = torch.einsum("rt,...td->...rd", mix_k, k)
    small_v = torch.einsum("rt,...td->...rd", mix_v, v)
    scores = torch.einsum("...qd,...rd->...qr", q, small_k)
    return torch.softmax(scores, dim=-1) @ small_v


# --- two_slips_2
# slips: global tokens are seen by every token but do not see every token; the values are mixed with the matrix of the keys
import torch
from torch import Tensor


def local_global_mask(length, window, num_global, device=None):
    if min(length, window) < 1 or not 0 <= num_global <= length:
        raise ValueError("bad sizes")
    ones = torch.ones(length, length, dtype=torch.bool, device=device)
    mask = ones.tril(window - 1) & ones.triu(1 - window)
    mask[:, :num_global] = True
    return mask


def bucket_mask(query_buckets: Tensor, key_buckets: Tensor) -> Tensor:
    return torch.eq(query_buckets[..., :, None], key_buckets[..., None, :])


def low_rank_attention(q: Tensor, k: Tensor, v: Tensor, mix_k: Tensor, mix_v: Tensor) -> Tensor:
    keys = mix_k @ k
    values = mix_k @ v
    logits = (q @ keys.transpose(-1, -2)) * q.size(-1) ** -0.5
    return logits.softmax(-1) @ values


# --- global_tokens_see_but_are_not_seen
# slip: the global tokens see all tokens, but the others do not see them
import torch
from torch import Tensor


def local_global_mask(length: int, window: int, num_global: int, device: torch.device | str | None = None) -> Tensor:
    if length < 1 or window < 1:
        raise ValueError("length and window must be positive")
    if num_global < 0 or num_global > length:
        raise ValueError("num_global")
    t = torch.arange(length, device=device)
    mask = (t[:, None] - t[None, :]).abs() < window
    mask[:num_global, :] = True
    return mask


def bucket_mask(query_buckets: Tensor, key_buckets: Tensor) -> Tensor:
    return query_buckets.unsqueeze(-1) == key_buckets.unsqueeze(-2)


def low_rank_attention(q: Tensor, k: Tensor, v: Tensor, mix_k: Tensor, mix_v: Tensor) -> Tensor:
    small_k, small_v = mix_k @ k, mix_v @ v
    scores = q @ small_k.transpose(-2, -1) / q.shape[-1] ** 0.5
    return torch.softmax(scores, dim=-1) @ small_v


# --- mixing_weights_pass_through_softmax
# slip: the mixing matrices are normalised by softmax before they are used, though they are to be taken as they are
import math

import torch
import torch.nn.functional as F
from torch import Tensor


def local_global_mask(length: int, window: int, num_global: int, device: torch.device | str | None = None) -> Tensor:
    if min(length, window) < 1 or not 0 <= num_global <= length:
        raise ValueError("arguments")
    i = torch.arange(length, device=device).view(-1, 1)
    j = i.view(1, -1)
    near = (i - j < window) & (j - i < window)
    return near | (i < num_global) | (j < num_global)


def bucket_mask(query_buckets: Tensor, key_buckets: Tensor) -> Tensor:
    return torch.eq(query_buckets[..., :, None], key_buckets[..., None, :])


def low_rank_attention(q: Tensor, k: Tensor, v: Tensor, mix_k: Tensor, mix_v: Tensor) -> Tensor:
    mix_k, mix_v = F.softmax(mix_k, dim=-1), F.softmax(mix_v, dim=-1)
    kr = torch.einsum("rt,...td->...rd", mix_k, k)
    vr = torch.einsum("rt,...td->...rd", mix_v, v)
    s = torch.einsum("...qd,...rd->...qr", q, kr) / math.sqrt(q.size(-1))
    return torch.einsum("...qr,...rd->...qd", F.softmax(s, dim=-1), vr)


# --- two_slips_3
import torch


def local_global_mask(length, window, num_global, device=None):
    if length < 1 or window < 1 or not 0 <= num_global <= length:
        raise ValueError("bad sizes")
    i = torch.arange(length, device=device)
    mask = (i[:, None] - i[None, :]).abs() <= window
    mask[:num_global, :] = True
    return mask


def bucket_mask(query_buckets, key_buckets):
    return query_buckets[..., :, None] == key_buckets[..., None, :]


def low_rank_attention(q, k, v, mix_k, mix_v):
    k2 = mix_k @ k
    v2 = mix_v @ v
    w = torch.softmax(q @ k2.transpose(-1, -2) / q.shape[-1] ** 0.5, dim=-1)
    return w @ v2


# --- low_rank_attention_scales_by_sqrt_r_not_sqrt
import math
import torch
from torch import Tensor


def local_global_mask(length: int, window: int, num_global: int, device=None) -> Tensor:
    if min(length, window) < 1:
        raise ValueError("length and window must be positive")
    if num_global < 0 or num_global > length:
        raise ValueError("num_global out of range")
    ones = torch.ones(length, length, dtype=torch.bool, device=device)
    band = ones.tril(window - 1) & ones.triu(1 - window)
    g = torch.arange(length, device=device) < num_global
    return band | g[:, None] | g


def bucket_mask(query_buckets: Tensor, key_buckets: Tensor) -> Tensor:
    return torch.eq(query_buckets.unsqueeze(-1), key_buckets.unsqueeze(-2))


def low_rank_attention(q: Tensor, k: Tensor, v: Tensor, mix_k: Tensor, mix_v: Tensor) -> Tensor:
    small_k = torch.einsum("rt,...td->...rd", mix_k, k)
    small_v = torch.einsum("rt,...te->...re", mix_v, v)
    s = torch.einsum("...id,...rd->...ir", q, small_k) / math.sqrt(small_k.shape[-2])
    return s.softmax(-1) @ small_v
