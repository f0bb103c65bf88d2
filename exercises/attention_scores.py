"""The score matrix.

Attention begins with a question asked of everyone: each query is compared with each key, and the result is a table of
scores with a row for each query and a column for each key. The comparison is the dot product,

    scores[i, j] = q_i . k_j = q_i[0] * k_j[0] + q_i[1] * k_j[1] + ... + q_i[Dh - 1] * k_j[Dh - 1]

large where the two vectors point the same way and are long, 0 where they are at right angles, negative where they
point apart. The raw scores are asked for here: no scaling, no softmax. There may be more keys than queries or fewer;
the table tells rows from columns only if you do. This file stands alone: import nothing from the other exercises.
"""

from torch import Tensor


def attention_scores(q: Tensor, k: Tensor) -> Tensor:
    """The dot product of every query with every key.

    The leading dimensions (...) are the same for q and k: none, a batch, batch and heads, or more. Only queries and
    keys of the same example and head are compared.

    Args:
        q: queries [..., T_q, Dh], any float dtype.
        k: keys [..., T_kv, Dh].

    Returns:
        Scores [..., T_q, T_kv], in the dtype and on the device of q. The inputs are not changed; gradients flow back
        to both.

    Example:
        q = tensor([[1., 0.], [1., 2.]])
        k = tensor([[1., 1.], [0., 3.], [-2., 1.]])
        attention_scores(q, k) -> [[1, 0, -2], [3, 6, 0]]
    """
    raise NotImplementedError
