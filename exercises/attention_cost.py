"""The quadratic wall.

Every token is compared with every token. For a text of n tokens that makes n * n scores, for every head of every
layer. Read a text twice as long, and there are four times as many. This is the wall that all long-context methods push
against: they compute fewer scores (sliding windows, sparse patterns) or never store them all at once (FlashAttention).

How high is the wall? Count the scores of a whole model, and the bytes that it would take to store them all at once.
One of the arguments does not matter. Find out which.

平方级的墙。

每个词元都要与每个词元比较。n 个词元的文本，每一层的每个头都有 n * n 个分数。文本长度变为两倍，分数就变为四倍。
这就是所有长上下文方法要对付的墙：它们要么少算一些分数（滑动窗口、稀疏模式），要么从不一次存下全部分数（FlashAttention）。

这堵墙有多高？请数一数整个模型的分数，以及把它们一次全部存下来需要多少字节。其中有一个参数不起作用，找出是哪一个。
"""


def attention_cost(n: int, d_head: int, n_heads: int, n_layers: int, bytes: int = 2) -> tuple[int, int]:
    """How many scores a model computes for one text, and how many bytes they fill.

    Args:
        n: tokens of the text.
        d_head: channels of a head.
        n_heads: query heads of a layer.
        n_layers: layers.
        bytes: bytes of one score; 2 for float16.

    Returns:
        Two ints: the scores of all heads in all layers, masked ones included, and the bytes of all of them together.
        A list will do as well as a tuple, and so will 90.0 for 90.

    Examples:
        attention_cost(1000, 128, 96, 96)       -> 9216000000, 18432000000     GPT-3: 18.4 GB for a text of 1000 tokens
        attention_cost(3, 64, 2, 5, bytes=4)    -> 90, 360

    一个模型处理一段文本要计算多少个分数，它们又占多少字节。

    参数：
        n：文本的词元数。
        d_head：每个头的通道数。
        n_heads：每层的查询头数。
        n_layers：层数。
        bytes：一个分数占的字节数；float16 为 2。

    返回：
        两个 int：所有层、所有头的分数个数（包括被掩码遮住的），以及它们一共占的字节数。
        用列表代替元组，或把 90 写成 90.0，也算对。

    示例见上文英文部分。
    """
    raise NotImplementedError
