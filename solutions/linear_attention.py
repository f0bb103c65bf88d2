"""Causal attention without softmax as a recurrence over a state, and the delta rule, which corrects the state."""

import torch
from torch import Tensor


def linear_attention(q: Tensor, k: Tensor, v: Tensor, state: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """o_t = q_t S_t with S_t = S_(t-1) + k_t^T v_t; Katharopoulos et al. 2020, here without a feature map.

    Args:
        q, k: [..., T, Dk].
        v: [..., T, Dv].
        state: [..., Dk, Dv]; zeros if None.

    Returns:
        output [..., T, Dv] and the last state.
    """
    S, outputs = _begun(k, v, state), []
    for q_t, k_t, v_t in zip(*(x.unbind(dim=-2) for x in (q, k, v)), strict=True):
        S = S + k_t.unsqueeze(-1) * v_t.unsqueeze(-2)
        outputs.append((q_t.unsqueeze(-2) @ S).squeeze(-2))
    return torch.stack(outputs, dim=-2), S


def delta_rule(q: Tensor, k: Tensor, v: Tensor, beta: Tensor, state: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """o_t = q_t S_t with S_t = S_(t-1) + beta_t k_t^T (v_t - k_t S_(t-1)); Schlag et al. 2021, DeltaNet.

    beta is [..., T], all else as in linear_attention.
    """
    S, outputs = _begun(k, v, state), []
    for q_t, k_t, v_t, beta_t in zip(*(x.unbind(dim=-2) for x in (q, k, v)), beta.unbind(dim=-1), strict=True):
        found = (k_t.unsqueeze(-2) @ S).squeeze(-2)  # [..., Dv], what the state holds under this key
        correction = beta_t.unsqueeze(-1) * (v_t - found)
        S = S + k_t.unsqueeze(-1) * correction.unsqueeze(-2)
        outputs.append((q_t.unsqueeze(-2) @ S).squeeze(-2))
    return torch.stack(outputs, dim=-2), S


def _begun(k: Tensor, v: Tensor, state: Tensor | None) -> Tensor:
    """The state before the first token: [..., Dk, Dv]."""
    return k.new_zeros(*k.shape[:-2], k.shape[-1], v.shape[-1]) if state is None else state
