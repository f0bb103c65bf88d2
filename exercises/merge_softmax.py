"""Softmax in parts: the idea behind FlashAttention.

The weights of softmax need the sum over a whole row, so it seems that the whole row must be there at once. It need not.
Cut the keys into parts and keep three things of each: its largest score m, the sum l of its exponentials, and the sum o
of its values times these exponentials, both taken relative to m. Two parts can then be merged into one:

    m = max(m1, m2)      l = l1 e^(m1 - m) + l2 e^(m2 - m)      o = o1 e^(m1 - m) + o2 e^(m2 - m)

The factors bring both parts to the same reference point, and neither is larger than 1, so nothing overflows. Order and
grouping do not matter. At the very end o / l is the output of attention, exactly.

One trap waits: a part in which every key is hidden has m = -inf, l = 0, o = 0, and -inf - (-inf) is not a number. Such
a part must change nothing. This file stands alone: import nothing from the other exercises.

分段的 softmax：FlashAttention 背后的想法。

softmax 的权重需要整行之和，看来整行必须同时在场。其实不必。把键切成若干段，每段只保留三样东西：最大的分数 m、
各指数之和 l，以及各个值乘以这些指数之和 o，后两者都以 m 为基准。这样，两段就能合并成一段：

    m = max(m1, m2)      l = l1 e^(m1 - m) + l2 e^(m2 - m)      o = o1 e^(m1 - m) + o2 e^(m2 - m)

两个因子把两段换算到同一基准，而且都不超过 1，因此不会溢出。先后次序和如何结合都无关紧要。
到最后，o / l 恰好就是注意力的输出。

有一个陷阱：如果一段里的键全被遮住，则 m = -inf、l = 0、o = 0，而 -inf - (-inf) 不是数。这样的一段不应改变任何结果。
本文件应独立完成，不要从其他练习导入。
"""

from torch import Tensor

Part = tuple[Tensor, Tensor, Tensor]


def softmax_part(scores: Tensor, v: Tensor) -> Part:
    """Keep of one part of the keys what attention needs of it.

    Args:
        scores: the scores of T queries with n of the keys [..., T, n]; -inf where a key is hidden.
        v: the values of these keys [..., n, Dv], with the same leading dimensions.

    Returns:
        (m, l, o): the largest score m [..., T]; the sum l [..., T] of e^(score - m); the sum o [..., T, Dv] of
        e^(score - m) times the value. A row in which everything is hidden gives -inf, 0 and 0. Same dtype and device;
        scores of 10,000 are no problem; the inputs are not changed, gradients flow back to v.

    Example:
        softmax_part(tensor([[1., 3.]]), tensor([[1., 0.], [0., 1.]]))
            -> m [3.0000], l [1.1353], o [[0.1353, 1.0000]]

    从一段键中保留注意力所需的内容。

    参数：
        scores：T 个查询与其中 n 个键的分数 [..., T, n]；键被遮住的地方为 -inf。
        v：这些键的值 [..., n, Dv]，前面的维度相同。

    返回：
        (m, l, o)：最大的分数 m [..., T]；各个 e^(分数 - m) 之和 l [..., T]；
        各个值乘以 e^(分数 - m) 之和 o [..., T, Dv]。
        全被遮住的一行得到 -inf、0 和 0。dtype 和设备不变；分数为 10,000 也不成问题；输入不被修改，梯度能够传回 v。

    示例见上文英文部分。
    """
    raise NotImplementedError


def merge_softmax(one: Part, other: Part) -> Part:
    """Merge two parts into the one that all their keys together would have given.

    Args:
        one: (m, l, o) of some keys, as softmax_part or merge_softmax returns them: [..., T], [..., T], [..., T, Dv].
        other: likewise for other keys, same shapes. In either m may be -inf (with l = 0 and o = 0), also in both.

    Returns:
        (m, l, o) of all these keys, same shapes, dtype and device. Inputs are not changed; gradients flow back to l, o.

    Example:
        merge_softmax((tensor([3.]), tensor([1.1353]), tensor([[0.1353, 1.]])),
                      (tensor([2.]), tensor([1.]), tensor([[5., 5.]])))
            -> m [3.0000], l [1.5032], o [[1.9747, 2.8394]]

    把两段合并成一段，结果与把它们的键放在一起时相同。

    参数：
        one：一些键的 (m, l, o)，由 softmax_part 或 merge_softmax 返回：[..., T]、[..., T]、[..., T, Dv]。
        other：另一些键的，形状相同。其中任何一个的 m 都可以是 -inf（此时 l = 0、o = 0），也可以两个都是。

    返回：
        所有这些键的 (m, l, o)，形状、dtype 和设备不变。输入不被修改；梯度能够传回 l 和 o。

    示例见上文英文部分。
    """
    raise NotImplementedError
