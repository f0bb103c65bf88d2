"""A laboratory for RoPE: what do the scores depend on, and why are values left alone?

RoPE rotates each query and each key by an angle that grows with its position. Put one and the same query at the
positions 0, 1, 2, ..., one and the same key too, and write down the score of every combination: the table that comes
out is constant along its diagonals. Moving both tokens by the same distance changes nothing; only how far apart they
are, and in which direction, matters. No parameter is learned for this.

Then try what RoPE does not do: rotate the values as well. A score compares two vectors: their common rotation cancels.
A value is compared with nothing; its rotation ends up in the output, and the same sentence means something else when it
starts ten positions later. This file stands alone: import nothing from the other exercises.
"""

from torch import Tensor


def rotate(x: Tensor, positions: Tensor, theta: float = 10000.0) -> Tensor:
    """Rotate vectors to their positions, as Llama and MiniMind do.

    Channel i is paired with channel i + Dh/2, for i = 0 ... Dh/2 - 1: the pair is a point (x1, x2) in the plane. At
    position p it is rotated by the angle a = p * theta^(-2i / Dh):

        (x1, x2) -> (x1 cos a - x2 sin a, x2 cos a + x1 sin a)

    Args:
        x: vectors [..., T, Dh] of any float dtype.
        positions: where the T vectors stand: whole numbers [T] in any order, at least 0.
        theta: base of the frequencies.

    Returns:
        [..., T, Dh] in the dtype and on the device of x, which is not changed. The angles are computed in float32 at
        least. Gradients flow back to x.

    Raises:
        ValueError: Dh is odd.

    Example:
        rotate(tensor([[1., 0.], [1., 0.], [1., 0.]]), tensor([0, 1, 2]))
            -> [[1.0000, 0.0000], [0.5403, 0.8415], [-0.4161, 0.9093]]
        rotate(tensor([[1., 2., 3., 4.]]), tensor([1])) -> [[-1.9841, 1.9599, 2.4624, 4.0198]]
    """
    raise NotImplementedError


def rope_scores(q: Tensor, k: Tensor, length: int, theta: float = 10000.0) -> Tensor:
    """Tabulate the score of one query at every position with one key at every position.

    Args:
        q: the query [Dh].
        k: the key [Dh].
        length: how many positions, 1 or more.
        theta: base of the frequencies.

    Returns:
        [length, length] in the dtype of q: entry (m, n) is the dot product, not scaled, of q rotated to position m and
        k rotated to position n. Gradients flow back to q and k.

    Raises:
        ValueError: Dh is odd.

    Example:
        rope_scores(tensor([1., 0.]), tensor([0., 1.]), 3)
            -> [[0.0000, -0.8415, -0.9093], [0.8415, 0.0000, -0.8415], [0.9093, 0.8415, 0.0000]]
    """
    raise NotImplementedError


def rotated_attention(
    q: Tensor, k: Tensor, v: Tensor, start: int = 0, rotate_values: bool = False, theta: float = 10000.0
) -> Tensor:
    """Attention with RoPE among T tokens that stand at the positions start, start + 1, ..., start + T - 1.

    Every query sees every key; there is no mask. Compare what you get for two values of `start`, with and without
    `rotate_values`.

    Args:
        q: queries [..., T, Dh].
        k: keys [..., T, Dh].
        v: values [..., T, Dv].
        start: the position of the first token.
        rotate_values: whether the values are rotated too, as queries and keys are.
        theta: base of the frequencies.

    Returns:
        softmax(q' k'^T / sqrt(Dh)) v, [..., T, Dv], with q' and k' the rotated queries and keys; v is rotated only if
        that is asked for. Same dtype and device; the inputs are not changed, gradients flow back to them.

    Raises:
        ValueError: Dh is odd, or Dv is odd and the values are to be rotated.

    Example:
        x = tensor([[1., 0.], [0., 1.], [1., 1.]])
        rotated_attention(x, x, x)           -> [[0.8144, 0.3175], [0.6127, 0.8947], [0.6290, 0.9453]]
        rotated_attention(x, x, x, start=10) -> the same
        rotated_attention(x, x, x, start=10, rotate_values=True)
                                             -> [[-0.2051, -0.3300], [0.9993, 0.1003], [1.1179, 0.1484]]
    """
    raise NotImplementedError
