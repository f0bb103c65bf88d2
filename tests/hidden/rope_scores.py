"""Hidden suite for the RoPE laboratory.

Not in the bank, because right: tables that start at position 1 (scores depend on distances only; `rotate` is told its
positions), and a score computed from the distance m - n alone.
"""

import functools
import math

import torch
from hidden.lib.arguments import in_float32
from hidden.lib.attention import attend, causal
from hidden.lib.heads import where_wrong
from hidden.lib.precision import fixed
from hidden.lib.rotary import angles, half_turn, neighbours_turn, pair_lengths, side_by_side, table_units, turned

from grader.suites import Text, dtypes, error_bound, expect_close, facts, laws, misconceptions, points

TOLERANCE = 0.05  # of facts, in any dtype
HALF = {torch.float16: 0.03, torch.bfloat16: 0.2}  # how far honest results may be off where the bounds are too wide
LETS_PASS = dict.fromkeys(
    [f"{slip}_at_size_1 of rope_scores" for slip in ("wrong", "changes_input", "no_gradient")],
    "q and k are single vectors of two channels or more",
)


def rotation_units(x, positions):
    """How far a rotated vector may be off."""
    # Two products and a sum, each rounded once, of a table that may have been rounded to x's dtype: 1.5 epsilon of
    # both summands, taken as 2; the table's own error times both; an underflow of a sine in float16.
    x1, x2 = (half.abs() for half in x.chunk(2, -1))
    return (2 + 1e-4 + table_units(positions)).unsqueeze(-1) * torch.cat([x1 + x2, x1 + x2], -1)


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
    weights = attend(at(q, positions, theta), at(k, positions, theta), v)[1]
    units, reach = (t / math.sqrt(q.shape[-1]) for t in score_units(q, k, positions))
    exponents = units + 2 * reach + reach.amax(-1, keepdim=True)
    total = exponents + (weights * exponents).sum(-1, keepdim=True) + k.shape[-2] + 8
    size, own = v.abs(), torch.zeros_like(v)
    if rotate_values:
        size, own = pair_lengths(v).repeat(*[1] * (v.dim() - 1), 2), rotation_units(v, positions)
    return (weights * (total + k.shape[-2] + 4)) @ size + weights @ own


def second_pair(make, *lead):
    """Vectors of 10 channels that are long in the pair that turns by 0.16 a token: what is wrong with the frequencies
    shows there, in half precision too.
    """
    return make.tensor(3 * torch.eye(10)[[1, 6]].sum(0)) + make.normal(*lead, 10, scale=0.05)


def inputs(make, *lead, t=5, dh=6, dv=4):
    """Random q, k, v with these leading dimensions."""
    return make.normal(*lead, t, dh), make.normal(*lead, t, dh), make.normal(*lead, t, dv)


@points(1.3)
def test_rotate(matches_reference, make, dtype):
    """rotate turns channel i together with channel i + Dh/2, by the angle of the row's position."""
    for shape, positions in (
        ((3, 4), [0, 1, 2]),
        ((1, 2), [1]),
        ((2, 5, 6), [4, 0, 7, 2, 9]),
        ((2, 3, 4, 10), range(4)),
    ):
        matches_reference.rotate(make.normal(*shape), torch.tensor(list(positions)))


@points(0.5)
def test_rotate_positions(matches_reference, make):
    """The given positions count, not the row numbers: they may have gaps, repeat, run backwards, or be far from the
    start.
    """
    for positions in ([3], [7, 6, 5], [2, 2, 2], [40, 0, 90, 11], [257, 300, 2049]):
        matches_reference.rotate(make.normal(2, len(positions), 6), torch.tensor(positions))
    matches_reference.rotate(make.normal(3, 6), torch.tensor([5, 0, 9], dtype=torch.int32))


@points(0.4)
@dtypes("float16", "bfloat16")
def test_half_precision(student, reference, matches_reference, make, dtype):
    """Half precision cannot tell position 2048 from 2049: the angles are computed in float32 at least."""
    x, positions = make.normal(2, 4, 6), torch.tensor([3, 101, 259, 2049])
    exact = reference.rotate(x.double(), positions)
    said = "a vector far from the start is turned by a wrong angle"
    expect_close(student.rotate(x, positions), exact, 4 * torch.finfo(dtype).eps * float(x.abs().max()) + 2e-3, said)
    matches_reference.rotate(x, positions)


@points(0.5)
def test_lengths_kept(student, notes_values, make):
    """A rotation keeps the length of every pair of channels, and position 0 is not turned at all."""
    x = make.normal(2, 4, 6)
    result = student.rotate(x, torch.tensor([0, 5, 1, 8]))
    expect_close(result[:, 0], x[:, 0], 1e-6, "position 0 is turned")
    expect_close(pair_lengths(result), pair_lengths(x), 1e-5, "a pair of channels changes its length")
    notes_values.rotate(x, torch.tensor([6, 5, 1, 8]))


@points(0.25)
def test_theta(matches_reference, make):
    """theta sets the frequencies of the rotation: 10000 unless given, any other value too."""
    for theta in (1e6, 10000.0, 100.0 + make.integer(1, 400)):
        matches_reference.rotate(make.normal(2, 1, 3, 6), torch.tensor([1, 8, 30]), theta=theta)
        matches_reference.rotate(make.normal(3, 2), torch.tensor([1, 8, 30]), theta=theta)
    matches_reference.rotate(make.normal(3, 6), torch.tensor([1, 8, 30]))


@points(0.25)
def test_theta_of_the_experiments(matches_reference, make):
    """theta sets the frequencies of the table and of attention too."""
    for theta in (1e6, 100.0 + make.integer(1, 400)):
        matches_reference.rope_scores(make.normal(6), make.normal(6), 4, theta=theta)
        matches_reference.rotated_attention(*inputs(make), theta=theta)
        matches_reference.rotated_attention(*inputs(make), start=3, rotate_values=True, theta=theta)
    second = torch.eye(10)[[1, 6]].sum(0)  # the pair in which the default theta shows best
    matches_reference.rope_scores(second, second, 61)
    small = 0.1 * make.normal(3, 10)
    matches_reference.rotated_attention(small, small, second.expand(3, 10), start=2000, rotate_values=True)


@points(0.4)
def test_refuses_odd(raises_value_error, make):
    """An odd number of channels is refused with ValueError: channels turn in pairs."""
    for dh in (3, 1, 7):
        raises_value_error.rotate(make.normal(2, dh), torch.tensor([0, 1]))
        raises_value_error.rope_scores(make.normal(dh), make.normal(dh), 3)
        raises_value_error.rotated_attention(*inputs(make, dh=dh))


@points(0.3)
def test_refuses_odd_values(raises_value_error, notes_values, make):
    """Values with an odd number of channels are refused only where they are to be rotated."""
    for dv in (3, 5):
        raises_value_error.rotated_attention(*inputs(make, dv=dv), rotate_values=True)
        notes_values.rotated_attention(*inputs(make, dv=dv))


@points(1.4)
def test_table(student, matches_reference, make, dtype):
    """Entry (m, n) of the table is the score of the query at position m with the key at position n."""
    drawn = [(make.normal(dh), make.normal(dh), length) for dh, length in ((4, 3), (2, 2), (6, 5), (10, 9))]
    for q, k, length in (*drawn, (second_pair(make), second_pair(make), 9)):
        table = student.rope_scores(q, k, length)
        exact = laboratory()[1](q.double(), k.double(), length)
        said = "the table is not that of the turned query and key"
        expect_close(table.cpu(), exact, HALF.get(dtype, 1e-3) * float(q.norm() * k.norm()), said)
        matches_reference.rope_scores(q, k, length)


@points(0.8)
def test_table_is_relative(student, matches_reference, make):
    """The table is constant along its diagonals, it is not symmetric, and the middle one holds the plain dot
    product.
    """
    for dh, length in ((4, 3), (6, 6), (8, 12)):
        q, k = make.normal(dh), make.normal(dh)
        table = student.rope_scores(q, k, length)
        said = "the score changes when query and key move by the same distance"
        expect_close(table[1:, 1:], table[:-1, :-1], 1e-4, said)
        expect_close(table.diagonal(), float(q @ k), 1e-4, "the score at distance 0 is not the plain dot product")
        matches_reference.rope_scores(q, k, length)


@points(1.2)
def test_attention(student, matches_reference, make, dtype):
    """rotated_attention rotates queries and keys, attends to all tokens, and leaves the values as they are."""
    sizes = (((), 3, 4, 2), ((), 2, 2, 3), ((2,), 9, 6, 4), ((2, 3), 9, 10, 5))
    drawn = [inputs(make, *lead, t=t, dh=dh, dv=dv) for lead, t, dh, dv in sizes]
    rising = make.tensor(torch.linspace(-1, 1, 9)[:, None]) + make.normal(9, 2, scale=0.05)
    alike, wide = make.tensor([[4.0, 0.0]] * 4), make.tensor(torch.linspace(-1, 1, 4)[:, None].expand(4, 200))
    for q, k, v in (*drawn, (second_pair(make, 9), second_pair(make, 9), rising), (alike, alike.clone(), wide)):
        output = student.rotated_attention(q, k, v)
        exact = laboratory()[2](q.double(), k.double(), v.double())
        said = "the output is not that of turned queries and keys"
        expect_close(output.cpu(), exact, HALF.get(dtype, 1e-3) * float(v.abs().max()), said)
        matches_reference.rotated_attention(q, k, v)


@points(0.5)
def test_start_does_not_matter(student, notes_values, make):
    """Without rotated values the output does not depend on where the text starts."""
    make = fixed(make)
    for start in (1, 7, make.integer(10, 40)):
        q, k, v = inputs(make, 2)
        here, there = student.rotated_attention(q, k, v), student.rotated_attention(q, k, v, start=start)
        expect_close(there, here, 3e-4, "moving all tokens changes the output")
        notes_values.rotated_attention(q, k, v, start=start)


@points(0.8)
def test_values_rotated(student, notes_values, make):
    """With rotated values the output depends on where the text starts; that is why RoPE leaves them alone."""
    for lead, start in (((), 0), ((2,), 3), ((2, 3), make.integer(4, 30))):
        notes_values.rotated_attention(*inputs(make, *lead), start=start, rotate_values=True)
    q, k, v = inputs(make, 2, t=4, dh=4, dv=6)
    notes_values.rotated_attention(q, k, v, rotate_values=True)
    notes_values.rotated_attention(q, k, v, start=make.integer(4, 30), rotate_values=True)


@points(0.2)
def test_special_sizes(matches_reference, make):
    """Sizes of 1 and equal sizes work too."""
    matches_reference.rope_scores(make.normal(2), make.normal(2), 1)
    matches_reference.rope_scores(make.normal(4), make.normal(4), 4)
    matches_reference.rotate(make.normal(4, 4, 4), torch.tensor([3, 2, 1, 0]))
    matches_reference.rotated_attention(*inputs(make, t=1, dh=2, dv=1), start=2)
    matches_reference.rotated_attention(*inputs(make, 2, t=1), start=2, rotate_values=True)
    matches_reference.rotated_attention(*inputs(make, 4, t=4, dh=4, dv=4), start=4, rotate_values=True)
    matches_reference.rotate(make.normal(2, 3, 1, 2, 4), torch.tensor([5, 1]))
    matches_reference.rotated_attention(*inputs(make, 2, 1, 3, t=4, dh=2), start=2)


def examples(ask, make):
    ask.rotate(make.normal(2, 3, 6), torch.tensor([2, 0, 9]))
    ask.rope_scores(make.normal(6), make.normal(6), 4)
    ask.rotated_attention(*inputs(make, 2), start=3)
    ask.rotated_attention(*inputs(make, 2), start=3, rotate_values=True, theta=500.0)
    ask.rotate(make.normal(2, 1, 3, 1, 4), torch.tensor([5]))
    ask.rotated_attention(*inputs(make, 2, 1, 3, t=1, dh=2, dv=1), start=2)


def rounded(ask, make):
    examples(ask, make)
    for _ in range(5):  # the scores of a single query may all be nearly 0, so that rounding is all there is
        ask.rope_scores(make.normal(16), make.normal(16), 6)


def of_length(ask, make, n):
    ask.rotate(make.normal(1, n, 2), torch.arange(n))
    ask.rope_scores(make.normal(2 * n), make.normal(2 * n), 3)
    ask.rotated_attention(*inputs(make, 1, t=n, dh=2, dv=2), start=1)
    ask.rope_scores(make.normal(2), make.normal(2), n)


LAWS = laws.all(
    examples, gradient=0.5, memory_layout=0.1, inputs_unchanged=0.1, device=0.25, remembers_nothing=0.05, keywords=0.05,
    every_dtype=(0.1, rounded, laws.quiet), lengths=(0.05, of_length, 17, 65, 129),
)  # fmt: skip


def at(x, positions, theta=10000.0, quarter=half_turn, table=side_by_side, **wrong):
    """x turned to these positions, with places to go wrong."""
    return turned(x, *table(angles(x.shape[-1], positions, theta, **wrong)), quarter)


def laboratory(turn=at, turn_q=None, turn_k=None, attention=attend):
    """The three functions around a rotation; queries and keys may have one of their own."""
    turn_q, turn_k = turn_q or turn, turn_k or turn

    def rotate(x, positions, theta=10000.0):
        return turn(x, positions, theta)

    def rope_scores(q, k, length, theta=10000.0):
        positions = torch.arange(length, device=q.device)
        return turn_q(q.expand(length, -1), positions, theta) @ turn_k(k.expand(length, -1), positions, theta).T

    def rotated_attention(q, k, v, start=0, rotate_values=False, theta=10000.0):
        positions = torch.arange(start, start + q.shape[-2], device=q.device)
        v = turn(v, positions, theta) if rotate_values else v
        return attention(turn_q(q, positions, theta), turn_k(k, positions, theta), v)[0]

    return rotate, rope_scores, rotated_attention


def told_channels(x, result, t):
    """By which angle channels 0 and Dh/2 of row t turn."""
    pairs = [y.reshape(-1, *y.shape[-2:])[0, t, [0, y.shape[-1] // 2]] for y in (x, result)]
    return float(torch.atan2(pairs[1][1], pairs[1][0]) - torch.atan2(pairs[0][1], pairs[0][0])) % (2 * math.pi)


@facts("rotate")
def seen_in_rotation(y, x, positions, theta=10000.0):
    if torch.allclose(y, x):
        yield Text("the result equals the input")
        return
    if not torch.allclose(pair_lengths(y), pair_lengths(x), rtol=3e-2, atol=1e-3):
        yield Text("pairs of channels change their length; a rotation keeps it")
    found, due = told_channels(x, y, -1), float(positions[-1]) % (2 * math.pi)
    if 0.05 < abs(found - due) < 2 * math.pi - 0.05:
        p, half = int(positions[-1]), x.shape[-1] // 2
        yield Text("at position {p} channels 0 and {half} turn by {found:.3g}; expected {due:.3g}").format(
            p=p, half=half, found=found, due=due
        )


@facts("rope_scores")
def seen_in_table(table, q, k, length, theta=10000.0):
    ways = (
        (table, table.mT, "the table is symmetric; direction matters"),
        (table[:, 1:], table[:, :-1], "the table is constant along its rows"),
        (table[1:], table[:-1], "the table is constant along its columns"),
        (table[1:, :-1], table[:-1, 1:], "the score depends on m + n"),
    )
    if length < 2:
        return
    if float(table.max() - table.min()) < 2 * TOLERANCE:
        yield Text("the scores hardly change with the positions")
        ways = ()
    yield from (Text(said) for one, other, said in ways if torch.allclose(one, other, rtol=0.0, atol=TOLERANCE))
    if not torch.allclose(table[1:, 1:], table[:-1, :-1], rtol=0.0, atol=TOLERANCE):
        yield Text("the table is not constant along its diagonals")
    found, due = float(table[0, 0]), float(q @ k)
    if abs(found - due) > TOLERANCE:
        yield Text("the score at distance 0 is {found:.4g}; the plain dot product is {due:.4g}").format(
            found=found, due=due
        )


@facts("rotated_attention")
def seen_in_attention(y, q, k, v, start=0, rotate_values=False, theta=10000.0):
    right = laboratory()[2]
    if rotate_values and torch.allclose(y, right(q, k, v, start, False, theta), atol=1e-3):
        yield Text("the output is that of values that are not rotated")
    yield from where_wrong(y, right(q, k, v, start, rotate_values, theta))


def without_turning(x, positions, theta):
    """Odd sizes are refused all the same."""
    angles(x.shape[-1], positions, theta)
    return x.clone()


def backwards(x, positions, theta):
    return at(x, -positions, theta)


def added(x, positions, theta):
    return (x + torch.cat([f(angles(x.shape[-1], positions, theta)) for f in (torch.cos, torch.sin)], -1)).to(x.dtype)


def odd_accepted(x, positions, theta):
    even = x.shape[-1] // 2 * 2
    return torch.cat([at(x[..., :even], positions, theta), x[..., even:]], -1)


def growing(x, positions, theta):
    dtype = torch.promote_types(x.dtype, torch.float32)
    return at(x, positions, theta, exponent=lambda i, d: -2 * i / d, dtype=dtype)


def of_10000(x, positions, theta):
    return at(x, positions)


def is_float(value):
    return isinstance(value, torch.Tensor) and value.is_floating_point()


def on_cpu(x, positions, theta):
    if x.shape[-1] % 2:
        raise ValueError("odd")
    exponent = torch.arange(x.shape[-1] // 2).double() * 2 / x.shape[-1]
    return turned(x, *(t.to(torch.float32) for t in side_by_side(positions[:, None] * 10000.0**-exponent)))


def overwritten(x, positions, theta):
    a = angles(x.shape[-1], positions, theta)
    x1, x2 = x.chunk(2, -1)
    x1 = x1 * a.cos() - x2 * a.sin()
    return torch.cat([x1, x2 * a.cos() + x1 * a.sin()], -1).to(x.dtype)


def neighbours_put_apart(x, positions, theta):
    a = angles(x.shape[-1], positions, theta)
    x1, x2 = x[..., ::2], x[..., 1::2]
    return torch.cat([x1 * a.cos() - x2 * a.sin(), x2 * a.cos() + x1 * a.sin()], -1).to(x.dtype)


def interleaved(angle):
    return tuple(f(angle.repeat_interleave(2, dim=1)) for f in (torch.cos, torch.sin))


def in_degrees(angle):
    return side_by_side(torch.deg2rad(angle))


def bent(change):
    """cos and sin changed by `change(cos, sin)`."""
    return lambda angle: change(*side_by_side(angle))


def turning(**wrong):
    """The laboratory with a rotation that goes wrong like this."""
    return laboratory(functools.partial(at, **wrong))


def always(**given):
    """rotated_attention with these arguments, whatever is asked for."""

    def wrong(q, k, v, start=0, rotate_values=False, theta=10000.0):
        return laboratory()[2](q, k, v, **({"start": start, "rotate_values": rotate_values, "theta": theta} | given))

    return wrong


def values_rotated_unless_asked(q, k, v, start=0, rotate_values=False, theta=10000.0):
    return laboratory()[2](q, k, v, start, not rotate_values, theta)


def odd_values_always_refused(q, k, v, start=0, rotate_values=False, theta=10000.0):
    if v.shape[-1] % 2:
        raise ValueError("odd")
    return laboratory()[2](q, k, v, start, rotate_values, theta)


def start_for_queries_only(q, k, v, start=0, rotate_values=False, theta=10000.0):
    earlier = laboratory(turn_k=lambda x, positions, theta: at(x, positions - start, theta))
    return earlier[2](q, k, v, start, rotate_values, theta)


def output_turned(sign, values):
    """rotated_attention whose output is turned where the values are to be."""

    def wrong(q, k, v, start=0, rotate_values=False, theta=10000.0):
        output = laboratory()[2](q, k, v, start, rotate_values and values, theta)
        positions = torch.arange(start, start + q.shape[-2], device=q.device)
        return at(output, sign * positions, theta) if rotate_values else output

    return wrong


def attending(attention=attend, **wrong):
    return laboratory(attention=functools.partial(attention, **wrong))[2]


def causally(q, k, v):
    return attend(q, k, v, causal(q.shape[-2], k.shape[-2]).to(q.device))


def keys_by_axes(*axes):
    return lambda q, k, v: attend(q, k.transpose(*axes).transpose(-2, -1), v)


def matrices_only(q, k, v):
    return attend(q, torch.mm(k, torch.eye(k.shape[-1]).to(k)), v)


def of_table(change):
    return lambda q, k, length, theta=10000.0: change(laboratory()[1](q, k, length, theta))


ROTATIONS = misconceptions(
    "rotate",
    "rope_scores",
    "rotated_attention",
    neighbours_paired=turning(quarter=neighbours_turn, table=interleaved),
    neighbours_rotated=turning(quarter=neighbours_turn),
    neighbours_put_apart=laboratory(neighbours_put_apart),
    rotated_backwards=laboratory(backwards),
    no_minus=turning(quarter=lambda x: x.roll(x.shape[-1] // 2, -1)),
    sine_and_cosine_exchanged=turning(table=bent(lambda cos, sin: (sin, cos))),
    cosine_only=turning(table=bent(lambda cos, sin: (cos, 0 * sin))),
    overwritten=laboratory(overwritten),
    added=laboratory(added),
    theta_ignored=laboratory(of_10000),
    exponent_halved=turning(exponent=lambda i, d: i / d),
    exponent_doubled=turning(exponent=lambda i, d: 4 * i / d),
    angles_in_degrees=turning(table=in_degrees),
    exponent_positive=turning(exponent=lambda i, d: -2 * i / d),
    exponent_positive_in_its_dtype=laboratory(growing),
    frequencies_from_1=turning(exponent=lambda i, d: 2 * (i + 1) / d),
    one_frequency=turning(exponent=lambda i, d: 0 * i),
    odd_accepted=laboratory(odd_accepted),
    half_precision_angles=laboratory(lambda x, positions, theta: at(x, positions, theta, dtype=x.dtype)),
    forces_float32=[in_float32(f) for f in laboratory()],
    positions_on_cpu=laboratory(on_cpu),
    detached=laboratory(lambda x, positions, theta: at(x.detach(), positions, theta)),
)
ROTATE = misconceptions(
    "rotate",
    rows_as_positions=lambda x, positions, theta=1e4: at(x, torch.arange(x.shape[-2], device=x.device), theta),
    in_place=lambda x, positions, theta=1e4: x.copy_(at(x, positions, theta)),
)
SCORES = misconceptions(
    "rope_scores",
    "rotated_attention",
    only_q=laboratory(turn_k=without_turning)[1:],
    only_k=laboratory(turn_q=without_turning)[1:],
    k_backwards=laboratory(turn_k=backwards)[1:],
    not_rotated=laboratory(turn_q=without_turning, turn_k=without_turning)[1:],
    theta_not_passed_on=laboratory(of_10000)[1:],
)
TABLE = misconceptions(
    "rope_scores",
    table_only_q=laboratory(turn_k=without_turning)[1],
    table_only_k=laboratory(turn_q=without_turning)[1],
    table_transposed=of_table(lambda table: table.T),
    distance_without_sign=of_table(lambda table: table.tril() + table.tril(-1).T),
    table_scaled=lambda q, k, length, theta=1e4: laboratory()[1](q, k, length, theta) / math.sqrt(len(q)),
    query_with_itself=lambda q, k, length, theta=1e4: laboratory()[1](q, q, length, theta),
    table_shifted=laboratory(turn_q=lambda x, positions, theta: at(x, positions + 1, theta), turn_k=at)[1],
    table_on_cpu=lambda q, k, length, theta=1e4: laboratory()[1](q, k, length, theta) + torch.zeros(length, length),
)
ATTENTION = misconceptions(
    "rotated_attention",
    **{
        f"attention_{name}": laboratory(**turns)[2]
        for name, turns in {
            "only_q": {"turn_k": without_turning},
            "only_k": {"turn_q": without_turning},
            "not_rotated": {"turn_q": without_turning, "turn_k": without_turning},
        }.items()
    },
    theta_of_values_only=laboratory(turn_q=of_10000, turn_k=of_10000)[2],
    theta_not_for_values=laboratory(of_10000, at, at)[2],
    values_rotated_unless_asked=values_rotated_unless_asked,
    values_always_rotated=always(rotate_values=True),
    values_never_rotated=always(rotate_values=False),
    odd_values_always_refused=odd_values_always_refused,
    start_ignored=always(start=0),
    start_for_queries_only=start_for_queries_only,
    values_turned_back=output_turned(-1, values=True),
    output_rotated=output_turned(1, values=False),
    no_scale=attending(scale=1.0),
    scale_d=attending(scale=lambda q, k, v: 1 / q.shape[-1]),
    scale_sqrt_dv=attending(scale=lambda q, k, v: v.shape[-1] ** -0.5),
    scale_integer_root=attending(scale=lambda q, k, v: 1 / math.isqrt(q.shape[-1])),
    softmax_over_queries=attending(dim=-2),
    softmax_dim1=attending(dim=1),
    causal=attending(causally),
    weights_returned=attending(lambda *args: attend(*args)[::-1]),
    keys_transposed_1_2=attending(keys_by_axes(1, 2)),
    keys_transposed_0_1=attending(keys_by_axes(0, 1)),
    matrices_only=attending(matrices_only),
)
