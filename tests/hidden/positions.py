"""Hidden suite for positions: the table of sines, and ALiBi's bias."""

import functools
import math

import torch
from hidden.lib import rotary

from grader.suites import error_bound, expect, expect_close, laws, misconceptions, points

CPU = torch.device("cpu")  # the device under test, once the call has arrived there
LETS_PASS = {"float32_result": "float32 is asked for", "no_gradient": "only whole numbers and a base go in"}


@error_bound("sinusoidal_positions")
def table_bound(length, channels, base=10000.0, device=None):
    return rotary.table_units(torch.arange(length).double())[:, None].expand(length, channels)


@error_bound("alibi_bias")
def bias_bound(num_heads, q_len, kv_len=None, device=None):
    # A power of 2 whose exponent was rounded twice, at most 8 itself, and a product: 2 * 8 ln 2 + 4 roundings.
    bias = penalty(num_heads, q_len, kv_len, dtype=torch.float64)
    return 16 * bias.masked_fill(bias.isinf(), 0.0).abs()


@points(2)
def test_table(matches_reference, make):
    """Even channels hold the sine and odd ones the cosine, and each pair turns more slowly than the one before."""
    for length, channels in ((2, 4), (5, 6), (7, 10), (3, 16), (40, 8)):
        matches_reference.sinusoidal_positions(length, channels)
    matches_reference.sinusoidal_positions(make.integer(11, 19), 2 * make.integer(3, 9))


@points(0.7)
def test_base(matches_reference, make):
    """Another base makes the pairs turn at another pace; the first pair does not depend on it."""
    for base in (100.0, 500000.0, 2.0, float(make.integer(20, 5000))):
        matches_reference.sinusoidal_positions(6, 8, base)
        matches_reference.sinusoidal_positions(9, 22, base=base)


@points(0.8)
def test_table_laws(student, notes_values):
    """All rows are equally long, and the product of two rows depends on their distance only."""
    for length, channels in ((6, 4), (9, 10)):
        table = student.sinusoidal_positions(length, channels).double()
        products = table @ table.T
        expect_close(products.diagonal(), channels / 2, 1e-4, "the square of a row's length is not half the channels")
        said = "the products of two pairs of rows at the same distance differ"
        expect_close(products[1:, 1:], products[:-1, :-1], 1e-4, said)
        notes_values.sinusoidal_positions(length, channels)


@points(0.5)
def test_far_positions(matches_reference):
    """Hundreds of positions, two channels and a single position work too."""
    for length, channels in ((300, 4), (1, 2), (4, 2), (1, 8), (6, 6)):
        matches_reference.sinusoidal_positions(length, channels)


@points(0.5)
def test_table_refuses(raises_value_error, notes_values):
    """A length below 1, and channels that are odd or fewer than 2, are refused with ValueError."""
    for length, channels in ((0, 4), (-2, 6), (3, 0), (3, -4), (4, 1), (4, 5), (1, 7)):
        raises_value_error.sinusoidal_positions(length, channels)
    notes_values.sinusoidal_positions(1, 2)


@points(2)
def test_bias(matches_reference, make):
    """The penalty grows with the distance, by each head's own slope; later keys are hidden."""
    for num_heads, q_len in ((2, 3), (8, 5), (4, 6), (16, 4), (1, 5), (32, 3)):
        matches_reference.alibi_bias(num_heads, q_len)
    matches_reference.alibi_bias(4, make.integer(7, 12))


@points(1)
def test_with_a_cache(matches_reference, make):
    """With more keys than queries, the queries are the last positions."""
    for num_heads, q_len, kv_len in ((2, 2, 5), (8, 1, 6), (4, 3, 4), (1, 4, 9)):
        matches_reference.alibi_bias(num_heads, q_len, kv_len)
    matches_reference.alibi_bias(2, 3, kv_len=make.integer(8, 14))


@points(1)
def test_bias_laws(student, notes_values):
    """Equal distances have equal biases, from head to head they shrink by the same factor, and a cache changes
    nothing.
    """
    for num_heads, length in ((4, 6), (8, 7)):
        bias = student.alibi_bias(num_heads, length).double()
        expect((bias[:, 1:, 1:] == bias[:, :-1, :-1]).all(), "the bias of two pairs at the same distance differs")
        first = bias[:, 1, 0]
        said = "from one head to the next the slope does not shrink by the same factor"
        expect_close(first[1:] / first[:-1], 2.0 ** (-8 / num_heads), 1e-4, said)
        late = student.alibi_bias(num_heads, 2, length).double()
        expect((late == bias[:, -2:]).all(), "the last two rows of a text change when its beginning is cached")
        notes_values.alibi_bias(num_heads, length)


@points(0.3)
def test_bias_special_sizes(matches_reference):
    """One head, one query, one key, and as many heads as tokens work too."""
    for sizes in ((1, 1), (2, 1, 1), (4, 4), (2, 2), (8, 1, 8), (1, 3, 3), (64, 2)):
        matches_reference.alibi_bias(*sizes)


@points(0.4)
def test_refuses_heads(raises_value_error, notes_values):
    """A number of heads that is not a power of 2 is refused with ValueError."""
    for num_heads in (3, 5, 6, 12, 0, -2, 68):
        raises_value_error.alibi_bias(num_heads, 4)
    notes_values.alibi_bias(4, 2)


@points(0.3)
def test_refuses_lengths(raises_value_error, notes_values):
    """A call without queries, and one with fewer keys than queries, are refused with ValueError."""
    for sizes in ((2, 0), (2, -1), (2, 3, 2), (4, 5, 0), (1, 1, -1)):
        raises_value_error.alibi_bias(*sizes)
    notes_values.alibi_bias(2, 3, 3)


def examples(ask, make):
    ask.sinusoidal_positions(5, 6, 100.0, CPU)
    ask.sinusoidal_positions(3, 4, device=CPU)
    ask.sinusoidal_positions(4, 8, base=50.0)
    ask.alibi_bias(4, 3, 5, CPU)
    ask.alibi_bias(2, 4, device=CPU)
    ask.alibi_bias(2, 3)


def of_length(ask, make, n):
    ask.sinusoidal_positions(n, 4)
    ask.sinusoidal_positions(n, 4, 500.0)
    ask.alibi_bias(2, n, n + 1)


LAWS = laws.all(examples, of_length, device=0.3, keywords=0.05)


def table(
    length, channels, base=10000.0, device=None, *, first=0, exponent=lambda i, d: 2 * i / d,
    angle=lambda position, pace: position * pace, joined=lambda a: torch.stack([a.sin(), a.cos()], -1).flatten(1),
    refused=lambda length, channels: length < 1 or channels < 2 or channels % 2, dtype=torch.float32,
):  # fmt: skip
    """The table, right unless a place to go wrong is used."""
    if refused(length, channels):
        raise ValueError("sizes")
    position = torch.arange(first, first + length, dtype=torch.float32, device=device)
    pair = torch.arange(channels // 2, dtype=torch.float32, device=device)
    return joined(angle(position[:, None], base ** -exponent(pair, channels))).to(dtype)


def per_channel(length, channels, base=10000.0, device=None, times=1):
    """Every channel has a pace of its own."""
    refused = table(length, channels, base, device)
    channel = torch.arange(channels, device=refused.device)
    angles = torch.arange(length, device=refused.device)[:, None] * base ** (-times * channel / channels)
    return torch.where(channel % 2 == 0, angles.sin(), angles.cos())


def penalty(
    num_heads, q_len, kv_len=None, device=None, *, slope=lambda h, H: 2.0 ** (-8 * h / H), offset=None,
    measured=lambda distance: distance, hidden=lambda distance: distance < 0, later=-math.inf,
    refused=lambda H, q_len, kv_len: H < 1 or H & (H - 1) or not 1 <= q_len <= kv_len, dtype=torch.float32,
):  # fmt: skip
    """ALiBi's bias, right unless a place to go wrong is used."""
    kv_len = q_len if kv_len is None else kv_len
    if refused(num_heads, q_len, kv_len):
        raise ValueError("sizes")
    head = torch.arange(1, num_heads + 1, dtype=dtype, device=device)
    query = torch.arange(q_len, device=device)[:, None] + (kv_len - q_len if offset is None else offset)
    distance = query - torch.arange(kv_len, device=device)
    steep = slope(head, num_heads)[:, None, None]
    return (-steep * measured(distance)).masked_fill(hidden(distance), later)


def on_cpu(function):
    return lambda *sizes, device=None, **more: function(*sizes[:3], **more)


def tables(**wrong):
    return lambda length, channels, base=10000.0, device=None: table(length, channels, base, device, **wrong)


def biases(**wrong):
    return lambda num_heads, q_len, kv_len=None, device=None: penalty(num_heads, q_len, kv_len, device, **wrong)


KNOWN = [
    *misconceptions(
        "sinusoidal_positions",
        halves=tables(joined=lambda a: torch.cat([a.sin(), a.cos()], -1)),
        cosines_missing=tables(joined=lambda a: torch.stack([a.sin(), 0 * a], -1).flatten(1)),
        cosine_first=tables(joined=lambda a: torch.stack([a.cos(), a.sin()], -1).flatten(1)),
        sines_only=tables(joined=lambda a: torch.stack([a.sin(), a.sin()], -1).flatten(1)),
        pace_of_each_channel=per_channel,
        channels_for_pairs=functools.partial(per_channel, times=2),
        exponent_halved=tables(exponent=lambda i, d: i / d),
        exponent_doubled=tables(exponent=lambda i, d: 4 * i / d),
        last_pair_at_the_base=tables(exponent=lambda i, d: i / max(d // 2 - 1, 1)),
        faster_and_faster=tables(exponent=lambda i, d: -2 * i / d),
        faster_and_faster_in_float64=tables(exponent=lambda i, d: -2 * i.double() / d),
        one_position_too_far=tables(first=1),
        base_ignored=lambda length, channels, base=10000.0, device=None: table(length, channels, device=device),
        degrees=tables(angle=lambda position, pace: torch.deg2rad(position * pace)),
        full_turns=tables(angle=lambda position, pace: 2 * math.pi * position * pace),
        share_of_the_length=tables(angle=lambda position, pace: position / len(position) * pace),
        transposed=tables(joined=lambda a: torch.stack([a.sin(), a.cos()], -1).flatten(1).T),
        float64_table=tables(dtype=torch.float64),
        table_not_checked=tables(refused=lambda length, channels: False),
        odd_channels_accepted=tables(refused=lambda length, channels: length < 1 or channels < 2),
        table_on_cpu=on_cpu(table),
    ),
    *misconceptions(
        "alibi_bias",
        rewarded=biases(measured=lambda distance: -distance),
        same_slope=biases(slope=lambda h, H: torch.full_like(h, 2.0**-8)),
        slope_by_halves=biases(slope=lambda h, H: 2.0**-h),
        slope_of_head_0=biases(slope=lambda h, H: 2.0 ** (-8 * (h - 1) / H)),
        slope_of_head_1=biases(slope=lambda h, H: torch.full_like(h, 2.0 ** (-8 / H))),
        slope_without_heads=biases(slope=lambda h, H: 2.0 ** (-8 * h)),
        slope_by_number=biases(slope=lambda h, H: 2.0 ** (-8 / h)),
        slope_without_8=biases(slope=lambda h, H: 2.0 ** (-h / H)),
        slopes_reversed=biases(slope=lambda h, H: 2.0 ** (-8 * (H + 1 - h) / H)),
        slope_by_division=biases(slope=lambda h, H: 1 / (8 * h)),
        slope_of_e=biases(slope=lambda h, H: torch.exp(-8 * h / H)),
        both_directions=biases(measured=lambda distance: distance.abs(), hidden=lambda distance: distance > distance),
        later_rewarded=biases(hidden=lambda distance: distance > distance),
        later_at_0=biases(later=0.0),
        later_at_minus_a_billion=biases(later=-1e9),
        later_at_the_lowest=biases(later=torch.finfo(torch.float32).min),
        top_left=biases(offset=0),
        kv_len_ignored=lambda num_heads, q_len, kv_len=None, device=None: penalty(num_heads, q_len, None, device),
        one_off=biases(measured=lambda distance: distance + 1),
        itself_hidden=biases(hidden=lambda distance: distance <= 0),
        from_the_first_key=biases(measured=lambda distance: distance - distance.amax()),
        places_of_keys=biases(
            measured=lambda distance: distance[..., -1:, :] - distance[..., -1:, :].amax() + 0 * distance
        ),
        whole_exponents=biases(slope=lambda h, H: 2.0 ** (-8 * h // H)),
        hidden_by_a_product=lambda num_heads, q_len, kv_len=None, device=None: (
            penalty(num_heads, q_len, kv_len, device, later=0.0)
            + penalty(num_heads, q_len, kv_len, device).isinf() * -math.inf
        ),
        squared=biases(measured=lambda distance: distance.square()),
        float64_bias=biases(dtype=torch.float64),
        bias_not_checked=biases(refused=lambda H, q_len, kv_len: False),
        single_head_refused=biases(refused=lambda H, q_len, kv_len: H < 2 or H & (H - 1) or not 1 <= q_len <= kv_len),
        any_heads_accepted=biases(refused=lambda H, q_len, kv_len: H < 1 or not 1 <= q_len <= kv_len),
        lengths_accepted=biases(refused=lambda H, q_len, kv_len: H < 1 or H & (H - 1)),
        bias_on_cpu=on_cpu(penalty),
    ),
]
