"""Repair job: three lines of attention, four faults.

These lines look like the formula, and on a single sentence they even run. Count the faults: the transpose turns every
axis of a batch around; the scores are not scaled, so that softmax picks one key nearly alone as the width grows; later
positions are not hidden, although this block belongs in a decoder; and the output projection is taken as an argument
and never used. Mend all four. This file stands alone: import nothing from the other exercises.
"""

from torch import Tensor


def attention_sublayer(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor) -> Tensor:
    """Causal single-head self-attention with an output projection.

    Args:
        x: inputs [..., T, D], float32 or float64: one sentence, a batch, or more leading dimensions.
        w_q, w_k: projections [D, D_k].
        w_v: projection [D, D_v].
        w_o: output projection [D_v, D].

    Returns:
        [..., T, D]: softmax over the positions up to and including each one, of q k^T / sqrt(D_k), times v, times w_o;
        in the dtype and on the device of x.
    """
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.permute(*reversed(range(k.dim())))
    return scores.softmax(dim=-1) @ v
