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
