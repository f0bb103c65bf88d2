"""Wrong submissions for int8_cache, written from the statement, without the suite in view."""

# --- truncates
import torch


def quantize(x, dim=-1):
    w = x.to(torch.promote_types(x.dtype, torch.float32))
    s = w.abs().amax(dim, keepdim=True) / 127
    c = torch.where(s > 0, w / s, torch.zeros_like(w))
    return c.to(torch.int8), s


def dequantize(codes, scale):
    return codes.to(scale.dtype) * scale


def score_error_bound(q, codes, scale):
    step = (scale / 2).expand(codes.shape)
    return q.abs().to(scale.dtype) @ step.transpose(-1, -2) / q.shape[-1] ** 0.5


def int8_attention(q, keys, values):
    k, v = dequantize(*keys), dequantize(*values)
    s = q.to(k.dtype) @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    return (torch.softmax(s, -1) @ v).to(q.dtype)


# --- unsigned_range
import torch


def quantize(x, dim=-1):
    w = x.to(torch.promote_types(x.dtype, torch.float32))
    s = (w.amax(dim, keepdim=True) - w.amin(dim, keepdim=True)) / 255
    s_safe = torch.where(s > 0, s, torch.ones_like(s))
    return (w / s_safe).round().clamp(-128, 127).to(torch.int8), s


def dequantize(codes, scale):
    return codes.to(scale.dtype) * scale


def score_error_bound(q, codes, scale):
    step = (scale / 2).expand(codes.shape)
    return q.abs().to(scale.dtype) @ step.transpose(-1, -2) / q.shape[-1] ** 0.5


def int8_attention(q, keys, values):
    k, v = dequantize(*keys), dequantize(*values)
    s = q.to(k.dtype) @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    return (torch.softmax(s, -1) @ v).to(q.dtype)


# --- all_one_scale
import torch


def quantize(x, dim=-1):
    w = x.to(torch.promote_types(x.dtype, torch.float32))
    s = w.abs().max() / 127
    shape = list(x.shape)
    shape[dim] = 1
    return (w / s).round().to(torch.int8), s.expand(shape).clone()


def dequantize(codes, scale):
    return codes.to(scale.dtype) * scale


def score_error_bound(q, codes, scale):
    step = (scale / 2).expand(codes.shape)
    return q.abs().to(scale.dtype) @ step.transpose(-1, -2) / q.shape[-1] ** 0.5


def int8_attention(q, keys, values):
    k, v = dequantize(*keys), dequantize(*values)
    s = q.to(k.dtype) @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    return (torch.softmax(s, -1) @ v).to(q.dtype)


# --- half_inside
import torch


def quantize(x, dim=-1):
    s = x.abs().amax(dim, keepdim=True) / 127
    c = torch.where(s > 0, x / s, torch.zeros_like(x))
    return c.round().to(torch.int8), s.to(torch.promote_types(x.dtype, torch.float32))


def dequantize(codes, scale):
    return codes.to(scale.dtype) * scale


def score_error_bound(q, codes, scale):
    step = (scale / 2).expand(codes.shape)
    return q.abs().to(scale.dtype) @ step.transpose(-1, -2) / q.shape[-1] ** 0.5


def int8_attention(q, keys, values):
    k, v = dequantize(*keys), dequantize(*values)
    s = q.to(k.dtype) @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    return (torch.softmax(s, -1) @ v).to(q.dtype)


# --- clamped_scale
import torch


def quantize(x, dim=-1):
    w = x.to(torch.promote_types(x.dtype, torch.float32))
    s = (w.abs().amax(dim, keepdim=True) / 127).clamp(min=1e-5)
    return (w / s).round().to(torch.int8), s


def dequantize(codes, scale):
    return codes.to(scale.dtype) * scale


def score_error_bound(q, codes, scale):
    step = (scale / 2).expand(codes.shape)
    return q.abs().to(scale.dtype) @ step.transpose(-1, -2) / q.shape[-1] ** 0.5


def int8_attention(q, keys, values):
    k, v = dequantize(*keys), dequantize(*values)
    s = q.to(k.dtype) @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    return (torch.softmax(s, -1) @ v).to(q.dtype)


# --- no_keepdim
import torch


def quantize(x, dim=-1):
    w = x.to(torch.promote_types(x.dtype, torch.float32))
    s = w.abs().amax(dim) / 127
    c = w / s.unsqueeze(dim).clamp(min=1e-30)
    return c.round().to(torch.int8), s


def dequantize(codes, scale):
    return codes.to(scale.dtype) * scale


def score_error_bound(q, codes, scale):
    step = (scale / 2).expand(codes.shape)
    return q.abs().to(scale.dtype) @ step.transpose(-1, -2) / q.shape[-1] ** 0.5


def int8_attention(q, keys, values):
    k, v = dequantize(*keys), dequantize(*values)
    s = q.to(k.dtype) @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    return (torch.softmax(s, -1) @ v).to(q.dtype)


# --- tokens_only_bound
import torch


def quantize(x, dim=-1):
    w = x.to(torch.promote_types(x.dtype, torch.float32))
    s = w.abs().amax(dim, keepdim=True) / 127
    c = torch.where(s > 0, w / s, torch.zeros_like(w))
    return c.round().to(torch.int8), s


def dequantize(codes, scale):
    return codes.to(scale.dtype) * scale


def score_error_bound(q, codes, scale):
    return q.abs().sum(-1, keepdim=True).to(scale.dtype) * (scale / 2).transpose(-1, -2) / q.shape[-1] ** 0.5


def int8_attention(q, keys, values):
    k, v = dequantize(*keys), dequantize(*values)
    s = q.to(k.dtype) @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    return (torch.softmax(s, -1) @ v).to(q.dtype)


# --- bound_by_norms
import torch


def quantize(x, dim=-1):
    w = x.to(torch.promote_types(x.dtype, torch.float32))
    s = w.abs().amax(dim, keepdim=True) / 127
    c = torch.where(s > 0, w / s, torch.zeros_like(w))
    return c.round().to(torch.int8), s


def dequantize(codes, scale):
    return codes.to(scale.dtype) * scale


def score_error_bound(q, codes, scale):
    step = (scale / 2).expand(codes.shape)
    return q.norm(dim=-1, keepdim=True).to(scale.dtype) * step.norm(dim=-1).unsqueeze(-2) / q.shape[-1] ** 0.5


def int8_attention(q, keys, values):
    k, v = dequantize(*keys), dequantize(*values)
    s = q.to(k.dtype) @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    return (torch.softmax(s, -1) @ v).to(q.dtype)


# --- full_step_bound
import torch


def quantize(x, dim=-1):
    w = x.to(torch.promote_types(x.dtype, torch.float32))
    s = w.abs().amax(dim, keepdim=True) / 127
    c = torch.where(s > 0, w / s, torch.zeros_like(w))
    return c.round().to(torch.int8), s


def dequantize(codes, scale):
    return codes.to(scale.dtype) * scale


def score_error_bound(q, codes, scale):
    step = scale.expand(codes.shape)
    return q.abs().to(scale.dtype) @ step.transpose(-1, -2) / q.shape[-1] ** 0.5


def int8_attention(q, keys, values):
    k, v = dequantize(*keys), dequantize(*values)
    s = q.to(k.dtype) @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    return (torch.softmax(s, -1) @ v).to(q.dtype)


# --- product_in_int8
import torch


def quantize(x, dim=-1):
    w = x.to(torch.promote_types(x.dtype, torch.float32))
    s = w.abs().amax(dim, keepdim=True) / 127
    c = torch.where(s > 0, w / s, torch.zeros_like(w))
    return c.round().to(torch.int8), s


def dequantize(codes, scale):
    return codes.to(scale.dtype) * scale


def score_error_bound(q, codes, scale):
    step = (scale / 2).expand(codes.shape)
    return q.abs().to(scale.dtype) @ step.transpose(-1, -2) / q.shape[-1] ** 0.5


def int8_attention(q, keys, values):
    qc, qs = quantize(q)
    k, v = dequantize(*keys), dequantize(*values)
    s = dequantize(qc, qs).to(k.dtype) @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    return (torch.softmax(s, -1) @ v).to(q.dtype)


# --- value_scale_forgotten
import torch


def quantize(x, dim=-1):
    w = x.to(torch.promote_types(x.dtype, torch.float32))
    s = w.abs().amax(dim, keepdim=True) / 127
    c = torch.where(s > 0, w / s, torch.zeros_like(w))
    return c.round().to(torch.int8), s


def dequantize(codes, scale):
    return codes.to(scale.dtype) * scale


def score_error_bound(q, codes, scale):
    step = (scale / 2).expand(codes.shape)
    return q.abs().to(scale.dtype) @ step.transpose(-1, -2) / q.shape[-1] ** 0.5


def int8_attention(q, keys, values):
    k = dequantize(*keys)
    v = values[0].to(k.dtype)
    s = q.to(k.dtype) @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    return (torch.softmax(s, -1) @ v).to(q.dtype)


# --- result_in_float32
import torch


def quantize(x, dim=-1):
    w = x.to(torch.promote_types(x.dtype, torch.float32))
    s = w.abs().amax(dim, keepdim=True) / 127
    c = torch.where(s > 0, w / s, torch.zeros_like(w))
    return c.round().to(torch.int8), s


def dequantize(codes, scale):
    return codes.to(scale.dtype) * scale


def score_error_bound(q, codes, scale):
    step = (scale / 2).expand(codes.shape)
    return q.abs().to(scale.dtype) @ step.transpose(-1, -2) / q.shape[-1] ** 0.5


def int8_attention(q, keys, values):
    k, v = dequantize(*keys), dequantize(*values)
    s = q.to(k.dtype) @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    return torch.softmax(s, -1) @ v


# --- two_slips_1
# slips: the quotient is cut off instead of rounded; the bound sums the queries' entries without their absolute values
import math

import torch
from torch import Tensor


def quantize(x: Tensor, dim: int = -1) -> tuple[Tensor, Tensor]:
    wide = x.detach().to(torch.float64 if x.dtype == torch.float64 else torch.float32)
    scale = wide.abs().amax(dim=dim, keepdim=True) / 127
    safe = torch.where(scale == 0, torch.ones_like(scale), scale)
    codes = (wide / safe).clamp(-127, 127).to(torch.int8)
    return codes, scale


def dequantize(codes: Tensor, scale: Tensor) -> Tensor:
    return codes.to(scale.dtype) * scale


def score_error_bound(q: Tensor, codes: Tensor, scale: Tensor) -> Tensor:
    error = (scale / 2).expand(codes.shape)  # [..., T_kv, Dh]
    query = q.to(scale.dtype)
    return query @ error.transpose(-2, -1) / math.sqrt(q.shape[-1])


def int8_attention(q: Tensor, keys: tuple[Tensor, Tensor], values: tuple[Tensor, Tensor]) -> Tensor:
    k = dequantize(*keys)
    v = dequantize(*values)
    wide = torch.promote_types(torch.promote_types(k.dtype, v.dtype), q.dtype)
    k, v, query = k.to(wide), v.to(wide), q.to(wide)
    weights = torch.softmax(query @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1)
    return (weights @ v).to(q.dtype)


# --- two_slips_2
# slips: the scale comes from the largest value, not the largest absolute value; attention divides by sqrt(T_kv) instead of sqrt(Dh)
import torch
from torch import Tensor


def _wide(t):
    return t if t.dtype == torch.float64 else t.float()


@torch.no_grad()
def quantize(x: Tensor, dim: int = -1) -> tuple[Tensor, Tensor]:
    y = _wide(x)
    top = y.max(dim=dim, keepdim=True).values
    scale = top / 127.0
    ratio = torch.where(scale != 0, y / scale, torch.zeros_like(y))
    return ratio.round().clamp(-127, 127).to(torch.int8), scale


def dequantize(codes: Tensor, scale: Tensor) -> Tensor:
    return codes.to(scale.dtype).mul(scale)


def score_error_bound(q: Tensor, codes: Tensor, scale: Tensor) -> Tensor:
    half = 0.5 * scale * torch.ones(codes.shape, dtype=scale.dtype, device=scale.device)
    return torch.einsum("...qd,...kd->...qk", q.abs().to(scale.dtype), half) / q.shape[-1] ** 0.5


def int8_attention(q: Tensor, keys: tuple[Tensor, Tensor], values: tuple[Tensor, Tensor]) -> Tensor:
    k, v = dequantize(*keys), dequantize(*values)
    dt = torch.promote_types(k.dtype, v.dtype)
    dt = torch.promote_types(dt, q.dtype)
    k = k.to(dt)
    v = v.to(dt)
    att = q.to(dt) @ k.mT / k.shape[-2] ** 0.5
    return (att.softmax(-1) @ v).to(q.dtype)


# --- two_slips_3
# slips: the scale is taken from the largest number, not the largest absolute value; the bound adds the queries with their signs
import torch
from torch import Tensor


def quantize(x: Tensor, dim: int = -1) -> tuple[Tensor, Tensor]:
    xf = x if x.dtype == torch.float64 else x.float()
    scale = xf.amax(dim=dim, keepdim=True) / 127
    div = torch.where(scale == 0, torch.ones_like(scale), scale)
    codes = torch.round(xf / div).clamp(-127, 127)
    return codes.to(torch.int8), scale


def dequantize(codes: Tensor, scale: Tensor) -> Tensor:
    return codes.to(scale.dtype) * scale


def score_error_bound(q: Tensor, codes: Tensor, scale: Tensor) -> Tensor:
    half = (scale / 2).expand(codes.shape)
    q = q.to(scale.dtype)
    return q @ half.transpose(-2, -1) / q.shape[-1] ** 0.5


def int8_attention(q: Tensor, keys: tuple[Tensor, Tensor], values: tuple[Tensor, Tensor]) -> Tensor:
    k, v = dequantize(*keys), dequantize(*values)
    wide = torch.promote_types(k.dtype, q.dtype)
    s = q.to(wide) @ k.to(wide).transpose(-2, -1) / q.shape[-1] ** 0.5
    out = torch.softmax(s, dim=-1) @ v.to(wide)
    return out.to(q.dtype)


# --- two_slips_4
# slips: the quotient is cut off by the cast to int8 in place of rounded; the bound takes the whole scale, not half of it
import math

import torch
import torch.nn.functional as F
from torch import Tensor


def quantize(x: Tensor, dim: int = -1) -> tuple[Tensor, Tensor]:
    dtype = torch.float64 if x.dtype == torch.float64 else torch.float32
    x = x.to(dtype)
    scale = x.abs().max(dim=dim, keepdim=True).values / 127.0
    quotient = torch.nan_to_num(x / scale, nan=0.0)
    return quotient.to(torch.int8), scale


def dequantize(codes: Tensor, scale: Tensor) -> Tensor:
    return torch.mul(codes.to(dtype=scale.dtype), scale)


def score_error_bound(q: Tensor, codes: Tensor, scale: Tensor) -> Tensor:
    worst = torch.ones_like(codes, dtype=scale.dtype) * scale
    bound = torch.einsum("...qd,...kd->...qk", q.abs().to(scale.dtype), worst)
    return bound / math.sqrt(q.size(-1))


def int8_attention(q: Tensor, keys: tuple[Tensor, Tensor], values: tuple[Tensor, Tensor]) -> Tensor:
    k = dequantize(keys[0], keys[1])
    v = dequantize(values[0], values[1])
    qq = q.to(torch.promote_types(q.dtype, k.dtype))
    logits = torch.einsum("...qd,...kd->...qk", qq, k.to(qq.dtype)) / math.sqrt(q.size(-1))
    weights = F.softmax(logits, dim=-1)
    return torch.einsum("...qk,...kv->...qv", weights, v.to(qq.dtype)).to(q.dtype)


# --- two_slips_5
# slips: the bound takes the sum of the query times the scale of each token and does not handle a scale of each channel; int8_attention does not divide by sqrt(Dh)
import torch
from torch import Tensor


def quantize(x: Tensor, dim: int = -1) -> tuple[Tensor, Tensor]:
    if x.dtype != torch.float64:
        x = x.to(torch.float32)
    biggest = torch.amax(torch.abs(x), dim, keepdim=True)
    scale = biggest / 127
    inverse = torch.where(biggest > 0, 1 / scale, torch.zeros_like(scale))
    codes = (x * inverse).round().to(torch.int8)
    return codes, scale


def dequantize(codes: Tensor, scale: Tensor) -> Tensor:
    return codes * scale


def score_error_bound(q: Tensor, codes: Tensor, scale: Tensor) -> Tensor:
    q = q.abs().to(scale.dtype)
    d = q.shape[-1]
    total = q.sum(-1, keepdim=True)  # [..., T_q, 1]
    return total * scale.mT / 2 / d**0.5


def int8_attention(q: Tensor, keys: tuple[Tensor, Tensor], values: tuple[Tensor, Tensor]) -> Tensor:
    K = dequantize(*keys)
    V = dequantize(*values)
    kind = torch.promote_types(q.dtype, K.dtype)
    S = q.to(kind) @ K.to(kind).mT
    return (S.softmax(-1) @ V.to(kind)).to(q.dtype)


# --- two_slips_6
import torch


def quantize(x, dim=-1):
    wide = x if x.dtype == torch.float64 else x.float()
    scale = wide.abs().amax(dim=dim, keepdim=True) / 128
    safe = torch.where(scale == 0, torch.ones_like(scale), scale)
    codes = torch.round(wide / safe).clamp(-127, 127).to(torch.int8)
    return codes, scale


def dequantize(codes, scale):
    return codes.to(scale.dtype) * scale


def score_error_bound(q, codes, scale):
    half = 0.5 * scale.expand(codes.shape)
    return q.abs().to(scale.dtype) @ half.transpose(-1, -2)


def int8_attention(q, keys, values):
    k, v = dequantize(*keys), dequantize(*values)
    s = q.to(k.dtype) @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    return (s.softmax(-1) @ v.to(s.dtype)).to(q.dtype)


# --- error_bound_without_the_absolute_value_of_q
import math
import torch


def quantize(x, dim=-1):
    if x.dtype != torch.float64:
        x = x.to(torch.float32)
    scale = torch.amax(torch.abs(x), dim, keepdim=True) / 127.0
    q = torch.where(scale > 0, x / scale, torch.zeros_like(x))
    return torch.round(q).to(torch.int8), scale


def dequantize(codes, scale):
    return codes * scale


def score_error_bound(q, codes, scale):
    q = q.to(scale.dtype)
    per_entry = torch.zeros(codes.shape, dtype=scale.dtype, device=scale.device) + scale / 2
    return torch.matmul(q, per_entry.transpose(-2, -1)).abs() / math.sqrt(q.shape[-1])


def int8_attention(q, keys, values):
    k = dequantize(keys[0], keys[1])
    v = dequantize(values[0], values[1])
    scores = torch.matmul(q.to(k.dtype), k.transpose(-2, -1)) / math.sqrt(q.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    return torch.matmul(weights, v).to(q.dtype)
