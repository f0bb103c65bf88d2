"""PyTorch's RMSNorm; the sink by the logarithm of the sum."""

import torch
import torch.nn.functional as F


def qk_norm_scores(q, k, q_gain, k_gain, eps=1e-6):
    wide = torch.promote_types(q.dtype, torch.float32)
    q, k, dtype = q.to(wide), k.to(wide), q.dtype
    q = F.rms_norm(q, q.shape[-1:], q_gain.to(wide), eps)
    k = F.rms_norm(k, k.shape[-1:], k_gain.to(wide), eps)
    return (q * q.shape[-1] ** -0.5 @ k.mT).to(dtype)


def soft_cap(scores, cap):
    if not cap > 0:
        raise ValueError("cap must be positive")
    return scores.div(cap).tanh().mul(cap)


def sink_softmax(scores, sink, mask=None):
    if mask is not None:
        scores = scores.masked_fill(mask.logical_not(), float("-inf"))
    total = torch.logaddexp(scores.logsumexp(-1, keepdim=True), sink.unsqueeze(-1).unsqueeze(-1))
    return (scores - total).exp()
