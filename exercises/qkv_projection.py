"""Project to queries, keys and values.

In Lab 1 a token was its own query, key and value. A model learns three views of it instead: what it is looking for,
what it can be found by, and what it hands on. Each view is one matrix, the same for all tokens:

    Q = x W_q        K = x W_k        V = x W_v

Row t of x goes in, row t of Q, K and V comes out; no token meets another here. The matrices need not be square: values
may be wider or narrower than keys, and with shared key and value heads (GQA) keys are narrower than queries. Mind one
convention: here a matrix is multiplied from the right, x W, with shape [in, out], while `nn.Linear` stores its weight
as [out, in] and computes x W^T. This file stands alone: import nothing from the other exercises.
"""

from torch import Tensor


def qkv_projection(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The three views of every token.

    Args:
        x: tokens [..., T, D], any number of leading dimensions, any float dtype.
        w_q: [D, Dq], makes queries.
        w_k: [D, Dk], makes keys.
        w_v: [D, Dv], makes values. Dq, Dk and Dv may differ.

    Returns:
        Q [..., T, Dq], K [..., T, Dk] and V [..., T, Dv], in this order, in the dtype and on the device of x. The
        inputs are not changed; gradients flow back to all four.

    Example, Lab 1B:
        x = tensor([[1., 0.], [0., 1.], [1., 1.]])
        qkv_projection(x, tensor([[1., 0.5], [0., 1.]]), tensor([[0.5, 1.], [1., 0.]]), tensor([[1., -0.5], [0.5, 1.]]))
            -> Q [[1.0, 0.5], [0.0, 1.0], [1.0, 1.5]]
               K [[0.5, 1.0], [1.0, 0.0], [1.5, 1.0]]
               V [[1.0, -0.5], [0.5, 1.0], [1.5, 0.5]]
    """
    raise NotImplementedError
