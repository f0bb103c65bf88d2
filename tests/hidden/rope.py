"""Hidden suite for rope_cos_sin, rotate_half and apply_rotary_pos_emb.

Not in the bank: an offset argument and rotating v, which these functions do not have.
"""

import torch
from hidden.lib.rotary import angles, half_turn, neighbours_turn, side_by_side, table_units, tables, turned

from grader.suites import Text, error_bound, exact, expect_close, facts, laws, misconceptions, oracle, points

EXACT = exact("rotate_half")
CPU = torch.device("cpu")  # the device under test, once the call has arrived there
LETS_PASS = {"float32_result": "the tables are always float32", "no_gradient": "the tables are made of numbers"}
# B, H, H_kv, T, Dh, and the position of the first token; in the last all sizes differ
SIZES = ((1, 1, 1, 3, 6, 0), (2, 6, 3, 5, 10, 4), (1, 1, 1, 1, 2, 1))


@oracle("rope_cos_sin")
def exact_tables(head_dim, max_len, theta=10000.0, device=None):
    return tables(head_dim, torch.arange(max_len), theta, dtype=torch.float64)


@error_bound("rope_cos_sin")
def tables_bound(head_dim, max_len, theta=10000.0, device=None):
    allowed = table_units(torch.arange(max_len, dtype=torch.float64))[:, None]
    return allowed, allowed


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


def inputs(make, B, H, H_kv, T, Dh, start, theta=10000.0):
    """q, k and the rows of the tables for positions start ... start + T - 1."""
    return make.normal(B, H, T, Dh), make.normal(B, H_kv, T, Dh), *tables(Dh, torch.arange(start, start + T), theta)


@points(1.25)
def test_tables(matches_reference, make):
    """Row p, column i holds the cosine or sine of p * theta^(-2i / head_dim), in the left half and again in the
    right.
    """
    for head_dim, max_len in ((4, 3), (2, 3), (6, 5), (128, 7), (2 * make.integer(4, 9), 23), (2, 1), (8, 8)):
        matches_reference.rope_cos_sin(head_dim, max_len)


@points(1)
def test_theta(matches_reference, make):
    """theta sets the frequencies: 10000 unless given, 1e6 in MiniMind, any other too, also one after another."""
    for theta in (1e6, 10000.0, 25.0, 1000.0 * make.integer(20, 900)):
        for head_dim, max_len in ((4, 3), (10, 7)):
            matches_reference.rope_cos_sin(head_dim, max_len, theta=theta)
    matches_reference.rope_cos_sin(10, 7)
    matches_reference.rope_cos_sin(10, 5, theta=1e6)


@points(0.5)
def test_table_layout(student, notes_values):
    """Position 0 has angle 0, column i and column i + head_dim/2 agree, and cos² + sin² = 1."""
    for head_dim, max_len in ((4, 3), (6, 5), (12, 9)):
        cos, sin = student.rope_cos_sin(head_dim, max_len)
        expect_close(cos[0], 1.0, 1e-6, "the cosines of position 0 are not 1")
        expect_close(sin[0], 0.0, 1e-6, "the sines of position 0 are not 0")
        for table in (cos, sin):
            left, right = table.chunk(2, dim=1)
            expect_close(left, right, 1e-5, "the halves of a row differ")
        expect_close(cos**2 + sin**2, 1.0, 1e-5, "cos² + sin² is not 1")
    notes_values.rope_cos_sin(6, 4)


@points(0.75)
def test_far_positions(matches_reference):
    """The tables stay right far from the start, where positions and angles need the digits of float32."""
    for head_dim, max_len in ((2, 300), (4, 4100)):
        matches_reference.rope_cos_sin(head_dim, max_len)
        matches_reference.rope_cos_sin(head_dim + 2, max_len, theta=1e6)


@points(0.5)
def test_refuses_odd(raises_value_error, make):
    """An odd head_dim is refused with ValueError: channels turn in pairs."""
    for head_dim in (3, 1, 7, 2 * make.integer(5, 20) + 1):
        raises_value_error.rope_cos_sin(head_dim, 5)
    raises_value_error.rope_cos_sin(5, 1)
    raises_value_error.rope_cos_sin(9, 4, theta=1e6)


@points(0.25)
def test_tables_device(matches_reference, stays_on_device):
    """The tables are made on the device that is asked for, also if the same ones were made elsewhere before."""
    for theta in (10000.0, 1e6):
        matches_reference.rope_cos_sin(6, 5, theta=theta)
        stays_on_device.rope_cos_sin(6, 5, theta=theta, device=CPU)
    stays_on_device.rope_cos_sin(6, 520, device=CPU)


@points(1)
def test_rotate_half(matches_reference, make, dtype):
    """rotate_half exchanges the halves of the last dimension and negates what comes first: (x1, x2) -> (-x2, x1)."""
    for shape in ((3, 6), (2, 5, 10), (2, 3, 5, 6), (4, 4, 4, 4), (1, 4, 4, 4), (2, 3, 1, 8), (1, 2), (2, 1, 3, 2, 4)):
        matches_reference.rotate_half(make.distinct(*shape))
    matches_reference.rotate_half(make.normal(3, 6))


@points(1.25)
def test_apply(matches_reference, make, dtype):
    """q and k become x * cos + rotate_half(x) * sin in their own dtype, whatever the dtype of the tables."""
    for sizes in SIZES:
        matches_reference.apply_rotary_pos_emb(*inputs(make, *sizes))


@points(0.5)
def test_apply_given_rows(matches_reference, make):
    """The rows of cos and sin say where the tokens are: in the middle of a text, one at a time, with gaps."""
    matches_reference.apply_rotary_pos_emb(*inputs(make, 2, 3, 1, 1, 6, 7))
    matches_reference.apply_rotary_pos_emb(*inputs(make, 1, 3, 2, 4, 6, 50, 1e6))
    cos, sin = tables(10, torch.arange(20))
    for rows in ([0, 2, 4, 6, 8], [11, 3, 7, 0, 18]):
        matches_reference.apply_rotary_pos_emb(make.normal(1, 3, 5, 10), make.normal(1, 2, 5, 10), cos[rows], sin[rows])
    matches_reference.apply_rotary_pos_emb(make.normal(2, 2, 4, 10), make.normal(2, 1, 4, 10), cos[3:18:4], sin[3:18:4])


@points(0.5)
def test_apply_coinciding_sizes(matches_reference, make):
    """Tokens and heads are not confused, also if there are as many tokens as heads."""
    for sizes in (
        (1, 1, 1, 5, 2, 0), (1, 2, 1, 3, 2, 4), (1, 3, 3, 3, 6, 2), (1, 2, 3, 3, 6, 1), (2, 4, 1, 4, 10, 1),
        (4, 4, 4, 4, 4, 3),
    ):  # fmt: skip
        matches_reference.apply_rotary_pos_emb(*inputs(make, *sizes))


@points(0.5)
def test_pairs(student, notes_values, make):
    """Channel i turns together with channel i + Dh/2, towards it and by the angle of its position."""
    Dh, half = 6, 3
    cos, sin = tables(Dh, torch.tensor([3]))
    unit = torch.eye(Dh).reshape(1, Dh, 1, Dh)  # head h holds the unit vector of channel h
    both = student.apply_rotary_pos_emb(unit, unit[:, :half], cos, sin)
    for result in both:
        for i in range(half):
            row = result[0, i, 0]
            others = [c for c in range(Dh) if c not in (i, i + half)]
            expect_close(row[others], 0.0, 1e-6, "a channel turns with the wrong partner")
            expect_close(row[i], cos[0, i], 1e-5, "a channel turns by a wrong angle")
            expect_close(row[i + half], sin[0, i], 1e-5, "a pair turns the wrong way")
    notes_values.apply_rotary_pos_emb(*inputs(make, 1, 2, 1, 3, 6, 1))


@points(0.25)
def test_lengths_kept(student, notes_values, make):
    """A rotation keeps the length of every pair of channels, and position 0 is not turned at all."""
    q, k, cos, sin = inputs(make, 2, 3, 1, 5, 6, 0)
    for before, after in zip((q, k), student.apply_rotary_pos_emb(q, k, cos, sin), strict=True):
        expect_close(after[:, :, 0], before[:, :, 0], 1e-6, "position 0 is turned")
        length = before.unflatten(-1, (2, -1)).norm(dim=-2)
        after = after.unflatten(-1, (2, -1)).norm(dim=-2)
        expect_close(after, length, 1e-5, "a pair of channels changes its length")
    notes_values.apply_rotary_pos_emb(*inputs(make, 1, 2, 1, 3, 6, 1))


@points(0.25)
def test_relative(student, notes_values, make):
    """With your tables, the score of a query and a key depends only on how far apart they are."""
    T, Dh, shift = 6, 8, make.integer(2, 30)
    q, k = make.normal(1, 1, 1, Dh).expand(-1, 3, T, -1), make.normal(1, 1, 1, Dh).expand(-1, -1, T, -1)
    scores = []
    for theta in (10000.0, 1e6):
        cos, sin = student.rope_cos_sin(Dh, shift + T, theta=theta)
        for start in (0, shift):
            found = student.apply_rotary_pos_emb(q, k, cos[start : start + T], sin[start : start + T])
            scores.append(found[0][0, 0] @ found[1][0, 0].T)
    size = float(q[0, 0, 0].norm() * k[0, 0, 0].norm())
    allowed = 8 * size * (2e-6 + 6e-7 * (shift + T))  # four tables at their bound, in two scores
    for here, there in zip(scores[::2], scores[1::2], strict=True):
        unequal = "a score changes when query and key move by the same distance"
        expect_close(here, there, allowed, unequal)
        expect_close(here[1:, 1:], here[:-1, :-1], allowed, unequal)
    notes_values.apply_rotary_pos_emb(*inputs(make, 1, 2, 1, 3, 6, 1))


def examples(ask, make):
    ask.rotate_half(make.distinct(2, 3, 5, 6))
    ask.apply_rotary_pos_emb(*inputs(make, 2, 6, 3, 5, 10, 4))
    ask.apply_rotary_pos_emb(*inputs(make, 2, 3, 1, 1, 6, 7))
    ask.rotate_half(make.distinct(2, 1, 3, 1, 4))


def with_tables(ask, make):
    examples(ask, make)
    for theta in (10000.0, 1e6, 500.0):
        ask.rope_cos_sin(6, 5, theta=theta)


def of_length(ask, make, n):
    ask.rope_cos_sin(4, n)
    ask.rotate_half(make.normal(1, n, 4))
    ask.apply_rotary_pos_emb(*inputs(make, 1, 2, 1, n, 4, 0))


# cos and sin are tables: which of their equal halves an implementation reads is its own affair
LAWS = laws.all(
    examples, of_length, gradient=(0.5, lambda ask, make: examples(ask.wrt("q", "k", "x"), make)), memory_layout=0.25,
    inputs_unchanged=0.25, device=0.25, remembers_nothing=(0.1, with_tables), keywords=(0.1, with_tables),
)  # fmt: skip


@facts("rope_cos_sin")
def seen_in_tables(result, head_dim, max_len, theta=10000.0, device=None):
    cos, sin = result
    norm = cos.square() + sin.square()
    if not bool(((norm - 1).abs() < 1e-3).all()):
        yield Text("cos^2 + sin^2 is not 1 everywhere")
        return
    if max_len > 1:
        turns = torch.atan2(sin, cos)
        first, step = turns[0].abs().max().item(), (turns[1] - turns[0]).tolist()
        due = [theta ** (-2 * (i % (head_dim // 2)) / head_dim) for i in range(head_dim)]
        if first > 1e-3:
            yield Text("position 0 is turned already")
        shown = [[f"{a:.3g}" for a in angles[:6]] for angles in (step, due)]
        yield Text("from position 0 to 1 the channels turn by {shown}; expected {shown2}").format(
            shown=", ".join(shown[0]), shown2=", ".join(shown[1])
        )


@facts("rotate_half")
def seen_in_half(y, x):
    row, origin = y.reshape(-1, y.shape[-1])[0].tolist(), x.reshape(-1, x.shape[-1])[0].tolist()
    names = [
        next((f"{'-' if value == -o else ''}x{j}" for j, o in enumerate(origin) if abs(value) == abs(o)), "?")
        for value in row
    ]
    if set(names) == {"?"}:
        yield Text("no channel of the result is x or -x of the same vector")
        return
    half = len(origin) // 2
    due = [f"-x{half + i}" for i in range(half)] + [f"x{i}" for i in range(half)]
    yield Text("the channels are {names}; expected {due}").format(names=", ".join(names[:8]), due=", ".join(due[:8]))


@facts("apply_rotary_pos_emb")
def seen_in_rotation(result, q, k, cos, sin):
    for name, before, after in zip("qk", (q, k), result, strict=True):
        half = before.shape[-1] // 2
        if not torch.allclose(before.norm(dim=-1), after.norm(dim=-1), rtol=1e-3):
            yield Text("the lengths of the vectors of {name} change; a rotation keeps them").format(name=name)
        a, b = before[0, 0, -1, [0, half]], after[0, 0, -1, [0, half]]
        due = torch.stack([a[0] * cos[-1, 0] - a[1] * sin[-1, 0], a[1] * cos[-1, half] + a[0] * sin[-1, half]])
        if not torch.allclose(b, due, rtol=1e-3, atol=1e-3):
            turn = float(torch.atan2(b[1], b[0]) - torch.atan2(a[1], a[0]))
            wanted = float(torch.atan2(sin[-1, 0], cos[-1, 0]))
            yield Text(
                "at the last position channels 0 and {half} of {name} turn by {turn:.3g}; expected {wanted:.3g}"
            ).format(half=half, name=name, turn=turn, wanted=wanted)


def tabulated(change=lambda angle: angle, table=side_by_side, positions=lambda p: p, **wrong):
    """rope_cos_sin, with places to go wrong."""

    def rope_cos_sin(head_dim, max_len, theta=10000.0, device=None):
        p = positions(torch.arange(max_len, device=device))
        return table(change(angles(head_dim, p, theta, **wrong)))

    return rope_cos_sin


def once(angle):
    return angle.cos(), angle.sin()


def interleaved(angle):
    return once(angle.repeat_interleave(2, dim=1))


def odd_accepted(head_dim, max_len, theta=10000.0, device=None):
    return tabulated(exponent=lambda i, d: 2 * i / head_dim)(head_dim + head_dim % 2, max_len, theta, device)


def asserted(head_dim, max_len, theta=10000.0, device=None):
    assert head_dim % 2 == 0
    return tabulated()(head_dim, max_len, theta, device)


def with_rotation(quarter):
    """Both functions for another rotate_half."""
    return quarter, lambda q, k, cos, sin: (turned(q, cos, sin, quarter), turned(k, cos, sin, quarter))


def applied(turn, turn_k=None):
    """apply_rotary_pos_emb with `turn(x, cos, sin)` for q, and another for k."""
    return lambda q, k, cos, sin: (turn(q, cos, sin), (turn_k or turn)(k, cos, sin))


def backwards(x, cos, sin):
    return turned(x, cos, -sin)


def cut_along_tokens(x):
    first, second = x.chunk(2, -2)
    return torch.cat([-second, first], -2)


def cut_along_heads(x):
    x1, x2 = x.chunk(2, 1)
    return torch.cat([-x2, x1], 1)


def sign_on_cpu(x):
    sign = torch.tensor([-1.0, 1.0], dtype=x.dtype).repeat_interleave(x.shape[-1] // 2)
    return x.roll(x.shape[-1] // 2, -1) * sign


def negated_in_place(x):
    x[..., x.shape[-1] // 2 :] *= -1
    return x.roll(x.shape[-1] // 2, -1)


def from_the_start(x, cos, sin):
    return turned(x, *tables(x.shape[-1], torch.arange(x.shape[2], device=x.device)))


def overwritten_half(x, cos, sin):
    (x1, x2), (c, _), (s, _) = x.chunk(2, -1), cos.chunk(2, -1), sin.chunk(2, -1)
    x1 = x1 * c - x2 * s
    return torch.cat([x1, x2 * c + x1 * s], -1).to(x.dtype)


def k_with_half_of_q(q, k, cos, sin):
    return turned(q, cos, sin), (k * cos + half_turn(q)[:, : k.shape[1]] * sin).to(k.dtype)


def stacked(q, k, cos, sin):
    return turned(torch.stack([q, k]), cos, sin).unbind()


def in_place(x, cos, sin):
    rotated = half_turn(x) * sin
    return x.mul_(cos).add_(rotated)


OF_TABLES = misconceptions(
    "rope_cos_sin",
    positions_from_1=tabulated(positions=lambda p: p + 1),
    exponent_halved=tabulated(exponent=lambda i, d: i / d),
    exponent_doubled=tabulated(exponent=lambda i, d: 4 * i / d),
    exponent_to_the_end=tabulated(exponent=lambda i, d: i / i[-1].clamp(min=1e-6)),
    exponent_positive=tabulated(exponent=lambda i, d: -2 * i / d),
    one_frequency=tabulated(exponent=lambda i, d: 0 * i),
    frequencies_reversed=tabulated(exponent=lambda i, d: 2 * i.flip(0) / d),
    theta_always_10000=lambda head_dim, max_len, theta=1e4, device=None: tabulated()(head_dim, max_len, 1e4, device),
    theta_always_1e6=lambda head_dim, max_len, theta=1e4, device=None: tabulated()(head_dim, max_len, 1e6, device),
    degrees=tabulated(torch.deg2rad),
    degrees_for_radians=tabulated(torch.rad2deg),
    angles_negative=tabulated(torch.neg),
    whole_turns=tabulated(lambda angle: 2 * torch.pi * angle),
    half_width=tabulated(table=once),
    interleaved_tables=tabulated(table=interleaved),
    repeated_downwards=tabulated(table=lambda angle: (angle.cos().repeat(2, 1), angle.sin().repeat(2, 1))),
    tables_transposed=tabulated(table=lambda angle: [t.T for t in side_by_side(angle)]),
    tables_swapped=tabulated(table=lambda angle: side_by_side(angle)[::-1]),
    bfloat16_positions=tabulated(positions=lambda p: p.bfloat16()),
    float16_positions=tabulated(positions=lambda p: p.half()),
    float64_tables=tabulated(dtype=torch.float64),
    odd_accepted=odd_accepted,
    assertion=asserted,
    ignores_device=lambda head_dim, max_len, theta=1e4, device=None: tabulated()(head_dim, max_len, theta),
)
OF_PAIRS = misconceptions(
    "rope_cos_sin",
    "rotate_half",
    "apply_rotary_pos_emb",
    neighbours_paired=(tabulated(table=interleaved), *with_rotation(neighbours_turn)),
)
OF_QUARTER_TURNS = misconceptions(
    "rotate_half",
    "apply_rotary_pos_emb",
    neighbours_rotated=with_rotation(neighbours_turn),
    neighbours_taken_apart=with_rotation(lambda x: torch.cat([-x[..., 1::2], x[..., ::2]], -1)),
    rotated_backwards=with_rotation(lambda x: -half_turn(x)),
    no_minus=with_rotation(lambda x: x.roll(x.shape[-1] // 2, -1)),
    both_negative=with_rotation(lambda x: -x.roll(x.shape[-1] // 2, -1)),
    not_exchanged=with_rotation(lambda x: torch.cat([-x.chunk(2, -1)[0], x.chunk(2, -1)[1]], -1)),
    reversed_order=with_rotation(lambda x: half_turn(x.unflatten(-1, (2, -1)).flip(-1).flatten(-2))),
    wrong_dimension=with_rotation(cut_along_heads),
    cut_along_tokens=with_rotation(cut_along_tokens),
    sign_on_cpu=with_rotation(sign_on_cpu),
    negated_in_place=with_rotation(negated_in_place),
    everything_detached=with_rotation(lambda x: half_turn(x.detach())),
)
KNOWN = misconceptions(
    "apply_rotary_pos_emb",
    subtracts_sine=applied(backwards),
    only_q=applied(turned, lambda x, cos, sin: x),
    only_k=applied(lambda x, cos, sin: x, turned),
    k_backwards=applied(turned, backwards),
    k_with_half_of_q=k_with_half_of_q,
    not_rotated=applied(lambda x, cos, sin: x.clone()),
    no_sine=applied(lambda x, cos, sin: turned(x, cos, 0 * sin)),
    sine_of_itself=applied(lambda x, cos, sin: turned(x, cos, sin, lambda x: x)),
    added=applied(lambda x, cos, sin: (x + cos + sin).to(x.dtype)),
    cos_sin_exchanged=applied(lambda x, cos, sin: turned(x, sin, cos)),
    twice=applied(lambda x, cos, sin: turned(turned(x, cos, sin), cos, sin)),
    minimind_layout=applied(lambda x, cos, sin: turned(x, cos.unsqueeze(1), sin.unsqueeze(1))),
    ignores_given_rows=applied(from_the_start),
    overwritten_half=applied(overwritten_half),
    results_swapped=lambda q, k, cos, sin: (turned(k, cos, sin), turned(q, cos, sin)),
    as_many_heads=stacked,
    squeezed=applied(lambda x, cos, sin: turned(x, cos, sin).squeeze()),
    dtype_of_tables=applied(lambda x, cos, sin: x * cos + half_turn(x) * sin),
    in_place=applied(in_place),
    detached=applied(lambda x, cos, sin: turned(x.detach(), cos, sin)),
)
