"""How far the first token reaches.

A recurrent network hands information on step by step: what the first token says must survive every step up to the last.
Attention looks back directly, whatever the distance. You measure the difference: differentiate the last output with
respect to the first input, for both models, and watch how fast the gradient fades as the sequence grows. With random
small weights the recurrent one fades exponentially, the attention one about as 1 / T. (Attention pays for it: every
pair of positions is compared, so time and memory grow with the square of T.)

Autograd does the work: x.requires_grad_(), a scalar, torch.autograd.grad. This file stands alone: import nothing from
the other exercises.
"""

from torch import Tensor


def rnn_gradient(x: Tensor, w_x: Tensor, w_h: Tensor) -> Tensor:
    """The gradient of the last state of a recurrent network, summed over its entries, with respect to the first input.

    The state starts at zero, and h_t = tanh(x_t @ w_x + h_(t-1) @ w_h) for t = 0 ... T - 1.

    Args:
        x: inputs [T, d].
        w_x: input weights [d, d_h].
        w_h: recurrent weights [d_h, d_h].

    Returns:
        [d]: the derivative of sum(h_(T-1)) with respect to x_0, in the dtype of x. x is not changed: no gradient
            stays in it.

    Example: x = [[0.0], [0.0]], w_x = [[1.0]], w_h = [[0.5]] -> [0.5]
    """
    raise NotImplementedError


def attention_gradient(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Tensor:
    """The same for one head of self-attention: the last position's output, summed, with respect to the first input.

    The last position attends to all T positions: softmax(q_(T-1) k^T / sqrt(d_k)) v with q = x w_q, k = x w_k, v = x
    w_v.

    Args:
        x: inputs [T, d].
        w_q, w_k: projections [d, d_k].
        w_v: projection [d, d_v].

    Returns:
        [d]: the derivative of the sum of the last output with respect to x_0, in the dtype of x. x is not changed: no
            gradient stays in it.

    Example: x = [[0.0], [0.0]], all weights [[1.0]] -> [0.5]
    """
    raise NotImplementedError
