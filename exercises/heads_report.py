"""What the number of heads changes, and what it does not.

An experiment: make nn.MultiheadAttention with every number of heads that one can think of, run it, and write down what
you see. Guess first! Does a module with more heads have more parameters? Does its output have another shape? Do the
weights that it returns get an extra axis? Most people are wrong about one of the three.

Two things to know: batch_first=True makes it read its input as [B, T, D], as everything in this course does; and called
with average_attn_weights=False it returns the weights of every head instead of their mean.

头数改变了什么，没有改变什么。

一个实验：用各种可能的头数创建 nn.MultiheadAttention，运行它，把看到的记录下来。请先猜一猜！
头更多的模块参数更多吗？输出的形状会变吗？返回的权重会多出一个轴吗？多数人至少会猜错一个。

有两点需要知道：写明 batch_first=True，它才把输入读作 [B, T, D]，本课程的其他部分都是如此；
调用时写明 average_attn_weights=False，它返回的就是每个头的权重，而不是平均。
"""

from typing import Any


def heads_report(embed_dim: int) -> dict[int, dict[str, Any] | None]:
    """What nn.MultiheadAttention(embed_dim, h, batch_first=True) makes of 2 examples of 5 tokens, for each h.

    Args:
        embed_dim: channels of a token, 1 or more.

    Returns:
        A dict with a key for every h from 1 to embed_dim. Its value is None where torch refuses to make the module,
        and otherwise a dict:
            "head_dim"    channels of one head
            "parameters"  how many numbers the module learns, biases included
            "output"      shape of the output, a tuple
            "weights"     shape of the weights that it returns when nothing is said about them
            "per_head"    shape of the weights with average_attn_weights=False
        A list will do as well as a tuple, and so will 3.0 for 3.

    Example: heads_report(3) has the keys 1, 2 and 3. It is None for 2, and for 1
        {"head_dim": 3, "parameters": 48, "output": (2, 5, 3), "weights": (2, 5, 5), "per_head": (2, 1, 5, 5)}

    对每个 h，nn.MultiheadAttention(embed_dim, h, batch_first=True) 处理 2 个样本、每个 5 个词元时的情况。

    参数：
        embed_dim：每个词元的通道数，至少为 1。

    返回：
        一个 dict，从 1 到 embed_dim 的每个 h 各有一个键。torch 拒绝创建模块时，值为 None，否则是一个 dict：
            "head_dim"    一个头的通道数
            "parameters"  模块要学习的数有多少个，包括偏置
            "output"      输出的形状，写成元组
            "weights"     不作任何说明时，返回的权重的形状
            "per_head"    写明 average_attn_weights=False 时，权重的形状
        用列表代替元组，或把 3 写成 3.0，也算对。

    示例：heads_report(3) 的键是 1、2、3。其中 2 对应 None，1 对应的内容见上文英文部分。
    """
    raise NotImplementedError
