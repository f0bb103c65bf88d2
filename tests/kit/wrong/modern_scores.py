"""Wrong submissions for modern_scores, written from the statement, without the suite in view."""

# --- unit_vectors
import torch


def qk_norm_scores(q, k, q_gain, k_gain, eps=1e-6):
    dtype = q.dtype
    wide = torch.promote_types(dtype, torch.float32)
    q, k = q.to(wide), k.to(wide)
    qn = q / (q.norm(dim=-1, keepdim=True) + eps) * q_gain
    kn = k / (k.norm(dim=-1, keepdim=True) + eps) * k_gain
    return (qn @ kn.transpose(-2, -1) / q.shape[-1] ** 0.5).to(dtype)


def soft_cap(scores, cap):
    if cap <= 0:
        raise ValueError("cap must be above 0")
    return cap * torch.tanh(scores / cap)


def sink_softmax(scores, sink, mask=None):
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    s = sink.view(-1, 1, 1).expand(*scores.shape[:-1], 1)
    return torch.softmax(torch.cat([scores, s], dim=-1), dim=-1)[..., :-1]


# --- float16_all_the_way
import torch


def qk_norm_scores(q, k, q_gain, k_gain, eps=1e-6):
    dtype = q.dtype
    wide = torch.promote_types(dtype, torch.float32)
    qn = q / (q.pow(2).mean(-1, keepdim=True) + eps).sqrt() * q_gain
    kn = k / (k.pow(2).mean(-1, keepdim=True) + eps).sqrt() * k_gain
    return (qn @ kn.transpose(-2, -1) / q.shape[-1] ** 0.5).to(dtype)


def soft_cap(scores, cap):
    if cap <= 0:
        raise ValueError("cap must be above 0")
    return cap * torch.tanh(scores / cap)


def sink_softmax(scores, sink, mask=None):
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    s = sink.view(-1, 1, 1).expand(*scores.shape[:-1], 1)
    return torch.softmax(torch.cat([scores, s], dim=-1), dim=-1)[..., :-1]


# --- no_division_by_the_root
import torch


def qk_norm_scores(q, k, q_gain, k_gain, eps=1e-6):
    dtype = q.dtype
    wide = torch.promote_types(dtype, torch.float32)
    q, k = q.to(wide), k.to(wide)
    qn = q / (q.pow(2).mean(-1, keepdim=True) + eps).sqrt() * q_gain
    kn = k / (k.pow(2).mean(-1, keepdim=True) + eps).sqrt() * k_gain
    return (qn @ kn.transpose(-2, -1)).to(dtype)


def soft_cap(scores, cap):
    if cap <= 0:
        raise ValueError("cap must be above 0")
    return cap * torch.tanh(scores / cap)


def sink_softmax(scores, sink, mask=None):
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    s = sink.view(-1, 1, 1).expand(*scores.shape[:-1], 1)
    return torch.softmax(torch.cat([scores, s], dim=-1), dim=-1)[..., :-1]


# --- layer_norm
import torch


def qk_norm_scores(q, k, q_gain, k_gain, eps=1e-6):
    dtype = q.dtype
    wide = torch.promote_types(dtype, torch.float32)
    q, k = q.to(wide), k.to(wide)
    q, k = q - q.mean(-1, keepdim=True), k - k.mean(-1, keepdim=True)
    qn = q / (q.pow(2).mean(-1, keepdim=True) + eps).sqrt() * q_gain
    kn = k / (k.pow(2).mean(-1, keepdim=True) + eps).sqrt() * k_gain
    return (qn @ kn.transpose(-2, -1) / q.shape[-1] ** 0.5).to(dtype)


def soft_cap(scores, cap):
    if cap <= 0:
        raise ValueError("cap must be above 0")
    return cap * torch.tanh(scores / cap)


def sink_softmax(scores, sink, mask=None):
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    s = sink.view(-1, 1, 1).expand(*scores.shape[:-1], 1)
    return torch.softmax(torch.cat([scores, s], dim=-1), dim=-1)[..., :-1]


# --- only_queries
import torch


def qk_norm_scores(q, k, q_gain, k_gain, eps=1e-6):
    dtype = q.dtype
    wide = torch.promote_types(dtype, torch.float32)
    q, k = q.to(wide), k.to(wide)
    qn = q / (q.pow(2).mean(-1, keepdim=True) + eps).sqrt() * q_gain
    kn = k * k_gain
    return (qn @ kn.transpose(-2, -1) / q.shape[-1] ** 0.5).to(dtype)


def soft_cap(scores, cap):
    if cap <= 0:
        raise ValueError("cap must be above 0")
    return cap * torch.tanh(scores / cap)


def sink_softmax(scores, sink, mask=None):
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    s = sink.view(-1, 1, 1).expand(*scores.shape[:-1], 1)
    return torch.softmax(torch.cat([scores, s], dim=-1), dim=-1)[..., :-1]


# --- one_gain
import torch


def qk_norm_scores(q, k, q_gain, k_gain, eps=1e-6):
    dtype = q.dtype
    wide = torch.promote_types(dtype, torch.float32)
    q, k = q.to(wide), k.to(wide)
    qn = q / (q.pow(2).mean(-1, keepdim=True) + eps).sqrt() * q_gain
    kn = k / (k.pow(2).mean(-1, keepdim=True) + eps).sqrt() * q_gain
    return (qn @ kn.transpose(-2, -1) / q.shape[-1] ** 0.5).to(dtype)


def soft_cap(scores, cap):
    if cap <= 0:
        raise ValueError("cap must be above 0")
    return cap * torch.tanh(scores / cap)


def sink_softmax(scores, sink, mask=None):
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    s = sink.view(-1, 1, 1).expand(*scores.shape[:-1], 1)
    return torch.softmax(torch.cat([scores, s], dim=-1), dim=-1)[..., :-1]


# --- eps_fixed
import torch


def qk_norm_scores(q, k, q_gain, k_gain, eps=1e-6):
    dtype = q.dtype
    wide = torch.promote_types(dtype, torch.float32)
    q, k = q.to(wide), k.to(wide)
    qn = q / (q.pow(2).mean(-1, keepdim=True) + 1e-6).sqrt() * q_gain
    kn = k / (k.pow(2).mean(-1, keepdim=True) + 1e-6).sqrt() * k_gain
    return (qn @ kn.transpose(-2, -1) / q.shape[-1] ** 0.5).to(dtype)


def soft_cap(scores, cap):
    if cap <= 0:
        raise ValueError("cap must be above 0")
    return cap * torch.tanh(scores / cap)


def sink_softmax(scores, sink, mask=None):
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    s = sink.view(-1, 1, 1).expand(*scores.shape[:-1], 1)
    return torch.softmax(torch.cat([scores, s], dim=-1), dim=-1)[..., :-1]


# --- whole_tensor_normalised
import torch


def qk_norm_scores(q, k, q_gain, k_gain, eps=1e-6):
    dtype = q.dtype
    wide = torch.promote_types(dtype, torch.float32)
    q, k = q.to(wide), k.to(wide)
    qn = q / (q.pow(2).mean() + eps).sqrt() * q_gain
    kn = k / (k.pow(2).mean() + eps).sqrt() * k_gain
    return (qn @ kn.transpose(-2, -1) / q.shape[-1] ** 0.5).to(dtype)


def soft_cap(scores, cap):
    if cap <= 0:
        raise ValueError("cap must be above 0")
    return cap * torch.tanh(scores / cap)


def sink_softmax(scores, sink, mask=None):
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    s = sink.view(-1, 1, 1).expand(*scores.shape[:-1], 1)
    return torch.softmax(torch.cat([scores, s], dim=-1), dim=-1)[..., :-1]


# --- returns_float32
import torch


def qk_norm_scores(q, k, q_gain, k_gain, eps=1e-6):
    dtype = q.dtype
    wide = torch.promote_types(dtype, torch.float32)
    q, k = q.to(wide), k.to(wide)
    qn = q / (q.pow(2).mean(-1, keepdim=True) + eps).sqrt() * q_gain
    kn = k / (k.pow(2).mean(-1, keepdim=True) + eps).sqrt() * k_gain
    return (qn @ kn.transpose(-2, -1) / q.shape[-1] ** 0.5)


def soft_cap(scores, cap):
    if cap <= 0:
        raise ValueError("cap must be above 0")
    return cap * torch.tanh(scores / cap)


def sink_softmax(scores, sink, mask=None):
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    s = sink.view(-1, 1, 1).expand(*scores.shape[:-1], 1)
    return torch.softmax(torch.cat([scores, s], dim=-1), dim=-1)[..., :-1]


# --- clamp
import torch


def qk_norm_scores(q, k, q_gain, k_gain, eps=1e-6):
    dtype = q.dtype
    wide = torch.promote_types(dtype, torch.float32)
    q, k = q.to(wide), k.to(wide)
    qn = q / (q.pow(2).mean(-1, keepdim=True) + eps).sqrt() * q_gain
    kn = k / (k.pow(2).mean(-1, keepdim=True) + eps).sqrt() * k_gain
    return (qn @ kn.transpose(-2, -1) / q.shape[-1] ** 0.5).to(dtype)


def soft_cap(scores, cap):
    if cap <= 0:
        raise ValueError("cap must be above 0")
    return torch.clamp(scores, -cap, cap)


def sink_softmax(scores, sink, mask=None):
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    s = sink.view(-1, 1, 1).expand(*scores.shape[:-1], 1)
    return torch.softmax(torch.cat([scores, s], dim=-1), dim=-1)[..., :-1]


# --- tanh_without_the_cap_in_front
import torch


def qk_norm_scores(q, k, q_gain, k_gain, eps=1e-6):
    dtype = q.dtype
    wide = torch.promote_types(dtype, torch.float32)
    q, k = q.to(wide), k.to(wide)
    qn = q / (q.pow(2).mean(-1, keepdim=True) + eps).sqrt() * q_gain
    kn = k / (k.pow(2).mean(-1, keepdim=True) + eps).sqrt() * k_gain
    return (qn @ kn.transpose(-2, -1) / q.shape[-1] ** 0.5).to(dtype)


def soft_cap(scores, cap):
    if cap <= 0:
        raise ValueError("cap must be above 0")
    return torch.tanh(scores / cap)


def sink_softmax(scores, sink, mask=None):
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    s = sink.view(-1, 1, 1).expand(*scores.shape[:-1], 1)
    return torch.softmax(torch.cat([scores, s], dim=-1), dim=-1)[..., :-1]


# --- cap_of_zero_goes_through
import torch


def qk_norm_scores(q, k, q_gain, k_gain, eps=1e-6):
    dtype = q.dtype
    wide = torch.promote_types(dtype, torch.float32)
    q, k = q.to(wide), k.to(wide)
    qn = q / (q.pow(2).mean(-1, keepdim=True) + eps).sqrt() * q_gain
    kn = k / (k.pow(2).mean(-1, keepdim=True) + eps).sqrt() * k_gain
    return (qn @ kn.transpose(-2, -1) / q.shape[-1] ** 0.5).to(dtype)


def soft_cap(scores, cap):
    if cap < 0:
        raise ValueError("cap must be above 0")
    return cap * torch.tanh(scores / cap)


def sink_softmax(scores, sink, mask=None):
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    s = sink.view(-1, 1, 1).expand(*scores.shape[:-1], 1)
    return torch.softmax(torch.cat([scores, s], dim=-1), dim=-1)[..., :-1]


# --- tanh_by_exponentials_that_overflow
import torch


def qk_norm_scores(q, k, q_gain, k_gain, eps=1e-6):
    dtype = q.dtype
    wide = torch.promote_types(dtype, torch.float32)
    q, k = q.to(wide), k.to(wide)
    qn = q / (q.pow(2).mean(-1, keepdim=True) + eps).sqrt() * q_gain
    kn = k / (k.pow(2).mean(-1, keepdim=True) + eps).sqrt() * k_gain
    return (qn @ kn.transpose(-2, -1) / q.shape[-1] ** 0.5).to(dtype)


def soft_cap(scores, cap):
    if cap <= 0:
        raise ValueError("cap must be above 0")
    return cap * ((2 * scores / cap).exp() - 1) / ((2 * scores / cap).exp() + 1)


def sink_softmax(scores, sink, mask=None):
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    s = sink.view(-1, 1, 1).expand(*scores.shape[:-1], 1)
    return torch.softmax(torch.cat([scores, s], dim=-1), dim=-1)[..., :-1]


# --- in_place
import torch


def qk_norm_scores(q, k, q_gain, k_gain, eps=1e-6):
    dtype = q.dtype
    wide = torch.promote_types(dtype, torch.float32)
    q, k = q.to(wide), k.to(wide)
    qn = q / (q.pow(2).mean(-1, keepdim=True) + eps).sqrt() * q_gain
    kn = k / (k.pow(2).mean(-1, keepdim=True) + eps).sqrt() * k_gain
    return (qn @ kn.transpose(-2, -1) / q.shape[-1] ** 0.5).to(dtype)


def soft_cap(scores, cap):
    if cap <= 0:
        raise ValueError("cap must be above 0")
    scores /= cap
    return scores.tanh_().mul_(cap)


def sink_softmax(scores, sink, mask=None):
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    s = sink.view(-1, 1, 1).expand(*scores.shape[:-1], 1)
    return torch.softmax(torch.cat([scores, s], dim=-1), dim=-1)[..., :-1]


# --- sink_column_left_in
import torch


def qk_norm_scores(q, k, q_gain, k_gain, eps=1e-6):
    dtype = q.dtype
    wide = torch.promote_types(dtype, torch.float32)
    q, k = q.to(wide), k.to(wide)
    qn = q / (q.pow(2).mean(-1, keepdim=True) + eps).sqrt() * q_gain
    kn = k / (k.pow(2).mean(-1, keepdim=True) + eps).sqrt() * k_gain
    return (qn @ kn.transpose(-2, -1) / q.shape[-1] ** 0.5).to(dtype)


def soft_cap(scores, cap):
    if cap <= 0:
        raise ValueError("cap must be above 0")
    return cap * torch.tanh(scores / cap)


def sink_softmax(scores, sink, mask=None):
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    s = sink.view(-1, 1, 1).expand(*scores.shape[:-1], 1)
    return torch.softmax(torch.cat([scores, s], dim=-1), dim=-1)


# --- one_added_to_the_sum
import torch


def qk_norm_scores(q, k, q_gain, k_gain, eps=1e-6):
    dtype = q.dtype
    wide = torch.promote_types(dtype, torch.float32)
    q, k = q.to(wide), k.to(wide)
    qn = q / (q.pow(2).mean(-1, keepdim=True) + eps).sqrt() * q_gain
    kn = k / (k.pow(2).mean(-1, keepdim=True) + eps).sqrt() * k_gain
    return (qn @ kn.transpose(-2, -1) / q.shape[-1] ** 0.5).to(dtype)


def soft_cap(scores, cap):
    if cap <= 0:
        raise ValueError("cap must be above 0")
    return cap * torch.tanh(scores / cap)


def sink_softmax(scores, sink, mask=None):
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    e = scores.exp()
    return e / (1 + e.sum(-1, keepdim=True))


# --- raw_exponentials
import torch


def qk_norm_scores(q, k, q_gain, k_gain, eps=1e-6):
    dtype = q.dtype
    wide = torch.promote_types(dtype, torch.float32)
    q, k = q.to(wide), k.to(wide)
    qn = q / (q.pow(2).mean(-1, keepdim=True) + eps).sqrt() * q_gain
    kn = k / (k.pow(2).mean(-1, keepdim=True) + eps).sqrt() * k_gain
    return (qn @ kn.transpose(-2, -1) / q.shape[-1] ** 0.5).to(dtype)


def soft_cap(scores, cap):
    if cap <= 0:
        raise ValueError("cap must be above 0")
    return cap * torch.tanh(scores / cap)


def sink_softmax(scores, sink, mask=None):
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    e = scores.exp()
    return e / (sink.exp().view(-1, 1, 1) + e.sum(-1, keepdim=True))


# --- shifted_keys_unshifted_sink
import torch


def qk_norm_scores(q, k, q_gain, k_gain, eps=1e-6):
    dtype = q.dtype
    wide = torch.promote_types(dtype, torch.float32)
    q, k = q.to(wide), k.to(wide)
    qn = q / (q.pow(2).mean(-1, keepdim=True) + eps).sqrt() * q_gain
    kn = k / (k.pow(2).mean(-1, keepdim=True) + eps).sqrt() * k_gain
    return (qn @ kn.transpose(-2, -1) / q.shape[-1] ** 0.5).to(dtype)


def soft_cap(scores, cap):
    if cap <= 0:
        raise ValueError("cap must be above 0")
    return cap * torch.tanh(scores / cap)


def sink_softmax(scores, sink, mask=None):
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    e = (scores - scores.max(-1, keepdim=True).values).exp()
    return e / (sink.exp().view(-1, 1, 1) + e.sum(-1, keepdim=True))


# --- added_to_every_score
import torch


def qk_norm_scores(q, k, q_gain, k_gain, eps=1e-6):
    dtype = q.dtype
    wide = torch.promote_types(dtype, torch.float32)
    q, k = q.to(wide), k.to(wide)
    qn = q / (q.pow(2).mean(-1, keepdim=True) + eps).sqrt() * q_gain
    kn = k / (k.pow(2).mean(-1, keepdim=True) + eps).sqrt() * k_gain
    return (qn @ kn.transpose(-2, -1) / q.shape[-1] ** 0.5).to(dtype)


def soft_cap(scores, cap):
    if cap <= 0:
        raise ValueError("cap must be above 0")
    return cap * torch.tanh(scores / cap)


def sink_softmax(scores, sink, mask=None):
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(scores + sink.view(-1, 1, 1), dim=-1)


# --- heads_on_the_last_axis
import torch


def qk_norm_scores(q, k, q_gain, k_gain, eps=1e-6):
    dtype = q.dtype
    wide = torch.promote_types(dtype, torch.float32)
    q, k = q.to(wide), k.to(wide)
    qn = q / (q.pow(2).mean(-1, keepdim=True) + eps).sqrt() * q_gain
    kn = k / (k.pow(2).mean(-1, keepdim=True) + eps).sqrt() * k_gain
    return (qn @ kn.transpose(-2, -1) / q.shape[-1] ** 0.5).to(dtype)


def soft_cap(scores, cap):
    if cap <= 0:
        raise ValueError("cap must be above 0")
    return cap * torch.tanh(scores / cap)


def sink_softmax(scores, sink, mask=None):
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    s = sink.view(1, 1, -1)[..., :1].expand(*scores.shape[:-1], 1)
    return torch.softmax(torch.cat([scores, s], dim=-1), dim=-1)[..., :-1]


# --- masked_with_minus_a_thousand
import torch


def qk_norm_scores(q, k, q_gain, k_gain, eps=1e-6):
    dtype = q.dtype
    wide = torch.promote_types(dtype, torch.float32)
    q, k = q.to(wide), k.to(wide)
    qn = q / (q.pow(2).mean(-1, keepdim=True) + eps).sqrt() * q_gain
    kn = k / (k.pow(2).mean(-1, keepdim=True) + eps).sqrt() * k_gain
    return (qn @ kn.transpose(-2, -1) / q.shape[-1] ** 0.5).to(dtype)


def soft_cap(scores, cap):
    if cap <= 0:
        raise ValueError("cap must be above 0")
    return cap * torch.tanh(scores / cap)


def sink_softmax(scores, sink, mask=None):
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e3)
    s = sink.view(-1, 1, 1).expand(*scores.shape[:-1], 1)
    return torch.softmax(torch.cat([scores, s], dim=-1), dim=-1)[..., :-1]


# --- mask_the_other_way
import torch


def qk_norm_scores(q, k, q_gain, k_gain, eps=1e-6):
    dtype = q.dtype
    wide = torch.promote_types(dtype, torch.float32)
    q, k = q.to(wide), k.to(wide)
    qn = q / (q.pow(2).mean(-1, keepdim=True) + eps).sqrt() * q_gain
    kn = k / (k.pow(2).mean(-1, keepdim=True) + eps).sqrt() * k_gain
    return (qn @ kn.transpose(-2, -1) / q.shape[-1] ** 0.5).to(dtype)


def soft_cap(scores, cap):
    if cap <= 0:
        raise ValueError("cap must be above 0")
    return cap * torch.tanh(scores / cap)


def sink_softmax(scores, sink, mask=None):
    if mask is not None:
        scores = scores.masked_fill(mask, float("-inf"))
    s = sink.view(-1, 1, 1).expand(*scores.shape[:-1], 1)
    return torch.softmax(torch.cat([scores, s], dim=-1), dim=-1)[..., :-1]


# --- four_dimensions_only
import torch


def qk_norm_scores(q, k, q_gain, k_gain, eps=1e-6):
    dtype = q.dtype
    wide = torch.promote_types(dtype, torch.float32)
    q, k = q.to(wide), k.to(wide)
    qn = q / (q.pow(2).mean(-1, keepdim=True) + eps).sqrt() * q_gain
    kn = k / (k.pow(2).mean(-1, keepdim=True) + eps).sqrt() * k_gain
    return (qn @ kn.transpose(-2, -1) / q.shape[-1] ** 0.5).to(dtype)


def soft_cap(scores, cap):
    if cap <= 0:
        raise ValueError("cap must be above 0")
    return cap * torch.tanh(scores / cap)


def sink_softmax(scores, sink, mask=None):
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    s = sink.view(1, -1, 1, 1).expand(scores.shape[0], -1, scores.shape[2], 1)
    return torch.softmax(torch.cat([scores, s], dim=-1), dim=-1)[..., :-1]


# --- k_gain_forgot
import math
import torch
def _norm(x, gain, eps):
    hi = torch.promote_types(x.dtype, torch.float32)
    x = x.to(hi)
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps) * gain.to(hi)
def qk_norm_scores(q, k, q_gain, k_gain, eps=1e-6):
    s = _norm(q, q_gain, eps) @ _norm(k, q_gain, eps).transpose(-2, -1) / math.sqrt(q.shape[-1])
    return s.to(q.dtype)
def soft_cap(scores, cap):
    if cap <= 0:
        raise ValueError("cap must be positive")
    return cap * torch.tanh(scores / cap)
def sink_softmax(scores, sink, mask=None):
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    extra = sink[:, None, None].expand(*scores.shape[:-1], 1)
    return torch.softmax(torch.cat([scores, extra], dim=-1), dim=-1)[..., :-1]


# --- fill_1e4
import math
import torch
def _norm(x, gain, eps):
    hi = torch.promote_types(x.dtype, torch.float32)
    x = x.to(hi)
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps) * gain.to(hi)
def qk_norm_scores(q, k, q_gain, k_gain, eps=1e-6):
    s = _norm(q, q_gain, eps) @ _norm(k, k_gain, eps).transpose(-2, -1) / math.sqrt(q.shape[-1])
    return s.to(q.dtype)
def soft_cap(scores, cap):
    if cap <= 0:
        raise ValueError("cap must be positive")
    return cap * torch.tanh(scores / cap)
def sink_softmax(scores, sink, mask=None):
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e4)
    extra = sink[:, None, None].expand(*scores.shape[:-1], 1)
    return torch.softmax(torch.cat([scores, extra], dim=-1), dim=-1)[..., :-1]


# --- maximum_of_the_scores_alone
import torch


def sink_softmax(scores, sink, mask=None):
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    m = scores.amax(-1, keepdim=True)
    m = m.masked_fill(m == -torch.inf, 0)
    e = (scores - m).exp()
    return e / (e.sum(-1, keepdim=True) + (sink[:, None, None] - m).exp())


def qk_norm_scores(q, k, q_gain, k_gain, eps=1e-6):
    dtype = q.dtype
    wide = torch.promote_types(dtype, torch.float32)
    q, k = q.to(wide), k.to(wide)
    qn = q / (q.pow(2).mean(-1, keepdim=True) + eps).sqrt() * q_gain
    kn = k / (k.pow(2).mean(-1, keepdim=True) + eps).sqrt() * k_gain
    return (qn @ kn.transpose(-2, -1) / q.shape[-1] ** 0.5).to(dtype)


def soft_cap(scores, cap):
    if cap <= 0:
        raise ValueError("cap must be above 0")
    return cap * torch.tanh(scores / cap)


# --- sink_in_front_and_last_weight_dropped
import torch


def sink_softmax(scores, sink, mask=None):
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    s = sink[:, None, None].expand(*scores.shape[:-1], 1)
    return torch.cat([s, scores], -1).softmax(-1)[..., :-1]


def qk_norm_scores(q, k, q_gain, k_gain, eps=1e-6):
    dtype = q.dtype
    wide = torch.promote_types(dtype, torch.float32)
    q, k = q.to(wide), k.to(wide)
    qn = q / (q.pow(2).mean(-1, keepdim=True) + eps).sqrt() * q_gain
    kn = k / (k.pow(2).mean(-1, keepdim=True) + eps).sqrt() * k_gain
    return (qn @ kn.transpose(-2, -1) / q.shape[-1] ** 0.5).to(dtype)


def soft_cap(scores, cap):
    if cap <= 0:
        raise ValueError("cap must be above 0")
    return cap * torch.tanh(scores / cap)


# --- sink_added_to_the_sum_as_it_is
import torch


def sink_softmax(scores, sink, mask=None):
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    m = scores.amax(-1, keepdim=True).clamp(min=-1e30)
    e = (scores - m).exp()
    return e / (e.sum(-1, keepdim=True) + sink[:, None, None])


def qk_norm_scores(q, k, q_gain, k_gain, eps=1e-6):
    dtype = q.dtype
    wide = torch.promote_types(dtype, torch.float32)
    q, k = q.to(wide), k.to(wide)
    qn = q / (q.pow(2).mean(-1, keepdim=True) + eps).sqrt() * q_gain
    kn = k / (k.pow(2).mean(-1, keepdim=True) + eps).sqrt() * k_gain
    return (qn @ kn.transpose(-2, -1) / q.shape[-1] ** 0.5).to(dtype)


def soft_cap(scores, cap):
    if cap <= 0:
        raise ValueError("cap must be above 0")
    return cap * torch.tanh(scores / cap)


# --- twice_sigmoid_and_assert
import torch


def soft_cap(scores, cap):
    assert cap > 0
    return cap * (2 * torch.sigmoid(scores / cap) - 1)


def qk_norm_scores(q, k, q_gain, k_gain, eps=1e-6):
    dtype = q.dtype
    wide = torch.promote_types(dtype, torch.float32)
    q, k = q.to(wide), k.to(wide)
    qn = q / (q.pow(2).mean(-1, keepdim=True) + eps).sqrt() * q_gain
    kn = k / (k.pow(2).mean(-1, keepdim=True) + eps).sqrt() * k_gain
    return (qn @ kn.transpose(-2, -1) / q.shape[-1] ** 0.5).to(dtype)


def sink_softmax(scores, sink, mask=None):
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    s = sink.view(-1, 1, 1).expand(*scores.shape[:-1], 1)
    return torch.softmax(torch.cat([scores, s], dim=-1), dim=-1)[..., :-1]


# --- eps_beside_the_root_and_all_in_half
import torch


def qk_norm_scores(q, k, q_gain, k_gain, eps=1e-6):
    q = q / (q.pow(2).mean(-1, keepdim=True).sqrt() + eps) * q_gain
    k = k / (k.pow(2).mean(-1, keepdim=True).sqrt() + eps) * k_gain
    return q @ k.mT / q.shape[-1] ** 0.5


def soft_cap(scores, cap):
    if cap <= 0:
        raise ValueError("cap must be above 0")
    return cap * torch.tanh(scores / cap)


def sink_softmax(scores, sink, mask=None):
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    s = sink.view(-1, 1, 1).expand(*scores.shape[:-1], 1)
    return torch.softmax(torch.cat([scores, s], dim=-1), dim=-1)[..., :-1]


# --- tanh_of_exponentials
import math
import torch

def qk_norm_scores(q, k, q_gain, k_gain, eps=1e-6):
    def norm(x, gain):
        y = x.float() if x.dtype == torch.float16 else x
        return (y * torch.rsqrt(y.pow(2).mean(-1, keepdim=True) + eps)).to(x.dtype) * gain
    return norm(q, q_gain) @ norm(k, k_gain).transpose(-2, -1) / math.sqrt(q.shape[-1])

def soft_cap(scores, cap):
    if cap <= 0:
        raise ValueError("cap must be above 0")
    return cap * (torch.exp(2 * scores / cap) - 1) / (torch.exp(2 * scores / cap) + 1)

def sink_softmax(scores, sink, mask=None):
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    column = sink.view(-1, 1, 1).expand(*scores.shape[:-1], 1)
    return torch.softmax(torch.cat([scores, column], dim=-1), dim=-1)[..., :-1]


# --- two_slips_1
import torch
from torch import Tensor


def qk_norm_scores(q: Tensor, k: Tensor, q_gain: Tensor, k_gain: Tensor, eps: float = 1e-6) -> Tensor:
    def norm(t: Tensor, g: Tensor) -> Tensor:
        f = t.to(torch.promote_types(t.dtype, torch.float32))
        return f / torch.sqrt((f * f).sum(-1, keepdim=True) + eps) * g

    s = norm(q, q_gain) @ norm(k, k_gain).transpose(-2, -1)
    return (s / q.shape[-1] ** 0.5).to(q.dtype)


def soft_cap(scores: Tensor, cap: float) -> Tensor:
    if cap <= 0:
        raise ValueError("cap must be positive")
    return cap * torch.tanh(scores)


def sink_softmax(scores: Tensor, sink: Tensor, mask: Tensor | None = None) -> Tensor:
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    extra = sink.view(-1, 1, 1).expand(*scores.shape[:-1], 1)
    full = torch.cat([scores, extra], dim=-1)
    return torch.softmax(full, dim=-1)[..., :-1]


# --- two_slips_2
import math

import torch
from torch import Tensor


def rms(t: Tensor, eps: float) -> Tensor:
    t = t.to(torch.promote_types(t.dtype, torch.float32))
    return t * (t.pow(2).mean(dim=-1, keepdim=True) + eps).rsqrt()


def qk_norm_scores(q: Tensor, k: Tensor, q_gain: Tensor, k_gain: Tensor, eps: float = 1e-6) -> Tensor:
    q_hat = rms(q, eps) * q_gain
    k_hat = rms(k, eps) * q_gain
    out = torch.einsum("...qd,...kd->...qk", q_hat, k_hat) / math.sqrt(k.shape[-1])
    return out.type_as(q)


def soft_cap(scores: Tensor, cap: float) -> Tensor:
    if not cap > 0:
        raise ValueError(f"cap {cap}")
    return (scores / cap).tanh() * cap


def sink_softmax(scores: Tensor, sink: Tensor, mask: Tensor | None = None) -> Tensor:
    column = sink[:, None, None].expand(scores.shape[:-1] + (1,))
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    joined = torch.cat((column, scores), dim=-1)
    probs = joined[..., 1:].softmax(dim=-1)
    return probs


# --- two_slips_3
import torch
from torch import Tensor


def qk_norm_scores(q: Tensor, k: Tensor, q_gain: Tensor, k_gain: Tensor, eps: float = 1e-6) -> Tensor:
    wide = torch.promote_types(q.dtype, torch.float32)
    qf, kf = q.to(wide), k.to(wide)
    qf = qf * torch.rsqrt(qf.square().mean(-1, keepdim=True) + eps) * q_gain.to(wide)
    kf = kf * torch.rsqrt(kf.square().mean(-1, keepdim=True) + eps) * k_gain.to(wide)
    result = torch.matmul(qf, kf.transpose(-1, -2))
    return result.to(q.dtype)


def soft_cap(scores: Tensor, cap: float) -> Tensor:
    if cap <= 0.0:
        raise ValueError("no cap")
    bent = torch.tanh(scores.div(cap))
    return bent.mul(cap)


def sink_softmax(scores: Tensor, sink: Tensor, mask: Tensor | None = None) -> Tensor:
    s = sink.reshape(-1, 1, 1)
    if mask is not None:
        scores = torch.where(mask, -torch.inf, scores)
    m = torch.maximum(scores.amax(-1, keepdim=True), s).detach()
    e = torch.exp(scores - m)
    return e / (torch.exp(s - m) + e.sum(-1, keepdim=True))


# --- two_slips_4
import torch
from torch import Tensor


def qk_norm_scores(q: Tensor, k: Tensor, q_gain: Tensor, k_gain: Tensor, eps: float = 1e-6) -> Tensor:
    def unit(t, gain):
        up = t.double() if t.dtype == torch.float64 else t.float()
        size = (up.square().mean(dim=-1, keepdim=True) + eps).sqrt()
        return up / size * gain

    dots = unit(q, q_gain) @ unit(k, k_gain).mT
    return (dots * q.shape[-1] ** -0.5).to(q.dtype)


def soft_cap(scores: Tensor, cap: float) -> Tensor:
    return cap * (scores / cap).tanh()


def sink_softmax(scores: Tensor, sink: Tensor, mask: Tensor | None = None) -> Tensor:
    if mask is not None:
        scores = scores.masked_fill(mask.logical_not(), float("-inf"))
    sinks = torch.zeros_like(scores[..., :1]) + sink.mean()
    weights = torch.cat([scores, sinks], -1).softmax(-1)
    return weights[..., : scores.shape[-1]]


# --- two_slips_5
# slips: eps is added to the root mean square, not under the root; the weights that come back still hold the sink's column
import torch
from torch import Tensor


def _norm(x, gain, eps):
    y = x.float() if x.dtype != torch.float64 else x
    rms = torch.sqrt(y.pow(2).mean(-1, keepdim=True)) + eps
    return y / rms * gain


def qk_norm_scores(q: Tensor, k: Tensor, q_gain: Tensor, k_gain: Tensor, eps: float = 1e-6) -> Tensor:
    a, b = _norm(q, q_gain, eps), _norm(k, k_gain, eps)
    return (a @ b.transpose(-2, -1) / q.shape[-1] ** 0.5).to(q.dtype)


def soft_cap(scores: Tensor, cap: float) -> Tensor:
    if cap <= 0:
        raise ValueError("cap must be positive")
    return cap * torch.tanh(scores / cap)


def sink_softmax(scores: Tensor, sink: Tensor, mask: Tensor | None = None) -> Tensor:
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    column = sink.view(-1, 1, 1).expand(*scores.shape[:-1], 1)
    full = torch.cat([scores, column], dim=-1)
    weights = full.softmax(dim=-1)
    return weights


# --- two_slips_6
# slips: soft_cap cuts the scores off in place of bending them; the sink lacks an axis, so that it is spread over the queries in place of the heads
import math

import torch
import torch.nn.functional as F
from torch import Tensor


def qk_norm_scores(q: Tensor, k: Tensor, q_gain: Tensor, k_gain: Tensor, eps: float = 1e-6) -> Tensor:
    wide = torch.promote_types(q.dtype, torch.float32)

    def unit(x, gain):
        x = x.to(wide)
        return x * torch.rsqrt(torch.mean(x * x, dim=-1, keepdim=True) + eps) * gain.to(wide)

    s = torch.einsum("...qd,...kd->...qk", unit(q, q_gain), unit(k, k_gain))
    return (s / math.sqrt(q.size(-1))).to(q.dtype)


def soft_cap(scores: Tensor, cap: float) -> Tensor:
    if cap <= 0:
        raise ValueError(cap)
    return scores.clamp(-cap, cap)


def sink_softmax(scores: Tensor, sink: Tensor, mask: Tensor | None = None) -> Tensor:
    extra = sink[:, None].expand(*scores.shape[:-1], 1)
    if mask is not None:
        scores = torch.where(mask, scores, -math.inf)
    probs = F.softmax(torch.cat((extra, scores), -1), dim=-1)
    return probs[..., 1:]


# --- two_slips_7
# slips: the squares are computed in the dtype of the queries and overflow in float16; the mask zeroes the weights after softmax, so hidden scores stay in the sum
import torch
from torch import Tensor


def rms_normalise(x: Tensor, eps: float) -> Tensor:
    return x / (x.square().mean(dim=-1, keepdim=True) + eps).sqrt()


def qk_norm_scores(q: Tensor, k: Tensor, q_gain: Tensor, k_gain: Tensor, eps: float = 1e-6) -> Tensor:
    kind = q.dtype
    q = rms_normalise(q, eps) * q_gain
    k = rms_normalise(k, eps) * k_gain
    return (q @ k.mT * q.shape[-1] ** -0.5).to(kind)


def soft_cap(scores: Tensor, cap: float) -> Tensor:
    if not cap > 0:
        raise ValueError("cap")
    return cap * (scores / cap).tanh()


def sink_softmax(scores: Tensor, sink: Tensor, mask: Tensor | None = None) -> Tensor:
    s = sink.reshape(-1, 1, 1)
    top = torch.maximum(scores.amax(-1, keepdim=True), s).detach()
    e = torch.exp(scores - top)
    w = e / (e.sum(-1, keepdim=True) + torch.exp(s - top))
    if mask is not None:
        w = w * mask
    return w


# --- two_slips_8
import math
import torch
from torch import Tensor


def rms(x: Tensor, eps: float) -> Tensor:
    big = x.double()
    return big * torch.rsqrt(big.pow(2).mean(dim=-1, keepdim=True) + eps)


def qk_norm_scores(q: Tensor, k: Tensor, q_gain: Tensor, k_gain: Tensor, eps: float = 1e-6) -> Tensor:
    qn, kn = rms(q, eps) * q_gain, rms(k, eps) * k_gain
    return (torch.einsum("...id,...jd->...ij", qn, kn) / math.sqrt(q.shape[-1])).to(q.dtype)


def soft_cap(scores: Tensor, cap: float) -> Tensor:
    return cap * (scores / cap).tanh()


def sink_softmax(scores: Tensor, sink: Tensor, mask: Tensor | None = None) -> Tensor:
    column = sink.view(-1, 1, 1).expand(*scores.shape[:-1], 1)
    p = torch.cat([scores, column], dim=-1).softmax(-1)[..., :-1]
    if mask is not None:
        p = p * mask
    return p


# --- squares_taken_in_float16_overflow
import torch


def norm(x, gain, eps):
    r = torch.rsqrt(x.square().mean(-1, keepdim=True) + eps)
    return x * r * gain


def qk_norm_scores(q, k, q_gain, k_gain, eps=1e-6):
    s = norm(q, q_gain, eps) @ norm(k, k_gain, eps).mT
    return (s / q.shape[-1] ** 0.5).to(q.dtype)


def soft_cap(scores, cap):
    if cap <= 0:
        raise ValueError("cap has to be above 0")
    return cap * torch.tanh(scores / cap)


def sink_softmax(scores, sink, mask=None):
    if mask is not None:
        scores = torch.where(mask, scores, torch.full_like(scores, float("-inf")))
    extra = sink.reshape(-1, 1, 1).expand(scores.shape[:-1] + (1,))
    return torch.softmax(torch.cat([extra, scores], -1), -1)[..., 1:]
