"""Cumulative sums of outer products; the delta rule by a triangular system."""

import torch


def linear_attention(q, k, v, state=None):
    states = torch.einsum("...tc,...td->...tcd", k, v).cumsum(-3)
    if state is not None:
        states = states + state.unsqueeze(-3)
    return torch.einsum("...tc,...tcd->...td", q, states), states[..., -1, :, :]


def delta_rule(q, k, v, beta, state=None):
    if state is None:
        state = torch.zeros(*k.shape[:-2], k.shape[-1], v.shape[-1], dtype=k.dtype, device=k.device)
    q, k, v, beta, state, dtype = *(x.to(torch.promote_types(x.dtype, torch.float32)) for x in (q, k, v, beta, state)), q.dtype
    below = (beta[..., None] * (k @ k.mT)).tril(-1)
    one = torch.eye(k.shape[-2], dtype=k.dtype, device=k.device)
    written = torch.linalg.solve_triangular(one + below, beta[..., None] * (v - k @ state), upper=False)
    out = q @ state + (q @ k.mT).tril() @ written
    return out.to(dtype), (state + k.mT @ written).to(dtype)
