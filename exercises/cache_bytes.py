"""What generating costs: bytes in the cache, FLOPs, and which of them is the limit.

A model that writes keeps something of every token in every layer. With multi-head attention (MHA) it is a key and a
value for each head; grouped-query attention (GQA) has fewer heads of keys and values, multi-query attention (MQA) one.
Multi-head latent attention (MLA) keeps one short vector, from which the keys and values of all heads are made again,
and beside it the one rotated key part that all heads share.

What a step costs has two sides. FLOPs: a product of two numbers and its addition to a sum are 2. Bytes: what has to be
read and written. Their quotient, FLOPs a byte, is the intensity: an H200, for instance, can do some 200 FLOPs in
bfloat16 in the time in which it reads one byte. With less than that, memory is the limit.

All are plain whole numbers; no tensor is needed. This file stands alone: import nothing from the other exercises.

生成的代价：缓存的字节数、FLOPs，以及受限于哪一个。

模型生成文本时，每一层都要为每个词元留下一点东西。多头注意力（MHA）为每个头留一个键和一个值；分组查询注意力（GQA）的
键值头较少，多查询注意力（MQA）只有一个。多头潜在注意力（MLA）只留一个短向量，各头的键和值都由它重新算出，
此外再留各头共用的、经过旋转的那一部分键。

一步的代价有两面。FLOPs：两个数相乘再加到和里，算 2 次。字节：必须读写的量。两者之商，即每字节的 FLOPs，称为强度：
例如 H200 读一个字节的时间，可以做约 200 次 bfloat16 的 FLOPs。不到这个数，瓶颈就在内存。

都是普通整数，不需要张量。本文件应独立完成，不要从其他练习导入。
"""


def kv_bytes(num_layers: int, num_kv_heads: int, head_dim: int, bytes_per_number: int = 2) -> int:
    """Count the bytes that one token leaves in the cache with MHA, GQA or MQA.

    Args:
        num_layers: layers, each with a cache of its own.
        num_kv_heads: heads of keys and values; as many as query heads in MHA, 1 in MQA.
        head_dim: channels of a key, and of a value.
        bytes_per_number: bytes of one number.

    Returns:
        A whole number, for all layers.

    Raises:
        ValueError: a number is below 1.

    Example, Llama 3 8B, and what it would be with as many heads of keys and values as of queries:
        kv_bytes(32, 8, 128) -> 131072
        kv_bytes(32, 32, 128) -> 524288

    数出 MHA、GQA 或 MQA 中一个词元在缓存里留下的字节数。

    参数：
        num_layers：层数，每层各有缓存。
        num_kv_heads：键值头数；MHA 中与查询头一样多，MQA 中为 1。
        head_dim：一个键的通道数，也是一个值的通道数。
        bytes_per_number：一个数占的字节。

    返回：
        所有层合计的整数。

    异常：
        ValueError：某个数小于 1。

    示例见上文英文部分。
    """
    raise NotImplementedError


def mla_bytes(num_layers: int, latent_dim: int, rope_dim: int, bytes_per_number: int = 2) -> int:
    """Count the bytes that one token leaves in the cache with MLA.

    Args:
        num_layers: layers, each with a cache of its own.
        latent_dim: channels of the short vector; there is one a layer, for keys and values and all heads.
        rope_dim: channels of the rotated key part; there is one a layer, for all heads. It may be 0.
        bytes_per_number: bytes of one number.

    Returns:
        A whole number, for all layers.

    Raises:
        ValueError: rope_dim is below 0, or another number is below 1.

    Example, DeepSeek-V2:
        mla_bytes(60, 512, 64) -> 69120

    数出 MLA 中一个词元在缓存里留下的字节数。

    参数：
        num_layers：层数，每层各有缓存。
        latent_dim：短向量的通道数；每层一个，键和值以及所有头共用。
        rope_dim：经过旋转的那部分键的通道数；每层一个，所有头共用。可以为 0。
        bytes_per_number：一个数占的字节。

    返回：
        所有层合计的整数。

    异常：
        ValueError：rope_dim 小于 0，或其他某个数小于 1。

    示例见上文英文部分。
    """
    raise NotImplementedError


def step_cost(
    q_len: int, kv_len: int, num_heads: int, num_kv_heads: int, head_dim: int, bytes_per_number: int = 2
) -> tuple[int, int]:
    """Count what the scores and the mixing of values cost in one layer.

    FLOPs: both products, of all queries with all keys (nothing is saved for hidden pairs), 2 for each channel. Scaling
    and softmax are not counted, nor are the projections.

    Bytes: queries, keys and values are read once, the output is written once. Scores are kept nowhere, and each head of
    keys and values is read once, however many query heads share it.

    Args:
        q_len: new tokens: 1 when a model writes, all of them when it reads a prompt.
        kv_len: tokens in the cache, the new ones included.
        num_heads: query heads.
        num_kv_heads: heads of keys and values, of which num_heads is a multiple.
        head_dim: channels of a head.
        bytes_per_number: bytes of one number.

    Returns:
        (flops, bytes), whole numbers.

    Raises:
        ValueError: a number is below 1, kv_len is below q_len, or num_heads is not a multiple of num_kv_heads.

    Example, a thousand tokens in the cache, or a thousand read at once:
        step_cost(1, 1000, 32, 8, 128) -> (16384000, 4112384)
        step_cost(1000, 1000, 32, 8, 128) -> (16384000000, 20480000)

    数出一层中计算分数和混合值的代价。

    FLOPs：两次乘法，所有查询对所有键（被遮住的也照算），每个通道算 2。缩放和 softmax 不计，投影也不计。

    字节：查询、键、值各读一次，输出写一次。分数哪里也不保存；每个键值头只读一次，无论有几个查询头共用它。

    参数：
        q_len：新词元的个数：逐个生成时为 1，读提示词时为全部。
        kv_len：缓存里的词元个数，包括新词元。
        num_heads：查询头数。
        num_kv_heads：键值头数，num_heads 是它的整数倍。
        head_dim：一个头的通道数。
        bytes_per_number：一个数占的字节。

    返回：
        (flops, bytes)，都是整数。

    异常：
        ValueError：某个数小于 1，kv_len 小于 q_len，或 num_heads 不是 num_kv_heads 的整数倍。

    示例见上文英文部分。
    """
    raise NotImplementedError


def overtaking_length(d_model: int, d_ff: int, num_heads: int, head_dim: int, mlp_matrices: int = 2) -> int:
    """Find the shortest length at which scores and mixing take more FLOPs for a token than the MLP.

    A token's query meets all n keys of the text, as in step_cost with q_len 1 and kv_len n. The MLP multiplies the
    token by `mlp_matrices` matrices of d_model x d_ff entries, 2 FLOPs for each entry.

    Args:
        d_model: channels of a token.
        d_ff: channels inside the MLP.
        num_heads: query heads.
        head_dim: channels of a head.
        mlp_matrices: matrices of the MLP: 2, or 3 in a gated one as of Llama.

    Returns:
        The smallest whole number n for which attention takes more, not as much.

    Raises:
        ValueError: a number is below 1.

    Example, GPT-3 and Llama 3 8B:
        overtaking_length(12288, 49152, 96, 128) -> 49153
        overtaking_length(4096, 14336, 32, 128, mlp_matrices=3) -> 21505

    求最短的长度，使计算分数和混合值对一个词元的 FLOPs 超过 MLP。

    一个词元的查询与文本的全部 n 个键相遇，即 step_cost 中 q_len 为 1、kv_len 为 n。
    MLP 让词元乘以 `mlp_matrices` 个 d_model x d_ff 的矩阵，每个元素算 2 次 FLOPs。

    参数：
        d_model：一个词元的通道数。
        d_ff：MLP 内部的通道数。
        num_heads：查询头数。
        head_dim：一个头的通道数。
        mlp_matrices：MLP 的矩阵个数：2，或者像 Llama 那样带门控时为 3。

    返回：
        使注意力超过（而不是等于）MLP 的最小整数 n。

    异常：
        ValueError：某个数小于 1。

    示例见上文英文部分。
    """
    raise NotImplementedError
