"""Count the parameters of attention.

GPT-3 has 175,181,291,520 parameters in its matrices. How many of them belong to attention? Each head has a query and a
key matrix between d_model channels and its own d_head channels; its value goes down to d_head channels, and back up to
d_model through its part of W_O. That makes four matrices a head, times the heads, times the layers.

Look out for what differs between models. d_head is often d_model / n_heads, but nothing forces it to be: Gemma 7B has
16 heads of 256 channels, 4096 together, in a model of 3072. With grouped-query attention there are fewer key and value
heads than query heads. And some models have biases: one number for each output channel of each matrix.

数一数注意力的参数。

GPT-3 的各个矩阵共有 175,181,291,520 个参数，其中有多少属于注意力？每个头都有一个查询矩阵和一个键矩阵，
连接 d_model 个通道与自己的 d_head 个通道；值先降到 d_head 个通道，再经过 W_O 中属于它的部分升回 d_model。
这就是每头四个矩阵，乘以头数，再乘以层数。

请留意各模型的不同之处。d_head 往往等于 d_model / n_heads，但并没有什么强制如此：
Gemma 7B 有 16 个头，每头 256 个通道，合计 4096，而模型宽度是 3072。使用分组查询注意力时，键值头比查询头少。
还有些模型带有偏置：每个矩阵的每个输出通道一个数。
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

    整个模型的注意力要学习多少个数：所有层的 W_Q、W_K、W_V 和 W_O。

    参数：
        d_model：每个词元的通道数。
        n_heads：每层的查询头数。
        d_head：每个头的通道数；n_heads * d_head 不一定等于 d_model。
        n_layers：层数。
        n_kv_heads：每层的键值头数。None 表示与查询头一样多。
        bias：四个投影是否都带偏置。

    返回：
        参数个数，类型为 int（把 288 写成 288.0 也算对）。词嵌入、前馈层和归一化层不计在内。

    异常：
        ValueError：n_heads 不能被 n_kv_heads 整除。

    示例见上文英文部分。
    """
    raise NotImplementedError
