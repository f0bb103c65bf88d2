"""Linear attention: a state of fixed size in place of a cache that grows.

Leave out softmax and the scale, and causal attention is o_t = sum over j <= t of (q_t . k_j) v_j. A product of matrices
may be bracketed in another way: the keys and values up to t are added up to a matrix S_t, the state, and the query is
multiplied by it. Each token takes the same time, and no table of T x T scores is ever made.

    S_t = S_(t-1) + k_t^T v_t        o_t = q_t S_t

with q_t, k_t and v_t as rows. The state only ever gets more. The delta rule first looks up what the state holds under
the key, and then moves that toward the new value, by a share beta_t. It is a step of gradient descent on the squared
error |k_t S - v_t|^2 / 2:

    S_t = S_(t-1) + beta_t k_t^T (v_t - k_t S_(t-1))        o_t = q_t S_t

This file stands alone: import nothing from the other exercises.
"""

from torch import Tensor


def linear_attention(q: Tensor, k: Tensor, v: Tensor, state: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """Causal attention without softmax and scale.

    Args:
        q: queries [..., T, Dk].
        k: keys [..., T, Dk].
        v: values [..., T, Dv].
        state: what an earlier part of the text has left, [..., Dk, Dv]. None: the text begins here, with zeros.

    Returns:
        (output, state): [..., T, Dv], and the state after the last token [..., Dk, Dv], with which the text can go on.
        Both are in the dtype and on the device of q. Memory grows with T, not with its square. The inputs are not
        changed; gradients flow back to all of them.

    Example:
        q = k = tensor([[1., 0.], [1., 0.], [0., 2.]]); v = tensor([[3.], [5.], [7.]])
        linear_attention(q, k, v) -> ([[3.], [8.], [28.]], [[8.], [14.]])
        linear_attention(q[:1], k[:1], v[:1], state=tensor([[8.], [14.]])) -> ([[11.]], [[11.], [14.]])
    """
    raise NotImplementedError


def delta_rule(q: Tensor, k: Tensor, v: Tensor, beta: Tensor, state: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """Linear attention whose state is corrected, not only added to.

    Args:
        q: queries [..., T, Dk].
        k: keys [..., T, Dk]; use them as they are, whatever their lengths.
        v: values [..., T, Dv].
        beta: how far what is found moves toward the new value, [..., T]: 0 leaves it, 1 replaces it if the key has the
            length 1.
        state: what an earlier part of the text has left, [..., Dk, Dv]. None: zeros.

    Returns:
        (output, state), as those of linear_attention. The inputs are not changed; gradients flow back to all of them.

    Example:
        q = k = tensor([[1., 0.], [1., 0.], [0., 1.]]); v = tensor([[3.], [5.], [7.]])
        delta_rule(q, k, v, tensor([1.0, 1.0, 0.5])) -> ([[3.], [5.], [3.5]], [[5.], [3.5]])
    """
    raise NotImplementedError
