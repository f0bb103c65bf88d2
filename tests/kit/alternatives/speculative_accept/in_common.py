"""What both have in common, searchsorted, indices."""

import torch


def accepted(p, q, draft, u):
    of_p = torch.take_along_dim(p, draft[..., None], -1)[..., 0]
    of_q = torch.take_along_dim(q, draft[..., None], -1)[..., 0]
    return (of_p / of_q).clamp(max=1) > u


def residual(p, q):
    common = torch.minimum(p, q)
    excess = p - common
    nothing = (excess == 0).all(-1, keepdim=True)
    excess = torch.where(nothing, p, excess)
    return excess / excess.sum(-1, keepdim=True)


def speculative_step(p, q, drafts, u, v):
    T = q.shape[0]
    if p.shape[0] != T + 1 or drafts.shape != (T,) or u.shape != (T,):
        raise ValueError("shapes")
    rejected = torch.nonzero(~accepted(p[:-1], q, drafts, u)).flatten()
    n = int(rejected[0]) if len(rejected) else T
    d = residual(p[n], q[n]) if n < T else p[T]
    sums = torch.cumsum(d.double(), 0)
    x = torch.searchsorted(sums, torch.tensor([v], dtype=sums.dtype, device=d.device), right=True)
    return torch.cat((drafts[:n], x.clamp(max=len(d) - 1)))
