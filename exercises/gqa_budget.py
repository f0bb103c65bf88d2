"""What grouped-query attention saves, counted before anything is computed.

At inference a model keeps the key and the value of every token so far, in every layer. For long texts this cache, not
the weights, fills the memory of a GPU. Fewer key and value heads shrink it: with 2 instead of 8 it takes a quarter.
The matrices that make keys and values get narrower by the same factor, so the layer has fewer parameters too; those
that make queries and mix the heads keep their size.

Count both for one layer: the parameters of the four projections W_Q, W_K, W_V and W_O (no biases), and the bytes that
one more token adds to the cache. Plain whole numbers; no tensor is needed.
"""


def gqa_budget(hidden_size: int, num_heads: int, num_kv_heads: int, bytes_per_number: int = 2) -> tuple[int, int]:
    """Count the parameters and the cache of one layer of grouped-query attention.

    Args:
        hidden_size: channels of a token; they are split evenly among the query heads, Dh = hidden_size / num_heads.
        num_heads: query heads H.
        num_kv_heads: key and value heads H_kv, each as wide as a query head.
        bytes_per_number: bytes of one stored number: 2 in float16 and bfloat16, 4 in float32.

    Returns:
        (parameters, bytes): how many entries W_Q, W_K, W_V and W_O have together, and how many bytes the key and the
        value of one token take in this layer's cache. Both are exact whole numbers.

    Raises:
        ValueError: hidden_size is not a multiple of num_heads, num_heads not of num_kv_heads, or a number is below 1.

    Example, MiniMind with a hidden size of 768 and 8 query heads:
        gqa_budget(768, 8, 8) -> (2359296, 3072)
        gqa_budget(768, 8, 2) -> (1474560, 768)
    """
    raise NotImplementedError
