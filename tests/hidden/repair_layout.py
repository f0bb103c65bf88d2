"""Hidden suite for the repaired rotary attention. Each check has T different from the number of heads at least once."""

import math

import torch

from grader.suites import dtypes, error_bound, misconception, points


@error_bound("rotary_attention")
def bound(x, w_q, w_k, w_v, w_o, num_heads, cos, sin):
    # As for multi-head attention with a mask; a rotation adds two products and a sum to each entry of q and k, and
    # keeps |q||k| within twice its size.
    B, T, D = x.shape
    q, k, v = ((x.abs() @ w.abs()).view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    reach = 2 * (q @ k.transpose(-2, -1) / math.sqrt(D // num_heads)).amax((-2, -1), keepdim=True)
    units = 2 * (2 * D + D // num_heads + 8) * reach + 2 * D + T + 16
    mixed = (units * v.amax(-2, keepdim=True)).expand_as(v).transpose(1, 2).reshape(B, T, D)
    return mixed @ w_o.abs()


def tables(make, t, width, start=0):
    """cos and sin [T, Dh] of the positions from `start` on."""
    steps = 100.0 ** -(torch.arange(width // 2, dtype=torch.float64) * 2 / width)
    angles = (torch.arange(t, dtype=torch.float64)[:, None] + start) * torch.cat([steps, steps])
    return make.tensor(angles.cos()), make.tensor(angles.sin())


def inputs(make, b=2, t=5, heads=3, width=4, start=0):
    """All arguments for `heads` heads of `width` channels."""
    d = heads * width
    weights = (make.normal(d, d, scale=1 / math.sqrt(d)) for _ in range(4))
    return make.normal(b, t, d), *weights, heads, *tables(make, t, width, start)


@points(1)
@dtypes("float32", "float64")
def test_values(matches_reference, make, dtype):
    """Queries and keys turn by their position, values do not; the heads are joined and projected.

    查询和键按位置旋转，值不旋转；各个头合并之后再投影。
    """
    matches_reference.rotary_attention(*inputs(make, 1, 2, 1, 2))
    matches_reference.rotary_attention(*inputs(make))
    matches_reference.rotary_attention(*inputs(make, 3, 7, 2, 6))


@points(0.6)
def test_as_many_positions_as_heads(matches_reference, make):
    """Nothing is different where the number of positions equals the number of heads.

    位置数恰好等于头数时，也没有任何不同。
    """
    matches_reference.rotary_attention(*inputs(make, 2, 3, 3))
    matches_reference.rotary_attention(*inputs(make, 4, 4, 4))


@points(0.4)
def test_later_positions(matches_reference, make):
    """The tables may start at any position; a single position works.

    表可以从任意位置开始；只有一个位置也可以。
    """
    matches_reference.rotary_attention(*inputs(make, start=9))
    matches_reference.rotary_attention(*inputs(make, t=1, start=3))


@points(0.4)
@dtypes("float32")
def test_gradient(matches_gradients, make, dtype):
    """Gradients flow to the input and to all four projections.

    梯度传到输入和全部四个投影。
    """
    matches_gradients.wrt("x", "w_q", "w_k", "w_v", "w_o").rotary_attention(*inputs(make, 1, 3, 2, 4))


@points(0.6)
def test_device_and_inputs(stays_on_device, does_not_mutate, matches_reference, make):
    """It works on any device, and leaves its inputs as they were.

    在任何设备上都能运行，并且不改动输入。
    """
    stays_on_device.rotary_attention(*inputs(make))
    does_not_mutate.rotary_attention(*inputs(make))
    matches_reference.rotary_attention(*inputs(make))


def turn(u, cos, sin):
    """The rotation, in half-split layout."""
    half = u.shape[-1] // 2
    return u * cos + torch.cat([-u[..., half:], u[..., :half]], -1) * sin


def rotary(x, w_q, w_k, w_v, w_o, heads, cos, sin, spread=False, moved=True, merged=True, projected=True, rotated="qk"):
    """The repaired code with a variation."""
    B, T, D = x.shape
    q, k, v = ((x @ w).view(B, T, heads, -1) for w in (w_q, w_k, w_v))
    q, k = q.transpose(1, 2), k.transpose(1, 2)
    v = v.transpose(1, 2) if moved else v
    c, s = (cos[:, None], sin[:, None]) if spread else (cos, sin)
    q, k, v = (turn(u, c, s) if name in rotated else u for name, u in zip("qkv", (q, k, v), strict=True))
    mixed = (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
    joined = (mixed.transpose(1, 2) if merged else mixed).reshape(B, T, D)
    return joined @ w_o if projected else joined


@misconception("rotary_attention", stub=True)
def as_given(*arguments):
    """This is the code as it was given: tables along the heads, values not moved, heads not joined, no projection.

    这还是题目给出的代码：表沿头铺开，值没有换轴，各个头没有合并，也没有投影。
    """
    return rotary(*arguments, spread=True, moved=False, merged=False, projected=False)


@misconception("rotary_attention")
def tables_along_heads(*arguments):
    """The tables are still spread along the head axis: head h turns as position h should. [T, Dh] broadcasts as it is.

    表仍然沿头的轴铺开：第 h 个头按位置 h 旋转。[T, Dh] 直接就能广播。
    """
    return rotary(*arguments, spread=True)


@misconception("rotary_attention")
def values_not_moved(*arguments):
    """The values are still [B, T, H, Dh] while queries and keys are [B, H, T, Dh].

    值仍是 [B, T, H, Dh]，而查询和键是 [B, H, T, Dh]。
    """
    return rotary(*arguments, moved=False)


@misconception("rotary_attention")
def heads_not_joined(*arguments):
    """The heads are reshaped without being moved back next to their channels, which mixes positions and heads.

    没有先把头换回到通道旁边就直接 reshape，位置和头混在了一起。
    """
    return rotary(*arguments, merged=False)


@misconception("rotary_attention")
def not_projected(*arguments):
    """The output projection is missing.

    缺少输出投影。
    """
    return rotary(*arguments, projected=False)


@misconception("rotary_attention")
def values_rotated(*arguments):
    """The values are rotated too. Only the scores should know of positions; content stays as it is.

    值也旋转了。只有分数应当知道位置；内容保持原样。
    """
    return rotary(*arguments, rotated="qkv")


@misconception("rotary_attention")
def only_queries(*arguments):
    """Only the queries are rotated, so scores depend on absolute positions. Keys turn by the same tables.

    只旋转了查询，分数于是取决于绝对位置。键也要用同样的表旋转。
    """
    return rotary(*arguments, rotated="q")


@misconception("rotary_attention")
def not_rotated(*arguments):
    """Nothing is rotated; the tables are not used.

    什么都没有旋转；表没有用上。
    """
    return rotary(*arguments, rotated="")
