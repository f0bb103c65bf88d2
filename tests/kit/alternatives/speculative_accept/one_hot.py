"""Products with one-hot rows; a row of zeros as the draft's distribution behind the last place."""

import torch
import torch.nn.functional as F


def accepted(p, q, draft, u):
    hot = F.one_hot(draft, p.size(-1)).to(p.dtype)
    return (hot * p).sum(-1) > u * (hot * q).sum(-1)


def residual(p, q):
    more = F.relu(p - q)
    found = F.normalize(more.double(), p=1, dim=-1, eps=1e-300).to(p.dtype)
    return p.where(more.sum(-1, keepdim=True) == 0, found)


def speculative_step(p, q, drafts, u, v):
    if {len(p) - 1, len(q), len(drafts), len(u)} != {len(q)}:
        raise ValueError("they do not fit")
    ok = accepted(p[: len(q)], q, drafts, u).tolist() + [False]
    n = ok.index(False)
    behind = torch.cat([q, torch.zeros_like(p[:1])])
    sums = residual(p[n], behind[n]).cumsum(-1)
    token = (sums <= v).sum().clamp(max=p.size(-1) - 1)
    return torch.cat([drafts[:n], token.reshape(1)])
