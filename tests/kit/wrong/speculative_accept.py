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


# --- two_slips_3
# slips: a token is accepted also where u equals p / q; the residual is cut at 0 but not divided by its sum
import torch
from torch import Tensor


def accepted(p: Tensor, q: Tensor, draft: Tensor, u: Tensor) -> Tensor:
    idx = draft.unsqueeze(-1)
    px = p.gather(-1, idx).squeeze(-1)
    qx = q.gather(-1, idx).squeeze(-1)
    return u <= px / qx


def residual(p: Tensor, q: Tensor) -> Tensor:
    r = (p - q).clamp(min=0)
    total = r.sum(-1, keepdim=True)
    r = torch.where(total > 0, r, p)
    return r


def speculative_step(p: Tensor, q: Tensor, drafts: Tensor, u: Tensor, v: float) -> Tensor:
    T = q.shape[0]
    if p.shape[0] != T + 1 or len(drafts) != T or len(u) != T:
        raise ValueError("lengths")
    ok = accepted(p[:T], q, drafts, u)
    n = int(ok.long().cumprod(0).sum())
    d = p[T] if n == T else residual(p[n], q[n])
    x = int((d.cumsum(-1) <= v).sum())
    x = min(x, p.shape[1] - 1)
    last = torch.tensor([x], dtype=torch.int64, device=p.device)
    return torch.cat([drafts[:n].long(), last])


# --- two_slips_4
# slips: the ratio is q / p in place of p / q; if all are accepted the last token is drawn from p[T - 1]
import torch
from torch import Tensor


def accepted(p: Tensor, q: Tensor, draft: Tensor, u: Tensor) -> Tensor:
    p_x = torch.gather(p, -1, draft[..., None])[..., 0]
    q_x = torch.gather(q, -1, draft[..., None])[..., 0]
    ratio = q_x / p_x
    return u < torch.minimum(torch.ones_like(ratio), ratio)


def residual(p: Tensor, q: Tensor) -> Tensor:
    diff = torch.relu(p - q)
    norm = diff.sum(dim=-1, keepdim=True)
    same = norm == 0
    return torch.where(same, p, diff / norm.masked_fill(same, 1.0))


def draw(d: Tensor, v: float) -> int:
    total = 0.0
    for token, prob in enumerate(d.tolist()):
        total += prob
        if total > v:
            return token
    return len(d) - 1


def speculative_step(p: Tensor, q: Tensor, drafts: Tensor, u: Tensor, v: float) -> Tensor:
    n_draft = q.size(0)
    if p.size(0) != n_draft + 1:
        raise ValueError("p needs one more row")
    if drafts.numel() != n_draft or u.numel() != n_draft:
        raise ValueError("drafts / u")
    written = []
    for i in range(n_draft):
        if accepted(p[i], q[i], drafts[i], u[i]):
            written.append(int(drafts[i]))
        else:
            written.append(draw(residual(p[i], q[i]), v))
            return torch.tensor(written, device=p.device)
    written.append(draw(p[max(n_draft - 1, 0)], v))
    return torch.tensor(written, device=p.device)


# --- two_slips_5
# slips: n is the number of all accepted drafts, not of those before the first rejection; the residual of equal distributions is 0 / 0
import torch
from torch import Tensor


def accepted(p: Tensor, q: Tensor, draft: Tensor, u: Tensor) -> Tensor:
    take = lambda d: d.gather(-1, draft.long().unsqueeze(-1)).squeeze(-1)  # noqa: E731
    return u * take(q) < take(p)


def residual(p: Tensor, q: Tensor) -> Tensor:
    rest = torch.maximum(p - q, torch.zeros_like(p))
    z = rest.sum(-1, keepdim=True)
    return rest / z


def speculative_step(p: Tensor, q: Tensor, drafts: Tensor, u: Tensor, v: float) -> Tensor:
    if len(p) != len(q) + 1 or drafts.shape != q.shape[:1] or u.shape != q.shape[:1]:
        raise ValueError("shapes do not fit")
    ok = accepted(p[:-1], q, drafts, u)
    n = int(ok.sum())
    if n < len(q):
        final = residual(p[n], q[n])
    else:
        final = p[-1]
    cdf = torch.cumsum(final, dim=0)
    token = torch.searchsorted(cdf, torch.tensor([v], dtype=cdf.dtype, device=cdf.device), right=True)
    token = token.clamp(max=len(cdf) - 1)
    return torch.cat((drafts[:n].to(torch.int64), token))


# --- last_token_drawn_from_target_after_rejection
# slip: the token that replaces a rejected one is drawn from the target's distribution, not from the residual
import torch
from torch import Tensor


def accepted(p: Tensor, q: Tensor, draft: Tensor, u: Tensor) -> Tensor:
    pd = torch.gather(p, -1, draft.long()[..., None]).squeeze(-1)
    qd = torch.gather(q, -1, draft.long()[..., None]).squeeze(-1)
    return u < pd / qd


def residual(p: Tensor, q: Tensor) -> Tensor:
    gap = (p - q).clamp_min(0.0)
    mass = gap.sum(-1, keepdim=True)
    return torch.where(mass > 0, gap / torch.where(mass > 0, mass, 1.0), p)


def _sample(dist: Tensor, v: float) -> Tensor:
    above = torch.cumsum(dist, -1) > v
    if not above.any():
        return torch.tensor(len(dist) - 1, device=dist.device)
    return above.int().argmax()


def speculative_step(p: Tensor, q: Tensor, drafts: Tensor, u: Tensor, v: float) -> Tensor:
    T = len(q)
    if len(p) != T + 1:
        raise ValueError("p must have one row more than q")
    if len(drafts) != T or len(u) != T:
        raise ValueError("drafts and u must have T entries")
    tokens = []
    keep = accepted(p[:T], q, drafts, u)
    n = 0
    while n < T and keep[n]:
        tokens.append(int(drafts[n]))
        n += 1
    dist = p[n]
    tokens.append(int(_sample(dist, v)))
    return torch.tensor(tokens, dtype=torch.int64, device=p.device)


# --- two_slips_6
import torch


def accepted(p, q, draft, u):
    d = draft.unsqueeze(-1)
    pd = p.gather(-1, d).squeeze(-1)
    qd = q.gather(-1, d).squeeze(-1)
    return u * qd < pd


def residual(p, q):
    r = (p - q).abs()
    total = r.sum(-1, keepdim=True)
    return torch.where(total > 0, r / total.masked_fill(total == 0, 1), p)


def draw(dist, v):
    c = dist.cumsum(-1)
    return int(min((c <= v).sum().item(), len(dist) - 1))


def speculative_step(p, q, drafts, u, v):
    T = q.shape[0]
    if p.shape[0] != T + 1 or len(drafts) != T or len(u) != T:
        raise ValueError("lengths do not fit")
    ok = accepted(p[:T], q, drafts, u).tolist() if T else []
    tokens = []
    for i in range(T):
        if not ok[i]:
            tokens.append(draw(residual(p[i], q[i]), v))
            break
        tokens.append(int(drafts[i]))
    return torch.tensor(tokens, dtype=torch.int64, device=p.device)


# --- two_slips_7
import torch
from torch import Tensor


def pick(d: Tensor, tokens: Tensor) -> Tensor:
    return torch.take_along_dim(d, tokens[..., None], dim=-1)[..., 0]


def accepted(p: Tensor, q: Tensor, draft: Tensor, u: Tensor) -> Tensor:
    return u < pick(p, draft) / pick(q, draft)


def residual(p: Tensor, q: Tensor) -> Tensor:
    gap = torch.relu(p - q)
    s = gap.sum(dim=-1, keepdim=True)
    return gap / s


def speculative_step(p: Tensor, q: Tensor, drafts: Tensor, u: Tensor, v: float) -> Tensor:
    T = len(q)
    if len(p) != T + 1:
        raise ValueError("p needs one row more than q")
    if len(drafts) != T or len(u) != T:
        raise ValueError("drafts and u need T entries")
    yes = accepted(p[:-1], q, drafts, u)
    n = int(yes.sum())
    dist = residual(p[n], q[n]) if n < T else p[T]
    last = (torch.cumsum(dist, 0) > v).int().argmax()
    return torch.cat([drafts[:n].long(), last.reshape(1).long()]).to(p.device)


# --- wrong_lengths_of_drafts_and_u_are_not_refused
import torch


def accepted(p, q, draft, u):
    index = draft.long().unsqueeze(-1)
    ratio = torch.gather(p, -1, index) / torch.gather(q, -1, index)
    return u < ratio.squeeze(-1)


def residual(p, q):
    r = torch.maximum(p - q, torch.zeros_like(p))
    norm = r.sum(-1, keepdim=True)
    return torch.where(norm > 0, r / norm, p)


def sample(d, v):
    total = 0.0
    for x, share in enumerate(d.tolist()):
        total += share
        if total > v:
            return x
    return len(d) - 1


def speculative_step(p, q, drafts, u, v):
    if p.shape[0] != q.shape[0] + 1:
        raise ValueError("p must have one row more than q")
    out = []
    for i, (token, chance) in enumerate(zip(drafts.tolist(), u.tolist())):
        if chance * q[i, token].item() >= p[i, token].item():
            out.append(sample(residual(p[i], q[i]), v))
            return torch.tensor(out, device=p.device)
        out.append(token)
    out.append(sample(p[len(out)], v))
    return torch.tensor(out, device=p.device)
