"""Which drafted tokens the target accepts, what replaces a rejected one, and a whole step."""

import torch
from torch import Tensor


def accepted(p: Tensor, q: Tensor, draft: Tensor, u: Tensor) -> Tensor:
    """Accept with the probability min(1, p / q); Leviathan et al. 2023, Chen et al. 2023.

    Args:
        p, q: distributions of the target and of the draft model [..., V].
        draft: drafted tokens [...].
        u: uniform numbers [...].

    Returns:
        bool [...].
    """
    of_p, of_q = (d.gather(-1, draft.unsqueeze(-1)).squeeze(-1) for d in (p, q))
    return u < of_p / of_q


def residual(p: Tensor, q: Tensor) -> Tensor:
    """max(p - q, 0), brought to the sum 1; p where nothing is left over. [..., V]."""
    left = (p - q).clamp(min=0)
    total = left.sum(dim=-1, keepdim=True)
    return torch.where(total > 0, left / total, p)


def speculative_step(p: Tensor, q: Tensor, drafts: Tensor, u: Tensor, v: float) -> Tensor:
    """The accepted tokens and one more: from the residual after a rejection, else from the target's next distribution.

    Raises:
        ValueError: the lengths do not fit together.
    """
    T = len(q)
    if len(p) != T + 1 or len(drafts) != T or len(u) != T:
        raise ValueError(f"{len(p)} and {T} distributions do not fit {len(drafts)} drafts and {len(u)} numbers")
    yes = accepted(p[:T], q, drafts, u)
    n = int(yes.long().cumprod(dim=0).sum())  # accepted ones before the first rejection
    last = p[n] if n == T else residual(p[n], q[n])
    return torch.cat([drafts[:n], _drawn(last, v).to(drafts)])


def _drawn(distribution: Tensor, v: float) -> Tensor:
    """The first token at which the sum so far is above v: [1]."""
    sums = distribution.cumsum(dim=0)
    return (sums > v * sums[-1]).long().argmax(dim=0, keepdim=True)
