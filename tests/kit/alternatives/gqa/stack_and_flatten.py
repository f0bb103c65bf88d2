import torch
import torch.nn.functional as F


def repeat_kv(x, n_rep):
    return torch.stack([x] * n_rep, dim=2).flatten(1, 2)


def grouped_query_attention(q, k, v, mask=None):
    n_rep, rest = divmod(q.size(1), k.size(1))
    if rest or n_rep == 0:
        raise ValueError(f"cannot share {k.size(1)} heads among {q.size(1)}")
    q = q * q.size(-1) ** -0.5
    scores = q @ repeat_kv(k, n_rep).mT
    if mask is not None:
        scores = torch.where(mask, scores, torch.finfo(scores.dtype).min)
    weights = F.softmax(scores, -1)
    return [weights @ repeat_kv(v, n_rep), weights]
