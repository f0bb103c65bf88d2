"""Two pictures of one formula: tokens as rows, tokens as columns.

Programs write a token as a row: X is [T, D], a projection is X W, scores are Q K^T, and each row of the weights
belongs to a query. Mathematicians (and the well-known animations) write it as a column: X is [D, T], a projection is
W X, scores are K^T Q, and each column belongs to a query. Both are the same computation, transposed:

                  rows                      columns
    projection    X W_Q           [T, Dh]   W_Q X           [Dh, T]
    scores        Q K^T           [T, T]    K^T Q           [T, T]
    entry (i, j)  query i, key j            key i, query j
    sums to 1     each row                  each column
    output        weights V       [T, Dv]   V weights       [Dv, T]

Whoever mixes the two gets no error, only wrong numbers: the scores are square either way. Take care above all of the
future: it is one triangle in one picture and the other triangle in the other.

Masks have two pictures as well. In this course, as in F.scaled_dot_product_attention, True means "may attend". In
nn.MultiheadAttention it means "may not attend". to_mha_mask translates.

Softmax may be borrowed from PyTorch; fused attention may not. This file stands alone: import nothing from other
exercises.
"""

from torch import Tensor


def column_attention(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, causal: bool = False) -> Tensor:
    """Scaled dot-product self-attention of tokens that are columns.

    Args:
        x: one token a column [D, T].
        w_q: projection to queries [Dh, D], used as w_q x.
        w_k: projection to keys [Dh, D].
        w_v: projection to values [Dv, D].
        causal: whether a query may attend only to itself and to tokens before it.

    Returns:
        [Dv, T]: column t is the mix of all values that query t asks for. Dtype and device of x; nothing is changed,
        and gradients flow to x and to the three matrices.

    Example:
        x = tensor([[1., 0., 1.], [0., 1., 1.]])   three tokens: (1, 0), (0, 1) and (1, 1)
        w = torch.eye(2)
        column_attention(x, w, w, w)              -> [[0.8022, 0.5989, 0.7517], [0.5989, 0.8022, 0.7517]]
        column_attention(x, w, w, w, causal=True) -> [[1.0000, 0.3302, 0.7517], [0.0000, 0.6698, 0.7517]]
    """
    raise NotImplementedError


def to_mha_mask(mask: Tensor) -> Tensor:
    """Translate a mask of this course for the argument attn_mask of torch.nn.MultiheadAttention.

    That argument is a bool tensor in which True means "may not attend", and its shape is [T_q, T_kv] for all examples
    and heads alike, or [B * H, T_q, T_kv]: first all heads of example 0, then all heads of example 1, and so on.

    Args:
        mask: bool [T_q, T_kv] or [B, H, T_q, T_kv]; True = may attend.

    Returns:
        bool [T_q, T_kv] or [B * H, T_q, T_kv], on the device of mask; True = may not attend. mask is not changed.

    Example:
        to_mha_mask(tensor([[True, False], [True, True]])) -> [[False, True], [False, False]]
    """
    raise NotImplementedError
