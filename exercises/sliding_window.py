"""Sliding-window attention: look back a little way only.

With a causal mask the last of T tokens sees T keys, and the whole text costs about T * T / 2 scores. If every token
sees only the last w positions, its own included, the cost grows with T * w, and the cache never needs more than w keys.
The past is not lost: what a token saw is in its output, so after two layers a token hears from 2 (w - 1) positions
back, after L layers from L (w - 1).

A window of 3 over 6 tokens lets these be seen: 1 + 2 + 3 + 3 + 3 + 3 = 15 of 36 pairs. As with the causal mask, the
queries are the last positions when there are more keys than queries. This file stands alone: import nothing from the
other exercises.

滑动窗口注意力：只回头看一小段。

在因果掩码下，T 个词元中的最后一个能看见 T 个键，整段文本大约要算 T * T / 2 个分数。如果每个词元只看最近的
w 个位置（包括它自己），代价就随 T * w 增长，缓存里也永远不需要超过 w 个键。过去并没有丢失：一个词元看到过的内容
就在它的输出里，所以经过两层之后，信息可以来自 2 (w - 1) 个位置之前，经过 L 层则是 L (w - 1)。

6 个词元、窗口为 3 时，可见的共有 1 + 2 + 3 + 3 + 3 + 3 = 15 对（总共 36 对）。与因果掩码一样，
键多于查询时，查询是最后的几个位置。本文件应独立完成，不要从其他练习导入。
"""

import torch
from torch import Tensor


def sliding_window_mask(
    q_len: int, window: int, kv_len: int | None = None, device: torch.device | str | None = None
) -> Tensor:
    """Build the mask that lets every query attend to the last `window` positions up to and including its own.

    Args:
        q_len: number of queries; they are the last q_len of the kv_len positions.
        window: how many positions a query sees, its own included, 1 or more.
        kv_len: number of all keys; the same as q_len if it is None.
        device: the device to build the mask on; torch's default if it is None.

    Returns:
        Tensor [q_len, kv_len], dtype bool: True ("may attend") where 0 <= (i + kv_len - q_len) - j < window.

    Raises:
        ValueError: window or a length is below 1, or kv_len is smaller than q_len.

    Example:
        sliding_window_mask(4, 2)               sliding_window_mask(2, 3, kv_len=5)
        [[ True, False, False, False],          [[False,  True,  True,  True, False],
         [ True,  True, False, False],           [False, False,  True,  True,  True]]
         [False,  True,  True, False],
         [False, False,  True,  True]]

    构造掩码，使每个查询可以关注到自己的位置为止的最近 `window` 个位置（包括自己）。

    参数：
        q_len：查询的个数；它们是 kv_len 个位置中的最后 q_len 个。
        window：一个查询能看见多少个位置（包括自己），至少为 1。
        kv_len：键的总数；为 None 时与 q_len 相同。
        device：在哪个设备上构造掩码；为 None 时用 torch 的默认设备。

    返回：
        形状为 [q_len, kv_len] 的 bool 张量：0 <= (i + kv_len - q_len) - j < window 处为 True（可以关注）。

    异常：
        ValueError：window 或某个长度小于 1，或 kv_len 小于 q_len。

    示例见上文英文部分。
    """
    raise NotImplementedError


def sliding_window_attention(q: Tensor, k: Tensor, v: Tensor, window: int) -> Tensor:
    """Scaled dot-product attention under the sliding-window mask.

    Args:
        q: queries [..., T_q, Dh], the last T_q of T_kv positions.
        k: keys [..., T_kv, Dh], T_kv >= T_q.
        v: values [..., T_kv, Dv].
        window: how many positions a query sees, its own included, 1 or more.

    Returns:
        Output [..., T_q, Dv], in the dtype and on the device of q. A hidden key has no influence, however large its
        score. The inputs are not changed; gradients flow back to q, k and v.

    Example:
        x = tensor([[1., 0.], [0., 1.], [1., 1.]])
        sliding_window_attention(x, x, x, 2) -> [[1.0000, 0.0000], [0.3302, 0.6698], [0.6698, 1.0000]]

    在滑动窗口掩码下的缩放点积注意力。

    参数：
        q：查询 [..., T_q, Dh]，是 T_kv 个位置中的最后 T_q 个。
        k：键 [..., T_kv, Dh]，T_kv >= T_q。
        v：值 [..., T_kv, Dv]。
        window：一个查询能看见多少个位置（包括自己），至少为 1。

    返回：
        输出 [..., T_q, Dv]，dtype 和设备与 q 相同。被遮住的键无论分数多大都不起作用。
        输入不被修改；梯度能够传回 q、k 和 v。

    示例见上文英文部分。
    """
    raise NotImplementedError
