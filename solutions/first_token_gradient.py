"""How far the first token reaches: in a recurrent network (Bengio et al. 1994) and in attention (Vaswani et al.
2017)."""

import math

import torch
from torch import Tensor


def rnn_gradient(x: Tensor, w_x: Tensor, w_h: Tensor) -> Tensor:
    """The derivative of sum(h_(T-1)) with respect to x_0, where h_t = tanh(x_t w_x + h_(t-1) w_h).

    Args:
        x: inputs [T, d].
        w_x: input weights [d, d_h].
        w_h: recurrent weights [d_h, d_h].

    Returns:
        [d].
    """
    x = x.detach().requires_grad_()  # [T, d]
    state = torch.zeros_like(w_h[0])  # [d_h]
    for step in x:  # [d]
        state = torch.tanh(step @ w_x + state @ w_h)  # [d_h]
    return torch.autograd.grad(state.sum(), x)[0][0]  # [d]


def attention_gradient(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Tensor:
    """The derivative of the sum of the last position's attention output with respect to x_0.

    Args:
        x: inputs [T, d].
        w_q, w_k: projections [d, d_k].
        w_v: projection [d, d_v].

    Returns:
        [d].
    """
    x = x.detach().requires_grad_()  # [T, d]
    scores = (x[-1] @ w_q) @ (x @ w_k).T / math.sqrt(w_q.shape[1])  # [T]
    output = scores.softmax(dim=-1) @ (x @ w_v)  # [d_v]
    return torch.autograd.grad(output.sum(), x)[0][0]  # [d]
