"""Hidden suite for RoPE beyond the trained length: linear interpolation, a raised base, and YaRN's ramp."""

import math

import torch

from grader.suites import error_bound, expect, expect_close, laws, misconceptions, points

CPU = torch.device("cpu")  # the device under test, once the call has arrived there
LETS_PASS = {
    "float32_result": "float32 is asked for",
    "no_gradient": "only numbers go in",
    "squeezed": "two pairs or more have no axis of size 1; the functions that take one pair are caught",
}
TURN = 2 * math.pi


def power_units(frequency):
    """How far a float32 power of the base may be off, in units of epsilon."""
    # As exp(-x), x = (2i/d) * ln(theta) is off by up to 4 roundings of itself, the power by x times as much; exp and a
    # division round once more, and a base that was raised in float32 is off by a few roundings too.
    return (8 + 8 * -frequency.log()) * frequency


@error_bound("linear_frequencies")
def linear_bound(head_dim, factor, theta=10000.0, device=None):
    return power_units(pairs(head_dim, theta)) / factor


@error_bound("ntk_frequencies")
def ntk_bound(head_dim, factor, theta=10000.0, device=None):
    return power_units(ntk(head_dim, factor, theta, dtype=torch.float64))


@error_bound("yarn_frequencies")
def yarn_bound(head_dim, factor, trained_len, theta=10000.0, slow=1.0, fast=32.0, device=None):
    # On the ramp the share that is kept changes by turns / (fast - slow) times the relative error of the turns.
    return power_units(pairs(head_dim, theta)) * (2 + fast / (fast - slow))


@points(1.5)
def test_linear(matches_reference, make):
    """Linear interpolation slows all pairs down by the factor."""
    for head_dim, factor in ((8, 4.0), (6, 2.0), (16, 8.0), (10, 1.5), (64, 32.0)):
        matches_reference.linear_frequencies(head_dim, factor)
    matches_reference.linear_frequencies(2 * make.integer(3, 20), float(make.integer(3, 17)))


@points(2)
def test_ntk(matches_reference, make):
    """The raised base leaves the first pair alone and slows the last one down by the factor."""
    for head_dim, factor in ((8, 4.0), (6, 2.0), (16, 8.0), (10, 1.5), (64, 32.0)):
        matches_reference.ntk_frequencies(head_dim, factor)
    matches_reference.ntk_frequencies(2 * make.integer(3, 20), float(make.integer(3, 17)))


@points(2.5)
def test_yarn(matches_reference, make):
    """Pairs that turn often keep their pace, pairs that turn less than once are slowed down, and a ramp lies in
    between.
    """
    for head_dim, factor, trained_len in (
        (8, 4.0, 1000),
        (16, 8.0, 500),
        (32, 2.0, 2048),
        (64, 16.0, 4096),
        (20, 1.5, 90),
    ):
        matches_reference.yarn_frequencies(head_dim, factor, trained_len)
    matches_reference.yarn_frequencies(2 * make.integer(8, 24), float(make.integer(3, 17)), make.integer(300, 3000))


@points(0.7)
def test_base(matches_reference, make):
    """With another base the pairs have other frequencies, and other pairs need to be slowed down."""
    for theta in (100.0, 500000.0, 1e6, float(make.integer(20, 5000))):
        matches_reference.linear_frequencies(12, 4.0, theta)
        matches_reference.ntk_frequencies(12, 4.0, theta)
        for head_dim in (8, 4):
            matches_reference.ntk_frequencies(head_dim, 2.0, theta=theta)
        matches_reference.yarn_frequencies(16, 4.0, 800, theta)


@points(0.8)
def test_where_the_ramp_lies(matches_reference, make):
    """The ramp goes from `slow` to `fast` turns, whatever these are, and depends on the trained length."""
    for slow, fast in ((1.0, 4.0), (2.0, 50.0), (0.5, 8.0), (0.0, 6.0), (5.0, float(make.integer(6, 90)))):
        matches_reference.yarn_frequencies(32, 8.0, 1024, 10000.0, slow, fast)
        matches_reference.yarn_frequencies(24, 3.0, 300, fast=fast, slow=slow)
    for option in ({"slow": 4.0}, {"fast": 16.0}):
        matches_reference.yarn_frequencies(32, 8.0, 1024, **option)
    for trained_len in (1, 7, 64, 8192, 10**6):
        matches_reference.yarn_frequencies(32, 4.0, trained_len)


@points(0.9)
def test_laws(student, notes_values):
    """No pair turns faster than before or slower than interpolated, and a factor of 1 changes nothing."""
    for head_dim, factor in ((12, 4.0), (32, 8.0)):
        before, linear = student.linear_frequencies(head_dim, 1.0), student.linear_frequencies(head_dim, factor)
        raised, yarn = student.ntk_frequencies(head_dim, factor), student.yarn_frequencies(head_dim, factor, 1000)
        for found in (raised, yarn):
            expect((found <= before * 1.0001).all(), "a pair turns faster than without scaling")
            expect((found >= linear * 0.9999).all(), "a pair is slowed down by more than the factor")
            expect_close(found[0], 1.0, 1e-4, "the first pair does not keep its pace")
            expect_close(found[-1] / linear[-1], 1.0, 1e-3, "the last pair is not slowed down by the factor")
        said = "with a raised base the ratio of two neighbouring pairs is not constant"
        expect_close(raised[1:] / raised[:-1], raised[1] / raised[0], 1e-3, said)
    for head_dim in (6, 14):
        notes_values.linear_frequencies(head_dim, 1.0)
        notes_values.ntk_frequencies(head_dim, 1.0)
        notes_values.yarn_frequencies(head_dim, 1.0, 200)


@points(0.5)
def test_special_sizes(matches_reference):
    """A single pair, two pairs, a whole number as factor, and pairs all on one side of the ramp work too."""
    matches_reference.linear_frequencies(2, 4.0)
    matches_reference.ntk_frequencies(4, 8.0)
    for factor in (3, 1):
        matches_reference.linear_frequencies(4, factor)
        matches_reference.ntk_frequencies(6, factor)
    matches_reference.yarn_frequencies(2, 4, 10)
    matches_reference.yarn_frequencies(2, 4.0, 300)
    matches_reference.yarn_frequencies(6, 5.0, 3)
    matches_reference.yarn_frequencies(6, 5.0, 10**7)


@points(0.3)
def test_refuses_channels(raises_value_error, notes_values):
    """Channels that do not come in pairs, and a single pair where the base is to be raised, are refused with
    ValueError.
    """
    for head_dim in (7, 1, 0, -4):
        raises_value_error.linear_frequencies(head_dim, 2.0)
        raises_value_error.ntk_frequencies(head_dim, 2.0)
        raises_value_error.yarn_frequencies(head_dim, 2.0, 100)
    for head_dim in (2, 5, 3):
        raises_value_error.ntk_frequencies(head_dim, 4.0)
    notes_values.ntk_frequencies(4, 2.0)


@points(0.3)
def test_refuses_factors_and_lengths(raises_value_error, notes_values):
    """A factor or a trained length below 1, and a ramp that does not rise, are refused with ValueError."""
    for factor in (0.5, 0.0, -2.0, 0.99):
        raises_value_error.linear_frequencies(8, factor)
        raises_value_error.ntk_frequencies(8, factor)
        raises_value_error.yarn_frequencies(8, factor, 100)
    for trained_len in (0, -5):
        raises_value_error.yarn_frequencies(8, 2.0, trained_len)
    for slow, fast in ((4.0, 4.0), (32.0, 1.0)):
        raises_value_error.yarn_frequencies(8, 2.0, 100, slow=slow, fast=fast)
    notes_values.yarn_frequencies(8, 1.0, 1)


def examples(ask, make):
    ask.linear_frequencies(8, 4.0, 500.0, CPU)
    ask.linear_frequencies(6, 2.0, device=CPU)
    ask.ntk_frequencies(8, 4.0, 500.0, CPU)
    ask.ntk_frequencies(6, factor=2.0, device=CPU)
    ask.yarn_frequencies(16, 4.0, 300, 500.0, 2.0, 20.0, CPU)
    ask.yarn_frequencies(12, 2.0, trained_len=200, device=CPU)


def of_length(ask, make, n):
    ask.linear_frequencies(2 * n, 4.0)
    ask.ntk_frequencies(2 * n + 2, 4.0)
    ask.yarn_frequencies(2 * n, 4.0, 500)


LAWS = laws.all(examples, of_length, device=0.3, keywords=0.05)


def odd(head_dim, least=2):
    return head_dim < least or head_dim % 2


def pairs(
    head_dim, theta=10000.0, device=None, dtype=torch.float64, exponent=lambda i, d: 2 * i / d, channels=False
):  # fmt: skip
    """The frequency of each pair, right unless the exponent is not; or of each channel, as if all were pairs."""
    i = torch.arange(head_dim, device=device).to(dtype) / 2 if channels else torch.arange(head_dim // 2, device=device)
    return theta ** -exponent(i.to(dtype), head_dim)


def linear(
    head_dim, factor, theta=10000.0, device=None, *, scaled=lambda f, factor: f / factor,
    refused=lambda d, factor: odd(d) or factor < 1, dtype=torch.float32, **wrong,
):  # fmt: skip
    """Linear interpolation, right unless a place to go wrong is used."""
    if refused(head_dim, factor):
        raise ValueError("sizes")
    return scaled(pairs(head_dim, theta, device, dtype, **wrong), factor)


def ntk(
    head_dim, factor, theta=10000.0, device=None, *, raised=lambda theta, s, d: theta * s ** (d / (d - 2)),
    refused=lambda d, factor: odd(d, 4) or factor < 1, dtype=torch.float32, **wrong,
):  # fmt: skip
    """The raised base, right unless a place to go wrong is used."""
    if refused(head_dim, factor):
        raise ValueError("sizes")
    return pairs(head_dim, raised(theta, factor, head_dim), device, dtype, **wrong)


def yarn(
    head_dim, factor, trained_len, theta=10000.0, slow=1.0, fast=32.0, device=None, *,
    turns=lambda f, length: length * f / TURN, ramp=lambda r, slow, fast: ((r - slow) / (fast - slow)).clamp(0, 1),
    mixed=lambda keep, f, factor: keep * f + (1 - keep) * f / factor, dtype=torch.float32,
    refused=lambda d, s, length, slow, fast: odd(d) or s < 1 or length < 1 or fast <= slow, **wrong,
):  # fmt: skip
    """YaRN's frequencies, right unless a place to go wrong is used."""
    if refused(head_dim, factor, trained_len, slow, fast):
        raise ValueError("sizes")
    f = pairs(head_dim, theta, device, dtype, **wrong)
    return mixed(ramp(turns(f, trained_len), slow, fast), f, factor)


def changed(function, **wrong):
    return lambda *sizes, **more: function(*sizes, **more, **wrong)


def on_cpu(function, numbers):
    return lambda *sizes, device=None, **more: function(*sizes[:numbers], **more)


def base_ignored(function, place):
    def wrong(*sizes, theta=10000.0, **more):
        return function(*sizes[:place], 10000.0, *sizes[place + 1 :], **more)

    return wrong


def ramp_over_numbers(head_dim, factor, trained_len, theta=10000.0, slow=1.0, fast=32.0, device=None):
    """The ramp over the numbers of the pairs, between those that make `fast` and `slow` turns, rounded outwards."""

    def number(turns):
        return head_dim * math.log(trained_len / (max(turns, 1e-9) * TURN)) / (2 * math.log(theta))

    def ramp(turns, slow, fast):
        low, high = max(math.floor(number(fast)), 0), min(math.ceil(number(slow)), head_dim - 1)
        pair = torch.arange(len(turns), device=turns.device)
        return 1 - ((pair - low) / max(high - low, 0.001)).clamp(0, 1)

    return yarn(head_dim, factor, trained_len, theta, slow, fast, device, ramp=ramp)


def of_logarithms(turns, slow, fast):
    """The ramp over the logarithm of the turns."""
    low = math.log(max(slow, 1e-9))
    return ((turns.log() - low) / (math.log(fast) - low)).clamp(0, 1)


EXPONENTS = {
    "exponent_halved": lambda i, d: i / d,
    "exponent_doubled": lambda i, d: 4 * i / d,
    "pairs_from_1": lambda i, d: 2 * (i + 1) / d,
    "last_pair_at_the_base": lambda i, d: 2 * i / max(d - 2, 1),
    "faster_and_faster": lambda i, d: -2 * i / d,
}
KNOWN = [
    *misconceptions(
        "linear_frequencies",
        "ntk_frequencies",
        "yarn_frequencies",
        **{
            name: (changed(linear, exponent=wrong), changed(ntk, exponent=wrong), changed(yarn, exponent=wrong))
            for name, wrong in EXPONENTS.items()
        },
        float64_result=tuple(changed(f, dtype=torch.float64) for f in (linear, ntk, yarn)),
        on_cpu=(on_cpu(linear, 3), on_cpu(ntk, 3), on_cpu(yarn, 6)),
        base_ignored=(base_ignored(linear, 2), base_ignored(ntk, 2), base_ignored(yarn, 3)),
        every_channel=tuple(changed(f, channels=True) for f in (linear, ntk, yarn)),
        repeated=tuple(lambda *sizes, f=f, **more: f(*sizes, **more).repeat(2) for f in (linear, ntk, yarn)),
        periods=tuple(lambda *sizes, f=f, **more: TURN / f(*sizes, **more) for f in (linear, ntk, yarn)),
        nothing_refused=(
            changed(linear, refused=lambda d, factor: False),
            changed(ntk, refused=lambda d, factor: False),
            changed(yarn, refused=lambda *sizes: False),
        ),
        odd_accepted=(
            changed(linear, refused=lambda d, factor: d < 2 or factor < 1),
            changed(ntk, refused=lambda d, factor: d < 4 or factor < 1),
            changed(yarn, refused=lambda d, s, length, slow, fast: d < 2 or s < 1 or length < 1 or fast <= slow),
        ),
        factor_of_1_refused=(
            changed(linear, refused=lambda d, factor: odd(d) or factor <= 1),
            changed(ntk, refused=lambda d, factor: odd(d, 4) or factor <= 1),
            changed(yarn, refused=lambda d, s, length, slow, fast: odd(d) or s <= 1 or length < 1 or fast <= slow),
        ),
        small_factors_accepted=(
            changed(linear, refused=lambda d, factor: odd(d) or factor <= 0),
            changed(ntk, refused=lambda d, factor: odd(d, 4) or factor <= 0),
            changed(yarn, refused=lambda d, s, length, slow, fast: odd(d) or s <= 0 or length < 1 or fast <= slow),
        ),
    ),
    *misconceptions(
        "linear_frequencies",
        multiplied=changed(linear, scaled=lambda f, factor: f * factor),
        not_slowed_down=changed(linear, scaled=lambda f, factor: f),
        whole_factors_only=changed(linear, scaled=lambda f, factor: f / int(factor)),
        base_times_factor=lambda head_dim, factor, theta=10000.0, device=None: linear(
            head_dim, factor, theta * factor, device, scaled=lambda f, s: f
        ),
        turned_over=changed(linear, scaled=lambda f, factor: factor / f),
        first_pair_kept=changed(linear, scaled=lambda f, s: torch.cat([f[:1], f[1:] / s])),
        root_of_the_factor=changed(linear, scaled=lambda f, factor: f / factor**0.5),
    ),
    *misconceptions(
        "ntk_frequencies",
        base_times_the_factor=changed(ntk, raised=lambda theta, s, d: theta * s),
        exponent_upside_down=changed(ntk, raised=lambda theta, s, d: theta * s ** ((d - 2) / d)),
        base_to_the_power=changed(ntk, raised=lambda theta, s, d: (theta * s) ** (d / (d - 2))),
        base_lowered=changed(ntk, raised=lambda theta, s, d: theta / s ** (d / (d - 2))),
        counts_pairs=changed(ntk, raised=lambda theta, s, d: theta * s ** (d / max(d - 1, 1))),
        exponent_cut_to_whole=changed(ntk, raised=lambda theta, s, d: theta * s ** (d // (d - 2))),
        power_before_the_quotient=changed(ntk, raised=lambda theta, s, d: theta * s**d / (d - 2)),
        slowed_down_too=lambda head_dim, factor, *more, **named: ntk(head_dim, factor, *more, **named) / factor,
        ntk_is_linear=changed(linear, refused=lambda d, factor: odd(d, 4) or factor < 1),
        single_pair_accepted=lambda head_dim, factor, *more, **named: (
            linear(head_dim, 1.0, *more, **named) if head_dim == 2 else ntk(head_dim, factor, *more, **named)
        ),
    ),
    *misconceptions(
        "yarn_frequencies",
        shares_exchanged=changed(yarn, mixed=lambda keep, f, s: (1 - keep) * f + keep * f / s),
        not_clamped=changed(yarn, ramp=lambda r, slow, fast: (r - slow) / (fast - slow)),
        above_not_clamped=changed(yarn, ramp=lambda r, slow, fast: ((r - slow) / (fast - slow)).clamp(min=0)),
        below_not_clamped=changed(yarn, ramp=lambda r, slow, fast: ((r - slow) / (fast - slow)).clamp(max=1)),
        no_ramp=changed(yarn, ramp=lambda r, slow, fast: (r >= fast).to(r)),
        all_above_slow_kept=changed(yarn, ramp=lambda r, slow, fast: (r > slow).to(r)),
        ramp_in_the_middle=changed(yarn, ramp=lambda r, slow, fast: (r >= (slow + fast) / 2).to(r)),
        smooth_ramp=changed(
            yarn, ramp=lambda r, slow, fast: torch.sin(((r - slow) / (fast - slow)).clamp(0, 1) * TURN / 4)
        ),
        ramp_over_pairs=changed(yarn, ramp=lambda r, slow, fast: torch.linspace(1, 0, len(r), device=r.device)),
        ramp_over_numbers=ramp_over_numbers,
        divided_by_fast=changed(yarn, ramp=lambda r, slow, fast: ((r - slow) / fast).clamp(0, 1)),
        from_no_turn=changed(yarn, ramp=lambda r, slow, fast: (r / fast).clamp(0, 1)),
        bounds_ignored=changed(yarn, ramp=lambda r, slow, fast: ((r - 1) / 31).clamp(0, 1)),
        bounds_of_llama=changed(yarn, ramp=lambda r, slow, fast: ((r - 1) / 3).clamp(0, 1)),
        slow_ignored=changed(yarn, ramp=lambda r, slow, fast: ((r - 1) / (fast - 1)).clamp(0, 1)),
        fast_ignored=changed(yarn, ramp=lambda r, slow, fast: ((r - slow) / (32 - slow)).clamp(0, 1)),
        turns_upside_down=changed(yarn, turns=lambda f, length: TURN / (length * f)),
        radians_for_turns=changed(yarn, turns=lambda f, length: length * f),
        turns_without_the_length=changed(yarn, turns=lambda f, length: f / TURN),
        period_for_turns=changed(yarn, turns=lambda f, length: TURN / f),
        turns_in_the_longer_text=lambda head_dim, factor, trained_len, *more, **named: yarn(
            head_dim, factor, trained_len, *more, turns=lambda f, length: factor * length * f / TURN, **named
        ),
        half_turns=changed(yarn, turns=lambda f, length: 2 * length * f / TURN),
        pi_multiplied=changed(yarn, turns=lambda f, length: length * f * TURN / 4),
        ramp_of_logarithms=changed(yarn, ramp=of_logarithms),
        slowed_twice=changed(yarn, mixed=lambda keep, f, s: (keep * f + (1 - keep) * f / s) / s),
        times_the_temperature=changed(
            yarn, mixed=lambda keep, f, s: (keep * f + (1 - keep) * f / s) * (0.1 * math.log(s) + 1)
        ),
        mixed_factors=changed(yarn, mixed=lambda keep, f, s: f / (keep + (1 - keep) * s)),
        geometric_mean=changed(yarn, mixed=lambda keep, f, s: f * s ** (keep - 1)),
        yarn_is_linear=changed(yarn, ramp=lambda r, slow, fast: torch.zeros_like(r)),
        only_the_channels_checked=changed(yarn, refused=lambda d, s, *rest: odd(d) or s < 1),
    ),
]
