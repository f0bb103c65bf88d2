"""Keeping scores in bounds: QK-norm, soft-capping, and a sink.

In large models scores grow as training goes on. Softmax then gives everything to one key, its gradient is gone, and in
half precision the numbers run out. And softmax has to spend its whole weight, even where no key fits: models learn to
dump it on the first token. Three remedies that today's models use:

QK-norm brings every query and every key to the root mean square 1 before they meet, so that a score cannot be larger
than the root of Dh; a learned gain for each channel lets the model choose how sharp it wants to be. Soft-capping bends
the scores smoothly so that they stay between -cap and cap. A sink is one more score in each row, learned, one for each
head. It takes part in softmax, but nothing belongs to it: the weights of the keys may add up to less than 1.

This file stands alone: import nothing from the other exercises. PyTorch's softmax and tanh may be used.

把分数约束住：QK 归一化、软上限与汇。

大模型训练越久，分数越大。于是 softmax 把一切都给了一个键，梯度消失，半精度的数也不够用了。
而且 softmax 必须把全部权重花出去，哪怕没有一个键合适：模型学会了把它倒给第一个词元。今天的模型用的三种办法：

QK 归一化让每个查询和每个键在相遇之前的均方根为 1，于是分数不会超过 Dh 的平方根；每个通道有一个学来的 gain，
让模型自己决定要多尖锐。软上限把分数平滑地压弯，使它们留在 -cap 与 cap 之间。汇（sink）是每一行多出来的一个分数，
是学来的，每个头一个。它参加 softmax，却不对应任何值：各个键的权重之和可以小于 1。

本文件应独立完成，不要从其他练习导入。可以使用 PyTorch 的 softmax 和 tanh。
"""

from torch import Tensor


def qk_norm_scores(q: Tensor, k: Tensor, q_gain: Tensor, k_gain: Tensor, eps: float = 1e-6) -> Tensor:
    """Scaled scores of normalised queries and keys.

    Each vector x of Dh channels becomes x / sqrt(mean(x^2) + eps), then each channel is multiplied by its gain. The
    products of queries and keys are divided by sqrt(Dh).

    Args:
        q: queries [..., T_q, Dh].
        k: keys [..., T_kv, Dh].
        q_gain: gain of the queries, [Dh].
        k_gain: gain of the keys, [Dh].
        eps: a small number under the root.

    Returns:
        Scores [..., T_q, T_kv], in the dtype and on the device of q. Squares of what float16 can hold may be larger
        than float16 can hold; the scores are right all the same. The inputs are not changed; gradients flow back to q,
        k and both gains.

    Example:
        q = tensor([[3., 4.]]); k = tensor([[30., 40.], [4., -3.]]); ones = torch.ones(2)
        qk_norm_scores(q, k, ones, ones)                      -> [[1.4142, 0.0000]]
        qk_norm_scores(q, k, tensor([2., 1.]), ones, eps=0.0) -> [[1.9233, 0.6788]]

    归一化之后的查询与键的缩放分数。

    每个有 Dh 个通道的向量 x 变成 x / sqrt(mean(x^2) + eps)，再逐通道乘以 gain。查询与键的乘积再除以 sqrt(Dh)。

    参数：
        q：查询 [..., T_q, Dh]。
        k：键 [..., T_kv, Dh]。
        q_gain：查询的 gain，[Dh]。
        k_gain：键的 gain，[Dh]。
        eps：根号下的一个小数。

    返回：
        分数 [..., T_q, T_kv]，dtype 和设备与 q 相同。float16 能表示的数，平方之后可能超出 float16；分数仍应正确。
        输入不被修改；梯度能够传回 q、k 和两个 gain。

    示例见上文英文部分。
    """
    raise NotImplementedError


def soft_cap(scores: Tensor, cap: float) -> Tensor:
    """Bend the scores so that they stay between -cap and cap: cap * tanh(scores / cap).

    Args:
        scores: any shape.
        cap: a number above 0.

    Returns:
        Tensor of the same shape, in the dtype and on the device of scores. Small scores hardly change. The input is not
        changed; gradients flow back to it.

    Raises:
        ValueError: cap is 0 or below.

    Example:
        soft_cap(tensor([0.1, 1., 10., -1000.]), 2.) -> [0.0999, 0.9242, 1.9998, -2.0000]

    把分数压弯，使它们留在 -cap 与 cap 之间：cap * tanh(scores / cap)。

    参数：
        scores：任意形状。
        cap：大于 0 的数。

    返回：
        形状相同的张量，dtype 和设备与 scores 相同。小的分数几乎不变。输入不被修改；梯度能够传回。

    异常：
        ValueError：cap 小于或等于 0。

    示例见上文英文部分。
    """
    raise NotImplementedError


def sink_softmax(scores: Tensor, sink: Tensor, mask: Tensor | None = None) -> Tensor:
    """Softmax over the keys, with a sink in each row.

        weight_j = exp(score_j) / (exp(sink) + sum over the visible keys of exp(score))

    Args:
        scores: [..., H, T_q, T_kv]; they may be in the thousands.
        sink: the score of the sink of each head, [H], in the dtype of scores; it may be in the thousands as well.
        mask: bool with 2 or more dimensions, broadcastable to the scores; True = may attend. A row may have no True:
            then the sink takes all, and the weights are 0. None: every query sees every key.

    Returns:
        Weights of the keys [..., H, T_q, T_kv], in the dtype and on the device of scores; the sink's own weight is not
        among them. The inputs are not changed; gradients flow back to scores and sink.

    Example, one head:
        sink_softmax(tensor([[[0., 0.]]]), tensor([0.]))  -> [[[0.3333, 0.3333]]]
        sink_softmax(tensor([[[1., 2.]]]), tensor([2.]))  -> [[[0.1554, 0.4223]]]

    沿键做 softmax，每一行带一个汇。

        weight_j = exp(score_j) / (exp(sink) + 各个可见键的 exp(score) 之和)

    参数：
        scores：[..., H, T_q, T_kv]；可以数以千计。
        sink：每个头的汇的分数，[H]，dtype 与 scores 相同；也可以数以千计。
        mask：bool 张量，至少 2 维，可广播到 scores；True 表示可以关注。一行可以没有 True：
            此时汇拿走一切，各权重为 0。None 表示每个查询都能看见所有键。

    返回：
        各个键的权重 [..., H, T_q, T_kv]，dtype 和设备与 scores 相同；不包括汇自己的权重。
        输入不被修改；梯度能够传回 scores 和 sink。

    示例见上文英文部分。
    """
    raise NotImplementedError
