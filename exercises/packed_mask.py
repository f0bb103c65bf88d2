"""Who may see whom: packed documents, a prefix, a tree.

The causal mask is not the only one in use. In training, short documents are put into one row so that nothing is wasted
on padding; then a token must not see the document before its own, and positions begin anew with each document. A model
that reads a whole question before it answers may look in both directions inside the question: a prefix. And speculative
decoding checks several drafts of the next words at once, written down as a tree: a draft sees the words that lead to
it, and not those of the other branches.

True always means: this row's token may attend to this column's token. This file stands alone: import nothing from the
other exercises.

谁能看见谁：拼接的文档、前缀与树。

在用的掩码不止因果掩码一种。训练时，短文档被拼进同一行，免得浪费在填充上；这时一个词元不能看见前面的文档，位置也要从每篇
文档重新数起。先读完整个问题再作答的模型，在问题内部可以向两个方向看：这就是前缀。投机解码一次检查后续词语的好几份草稿，
它们写成一棵树：一份草稿看得见通向它的那些词，看不见其他分支的词。

True 总是表示：这一行的词元可以关注这一列的词元。本文件应独立完成，不要从其他练习导入。
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

    构造一行里依次放着几篇文档时的因果掩码。

    参数：
        documents：每个词元属于第几篇文档，整数 [..., T]，沿一行不会变小。可以从任何数开始，也可以跳号。

    返回：
        形状为 [..., T, T] 的 bool 张量：两个词元属于同一篇文档、且列的词元不在后面时为 True。
        设备与 documents 相同，documents 不被修改。

    示例见上文英文部分。
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

    给每篇文档的词元从 0 开始编号。

    参数：
        documents：每个词元属于第几篇文档，同上，[..., T]。

    返回：
        形状为 [..., T] 的张量，dtype 为 int64：每个词元在自己那篇文档中的位置。
        设备与 documents 相同，documents 不被修改。

    示例见上文英文部分。
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

    构造带前缀的因果掩码：前缀里的词元互相看见，不分前后；所有词元都看见前缀。

    参数：
        length：词元个数 T，包括前缀。
        prefix：开头有几个词元是前缀，0 到 length。
        device：在哪个设备上构造掩码；为 None 时用 torch 的默认设备。

    返回：
        形状为 [length, length] 的 bool 张量。

    异常：
        ValueError：length 小于 1，或 prefix 为负数或大于 length。

    示例见上文英文部分。
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

    构造一棵树的掩码：每个节点看见自己、自己的父节点、父节点的父节点，依此类推。

    参数：
        parents：每个节点的父节点的编号，整数 [N]，N 至少为 1；没有父节点的为 -1，可以有几个。父节点总在子节点之前。

    返回：
        形状为 [N, N] 的 bool 张量，设备与 parents 相同，parents 不被修改。

    异常：
        ValueError：某个父节点小于 -1，或不在它的子节点之前。

    示例见上文英文部分。
    """
    raise NotImplementedError
