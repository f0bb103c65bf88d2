"""Hidden suite for rope_cos_sin, rotate_half and apply_rotary_pos_emb."""

import torch

from grader.suitekit import dtypes, error_bound, expect, expect_close, misconception, oracle, points

CPU = torch.device("cpu")  # the device under test, once the call has arrived there
EPSILON = torch.finfo(torch.float32).eps
# B, H, H_kv, T, Dh, and the position of the first token: sizes pairwise different
SIZES = ((1, 1, 1, 1, 2, 1), (1, 2, 1, 3, 6, 0), (2, 6, 3, 5, 10, 4))


@oracle("rope_cos_sin")
def exact_tables(head_dim, max_len, theta=10000.0, device=None):
    exponent = torch.arange(0, head_dim, 2, dtype=torch.float64) / head_dim
    angle = torch.outer(torch.arange(max_len, dtype=torch.float64), theta**-exponent).repeat(1, 2)
    return angle.cos(), angle.sin()


@error_bound("rope_cos_sin")
def tables_bound(head_dim, max_len, theta=10000.0, device=None):
    # An angle is position * frequency. In float32 the frequency theta^(-2i/d) <= 1 carries a few relative roundings, and
    # ln(theta) of them where it is computed as exp(-2i/d * ln(theta)); |x * e^-x| < 0.37 keeps that below 5 units of 6e-8,
    # so the angle is off by less than 6e-7 * position. cos and sin have slope at most 1 and round once themselves: 2e-6
    # is left for them and for theta^(...) of other libraries.
    allowed = 2e-6 + 6e-7 * torch.arange(max_len, dtype=torch.float64).unsqueeze(1)
    return allowed / EPSILON, allowed / EPSILON


@error_bound("apply_rotary_pos_emb")
def apply_bound(q, k, cos, sin):
    # x * cos + r * sin with r = rotate_half(x), in x's dtype: each summand is rounded when the table is cast, when the
    # product is taken and when the sum is, half an epsilon each: 1.5 epsilon of |x * cos| + |r * sin|, taken as 2.
    # A sine below float16's normal range is cast to a multiple of 6e-8 instead, 3e-8 of |r| off: 1e-4 epsilon.
    def units(x):
        r = torch.cat([x[..., x.shape[-1] // 2 :], x[..., : x.shape[-1] // 2]], -1)
        return 2 * ((x * cos).abs() + (r * sin).abs()) + 1e-4 * (x.abs() + r.abs())

    return units(q), units(k)


def inputs(make, reference, B, H, H_kv, T, Dh, start, theta=10000.0):
    """q, k and the rows of the tables for positions start ... start + T - 1."""
    cos, sin = (table[start : start + T].to(make.device) for table in reference.rope_cos_sin(Dh, start + T, theta))
    return make.normal(B, H, T, Dh), make.normal(B, H_kv, T, Dh), cos, sin


@points(1)
def test_tables(golden, make):
    """Row p, column i holds the cosine or sine of p * theta^(-2i / head_dim), in the left half and again in the right.

    第 p 行第 i 列是 p * theta^(-2i / head_dim) 的余弦或正弦,左半边一份,右半边再来一份。
    """
    for head_dim, max_len in ((2, 1), (2, 3), (4, 2), (6, 5), (10, 7), (96, 11), (2 * make.integer(4, 9), 23)):
        golden.rope_cos_sin(head_dim, max_len)


@points(1)
def test_theta(golden, make):
    """theta sets the frequencies: 10000 unless given, 1e6 in MiniMind, and any other works too.

    theta 决定各个频率:不给时为 10000,MiniMind 用 1e6,其他值也都可以。
    """
    for theta in (1e6, 10000.0, 500000.0, 250.0, 1000.0 * make.integer(20, 900)):
        for head_dim, max_len in ((4, 3), (10, 7), (8, 19)):
            golden.rope_cos_sin(head_dim, max_len, theta=theta)


@points(0.5)
def test_table_layout(student, golden):
    """Position 0 has angle 0, column i and column i + head_dim/2 agree, and cos² + sin² = 1.

    位置 0 的角度为 0,第 i 列与第 i + head_dim/2 列相同,并且 cos² + sin² = 1。
    """
    for head_dim, max_len in ((4, 3), (6, 5), (12, 9)):
        cos, sin = student.rope_cos_sin(head_dim, max_len)
        expect_close(cos[0], 1.0, 1e-6, "the cosines of position 0 are not 1", "位置 0 的余弦不是 1")
        expect_close(sin[0], 0.0, 1e-6, "the sines of position 0 are not 0", "位置 0 的正弦不是 0")
        for table in (cos, sin):
            left, right = table.chunk(2, dim=1)
            expect_close(left, right, 1e-5, "the halves of a row differ", "一行的左右两半不相同")
        expect_close(cos**2 + sin**2, 1.0, 1e-5, "cos² + sin² is not 1", "cos² + sin² 不等于 1")
    golden.rope_cos_sin(6, 4)


@points(0.5)
def test_far_positions(golden):
    """The tables stay right far from the start: positions and angles need float32 digits.

    离开头很远的位置上表也要正确:位置和角度需要 float32 的精度。
    """
    for head_dim, max_len in ((2, 300), (4, 2100)):
        golden.rope_cos_sin(head_dim, max_len)


@points(0.25)
def test_far_positions_other_theta(golden):
    """The tables stay right far from the start for a large theta too.

    theta 很大时,离开头很远的位置上表也要正确。
    """
    for head_dim, max_len in ((6, 280), (4, 2080)):
        golden.rope_cos_sin(head_dim, max_len, theta=1e6)


@points(0.25)
def test_refuses_odd(golden, refuses, make):
    """An odd head_dim is refused with ValueError: channels turn in pairs.

    head_dim 为奇数时抛出 ValueError:通道是成对旋转的。
    """
    golden.rope_cos_sin(6, 3)
    for head_dim in (1, 3, 7, 2 * make.integer(5, 20) + 1):
        refuses.rope_cos_sin(head_dim, 5)


@points(0.25)
def test_refuses_odd_other_theta(golden, refuses):
    """An odd head_dim is refused with any theta and for a single position too, and even ones work afterwards.

    无论 theta 是多少、哪怕只有一个位置,head_dim 为奇数都要抛出 ValueError;之后偶数的仍然可用。
    """
    refuses.rope_cos_sin(5, 1)
    refuses.rope_cos_sin(9, 4, theta=1e6)
    golden.rope_cos_sin(8, 4, theta=1e6)


@points(0.25)
def test_tables_device(golden, contract):
    """The tables are made on the device that is asked for.

    表建在所要求的设备上。
    """
    golden.rope_cos_sin(6, 5, device=CPU)
    contract.rope_cos_sin(6, 5, device=CPU)


@points(0.25)
def test_tables_device_after_another(golden, contract):
    """The tables are made on the device that is asked for, also after the same ones were made elsewhere.

    表建在所要求的设备上,即使之前在别的设备上建过同样的表。
    """
    golden.rope_cos_sin(8, 3, theta=1e6)
    contract.rope_cos_sin(8, 3, theta=1e6, device=CPU)


@points(0.25)
def test_other_tables(golden):
    """A call does not depend on the calls before it, with other lengths, widths and theta.

    每次调用的结果与之前的调用无关,哪怕之前的长度、维数和 theta 不同。
    """
    for head_dim, max_len, theta in ((6, 4, 1e4), (6, 4, 1e6), (6, 9, 1e6), (6, 9, 1e4), (10, 9, 1e4), (6, 3, 1e6)):
        golden.rope_cos_sin(head_dim, max_len, theta=theta)
    golden.rope_cos_sin(6, 4)


@points(1)
def test_rotate_half(golden, make, dtype):
    """rotate_half exchanges the halves of the last dimension and negates what comes first: (x1, x2) -> (-x2, x1).

    rotate_half 把最后一维的前后两半互换,并把换到前面的那一半变号:(x1, x2) -> (-x2, x1)。
    """
    for shape in ((1, 2), (3, 6), (2, 5, 10), (2, 3, 5, 6), (1, 4, 4, 4), (2, 3, 1, 8)):
        golden.rotate_half(make.distinct(*shape))


@points(0.25)
def test_rotate_half_twice(student, golden, make):
    """rotate_half is a quarter turn: two of them negate the input.

    rotate_half 是旋转四分之一圈:连续两次就把输入变号。
    """
    for shape in ((1, 4), (2, 3, 5, 6)):
        x = make.distinct(*shape)
        twice = student.rotate_half(student.rotate_half(x))
        expect(twice == -x.cpu(), "rotate_half of rotate_half of x is not -x", "连续两次 rotate_half 得到的不是 -x")
    golden.rotate_half(make.distinct(2, 6))


@points(1)
def test_apply(golden, make, reference, dtype):
    """q and k become x * cos + rotate_half(x) * sin in their own dtype, whatever the dtype of the tables.

    q 和 k 变为 x * cos + rotate_half(x) * sin,保持各自的 dtype,与表的 dtype 无关。
    """
    for sizes in SIZES:
        golden.apply_rotary_pos_emb(*inputs(make, reference, *sizes))
    golden.apply_rotary_pos_emb(*inputs(make, reference, 1, 3, 2, 4, 8, 50, 1e6))


@points(0.5)
def test_apply_given_rows(golden, make, reference):
    """The rows of cos and sin say where the tokens are: in the middle of a text, one at a time, with gaps.

    token 的位置由给定的 cos 和 sin 的行决定:可以在文本中间,可以每次一个,也可以有间隔。
    """
    golden.apply_rotary_pos_emb(*inputs(make, reference, 2, 3, 1, 1, 6, 7))
    golden.apply_rotary_pos_emb(*inputs(make, reference, 1, 3, 2, 4, 6, 30, 1e6))
    cos, sin = (table.to(make.device) for table in reference.rope_cos_sin(10, 20))
    for rows in ([0, 2, 4, 6, 8], [11, 3, 7, 0, 18], [5, 5, 5, 6, 6]):
        golden.apply_rotary_pos_emb(make.normal(1, 3, 5, 10), make.normal(1, 2, 5, 10), cos[rows], sin[rows])
    golden.apply_rotary_pos_emb(make.normal(2, 2, 4, 10), make.normal(2, 1, 4, 10), cos[3:18:4], sin[3:18:4])


@points(0.5)
def test_apply_coinciding_sizes(golden, make, reference):
    """Tokens are told from heads also where there are as many of one as of the other.

    token 数与头数相等时,也不会把两者混淆。
    """
    for sizes in ((1, 3, 3, 3, 6, 2), (3, 3, 1, 3, 8, 0), (2, 4, 4, 4, 4, 1), (5, 5, 5, 5, 10, 3), (1, 1, 1, 5, 2, 0)):
        golden.apply_rotary_pos_emb(*inputs(make, reference, *sizes))


@points(0.5)
def test_pairs(student, golden, make, reference):
    """Channel i turns together with channel i + Dh/2, towards it and by the angle of its position.

    第 i 个通道与第 i + Dh/2 个通道一起旋转,朝着后者的方向,转过该位置的角度。
    """
    Dh, half = 6, 3
    cos, sin = (table[3:4].to(make.device) for table in reference.rope_cos_sin(Dh, 4))
    unit = torch.eye(Dh).reshape(1, Dh, 1, Dh).to(make.device)  # head h holds the unit vector of channel h
    turned_q, turned_k = student.apply_rotary_pos_emb(unit, unit[:, :half], cos, sin)
    for turned in (turned_q, turned_k):
        for i in range(half):
            row = turned[0, i, 0]
            others = [c for c in range(Dh) if c not in (i, i + half)]
            expect_close(row[others], 0.0, 1e-6, "a channel turns with the wrong partner", "有的通道与错误的通道配成了一对")
            expect_close(row[i], cos[0, i], 1e-5, "a channel turns by a wrong angle", "有的通道转过的角度不对")
            expect_close(row[i + half], sin[0, i], 1e-5, "a pair turns the wrong way", "有的通道对旋转的方向反了")
    golden.apply_rotary_pos_emb(make.normal(1, 2, 3, 6), make.normal(1, 1, 3, 6), *reference.rope_cos_sin(6, 3))


@points(0.5)
def test_lengths_kept(student, golden, make, reference):
    """A rotation keeps the length of every pair of channels, and position 0 is not turned at all.

    旋转不改变每一对通道的长度,而位置 0 完全不转。
    """
    q, k, cos, sin = inputs(make, reference, 2, 3, 1, 5, 6, 0)
    for before, after in zip((q, k), student.apply_rotary_pos_emb(q, k, cos, sin), strict=True):
        expect_close(after[:, :, 0], before[:, :, 0], 1e-6, "position 0 is turned", "位置 0 发生了旋转")
        length = before.unflatten(-1, (2, -1)).norm(dim=-2)
        after = after.unflatten(-1, (2, -1)).norm(dim=-2)
        expect_close(after, length, 1e-5, "a pair of channels changes its length", "有的通道对长度变了")
    golden.apply_rotary_pos_emb(*inputs(make, reference, 1, 2, 1, 3, 6, 1))


@points(0.5)
def test_relative(student, golden, make, reference):
    """With your tables, the score of a query and a key depends only on how far apart they are.

    用你的表计算,查询与键的分数只取决于两者相距多远。
    """
    T, Dh, shift = 6, 8, make.integer(2, 30)
    q, k = make.normal(1, 1, 1, Dh).expand(-1, 3, T, -1), make.normal(1, 1, 1, Dh).expand(-1, -1, T, -1)
    scores = []
    for theta in (10000.0, 1e6):
        cos, sin = (table.to(make.device) for table in student.rope_cos_sin(Dh, shift + T, theta=theta))
        for start in (0, shift):
            turned = student.apply_rotary_pos_emb(q, k, cos[start : start + T], sin[start : start + T])
            scores.append(turned[0][0, 0] @ turned[1][0, 0].T)
    size = float(q[0, 0, 0].norm() * k[0, 0, 0].norm())
    allowed = 8 * size * (2e-6 + 6e-7 * (shift + T))  # four tables at their bound, in two scores
    for here, there in zip(scores[::2], scores[1::2], strict=True):
        unequal = "a score changes when query and key move by the same distance", "查询与键移动同样的距离后,分数变了"
        expect_close(here, there, allowed, *unequal)
        expect_close(here[1:, 1:], here[:-1, :-1], allowed, *unequal)
    golden.apply_rotary_pos_emb(*inputs(make, reference, 1, 2, 1, 3, 6, 1))


@points(0.25)
def test_layouts(golden, make, reference):
    """The result does not depend on how the inputs lie in memory: q and k often come transposed.

    结果与输入在内存中的排布无关:q 和 k 往往是转置得来的。
    """
    q, k, cos, sin = inputs(make, reference, 2, 3, 1, 5, 6, 2)
    golden.apply_rotary_pos_emb(q.transpose(1, 2).contiguous().transpose(1, 2), make.strided(k), cos, sin)
    golden.apply_rotary_pos_emb(q[:, :1].expand(2, 3, 5, 6), k[:, :, :1].expand(2, 1, 5, 6), cos, sin)
    golden.apply_rotary_pos_emb(q, k, make.strided(cos), cos[1:2].expand(5, 6))
    golden.rotate_half(make.strided(make.distinct(2, 3, 5, 6)))
    golden.rotate_half(make.distinct(5, 6).expand(2, 3, 5, 6))


@points(0.5)
@dtypes("float32", "float64")
def test_gradients(gradients, make, reference, dtype):
    """Gradients flow back through the rotation to q and k.

    梯度能穿过旋转回到 q 和 k。
    """
    # cos and sin are tables: which of their equal halves an implementation reads is its own affair
    gradients.wrt("q", "k").apply_rotary_pos_emb(*inputs(make, reference, 2, 6, 3, 5, 10, 4))
    gradients.rotate_half(make.normal(2, 3, 5, 6))


@points(0.25)
def test_inputs_unchanged(untouched, make, reference):
    """The inputs are not changed.

    不修改输入。
    """
    untouched.apply_rotary_pos_emb(*inputs(make, reference, 2, 3, 1, 5, 6, 2))
    untouched.rotate_half(make.distinct(2, 3, 5, 6))


@points(0.25)
def test_apply_device(contract, make, reference):
    """The rotation stays on the device of the inputs.

    旋转的结果与输入位于同一设备。
    """
    contract.apply_rotary_pos_emb(*inputs(make, reference, 2, 6, 3, 5, 10, 4))


@points(0.25)
def test_rotate_half_device(contract, make):
    """rotate_half stays on the device of the input.

    rotate_half 的结果与输入位于同一设备。
    """
    contract.rotate_half(make.distinct(2, 3, 5, 6))
