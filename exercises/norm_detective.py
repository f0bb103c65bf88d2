"""Which normalisation is in the box?

Five functions are all called "normalising" by somebody. A box holds one of them and applies it to each row of what you
put in. You cannot open it; you may send in up to three vectors of your choice, look at what comes out, and have to say
which one it is.

    softmax     e^(x_i) / (e^(x_1) + ... + e^(x_D))
    sigmoid     1 / (1 + e^(-x_i))
    l2          x_i / sqrt(x_1^2 + ... + x_D^2)
    rmsnorm     x_i / sqrt((x_1^2 + ... + x_D^2) / D)
    layernorm   (x_i - m) / sqrt(((x_1 - m)^2 + ... + (x_D - m)^2) / D) with the mean m

Each has a mark that the others lack: something that always sums to 1, something that always has the mean 0, something
that does not change when the input is shifted, or stretched. But a mark shows only on the right input: a vector with
the mean 0, for example, comes out of rmsnorm and of layernorm alike. Boxes may add an eps of 1e-5 or less where
something is divided. This file stands alone: import nothing from other exercises.

盒子里装的是哪一种归一化？

有五个函数都被人叫作“归一化”。盒子里装着其中一个，它会作用在你放进去的每一行上。你不能打开盒子；
你可以放进最多三个自己选的向量，看看出来的是什么，然后说出它是哪一个。五个公式见上文英文部分：
softmax、sigmoid、l2（除以长度）、rmsnorm（除以均方根）、layernorm（减去均值 m，再除以标准差）。

每一个都有别人没有的标记：有的总和为 1，有的均值为 0，有的在输入平移后不变，有的在输入拉伸后不变。
但标记只在合适的输入上才显现：例如均值为 0 的向量，从 rmsnorm 和 layernorm 里出来是一样的。
盒子在做除法的地方可能加上不超过 1e-5 的 eps。本文件应独立完成，不要从其他练习导入。
"""

from torch import Tensor


def probes() -> Tensor:
    """The vectors that you send into the box.

    Returns:
        float32 [n, D], or whole numbers, which become float32: n vectors, 1 to 3, of D entries each, 1 to 16, all
        between -100 and 100, the same at every call. From what comes out any two of the five boxes must be told apart:
        somewhere their outputs have to differ by 0.01 or more.

    Example of probes that fail, because rmsnorm and layernorm make the same of them:
        tensor([[1., -1.]])

    你放进盒子的向量。

    返回：
        float32 张量 [n, D]，整数也可以（会转成 float32）：n 个向量（1 到 3 个），每个有 D 个分量（1 到 16 个），
        都在 -100 和 100 之间，每次调用都相同。
        根据输出要能区分五个盒子中的任意两个：它们的输出至少有一处相差 0.01 或更多。

    不合格的例子见上文英文部分：rmsnorm 和 layernorm 对它给出相同的结果。
    """
    raise NotImplementedError


def classify(outputs: Tensor) -> str:
    """Name the box from what it made of your probes.

    Args:
        outputs: float32 or float64 [n, D]; row i is what the box made of row i of probes(). Not to be changed.

    Returns:
        "softmax", "sigmoid", "l2", "rmsnorm" or "layernorm".

    根据盒子对你的探针给出的输出，说出它是哪一个。

    参数：
        outputs：float32 或 float64 张量 [n, D]；第 i 行是盒子对 probes() 第 i 行的输出。不可修改。

    返回：
        "softmax"、"sigmoid"、"l2"、"rmsnorm" 或 "layernorm"。
    """
    raise NotImplementedError
