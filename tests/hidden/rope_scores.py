"""Hidden suite for the RoPE laboratory.

Not in the bank, because right: tables that start at position 1 (scores depend on distances only; `rotate` is told its
positions), and a score computed from the distance m - n alone.
"""

import math

import torch

from grader.suites import dtypes, error_bound, expect_close, misconception, points

EPSILON = torch.finfo(torch.float32).eps


def table_units(positions):
    """How far a float32 cosine or sine may be off at these positions, in units of float32's epsilon."""
    # An angle is position * frequency; the frequency is off by a few roundings, the product by one more: 6e-7 *
    # position in all. The slope of cos and sin is at most 1, and they round once themselves.
    return (2e-6 + 6e-7 * positions) / EPSILON


def rotation_units(x, positions):
    """How far a rotated vector may be off."""
    # Two products and a sum, each rounded once, of a table that may have been rounded to x's dtype: 1.5 epsilon of
    # both summands, taken as 2; the table's own error times both; an underflow of a sine in float16.
    x1, x2 = (half.abs() for half in x.chunk(2, -1))
    return (2 + 1e-4 + table_units(positions)).unsqueeze(-1) * torch.cat([x1 + x2, x1 + x2], -1)


def pair_lengths(x):
    """The length of each pair of channels: [..., Dh/2]."""
    return x.unflatten(-1, (2, -1)).norm(dim=-2)


def score_units(q, k, positions):
    """How far the score of each rotated query [..., T, Dh] with each rotated key may be off; and its reach."""
    # The products of q' and k' sum to at most reach = sum over pairs of |q_pair||k_pair|. Each rotated pair is off by
    # at most sqrt(2) (2 + table) |pair|, one of q and one of k, and the Dh products by (Dh / 2 + 2) reach; rounded up.
    reach = pair_lengths(q) @ pair_lengths(k).transpose(-2, -1)
    table = table_units(positions)
    return (q.shape[-1] / 2 + 9 + 1.5 * (table.unsqueeze(-1) + table)) * reach, reach


@error_bound("rotate")
def rotate_bound(x, positions, theta=10000.0):
    return rotation_units(x, positions.double())


@error_bound("rope_scores")
def scores_bound(q, k, length, theta=10000.0):
    positions = torch.arange(length, dtype=torch.float64)
    return score_units(q.expand(length, -1), k.expand(length, -1), positions)[0]


@error_bound("rotated_attention")
def attention_bound(q, k, v, start=0, rotate_values=False, theta=10000.0):
    # As for plain attention (docs/tolerances.md), with the scores' error from above and v's own where it is rotated.
    positions = torch.arange(start, start + q.shape[-2], dtype=torch.float64)
    scores = turned(q, positions, theta) @ turned(k, positions, theta).transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = scores.softmax(-1)
    units, reach = (t / math.sqrt(q.shape[-1]) for t in score_units(q, k, positions))
    exponents = units + 2 * reach + reach.amax(-1, keepdim=True)
    total = exponents + (weights * exponents).sum(-1, keepdim=True) + k.shape[-2] + 8
    size, own = v.abs(), torch.zeros_like(v)
    if rotate_values:
        size, own = pair_lengths(v).repeat(*[1] * (v.dim() - 1), 2), rotation_units(v, positions)
    return (weights * (total + k.shape[-2] + 4)) @ size + weights @ own


def inputs(make, *lead, t=5, dh=6, dv=4):
    """Random q, k, v with these leading dimensions."""
    return make.normal(*lead, t, dh), make.normal(*lead, t, dh), make.normal(*lead, t, dv)


@points(1.4)
def test_rotate(matches_reference, make, dtype):
    """rotate turns channel i together with channel i + Dh/2, by the angle of the row's position.

    rotate 让第 i 个通道与第 i + Dh/2 个通道一起旋转，转过该行位置对应的角度。
    """
    for shape, positions in (
        ((1, 2), [1]),
        ((3, 4), [0, 1, 2]),
        ((2, 5, 6), [4, 0, 7, 2, 9]),
        ((2, 3, 4, 10), range(4)),
    ):
        matches_reference.rotate(make.normal(*shape), torch.tensor(list(positions)))


@points(0.5)
def test_rotate_positions(matches_reference, make):
    """The positions given count, not the rows: they may have gaps, repeat, run backwards, or be far from the start.

    起作用的是给出的位置，而不是第几行：位置可以有间隔、重复、倒序，也可以离开头很远。
    """
    for positions in ([3], [7, 6, 5], [2, 2, 2], [40, 0, 90, 11], [257, 300, 2049]):
        matches_reference.rotate(make.normal(2, len(positions), 6), torch.tensor(positions))


@points(0.4)
@dtypes("float16", "bfloat16")
def test_half_precision(student, reference, matches_reference, make, dtype):
    """Half precision cannot tell position 2048 from 2049: the angles are computed in float32 at least.

    半精度分不清位置 2048 与 2049：角度至少要以 float32 计算。
    """
    x, positions = make.normal(2, 4, 6), torch.tensor([3, 101, 259, 2049])
    exact = reference.rotate(x.double(), positions)
    en, zh = "a vector far from the start is turned by a wrong angle", "离开头很远的向量转过的角度不对"
    expect_close(student.rotate(x, positions), exact, 4 * torch.finfo(dtype).eps * float(x.abs().max()) + 2e-3, en, zh)
    matches_reference.rotate(x, positions)


@points(0.5)
def test_lengths_kept(student, matches_reference, make):
    """A rotation keeps the length of every pair of channels, and position 0 is not turned at all.

    旋转不改变每一对通道的长度，而位置 0 完全不转。
    """
    x = make.normal(2, 4, 6)
    turned = student.rotate(x, torch.tensor([0, 5, 1, 8]))
    expect_close(turned[:, 0], x[:, 0], 1e-6, "position 0 is turned", "位置 0 发生了旋转")
    en, zh = "a pair of channels changes its length", "有的通道对长度变了"
    expect_close(pair_lengths(turned), pair_lengths(x), 1e-5, en, zh)
    matches_reference.rotate(x, torch.tensor([6, 5, 1, 8]))


@points(0.3)
def test_theta(matches_reference, make):
    """theta sets the frequencies of the rotation: 10000 unless given, any other value too.

    theta 决定旋转的频率：不给时为 10000，也可以是其他值。
    """
    for theta in (1e6, 10000.0, 100.0 + make.integer(1, 400)):
        matches_reference.rotate(make.normal(3, 6), torch.tensor([1, 8, 30]), theta=theta)
    matches_reference.rotate(make.normal(3, 6), torch.tensor([1, 8, 30]))


@points(0.3)
def test_theta_of_the_experiments(matches_reference, make):
    """theta sets the frequencies of the table and of attention too.

    theta 同样决定分数表和注意力的频率。
    """
    for theta in (1e6, 100.0 + make.integer(1, 400)):
        matches_reference.rope_scores(make.normal(6), make.normal(6), 4, theta=theta)
        matches_reference.rotated_attention(*inputs(make), theta=theta)
        matches_reference.rotated_attention(*inputs(make), start=3, rotate_values=True, theta=theta)
    second = torch.eye(10)[[1, 6]].sum(0)  # the pair in which the default theta shows best
    matches_reference.rope_scores(second, second, 201)
    small = 0.1 * make.normal(3, 10)
    matches_reference.rotated_attention(small, small, second.expand(3, 10), start=2000, rotate_values=True)


@points(0.4)
def test_refuses_odd(raises_value_error, matches_reference, make):
    """An odd number of channels is refused with ValueError: channels turn in pairs.

    通道数为奇数时抛出 ValueError：通道是成对旋转的。
    """
    for dh in (1, 3, 7):
        raises_value_error.rotate(make.normal(2, dh), torch.tensor([0, 1]))
        raises_value_error.rope_scores(make.normal(dh), make.normal(dh), 3)
        raises_value_error.rotated_attention(*inputs(make, dh=dh))
    matches_reference.rotate(make.normal(2, 4), torch.tensor([0, 1]))


@points(0.3)
def test_refuses_odd_values(raises_value_error, matches_reference, make):
    """Values of odd length are refused only where they are to be rotated.

    值的长度为奇数时，只有在要旋转值的情况下才抛出 ValueError。
    """
    for dv in (3, 5):
        raises_value_error.rotated_attention(*inputs(make, dv=dv), rotate_values=True)
        matches_reference.rotated_attention(*inputs(make, dv=dv))


@points(1.4)
def test_table(matches_reference, make, dtype):
    """Entry (m, n) of the table is the score of the query at position m with the key at position n.

    表中元素 (m, n) 是位于 m 的查询与位于 n 的键的分数。
    """
    for dh, length in ((2, 2), (4, 3), (6, 5), (10, 7)):
        matches_reference.rope_scores(make.normal(dh), make.normal(dh), length)


@points(0.8)
def test_table_is_relative(student, matches_reference, make):
    """The table is constant along its diagonals, it is not symmetric, and the middle one holds the plain dot product.

    表沿各条对角线不变；它并不对称；主对角线上是未旋转时的点积。
    """
    for dh, length in ((4, 3), (6, 6), (8, 12)):
        q, k = make.normal(dh), make.normal(dh)
        table = student.rope_scores(q, k, length)
        en = "the score changes when query and key move by the same distance"
        zh = "查询与键移动同样的距离后，分数变了"
        expect_close(table[1:, 1:], table[:-1, :-1], 1e-4, en, zh)
        en, zh = "the score at distance 0 is not the plain dot product", "距离为 0 时，分数不等于未旋转的点积"
        expect_close(table.diagonal(), float(q @ k), 1e-4, en, zh)
        matches_reference.rope_scores(q, k, length)


@points(1.2)
def test_attention(matches_reference, make, dtype):
    """rotated_attention rotates queries and keys, attends to all tokens, and leaves the values as they are.

    rotated_attention 旋转查询和键，关注所有词元，而值保持原样。
    """
    for lead, t, dh, dv in (((), 2, 2, 3), ((), 3, 4, 2), ((2,), 5, 6, 4), ((2, 3), 4, 8, 5)):
        matches_reference.rotated_attention(*inputs(make, *lead, t=t, dh=dh, dv=dv))


@points(0.5)
def test_start_does_not_matter(student, matches_reference, make):
    """Without rotated values the output does not depend on where the text starts.

    不旋转值时，输出与文本从哪个位置开始无关。
    """
    for start in (1, 7, make.integer(10, 40)):
        q, k, v = inputs(make, 2)
        here, there = student.rotated_attention(q, k, v), student.rotated_attention(q, k, v, start=start)
        expect_close(there, here, 3e-4, "moving all tokens changes the output", "所有词元一起移动后，输出变了")
        matches_reference.rotated_attention(q, k, v, start=start)


@points(0.8)
def test_values_rotated(student, matches_reference, make):
    """With rotated values the output depends on where the text starts; that is why RoPE leaves them alone.

    旋转了值之后，输出就取决于文本从哪里开始；这正是 RoPE 不旋转值的原因。
    """
    for lead, start in (((), 0), ((2,), 3), ((2, 3), make.integer(4, 30))):
        matches_reference.rotated_attention(*inputs(make, *lead), start=start, rotate_values=True)
    q, k, v = inputs(make, 2, t=4, dh=4, dv=6)
    matches_reference.rotated_attention(q, k, v, rotate_values=True)
    matches_reference.rotated_attention(q, k, v, start=make.integer(4, 30), rotate_values=True)


@points(0.2)
def test_special_sizes(matches_reference, make):
    """Sizes of 1, and sizes that coincide, are no special case.

    尺寸为 1 或彼此相等时没有例外。
    """
    matches_reference.rope_scores(make.normal(2), make.normal(2), 1)
    matches_reference.rope_scores(make.normal(4), make.normal(4), 4)
    matches_reference.rotate(make.normal(4, 4, 4), torch.tensor([3, 2, 1, 0]))
    matches_reference.rotated_attention(*inputs(make, t=1, dh=2, dv=1), start=2)
    matches_reference.rotated_attention(*inputs(make, 4, t=4, dh=4, dv=4), start=4, rotate_values=True)


@points(0.5)
@dtypes("float32", "float64")
def test_gradients(matches_gradients, make, dtype):
    """Gradients flow back through the rotation to queries, keys and values.

    梯度能穿过旋转回到查询、键和值。
    """
    matches_gradients.rotate(make.normal(2, 3, 6), torch.tensor([2, 0, 9]))
    matches_gradients.rope_scores(make.normal(6), make.normal(6), 4)
    matches_gradients.rotated_attention(*inputs(make, 2), start=3)
    matches_gradients.rotated_attention(*inputs(make), start=3, rotate_values=True)


@points(0.25)
def test_inputs(does_not_mutate, matches_reference, make):
    """The inputs may lie in memory in any order and are left as they were.

    输入在内存中可按任意次序排布，并且保持原样。
    """
    x, positions = make.strided(make.normal(2, 3, 6)), torch.tensor([2, 0, 9])
    does_not_mutate.rotate(x, positions)
    matches_reference.rotate(x, positions)
    matches_reference.rotate(make.normal(6).expand(3, 6), positions)
    q, k, v = (make.strided(t) for t in inputs(make, 2))
    does_not_mutate.rotated_attention(q, k, v, start=2, rotate_values=True)
    matches_reference.rotated_attention(q, k, v, start=2, rotate_values=True)
    does_not_mutate.rope_scores(q[0, 0], k[0, 0], 3)


@points(0.1)
def test_rotate_device(stays_on_device, matches_reference, make):
    """rotate makes its angles on the device of the inputs.

    rotate 把角度建在输入所在的设备上。
    """
    x, positions = make.normal(2, 3, 6), torch.tensor([2, 0, 9])
    stays_on_device.rotate(x, positions)
    matches_reference.rotate(x, positions)


@points(0.15)
def test_device(stays_on_device, matches_reference, make):
    """Whatever the experiments make on the way is made on the device of the inputs.

    实验途中创建的张量都位于输入所在的设备上。
    """
    stays_on_device.rope_scores(make.normal(6), make.normal(6), 4)
    q, k, v = inputs(make, 2)
    stays_on_device.rotated_attention(q, k, v)
    stays_on_device.rotated_attention(q, k, v, start=2, rotate_values=True)
    matches_reference.rotated_attention(q, k, v, start=2, rotate_values=True)


def halves(x, cos, sin):
    """The rotation of pairs (i, i + Dh/2)."""
    x1, x2 = x.chunk(2, -1)
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)


def turned(x, positions, theta, pair=halves, halving=2.0, checked=True, dtype=None):
    """The right rotation, with places to go wrong."""
    Dh = x.shape[-1]
    if checked and Dh % 2:
        raise ValueError("odd")
    dtype = dtype or torch.promote_types(x.dtype, torch.float32)
    exponent = torch.arange(Dh // 2, dtype=dtype, device=x.device) * (halving / Dh)
    angle = torch.outer(positions.to(dtype), theta**-exponent)
    return pair(x, angle.cos(), angle.sin()).to(x.dtype)


def attend(q, k, v, scale=None, dim=-1):
    scale = 1 / math.sqrt(q.shape[-1]) if scale is None else scale
    return (q @ k.transpose(-2, -1) * scale).softmax(dim) @ v


def laboratory(turn=turned, turn_q=None, turn_k=None, attention=attend):
    """The three functions around a rotation; queries and keys may have one of their own."""
    turn_q, turn_k = turn_q or turn, turn_k or turn

    def rope_scores(q, k, length, theta=10000.0):
        positions = torch.arange(length, device=q.device)
        return turn_q(q.expand(length, -1), positions, theta) @ turn_k(k.expand(length, -1), positions, theta).T

    def rotated_attention(q, k, v, start=0, rotate_values=False, theta=10000.0):
        positions = torch.arange(start, start + q.shape[-2], device=q.device)
        v = turn(v, positions, theta) if rotate_values else v
        return attention(turn_q(q, positions, theta), turn_k(k, positions, theta), v)

    return lambda x, positions, theta=10000.0: turn(x, positions, theta), rope_scores, rotated_attention


def as_it_is(x, positions, theta):
    """No rotation."""
    if x.shape[-1] % 2:
        raise ValueError("odd")
    return x.clone()


def with_pairs(pair):
    """The laboratory with another way to turn."""
    return laboratory(lambda x, positions, theta: turned(x, positions, theta, pair))


EVERYTHING = ("rotate", "rope_scores", "rotated_attention")


@misconception(*EVERYTHING)
def neighbours_paired():
    """You pair neighbouring channels (0, 1), (2, 3), ... as in the RoFormer paper. Every law of the laboratory holds,
    but Llama and MiniMind pair channel i with channel i + Dh/2, and their weights fit no other layout.

    像 RoFormer 论文那样把相邻通道 (0, 1)、(2, 3)……配成一对。实验室里的规律都成立，但 Llama 和 MiniMind
    是第 i 个与第 i + Dh/2 个通道配对，它们的权重不适用于其他布局。
    """

    def neighbours(x, cos, sin):
        x1, x2 = x[..., ::2], x[..., 1::2]
        return torch.stack([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1).flatten(-2)

    return with_pairs(neighbours)


@misconception(*EVERYTHING)
def rotated_backwards():
    """Your vectors turn the other way: x1 cos a - x2 sin a has the minus, x2 cos a + x1 sin a has none. Scores at a
    distance of +3 come out where those of -3 belong.

    旋转方向反了：带负号的是 x1 cos a - x2 sin a，而 x2 cos a + x1 sin a 不带。于是距离 +3 的分数出现在了 -3 的位置。
    """
    return with_pairs(lambda x, cos, sin: halves(x, cos, -sin))


@misconception(*EVERYTHING)
def no_minus():
    """Both lines of your rotation have a plus. That is no rotation: lengths change, and so does the score when query
    and key move together. One of the two sines is subtracted.

    旋转的两式用的都是加号。这不是旋转：长度会变，查询与键一起移动时分数也会变。两个正弦项中有一个是减去的。
    """

    def pluses(x, cos, sin):
        x1, x2 = x.chunk(2, -1)
        return torch.cat([x1 * cos + x2 * sin, x2 * cos + x1 * sin], -1)

    return with_pairs(pluses)


@misconception(*EVERYTHING)
def cosine_only():
    """Every channel is multiplied by the cosine and nothing is added. That shrinks vectors; a rotation also moves part
    of each channel into its partner, with the sine.

    每个通道只乘了余弦，没有再加什么。这只会缩短向量；旋转还要借助正弦，把每个通道的一部分移到与它配对的通道里。
    """
    return with_pairs(lambda x, cos, sin: halves(x, cos, 0 * sin))


@misconception(*EVERYTHING)
def added():
    """Cosine and sine are added to the vectors, as in absolute position embeddings. RoPE multiplies: it turns. Added
    positions do not cancel in a score.

    把余弦和正弦加到了向量上，像绝对位置编码那样。RoPE 用的是乘法，是旋转；加上去的位置在分数里不会抵消。
    """
    return with_pairs(lambda x, cos, sin: x + torch.cat([cos, sin], -1))


@misconception(*EVERYTHING)
def theta_ignored():
    """The frequencies come from 10000 whatever theta is. MiniMind calls for 1e6.

    无论 theta 是多少，频率都按 10000 计算。MiniMind 用的是 1e6。
    """
    return laboratory(lambda x, positions, theta: turned(x, positions, 10000.0))


@misconception(*EVERYTHING)
def exponent_halved():
    """Pair i turns by theta^(-i / Dh) a position. The formula has 2i: the last pair should turn slowest, by nearly
    1 / theta.

    第 i 对每个位置转过的是 theta^(-i / Dh)。公式里是 2i：最后一对应转得最慢，接近 1 / theta。
    """
    return laboratory(lambda x, positions, theta: turned(x, positions, theta, halving=1.0))


@misconception(*EVERYTHING)
def one_frequency():
    """All pairs turn by one radian a position. Each pair i has its own speed, theta^(-2i / Dh).

    所有通道对每个位置都转 1 弧度。每一对 i 应有自己的速度 theta^(-2i / Dh)。
    """
    return laboratory(lambda x, positions, theta: turned(x, positions, theta, halving=0.0))


@misconception(*EVERYTHING)
def odd_accepted():
    """An odd number of channels is not refused, so a channel is left without a partner. Raise ValueError.

    通道数为奇数时没有拒绝，会有一个通道无法配对。应抛出 ValueError。
    """

    def lonely(x, cos, sin):
        even = x.shape[-1] // 2 * 2
        return torch.cat([halves(x[..., :even], cos, sin), x[..., even:]], -1)

    return laboratory(lambda x, positions, theta: turned(x, positions, theta, lonely, checked=False))


@misconception(*EVERYTHING)
def half_precision_angles():
    """The angles are computed in the dtype of the vectors. bfloat16 cannot tell position 256 from 257, and far from
    the start angles are off by whole turns. Compute them in float32.

    角度用了向量自身的 dtype 计算。bfloat16 分不清位置 256 与 257，离开头远了，角度会差出好几圈。应以 float32 计算。
    """
    return laboratory(lambda x, positions, theta: turned(x, positions, theta, dtype=x.dtype))


@misconception(*EVERYTHING)
def forces_float32():
    """The results are always float32. Computing the angles in float32 is right, but vectors come back in their own
    dtype.

    结果总是 float32。用 float32 计算角度是对的，但向量要以自己的 dtype 返回。
    """
    rotate, rope_scores, rotated_attention = laboratory()
    return (
        lambda x, positions, theta=10000.0: rotate(x.float(), positions, theta),
        lambda q, k, length, theta=10000.0: rope_scores(q.float(), k.float(), length, theta),
        lambda q, k, v, start=0, rotate_values=False, theta=10000.0: rotated_attention(
            q.float(), k.float(), v.float(), start, rotate_values, theta
        ),
    )


@misconception(*EVERYTHING)
def positions_on_cpu():
    """Positions or angles are made on the CPU; on a GPU they do not mix with the vectors. Make them on the device of
    the inputs.

    位置或角度建在了 CPU 上；在 GPU 上它们无法与向量一起运算。应建在输入所在的设备上。
    """

    def rotate(x, positions, theta):
        cpu = torch.arange(x.shape[-1] // 2).to(torch.promote_types(x.dtype, torch.float32))
        if x.shape[-1] % 2:
            raise ValueError("odd")
        angle = torch.outer(positions.to(cpu.dtype), theta ** -(cpu * 2 / x.shape[-1]))
        return halves(x, angle.cos(), angle.sin()).to(x.dtype)

    return laboratory(rotate)


@misconception("rotate")
def rows_as_positions(x, positions, theta=10000.0):
    """Row t is turned as if it stood at position t; the positions given are not used. In decoding the first row is a
    late token of the text.

    第 t 行被当作位于位置 t，没有使用给出的位置。解码时，第一行往往是文本中靠后的词元。
    """
    return turned(x, torch.arange(x.shape[-2], device=x.device), theta)


@misconception("rotate")
def in_place(x, positions, theta=10000.0):
    """The caller's tensor is overwritten with the rotated one. Build a new tensor.

    调用者的张量被旋转后的结果覆盖了。应新建一个张量。
    """
    return x.copy_(turned(x, positions, theta))


@misconception("rope_scores", "rotated_attention")
def only_q():
    """Only the query is turned. The score then tells where the query stands, not how far the key is from it: the
    table is constant along its rows instead of its diagonals.

    只旋转了查询。分数反映的于是是查询在哪里，而不是键离它多远：表沿各行不变，而不是沿对角线不变。
    """
    return laboratory(turn_k=as_it_is)[1:]


@misconception("rope_scores", "rotated_attention")
def only_k():
    """Only the key is turned. The score then tells where the key stands, not how far the query is from it: the table is
    constant along its columns instead of its diagonals.

    只旋转了键。分数反映的于是是键在哪里，而不是查询离它多远：表沿各列不变，而不是沿对角线不变。
    """
    return laboratory(turn_q=as_it_is)[1:]


@misconception("rope_scores", "rotated_attention")
def k_backwards():
    """Query and key are turned in opposite directions. Then the score depends on the sum of the positions; turned
    alike, on their difference.

    查询与键朝相反的方向旋转。分数于是取决于位置之和；同向旋转时才取决于位置之差。
    """
    return laboratory(turn_k=lambda x, positions, theta: turned(x, -positions, theta))[1:]


@misconception("rope_scores", "rotated_attention")
def not_rotated():
    """Query and key are compared as they are, so the score is the same at any distance. Turn both before the dot
    product.

    查询和键没有旋转就相比，分数在任何距离上都一样。求点积之前，两者都应旋转。
    """
    return laboratory(turn_q=as_it_is, turn_k=as_it_is)[1:]


@misconception("rope_scores")
def table_transposed(q, k, length, theta=10000.0):
    """Rows and columns of the table are exchanged: row m belongs to the query at position m, column n to the key at
    position n. The table is not symmetric, since direction matters.

    表的行与列对调了：第 m 行属于位于 m 的查询，第 n 列属于位于 n 的键。表并不对称，因为方向也起作用。
    """
    return laboratory()[1](q, k, length, theta).T


@misconception("rope_scores")
def distance_without_sign(q, k, length, theta=10000.0):
    """Your score depends on the distance |m - n| only. A key three tokens before the query and one three tokens after
    it get different scores: the sign of m - n counts.

    分数只取决于距离 |m - n|。查询之前三个词元的键与之后三个词元的键，分数并不相同：m - n 的正负也起作用。
    """
    table = laboratory()[1](q, k, length, theta)
    return table.tril() + table.tril(-1).T


@misconception("rope_scores")
def table_scaled(q, k, length, theta=10000.0):
    """The table is divided by the square root of Dh. It should hold plain dot products here; the scale belongs to
    attention.

    表除以了 Dh 的平方根。这里要的是点积本身，缩放属于注意力。
    """
    return laboratory()[1](q, k, length, theta) / math.sqrt(len(q))


@misconception("rope_scores")
def query_with_itself(q, k, length, theta=10000.0):
    """The query is compared with itself; k is not used.

    查询与它自己相比，没有用到 k。
    """
    return laboratory()[1](q, q, length, theta)


@misconception("rotated_attention")
def values_always_rotated(q, k, v, start=0, rotate_values=False, theta=10000.0):
    """The values are always rotated. RoPE leaves them alone; here they are rotated only where `rotate_values` asks for
    it.

    值总是被旋转。RoPE 并不旋转值；这里只有 `rotate_values` 要求时才旋转。
    """
    return laboratory()[2](q, k, v, start, True, theta)


@misconception("rotated_attention")
def values_never_rotated(q, k, v, start=0, rotate_values=False, theta=10000.0):
    """`rotate_values` is accepted and not used, so the experiment shows nothing. Rotate v where it is True.

    接收了 `rotate_values` 却没有使用，实验因此什么也看不出来。它为 True 时应旋转 v。
    """
    return laboratory()[2](q, k, v, start, False, theta)


@misconception("rotated_attention")
def start_ignored(q, k, v, start=0, rotate_values=False, theta=10000.0):
    """The first token always stands at position 0. As long as only queries and keys are rotated nobody can tell; with
    rotated values `start` changes the output.

    第一个词元总是位于位置 0。只旋转查询和键时看不出差别；旋转了值之后，`start` 就会改变输出。
    """
    return laboratory()[2](q, k, v, 0, rotate_values, theta)


@misconception("rotated_attention")
def start_for_queries_only(q, k, v, start=0, rotate_values=False, theta=10000.0):
    """The queries start at `start`, the keys at 0, so every distance is too large by `start`. Both belong to the same
    tokens.

    查询从 `start` 开始，键却从 0 开始，于是每个距离都大了 `start`。它们属于同样的词元。
    """
    positions = torch.arange(q.shape[-2], device=q.device)
    v = turned(v, positions + start, theta) if rotate_values else v
    return attend(turned(q, positions + start, theta), turned(k, positions, theta), v)


@misconception("rotated_attention")
def values_turned_back(q, k, v, start=0, rotate_values=False, theta=10000.0):
    """The rotated values are turned back at the query's position. That makes them relative, a clever repair, but here
    the effect is to be seen.

    旋转过的值又按查询的位置转了回来。这样值也成了相对的，是个巧妙的补救，但这里要观察的正是不补救时的后果。
    """
    output = laboratory()[2](q, k, v, start, rotate_values, theta)
    positions = torch.arange(start, start + q.shape[-2], device=q.device)
    return turned(output, -positions, theta) if rotate_values else output


@misconception("rotated_attention")
def no_scale(q, k, v, start=0, rotate_values=False, theta=10000.0):
    """The scores are not divided by the square root of Dh before softmax.

    分数在 softmax 之前没有除以 Dh 的平方根。
    """
    return laboratory(attention=lambda q, k, v: attend(q, k, v, 1.0))[2](q, k, v, start, rotate_values, theta)


@misconception("rotated_attention")
def softmax_over_queries(q, k, v, start=0, rotate_values=False, theta=10000.0):
    """The weights sum to 1 over the queries. They have to over the keys: the last dimension of the scores.

    权重是在各个查询上求和为 1。应当在各个键上，即分数的最后一维。
    """
    return laboratory(attention=lambda q, k, v: attend(q, k, v, dim=-2))[2](q, k, v, start, rotate_values, theta)


@misconception("rotated_attention")
def causal(q, k, v, start=0, rotate_values=False, theta=10000.0):
    """Later tokens are hidden. There is no mask in this experiment: every query sees every key.

    后面的词元被遮住了。这个实验没有掩码：每个查询都能看见每个键。
    """

    def masked(q, k, v):
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        later = torch.ones(scores.shape[-2:], dtype=torch.bool, device=q.device).triu(1)
        return scores.masked_fill(later, -math.inf).softmax(-1) @ v

    return laboratory(attention=masked)[2](q, k, v, start, rotate_values, theta)
