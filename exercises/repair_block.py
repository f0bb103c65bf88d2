"""Repair job: three lines of attention, four faults.

These lines look like the formula, and on a single sentence they even run. Count the faults: the transpose turns every
axis of a batch around; the scores are not scaled, so that softmax picks one key nearly alone as the width grows; later
positions are not hidden, although this block belongs in a decoder; and the output projection is taken as an argument
and never used. Mend all four. This file stands alone: import nothing from the other exercises.

修复任务：三行注意力，四处毛病。

这几行看起来就像公式，在单个句子上也能运行。数一数毛病：转置把一批数据的所有轴都翻转了；分数没有缩放，
宽度一大，softmax 就几乎只选一个键；这个块属于解码器，却没有遮住后面的位置；输出投影作为参数传了进来，却从未使用。
请把四处都修好。本文件应独立完成，不要从其他练习导入。
"""

from torch import Tensor


def attention_sublayer(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor) -> Tensor:
    """Causal single-head self-attention with an output projection.

    Args:
        x: inputs [..., T, D]: one sentence, a batch, or more leading dimensions.
        w_q, w_k: projections [D, D_k].
        w_v: projection [D, D_v].
        w_o: output projection [D_v, D].

    Returns:
        [..., T, D]: softmax over the positions up to and including each one, of q k^T / sqrt(D_k), times v, times w_o;
        in the dtype and on the device of x.

    带输出投影的因果单头自注意力。

    参数：
        x：输入 [..., T, D]：一个句子、一批句子，或更多前导维度。
        w_q、w_k：投影 [D, D_k]。
        w_v：投影 [D, D_v]。
        w_o：输出投影 [D_v, D]。

    返回：
        [..., T, D]：对 q k^T / sqrt(D_k) 在每个位置及其之前的位置上做 softmax，乘以 v，再乘以 w_o；
        dtype 和设备与 x 相同。
    """
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.permute(*reversed(range(k.dim())))
    return scores.softmax(dim=-1) @ v
