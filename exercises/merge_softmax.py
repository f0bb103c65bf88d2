"""Softmax in parts: the idea behind FlashAttention.

The weights of softmax need the sum over a whole row, so it seems that the whole row must be there at once. It need not.
Cut the keys into parts and keep three things of each: its largest score m, the sum l of its exponentials, and the sum o
of its values times these exponentials, both taken relative to m. Two parts can then be merged into one:

    m = max(m1, m2)      l = l1 e^(m1 - m) + l2 e^(m2 - m)      o = o1 e^(m1 - m) + o2 e^(m2 - m)

The factors bring both parts to the same reference point, and neither is larger than 1, so nothing overflows. Order and
grouping do not matter. At the very end o / l is the output of attention, exactly.

One trap waits: a part in which every key is hidden has m = -inf, l = 0, o = 0, and -inf - (-inf) is not a number. Such
a part must change nothing. This file stands alone: import nothing from the other exercises.
"""

from torch import Tensor

Part = tuple[Tensor, Tensor, Tensor]


def softmax_part(scores: Tensor, v: Tensor) -> Part:
    """Keep of one part of the keys what attention needs of it.

    Args:
        scores: the scores of T queries with n of the keys [..., T, n]; -inf where a key is hidden.
        v: the values of these keys [..., n, Dv], with the same leading dimensions.

    Returns:
        (m, l, o): the largest score m [..., T]; the sum l [..., T] of e^(score - m); the sum o [..., T, Dv] of
        e^(score - m) times the value. A row in which everything is hidden gives -inf, 0 and 0. Same dtype and device;
        scores of 10,000 are no problem; the inputs are not changed, gradients flow back to v.

    Example:
        softmax_part(tensor([[1., 3.]]), tensor([[1., 0.], [0., 1.]]))
            -> m [3.0000], l [1.1353], o [[0.1353, 1.0000]]
    """
    raise NotImplementedError


def merge_softmax(one: Part, other: Part) -> Part:
    """Merge two parts into the one that all their keys together would have given.

    Args:
        one: (m, l, o) of some keys, as softmax_part or merge_softmax returns them: [..., T], [..., T], [..., T, Dv].
        other: likewise for other keys, same shapes. In either m may be -inf (with l = 0 and o = 0), also in both.

    Returns:
        (m, l, o) of all these keys, same shapes, dtype and device. Inputs are not changed; gradients flow back to l, o.

    Example:
        merge_softmax((tensor([3.]), tensor([1.1353]), tensor([[0.1353, 1.]])),
                      (tensor([2.]), tensor([1.]), tensor([[5., 5.]])))
            -> m [3.0000], l [1.5032], o [[1.9747, 2.8394]]
    """
    raise NotImplementedError
