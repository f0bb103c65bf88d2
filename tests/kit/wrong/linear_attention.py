"""Wrong submissions for linear_attention, written from the statement, without the suite in view."""

# --- table_of_scores
import torch


def linear_attention(q, k, v, state=None):
    scores = q @ k.transpose(-1, -2)
    T = scores.shape[-1]
    scores = scores * torch.tril(torch.ones(T, T, device=q.device, dtype=q.dtype))
    out = scores @ v
    new = k.transpose(-1, -2) @ v
    if state is not None:
        out = out + q @ state
        new = new + state
    return out, new


def delta_rule(q, k, v, beta, state=None):
    if state is None:
        state = torch.zeros(*k.shape[:-2], k.shape[-1], v.shape[-1], dtype=k.dtype, device=k.device)
    outs = []
    for t in range(q.shape[-2]):
        kt = k[..., t, :]
        old = (kt.unsqueeze(-2) @ state).squeeze(-2)
        diff = beta[..., t].unsqueeze(-1) * (v[..., t, :] - old)
        state = state + kt.unsqueeze(-1) * diff.unsqueeze(-2)
        outs.append((q[..., t, :].unsqueeze(-2) @ state).squeeze(-2))
    return torch.stack(outs, dim=-2), state


# --- not_causal
import torch


def linear_attention(q, k, v, state=None):
    scores = q @ k.transpose(-1, -2)
    out = scores @ v
    new = k.transpose(-1, -2) @ v
    if state is not None:
        out = out + q @ state
        new = new + state
    return out, new


def delta_rule(q, k, v, beta, state=None):
    if state is None:
        state = torch.zeros(*k.shape[:-2], k.shape[-1], v.shape[-1], dtype=k.dtype, device=k.device)
    outs = []
    for t in range(q.shape[-2]):
        kt = k[..., t, :]
        old = (kt.unsqueeze(-2) @ state).squeeze(-2)
        diff = beta[..., t].unsqueeze(-1) * (v[..., t, :] - old)
        state = state + kt.unsqueeze(-1) * diff.unsqueeze(-2)
        outs.append((q[..., t, :].unsqueeze(-2) @ state).squeeze(-2))
    return torch.stack(outs, dim=-2), state


# --- scaled_scores
import torch


def linear_attention(q, k, v, state=None):
    if state is None:
        state = torch.zeros(*k.shape[:-2], k.shape[-1], v.shape[-1], dtype=k.dtype, device=k.device)
    outs = []
    for t in range(q.shape[-2]):
        state = state + k[..., t, :].unsqueeze(-1) * v[..., t, :].unsqueeze(-2)
        outs.append((q[..., t, :].unsqueeze(-2) @ state).squeeze(-2) / q.shape[-1] ** 0.5)
    return torch.stack(outs, dim=-2), state


def delta_rule(q, k, v, beta, state=None):
    if state is None:
        state = torch.zeros(*k.shape[:-2], k.shape[-1], v.shape[-1], dtype=k.dtype, device=k.device)
    outs = []
    for t in range(q.shape[-2]):
        kt = k[..., t, :]
        old = (kt.unsqueeze(-2) @ state).squeeze(-2)
        diff = beta[..., t].unsqueeze(-1) * (v[..., t, :] - old)
        state = state + kt.unsqueeze(-1) * diff.unsqueeze(-2)
        outs.append((q[..., t, :].unsqueeze(-2) @ state).squeeze(-2))
    return torch.stack(outs, dim=-2), state


# --- reads_too_early
import torch


def linear_attention(q, k, v, state=None):
    if state is None:
        state = torch.zeros(*k.shape[:-2], k.shape[-1], v.shape[-1], dtype=k.dtype, device=k.device)
    outs = []
    for t in range(q.shape[-2]):
        outs.append((q[..., t, :].unsqueeze(-2) @ state).squeeze(-2))
        state = state + k[..., t, :].unsqueeze(-1) * v[..., t, :].unsqueeze(-2)
    return torch.stack(outs, dim=-2), state


def delta_rule(q, k, v, beta, state=None):
    if state is None:
        state = torch.zeros(*k.shape[:-2], k.shape[-1], v.shape[-1], dtype=k.dtype, device=k.device)
    outs = []
    for t in range(q.shape[-2]):
        kt = k[..., t, :]
        old = (kt.unsqueeze(-2) @ state).squeeze(-2)
        diff = beta[..., t].unsqueeze(-1) * (v[..., t, :] - old)
        state = state + kt.unsqueeze(-1) * diff.unsqueeze(-2)
        outs.append((q[..., t, :].unsqueeze(-2) @ state).squeeze(-2))
    return torch.stack(outs, dim=-2), state


# --- adds_in_place
import torch


def linear_attention(q, k, v, state=None):
    if state is None:
        state = torch.zeros(*k.shape[:-2], k.shape[-1], v.shape[-1], dtype=k.dtype, device=k.device)
    outs = []
    for t in range(q.shape[-2]):
        state += k[..., t, :].unsqueeze(-1) * v[..., t, :].unsqueeze(-2)
        outs.append((q[..., t, :].unsqueeze(-2) @ state).squeeze(-2))
    return torch.stack(outs, dim=-2), state


def delta_rule(q, k, v, beta, state=None):
    if state is None:
        state = torch.zeros(*k.shape[:-2], k.shape[-1], v.shape[-1], dtype=k.dtype, device=k.device)
    outs = []
    for t in range(q.shape[-2]):
        kt = k[..., t, :]
        old = (kt.unsqueeze(-2) @ state).squeeze(-2)
        diff = beta[..., t].unsqueeze(-1) * (v[..., t, :] - old)
        state = state + kt.unsqueeze(-1) * diff.unsqueeze(-2)
        outs.append((q[..., t, :].unsqueeze(-2) @ state).squeeze(-2))
    return torch.stack(outs, dim=-2), state


# --- starts_anew
import torch


def linear_attention(q, k, v, state=None):
    state = torch.zeros(*k.shape[:-2], k.shape[-1], v.shape[-1], dtype=k.dtype, device=k.device)
    outs = []
    for t in range(q.shape[-2]):
        state = state + k[..., t, :].unsqueeze(-1) * v[..., t, :].unsqueeze(-2)
        outs.append((q[..., t, :].unsqueeze(-2) @ state).squeeze(-2))
    return torch.stack(outs, dim=-2), state


def delta_rule(q, k, v, beta, state=None):
    if state is None:
        state = torch.zeros(*k.shape[:-2], k.shape[-1], v.shape[-1], dtype=k.dtype, device=k.device)
    outs = []
    for t in range(q.shape[-2]):
        kt = k[..., t, :]
        old = (kt.unsqueeze(-2) @ state).squeeze(-2)
        diff = beta[..., t].unsqueeze(-1) * (v[..., t, :] - old)
        state = state + kt.unsqueeze(-1) * diff.unsqueeze(-2)
        outs.append((q[..., t, :].unsqueeze(-2) @ state).squeeze(-2))
    return torch.stack(outs, dim=-2), state


# --- with_normaliser
import torch


def linear_attention(q, k, v, state=None):
    if state is None:
        state = torch.zeros(*k.shape[:-2], k.shape[-1], v.shape[-1], dtype=k.dtype, device=k.device)
    total = torch.zeros_like(k[..., 0, :])
    outs = []
    for t in range(q.shape[-2]):
        state = state + k[..., t, :].unsqueeze(-1) * v[..., t, :].unsqueeze(-2)
        total = total + k[..., t, :]
        norm = (q[..., t, :] * total).sum(-1, keepdim=True)
        outs.append((q[..., t, :].unsqueeze(-2) @ state).squeeze(-2) / norm)
    return torch.stack(outs, dim=-2), state


def delta_rule(q, k, v, beta, state=None):
    if state is None:
        state = torch.zeros(*k.shape[:-2], k.shape[-1], v.shape[-1], dtype=k.dtype, device=k.device)
    outs = []
    for t in range(q.shape[-2]):
        kt = k[..., t, :]
        old = (kt.unsqueeze(-2) @ state).squeeze(-2)
        diff = beta[..., t].unsqueeze(-1) * (v[..., t, :] - old)
        state = state + kt.unsqueeze(-1) * diff.unsqueeze(-2)
        outs.append((q[..., t, :].unsqueeze(-2) @ state).squeeze(-2))
    return torch.stack(outs, dim=-2), state


# --- delta_without_lookup
import torch


def linear_attention(q, k, v, state=None):
    if state is None:
        state = torch.zeros(*k.shape[:-2], k.shape[-1], v.shape[-1], dtype=k.dtype, device=k.device)
    outs = []
    for t in range(q.shape[-2]):
        state = state + k[..., t, :].unsqueeze(-1) * v[..., t, :].unsqueeze(-2)
        outs.append((q[..., t, :].unsqueeze(-2) @ state).squeeze(-2))
    return torch.stack(outs, dim=-2), state


def delta_rule(q, k, v, beta, state=None):
    if state is None:
        state = torch.zeros(*k.shape[:-2], k.shape[-1], v.shape[-1], dtype=k.dtype, device=k.device)
    outs = []
    for t in range(q.shape[-2]):
        kt = k[..., t, :]
        old = (kt.unsqueeze(-2) @ state).squeeze(-2)
        diff = beta[..., t].unsqueeze(-1) * v[..., t, :]
        state = state + kt.unsqueeze(-1) * diff.unsqueeze(-2)
        outs.append((q[..., t, :].unsqueeze(-2) @ state).squeeze(-2))
    return torch.stack(outs, dim=-2), state


# --- delta_beta_on_value
import torch


def linear_attention(q, k, v, state=None):
    if state is None:
        state = torch.zeros(*k.shape[:-2], k.shape[-1], v.shape[-1], dtype=k.dtype, device=k.device)
    outs = []
    for t in range(q.shape[-2]):
        state = state + k[..., t, :].unsqueeze(-1) * v[..., t, :].unsqueeze(-2)
        outs.append((q[..., t, :].unsqueeze(-2) @ state).squeeze(-2))
    return torch.stack(outs, dim=-2), state


def delta_rule(q, k, v, beta, state=None):
    if state is None:
        state = torch.zeros(*k.shape[:-2], k.shape[-1], v.shape[-1], dtype=k.dtype, device=k.device)
    outs = []
    for t in range(q.shape[-2]):
        kt = k[..., t, :]
        old = (kt.unsqueeze(-2) @ state).squeeze(-2)
        diff = beta[..., t].unsqueeze(-1) * v[..., t, :] - old
        state = state + kt.unsqueeze(-1) * diff.unsqueeze(-2)
        outs.append((q[..., t, :].unsqueeze(-2) @ state).squeeze(-2))
    return torch.stack(outs, dim=-2), state


# --- delta_gated
import torch


def linear_attention(q, k, v, state=None):
    if state is None:
        state = torch.zeros(*k.shape[:-2], k.shape[-1], v.shape[-1], dtype=k.dtype, device=k.device)
    outs = []
    for t in range(q.shape[-2]):
        state = state + k[..., t, :].unsqueeze(-1) * v[..., t, :].unsqueeze(-2)
        outs.append((q[..., t, :].unsqueeze(-2) @ state).squeeze(-2))
    return torch.stack(outs, dim=-2), state


def delta_rule(q, k, v, beta, state=None):
    if state is None:
        state = torch.zeros(*k.shape[:-2], k.shape[-1], v.shape[-1], dtype=k.dtype, device=k.device)
    outs = []
    for t in range(q.shape[-2]):
        kt = k[..., t, :]
        old = (kt.unsqueeze(-2) @ state).squeeze(-2)
        diff = beta[..., t].unsqueeze(-1) * (v[..., t, :] - old)
        state = (1 - beta[..., t, None, None]) * state + kt.unsqueeze(-1) * diff.unsqueeze(-2)
        outs.append((q[..., t, :].unsqueeze(-2) @ state).squeeze(-2))
    return torch.stack(outs, dim=-2), state


# --- delta_normalises_keys
import torch


def linear_attention(q, k, v, state=None):
    if state is None:
        state = torch.zeros(*k.shape[:-2], k.shape[-1], v.shape[-1], dtype=k.dtype, device=k.device)
    outs = []
    for t in range(q.shape[-2]):
        state = state + k[..., t, :].unsqueeze(-1) * v[..., t, :].unsqueeze(-2)
        outs.append((q[..., t, :].unsqueeze(-2) @ state).squeeze(-2))
    return torch.stack(outs, dim=-2), state


def delta_rule(q, k, v, beta, state=None):
    if state is None:
        state = torch.zeros(*k.shape[:-2], k.shape[-1], v.shape[-1], dtype=k.dtype, device=k.device)
    outs = []
    for t in range(q.shape[-2]):
        kt = torch.nn.functional.normalize(k[..., t, :], dim=-1)
        old = (kt.unsqueeze(-2) @ state).squeeze(-2)
        diff = beta[..., t].unsqueeze(-1) * (v[..., t, :] - old)
        state = state + kt.unsqueeze(-1) * diff.unsqueeze(-2)
        outs.append((q[..., t, :].unsqueeze(-2) @ state).squeeze(-2))
    return torch.stack(outs, dim=-2), state


# --- delta_detached_lookup
import torch


def linear_attention(q, k, v, state=None):
    if state is None:
        state = torch.zeros(*k.shape[:-2], k.shape[-1], v.shape[-1], dtype=k.dtype, device=k.device)
    outs = []
    for t in range(q.shape[-2]):
        state = state + k[..., t, :].unsqueeze(-1) * v[..., t, :].unsqueeze(-2)
        outs.append((q[..., t, :].unsqueeze(-2) @ state).squeeze(-2))
    return torch.stack(outs, dim=-2), state


def delta_rule(q, k, v, beta, state=None):
    if state is None:
        state = torch.zeros(*k.shape[:-2], k.shape[-1], v.shape[-1], dtype=k.dtype, device=k.device)
    outs = []
    for t in range(q.shape[-2]):
        kt = k[..., t, :]
        old = (kt.unsqueeze(-2) @ state.detach()).squeeze(-2)
        diff = beta[..., t].unsqueeze(-1) * (v[..., t, :] - old)
        state = state + kt.unsqueeze(-1) * diff.unsqueeze(-2)
        outs.append((q[..., t, :].unsqueeze(-2) @ state).squeeze(-2))
    return torch.stack(outs, dim=-2), state


# --- one_batch_dimension
import torch


def linear_attention(q, k, v, state=None):
    if q.dim() == 2:
        out, new = linear_attention(q[None], k[None], v[None], None if state is None else state[None])
        return out[0], new[0]
    out = torch.zeros_like(v)
    for b in range(q.shape[0]):
        s = torch.zeros(k.shape[-1], v.shape[-1], dtype=q.dtype) if state is None else state[b]
        for t in range(q.shape[1]):
            s = s + torch.outer(k[b, t], v[b, t])
            out[b, t] = q[b, t] @ s
    return out, s[None].expand(q.shape[0], -1, -1)


def delta_rule(q, k, v, beta, state=None):
    if state is None:
        state = torch.zeros(*k.shape[:-2], k.shape[-1], v.shape[-1], dtype=k.dtype, device=k.device)
    outs = []
    for t in range(q.shape[-2]):
        kt = k[..., t, :]
        old = (kt.unsqueeze(-2) @ state).squeeze(-2)
        diff = beta[..., t].unsqueeze(-1) * (v[..., t, :] - old)
        state = state + kt.unsqueeze(-1) * diff.unsqueeze(-2)
        outs.append((q[..., t, :].unsqueeze(-2) @ state).squeeze(-2))
    return torch.stack(outs, dim=-2), state


# --- two_slips_1
import torch
from torch import Tensor


def linear_attention(q: Tensor, k: Tensor, v: Tensor, state: Tensor | None = None) -> tuple[Tensor, Tensor]:
    S = state if state is not None else torch.zeros(*k.shape[:-1][:-1], k.shape[-1], v.shape[-1], dtype=q.dtype, device=q.device)
    out = []
    for t in range(q.shape[-2]):
        qt, kt, vt = q[..., t, :], k[..., t, :], v[..., t, :]
        before = S
        S = S + kt[..., :, None] * vt[..., None, :]
        out.append(torch.einsum("...k,...kv->...v", qt, before))
    return torch.stack(out, dim=-2), S


def delta_rule(q: Tensor, k: Tensor, v: Tensor, beta: Tensor, state: Tensor | None = None) -> tuple[Tensor, Tensor]:
    S = state if state is not None else torch.zeros(*k.shape[:-1][:-1], k.shape[-1], v.shape[-1], dtype=q.dtype, device=q.device)
    out = []
    for t in range(q.shape[-2]):
        kt, vt, bt = k[..., t, :], v[..., t, :], beta[..., t, None]
        old = torch.einsum("...k,...kv->...v", kt, S)
        S = S + kt[..., :, None] * (bt * (vt + old))[..., None, :]
        out.append(torch.einsum("...k,...kv->...v", q[..., t, :], S))
    return torch.stack(out, dim=-2), S


# --- two_slips_2
import torch
from torch import Tensor


def start(k: Tensor, v: Tensor, state: Tensor | None) -> Tensor:
    if state is not None:
        return state
    return k.new_zeros(k.shape[:-2] + (k.shape[-1], v.shape[-1]))


def linear_attention(q: Tensor, k: Tensor, v: Tensor, state: Tensor | None = None) -> tuple[Tensor, Tensor]:
    memory = start(k, v, state)
    rows = []
    for qt, kt, vt in zip(q.unbind(-2), k.unbind(-2), v.unbind(-2), strict=True):
        memory = memory + kt.unsqueeze(-1) @ vt.unsqueeze(-2)
        rows.append((qt.unsqueeze(-2) @ memory) / qt.shape[-1] ** 0.5)
    return torch.cat(rows, dim=-2), memory


def delta_rule(q: Tensor, k: Tensor, v: Tensor, beta: Tensor, state: Tensor | None = None) -> tuple[Tensor, Tensor]:
    memory = start(k, v, state)
    rows = []
    keys = k / k.norm(dim=-1, keepdim=True)
    for i in range(q.shape[-2]):
        kt = keys[..., i : i + 1, :]
        error = v[..., i : i + 1, :] - kt @ memory
        memory = memory + beta[..., i, None, None] * (kt.transpose(-2, -1) @ error)
        rows.append(q[..., i : i + 1, :] @ memory)
    return torch.cat(rows, dim=-2), memory


# --- two_slips_3
import torch
from torch import Tensor


def linear_attention(q: Tensor, k: Tensor, v: Tensor, state: Tensor | None = None) -> tuple[Tensor, Tensor]:
    S = k.new_zeros(*k.shape[:-2], k.shape[-1], v.shape[-1])
    outputs = []
    for t in range(k.shape[-2]):
        S = S + torch.einsum("...i,...j->...ij", k[..., t, :], v[..., t, :])
        outputs.append((q[..., t, :].unsqueeze(-1) * S).sum(dim=-2))
    return torch.stack(outputs, dim=-2), S


def delta_rule(q: Tensor, k: Tensor, v: Tensor, beta: Tensor, state: Tensor | None = None) -> tuple[Tensor, Tensor]:
    S = k.new_zeros(*k.shape[:-2], k.shape[-1], v.shape[-1]) if state is None else state
    share = beta.unsqueeze(-1)
    outputs = []
    for t in range(k.shape[-2]):
        kt = k[..., t, :]
        predicted = (kt.unsqueeze(-1) * S).sum(dim=-2)
        step = share[..., 0, :] * (v[..., t, :] - predicted)
        S = S + torch.einsum("...i,...j->...ij", kt, step)
        outputs.append((q[..., t, :].unsqueeze(-1) * S).sum(dim=-2))
    return torch.stack(outputs, dim=-2), S


# --- two_slips_4
import torch
from torch import Tensor


def linear_attention(q: Tensor, k: Tensor, v: Tensor, state: Tensor | None = None) -> tuple[Tensor, Tensor]:
    if state is None:
        state = torch.zeros(*q.shape[:-2], k.shape[-1], v.shape[-1], dtype=q.dtype, device=q.device)
    result = []
    for t in range(q.shape[-2]):
        update = k[..., t, :].unsqueeze(-1) * v[..., t, :].unsqueeze(-2)
        state += update
        result.append(torch.matmul(q[..., t : t + 1, :], state))
    return torch.cat(result, -2), state


def delta_rule(q: Tensor, k: Tensor, v: Tensor, beta: Tensor, state: Tensor | None = None) -> tuple[Tensor, Tensor]:
    if state is None:
        state = torch.zeros(*q.shape[:-2], k.shape[-1], v.shape[-1], dtype=q.dtype, device=q.device)
    result = []
    for t in range(q.shape[-2]):
        key = k[..., t : t + 1, :]
        difference = v[..., t : t + 1, :] - torch.matmul(key, state)
        state = state + key.transpose(-1, -2) @ difference
        result.append(torch.matmul(q[..., t : t + 1, :], state))
    return torch.cat(result, -2), state


# --- two_slips_5
# slips: linear_attention reads the state before the token's own key and value are added; delta_rule looks up the old value with the query in place of the key
import torch
from torch import Tensor


def linear_attention(q: Tensor, k: Tensor, v: Tensor, state: Tensor | None = None) -> tuple[Tensor, Tensor]:
    S = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1]) if state is None else state
    outs = []
    for t in range(q.shape[-2]):
        kt, vt, qt = k[..., t, :], v[..., t, :], q[..., t, :]
        outs.append((qt.unsqueeze(-2) @ S).squeeze(-2))
        S = S + kt.unsqueeze(-1) * vt.unsqueeze(-2)
    return torch.stack(outs, dim=-2), S


def delta_rule(q: Tensor, k: Tensor, v: Tensor, beta: Tensor, state: Tensor | None = None) -> tuple[Tensor, Tensor]:
    S = q.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1]) if state is None else state
    outs = []
    for t in range(q.shape[-2]):
        kt, vt, qt = k[..., t, :], v[..., t, :], q[..., t, :]
        old = (qt.unsqueeze(-2) @ S).squeeze(-2)
        change = beta[..., t, None] * (vt - old)
        S = S + kt.unsqueeze(-1) * change.unsqueeze(-2)
        outs.append((qt.unsqueeze(-2) @ S).squeeze(-2))
    return torch.stack(outs, dim=-2), S


# --- two_slips_6
# slips: linear_attention divides the queries by sqrt(Dk) although there is no scale here; delta_rule always begins with zeros
import torch
from torch import Tensor


def _start(q, v, state):
    if state is not None:
        return state.clone()
    return torch.zeros(q.shape[:-2] + (q.shape[-1], v.shape[-1]), dtype=q.dtype, device=q.device)


def linear_attention(q: Tensor, k: Tensor, v: Tensor, state: Tensor | None = None) -> tuple[Tensor, Tensor]:
    s = _start(q, v, state)
    q = q / q.shape[-1] ** 0.5
    rows = []
    for qi, ki, vi in zip(q.unbind(-2), k.unbind(-2), v.unbind(-2)):
        s = s + torch.einsum("...k,...v->...kv", ki, vi)
        rows.append(torch.einsum("...k,...kv->...v", qi, s))
    return torch.stack(rows, -2), s


def delta_rule(q: Tensor, k: Tensor, v: Tensor, beta: Tensor, state: Tensor | None = None) -> tuple[Tensor, Tensor]:
    s = _start(q, v, None)
    rows = []
    for qi, ki, vi, b in zip(q.unbind(-2), k.unbind(-2), v.unbind(-2), beta.unbind(-1)):
        found = torch.einsum("...k,...kv->...v", ki, s)
        s = s + torch.einsum("...,...k,...v->...kv", b, ki, vi - found)
        rows.append(torch.einsum("...k,...kv->...v", qi, s))
    return torch.stack(rows, -2), s


# --- two_slips_7
# slips: with cumsum the earlier state enters the outputs but not the state that is returned; beta of a token is multiplied without the two axes it needs, which goes wrong with leading dimensions
import torch
from torch import Tensor


def linear_attention(q: Tensor, k: Tensor, v: Tensor, state: Tensor | None = None) -> tuple[Tensor, Tensor]:
    outer = k[..., :, None] * v[..., None, :]  # [..., T, Dk, Dv]
    sums = outer.cumsum(dim=-3)
    last = sums[..., -1, :, :]
    if state is not None:
        sums = sums + state.unsqueeze(-3)
    out = (q.unsqueeze(-2) @ sums).squeeze(-2)
    return out, last


def delta_rule(q: Tensor, k: Tensor, v: Tensor, beta: Tensor, state: Tensor | None = None) -> tuple[Tensor, Tensor]:
    if state is None:
        state = torch.zeros(*q.shape[:-2], k.shape[-1], v.shape[-1], dtype=q.dtype, device=q.device)
    out = []
    for t in range(q.shape[-2]):
        key = k[..., t : t + 1, :]
        error = v[..., t : t + 1, :] - key @ state
        state = state + beta[..., t] * (key.transpose(-1, -2) @ error)
        out.append(q[..., t : t + 1, :] @ state)
    return torch.cat(out, dim=-2), state


# --- two_slips_8
import torch


def linear_attention(q, k, v, state=None):
    S = torch.zeros(*q.shape[:-2], q.shape[-1], v.shape[-1], dtype=q.dtype, device=q.device) if state is None else state
    outs = []
    for t in range(q.shape[-2]):
        add = k[..., t, :, None] * v[..., t, None, :]
        o = (q[..., t, None, :] @ S).squeeze(-2)
        S = S + add
        outs.append(o)
    return torch.stack(outs, dim=-2), S


def delta_rule(q, k, v, beta, state=None):
    S = torch.zeros(*q.shape[:-2], q.shape[-1], v.shape[-1], dtype=q.dtype, device=q.device) if state is None else state
    outs = []
    for t in range(q.shape[-2]):
        key, b = k[..., t, :], beta[..., t, None]
        found = (key[..., None, :] @ S).squeeze(-2)
        change = b * v[..., t, :] - found
        S = S + key[..., :, None] * change[..., None, :]
        outs.append((q[..., t, None, :] @ S).squeeze(-2))
    return torch.stack(outs, dim=-2), S


# --- the_state_that_is_passed_in_is_added
import torch


def start(q, v, state):
    if state is None:
        return torch.zeros(q.shape[:-2] + (q.shape[-1], v.shape[-1]), dtype=q.dtype, device=q.device)
    return state


def linear_attention(q, k, v, state=None):
    S = start(q, v, state)
    rows = []
    for t in range(q.size(-2)):
        kt = k[..., t : t + 1, :]
        vt = v[..., t : t + 1, :]
        S += kt.transpose(-1, -2) @ vt
        rows.append(q[..., t : t + 1, :] @ S)
    return torch.cat(rows, -2), S


def delta_rule(q, k, v, beta, state=None):
    S = start(q, v, state)
    rows = []
    for t in range(q.size(-2)):
        kt = k[..., t : t + 1, :]
        vt = v[..., t : t + 1, :]
        b = beta[..., t, None, None]
        S = S + b * (kt.transpose(-1, -2) @ (vt - kt @ S))
        rows.append(q[..., t : t + 1, :] @ S)
    return torch.cat(rows, -2), S
