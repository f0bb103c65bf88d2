"""Keeping scores in bounds: QK-norm, soft-capping, and a sink.

In large models scores grow as training goes on. Softmax then gives everything to one key, its gradient is gone, and in
half precision the numbers run out. And softmax has to spend its whole weight, even where no key fits: models learn to
dump it on the first token. Three remedies that today's models use:

QK-norm brings every query and every key to the root mean square 1 before they meet, so that a score cannot be larger
than the root of Dh; a learned gain for each channel lets the model choose how sharp it wants to be. Soft-capping bends
the scores smoothly so that they stay between -cap and cap. A sink is one more score in each row, learned, one for each
head. It takes part in softmax, but nothing belongs to it: the weights of the keys may add up to less than 1.

This file stands alone: import nothing from the other exercises. PyTorch's softmax and tanh may be used.
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
    """
    raise NotImplementedError
