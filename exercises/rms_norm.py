"""RMSNorm: give every vector the same length, keep its direction.

Deep networks multiply and add all day, and the numbers drift: too large, too small. Before each attention and each
feed-forward layer, Llama-like models therefore bring every token's vector to the same size. The measure is the root
mean square, the size of a typical entry:

    rms(x) = sqrt((x_1^2 + ... + x_D^2) / D)
    y_i = x_i / sqrt(rms(x)^2 + eps) * weight_i

eps keeps a vector of zeros from being divided by 0, and the weight, if there is one, is learned: it lets the network
stretch single channels again. LayerNorm would subtract the mean as well; RMSNorm leaves it where it is.

Mind the squares: in float16 everything above 65,504 is infinite, so an entry of 300 is harmless and its square is not.
PyTorch's own RMSNorm is not allowed here. This file stands alone: import nothing from other exercises.

RMSNorm：让每个向量一样长，方向不变。

深层网络不停地相乘、相加，数值会漂移：越来越大，或越来越小。因此 Llama 一类的模型在每个注意力层和前馈层之前，
都先把每个词元的向量调整到同样的大小。衡量大小用的是均方根，也就是一个典型分量的大小：

    rms(x) = sqrt((x_1^2 + ... + x_D^2) / D)
    y_i = x_i / sqrt(rms(x)^2 + eps) * weight_i

eps 避免全 0 的向量除以 0；weight（如果有）是学出来的，让网络可以重新拉伸个别通道。
LayerNorm 还会减去均值，RMSNorm 则不动它。

当心平方：float16 里超过 65,504 的数都是无穷大，所以 300 这样的分量本身没有问题，它的平方却有问题。
本题不允许使用 PyTorch 自带的 RMSNorm。本文件应独立完成，不要从其他练习导入。
"""

from torch import Tensor


def rms_norm(x: Tensor, weight: Tensor | None = None, eps: float = 1e-6) -> Tensor:
    """Divide each vector by its root mean square, then stretch its channels.

    Args:
        x: vectors [..., D] of any float dtype. Each one, along the last dimension, is normalised by itself.
        weight: a factor for each channel [D]; its dtype may be wider than that of x. None: no factors.
        eps: what is added to the mean of the squares, inside the root.

    Returns:
        [..., D] in the dtype and on the device of x, also if weight has a wider dtype. Entries up to 60,000 are no
        problem in float16. x and weight are not changed; gradients flow to both.

    Example:
        rms_norm(tensor([2.5, 1.3, 3.7, 0.8]))               -> [1.0595, 0.5510, 1.5681, 0.3390]   (rms 2.3596)
        rms_norm(tensor([3., -4.]), weight=tensor([1., 10.])) -> [0.8485, -11.3137]
        rms_norm(tensor([0., 0.]))                            -> [0.0000, 0.0000]

    把每个向量除以它的均方根，再逐通道拉伸。

    参数：
        x：向量 [..., D]，任意浮点 dtype。每个向量沿最后一维单独归一化。
        weight：每个通道的系数 [D]；它的 dtype 可以比 x 的更宽。None 表示没有系数。
        eps：加在平方均值上的数，在根号之内。

    返回：
        [..., D]，dtype 和设备与 x 相同，即使 weight 的 dtype 更宽。float16 下分量达到 60,000 也不成问题。
        x 和 weight 都不被修改；梯度传回两者。

    示例见上文英文部分。
    """
    raise NotImplementedError
