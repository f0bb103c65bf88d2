"""Multi-head attention as a module.

A model keeps its matrices in a module, so that they can be trained, saved and moved to a GPU together. This module
does what nn.MultiheadAttention does for self-attention: with the same weights both give the same output. Five things
differ, and each has cost somebody a day:

- nn.Linear stores its weight as [out, in] and computes x @ weight.T + bias.
- nn.MultiheadAttention keeps the weights of w_q, w_k and w_v in one matrix, in_proj_weight, stacked by rows.
- Its attn_mask is the other way round: there True means hidden. Here True means: may attend.
- It returns the mean of the heads' weights [B, T, T]. Here every head's weights are returned: [B, H, T, T].
- Its inputs are [T, B, D] unless it is made with batch_first=True. Here they are always [B, T, D].

The parameters' names are part of the task: a saved state_dict fits only a module that uses the same ones. Softmax may
be borrowed from PyTorch; its fused attention may not. This file stands alone: import nothing from the other exercises.
"""

from torch import Tensor, nn


class MultiHeadAttention(nn.Module):
    """Self-attention with num_heads heads of d_model / num_heads channels each.

    Its parameters are those of four nn.Linear(d_model, d_model), named w_q, w_k, w_v and w_o, and no others: the keys
    of its state_dict are w_q.weight, w_q.bias, ..., w_o.bias, or only the four weights if bias is False.

    Raises:
        ValueError: d_model is not divisible by num_heads; when the module is made.

    Example, with MultiHeadAttention(2, 2, bias=False), all four weights the identity:
        x [[[1, 0], [0, 1], [1, 1]]]
            -> output  [[[0.8446, 0.6667], [0.6667, 0.8446], [0.8446, 0.8446]]]
               weights [[[[0.4223, 0.1554, 0.4223], [0.3333, 0.3333, 0.3333], [0.4223, 0.1554, 0.4223]],
                         [[0.3333, 0.3333, 0.3333], [0.1554, 0.4223, 0.4223], [0.1554, 0.4223, 0.4223]]]]
    """

    def __init__(self, d_model: int, num_heads: int, bias: bool = True) -> None:
        """Make the four layers; the order of the arguments and their names are fixed."""
        super().__init__()
        raise NotImplementedError

    def forward(self, x: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Let the tokens attend to each other.

        Args:
            x: tokens [B, T, d_model].
            mask: bool, True = this query may attend to this key: [T, T] for all, [B, T, T] with one for each example,
                or 4 dimensions, broadcastable to [B, H, T, T]. Each row has a True. None: every token sees every token.

        Returns:
            output [B, T, d_model] and the weights of every head [B, H, T, T], in the dtype and on the device of x.
            Hidden tokens have a weight below 1e-6, also in float16. Nothing is kept from one call to the next, and
            training mode changes nothing. Gradients flow from the output to x and to all parameters.
        """
        raise NotImplementedError
