"""The shapes on the way through attention.

Most mistakes in attention are mistakes of shape, and the worst of them raise no error. Who can write down the shape of
every step before running anything finds them on paper. Follow a batch of B examples of T tokens with d channels through
attention with h query heads and h_kv key and value heads (grouped-query attention; h_kv = h is multi-head attention):

    x           what comes in, batch first
    q, k, v     after the projections; keys and values have h_kv heads only, so k and v may be narrower than q
    q_heads, k_heads, v_heads       split into heads; the tokens come right before the channels of a head
    k_repeated, v_repeated          each key and value head repeated, so that every query head has one beside it
    scores, weights                 before and after softmax, for every head
    heads       the weights times the values, for every head
    merged      the heads of each token side by side again
    output      after the last projection

No tensor is needed for this, and a tensor of GPT-3's size may not fit anywhere: compute with the sizes.

注意力途中的各个形状。

注意力里的错误大多是形状的错误，其中最糟的那些并不报错。谁能在运行之前写出每一步的形状，谁就能在纸上发现它们。
现在有 B 个样本，每个样本 T 个词元，每个词元 d 个通道，请跟随它们走过一遍注意力：h 个查询头，
h_kv 个键值头（分组查询注意力；h_kv = h 时就是多头注意力）：

    x           输入，批次在最前
    q, k, v     投影之后；键和值只有 h_kv 个头，所以 k 和 v 可能比 q 窄
    q_heads, k_heads, v_heads       拆分成头；词元维紧挨在每头的通道维之前
    k_repeated, v_repeated          每个键头、值头重复若干次，让每个查询头旁边都有一个
    scores, weights                 softmax 之前与之后，每个头都有
    heads       权重乘以值，每个头都有
    merged      每个词元的各个头重新并排拼接
    output      最后一次投影之后

这里不需要任何张量，GPT-3 那样大的张量也未必放得下：直接用尺寸来计算。
"""

Shape = tuple[int, ...]


def trace(B: int, T: int, d: int, h: int, h_kv: int | None = None) -> dict[str, Shape]:
    """The shape of every step of attention.

    Args:
        B: examples in the batch.
        T: tokens of each example.
        d: channels of a token.
        h: query heads.
        h_kv: key and value heads. None: as many as query heads.

    Returns:
        A dict with the 14 steps named above as keys, and a tuple of sizes for each of them. A list will do as well, and
        so will 3.0 for 3.

    Raises:
        ValueError: d is not divisible by h, or h is not divisible by h_kv.

    Example:
        trace(2, 5, 12, 4, h_kv=2) holds, among others,
            q (2, 5, 12), k (2, 5, 6), q_heads (2, 4, 5, 3), k_heads (2, 2, 5, 3)

    注意力每一步的形状。

    参数：
        B：一批中的样本数。
        T：每个样本的词元数。
        d：每个词元的通道数。
        h：查询头数。
        h_kv：键值头数。None 表示与查询头一样多。

    返回：
        一个 dict，键是上面列出的 14 个步骤的名称，值是由各个尺寸组成的元组。写成列表，或把 3 写成 3.0，也算对。

    异常：
        ValueError：d 不能被 h 整除，或者 h 不能被 h_kv 整除。

    示例见上文英文部分。
    """
    raise NotImplementedError
