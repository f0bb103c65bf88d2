"""Soft dictionary lookup.

A dictionary answers a question with one entry: the one whose key matches, and nothing of the others. Attention asks
more softly. Every entry gets a weight that says how well it matches, and the answer is a mix of all values in these
proportions:

    answer = weights[0] * values[0] + weights[1] * values[1] + ... + weights[n - 1] * values[n - 1]

With all weight on one entry this is the old dictionary; with equal weights it is the average; in between it is
something that no entry says alone. And because a mix changes smoothly with its weights, a model can learn which
entries to weigh. Here the weights are given; where they come from is what the next exercises are about.
This file stands alone: import nothing from the other exercises.

软字典查询。

字典对一个问题只给出一个条目：键相符的那一个，其余条目一概不管。注意力的问法更“软”：
每个条目都有一个权重，表示它有多匹配，答案是所有值按这些比例混合的结果：

    answer = weights[0] * values[0] + weights[1] * values[1] + ... + weights[n - 1] * values[n - 1]

权重全部落在一个条目上时，它就是普通的字典；权重相等时，它就是平均值；介于两者之间时，
得到的是任何一个条目都没有单独说出的内容。混合的结果随权重平滑变化，所以模型能够学会该看重哪些条目。
本题的权重是已知的；权重从何而来，是后面几道练习的主题。本文件应独立完成，不要从其他练习导入。
"""

from torch import Tensor


def soft_lookup(weights: Tensor, values: Tensor) -> Tensor:
    """Mix the rows of `values` in the proportions that each row of `weights` gives.

    Args:
        weights: [..., n], one weight an entry; any number of leading dimensions (none, queries, a batch of them, ...).
            They are taken as they are: a row usually sums to 1, but need not.
        values: [n, d], one row an entry, in the dtype of weights (any float dtype).

    Returns:
        [..., d]: for each row of weights one mix of the values; same dtype and device. The inputs are not changed, and
        gradients flow back to both.

    Example:
        values = tensor([[10., 0.], [20., 0.], [30., 1.], [40., 1.]])
        soft_lookup(tensor([0.1, 0.05, 0.8, 0.05]), values)                  -> [28.00, 0.85]
        soft_lookup(tensor([[0., 0., 1., 0.], [0.5, 0.5, 0., 0.]]), values)  -> [[30, 1], [15, 0]]

    按 `weights` 每一行给出的比例，混合 `values` 的各行。

    参数：
        weights：[..., n]，每个条目一个权重；前面可以有任意多个维度（没有、多个查询、成批的查询……）。
            权重按原样使用：一行之和通常为 1，但不保证。
        values：[n, d]，每个条目一行，dtype 与 weights 相同（任意浮点 dtype）。

    返回：
        [..., d]：weights 的每一行对应一个混合结果；dtype 和设备不变。
        输入不被修改，梯度能够传回两个输入。

    示例见上文英文部分。
    """
    raise NotImplementedError
