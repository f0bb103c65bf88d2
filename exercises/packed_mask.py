"""Who may see whom: packed documents, a prefix, a tree.

The causal mask is not the only one in use. In training, short documents are put into one row so that nothing is wasted
on padding; then a token must not see the document before its own, and positions begin again with each document. A model
that reads a whole question before it answers may look in both directions inside the question: a prefix. And speculative
decoding checks several drafts of the next words at once, written down as a tree: a draft sees the words that lead to
it, and not those of the other branches.

True always means: this row's token may attend to this column's token. This file stands alone: import nothing from the
other exercises.
"""

import torch
from torch import Tensor


def packed_mask(documents: Tensor) -> Tensor:
    """Build the causal mask of a row in which several documents stand one after another.

    Args:
        documents: the number of each token's document, whole numbers [..., T] that never fall along a row. They may
            begin anywhere and leave numbers out.

    Returns:
        Tensor [..., T, T], dtype bool: True where both tokens belong to the same document and the column's token does
        not come later. On the device of documents, which are not changed.

    Example:
        packed_mask(tensor([4, 4, 7])) -> [[True, False, False], [True, True, False], [False, False, True]]
    """
    raise NotImplementedError


def packed_positions(documents: Tensor) -> Tensor:
    """Number the tokens of each document from 0.

    Args:
        documents: the number of each token's document, as above, [..., T].

    Returns:
        Tensor [..., T], dtype int64: the position of each token in its own document. On the device of documents, which
        are not changed.

    Example:
        packed_positions(tensor([4, 4, 7, 7, 7, 9])) -> [0, 1, 0, 1, 2, 0]
    """
    raise NotImplementedError


def prefix_mask(length: int, prefix: int, device: torch.device | str | None = None) -> Tensor:
    """Build a causal mask with a prefix: its tokens see each other in both directions, and all tokens see them.

    Args:
        length: number of tokens T, the prefix included.
        prefix: how many tokens at the beginning form the prefix, 0 to length.
        device: the device to build the mask on; torch's default if it is None.

    Returns:
        Tensor [length, length], dtype bool.

    Raises:
        ValueError: length is below 1, or prefix is negative or larger than length.

    Example:
        prefix_mask(3, 2) -> [[True, True, False], [True, True, False], [True, True, True]]
    """
    raise NotImplementedError


def tree_mask(parents: Tensor) -> Tensor:
    """Build the mask of a tree: each node sees itself, its parent, the parent's parent, and so on.

    Args:
        parents: the number of each node's parent, whole numbers [N], N of 1 or more; -1 for a node without a parent, of
            which there may be several. A parent comes before its children.

    Returns:
        Tensor [N, N], dtype bool, on the device of parents, which are not changed.

    Raises:
        ValueError: a parent is below -1, or not before its child.

    Example:
        tree_mask(tensor([-1, 0, 0, 1])) -> [[True, False, False, False], [True, True, False, False],
                                             [True, False, True, False], [True, True, False, True]]
    """
    raise NotImplementedError
