"""What grouped-query attention saves, counted before anything is computed.

A model that writes keeps the key and the value of every token so far, in every layer. For long texts this cache, not
the weights, fills the memory of a GPU. Fewer key and value heads shrink it: with 2 instead of 8 it takes a quarter.
The matrices that make keys and values get narrower by the same factor, so the layer has fewer parameters too; those
that make queries and mix the heads keep their size.

Count both for one layer: the parameters of the four projections W_Q, W_K, W_V and W_O (no biases), and the bytes that
one more token adds to the cache. Plain whole numbers; no tensor is needed.

分组查询注意力省下了多少：不做任何计算，先数一数。

生成文本的模型要在每一层保存此前每个词元的键和值。文本一长，占满 GPU 显存的是这份缓存，而不是权重。
减少键值头就能缩小它：从 8 个减到 2 个，缓存只剩四分之一。产生键和值的矩阵也按同样的倍数变窄，
所以这一层的参数也变少；产生查询的矩阵和混合各头的矩阵则大小不变。

就一层来数这两样：四个投影 W_Q、W_K、W_V、W_O 的参数量（没有偏置），以及每多一个词元缓存增加的字节数。
都是普通整数，不需要张量。
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

    数出一层分组查询注意力的参数量和缓存。

    参数：
        hidden_size：一个词元的通道数，平均分给各个查询头，Dh = hidden_size / num_heads。
        num_heads：查询头数 H。
        num_kv_heads：键值头数 H_kv，每个头与查询头一样宽。
        bytes_per_number：存一个数所用的字节：float16 和 bfloat16 为 2，float32 为 4。

    返回：
        (parameters, bytes)：W_Q、W_K、W_V、W_O 的元素总数，以及一个词元的键和值在这一层缓存中占多少字节。
        两者都是精确的整数。

    异常：
        ValueError：hidden_size 不是 num_heads 的整数倍，num_heads 不是 num_kv_heads 的整数倍，或某个数小于 1。

    示例见上文英文部分。
    """
    raise NotImplementedError
