"""Wrong submissions for speculative_accept, written from the statement, without the suite in view."""

# --- inverted
import torch


def accepted(p, q, draft, u):
    i = draft.unsqueeze(-1)
    return u < (q.gather(-1, i) / p.gather(-1, i)).squeeze(-1)


def residual(p, q):
    r = torch.relu(p - q)
    s = r.sum(-1, keepdim=True)
    return torch.where(s > 0, r / s, p)


def speculative_step(p, q, drafts, u, v):
    T = q.shape[0]
    if p.shape[0] != T + 1 or drafts.shape[0] != T or u.shape[0] != T:
        raise ValueError("sizes")
    ok = accepted(p[:T], q, drafts, u)
    n = 0
    while n < T and ok[n]:
        n += 1
    d = p[T] if n == T else residual(p[n], q[n])
    x = (d.cumsum(0) > v).nonzero()[0]
    return torch.cat([drafts[:n], x])


# --- clamped_ratio_inclusive
import torch


def accepted(p, q, draft, u):
    i = draft.unsqueeze(-1)
    return u <= (p.gather(-1, i) / q.gather(-1, i)).squeeze(-1).clamp(max=1)


def residual(p, q):
    r = torch.relu(p - q)
    s = r.sum(-1, keepdim=True)
    return torch.where(s > 0, r / s, p)


def speculative_step(p, q, drafts, u, v):
    T = q.shape[0]
    if p.shape[0] != T + 1 or drafts.shape[0] != T or u.shape[0] != T:
        raise ValueError("sizes")
    ok = accepted(p[:T], q, drafts, u)
    n = 0
    while n < T and ok[n]:
        n += 1
    d = p[T] if n == T else residual(p[n], q[n])
    x = (d.cumsum(0) > v).nonzero()[0]
    return torch.cat([drafts[:n], x])


# --- residual_with_eps
import torch


def accepted(p, q, draft, u):
    i = draft.unsqueeze(-1)
    return u < (p.gather(-1, i) / q.gather(-1, i)).squeeze(-1)


def residual(p, q):
    r = torch.relu(p - q)
    return r / (r.sum(-1, keepdim=True) + 1e-9)


def speculative_step(p, q, drafts, u, v):
    T = q.shape[0]
    if p.shape[0] != T + 1 or drafts.shape[0] != T or u.shape[0] != T:
        raise ValueError("sizes")
    ok = accepted(p[:T], q, drafts, u)
    n = 0
    while n < T and ok[n]:
        n += 1
    d = p[T] if n == T else residual(p[n], q[n])
    x = (d.cumsum(0) > v).nonzero()[0]
    return torch.cat([drafts[:n], x])


# --- resamples_from_p
import torch


def accepted(p, q, draft, u):
    i = draft.unsqueeze(-1)
    return u < (p.gather(-1, i) / q.gather(-1, i)).squeeze(-1)


def residual(p, q):
    r = torch.relu(p - q)
    s = r.sum(-1, keepdim=True)
    return torch.where(s > 0, r / s, p)


def speculative_step(p, q, drafts, u, v):
    T = q.shape[0]
    if p.shape[0] != T + 1 or drafts.shape[0] != T or u.shape[0] != T:
        raise ValueError("sizes")
    ok = accepted(p[:T], q, drafts, u)
    n = 0
    while n < T and ok[n]:
        n += 1
    x = (p[n].cumsum(0) > v).nonzero()[0]
    return torch.cat([drafts[:n], x])


# --- keeps_later_ones
import torch


def accepted(p, q, draft, u):
    i = draft.unsqueeze(-1)
    return u < (p.gather(-1, i) / q.gather(-1, i)).squeeze(-1)


def residual(p, q):
    r = torch.relu(p - q)
    s = r.sum(-1, keepdim=True)
    return torch.where(s > 0, r / s, p)


def speculative_step(p, q, drafts, u, v):
    T = q.shape[0]
    if p.shape[0] != T + 1 or drafts.shape[0] != T or u.shape[0] != T:
        raise ValueError("sizes")
    ok = accepted(p[:T], q, drafts, u)
    n = int(ok.sum())
    d = p[T] if n == T else residual(p[n], q[n])
    x = (d.cumsum(0) > v).nonzero()[0]
    return torch.cat([drafts[ok], x])


# --- no_bonus_token
import torch


def accepted(p, q, draft, u):
    i = draft.unsqueeze(-1)
    return u < (p.gather(-1, i) / q.gather(-1, i)).squeeze(-1)


def residual(p, q):
    r = torch.relu(p - q)
    s = r.sum(-1, keepdim=True)
    return torch.where(s > 0, r / s, p)


def speculative_step(p, q, drafts, u, v):
    T = q.shape[0]
    if p.shape[0] != T + 1 or drafts.shape[0] != T or u.shape[0] != T:
        raise ValueError("sizes")
    out = []
    for i in range(T):
        if u[i] < p[i, drafts[i]] / q[i, drafts[i]]:
            out.append(drafts[i])
        else:
            d = residual(p[i], q[i])
            out.append((d.cumsum(0) > v).nonzero()[0, 0])
            break
    return torch.stack(out) if out else drafts


# --- greedy_replacement
import torch


def accepted(p, q, draft, u):
    i = draft.unsqueeze(-1)
    return u < (p.gather(-1, i) / q.gather(-1, i)).squeeze(-1)


def residual(p, q):
    r = torch.relu(p - q)
    s = r.sum(-1, keepdim=True)
    return torch.where(s > 0, r / s, p)


def speculative_step(p, q, drafts, u, v):
    T = q.shape[0]
    if p.shape[0] != T + 1 or drafts.shape[0] != T or u.shape[0] != T:
        raise ValueError("sizes")
    ok = accepted(p[:T], q, drafts, u)
    n = 0
    while n < T and ok[n]:
        n += 1
    d = p[T] if n == T else residual(p[n], q[n])
    return torch.cat([drafts[:n], d.argmax().view(1)])


# --- one_row_only
import torch


def accepted(p, q, draft, u):
    return torch.stack([u[i] < p[i, x] / q[i, x] for i, x in enumerate(draft)])


def residual(p, q):
    r = torch.relu(p - q)
    if r.sum() == 0:
        return p
    return r / r.sum()


def speculative_step(p, q, drafts, u, v):
    T = q.shape[0]
    if p.shape[0] != T + 1 or drafts.shape[0] != T or u.shape[0] != T:
        raise ValueError("sizes")
    n = 0
    while n < T and u[n] < p[n, drafts[n]] / q[n, drafts[n]]:
        n += 1
    d = p[T] if n == T else residual(p[n], q[n])
    x = (d.cumsum(0) > v).nonzero()[0]
    return torch.cat([drafts[:n], x])


# --- random_again
import torch


def accepted(p, q, draft, u):
    i = draft.unsqueeze(-1)
    return u < (p.gather(-1, i) / q.gather(-1, i)).squeeze(-1)


def residual(p, q):
    r = torch.relu(p - q)
    s = r.sum(-1, keepdim=True)
    return torch.where(s > 0, r / s, p)


def speculative_step(p, q, drafts, u, v):
    T = q.shape[0]
    if p.shape[0] != T + 1 or drafts.shape[0] != T or u.shape[0] != T:
        raise ValueError("sizes")
    ok = accepted(p[:T], q, drafts, u)
    n = 0
    while n < T and ok[n]:
        n += 1
    d = p[T] if n == T else residual(p[n], q[n])
    return torch.cat([drafts[:n], torch.multinomial(d, 1)])


# --- drafts_padded
import torch


def accepted(p, q, draft, u):
    i = draft.unsqueeze(-1)
    return u < (p.gather(-1, i) / q.gather(-1, i)).squeeze(-1)


def residual(p, q):
    r = torch.relu(p - q)
    s = r.sum(-1, keepdim=True)
    return torch.where(s > 0, r / s, p)


def speculative_step(p, q, drafts, u, v):
    T = q.shape[0]
    assert p.shape[0] == T + 1 and drafts.shape[0] == T and u.shape[0] == T
    ok = accepted(p[:T], q, drafts, u)
    n = 0
    while n < T and ok[n]:
        n += 1
    d = p[T] if n == T else residual(p[n], q[n])
    drafts = torch.cat([drafts, drafts.new_zeros(1)])
    drafts[n] = (d.cumsum(0) > v).nonzero()[0, 0]
    return drafts[: n + 1]


# --- two_slips_1
# slips: a draft is accepted with q / p instead of p / q; the residual is not divided by its sum
import torch
from torch import Tensor


def accepted(p: Tensor, q: Tensor, draft: Tensor, u: Tensor) -> Tensor:
    index = draft.long().unsqueeze(-1)
    p_x = p.gather(-1, index).squeeze(-1)
    q_x = q.gather(-1, index).squeeze(-1)
    return u < q_x / p_x


def residual(p: Tensor, q: Tensor) -> Tensor:
    rest = (p - q).clamp(min=0)
    nothing = rest.sum(dim=-1, keepdim=True) == 0
    return torch.where(nothing, p, rest)


def _draw(dist: Tensor, v: float) -> Tensor:
    above = dist.cumsum(-1) > v
    if not above.any():
        return dist.nonzero().max()
    return above.int().argmax()


def speculative_step(p: Tensor, q: Tensor, drafts: Tensor, u: Tensor, v: float) -> Tensor:
    T = q.shape[0]
    if p.shape[0] != T + 1 or drafts.shape[0] != T or u.shape[0] != T:
        raise ValueError("p, q, drafts and u do not fit")
    ok = accepted(p[:T], q, drafts, u)
    n = 0
    while n < T and ok[n]:
        n += 1
    dist = p[T] if n == T else residual(p[n], q[n])
    last = _draw(dist, v)
    return torch.cat([drafts[:n].to(p.device).long(), last.reshape(1).long()])


# --- two_slips_2
# slips: the residual takes absolute differences instead of cutting off at 0; n counts all accepted tokens, also those behind a rejected one
import torch
from torch import Tensor


def accepted(p, q, draft, u):
    idx = draft.to(torch.int64)[..., None]
    px = torch.gather(p, -1, idx)[..., 0]
    qx = torch.gather(q, -1, idx)[..., 0]
    return u * qx < px


def residual(p: Tensor, q: Tensor) -> Tensor:
    diff = (p - q).abs()
    total = diff.sum(-1, keepdim=True)
    return torch.where(total > 0, diff / total.clamp(min=1e-30), p)


def speculative_step(p: Tensor, q: Tensor, drafts: Tensor, u: Tensor, v: float) -> Tensor:
    t = len(q)
    if len(p) != t + 1:
        raise ValueError("p needs one row more than q")
    if len(drafts) != t or len(u) != t:
        raise ValueError("drafts and u need one entry for each row of q")
    n = int(accepted(p[:-1], q, drafts, u).sum())
    d = residual(p[n], q[n]) if n < t else p[t]
    c = torch.cumsum(d, 0)
    x = int((c <= v).sum())
    if x >= d.shape[0]:
        x = int(torch.nonzero(d)[-1])
    written = drafts[:n].tolist() + [x]
    return torch.tensor(written, dtype=torch.int64, device=p.device)
