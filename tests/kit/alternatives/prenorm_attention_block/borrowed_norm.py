import torch
import torch.nn.functional as F


def prenorm_attention_block(x, W, mask=None):
    h = F.rms_norm(x, (x.shape[-1],), eps=1e-6)
    q, k, v = h @ W[0], h @ W[1], h @ W[2]
    scores = torch.einsum("...qd,...kd->...qk", q * q.shape[-1] ** -0.5, k)
    if mask is not None:
        scores = torch.where(mask, scores, torch.finfo(scores.dtype).min)
    return torch.add(x, torch.softmax(scores, -1) @ (v @ W[3]))
