"""The causal mask and the padding mask in one.

Sentences of a batch have different lengths, yet a tensor is a box: the short ones are filled up with padding, behind
the text (right padding, usual in training) or in front of it (left padding, usual when a batch of prompts is to be
continued). Two rules then decide together what a query may see: a key must not lie in the future, and it must be a
token, not padding.

The result has an axis of size 1 where the heads are, [B, 1, T, T], so that it broadcasts against scores [B, H, T, T].
Without that axis a mask [B, T, T] would be an error, or worse: with B = H it would silently hide heads instead of
examples. Only keys are hidden: what a padded position asks as a query is nobody's business, since no one reads its
answer. With left padding such a query sees nothing at all; a softmax that can stand that is the exercise
masked_softmax.

This file stands alone: import nothing from other exercises.
"""

from torch import Tensor


def combine_masks(seq_len: int, lengths: Tensor, padding_side: str = "right") -> Tensor:
    """Which keys each query may attend to: tokens, not padding, and none of the future.

    Args:
        seq_len: T, the number of positions of each example, padding included; 1 or more.
        lengths: [B], int64: how many of them are tokens, 0 to seq_len; the rest is padding.
        padding_side: "right": the tokens come first and the padding follows; "left": the padding comes first.

    Returns:
        bool [B, 1, T, T] on the device of lengths. Entry (b, 0, i, j) is True ("may attend") exactly if j <= i and
        position j of example b is a token. lengths is not changed.

    Raises:
        ValueError: padding_side is neither "right" nor "left".

    Example:
        combine_masks(3, tensor([2]))              combine_masks(3, tensor([2]), padding_side="left")
        [[[[ True, False, False],                  [[[[False, False, False],
           [ True,  True, False],                     [False,  True, False],
           [ True,  True, False]]]]                   [False,  True,  True]]]]

        combine_masks(5, tensor([5, 3])).sum()     -> 27
    """
    raise NotImplementedError
