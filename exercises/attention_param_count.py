"""Count the parameters of attention.

GPT-3 has 175,181,291,520 parameters in its matrices. How many of them belong to attention? Each head has a query and a
key matrix between d_model channels and its own d_head channels; its value goes down to d_head channels, and back up to
d_model through its part of W_O. That makes four matrices a head, times the heads, times the layers.

Look out for what differs between models. d_head is often d_model / n_heads, but nothing forces it to be: Gemma 7B has
16 heads of 256 channels, 4096 together, in a model of 3072. With grouped-query attention there are fewer key and value
heads than query heads. And some models have biases: one number for each output channel of each matrix.
"""


def attention_param_count(
    d_model: int, n_heads: int, d_head: int, n_layers: int, n_kv_heads: int | None = None, bias: bool = False
) -> int:
    """How many numbers the attention of a whole model learns: W_Q, W_K, W_V and W_O of all layers.

    Args:
        d_model: channels of a token.
        n_heads: query heads of a layer.
        d_head: channels of a head; n_heads * d_head need not be d_model.
        n_layers: layers.
        n_kv_heads: key and value heads of a layer. None: as many as query heads.
        bias: whether all four projections have biases.

    Returns:
        The count, an int (288.0 for 288 will do). Embeddings, feed-forward layers and norms are not part of it.

    Raises:
        ValueError: n_heads is not divisible by n_kv_heads.

    Examples:
        attention_param_count(12288, 96, 128, 96)           -> 57982058496     GPT-3
        attention_param_count(768, 8, 96, 1, n_kv_heads=2)  -> 1474560         a layer of a small MiniMind
        attention_param_count(8, 2, 4, 1, bias=True)        -> 288
    """
    raise NotImplementedError
