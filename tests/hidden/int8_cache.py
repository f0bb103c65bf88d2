"""Hidden suite for a cache in int8. No quotient of a number and its scale lies near a half, where rounding decides."""

import math

import torch
from hidden.lib import masking
from hidden.lib.attention import attend
from hidden.lib.precision import IN_16_BITS, fixed

from grader.suites import dtypes, error_bound, expect, expect_close, laws, misconceptions, points

LETS_PASS = {
    "no_gradient": "the statement asks for no gradient",
    **{f"{slip} of dequantize": "a scale is float32 or float64" for slip in IN_16_BITS},
}


@error_bound("quantize")
def quantize_bound(x, dim=-1):
    # Codes are whole numbers; a scale is one quotient.
    return torch.zeros_like(x), 2 * x.abs().amax(dim, keepdim=True) / 127


@error_bound("dequantize")
def dequantize_bound(codes, scale):
    return (codes * scale).abs()


@error_bound("score_error_bound")
def bound_of_bound(q, codes, scale):
    # Sums of Dh products that are not negative, halved, and divided by a root.
    return bound()(q, codes, scale) * (q.shape[-1] / 2 + 4)


@error_bound("int8_attention")
def attention_bound(q, keys, values):
    # A dequantized key is rounded once, as are q and k there; so is a value.
    output, _ = masking.rounding(q, whole(*keys), whole(*values))
    return output + whole(*values).abs().amax(-2, keepdim=True)


def numbers(make, *shape, dim=-1, even=False):
    """Groups of different sizes along dim; their codes are the same however one rounds and computes in float32."""
    sizes = list(shape)
    sizes[dim] = 1
    x = make.normal(*shape)
    x = make.tensor(x.double() if even else x.double() * make.normal(*sizes).double().exp())
    quotients = 127 * x.double() / x.double().abs().amax(dim, keepdim=True)
    unclear = (quotients - quotients.floor() - 0.5).abs() < 0.01
    return x.masked_fill(unclear, 0.0)


def cache(make, *lead, t=5, d=6, dim=-1):
    """Codes and a scale, in float32 at least."""
    x = numbers(make, *lead, t, d, dim=dim)
    return quantized()(x, dim)


@points(1.5)
@dtypes("float32", "float64")
def test_tokens(matches_reference, make, dtype):
    """Each token has its own scale, its largest absolute value over 127, and codes rounded to the nearest."""
    matches_reference.quantize(numbers(make, 2, 3))
    matches_reference.quantize(numbers(make, 5, 8))
    matches_reference.quantize(numbers(make, 2, 3, 5, 6))
    matches_reference.quantize(numbers(make, 2, 1, 3, 4, 7))
    matches_reference.quantize(make.tensor([[1.1, 2.0, -4.0], [-0.5, -0.23, -0.12], [0.3, 0.2, 0.1]]))


@points(1)
def test_channels(matches_reference, make):
    """With dim=-2 each channel has its own scale; other dimensions are possible as well."""
    matches_reference.quantize(numbers(make, 3, 2, dim=-2), dim=-2)
    matches_reference.quantize(numbers(make, 7, 4, dim=-2), dim=-2)
    matches_reference.quantize(numbers(make, 2, 3, 5, 6, dim=-2), dim=-2)
    matches_reference.quantize(numbers(make, 2, 3, 5, 6, dim=-2), -2)
    matches_reference.quantize(numbers(make, 2, 3, 5, 6, dim=1), dim=1)


@points(0.4)
@dtypes("float32", "float64")
def test_zeros(matches_reference, make, dtype):
    """A group of zeros has the scale 0 and the codes 0, and other groups are as before."""
    for shape, dim in (((3, 4), -1), ((2, 5, 3), -2)):
        x = numbers(make, *shape, dim=dim)
        x.movedim(dim, -1)[..., 1, :] = 0
        matches_reference.quantize(x, dim=dim)
    matches_reference.quantize(make.tensor(torch.zeros(2, 3)))


@points(0.5)
@dtypes("float16", "bfloat16")
def test_half_precision(student, matches_reference, make, dtype):
    """Numbers in half precision are divided in float32, and so are very small and very large ones; attention is
    computed in float32, too.
    """
    for size in (1.0, 0.125, 1024.0):
        matches_reference.quantize(size * numbers(make, 12, 20, even=True))
        matches_reference.quantize(size * numbers(make, 2, 20, 12, dim=-2, even=True), dim=-2)
    drawn = fixed(make)
    q, values = 8 + drawn.normal(4, 6, scale=0.1), cache(drawn.of("float32"), d=4)
    alike = (127 - (2 * drawn.normal(5, 6).abs()).round()).to(torch.int8)
    keys = alike, drawn.of("float32").tensor([[0.16]] * 5)  # scores of about 390 that differ by about 1
    exact = attend(q.double(), whole(*keys).double(), whole(*values).double())[0]
    most = 4 * torch.finfo(dtype).eps * float(whole(*values).abs().max())
    said = "attention is rounded more than its result has to be"
    expect_close(student.int8_attention(q, keys, values), exact, most, said)


@points(0.5)
def test_error_of_a_number(student, notes_values, make):
    """A number comes back with an error of half a scale at most, and the largest of a group all but exactly."""
    for shape, dim in (((4, 9), -1), ((2, 3, 7, 5), -2)):
        x = numbers(make, *shape, dim=dim)
        codes, scale = student.quantize(x, dim=dim)
        back = student.dequantize(codes, scale)
        error = (back.double() - x.double()).abs()
        expect((error <= scale.double() * 0.5001).all(), "a number is off by more than half of its scale")
        notes_values.quantize(x, dim=dim)
        notes_values.dequantize(codes, scale)


@points(0.4)
def test_appending(student, notes_values, make):
    """With a scale for each token, a token's codes and scale stay as they are when others are appended."""
    x = numbers(make, 2, 6, 5)
    codes, scale = student.quantize(x)
    first_codes, first_scale = student.quantize(x[:, :4].contiguous())
    expect(torch.equal(codes[:, :4], first_codes), "codes of earlier tokens change")
    expect_close(scale[:, :4], first_scale, 1e-6, "scales of earlier tokens change")
    notes_values.quantize(x)


@points(0.7)
@dtypes("float32", "float64")
def test_back(matches_reference, make, dtype):
    """Codes are multiplied by their scale, however it broadcasts."""
    for dim in (-1, -2):
        matches_reference.dequantize(*cache(make, t=2, d=3, dim=dim))
        matches_reference.dequantize(*cache(make, 2, 3, dim=dim))
    matches_reference.dequantize(torch.tensor([[127, -64]], dtype=torch.int8), make.tensor([[0.5]]))


@points(1.2)
@dtypes("float32", "float64")
def test_bound(matches_reference, make, dtype):
    """The bound adds half a scale times the size of each of the query's entries, over the root of Dh."""
    for dim in (-1, -2):
        matches_reference.score_error_bound(make.normal(2, 3), *cache(make, t=4, d=3, dim=dim))
        matches_reference.score_error_bound(make.normal(3, 7), *cache(make, t=5, d=7, dim=dim))
        matches_reference.score_error_bound(make.normal(2, 3, 4, 6), *cache(make, 2, 3, dim=dim))
    matches_reference.score_error_bound(make.normal(2, 3, 4, 6), *cache(make, 2, 1))


@points(0.5)
def test_bound_holds(student, notes_values, make):
    """No score of dequantized keys is off by more than the bound, and one that is made for it is off by just that."""
    for dim in (-1, -2):
        q, k = make.normal(3, 4, 6), numbers(make, 3, 9, 6, dim=dim)
        codes, scale = student.quantize(k, dim=dim)
        most = student.score_error_bound(q, codes, scale).double()
        off = (q.double() @ (k - student.dequantize(codes, scale)).double().mT / math.sqrt(6)).abs()
        expect((off <= most * 1.001 + 1e-6).all(), "a score is off by more than the bound")
        notes_values.score_error_bound(q, *quantized()(k, dim))
        notes_values.quantize(k, dim=dim)
    q = make.tensor([[3.0, -1.0, 2.0, -2.0]])
    codes, scale = torch.tensor([[127, 0, 3, -2]], dtype=torch.int8), make.tensor([[0.5]])
    worst = (q.abs() * 0.25).sum() / 2
    said = "the bound is not what errors of half a scale can do at the worst"
    expect_close(student.score_error_bound(q, codes, scale), worst, 1e-5, said)
    notes_values.score_error_bound(q, codes, scale)


@points(1.5)
def test_attention(matches_reference, make, dtype):
    """Attention works on what the codes stand for, with a scale for each token or each channel."""
    for of_keys, of_values in ((-1, -1), (-2, -1), (-1, -2), (-2, -2)):
        matches_reference.int8_attention(
            make.normal(1, 3), cache(make, t=4, d=3, dim=of_keys), cache(make, t=4, d=2, dim=of_values)
        )
        matches_reference.int8_attention(*attended(make, 2, 3, of_keys=of_keys, of_values=of_values))
        matches_reference.int8_attention(*attended(make, 2, t_q=1, of_keys=of_keys, of_values=of_values))


@points(0.3)
def test_special_sizes(matches_reference, make):
    """Sizes of 1 and equal sizes work too."""
    for t, d in ((1, 1), (3, 3), (1, 4), (4, 1)):
        for dim in (-1, -2):
            matches_reference.quantize(numbers(make, t, d, dim=dim), dim=dim)
            matches_reference.score_error_bound(make.normal(t, d), *cache(make, t=t, d=d, dim=dim))
            matches_reference.int8_attention(
                make.normal(t, d), cache(make, t=t, d=d, dim=dim), cache(make, t=t, d=d, dim=dim)
            )


def attended(make, *lead, t_q=2, t=5, d=6, dv=4, of_keys=-1, of_values=-1):
    """Queries, keys and values."""
    q = make.normal(*lead, t_q, d)
    return q, cache(make, *lead, t=t, d=d, dim=of_keys), cache(make, *lead, t=t, d=dv, dim=of_values)


def examples(ask, make):
    ask.quantize(numbers(make, 2, 3, 5))
    ask.quantize(numbers(make, 1, 4, 3, dim=-2), dim=-2)
    ask.dequantize(*cache(make, 2))
    ask.score_error_bound(make.normal(2, 3, 6), *cache(make, 2))
    ask.score_error_bound(make.normal(1, 6), *cache(make, dim=-2))
    ask.int8_attention(*attended(make, 2))
    ask.int8_attention(*attended(make, t_q=1, of_keys=-2))
    ask.quantize(numbers(make, 2, 1, 3, 2, 4))
    ask.dequantize(*cache(make, 2, 1, 2))
    ask.score_error_bound(make.normal(2, 1, 2, 3, 6), *cache(make, 2, 1, 2))
    ask.int8_attention(*attended(make, 2, 1, 2))
    ask.int8_attention(make.normal(2, 6, scale=0.01), cache(make, t=1), cache(make, t=1, d=4))


def of_length(ask, make, n):
    ask.quantize(numbers(make, n, 3))
    ask.quantize(numbers(make, 2, n, dim=-2), dim=-2)
    ask.dequantize(*cache(make, 1, t=n))
    ask.score_error_bound(make.normal(2, 6), *cache(make, t=n))
    ask.int8_attention(*attended(make, t=n))
    ask.int8_attention(*attended(make, t_q=n))


# not in expanded memory: expanded scales are no row's
LAWS = laws.all(
    examples, of_length, device=0.2, memory_layout=(0.1, examples, laws.transposed, laws.sliced), inputs_unchanged=0.1,
    every_dtype=0.1, lengths=0.1,
)  # fmt: skip


def largest(x, dim):
    return x.abs().amax(dim, keepdim=True)


def quantized(
    size=largest, steps=127, rounded=torch.round, wide=True, of_zeros=0.0, codes_as=torch.int8,
    done=lambda codes, scale: (codes, scale),
):  # fmt: skip
    """quantize, right unless a place to go wrong is used."""

    def quantize(x, dim=-1):
        x = x.to(torch.promote_types(x.dtype, torch.float32)) if wide else x
        scale = size(x, dim) / steps
        codes = rounded(x / scale.masked_fill(scale == 0, 1.0)).clamp(-128, 127)
        return done(codes.to(codes_as), scale.masked_fill(scale == 0, of_zeros))

    return quantize


def spread(x, dim):
    return x.amax(dim, keepdim=True) - x.amin(dim, keepdim=True)


def with_zero_point(x, dim=-1):
    low = x.amin(dim, keepdim=True)
    scale = (spread(x, dim) / 255).float()
    return ((x - low) / scale - 128).round().to(torch.int8), scale


def wrapped(x, dim):
    scale = largest(x, dim) / 127
    codes = (x / scale.masked_fill(scale == 0, 1.0)).round()
    return codes.to(torch.int16).to(torch.int8), scale.to(torch.promote_types(x.dtype, torch.float32))


def whole(codes, scale):
    return codes.to(scale.dtype) * scale


def bound(size=torch.abs, half=0.5, power=-0.5, step=lambda scale, codes: scale.expand(codes.shape), joined=None):
    """The bound, right unless a place to go wrong is used."""

    def score_error_bound(q, codes, scale):
        sizes, steps = size(q).to(scale.dtype), half * step(scale, codes)
        found = sizes @ steps.mT if joined is None else joined(sizes, steps)
        return found * q.shape[-1] ** power

    return score_error_bound


def in_squares(sizes, steps):
    return (sizes.square() @ steps.square().mT).sqrt()


def largest_channel(sizes, steps):
    return (sizes.unsqueeze(-2) * steps.unsqueeze(-3)).amax(-1)


def by_lengths(sizes, steps):
    return sizes.norm(dim=-1, keepdim=True) * steps.norm(dim=-1).unsqueeze(-2)


def of_tokens_only(q, codes, scale):
    return q.abs().sum(-1, keepdim=True).to(scale.dtype) * scale.mT / 2 / math.sqrt(q.shape[-1])


def queries_quantized(q, keys, values):
    return over()(whole(*quantized()(q)).to(q.dtype), keys, values)


def over(keys_as=whole, values_as=whole, power=-0.5, weighted=lambda scores: scores.softmax(-1), wide=True):
    """Attention over the cache, right unless a place to go wrong is used."""

    def int8_attention(q, keys, values):
        k, v = keys_as(*keys), values_as(*values)
        k, v = (k, v) if wide else (k.to(q.dtype), v.to(q.dtype))
        scores = q.to(k.dtype) @ k.mT * q.shape[-1] ** power
        return (weighted(scores) @ v).to(q.dtype)

    return int8_attention


def scales_exchanged(q, keys, values):
    first, second = keys[1].mean(), values[1].mean()
    return over()(q, (keys[0], first), (values[0], second))


def causal_as_well(scores):
    t_q, t = scores.shape[-2:]
    hidden = torch.ones(t_q, t, dtype=torch.bool, device=scores.device).triu(t - t_q + 1)
    return scores.masked_fill(hidden, -math.inf).softmax(-1)


def unscaled(codes, scale):
    return codes.to(scale.dtype)


KNOWN = [
    *misconceptions(
        "quantize",
        divided_by_128=quantized(steps=128),
        divided_by_255=quantized(spread, steps=255),
        twice_the_largest_over_255=quantized(steps=127.5),
        with_zero_point=with_zero_point,
        largest_without_sign=quantized(lambda x, dim: x.amax(dim, keepdim=True)),
        cut_off=quantized(rounded=torch.trunc),
        rounded_down=quantized(rounded=torch.floor),
        rounded_up=quantized(rounded=torch.ceil),
        one_scale_for_all=quantized(lambda x, dim: torch.zeros_like(largest(x, dim)) + x.abs().max()),
        always_by_token=lambda x, dim=-1: quantized()(x, -1),
        always_by_channel=lambda x, dim=-1: quantized()(x, -2),
        dims_exchanged=lambda x, dim=-1: quantized()(x, -3 - dim),
        scale_inverted=quantized(done=lambda codes, scale: (codes, 1 / scale.masked_fill(scale == 0, math.inf))),
        axis_dropped=lambda x, dim=-1: (quantized()(x, dim)[0], quantized()(x, dim)[1].squeeze(dim)),
        mean_for_the_largest=quantized(lambda x, dim: x.abs().mean(dim, keepdim=True)),
        largest_as_scale=lambda x, dim=-1: (quantized()(x, dim)[0], 127 * quantized()(x, dim)[1]),
        scale_of_zeros_1=quantized(of_zeros=1.0),
        scale_of_zeros_small=quantized(of_zeros=1e-5),
        computed_in_half=quantized(
            wide=False, done=lambda codes, scale: (codes, scale.to(torch.promote_types(scale.dtype, torch.float32)))
        ),
        computed_in_half_and_wraps=lambda x, dim=-1: wrapped(x, dim),
        scale_in_half=lambda x, dim=-1: (quantized()(x, dim)[0], quantized()(x, dim)[1].to(x.dtype)),
        codes_as_floats=quantized(codes_as=torch.float32),
        codes_in_four_bits=quantized(steps=7),
        order_exchanged=quantized(done=lambda codes, scale: (scale, codes)),
    ),
    *misconceptions(
        "dequantize",
        divided_by_the_scale=lambda codes, scale: codes / scale,
        scale_not_used=unscaled,
        codes_over_127=lambda codes, scale: whole(codes, scale) / 127,
        in_whole_numbers=lambda codes, scale: (codes * scale).round(),
    ),
    *misconceptions(
        "score_error_bound",
        a_whole_step=bound(half=1.0),
        root_missing=bound(power=0.0),
        by_d=bound(power=-1.0),
        signs_kept=bound(size=lambda q: q),
        sign_of_the_sum=lambda q, codes, scale: bound(size=lambda q: q)(q, codes, scale).abs(),
        usual_error=bound(joined=in_squares),
        largest_channel_only=bound(joined=largest_channel),
        by_lengths=bound(joined=by_lengths),
        of_tokens_only=of_tokens_only,
        steps_of_1=bound(step=lambda scale, codes: torch.ones_like(codes, dtype=scale.dtype)),
        keys_for_steps=bound(step=lambda scale, codes: whole(codes, scale).abs()),
        steps_of_127=bound(step=lambda scale, codes: scale.expand(codes.shape) / 127),
        largest_step=bound(step=lambda scale, codes: scale.max().expand(codes.shape)),
        query_not_used=bound(size=torch.ones_like),
    ),
    *misconceptions(
        "int8_attention",
        scores_not_scaled=over(power=0.0),
        scores_over_d=over(power=-1.0),
        codes_for_keys=over(keys_as=unscaled),
        codes_for_values=over(values_as=unscaled),
        codes_for_both=over(unscaled, unscaled),
        softmax_over_queries=over(weighted=lambda scores: scores.softmax(-2)),
        without_softmax=over(weighted=lambda scores: scores),
        causal_as_well=over(weighted=causal_as_well),
        queries_quantized=queries_quantized,
        one_mean_scale=scales_exchanged,
        attention_in_half=over(wide=False),
        values_rounded=over(values_as=lambda codes, scale: whole(codes, scale).round()),
    ),
]
