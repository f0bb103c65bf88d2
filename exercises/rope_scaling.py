"""RoPE for texts longer than those of training: by how much each pair of channels turns.

RoPE turns pair i = 0 ... head_dim/2 - 1 by the frequency f_i = theta^(-2i / head_dim), in radians a position. The first
pairs go round every few positions and have shown every angle in training. The last ones have not completed a turn;
beyond the trained length they come to angles that the model has never seen, and it fails. So the pairs are slowed down,
for a text `factor` times as long. There are three ways to do so:

* linear interpolation slows all pairs alike. All angles are known again, but neighbours are harder to tell apart;
* the NTK way raises the base, so that the first pair keeps its pace and only the last is slowed down in full;
* YaRN asks of each pair how many turns it makes in the trained length. Pairs with many turns are left alone, pairs that
  make less than one are interpolated, and in between there is a ramp. Llama 3.1 does it like this, with other bounds.

This file stands alone: import nothing from the other exercises.

让 RoPE 适应比训练时更长的文本：每一对通道应转多快。

RoPE 让第 i 对通道（i = 0 …… head_dim/2 - 1）以频率 f_i = theta^(-2i / head_dim) 转动，单位是弧度每位置。
前面几对每隔几个位置就转一圈，训练中出现过所有的角度。最后几对连一圈都没有转完；超出训练长度，
它们就会转到模型从未见过的角度，模型随之失灵。因此文本长到 `factor` 倍时，要让各对转得慢一些。办法有三种：

* 线性插值：各对一样放慢。所有角度又都是见过的，但相邻的位置更难分辨；
* NTK 的办法：加大底数，第一对保持原来的快慢，只有最后一对完全放慢；
* YaRN：看每一对在训练长度内转几圈。转很多圈的不动，不足一圈的作插值，中间是一段斜坡。Llama 3.1 也这样做，
  只是界限不同。

本文件应独立完成，不要从其他练习导入。
"""

import torch
from torch import Tensor


def linear_frequencies(
    head_dim: int, factor: float, theta: float = 10000.0, device: torch.device | str | None = None
) -> Tensor:
    """Slow all pairs down by the factor, as if positions were squeezed into the trained length.

    Args:
        head_dim: number of channels Dh of a head, even.
        factor: how many times longer texts become, 1 or more; not always a whole number.
        theta: base of the frequencies.
        device: the device to build the result on; torch's default if it is None.

    Returns:
        Tensor [head_dim / 2], dtype float32: the new frequency of each pair.

    Raises:
        ValueError: head_dim is odd or below 2, or factor is below 1.

    Example:
        linear_frequencies(8, 4.0) -> [0.25, 0.025, 0.0025, 0.00025], without scaling [1, 0.1, 0.01, 0.001]

    各对都按 factor 放慢，好比把位置压进训练时的长度。

    参数：
        head_dim：每个头的通道数 Dh，偶数。
        factor：文本变为几倍长，至少为 1，不一定是整数。
        theta：频率的底数。
        device：在哪个设备上构造；为 None 时用 torch 的默认设备。

    返回：
        形状为 [head_dim / 2] 的张量，dtype 为 float32：每一对的新频率。

    异常：
        ValueError：head_dim 是奇数或小于 2，或 factor 小于 1。

    示例见上文英文部分。
    """
    raise NotImplementedError


def ntk_frequencies(
    head_dim: int, factor: float, theta: float = 10000.0, device: torch.device | str | None = None
) -> Tensor:
    """Raise the base so far that the last pair turns exactly `factor` times more slowly.

    The first pair turns by 1 radian with any base. The frequencies still have the form base^(-2i / head_dim).

    Args:
        head_dim: number of channels Dh of a head, even, 4 or more.
        factor: how many times longer texts become, 1 or more.
        theta: base of the frequencies before it is raised.
        device: the device to build the result on; torch's default if it is None.

    Returns:
        Tensor [head_dim / 2], dtype float32: the new frequency of each pair.

    Raises:
        ValueError: head_dim is odd or below 4, or factor is below 1.

    Example:
        ntk_frequencies(8, 4.0) -> [1.0000, 0.062996, 0.0039685, 0.00025]

    把底数加大，使最后一对恰好慢到原来的 factor 分之一。

    无论底数是多少，第一对每个位置总转 1 弧度。频率仍是 base^(-2i / head_dim) 的形式。

    参数：
        head_dim：每个头的通道数 Dh，偶数，至少为 4。
        factor：文本变为几倍长，至少为 1。
        theta：加大之前的底数。
        device：在哪个设备上构造；为 None 时用 torch 的默认设备。

    返回：
        形状为 [head_dim / 2] 的张量，dtype 为 float32：每一对的新频率。

    异常：
        ValueError：head_dim 是奇数或小于 4，或 factor 小于 1。

    示例见上文英文部分。
    """
    raise NotImplementedError


def yarn_frequencies(
    head_dim: int,
    factor: float,
    trained_len: int,
    theta: float = 10000.0,
    slow: float = 1.0,
    fast: float = 32.0,
    device: torch.device | str | None = None,
) -> Tensor:
    """Slow each pair down by as much as it needs.

    In the trained length pair i makes r_i = trained_len * f_i / (2 pi) turns. A pair with r_i >= fast keeps f_i, one
    with r_i <= slow gets f_i / factor. In between it gets

        keep * f_i + (1 - keep) * f_i / factor,    where keep = (r_i - slow) / (fast - slow)

    Args:
        head_dim: number of channels Dh of a head, even.
        factor: how many times longer texts become, 1 or more.
        trained_len: the longest text in training, in tokens, 1 or more.
        theta: base of the frequencies.
        slow: with so many turns or fewer a pair is slowed down in full.
        fast: with so many turns or more a pair is left alone; above slow.
        device: the device to build the result on; torch's default if it is None.

    Returns:
        Tensor [head_dim / 2], dtype float32: the new frequency of each pair.

    Raises:
        ValueError: head_dim is odd or below 2, factor is below 1, trained_len is below 1, or fast is not above slow.

    Example:
        yarn_frequencies(8, 4.0, 1000): the pairs make [159.2, 15.92, 1.592, 0.159] turns, the shares kept are
        [1, 0.4811, 0.0191, 0], the frequencies [1.0000, 0.061086, 0.0026431, 0.00025]

    每一对按自己的需要放慢。

    第 i 对在训练长度内转 r_i = trained_len * f_i / (2 pi) 圈。r_i >= fast 的保持 f_i，r_i <= slow 的变为
    f_i / factor。介于两者之间的是

        keep * f_i + (1 - keep) * f_i / factor，其中 keep = (r_i - slow) / (fast - slow)

    参数：
        head_dim：每个头的通道数 Dh，偶数。
        factor：文本变为几倍长，至少为 1。
        trained_len：训练时最长的文本有多少词元，至少为 1。
        theta：频率的底数。
        slow：不超过这么多圈的，完全放慢。
        fast：至少转这么多圈的，保持不变；大于 slow。
        device：在哪个设备上构造；为 None 时用 torch 的默认设备。

    返回：
        形状为 [head_dim / 2] 的张量，dtype 为 float32：每一对的新频率。

    异常：
        ValueError：head_dim 是奇数或小于 2，factor 小于 1，trained_len 小于 1，或 fast 不大于 slow。

    示例见上文英文部分。
    """
    raise NotImplementedError
