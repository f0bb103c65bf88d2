"""Where a token stands: two more ways than RoPE.

Attention without positions sees a set: exchange two tokens, and the outputs are exchanged, nothing else. So the order
has to be told. RoPE turns queries and keys; two other ways are simpler, and older models use them.

A table of sines is added to the tokens before the first layer. Each pair of channels is the hand of a clock: the first
goes round in about 6 tokens, the last takes tens of thousands. Moving on by k tokens turns every hand by an angle that
depends on k only, so that distances can be read from the table.

ALiBi tells the tokens nothing. It takes from each score a penalty that grows with the distance of the key, head by head
with another slope: one head looks at what is near, another far back. Later keys are hidden, so that the bias is the
causal mask as well. It needs no table and knows no longest text.

This file stands alone: import nothing from the other exercises.

词元站在哪里：RoPE 之外的两种办法。

没有位置的注意力看到的是一个集合：交换两个词元，输出也跟着交换，别的什么都不变。所以次序必须另外告诉它。
RoPE 旋转查询和键；另外两种办法更简单，较早的模型用的就是它们。

一张正弦表，在第一层之前加到词元上。每一对通道好比一根钟表指针：第一根大约 6 个词元走一圈，最后一根要几万个。
往后移 k 个词元，每根指针转过的角度只取决于 k，于是从表中可以读出距离。

ALiBi 什么也不告诉词元。它从每个分数里扣去一个随距离增长的量，每个头的斜率不同：有的头看近处，有的头看得很远。
后面的键被遮住，因此这个偏置同时就是因果掩码。它不需要表，也没有最大长度。

本文件应独立完成，不要从其他练习导入。
"""

import torch
from torch import Tensor


def sinusoidal_positions(
    length: int, channels: int, base: float = 10000.0, device: torch.device | str | None = None
) -> Tensor:
    """Build the table of sines and cosines that is added to the tokens.

    Row p, channels 2i and 2i + 1, for i = 0 ... channels / 2 - 1:

        table[p, 2i]     = sin(p / base^(2i / channels))
        table[p, 2i + 1] = cos(p / base^(2i / channels))

    Args:
        length: number of positions T; they count from 0.
        channels: channels D of a token, an even number.
        base: how slowly the last pair turns.
        device: the device to build the table on; torch's default if it is None.

    Returns:
        Tensor [length, channels], dtype float32.

    Raises:
        ValueError: length is below 1, or channels is odd or below 2.

    Example:
        sinusoidal_positions(2, 4) -> [[0.0000, 1.0000, 0.0000, 1.0000], [0.8415, 0.5403, 0.0100, 0.9999]]

    构造加到词元上的正弦余弦表。

    第 p 行的第 2i 和第 2i + 1 个通道，i = 0 ... channels / 2 - 1：

        table[p, 2i]     = sin(p / base^(2i / channels))
        table[p, 2i + 1] = cos(p / base^(2i / channels))

    参数：
        length：位置个数 T，从 0 数起。
        channels：一个词元的通道数 D，偶数。
        base：最后一对通道转得有多慢。
        device：在哪个设备上构造；为 None 时用 torch 的默认设备。

    返回：
        形状为 [length, channels] 的张量，dtype 为 float32。

    异常：
        ValueError：length 小于 1，或 channels 是奇数或小于 2。

    示例见上文英文部分。
    """
    raise NotImplementedError


def alibi_bias(
    num_heads: int, q_len: int, kv_len: int | None = None, device: torch.device | str | None = None
) -> Tensor:
    """Build ALiBi's bias, which is added to the scaled scores before softmax.

    The queries are the last q_len of kv_len positions. A key that lies n tokens before the query gets -slope * n, the
    query's own position 0, and a later key -inf. Head h of H, counted from 1, has the slope 2^(-8 h / H).

    Args:
        num_heads: number of heads H, a power of 2.
        q_len: number of queries T_q, 1 or more.
        kv_len: number of keys T_kv, at least q_len; q_len if it is None.
        device: the device to build the bias on; torch's default if it is None.

    Returns:
        Tensor [num_heads, q_len, kv_len], dtype float32.

    Raises:
        ValueError: num_heads is not a power of 2 (1, 2, 4, ...), q_len is below 1, or kv_len is below q_len.

    Example:
        alibi_bias(2, 3)     -> [[[ 0.0000,    -inf,    -inf],
                                  [-0.0625,  0.0000,    -inf],
                                  [-0.1250, -0.0625,  0.0000]],
                                 [[ 0.0000,    -inf,    -inf],
                                  [-0.0039,  0.0000,    -inf],
                                  [-0.0078, -0.0039,  0.0000]]]
        alibi_bias(1, 1, 3)  -> [[[-0.0078, -0.0039, 0.0000]]]

    构造 ALiBi 的偏置，在 softmax 之前加到缩放后的分数上。

    查询是 kv_len 个位置中的最后 q_len 个。键在查询之前 n 个词元时，偏置为 -slope * n；查询自己的位置为 0；
    后面的键为 -inf。H 个头中的第 h 个（从 1 数起）的斜率是 2^(-8 h / H)。

    参数：
        num_heads：头数 H，2 的幂。
        q_len：查询个数 T_q，至少为 1。
        kv_len：键的个数 T_kv，至少为 q_len；为 None 时等于 q_len。
        device：在哪个设备上构造；为 None 时用 torch 的默认设备。

    返回：
        形状为 [num_heads, q_len, kv_len] 的张量，dtype 为 float32。

    异常：
        ValueError：num_heads 不是 2 的幂（1、2、4……），q_len 小于 1，或 kv_len 小于 q_len。

    示例见上文英文部分。
    """
    raise NotImplementedError
