"""Heads as a sum: what attention adds to each token.

Many pictures of transformers draw a token as a column: E [d, n] holds n tokens of d channels each, and matrices are
multiplied from the left. In such a picture the pattern A [n, n] of a head is read down a column: column j holds the
shares that token j takes of each token, and sums to 1.

What does one head add to the tokens? It takes a value from each token, mixes the values by its pattern, and turns the
mix into a change of d channels. A full d x d value matrix would be large, so it is built from two narrow ones: `down`
[dk, d] squeezes a token into dk channels, `up` [d, dk] spreads the mix out again. Nothing a head does can leave the dk
directions of its `up`. The changes of all heads are added:

    update = sum over heads of  up (down E A)

Put all `up`s side by side and you have W_O; stack all `down E A` on top of each other and you have the heads, merged.
That is why one last matrix W_O and a sum over heads are the same thing. The residual connection, E + update, is not
part of this exercise.
"""

from torch import Tensor


def value_update(E: Tensor, patterns: list[Tensor], downs: list[Tensor], ups: list[Tensor]) -> Tensor:
    """What all heads together add to the tokens.

    Args:
        E: tokens as columns [d, n].
        patterns: for each head [n, n]; entry [i, j] is the share that token j takes of token i.
        downs: for each head [dk, d].
        ups: for each head [d, dk], in the same order.

    Returns:
        Tensor [d, n] in the dtype and on the device of E. The inputs are not changed; gradients flow to all of them.

    Example, with one head that works on the second channel only:
        E = [[1, 2, 3], [10, 20, 30]], pattern = [[1, 0.5, 0], [0, 0.5, 0], [0, 0, 1]], down = [[0, 1]], up = [[2], [1]]
            -> [[20, 30, 60], [10, 15, 30]]
    """
    raise NotImplementedError
