"""Long texts: three ways to compute fewer scores.

Full attention compares every token with every token. Three well-known ways compare less, and so give another output:

A local window with a few global tokens (Longformer): neighbours see each other; the global tokens see all and are seen
by all, so that any two tokens are at most two steps apart. Buckets (Reformer): queries and keys are hashed, and only
those with the same hash are compared. Low rank (Linformer): the keys are mixed down to R by a matrix before they are
compared, and the values likewise, so that there are T * R scores.

There is no causal mask in this exercise. This file stands alone: import nothing from the other exercises.

长文本：少算一些分数的三种办法。

完整的注意力让每个词元与每个词元比较。有三种常见的办法比较得少一些，因此输出也不同：

局部窗口加少数全局词元（Longformer）：邻近的词元互相看见；全局词元看见所有词元，也被所有词元看见，所以任意两个词元
之间至多两步。分桶（Reformer）：给查询和键算哈希值，只比较哈希值相同的。低秩（Linformer）：比较之前先用一个矩阵把键
混合成 R 个，值也一样，于是只有 T * R 个分数。

本练习不用因果掩码。本文件应独立完成，不要从其他练习导入。
"""

import torch
from torch import Tensor


def local_global_mask(length: int, window: int, num_global: int, device: torch.device | str | None = None) -> Tensor:
    """Build the mask of a local window with global tokens.

    Args:
        length: number of tokens T.
        window: token i sees the tokens j with |i - j| < window, its own position included, 1 or more.
        num_global: the first num_global tokens see every token and are seen by every token, 0 or more.
        device: the device to build the mask on; torch's default if it is None.

    Returns:
        Tensor [length, length], dtype bool, True = may attend.

    Raises:
        ValueError: length or window is below 1, or num_global is negative or larger than length.

    Example:
        local_global_mask(4, 1, 1)              local_global_mask(4, 2, 0)
        [[ True,  True,  True,  True],          [[ True,  True, False, False],
         [ True,  True, False, False],           [ True,  True,  True, False],
         [ True, False,  True, False],           [False,  True,  True,  True],
         [ True, False, False,  True]]           [False, False,  True,  True]]

    构造局部窗口加全局词元的掩码。

    参数：
        length：词元个数 T。
        window：词元 i 看见满足 |i - j| < window 的词元 j（包括自己的位置），至少为 1。
        num_global：最前面的 num_global 个词元看见所有词元，也被所有词元看见，至少为 0。
        device：在哪个设备上构造掩码；为 None 时用 torch 的默认设备。

    返回：
        形状为 [length, length] 的 bool 张量，True 表示可以关注。

    异常：
        ValueError：length 或 window 小于 1，或 num_global 为负数或大于 length。

    示例见上文英文部分。
    """
    raise NotImplementedError


def bucket_mask(query_buckets: Tensor, key_buckets: Tensor) -> Tensor:
    """Build the mask that lets queries attend to the keys in their own bucket.

    Args:
        query_buckets: the bucket of each query, whole numbers [..., T_q].
        key_buckets: the bucket of each key, whole numbers [..., T_kv], with the same leading dimensions.

    Returns:
        Tensor [..., T_q, T_kv], dtype bool, True = may attend. The inputs are not changed.

    Example:
        bucket_mask(tensor([0, 1]), tensor([1, 0, 1])) -> [[False, True, False], [True, False, True]]

    构造掩码，使查询可以关注自己那个桶里的键。

    参数：
        query_buckets：每个查询所在的桶，整数 [..., T_q]。
        key_buckets：每个键所在的桶，整数 [..., T_kv]，前面的维度相同。

    返回：
        形状为 [..., T_q, T_kv] 的 bool 张量，True 表示可以关注。输入不被修改。

    示例见上文英文部分。
    """
    raise NotImplementedError


def low_rank_attention(q: Tensor, k: Tensor, v: Tensor, mix_k: Tensor, mix_v: Tensor) -> Tensor:
    """Scaled dot-product attention to R mixed keys and values.

    Args:
        q: queries [..., T_q, Dh].
        k: keys [..., T_kv, Dh].
        v: values [..., T_kv, Dv].
        mix_k: [R, T_kv]; row r says how much mixed key r takes from each key.
        mix_v: [R, T_kv]; likewise for the values.

    Returns:
        Output [..., T_q, Dv], in the dtype and on the device of q. The inputs are not changed; gradients flow back to
        all five.

    Example:
        q, k and v = tensor([[1., 0.], [0., 1.], [1., 1.]]); mix = tensor([[1., 0., 1.], [0., 1., 0.]])
        low_rank_attention(q, k, v, mix, mix) -> [[1.6089, 1.0000], [1.0000, 1.0000], [1.6089, 1.0000]]

    对 R 个混合而成的键和值做缩放点积注意力。

    参数：
        q：查询 [..., T_q, Dh]。
        k：键 [..., T_kv, Dh]。
        v：值 [..., T_kv, Dv]。
        mix_k：[R, T_kv]；第 r 行说明第 r 个混合键从各个键取多少。
        mix_v：[R, T_kv]；对值也一样。

    返回：
        输出 [..., T_q, Dv]，dtype 和设备与 q 相同。输入不被修改；梯度能够传回全部五个输入。

    示例见上文英文部分。
    """
    raise NotImplementedError
