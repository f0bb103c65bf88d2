"""The parameters of attention in a whole model."""


def attention_param_count(
    d_model: int, n_heads: int, d_head: int, n_layers: int, n_kv_heads: int | None = None, bias: bool = False
) -> int:
    """Entries of W_Q, W_K, W_V and W_O, as in table 2.1 of Brown et al. 2020 and, grouped, Ainslie et al. 2023.

    Args:
        d_model: channels of a token.
        n_heads: query heads of a layer.
        d_head: channels of a head.
        n_layers: layers.
        n_kv_heads: key and value heads of a layer; None: n_heads.
        bias: whether the projections have biases.

    Returns:
        The count.

    Raises:
        ValueError: n_heads is not divisible by n_kv_heads.
    """
    n_kv_heads = n_heads if n_kv_heads is None else n_kv_heads
    if n_heads % n_kv_heads:
        raise ValueError(f"{n_heads} query heads cannot share {n_kv_heads} key and value heads equally")
    wide, narrow = n_heads * d_head, n_kv_heads * d_head  # columns of W_Q, and of W_K and W_V
    weights = d_model * wide + 2 * d_model * narrow + wide * d_model  # W_Q, W_K and W_V, W_O
    biases = wide + 2 * narrow + d_model  # one for each column
    return n_layers * (weights + biases if bias else weights)
