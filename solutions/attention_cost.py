"""How many scores attention computes, and what it would take to keep them all."""


def attention_cost(n: int, d_head: int, n_heads: int, n_layers: int, bytes: int = 2) -> tuple[int, int]:
    """n^2 scores a head; d_head is summed over within each of them (Vaswani et al. 2017, table 1).

    Args:
        n: tokens.
        d_head: channels of a head.
        n_heads: heads of a layer.
        n_layers: layers.
        bytes: of one score.

    Returns:
        Scores of the whole model, and their bytes.
    """
    scores = n**2 * n_heads * n_layers
    return scores, scores * bytes
