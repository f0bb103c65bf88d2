"""Attention heads: share the channels of a model out among heads, and put them back together.

Multi-head attention runs several small attentions side by side. Each head works on its own block of neighbouring
channels: 512 channels and 8 heads make 64 channels a head. Attention runs over tokens, so the tokens have to come right
before the channels, and the heads become one more dimension next to the batch.

注意力头：把模型的通道分给各个头，再重新拼到一起。

多头注意力并排运行若干个小的注意力。每个头处理属于自己的一段相邻通道：512 个通道、8 个头，每头就是 64 个通道。
注意力在词元之间进行，所以词元维要紧挨在通道维之前，头则成为批次旁边新的一维。
"""

from torch import Tensor


def split_heads(x: Tensor, num_heads: int) -> Tensor:
    """Share the channels out among the heads; head 0 gets the first block, head 1 the next, and so on.

    Args:
        x: Tensor [B, T, D]: batch, tokens, channels; any float dtype, any memory layout.
        num_heads: number of heads H.

    Returns:
        Tensor [B, H, T, D/H] of the same dtype, on the same device. Entry [b, h, t, c] is x[b, t, h * D/H + c].

    Raises:
        ValueError: D is not divisible by num_heads.

    Example:
        x [32, 100, 512] and 8 heads give [32, 8, 100, 64].
        With D = 12 and 3 heads, entry [b, 2, t, 1] of the result is x[b, t, 9].
        x = [[[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]]] (B = 1, T = 2, D = 6) and 2 heads give
        [[[[0, 1, 2], [6, 7, 8]], [[3, 4, 5], [9, 10, 11]]]].

    把通道分给各个头：第 0 个头得到第一段，第 1 个头得到第二段，依此类推。

    参数：
        x：张量 [B, T, D]，依次为批次、词元、通道；任意浮点 dtype，任意内存排布。
        num_heads：头数 H。

    返回：
        形状为 [B, H, T, D/H] 的张量，dtype 和设备不变。元素 [b, h, t, c] 等于 x[b, t, h * D/H + c]。

    异常：
        ValueError：D 不能被 num_heads 整除。

    示例：
        x [32, 100, 512] 分成 8 个头，得到 [32, 8, 100, 64]。
        D = 12、3 个头时，结果的元素 [b, 2, t, 1] 是 x[b, t, 9]。
        x = [[[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]]]（B = 1，T = 2，D = 6）分成 2 个头，得到
        [[[[0, 1, 2], [6, 7, 8]], [[3, 4, 5], [9, 10, 11]]]]。
    """
    raise NotImplementedError


def merge_heads(x: Tensor) -> Tensor:
    """Put the heads of each token side by side again, head 0 first: the inverse of split_heads.

    Args:
        x: Tensor [B, H, T, Dh]: batch, heads, tokens, channels of a head; any float dtype, any memory layout.

    Returns:
        Tensor [B, T, H * Dh] of the same dtype, on the same device. Entry [b, t, h * Dh + c] is x[b, h, t, c].

    Example:
        x [32, 8, 100, 64] gives [32, 100, 512], and merge_heads(split_heads(y, 8)) equals y.

    把每个词元的各个头重新并排放好，第 0 个头在最前：split_heads 的逆运算。

    参数：
        x：张量 [B, H, T, Dh]，依次为批次、头、词元、每头的通道；任意浮点 dtype，任意内存排布。

    返回：
        形状为 [B, T, H * Dh] 的张量，dtype 和设备不变。元素 [b, t, h * Dh + c] 等于 x[b, h, t, c]。

    示例：
        x [32, 8, 100, 64] 合并为 [32, 100, 512]；merge_heads(split_heads(y, 8)) 等于 y。
    """
    raise NotImplementedError
