"""Hidden suite for rope_cos_sin, rotate_half and apply_rotary_pos_emb."""

import torch

from grader.suites import Text, dtypes, error_bound, expect_close, facts, misconception, oracle, points

CPU = torch.device("cpu")  # the device under test, once the call has arrived there
EPSILON = torch.finfo(torch.float32).eps
# B, H, H_kv, T, Dh, and the position of the first token; in the last all sizes differ
SIZES = ((1, 1, 1, 1, 2, 1), (1, 2, 1, 3, 6, 0), (2, 6, 3, 5, 10, 4))


@oracle("rope_cos_sin")
def exact_tables(head_dim, max_len, theta=10000.0, device=None):
    exponent = torch.arange(0, head_dim, 2, dtype=torch.float64) / head_dim
    angle = torch.outer(torch.arange(max_len, dtype=torch.float64), theta**-exponent).repeat(1, 2)
    return angle.cos(), angle.sin()


@error_bound("rope_cos_sin")
def tables_bound(head_dim, max_len, theta=10000.0, device=None):
    # An angle is position * frequency. A float32 frequency f = theta^(-2i/d) <= 1 is off by a few roundings of 6e-8,
    # and where it is computed as exp(-x), x = 2i/d * ln(theta), by x of them more; f * x = x * exp(-x) < 0.37. The
    # product rounds once: less than ten in all, 6e-7 * position. cos and sin have slope at most 1 and round once.
    allowed = 2e-6 + 6e-7 * torch.arange(max_len, dtype=torch.float64).unsqueeze(1)
    return allowed / EPSILON, allowed / EPSILON


@error_bound("apply_rotary_pos_emb")
def apply_bound(q, k, cos, sin):
    # x * cos + r * sin with r = rotate_half(x), in x's dtype: each summand is rounded when the table is cast, when the
    # product is taken and when the sum is, half an epsilon each: 1.5 epsilon of |x * cos| + |r * sin|, taken as 2.
    # float64 input taken through float32 is rounded itself instead of the table. A sine below float16's normal range
    # is cast to a multiple of 6e-8 instead, 3e-8 of |r| off: 1e-4 epsilon.
    def units(x):
        r = torch.cat([x[..., x.shape[-1] // 2 :], x[..., : x.shape[-1] // 2]], -1)
        return 2 * ((x * cos).abs() + (r * sin).abs()) + 1e-4 * (x.abs() + r.abs())

    return units(q), units(k)


def inputs(make, reference, B, H, H_kv, T, Dh, start, theta=10000.0):
    """q, k and the rows of the tables for positions start ... start + T - 1."""
    cos, sin = (table[start : start + T] for table in reference.rope_cos_sin(Dh, start + T, theta))
    return make.normal(B, H, T, Dh), make.normal(B, H_kv, T, Dh), cos, sin


@points(1)
def test_tables(matches_reference, make):
    """Row p, column i holds the cosine or sine of p * theta^(-2i / head_dim), in the left half and again in the right.

    第 p 行第 i 列是 p * theta^(-2i / head_dim) 的余弦或正弦，左半边一份，右半边再来一份。
    """
    for head_dim, max_len in ((2, 1), (2, 3), (4, 2), (6, 5), (96, 7), (2 * make.integer(4, 9), 23)):
        matches_reference.rope_cos_sin(head_dim, max_len)


@points(1.25)
def test_theta(matches_reference, make):
    """theta sets the frequencies: 10000 unless given, 1e6 in MiniMind, any other too, also one after another.

    theta 决定各个频率：不给时为 10000,MiniMind 用 1e6，其他值也可以，先后混用也可以。
    """
    for theta in (1e6, 10000.0, 250.0, 1000.0 * make.integer(20, 900)):
        for head_dim, max_len in ((4, 3), (10, 7)):
            matches_reference.rope_cos_sin(head_dim, max_len, theta=theta)
    matches_reference.rope_cos_sin(10, 7)
    matches_reference.rope_cos_sin(10, 5, theta=1e6)


@points(0.5)
def test_table_layout(student, matches_reference):
    """Position 0 has angle 0, column i and column i + head_dim/2 agree, and cos² + sin² = 1.

    位置 0 的角度为 0，第 i 列与第 i + head_dim/2 列相同，并且 cos² + sin² = 1。
    """
    for head_dim, max_len in ((4, 3), (6, 5), (12, 9)):
        cos, sin = student.rope_cos_sin(head_dim, max_len)
        expect_close(cos[0], 1.0, 1e-6, "the cosines of position 0 are not 1", "位置 0 的余弦不是 1")
        expect_close(sin[0], 0.0, 1e-6, "the sines of position 0 are not 0", "位置 0 的正弦不是 0")
        for table in (cos, sin):
            left, right = table.chunk(2, dim=1)
            expect_close(left, right, 1e-5, "the halves of a row differ", "一行的左右两半不相同")
        expect_close(cos**2 + sin**2, 1.0, 1e-5, "cos² + sin² is not 1", "cos² + sin² 不等于 1")
    matches_reference.rope_cos_sin(6, 4)


@points(0.5)
def test_far_positions(matches_reference):
    """The tables stay right far from the start: positions and angles need float32 digits.

    离开头很远的位置上表也要正确：位置和角度需要 float32 的精度。
    """
    for head_dim, max_len in ((2, 300), (4, 2100)):
        matches_reference.rope_cos_sin(head_dim, max_len)


@points(0.25)
def test_far_positions_other_theta(matches_reference):
    """The tables stay right far from the start for a large theta too.

    theta 很大时，离开头很远的位置上表也要正确。
    """
    for head_dim, max_len in ((6, 280), (4, 2080)):
        matches_reference.rope_cos_sin(head_dim, max_len, theta=1e6)


@points(0.25)
def test_refuses_odd(matches_reference, raises_value_error, make):
    """An odd head_dim is refused with ValueError: channels turn in pairs.

    head_dim 为奇数时抛出 ValueError：通道是成对旋转的。
    """
    matches_reference.rope_cos_sin(6, 3)
    for head_dim in (1, 3, 7, 2 * make.integer(5, 20) + 1):
        raises_value_error.rope_cos_sin(head_dim, 5)


@points(0.25)
def test_refuses_odd_other_theta(matches_reference, raises_value_error):
    """An odd head_dim is refused with any theta and for a single position too, and even ones work afterwards.

    无论 theta 是多少、哪怕只有一个位置，head_dim 为奇数都要抛出 ValueError；之后偶数的仍然可用。
    """
    raises_value_error.rope_cos_sin(5, 1)
    raises_value_error.rope_cos_sin(9, 4, theta=1e6)
    matches_reference.rope_cos_sin(8, 4, theta=1e6)


@points(0.25)
def test_tables_device(matches_reference, stays_on_device):
    """The tables are made on the device that is asked for.

    表建在所要求的设备上。
    """
    matches_reference.rope_cos_sin(6, 5, device=CPU)
    stays_on_device.rope_cos_sin(6, 5, device=CPU)


@points(0.25)
def test_tables_device_after_another(matches_reference, stays_on_device):
    """The tables are made on the device that is asked for, also after the same ones were made elsewhere.

    表建在所要求的设备上，即使之前在别的设备上建过同样的表。
    """
    matches_reference.rope_cos_sin(8, 3, theta=1e6)
    stays_on_device.rope_cos_sin(8, 3, theta=1e6, device=CPU)


@points(1)
def test_rotate_half(matches_reference, make, dtype):
    """rotate_half exchanges the halves of the last dimension and negates what comes first: (x1, x2) -> (-x2, x1).

    rotate_half 把最后一维的前后两半互换，并把换到前面的那一半变号：(x1, x2) -> (-x2, x1)。
    """
    for shape in ((1, 2), (3, 6), (2, 5, 10), (2, 3, 5, 6), (1, 4, 4, 4), (2, 3, 1, 8)):
        matches_reference.rotate_half(make.distinct(*shape))


@points(1)
def test_apply(matches_reference, make, reference, dtype):
    """q and k become x * cos + rotate_half(x) * sin in their own dtype, whatever the dtype of the tables.

    q 和 k 变为 x * cos + rotate_half(x) * sin，保持各自的 dtype，与表的 dtype 无关。
    """
    for sizes in SIZES:
        matches_reference.apply_rotary_pos_emb(*inputs(make, reference, *sizes))


@points(0.5)
def test_apply_given_rows(matches_reference, make, reference):
    """The rows of cos and sin say where the tokens are: in the middle of a text, one at a time, with gaps.

    词元的位置由给定的 cos 和 sin 的行决定：可以在文本中间，可以每次一个，也可以有间隔。
    """
    matches_reference.apply_rotary_pos_emb(*inputs(make, reference, 2, 3, 1, 1, 6, 7))
    matches_reference.apply_rotary_pos_emb(*inputs(make, reference, 1, 3, 2, 4, 6, 50, 1e6))
    cos, sin = reference.rope_cos_sin(10, 20)
    for rows in ([0, 2, 4, 6, 8], [11, 3, 7, 0, 18]):
        matches_reference.apply_rotary_pos_emb(make.normal(1, 3, 5, 10), make.normal(1, 2, 5, 10), cos[rows], sin[rows])
    matches_reference.apply_rotary_pos_emb(make.normal(2, 2, 4, 10), make.normal(2, 1, 4, 10), cos[3:18:4], sin[3:18:4])


@points(0.5)
def test_apply_coinciding_sizes(matches_reference, make, reference):
    """Tokens are told from heads also where there are as many of one as of the other.

    词元数与头数相等时，也不会把两者混淆。
    """
    for sizes in ((1, 1, 1, 5, 2, 0), (1, 3, 3, 3, 6, 2), (2, 4, 1, 4, 10, 1), (4, 4, 4, 4, 4, 3)):
        matches_reference.apply_rotary_pos_emb(*inputs(make, reference, *sizes))


@points(0.5)
def test_pairs(student, matches_reference, make, reference):
    """Channel i turns together with channel i + Dh/2, towards it and by the angle of its position.

    第 i 个通道与第 i + Dh/2 个通道一起旋转，朝着后者的方向，转过该位置的角度。
    """
    Dh, half = 6, 3
    cos, sin = (table[3:4] for table in reference.rope_cos_sin(Dh, 4))
    unit = torch.eye(Dh).reshape(1, Dh, 1, Dh)  # head h holds the unit vector of channel h
    turned_q, turned_k = student.apply_rotary_pos_emb(unit, unit[:, :half], cos, sin)
    for turned in (turned_q, turned_k):
        for i in range(half):
            row = turned[0, i, 0]
            others = [c for c in range(Dh) if c not in (i, i + half)]
            expect_close(row[others], 0.0, 1e-6, "a channel turns with the wrong partner", "有的通道配错了对")
            expect_close(row[i], cos[0, i], 1e-5, "a channel turns by a wrong angle", "有的通道转过的角度不对")
            expect_close(row[i + half], sin[0, i], 1e-5, "a pair turns the wrong way", "有的通道对旋转的方向反了")
    matches_reference.apply_rotary_pos_emb(*inputs(make, reference, 1, 2, 1, 3, 6, 1))


@points(0.25)
def test_lengths_kept(student, matches_reference, make, reference):
    """A rotation keeps the length of every pair of channels, and position 0 is not turned at all.

    旋转不改变每一对通道的长度，而位置 0 完全不转。
    """
    q, k, cos, sin = inputs(make, reference, 2, 3, 1, 5, 6, 0)
    for before, after in zip((q, k), student.apply_rotary_pos_emb(q, k, cos, sin), strict=True):
        expect_close(after[:, :, 0], before[:, :, 0], 1e-6, "position 0 is turned", "位置 0 发生了旋转")
        length = before.unflatten(-1, (2, -1)).norm(dim=-2)
        after = after.unflatten(-1, (2, -1)).norm(dim=-2)
        expect_close(after, length, 1e-5, "a pair of channels changes its length", "有的通道对长度变了")
    matches_reference.apply_rotary_pos_emb(*inputs(make, reference, 1, 2, 1, 3, 6, 1))


@points(0.25)
def test_relative(student, matches_reference, make, reference):
    """With your tables, the score of a query and a key depends only on how far apart they are.

    用你的表计算，查询与键的分数只取决于两者相距多远。
    """
    T, Dh, shift = 6, 8, make.integer(2, 30)
    q, k = make.normal(1, 1, 1, Dh).expand(-1, 3, T, -1), make.normal(1, 1, 1, Dh).expand(-1, -1, T, -1)
    scores = []
    for theta in (10000.0, 1e6):
        cos, sin = student.rope_cos_sin(Dh, shift + T, theta=theta)
        for start in (0, shift):
            turned = student.apply_rotary_pos_emb(q, k, cos[start : start + T], sin[start : start + T])
            scores.append(turned[0][0, 0] @ turned[1][0, 0].T)
    size = float(q[0, 0, 0].norm() * k[0, 0, 0].norm())
    allowed = 8 * size * (2e-6 + 6e-7 * (shift + T))  # four tables at their bound, in two scores
    for here, there in zip(scores[::2], scores[1::2], strict=True):
        unequal = "a score changes when query and key move by the same distance", "查询与键移动同样的距离后，分数变了"
        expect_close(here, there, allowed, *unequal)
        expect_close(here[1:, 1:], here[:-1, :-1], allowed, *unequal)
    matches_reference.apply_rotary_pos_emb(*inputs(make, reference, 1, 2, 1, 3, 6, 1))


@points(0.25)
def test_layouts(matches_reference, make, reference):
    """The result does not depend on how the inputs lie in memory: q and k often come transposed.

    结果与输入在内存中的排布无关：q 和 k 往往是转置得来的。
    """
    q, k, cos, sin = inputs(make, reference, 2, 3, 1, 5, 6, 2)
    matches_reference.apply_rotary_pos_emb(q.transpose(1, 2).contiguous().transpose(1, 2), make.strided(k), cos, sin)
    matches_reference.apply_rotary_pos_emb(q[:, :1].expand(2, 3, 5, 6), k[:, :, :1].expand(2, 1, 5, 6), cos, sin)
    matches_reference.apply_rotary_pos_emb(q, k, make.strided(cos), make.strided(sin))
    matches_reference.apply_rotary_pos_emb(q, k, cos[2:3].expand(5, 6), sin[2:3].expand(5, 6))
    matches_reference.rotate_half(make.strided(make.distinct(2, 3, 5, 6)))
    matches_reference.rotate_half(make.distinct(5, 6).expand(2, 3, 5, 6))


@points(0.5)
@dtypes("float32", "float64")
def test_gradients(matches_gradients, make, reference, dtype):
    """Gradients flow back through the rotation to q and k.

    梯度能穿过旋转回到 q 和 k。
    """
    # cos and sin are tables: which of their equal halves an implementation reads is its own affair
    matches_gradients.wrt("q", "k").apply_rotary_pos_emb(*inputs(make, reference, 2, 6, 3, 5, 10, 4))
    matches_gradients.rotate_half(make.normal(2, 3, 5, 6))


@points(0.25)
def test_inputs_unchanged(does_not_mutate, make, reference):
    """The inputs are not changed.

    不修改输入。
    """
    does_not_mutate.apply_rotary_pos_emb(*inputs(make, reference, 2, 3, 1, 5, 6, 2))
    does_not_mutate.rotate_half(make.distinct(2, 3, 5, 6))


@points(0.25)
def test_apply_device(stays_on_device, make, reference):
    """The rotation stays on the device of the inputs.

    旋转的结果与输入位于同一设备。
    """
    stays_on_device.apply_rotary_pos_emb(*inputs(make, reference, 2, 6, 3, 5, 10, 4))


@points(0.25)
def test_rotate_half_device(stays_on_device, make):
    """rotate_half stays on the device of the input.

    rotate_half 的结果与输入位于同一设备。
    """
    stays_on_device.rotate_half(make.distinct(2, 3, 5, 6))


# Misconceptions. Not here: an offset argument and rotating v, which these functions do not have; a stale cache, which a
# replayed call cannot show (test_theta finds it).


def parts(head_dim, max_len, device):
    """Positions [T, 1] and exponents 2i / head_dim [Dh/2]."""
    if head_dim % 2:
        raise ValueError("odd")
    position = torch.arange(max_len, dtype=torch.float32, device=device).unsqueeze(1)
    return position, torch.arange(0, head_dim, 2, dtype=torch.float32, device=device) / head_dim


def tables(angle):
    """cos and sin of angles [T, Dh/2], twice side by side."""
    return angle.cos().repeat(1, 2), angle.sin().repeat(1, 2)


def half_turn(x):
    x1, x2 = x.chunk(2, -1)
    return torch.cat([-x2, x1], -1)


def turn_neighbours(x):
    return torch.stack([-x[..., 1::2], x[..., ::2]], -1).flatten(-2)


def turned(x, cos, sin, rotate=half_turn):
    return (x * cos + rotate(x) * sin).to(x.dtype)


def with_rotation(rotate):
    """Both functions for another rotate_half."""
    return rotate, lambda q, k, cos, sin: (turned(q, cos, sin, rotate), turned(k, cos, sin, rotate))


@facts("rope_cos_sin")
def seen_in_tables(result, head_dim, max_len, theta=10000.0, device=None):
    cos, sin = result
    norm = cos.square() + sin.square()
    if not bool(((norm - 1).abs() < 1e-3).all()):
        yield Text("cos^2 + sin^2 is not 1 everywhere", "cos^2 + sin^2 并非处处为 1")
        return
    if max_len > 1:
        turns = torch.atan2(sin, cos)
        first, step = turns[0].abs().max().item(), (turns[1] - turns[0]).tolist()
        due = [theta ** (-2 * (i % (head_dim // 2)) / head_dim) for i in range(head_dim)]
        if first > 1e-3:
            yield Text("position 0 is turned already", "位置 0 就已经转动了")
        shown = [[f"{a:.3g}" for a in angles[:6]] for angles in (step, due)]
        yield Text(
            f"from position 0 to 1 the channels turn by {', '.join(shown[0])}; due are {', '.join(shown[1])}",
            f"从位置 0 到 1，各通道转过 {', '.join(shown[0])}；应为 {', '.join(shown[1])}",
        )


@facts("rotate_half")
def seen_in_half(y, x):
    row, origin = y.reshape(-1, y.shape[-1])[0].tolist(), x.reshape(-1, x.shape[-1])[0].tolist()
    names = [
        next((f"{'-' if value == -o else ''}x{j}" for j, o in enumerate(origin) if abs(value) == abs(o)), "?")
        for value in row
    ]
    half = len(origin) // 2
    due = [f"-x{half + i}" for i in range(half)] + [f"x{i}" for i in range(half)]
    yield Text(
        f"the channels are {', '.join(names[:8])}; due are {', '.join(due[:8])}",
        f"各通道依次为 {', '.join(names[:8])}；应为 {', '.join(due[:8])}",
    )


@facts("apply_rotary_pos_emb")
def seen_in_rotation(result, q, k, cos, sin):
    for name, before, after in zip("qk", (q, k), result, strict=True):
        half = before.shape[-1] // 2
        if not torch.allclose(before.norm(dim=-1), after.norm(dim=-1), rtol=1e-3):
            yield Text(
                f"the lengths of the vectors of {name} change; a rotation keeps them",
                f"{name} 中向量的长度变了；旋转应保持长度",
            )
        a, b = before[0, 0, -1, [0, half]], after[0, 0, -1, [0, half]]
        due = torch.stack([a[0] * cos[-1, 0] - a[1] * sin[-1, 0], a[1] * cos[-1, half] + a[0] * sin[-1, half]])
        if not torch.allclose(b, due, rtol=1e-3, atol=1e-3):
            turn = float(torch.atan2(b[1], b[0]) - torch.atan2(a[1], a[0]))
            wanted = float(torch.atan2(sin[-1, 0], cos[-1, 0]))
            yield Text(
                f"at the last position channels 0 and {half} of {name} turn by {turn:.3g}; due is {wanted:.3g}",
                f"{name} 的最后一个位置上，通道 0 与 {half} 转过 {turn:.3g}；应为 {wanted:.3g}",
            )


@misconception("rope_cos_sin")
def positions_from_1(head_dim, max_len, theta=10000.0, device=None):
    """Your positions start at 1. Scores between tokens come out the same, but the tables of other code do not match:
    row 0 is position 0, which is not turned.

    位置从 1 开始了。词元之间的分数虽然不变，却与别人的表对不上：第 0 行应是位置 0，不旋转。
    """
    position, exponent = parts(head_dim, max_len, device)
    return tables((position + 1) * theta**-exponent)


@misconception("rope_cos_sin")
def exponent_halved(head_dim, max_len, theta=10000.0, device=None):
    """Your exponents are i / head_dim; the formula has 2i / head_dim. Your slowest pair turns far too fast.

    指数用的是 i / head_dim，公式里是 2i / head_dim。最慢的那一对会转得太快。
    """
    position, exponent = parts(head_dim, max_len, device)
    return tables(position * theta ** -(exponent / 2))


@misconception("rope_cos_sin")
def exponent_doubled(head_dim, max_len, theta=10000.0, device=None):
    """Your exponents are twice too large, 4i / head_dim. Was a range that already steps by 2 doubled again, or divided
    by head_dim / 2?

    指数大了一倍，成了 4i / head_dim。是不是把步长已经为 2 的序列又乘了 2，或者除以了 head_dim / 2?
    """
    position, exponent = parts(head_dim, max_len, device)
    return tables(position * theta ** -(exponent * 2))


@misconception("rope_cos_sin")
def exponent_to_the_end(head_dim, max_len, theta=10000.0, device=None):
    """Your exponents run up to 1 inclusive. They are 2i / head_dim with i < head_dim/2, so 1 is not reached.

    指数一直取到了 1。应为 2i / head_dim 且 i < head_dim/2，取不到 1。
    """
    position, exponent = parts(head_dim, max_len, device)
    return tables(position * theta ** -(exponent / exponent[-1].clamp(min=1e-6)))


@misconception("rope_cos_sin")
def exponent_positive(head_dim, max_len, theta=10000.0, device=None):
    """Your frequencies are theta^(2i / head_dim): they grow to thousands of turns a token. The exponent is negative.

    频率成了 theta^(2i / head_dim)，每个词元要转成千上万圈。指数应为负。
    """
    position, exponent = parts(head_dim, max_len, device)
    return tables(position * theta**exponent)


@misconception("rope_cos_sin")
def one_frequency(head_dim, max_len, theta=10000.0, device=None):
    """All your pairs turn at the same speed. Each pair i has a frequency of its own, theta^(-2i / head_dim).

    所有的通道对转得一样快。每一对 i 应有自己的频率 theta^(-2i / head_dim)。
    """
    position, exponent = parts(head_dim, max_len, device)
    return tables(position * theta ** -(exponent * 0))


@misconception("rope_cos_sin")
def frequencies_reversed(head_dim, max_len, theta=10000.0, device=None):
    """Your frequencies come in reverse order. The first pair turns fastest, by 1 radian a token.

    频率的顺序反了。第一对转得最快，每个词元转 1 弧度。
    """
    position, exponent = parts(head_dim, max_len, device)
    return tables(position * theta ** -exponent.flip(0))


@misconception("rope_cos_sin")
def theta_always_10000(head_dim, max_len, theta=10000.0, device=None):
    """You use 10000 whatever theta is. MiniMind passes 1e6.

    无论 theta 是多少，用的都是 10000。MiniMind 传入的是 1e6。
    """
    position, exponent = parts(head_dim, max_len, device)
    return tables(position * 10000.0**-exponent)


@misconception("rope_cos_sin")
def theta_always_1e6(head_dim, max_len, theta=10000.0, device=None):
    """You use 1e6, MiniMind's value, whatever theta is. The default is 10000.

    无论 theta 是多少，用的都是 MiniMind 的 1e6。默认值应为 10000。
    """
    position, exponent = parts(head_dim, max_len, device)
    return tables(position * 1e6**-exponent)


@misconception("rope_cos_sin")
def half_width(head_dim, max_len, theta=10000.0, device=None):
    """Your tables have head_dim/2 columns, one a pair. Both channels of a pair need one: repeat them side by side.

    表只有 head_dim/2 列，每对一列。一对的两个通道各需要一列：应并排重复一遍。
    """
    position, exponent = parts(head_dim, max_len, device)
    angle = position * theta**-exponent
    return angle.cos(), angle.sin()


@misconception("rope_cos_sin")
def interleaved_tables(head_dim, max_len, theta=10000.0, device=None):
    """Your columns go f0 f0 f1 f1 ..., the layout that pairs neighbours. Here channel i pairs with i + head_dim/2, so
    the columns go f0 f1 ... f0 f1 ...

    列的排法是 f0 f0 f1 f1……，那是相邻通道配对的布局。这里第 i 个通道与第 i + head_dim/2 个配对，应排成 f0 f1……f0 f1……
    """
    position, exponent = parts(head_dim, max_len, device)
    angle = (position * theta**-exponent).repeat_interleave(2, dim=1)
    return angle.cos(), angle.sin()


@misconception("rope_cos_sin")
def tables_swapped(head_dim, max_len, theta=10000.0, device=None):
    """You return sin first. The order is cos, sin.

    先返回了 sin。顺序应为 cos、sin。
    """
    position, exponent = parts(head_dim, max_len, device)
    return tables(position * theta**-exponent)[::-1]


@misconception("rope_cos_sin")
def bfloat16_positions(head_dim, max_len, theta=10000.0, device=None):
    """Your positions are in bfloat16, which cannot tell 256 from 257. Compute angles in float32.

    位置用了 bfloat16，它分不清 256 与 257。角度应以 float32 计算。
    """
    position, exponent = parts(head_dim, max_len, device)
    return tables(position.bfloat16().float() * theta**-exponent)


@misconception("rope_cos_sin")
def float16_positions(head_dim, max_len, theta=10000.0, device=None):
    """Your positions are in float16, which cannot tell 2048 from 2049. Compute angles in float32.

    位置用了 float16，它分不清 2048 与 2049。角度应以 float32 计算。
    """
    position, exponent = parts(head_dim, max_len, device)
    return tables(position.half().float() * theta**-exponent)


@misconception("rope_cos_sin")
def float64_tables(head_dim, max_len, theta=10000.0, device=None):
    """Your tables are float64. Return float32: float64 doubles the memory and turns float32 queries into float64.

    表是 float64。应返回 float32:float64 占用加倍，还会把 float32 的查询变成 float64。
    """
    position, exponent = parts(head_dim, max_len, device)
    return tables(position.double() * theta ** -exponent.double())


@misconception("rope_cos_sin")
def odd_accepted(head_dim, max_len, theta=10000.0, device=None):
    """You accept an odd head_dim and return tables one column too wide. A channel is left without partner: raise
    ValueError.

    接受了奇数的 head_dim，返回的表还多出一列。有一个通道无法配对，应抛出 ValueError。
    """
    position, _ = parts(2, max_len, device)
    return tables(position * theta ** -(torch.arange(0, head_dim, 2, device=device) / head_dim))


@misconception("rope_cos_sin")
def ignores_device(head_dim, max_len, theta=10000.0, device=None):
    """You make the tables on the CPU whatever `device` says; on a GPU they would not mix with q and k.

    无论 `device` 是什么，表都建在 CPU 上；在 GPU 上它们无法与 q 和 k 一起运算。
    """
    position, exponent = parts(head_dim, max_len, None)
    return tables(position * theta**-exponent)


@misconception("rope_cos_sin", "rotate_half", "apply_rotary_pos_emb")
def neighbours_paired():
    """You pair neighbouring channels (0, 1), (2, 3), ... as in the RoFormer paper. All laws of a rotation hold, but
    weights trained for Llama or MiniMind pair i with i + Dh/2 and would give other scores.

    像 RoFormer 论文那样把相邻通道 (0, 1)、（2, 3）……配成一对。旋转的各条规律都成立，但 Llama 和 MiniMind 的权重
    是按第 i 个与第 i + Dh/2 个配对训练的，会得到不同的分数。
    """
    return interleaved_tables.functions["rope_cos_sin"], *with_rotation(turn_neighbours)


@misconception("rotate_half", "apply_rotary_pos_emb")
def neighbours_rotated():
    """You rotate neighbouring channels, but the tables belong to pairs i and i + Dh/2: the two channels of a pair turn
    by different angles, and lengths change.

    旋转的是相邻通道，而表是按第 i 个与第 i + Dh/2 个配对的：一对的两个通道转过的角度不同，长度也变了。
    """
    return with_rotation(turn_neighbours)


@misconception("rotate_half", "apply_rotary_pos_emb")
def rotated_backwards():
    """Your rotate_half gives (x2, -x1), which turns backwards. The minus belongs to the second half, which moves to the
    front.

    rotate_half 得到的是 (x2, -x1)，旋转方向反了。变号的应是移到前面的后一半。
    """
    return with_rotation(lambda x: -half_turn(x))


@misconception("rotate_half", "apply_rotary_pos_emb")
def no_minus():
    """Your rotate_half only exchanges the halves. Without a minus it is no rotation, and lengths change.

    rotate_half 只是互换了两半。没有负号就不是旋转，长度会改变。
    """
    return with_rotation(lambda x: x.roll(x.shape[-1] // 2, -1))


@misconception("rotate_half", "apply_rotary_pos_emb")
def reversed_order():
    """Your rotate_half reverses the order of the channels, pairing the first with the last. Each half keeps its order.

    rotate_half 颠倒了通道的顺序，第一个与最后一个配成了对。每一半内部的顺序应保持不变。
    """
    return with_rotation(lambda x: half_turn(x.unflatten(-1, (2, -1)).flip(-1).flatten(-2)))


@misconception("rotate_half", "apply_rotary_pos_emb")
def wrong_dimension():
    """Your rotate_half cuts another dimension than the last one. The channels are the last dimension.

    rotate_half 切开的不是最后一维。通道在最后一维。
    """

    def rotate(x):
        x1, x2 = x[:, : x.shape[1] // 2], x[:, x.shape[1] // 2 :]
        return torch.cat([-x2, x1], 1)

    return with_rotation(rotate)


@misconception("rotate_half", "apply_rotary_pos_emb")
def sign_on_cpu():
    """You make a tensor of signs on the CPU; on a GPU it does not mix with q and k. Make it on their device, or none.

    在 CPU 上建了一个存放符号的张量；在 GPU 上它无法与 q 和 k 一起运算。应建在它们的设备上，或者根本不用。
    """

    def rotate(x):
        sign = torch.tensor([-1.0, 1.0], dtype=x.dtype).repeat_interleave(x.shape[-1] // 2)
        return x.roll(x.shape[-1] // 2, -1) * sign

    return with_rotation(rotate)


@misconception("apply_rotary_pos_emb")
def subtracts_sine(q, k, cos, sin):
    """You subtract the sine term, which turns backwards: rotate_half already holds the minus.

    减去了正弦项，旋转方向反了：rotate_half 里已经有负号。
    """
    return turned(q, cos, -sin), turned(k, cos, -sin)


@misconception("apply_rotary_pos_emb")
def only_q(q, k, cos, sin):
    """You rotate q and leave k. Scores then depend on where the query stands, not on how far apart the tokens are.

    只旋转了 q，没有旋转 k。分数于是取决于查询所在的位置，而不是两个词元的距离。
    """
    return turned(q, cos, sin), k


@misconception("apply_rotary_pos_emb")
def only_k(q, k, cos, sin):
    """You rotate k and leave q. Scores then depend on where the key stands, not on how far apart the tokens are.

    只旋转了 k，没有旋转 q。分数于是取决于键所在的位置，而不是两个词元的距离。
    """
    return q, turned(k, cos, sin)


@misconception("apply_rotary_pos_emb")
def k_backwards(q, k, cos, sin):
    """You turn k the other way. Then scores depend on the sum of the positions; turned alike, on their difference.

    k 的旋转方向与 q 相反。分数于是取决于位置之和；同向旋转时才取决于位置之差。
    """
    return turned(q, cos, sin), turned(k, cos, -sin)


@misconception("apply_rotary_pos_emb")
def not_rotated(q, k, cos, sin):
    """Queries and keys come back as they are: cos and sin are accepted and never used, so attention cannot tell one
    position from another. Return the rotated tensors.

    q 和 k 原样返回：接收了 cos 和 sin 却没有使用，注意力无法区分不同的位置。应返回旋转后的张量。
    """
    return q.clone(), k.clone()


@misconception("apply_rotary_pos_emb")
def no_sine(q, k, cos, sin):
    """You only multiply by cos. That shrinks the channels; a rotation adds rotate_half(x) * sin.

    只乘了 cos。这只会缩小各通道；旋转还要加上 rotate_half(x) * sin。
    """
    return turned(q, cos, 0 * sin), turned(k, cos, 0 * sin)


@misconception("apply_rotary_pos_emb")
def sine_of_itself(q, k, cos, sin):
    """You add x * sin where rotate_half(x) * sin is due: each channel is scaled, none is turned.

    加的是 x * sin，而应是 rotate_half(x) * sin：各通道只是缩放，没有旋转。
    """
    return turned(q, cos, sin, lambda x: x), turned(k, cos, sin, lambda x: x)


@misconception("apply_rotary_pos_emb")
def added(q, k, cos, sin):
    """You add the tables to q and k, as with absolute position embeddings. RoPE multiplies: it rotates.

    把表加到了 q 和 k 上，像绝对位置编码那样。RoPE 用的是乘法：旋转。
    """
    return (q + cos + sin).to(q.dtype), (k + cos + sin).to(k.dtype)


@misconception("apply_rotary_pos_emb")
def cos_sin_exchanged(q, k, cos, sin):
    """You multiply x by sin and rotate_half(x) by cos. It is the other way round: position 0 must stay as it is.

    x 乘了 sin,rotate_half(x) 乘了 cos。应当反过来：位置 0 必须保持原样。
    """
    return turned(q, sin, cos), turned(k, sin, cos)


@misconception("apply_rotary_pos_emb")
def twice(q, k, cos, sin):
    """You rotate twice, so every angle is doubled.

    旋转了两次，所有角度都加倍了。
    """
    return turned(turned(q, cos, sin), cos, sin), turned(turned(k, cos, sin), cos, sin)


@misconception("apply_rotary_pos_emb")
def minimind_layout(q, k, cos, sin):
    """You line cos and sin up for the layout [B, T, H, Dh] of MiniMind (unsqueeze(1)). Here heads come before tokens,
    so each head would be taken for a position.

    cos 和 sin 是按 MiniMind 的布局 [B, T, H, Dh] 对齐的（unsqueeze(1)）。这里头在词元之前，于是头被当成了位置。
    """
    return turned(q, cos.unsqueeze(1), sin.unsqueeze(1)), turned(k, cos.unsqueeze(1), sin.unsqueeze(1))


@misconception("apply_rotary_pos_emb")
def ignores_given_rows(q, k, cos, sin):
    """You rotate as if the first token stood at position 0. The rows of cos and sin that you are given say where the
    tokens are; in decoding they start late.

    旋转时以为第一个词元在位置 0。词元的位置由给定的 cos 和 sin 的行决定；解码时它们从靠后的位置开始。
    """
    position, exponent = parts(q.shape[-1], q.shape[2], q.device)
    cos, sin = tables(position * 10000.0**-exponent)
    return turned(q, cos, sin), turned(k, cos, sin)


@misconception("apply_rotary_pos_emb")
def overwritten_half(q, k, cos, sin):
    """You compute the second half from the first half that you have just changed. Both need the old values.

    计算后一半时，用的是刚刚改过的前一半。两半都要用旧值。
    """

    def turn(x):
        (x1, x2), (c, _), (s, _) = x.chunk(2, -1), cos.chunk(2, -1), sin.chunk(2, -1)
        x1 = x1 * c - x2 * s
        return torch.cat([x1, x2 * c + x1 * s], -1).to(x.dtype)

    return turn(q), turn(k)


@misconception("apply_rotary_pos_emb")
def results_swapped(q, k, cos, sin):
    """You return k first. The order is q, k.

    先返回了 k。顺序应为 q、k。
    """
    return turned(k, cos, sin), turned(q, cos, sin)


@misconception("apply_rotary_pos_emb")
def dtype_of_tables(q, k, cos, sin):
    """Your result has the dtype of the tables: half-precision q times float32 cos gives float32. Return q's own dtype.

    结果成了表的 dtype：半精度的 q 乘 float32 的 cos 得到 float32。应恢复为 q 自己的 dtype。
    """
    return q * cos + half_turn(q) * sin, k * cos + half_turn(k) * sin


@misconception("apply_rotary_pos_emb")
def in_place(q, k, cos, sin):
    """You change q and k in place. The caller still needs them, and gradients cannot pass.

    就地修改了 q 和 k。调用者可能还要用它们，梯度也无法通过。
    """
    for x in (q, k):
        rotated = half_turn(x) * sin
        x.mul_(cos).add_(rotated)
    return q, k


@misconception("apply_rotary_pos_emb")
def detached(q, k, cos, sin):
    """Your result is cut off from q and k (detach, .data or no_grad), so the model cannot learn through it.

    结果与 q、k 断开了（detach、.data 或 no_grad），模型无法通过它学习。
    """
    return turned(q.detach(), cos, sin), turned(k.detach(), cos, sin)
