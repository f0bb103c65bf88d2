"""Token by token with einsum, in float64; the correction as a matrix that the state is multiplied by."""

import torch


def start(k, v, state):
    if state is not None:
        return state.double()
    return torch.zeros(k.shape[:-2] + (k.shape[-1], v.shape[-1]), dtype=torch.float64, device=k.device)


def linear_attention(q, k, v, state=None):
    s = start(k, v, state)
    out = []
    for t in range(k.shape[-2]):
        s = s + torch.einsum("...c,...d->...cd", k[..., t, :].double(), v[..., t, :].double())
        out.append(torch.einsum("...c,...cd->...d", q[..., t, :].double(), s))
    return torch.stack(out, -2).to(q.dtype), s.to(q.dtype)


def delta_rule(q, k, v, beta, state=None):
    s = start(k, v, state)
    out = []
    one = torch.eye(k.shape[-1], dtype=torch.float64, device=k.device)
    for t in range(k.shape[-2]):
        key, share = k[..., t, :].double(), beta[..., t].double()[..., None, None]
        forget = one - share * torch.einsum("...c,...d->...cd", key, key)
        s = forget @ s + share * torch.einsum("...c,...d->...cd", key, v[..., t, :].double())
        out.append(torch.einsum("...c,...cd->...d", q[..., t, :].double(), s))
    return torch.stack(out, -2).to(q.dtype), s.to(q.dtype)
