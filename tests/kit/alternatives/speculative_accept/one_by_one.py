"""Plain Python, token by token."""

import torch


def accepted(p, q, draft, u):
    shape, size = draft.shape, p.shape[-1]
    rows = zip(
        p.reshape(-1, size), q.reshape(-1, size), draft.reshape(-1).tolist(), u.reshape(-1).tolist(), strict=True
    )
    found = [number * float(b[x]) < float(a[x]) for a, b, x, number in rows]
    return torch.tensor(found, dtype=torch.bool, device=p.device).reshape(shape)


def residual(p, q):
    more = torch.maximum(p - q, torch.zeros_like(p))
    total = more.sum(-1, keepdim=True)
    same = total == 0
    return torch.where(same, p, more / torch.where(same, torch.ones_like(total), total))


def pick(d, v):
    so_far = 0.0
    d = d.tolist()
    for x, probability in enumerate(d):
        so_far += probability
        if so_far > v:
            return x
    return max(x for x, probability in enumerate(d) if probability > 0)


def speculative_step(p, q, drafts, u, v):
    if not len(p) - 1 == len(q) == len(drafts) == len(u):
        raise ValueError("lengths")
    written = []
    for i, x in enumerate(drafts.tolist()):
        if u[i] < p[i, x] / q[i, x]:
            written.append(x)
        else:
            written.append(pick(residual(p[i], q[i]), v))
            break
    else:
        written.append(pick(p[-1], v))
    return torch.tensor(written, dtype=torch.int64, device=p.device)
