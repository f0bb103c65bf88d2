"""Attention, backwards: the gradients of q, k and v by hand.

Training needs the gradients of what went in. Autograd finds them, and so do the kernels that are written by hand, as
FlashAttention's; this exercise does it once with nothing but products. Forwards:

    scores  = q k^T / sqrt(Dh)
    weights = softmax(scores), over the visible keys
    output  = weights v

d_x is the gradient of a number L with respect to x: it has the shape of x. Backwards, d_output is given, and each step
hands on what it gets. Two rules suffice. A product C = A B gives d_A = d_C B^T and d_B = A^T d_C. Softmax has a
Jacobian for each row: weight i changes with score j by w_i (1 - w_i) if i = j, and by -w_i w_j if not.

Autograd is not allowed here (no .backward(), no torch.autograd, no torch.func); softmax may be borrowed from PyTorch.
This file stands alone: import nothing from the other exercises.
"""

from torch import Tensor


def softmax_backward(weights: Tensor, d_weights: Tensor) -> Tensor:
    """From the gradient of weights = softmax(scores) to that of the scores; softmax runs over the last dimension.

    Args:
        weights: what softmax returned, [..., n]; each row sums to 1.
        d_weights: the gradient of the weights, [..., n].

    Returns:
        The gradient of the scores [..., n], in the dtype and on the device of weights. The inputs are not changed.

    Example:
        softmax_backward(tensor([0.25, 0.75]), tensor([1., 0.])) -> [0.1875, -0.1875]
        softmax_backward(tensor([0.2, 0.3, 0.5]), tensor([1., 2., 3.])) -> [-0.2600, -0.0900, 0.3500]
    """
    raise NotImplementedError


def attention_backward(
    q: Tensor, k: Tensor, v: Tensor, d_output: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    """From the gradient of attention's output to those of q, k and v.

    The leading dimensions (...) are the same for q, k, v and d_output: none, a batch, batch and heads, or more.

    Args:
        q: queries [..., T_q, Dh].
        k: keys [..., T_kv, Dh].
        v: values [..., T_kv, Dv].
        d_output: the gradient of the output, [..., T_q, Dv].
        mask: bool with 2 or more dimensions, broadcastable to [..., T_q, T_kv]; True = this query may attend to this
            key. Each row has a True. None: every query sees every key.

    Returns:
        (d_q, d_k, d_v), each in the shape, in the dtype and on the device of q, k and v. A key that no query sees gets
        the gradient 0, and so does its value. The inputs are not changed. Gradients of the results are not asked for.

    Example, with q = [[1, 0]], k = [[1, 0], [0, 1]], v = [[2], [0]], d_output = [[1]]:
        attention_backward(q, k, v, d_output)
            -> d_q [[0.3128, -0.3128]], d_k [[0.3128, 0.0000], [-0.3128, 0.0000]], d_v [[0.6698], [0.3302]]
        attention_backward(q, k, v, d_output, mask=tensor([[True, False]]))
            -> d_q [[0, 0]], d_k [[0, 0], [0, 0]], d_v [[1], [0]]
    """
    raise NotImplementedError
