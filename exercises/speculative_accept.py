"""Speculative decoding: a small model drafts, a large one decides, and nobody can tell from the text.

In decode the large model (the target) reads all its weights for each token that it writes. So a small model (the draft)
writes a few tokens first, one after another, each drawn from its own distribution q. The target then gives its own
distributions p for all these places in a single pass, and accepts or rejects the drafted tokens from left to right. A
drafted token x is accepted with the probability min(1, p(x) / q(x)). The first one that is rejected is replaced by a
token drawn from the residual distribution

    residual(x) = max(p(x) - q(x), 0) / sum over y of max(p(y) - q(y), 0)

and what was drafted after it is dropped. If all are accepted, one more token is drawn from the target's next
distribution. The written tokens then have exactly the distribution that the target alone would have given them.

Chance comes in as arguments, numbers drawn uniformly from 0 up to but not including 1, so that each result is
determined. This file stands alone: import nothing from the other exercises.
"""

from torch import Tensor


def accepted(p: Tensor, q: Tensor, draft: Tensor, u: Tensor) -> Tensor:
    """Decide which drafted tokens are accepted: those with u < p(draft) / q(draft).

    Args:
        p: distributions of the target [..., V] over a vocabulary of V tokens.
        q: distributions of the draft model [..., V], above 0 for the tokens that were drafted.
        draft: the drafted tokens, whole numbers [...].
        u: uniform numbers [...], 0 <= u < 1.

    Returns:
        bool [...], on the device of p. The inputs are not changed.

    Example:
        p = tensor([[0.1, 0.5, 0.4], [0.1, 0.5, 0.4]]); q = tensor([[0.4, 0.5, 0.1], [0.4, 0.5, 0.1]])
        accepted(p, q, tensor([0, 0]), tensor([0.2, 0.3])) -> [True, False]
        accepted(p, q, tensor([1, 2]), tensor([0.9, 0.9])) -> [True, True]
    """
    raise NotImplementedError


def residual(p: Tensor, q: Tensor) -> Tensor:
    """Give the distribution from which the token is drawn that replaces a rejected one.

    Args:
        p: distributions of the target [..., V].
        q: distributions of the draft model [..., V].

    Returns:
        [..., V], in the dtype and on the device of p. Where p and q are the same distribution, nothing can be rejected;
        the residual is p there. The inputs are not changed. No gradient is needed.

    Example:
        residual(tensor([0.1, 0.5, 0.4]), tensor([0.4, 0.5, 0.1])) -> [0., 0., 1.]
        residual(tensor([0.5, 0.1, 0.4]), tensor([0.2, 0.6, 0.2])) -> [0.6, 0.0, 0.4]
    """
    raise NotImplementedError


def speculative_step(p: Tensor, q: Tensor, drafts: Tensor, u: Tensor, v: float) -> Tensor:
    """Give the tokens that one step of speculative decoding writes.

    Let n be the number of drafted tokens before the first one that is rejected. The step writes these n tokens and one
    more: drawn from the residual of p[n] and q[n] if token n was rejected, from p[T] if none was.

    A token is drawn from a distribution d with the uniform number v like this: it is the first token x for which
    d(0) + ... + d(x) is above v.

    Args:
        p: distributions of the target [T + 1, V]: one for each drafted token's place, one for the place after them.
        q: distributions of the draft model [T, V]. T may be 0.
        drafts: the drafted tokens, whole numbers [T].
        u: uniform numbers [T], of which number i decides about drafted token i.
        v: the uniform number with which the last token is drawn.

    Returns:
        The n + 1 tokens, int64 [n + 1], on the device of p. The inputs are not changed.

    Raises:
        ValueError: p does not have one row more than q, or drafts or u do not have as many entries as q has rows.

    Example:
        p = tensor([[0.1, 0.5, 0.4], [0.5, 0.1, 0.4], [0.3, 0.3, 0.4]]); q = tensor([[0.4, 0.5, 0.1], [0.2, 0.6, 0.2]])
        speculative_step(p, q, tensor([1, 1]), tensor([0.9, 0.1]), 0.7) -> [1, 1, 2]
        speculative_step(p, q, tensor([1, 1]), tensor([0.9, 0.8]), 0.7) -> [1, 2]
        speculative_step(p, q, tensor([0, 1]), tensor([0.3, 0.1]), 0.7) -> [2]
    """
    raise NotImplementedError
