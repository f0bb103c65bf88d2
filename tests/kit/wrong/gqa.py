"""Wrong files for gqa, each a whole submission as somebody might hand it in."""


# --- no_refusal_and_tiled
import math

import torch


def repeat_kv(x, n_rep):
    return x.repeat(1, n_rep, 1, 1)


def grouped_query_attention(q, k, v, mask=None):
    n_rep = q.shape[1] // k.shape[1]
    k, v = repeat_kv(k, n_rep), repeat_kv(v, n_rep)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


# --- no_refusal_and_no_scale
import math

import torch


def repeat_kv(x, n_rep):
    B, H_kv, T, Dh = x.shape
    return x[:, :, None].expand(B, H_kv, n_rep, T, Dh).reshape(B, H_kv * n_rep, T, Dh)


def grouped_query_attention(q, k, v, mask=None):
    n_rep = q.shape[1] // k.shape[1]
    k, v = repeat_kv(k, n_rep), repeat_kv(v, n_rep)
    scores = q @ k.transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


# --- no_refusal_and_mask_after_softmax
import math

import torch


def repeat_kv(x, n_rep):
    B, H_kv, T, Dh = x.shape
    return x[:, :, None].expand(B, H_kv, n_rep, T, Dh).reshape(B, H_kv * n_rep, T, Dh)


def grouped_query_attention(q, k, v, mask=None):
    n_rep = q.shape[1] // k.shape[1]
    k, v = repeat_kv(k, n_rep), repeat_kv(v, n_rep)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights * mask
    return weights @ v, weights


# --- view
import math

import torch


def repeat_kv(x, n_rep):
    B, H_kv, T, Dh = x.shape
    return x[:, :, None].expand(B, H_kv, n_rep, T, Dh).view(B, H_kv * n_rep, T, Dh)


def grouped_query_attention(q, k, v, mask=None):
    if q.shape[1] % k.shape[1]:
        raise ValueError("heads do not divide")
    n_rep = q.shape[1] // k.shape[1]
    k, v = repeat_kv(k, n_rep), repeat_kv(v, n_rep)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


# --- expanded_in_front
import math

import torch


def repeat_kv(x, n_rep):
    B, H_kv, T, Dh = x.shape
    return x[:, None].expand(B, n_rep, H_kv, T, Dh).reshape(B, H_kv * n_rep, T, Dh)


def grouped_query_attention(q, k, v, mask=None):
    if q.shape[1] % k.shape[1]:
        raise ValueError("heads do not divide")
    n_rep = q.shape[1] // k.shape[1]
    k, v = repeat_kv(k, n_rep), repeat_kv(v, n_rep)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


# --- repeat_interleave_dim_2
import math

import torch


def repeat_kv(x, n_rep):
    return x.repeat_interleave(n_rep, dim=2)


def grouped_query_attention(q, k, v, mask=None):
    if q.shape[1] % k.shape[1]:
        raise ValueError("heads do not divide")
    n_rep = q.shape[1] // k.shape[1]
    k, v = repeat_kv(k, n_rep), repeat_kv(v, n_rep)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


# --- repeat_interleave_flat
import math

import torch


def repeat_kv(x, n_rep):
    B, H_kv, T, Dh = x.shape
    return x.repeat_interleave(n_rep).reshape(B, H_kv * n_rep, T, Dh)


def grouped_query_attention(q, k, v, mask=None):
    if q.shape[1] % k.shape[1]:
        raise ValueError("heads do not divide")
    n_rep = q.shape[1] // k.shape[1]
    k, v = repeat_kv(k, n_rep), repeat_kv(v, n_rep)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


# --- repeat_along_batch
import math

import torch


def repeat_kv(x, n_rep):
    B, H_kv, T, Dh = x.shape
    return x.repeat(n_rep, 1, 1, 1).reshape(B, H_kv * n_rep, T, Dh)


def grouped_query_attention(q, k, v, mask=None):
    if q.shape[1] % k.shape[1]:
        raise ValueError("heads do not divide")
    n_rep = q.shape[1] // k.shape[1]
    k, v = repeat_kv(k, n_rep), repeat_kv(v, n_rep)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


# --- hard_coded_n_rep
import math

import torch


def repeat_kv(x, n_rep):
    B, H_kv, T, Dh = x.shape
    return x[:, :, None].expand(B, H_kv, 4, T, Dh).reshape(B, H_kv * 4, T, Dh)


def grouped_query_attention(q, k, v, mask=None):
    if q.shape[1] % k.shape[1]:
        raise ValueError("heads do not divide")
    n_rep = q.shape[1] // k.shape[1]
    k, v = repeat_kv(k, n_rep), repeat_kv(v, n_rep)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


# --- minimind_layout
import math

import torch


def repeat_kv(x, n_rep):
    B, T, H_kv, Dh = x.shape
    return x[:, :, :, None].expand(B, T, H_kv, n_rep, Dh).reshape(B, T, H_kv * n_rep, Dh)


def grouped_query_attention(q, k, v, mask=None):
    if q.shape[1] % k.shape[1]:
        raise ValueError("heads do not divide")
    n_rep = q.shape[1] // k.shape[1]
    k, v = repeat_kv(k, n_rep), repeat_kv(v, n_rep)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


# --- detached_copies
import math

import torch


def repeat_kv(x, n_rep):
    return torch.tensor(x.tolist(), dtype=x.dtype, device=x.device).repeat_interleave(n_rep, dim=1)


def grouped_query_attention(q, k, v, mask=None):
    if q.shape[1] % k.shape[1]:
        raise ValueError("heads do not divide")
    n_rep = q.shape[1] // k.shape[1]
    k, v = repeat_kv(k, n_rep), repeat_kv(v, n_rep)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


# --- data_in_attention
import math

import torch


def repeat_kv(x, n_rep):
    B, H_kv, T, Dh = x.shape
    return x[:, :, None].expand(B, H_kv, n_rep, T, Dh).reshape(B, H_kv * n_rep, T, Dh)


def grouped_query_attention(q, k, v, mask=None):
    if q.shape[1] % k.shape[1]:
        raise ValueError("heads do not divide")
    n_rep = q.shape[1] // k.shape[1]
    k, v = repeat_kv(k.data, n_rep), repeat_kv(v.data, n_rep)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


# --- only_keys_repeated
import math

import torch


def repeat_kv(x, n_rep):
    B, H_kv, T, Dh = x.shape
    return x[:, :, None].expand(B, H_kv, n_rep, T, Dh).reshape(B, H_kv * n_rep, T, Dh)


def grouped_query_attention(q, k, v, mask=None):
    if q.shape[1] % k.shape[1]:
        raise ValueError("heads do not divide")
    n_rep = q.shape[1] // k.shape[1]
    k, v = repeat_kv(k, n_rep), v
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


# --- values_tiled
import math

import torch


def repeat_kv(x, n_rep):
    B, H_kv, T, Dh = x.shape
    return x[:, :, None].expand(B, H_kv, n_rep, T, Dh).reshape(B, H_kv * n_rep, T, Dh)


def grouped_query_attention(q, k, v, mask=None):
    if q.shape[1] % k.shape[1]:
        raise ValueError("heads do not divide")
    n_rep = q.shape[1] // k.shape[1]
    k, v = repeat_kv(k, n_rep), v.repeat(1, n_rep, 1, 1)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


# --- repeat_hkv_times
import math

import torch


def repeat_kv(x, n_rep):
    B, H_kv, T, Dh = x.shape
    return x[:, :, None].expand(B, H_kv, n_rep, T, Dh).reshape(B, H_kv * n_rep, T, Dh)


def grouped_query_attention(q, k, v, mask=None):
    if q.shape[1] % k.shape[1]:
        raise ValueError("heads do not divide")
    n_rep = k.shape[1]
    k, v = repeat_kv(k, n_rep), repeat_kv(v, n_rep)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


# --- modulo_loop
import math

import torch


def repeat_kv(x, n_rep):
    B, H_kv, T, Dh = x.shape
    return x[:, :, None].expand(B, H_kv, n_rep, T, Dh).reshape(B, H_kv * n_rep, T, Dh)


def grouped_query_attention(q, k, v, mask=None):
    if q.shape[1] % k.shape[1]:
        raise ValueError("heads do not divide")
    outputs, all_weights = [], []
    for h in range(q.shape[1]):
        g = h % k.shape[1]
        scores = q[:, h] @ k[:, g].transpose(-2, -1) / math.sqrt(q.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(~mask.expand(q.shape[0], q.shape[1], *scores.shape[1:])[:, h], float("-inf"))
        w = scores.softmax(-1)
        outputs.append(w @ v[:, g])
        all_weights.append(w)
    return torch.stack(outputs, 1), torch.stack(all_weights, 1)


# --- loop_mask_of_first_head
import math

import torch


def repeat_kv(x, n_rep):
    B, H_kv, T, Dh = x.shape
    return x[:, :, None].expand(B, H_kv, n_rep, T, Dh).reshape(B, H_kv * n_rep, T, Dh)


def grouped_query_attention(q, k, v, mask=None):
    if q.shape[1] % k.shape[1]:
        raise ValueError("heads do not divide")
    size = q.shape[1] // k.shape[1]
    outputs, all_weights = [], []
    for h in range(q.shape[1]):
        scores = q[:, h] @ k[:, h // size].transpose(-2, -1) / math.sqrt(q.shape[-1])
        if mask is not None:
            m = mask if mask.dim() == 2 else mask[0] if mask.dim() == 3 else mask[:, 0]
            scores = scores.masked_fill(~m, float("-inf"))
        w = scores.softmax(-1)
        outputs.append(w @ v[:, h // size])
        all_weights.append(w)
    return torch.stack(outputs, 1), torch.stack(all_weights, 1)


# --- loop_mask_two_dimensions_only
import math

import torch


def repeat_kv(x, n_rep):
    B, H_kv, T, Dh = x.shape
    return x[:, :, None].expand(B, H_kv, n_rep, T, Dh).reshape(B, H_kv * n_rep, T, Dh)


def grouped_query_attention(q, k, v, mask=None):
    if q.shape[1] % k.shape[1]:
        raise ValueError("heads do not divide")
    size = q.shape[1] // k.shape[1]
    outputs, all_weights = [], []
    for h in range(q.shape[1]):
        scores = q[:, h] @ k[:, h // size].transpose(-2, -1) / math.sqrt(q.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(~mask, float("-inf"))
        w = scores.softmax(-1)
        outputs.append(w @ v[:, h // size])
        all_weights.append(w)
    return torch.stack(outputs, 1), torch.stack(all_weights, 1)


# --- group_of_heads_mixed_up
import math

import torch


def repeat_kv(x, n_rep):
    B, H_kv, T, Dh = x.shape
    return x[:, :, None].expand(B, H_kv, n_rep, T, Dh).reshape(B, H_kv * n_rep, T, Dh)


def grouped_query_attention(q, k, v, mask=None):
    if q.shape[1] % k.shape[1]:
        raise ValueError("heads do not divide")
    B, H, T, Dh = q.shape
    H_kv = k.shape[1]
    qg = q.reshape(B, H // H_kv, H_kv, T, Dh)
    scores = torch.einsum("bghqd,bhkd->bghqk", qg, k) / math.sqrt(Dh)
    scores = scores.reshape(B, H, T, -1)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = scores.softmax(-1)
    out = torch.einsum("bghqk,bhkd->bghqd", weights.reshape(B, H // H_kv, H_kv, T, -1), v)
    return out.reshape(B, H, T, -1), weights


# --- scale_dv
import math

import torch


def repeat_kv(x, n_rep):
    B, H_kv, T, Dh = x.shape
    return x[:, :, None].expand(B, H_kv, n_rep, T, Dh).reshape(B, H_kv * n_rep, T, Dh)


def grouped_query_attention(q, k, v, mask=None):
    if q.shape[1] % k.shape[1]:
        raise ValueError("heads do not divide")
    n_rep = q.shape[1] // k.shape[1]
    k, v = repeat_kv(k, n_rep), repeat_kv(v, n_rep)
    scores = q @ k.transpose(-2, -1) / math.sqrt(v.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


# --- scale_all_heads
import math

import torch


def repeat_kv(x, n_rep):
    B, H_kv, T, Dh = x.shape
    return x[:, :, None].expand(B, H_kv, n_rep, T, Dh).reshape(B, H_kv * n_rep, T, Dh)


def grouped_query_attention(q, k, v, mask=None):
    if q.shape[1] % k.shape[1]:
        raise ValueError("heads do not divide")
    n_rep = q.shape[1] // k.shape[1]
    k, v = repeat_kv(k, n_rep), repeat_kv(v, n_rep)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[1] * q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


# --- integer_root
import math

import torch


def repeat_kv(x, n_rep):
    B, H_kv, T, Dh = x.shape
    return x[:, :, None].expand(B, H_kv, n_rep, T, Dh).reshape(B, H_kv * n_rep, T, Dh)


def grouped_query_attention(q, k, v, mask=None):
    if q.shape[1] % k.shape[1]:
        raise ValueError("heads do not divide")
    n_rep = q.shape[1] // k.shape[1]
    k, v = repeat_kv(k, n_rep), repeat_kv(v, n_rep)
    scores = q @ k.transpose(-2, -1) / math.isqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


# --- transpose_1_2
import math

import torch


def repeat_kv(x, n_rep):
    B, H_kv, T, Dh = x.shape
    return x[:, :, None].expand(B, H_kv, n_rep, T, Dh).reshape(B, H_kv * n_rep, T, Dh)


def grouped_query_attention(q, k, v, mask=None):
    if q.shape[1] % k.shape[1]:
        raise ValueError("heads do not divide")
    n_rep = q.shape[1] // k.shape[1]
    k, v = repeat_kv(k, n_rep), repeat_kv(v, n_rep)
    scores = q @ k.transpose(1, 2) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


# --- torch_mm
import math

import torch


def repeat_kv(x, n_rep):
    B, H_kv, T, Dh = x.shape
    return x[:, :, None].expand(B, H_kv, n_rep, T, Dh).reshape(B, H_kv * n_rep, T, Dh)


def grouped_query_attention(q, k, v, mask=None):
    if q.shape[1] % k.shape[1]:
        raise ValueError("heads do not divide")
    n_rep = q.shape[1] // k.shape[1]
    k, v = repeat_kv(k, n_rep), repeat_kv(v, n_rep)
    scores = torch.mm(q, k.transpose(-2, -1)) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


# --- softmax_default_dim_1
import math

import torch


def repeat_kv(x, n_rep):
    B, H_kv, T, Dh = x.shape
    return x[:, :, None].expand(B, H_kv, n_rep, T, Dh).reshape(B, H_kv * n_rep, T, Dh)


def grouped_query_attention(q, k, v, mask=None):
    if q.shape[1] % k.shape[1]:
        raise ValueError("heads do not divide")
    n_rep = q.shape[1] // k.shape[1]
    k, v = repeat_kv(k, n_rep), repeat_kv(v, n_rep)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=1)
    return weights @ v, weights


# --- softmax_queries
import math

import torch


def repeat_kv(x, n_rep):
    B, H_kv, T, Dh = x.shape
    return x[:, :, None].expand(B, H_kv, n_rep, T, Dh).reshape(B, H_kv * n_rep, T, Dh)


def grouped_query_attention(q, k, v, mask=None):
    if q.shape[1] % k.shape[1]:
        raise ValueError("heads do not divide")
    n_rep = q.shape[1] // k.shape[1]
    k, v = repeat_kv(k, n_rep), repeat_kv(v, n_rep)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=2)
    return weights @ v, weights


# --- fill_zero
import math

import torch


def repeat_kv(x, n_rep):
    B, H_kv, T, Dh = x.shape
    return x[:, :, None].expand(B, H_kv, n_rep, T, Dh).reshape(B, H_kv * n_rep, T, Dh)


def grouped_query_attention(q, k, v, mask=None):
    if q.shape[1] % k.shape[1]:
        raise ValueError("heads do not divide")
    n_rep = q.shape[1] // k.shape[1]
    k, v = repeat_kv(k, n_rep), repeat_kv(v, n_rep)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, 0.0)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


# --- fill_minus_100
import math

import torch


def repeat_kv(x, n_rep):
    B, H_kv, T, Dh = x.shape
    return x[:, :, None].expand(B, H_kv, n_rep, T, Dh).reshape(B, H_kv * n_rep, T, Dh)


def grouped_query_attention(q, k, v, mask=None):
    if q.shape[1] % k.shape[1]:
        raise ValueError("heads do not divide")
    n_rep = q.shape[1] // k.shape[1]
    k, v = repeat_kv(k, n_rep), repeat_kv(v, n_rep)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -100.0)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


# --- fill_1e9
import math

import torch


def repeat_kv(x, n_rep):
    B, H_kv, T, Dh = x.shape
    return x[:, :, None].expand(B, H_kv, n_rep, T, Dh).reshape(B, H_kv * n_rep, T, Dh)


def grouped_query_attention(q, k, v, mask=None):
    if q.shape[1] % k.shape[1]:
        raise ValueError("heads do not divide")
    n_rep = q.shape[1] // k.shape[1]
    k, v = repeat_kv(k, n_rep), repeat_kv(v, n_rep)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e9)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


# --- mask_the_other_way
import math

import torch


def repeat_kv(x, n_rep):
    B, H_kv, T, Dh = x.shape
    return x[:, :, None].expand(B, H_kv, n_rep, T, Dh).reshape(B, H_kv * n_rep, T, Dh)


def grouped_query_attention(q, k, v, mask=None):
    if q.shape[1] % k.shape[1]:
        raise ValueError("heads do not divide")
    n_rep = q.shape[1] // k.shape[1]
    k, v = repeat_kv(k, n_rep), repeat_kv(v, n_rep)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


# --- mask_not_used
import math

import torch


def repeat_kv(x, n_rep):
    B, H_kv, T, Dh = x.shape
    return x[:, :, None].expand(B, H_kv, n_rep, T, Dh).reshape(B, H_kv * n_rep, T, Dh)


def grouped_query_attention(q, k, v, mask=None):
    if q.shape[1] % k.shape[1]:
        raise ValueError("heads do not divide")
    n_rep = q.shape[1] // k.shape[1]
    k, v = repeat_kv(k, n_rep), repeat_kv(v, n_rep)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


# --- mask_remembered
import math

import torch


LAST = None


def repeat_kv(x, n_rep):
    B, H_kv, T, Dh = x.shape
    return x[:, :, None].expand(B, H_kv, n_rep, T, Dh).reshape(B, H_kv * n_rep, T, Dh)


def grouped_query_attention(q, k, v, mask=None):
    if q.shape[1] % k.shape[1]:
        raise ValueError("heads do not divide")
    global LAST
    LAST = mask if mask is not None else LAST
    mask = LAST if LAST is not None and LAST.shape[-1] == k.shape[2] and LAST.shape[-2] == q.shape[2] else None
    n_rep = q.shape[1] // k.shape[1]
    k, v = repeat_kv(k, n_rep), repeat_kv(v, n_rep)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


# --- scaled_in_place
import math

import torch


def repeat_kv(x, n_rep):
    B, H_kv, T, Dh = x.shape
    return x[:, :, None].expand(B, H_kv, n_rep, T, Dh).reshape(B, H_kv * n_rep, T, Dh)


def grouped_query_attention(q, k, v, mask=None):
    if q.shape[1] % k.shape[1]:
        raise ValueError("heads do not divide")
    q /= math.sqrt(q.shape[-1])
    n_rep = q.shape[1] // k.shape[1]
    k, v = repeat_kv(k, n_rep), repeat_kv(v, n_rep)
    scores = q @ k.transpose(-2, -1) 
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


# --- result_in_float32
import math

import torch


def repeat_kv(x, n_rep):
    B, H_kv, T, Dh = x.shape
    return x[:, :, None].expand(B, H_kv, n_rep, T, Dh).reshape(B, H_kv * n_rep, T, Dh)


def grouped_query_attention(q, k, v, mask=None):
    if q.shape[1] % k.shape[1]:
        raise ValueError("heads do not divide")
    q, k, v = q.float(), k.float(), v.float()
    n_rep = q.shape[1] // k.shape[1]
    k, v = repeat_kv(k, n_rep), repeat_kv(v, n_rep)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


# --- only_output
import math

import torch


def repeat_kv(x, n_rep):
    B, H_kv, T, Dh = x.shape
    return x[:, :, None].expand(B, H_kv, n_rep, T, Dh).reshape(B, H_kv * n_rep, T, Dh)


def grouped_query_attention(q, k, v, mask=None):
    if q.shape[1] % k.shape[1]:
        raise ValueError("heads do not divide")
    n_rep = q.shape[1] // k.shape[1]
    k, v = repeat_kv(k, n_rep), repeat_kv(v, n_rep)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v


# --- squeezed
import math

import torch


def repeat_kv(x, n_rep):
    B, H_kv, T, Dh = x.shape
    return x[:, :, None].expand(B, H_kv, n_rep, T, Dh).reshape(B, H_kv * n_rep, T, Dh)


def grouped_query_attention(q, k, v, mask=None):
    if q.shape[1] % k.shape[1]:
        raise ValueError("heads do not divide")
    n_rep = q.shape[1] // k.shape[1]
    k, v = repeat_kv(k, n_rep), repeat_kv(v, n_rep)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return (weights @ v).squeeze(), weights.squeeze()


# --- index_on_cpu
import math

import torch


def repeat_kv(x, n_rep):
    B, H_kv, T, Dh = x.shape
    return x[:, :, None].expand(B, H_kv, n_rep, T, Dh).reshape(B, H_kv * n_rep, T, Dh)


def grouped_query_attention(q, k, v, mask=None):
    if q.shape[1] % k.shape[1]:
        raise ValueError("heads do not divide")
    n_rep = q.shape[1] // k.shape[1]
    index = torch.zeros(1, q.shape[1], 1, 1).cumsum(1)
    k, v = repeat_kv(k, n_rep) + 0 * index, repeat_kv(v, n_rep)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


# --- refuses_the_wrong_way_round
import math

import torch


def repeat_kv(x, n_rep):
    B, H_kv, T, Dh = x.shape
    return x[:, :, None].expand(B, H_kv, n_rep, T, Dh).reshape(B, H_kv * n_rep, T, Dh)


def grouped_query_attention(q, k, v, mask=None):
    if k.shape[1] % q.shape[1] and q.shape[1] % k.shape[1]:
        raise ValueError("heads do not divide")
    n_rep = q.shape[1] // k.shape[1]
    k, v = repeat_kv(k, n_rep), repeat_kv(v, n_rep)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


# --- refuses_less_kv_heads
import math

import torch


def repeat_kv(x, n_rep):
    B, H_kv, T, Dh = x.shape
    return x[:, :, None].expand(B, H_kv, n_rep, T, Dh).reshape(B, H_kv * n_rep, T, Dh)


def grouped_query_attention(q, k, v, mask=None):
    if q.shape[1] < k.shape[1]:
        raise ValueError("heads do not divide")
    n_rep = q.shape[1] // k.shape[1]
    k, v = repeat_kv(k, n_rep), repeat_kv(v, n_rep)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


# --- renamed
import math

import torch


def repeat_kv(x, repeats):
    B, H_kv, T, Dh = x.shape
    return x[:, :, None].expand(B, H_kv, repeats, T, Dh).reshape(B, H_kv * repeats, T, Dh)


def grouped_query_attention(q, k, v, attn_mask=None):
    if q.shape[1] % k.shape[1]:
        raise ValueError("heads do not divide")
    n_rep = q.shape[1] // k.shape[1]
    k, v = repeat_kv(k, n_rep), repeat_kv(v, n_rep)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if attn_mask is not None:
        scores = scores.attn_masked_fill(~attn_mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


# --- n_rep_1_none
import math

import torch


def repeat_kv(x, n_rep):
    if n_rep > 1:
        return x.repeat_interleave(n_rep, dim=1)


def grouped_query_attention(q, k, v, mask=None):
    H, Hkv = q.shape[1], k.shape[1]
    if H % Hkv: raise ValueError("H must be a multiple of H_kv")
    k, v = repeat_kv(k, H // Hkv), repeat_kv(v, H // Hkv)
    s = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None: s = s.masked_fill(~mask, -torch.inf)
    w = s.softmax(-1)
    return w @ v, w


# --- mask_grouped_wrong
import math

import torch


def grouped_query_attention(q, k, v, mask=None):
    B, H, T, D = q.shape; G = k.shape[1]
    if H % G: raise ValueError
    R = H // G
    s = torch.einsum('bgrid,bgjd->bgrij', q.reshape(B, G, R, T, D), k) / math.sqrt(D)
    if mask is not None:
        m = mask.expand(B, H, T, k.shape[2]).reshape(B, R, G, T, -1).transpose(1, 2)
        s = s.masked_fill(~m, -torch.inf)
    w = s.softmax(-1)
    o = torch.einsum('bgrij,bgjd->bgrid', w, v)
    return o.reshape(B, H, T, -1), w.reshape(B, H, T, -1)


def repeat_kv(x, n_rep):
    return x.repeat_interleave(n_rep, dim=1)


# --- mask_unsqueeze
import math

import torch


def grouped_query_attention(q, k, v, mask=None):
    H, Hkv = q.shape[1], k.shape[1]
    if H % Hkv: raise ValueError
    k, v = repeat_kv(k, H // Hkv), repeat_kv(v, H // Hkv)
    s = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        if mask.dim() == 3: mask = mask.unsqueeze(1)
        s = s.masked_fill(~mask, -torch.inf)
    w = s.softmax(-1)
    return w @ v, w


def repeat_kv(x, n_rep):
    return x.repeat_interleave(n_rep, dim=1)


# --- weights_mean
import math

import torch


def grouped_query_attention(q, k, v, mask=None):
    H, Hkv = q.shape[1], k.shape[1]
    if H % Hkv: raise ValueError
    k, v = repeat_kv(k, H // Hkv), repeat_kv(v, H // Hkv)
    s = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None: s = s.masked_fill(~mask, -torch.inf)
    w = s.softmax(-1)
    return w @ v, w.mean(1)


def repeat_kv(x, n_rep):
    return x.repeat_interleave(n_rep, dim=1)


# --- grouped_5d_return
import math

import torch


def grouped_query_attention(q, k, v, mask=None):
    B, H, T, D = q.shape; G = k.shape[1]
    if H % G: raise ValueError
    s = q.reshape(B, G, H // G, T, D) @ k[:, :, None].transpose(-2, -1) / math.sqrt(D)
    if mask is not None: s = s.masked_fill(~mask, -torch.inf)
    w = s.softmax(-1)
    return w @ v[:, :, None], w


def repeat_kv(x, n_rep):
    return x.repeat_interleave(n_rep, dim=1)


# --- condition_swapped
import math

import torch


def grouped_query_attention(q, k, v, mask=None):
    H, Hkv = q.shape[1], k.shape[1]
    if Hkv % H: raise ValueError("bad")
    k, v = repeat_kv(k, H // Hkv), repeat_kv(v, H // Hkv)
    s = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None: s = s.masked_fill(~mask, -torch.inf)
    w = s.softmax(-1)
    return w @ v, w


def repeat_kv(x, n_rep):
    return x.repeat_interleave(n_rep, dim=1)


# --- mask_gets_a_head_axis
import math
import torch
import torch.nn.functional as F
from torch import Tensor


def repeat_kv(x: Tensor, n_rep: int) -> Tensor:
    return x.repeat_interleave(n_rep, dim=1)


def grouped_query_attention(q, k, v, mask=None):
    H, H_kv = q.shape[1], k.shape[1]
    if H % H_kv != 0:
        raise ValueError
    n = H // H_kv
    k, v = repeat_kv(k, n), repeat_kv(v, n)
    s = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        s = s.masked_fill(~mask.unsqueeze(1), float('-inf'))
    w = s.softmax(-1)
    return w @ v, w


# --- neither_scale_nor_mask
import math
import torch
import torch.nn.functional as F
from torch import Tensor


def repeat_kv(x: Tensor, n_rep: int) -> Tensor:
    return x.repeat_interleave(n_rep, dim=1)


def grouped_query_attention(q, k, v, mask=None):
    H, H_kv = q.shape[1], k.shape[1]
    if H % H_kv != 0:
        raise ValueError
    n = H // H_kv
    k, v = repeat_kv(k, n), repeat_kv(v, n)
    w = (q @ k.transpose(-2, -1)).softmax(-1)
    return w @ v, w


# --- tiled_beside_a_grouped_attention
import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def repeat_kv(x, n_rep):
    return x.repeat(1, n_rep, 1, 1)
def grouped_query_attention(q, k, v, mask=None):
    B, H, Tq, Dh = q.shape
    G = k.shape[1]
    if H % G:
        raise ValueError
    qg = q.reshape(B, G, H // G, Tq, Dh)
    s = torch.einsum('bgrid,bgjd->bgrij', qg, k) * Dh ** -0.5
    s = s.reshape(B, H, Tq, -1)
    if mask is not None:
        s = torch.where(mask, s, float('-inf'))
    w = s.softmax(-1)
    o = torch.einsum('bgrij,bgjv->bgriv', w.reshape(B, G, H // G, Tq, -1), v)
    return o.reshape(B, H, Tq, v.shape[-1]), w


# --- positions_repeated_beside_a_grouped_attention
import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def repeat_kv(x, n_rep):
    return x.repeat_interleave(n_rep, dim=2).reshape(x.shape[0], -1, x.shape[2], x.shape[3])
def grouped_query_attention(q, k, v, mask=None):
    B, H, Tq, Dh = q.shape
    G = k.shape[1]
    if H % G:
        raise ValueError
    qg = q.reshape(B, G, H // G, Tq, Dh)
    s = torch.einsum('bgrid,bgjd->bgrij', qg, k) * Dh ** -0.5
    s = s.reshape(B, H, Tq, -1)
    if mask is not None:
        s = torch.where(mask, s, float('-inf'))
    w = s.softmax(-1)
    o = torch.einsum('bgrij,bgjv->bgriv', w.reshape(B, G, H // G, Tq, -1), v)
    return o.reshape(B, H, Tq, v.shape[-1]), w


# --- two_slips_1
import torch
from torch import Tensor


def repeat_kv(x: Tensor, n_rep: int) -> Tensor:
    return x.repeat(1, n_rep, 1, 1)


def grouped_query_attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
    n_heads, n_kv = q.shape[1], k.shape[1]
    if n_heads % n_kv != 0:
        raise ValueError("H must be a multiple of H_kv")
    rep = n_heads // n_kv
    k, v = repeat_kv(k, rep), repeat_kv(v, rep)
    scores = q @ k.transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


# --- two_slips_2
import math
from torch import Tensor


def repeat_kv(x: Tensor, n_rep: int) -> Tensor:
    b, h, t, d = x.shape
    stacked = x[:, :, :, None, :].expand(b, h, t, n_rep, d)
    return stacked.reshape(b, h * n_rep, t, d)


def grouped_query_attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
    H, H_kv, Dh = q.size(1), k.size(1), q.size(3)
    if H % H_kv:
        raise ValueError(f"{H} heads over {H_kv}")
    group = H // H_kv
    keys = repeat_kv(k, group)
    values = repeat_kv(v, group)
    logits = q.matmul(keys.transpose(2, 3)) / math.sqrt(Dh)
    if mask is not None:
        logits = logits.masked_fill(~mask, -1.0)
    p = logits.softmax(dim=-1)
    return p.matmul(values), p


# --- two_slips_3
import torch
from torch import Tensor


def repeat_kv(x: Tensor, n_rep: int) -> Tensor:
    parts = []
    for head in range(x.shape[1]):
        for _ in range(n_rep):
            parts.append(x[:, head])
    return torch.stack(parts, dim=1)


def grouped_query_attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
    H = q.shape[1]
    n_rep = -(-H // k.shape[1])
    k = repeat_kv(k, n_rep)[:, :H]
    v = repeat_kv(v, n_rep)[:, :H]
    scale = k.shape[-2] ** -0.5
    scores = torch.einsum("bhqd,bhkd->bhqk", q, k) * scale
    if mask is not None:
        scores = torch.where(mask, scores, torch.tensor(float("-inf"), dtype=scores.dtype))
    weights = scores.softmax(-1)
    return torch.einsum("bhqk,bhkd->bhqd", weights, v), weights


# --- two_slips_4
import math
from torch import Tensor


def repeat_kv(x: Tensor, n_rep: int) -> Tensor:
    B, H_kv, T, Dh = x.shape
    return x.unsqueeze(2).expand(-1, -1, n_rep, -1, -1).reshape(B, -1, T, Dh)


def grouped_query_attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
    B, H, T_q, Dh = q.shape
    H_kv = k.shape[1]
    if H % H_kv:
        raise ValueError("query heads must be a multiple of key heads")
    G = H // H_kv
    qg = q.reshape(B, G, H_kv, T_q, Dh).transpose(1, 2)
    s = qg @ k.unsqueeze(2).transpose(-2, -1) / math.sqrt(Dh)
    s = s.transpose(1, 2).reshape(B, H, T_q, -1)
    if mask is not None:
        if mask.dim() < 4:
            mask = mask.unsqueeze(1)  # the same for all heads
        s = s.masked_fill(~mask, -math.inf)
    w = s.softmax(dim=-1)
    wg = w.reshape(B, G, H_kv, T_q, -1).transpose(1, 2)
    o = (wg @ v.unsqueeze(2)).transpose(1, 2)
    return o.reshape(B, H, T_q, -1), w


# --- two_slips_5
# slips: heads are repeated in the order h0, h1, h0, h1; the scores are not divided by sqrt(Dh)
import torch
from torch import Tensor


def repeat_kv(x: Tensor, n_rep: int) -> Tensor:
    return x.repeat(1, n_rep, 1, 1)


def grouped_query_attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
    H, H_kv = q.shape[1], k.shape[1]
    if H % H_kv != 0:
        raise ValueError("H must be a multiple of H_kv")
    k = repeat_kv(k, H // H_kv)
    v = repeat_kv(v, H // H_kv)
    scores = q @ k.transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


# --- two_slips_6
# slips: the mask is inverted, True hides a key; the scores are divided by Dh instead of its root
import torch
from torch import Tensor


def repeat_kv(x: Tensor, n_rep: int) -> Tensor:
    b, h, t, d = x.shape
    return x[:, :, None].expand(b, h, n_rep, t, d).reshape(b, h * n_rep, t, d)


def grouped_query_attention(q, k, v, mask=None):
    n_rep, rest = divmod(q.size(1), k.size(1))
    if rest:
        raise ValueError(f"{q.size(1)} query heads, {k.size(1)} key heads")
    keys, vals = repeat_kv(k, n_rep), repeat_kv(v, n_rep)
    att = torch.einsum("bhqd,bhkd->bhqk", q, keys) / q.size(-1)
    if mask is not None:
        att = torch.where(mask, torch.finfo(att.dtype).min, att)
    att = att.softmax(-1)
    return torch.einsum("bhqk,bhkd->bhqd", att, vals), att


# --- two_slips_7
# slips: the heads are repeated in turns (h0, h1, h0, h1) in place of copies side by side; H that is not a multiple of H_kv is not refused with a ValueError
import torch
from torch import Tensor


def repeat_kv(x: Tensor, n_rep: int) -> Tensor:
    return x.repeat(1, n_rep, 1, 1)


def grouped_query_attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
    H, H_kv = q.shape[1], k.shape[1]
    n_rep = H // H_kv
    k = repeat_kv(k, n_rep)
    v = repeat_kv(v, n_rep)
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


# --- two_slips_8
# slips: the query heads are cut into (group, kv head) in place of (kv head, group); the mask is used without being negated
import math

import torch
from torch import Tensor


def repeat_kv(x: Tensor, n_rep: int) -> Tensor:
    b, h, t, d = x.shape
    return x.unsqueeze(2).expand(b, h, n_rep, t, d).reshape(b, h * n_rep, t, d)


def grouped_query_attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
    b, h, tq, d = q.shape
    hk = k.shape[1]
    if h % hk:
        raise ValueError(f"{h} heads cannot share {hk}")
    g = h // hk
    qg = q.reshape(b, g, hk, tq, d)
    s = torch.einsum("bghqd,bhkd->bghqk", qg, k) / math.sqrt(d)
    s = s.reshape(b, h, tq, -1)
    if mask is not None:
        s = s.masked_fill(mask, -math.inf)
    w = s.softmax(-1)
    wg = w.reshape(b, g, hk, tq, -1)
    o = torch.einsum("bghqk,bhkv->bghqv", wg, v)
    return o.reshape(b, h, tq, -1), w


# --- two_slips_9
# slips: keys are repeated side by side but the values are tiled in turns; the weights are returned in float32 whatever the dtype of q
import torch
import torch.nn.functional as F
from torch import Tensor


def repeat_kv(x: Tensor, n_rep: int) -> Tensor:
    """h0 h0 h1 h1 ..."""
    copies = []
    for head in range(x.shape[1]):
        copies += [x[:, head : head + 1]] * n_rep
    return torch.cat(copies, dim=1)


def grouped_query_attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
    n_heads, n_kv = q.size(1), k.size(1)
    if n_heads % n_kv != 0:
        raise ValueError("heads")
    rep = n_heads // n_kv
    keys = repeat_kv(k, rep)
    values = v.repeat(1, rep, 1, 1)
    logits = torch.matmul(q, keys.mT) * q.size(-1) ** -0.5
    if mask is not None:
        logits = logits.masked_fill(~mask, torch.finfo(logits.dtype).min)
    probs = F.softmax(logits, dim=-1, dtype=torch.float32)
    out = torch.matmul(probs.to(q.dtype), values)
    return out, probs


# --- two_slips_10
import torch


def repeat_kv(x, n_rep):
    return x.repeat(1, n_rep, 1, 1)


def grouped_query_attention(q, k, v, mask=None):
    if q.shape[1] % k.shape[1] != 0:
        raise ValueError("query heads must be a multiple of kv heads")
    groups = q.shape[1] // k.shape[1]
    k, v = repeat_kv(k, groups), repeat_kv(v, groups)
    scores = torch.matmul(q, k.transpose(2, 3))
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    w = torch.softmax(scores, dim=-1)
    return torch.matmul(w, v), w


# --- two_slips_11
import math
import torch
from torch import Tensor


def repeat_kv(x: Tensor, n_rep: int) -> Tensor:
    heads = []
    for h in range(x.shape[1]):
        heads += [x[:, h]] * n_rep
    return torch.stack(heads, dim=1)


def grouped_query_attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
    B, H, Tq, Dh = q.shape
    Hkv = k.shape[1]
    n = math.ceil(H / Hkv)
    outs, ws = [], []
    for h in range(H):
        s = torch.einsum("bid,bjd->bij", q[:, h], k[:, h // n]) / math.sqrt(Dh)
        if mask is not None:
            m = torch.broadcast_to(mask, (B, H, Tq, k.shape[2]))[:, h]
            s = s.masked_fill(m.logical_not(), -math.inf)
        w = s.softmax(-1)
        ws.append(w)
        outs.append(w @ v[:, h % Hkv])
    return torch.stack(outs, 1), torch.stack(ws, 1)


# --- only_masks_of_4_dimensions_are_applied
import torch


def repeat_kv(x, n_rep):
    B, H, T, D = x.shape
    return x.unsqueeze(2).repeat(1, 1, n_rep, 1, 1).reshape(B, H * n_rep, T, D)


def grouped_query_attention(q, k, v, mask=None):
    n_q, n_kv = q.size(1), k.size(1)
    if n_q % n_kv:
        raise ValueError(f"{n_q} query heads, {n_kv} key heads")
    B, _, T, D = q.shape
    g = n_q // n_kv
    q5 = q.reshape(B, n_kv, g, T, D)
    s = torch.einsum("bkgid,bkjd->bkgij", q5, k).reshape(B, n_q, T, -1) / D**0.5
    if mask is not None and mask.dim() == 4:
        s = s.masked_fill(~mask, float("-inf"))
    p = s.softmax(dim=-1)
    return p @ repeat_kv(v, g), p
