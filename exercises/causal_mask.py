"""Causal mask: who may look at whom when text is generated from left to right.

A language model predicts each token from the tokens before it, so no query may attend to a later key. While it
generates, the keys of earlier tokens wait in a cache and only the newest tokens come as queries: then there are more
keys than queries, and the queries are the last positions.

因果掩码：从左到右生成文本时，谁可以看到谁。

语言模型根据前面的词元预测每个词元，因此查询不能关注位置在它之后的键。生成过程中，早先词元的键保存在缓存里，
只有最新的几个词元作为查询输入：这时键多于查询，而查询对应的是最后的几个位置。
"""

import torch
from torch import Tensor


def causal_mask(q_len: int, kv_len: int | None = None, device: torch.device | str | None = None) -> Tensor:
    """Build the mask that lets every query attend to its own position and to all positions before it.

    Args:
        q_len: number of queries; they are the last q_len of the kv_len positions.
        kv_len: number of all keys, cached ones included; the same as q_len if it is None.
        device: the device to build the mask on; torch's default if it is None.

    Returns:
        Tensor [q_len, kv_len], dtype bool. Entry (i, j) is True ("may attend") exactly if j <= i + kv_len - q_len.

    Raises:
        ValueError: kv_len is smaller than q_len, or a length is below 1.

    Example:
        causal_mask(3)             causal_mask(2, kv_len=5)
        [[ True, False, False],    [[ True,  True,  True,  True, False],
         [ True,  True, False],     [ True,  True,  True,  True,  True]]
         [ True,  True,  True]]

        Scores [[2.0, 1.0, 0.5], [1.2, 2.1, 0.7], [0.8, 1.3, 2.2]] under the left mask give, after softmax, the weights
        [[1, 0, 0], [0.2891, 0.7109, 0], [0.1492, 0.2459, 0.6049]].

    构造掩码，使每个查询可以关注自己的位置以及在它之前的所有位置。

    参数：
        q_len：查询的个数；它们是 kv_len 个位置中的最后 q_len 个。
        kv_len：键的总数，包括缓存中的；为 None 时与 q_len 相同。
        device：在哪个设备上构造掩码；为 None 时用 torch 的默认设备。

    返回：
        形状为 [q_len, kv_len] 的 bool 张量。当且仅当 j <= i + kv_len - q_len 时，元素 (i, j) 为 True（可以关注）。

    异常：
        ValueError：kv_len 小于 q_len，或某个长度小于 1。

    示例：
        见上。左边的掩码用于分数 [[2.0, 1.0, 0.5], [1.2, 2.1, 0.7], [0.8, 1.3, 2.2]]，softmax 之后的权重为
        [[1, 0, 0], [0.2891, 0.7109, 0], [0.1492, 0.2459, 0.6049]]。
    """
    raise NotImplementedError
