"""From weights back to scores.

Softmax turns scores into weights. Can you go back? A row of weights does not tell which scores it came from: adding
7 to all scores of a row leaves its weights as they are. But it does tell how far apart the scores were, exactly: a
weight four times as large belongs to a score that is higher by one certain number, wherever the two stand in the row.

So any scores will do here whose softmax is the given row. Finding them is also the quickest way to judge weights that
someone prints: do the scores that they claim belong to these weights?

由权重反推分数。

softmax 把分数变成权重。能倒回去吗？仅凭一行权重，说不出它来自哪些分数：给整行分数都加 7，权重不变。
但它准确地说出了分数之间相差多少：一个权重是另一个的四倍，对应的分数就高出一个确定的数，与它们在行中的位置无关。

所以只要 softmax 之后得到给定的那一行，任何一组分数都算对。反推分数也是检验别人所写权重的最快办法：
他所说的分数，真的对应这些权重吗？
"""

from torch import Tensor


def softmax_inverse(w: Tensor) -> Tensor:
    """Scores whose softmax is w.

    Args:
        w: [n], n weights of any float dtype: each between 0 and 1, together 1 (up to rounding). Some may be 0.

    Returns:
        Scores [n], in the dtype and on the device of w. Adding one constant (within +-100, say) to all of them makes
        no difference; all are right. A weight of 0 belongs to a score of -inf, all other scores are finite.
        w itself is not changed.

    Example, up to a constant:
        softmax_inverse(tensor([0.25, 0.15, 0.60]))  -> [-0.8755, -1.3863, 0.0000]
        softmax_inverse(tensor([0.80, 0.00, 0.20]))  -> [1.3863, -inf, 0.0000]

    求一组分数，使其 softmax 等于 w。

    参数：
        w：[n]，n 个权重，任意浮点 dtype：每个都在 0 与 1 之间，总和为 1（允许舍入误差）。其中可以有 0。

    返回：
        分数 [n]，dtype 和设备与 w 相同。给全部分数加上同一个常数（例如在 ±100 以内）没有区别，都算对。
        权重 0 对应的分数是 -inf，其余分数都是有限的。w 本身不被修改。

    示例见上文英文部分。
    """
    raise NotImplementedError
