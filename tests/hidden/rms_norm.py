"""Hidden suite for RMSNorm.

Not in the bank, because right: rounding to the dtype of x before the weight is applied (as Llama does), dividing by a
power of two instead of computing in float32, x / length * sqrt(D).
"""

import torch
from hidden.lib.arguments import detached, in_float32

from grader.suites import Text, dtypes, error_bound, expect_close, facts, laws, misconceptions, points

LETS_PASS = {"input_scaled_in_bfloat16": "the length of x makes no difference, beside eps"}


@error_bound("rms_norm")
def rms_norm_bound(x, weight=None, eps=1e-6):
    # Relative to the result: the mean of D squares is off by (D / 2 + 3) eps, its root by half of that; x rounded to
    # float32, the root, the quotient, the weight and the product with it are rounded once each.
    y = x * torch.rsqrt(x.square().mean(-1, keepdim=True) + eps)
    return (y if weight is None else y * weight).abs() * (x.shape[-1] / 4 + 8)


def vectors(make, *shape):
    """Vectors whose entries are at least 6 in size, beside which an eps of 1e-5 does not show in float32."""
    x = make.normal(*shape)
    return 4 * x + 6 * x.sign()


@points(1.5)
def test_definition(matches_reference, make, dtype):
    """Each vector is divided by the root of the mean of its squares, along the last dimension."""
    for shape in ((2,), (3, 4), (5,), (2, 3, 5), (2, 3, 4, 7), (2, 1, 3, 2, 4)):
        matches_reference.rms_norm(vectors(make, *shape))
    x = vectors(make, 3, 8)
    x[:, 0] *= 5  # the root of the mean of squares is far from the mean of magnitudes
    matches_reference.rms_norm(x)
    matches_reference.rms_norm(x, weight=0 * make.normal(8))


@points(1.25)
def test_weight(matches_reference, make, dtype):
    """With a weight, each channel is multiplied by its factor afterwards."""
    for shape in ((2,), (5,), (3, 4), (2, 3, 5)):
        x = vectors(make, *shape)
        x[..., 0] *= 5
        matches_reference.rms_norm(x, weight=make.normal(shape[-1]))
    matches_reference.rms_norm(vectors(make, 3, 5), weight=make.of("float64").normal(5))


@points(0.75)
@dtypes("float16", "bfloat16")
def test_wider_weight(matches_reference, make, dtype):
    """A weight in float32 does not widen the result: it has the dtype of x."""
    for shape, scale in (((3,), 1.0), ((2, 5), 1.0), ((2, 3, 4), 400.0)):
        matches_reference.rms_norm(make.normal(*shape, scale=scale), weight=make.normal(shape[-1]).float())


@points(1)
@dtypes("float16", "float32")
def test_large_entries(matches_reference, make, dtype):
    """Entries whose squares do not fit into float16 work too."""
    matches_reference.rms_norm(make.tensor([300.0, 300.0]))
    matches_reference.rms_norm(make.tensor([[300.0, -400.0, 0.5], [60000.0, -30000.0, 1.0]]))
    matches_reference.rms_norm(make.normal(2, 3, 7, scale=1000.0))


@points(1)
def test_laws(student, notes_values, make):
    """The root mean square of the result is 1, whatever the length of a vector was, and opposite vectors stay
    opposite.
    """
    for shape in ((3,), (2, 5), (2, 3, 4)):
        x = vectors(make, *shape) + 0.5
        y = student.rms_norm(x)
        expect_close(y.square().mean(-1).sqrt(), 1.0, 1e-4, "the root mean square of the result is not 1")
        expect_close(student.rms_norm(x * 8), y, 1e-4, "a vector 8 times as long does not give the same result")
        expect_close(student.rms_norm(-x), -y, 1e-5, "the opposite vector does not give the opposite result")
        notes_values.rms_norm(x)


@points(0.5)
def test_mean_is_left_alone(matches_reference, make):
    """The mean is not subtracted: a vector of equal entries becomes one of ones, and a large mean stays large."""
    matches_reference.rms_norm(make.tensor([[3.0, 3, 3], [-0.5, -0.5, -0.5]]))
    matches_reference.rms_norm(make.tensor([[1.0, -1, 2, -2], [11, 9, 12, 8]]))
    matches_reference.rms_norm(make.normal(3, 5) + 10)


@points(0.75)
def test_small_vectors(matches_reference, make):
    """A vector of zeros gives zeros, not NaN; entries whose squares are as small as eps work too."""
    matches_reference.rms_norm(make.tensor([0.0, 0.0]))
    matches_reference.rms_norm(make.tensor([[0.0, 0.0]] * 3), weight=make.normal(2))
    matches_reference.rms_norm(make.tensor([[0.0, 0.0, 0.0], [1.0, 0.0, 2.0]]))
    matches_reference.rms_norm(make.normal(3, 5, scale=1e-3))
    matches_reference.rms_norm(make.normal(2, 4, scale=1e-5), weight=make.normal(4))


@points(1)
def test_eps(matches_reference, make):
    """eps is added to the mean of the squares, under the root; it can be chosen."""
    for eps in (4.0, 0.5, 0.01, 1e-5):
        matches_reference.rms_norm(make.normal(2), eps=eps)
        matches_reference.rms_norm(make.normal(3, 5, scale=0.5), eps=eps)
        matches_reference.rms_norm(make.normal(2, 3, 4), weight=make.normal(4), eps=eps)
        matches_reference.rms_norm(make.normal(2, 3, 4), eps=eps)
    matches_reference.rms_norm(make.normal(2, 3), eps=0.0)


@points(0.5)
def test_special_sizes(matches_reference, make):
    """Vectors of one entry, single vectors and equal sizes work too."""
    for shape in ((3, 3), (4, 4, 4), (1, 3), (3, 1), (1, 1, 1), (1,)):
        matches_reference.rms_norm(vectors(make, *shape))
        x = vectors(make, *shape)
        x[..., 0] *= 5
        matches_reference.rms_norm(x, weight=make.normal(shape[-1]))


@points(0.25)
@dtypes("float32", "float64")
def test_gradient_near_zero(matches_gradients, make, dtype):
    """The gradient of a vector of zeros is finite too."""
    for eps in (0.01, 0.5):
        matches_gradients.rms_norm(make.tensor([[0.0, 0.0, 0.0], [1.0, -2.0, 0.5]]), eps=eps)


def examples(ask, make):
    ask.rms_norm(vectors(make, 3))
    ask.rms_norm(vectors(make, 3), weight=make.normal(3))
    ask.rms_norm(vectors(make, 2, 3, 5))
    ask.rms_norm(vectors(make, 2, 3, 5), weight=make.normal(5))
    ask.rms_norm(vectors(make, 3, 4), weight=make.normal(4), eps=0.1)
    ask.rms_norm(vectors(make, 2, 1, 3, 2, 4), weight=make.normal(4))
    ask.rms_norm(vectors(make, 2, 5), weight=make.of("float64").normal(5))


LAWS = laws.all(
    examples, lambda ask, make, n: ask.rms_norm(vectors(make, 1, n), weight=make.normal(n)), gradient=0.5,
    memory_layout=0.25, inputs_unchanged=0.2, device=0.25, remembers_nothing=0.15,
)  # fmt: skip


@facts("rms_norm")
def seen(y, x, weight=None, eps=1e-6):
    if weight is None:
        found, due = (float(t.square().mean(-1).sqrt().max()) for t in (y, normed(x, None, eps)))
        if abs(found - due) > 0.05 * due:
            yield Text("the root mean square of a result is {found:.4g}; expected {due:.4g}").format(
                found=found, due=due
            )
        cosine = torch.nn.functional.cosine_similarity(y, x, dim=-1)
        if x.shape[-1] > 1 and bool((cosine < 0.99).any()) and bool((x.abs().amax(-1) > 0).all()):
            yield Text("the direction of a vector changes")
    wrong = ((y - normed(x, weight, eps)).abs() > 0.02 * (1 + y.abs())).any(-1).flatten()
    if bool(wrong.any()) and not bool(wrong.all()):
        places, count = wrong.nonzero().flatten().tolist(), len(wrong)
        yield Text("of {count} vectors only those at {places} are wrong").format(count=count, places=places)


def wide(x):
    """x in float32 or wider."""
    return x.to(torch.promote_types(x.dtype, torch.float32))


def normed(x, weight=None, eps=1e-6):
    h = wide(x)
    return finished(h * torch.rsqrt(mean_square(h) + eps), x, weight)


def finished(y, x, weight):
    """The result, with the weight and in the dtype of x."""
    return (y if weight is None else y * weight).to(x.dtype)


def mean_square(h):
    """The mean of the squares of each vector."""
    return h.square().mean(-1, keepdim=True)


def divided(size, numerator=lambda h: h):
    """Vectors divided by `size(h, eps)`."""

    def wrong(x, weight=None, eps=1e-6):
        h = wide(x)
        return finished(numerator(h) / size(h, eps), x, weight)

    return wrong


def rooted(square):
    """Vectors divided by the root of `square(h)` + eps."""
    return divided(lambda h, eps: (square(h) + eps).sqrt())


def weighed(change):
    """The plain result y with its weight w brought in by `change(y, w)`."""

    def wrong(x, weight=None, eps=1e-6):
        y = normed(wide(x), None, eps)
        return (y if weight is None else change(y, weight)).to(x.dtype)

    return wrong


def centred(h):
    return h - h.mean(-1, keepdim=True)


def weight_first(x, weight=None, eps=1e-6):
    return normed(wide(x) if weight is None else wide(x) * weight, None, eps).to(x.dtype)


def weight_normalised_too(x, weight=None, eps=1e-6):
    return normed(wide(x) if weight is None else normed(wide(x), weight, eps), None, eps).to(x.dtype)


def squares_in_float16(x, weight=None, eps=1e-6):
    return finished(x * torch.rsqrt(mean_square(x) + eps), x, weight)


def widened_by_weight(x, weight=None, eps=1e-6):
    y = normed(x, None, eps)
    return y if weight is None else y * weight


def not_converted_back(x, weight=None, eps=1e-6):
    return normed(wide(x), weight, eps)


def asks_for_truth(x, weight=None, eps=1e-6):
    return normed(x, weight if weight else None, eps)


def in_place(x, weight=None, eps=1e-6):
    x /= (mean_square(wide(x)) + eps).sqrt().to(x.dtype)
    return finished(x, x, weight)


def ones_on_cpu(x, weight=None, eps=1e-6):
    return normed(x, torch.ones(x.shape[-1]) if weight is None else weight, eps)


KNOWN = misconceptions(
    "rms_norm",
    layer_norm=divided(lambda h, eps: (mean_square(centred(h)) + eps).sqrt(), centred),
    layer_norm_of_torch=divided(lambda h, eps: (mean_square(centred(h)) + 1e-5).sqrt(), centred),
    mean_subtracted_before_dividing=divided(lambda h, eps: (mean_square(h) + eps).sqrt(), centred),
    standard_deviation=rooted(lambda h: mean_square(centred(h))),
    sample_deviation=divided(lambda h, eps: h.std(-1, keepdim=True) + eps),
    sum_instead_of_mean=rooted(lambda h: h.square().sum(-1, keepdim=True)),
    sample_variance=rooted(lambda h: h.var(-1, keepdim=True)),
    length_of_normalize=divided(lambda h, eps: h.norm(dim=-1, keepdim=True).clamp(min=eps)),
    divided_by_len_x=rooted(lambda h: h.square().sum(-1, keepdim=True) / len(h)),
    divided_by_one_less=rooted(lambda h: h.square().sum(-1, keepdim=True) / (h.shape[-1] - 1)),
    no_root=divided(lambda h, eps: mean_square(h) + eps),
    mean_of_magnitudes=divided(lambda h, eps: h.abs().mean(-1, keepdim=True) + eps),
    largest_magnitude=divided(lambda h, eps: h.abs().amax(-1, keepdim=True) + eps),
    square_of_mean=rooted(lambda h: h.mean(-1, keepdim=True).square()),
    multiplied=divided(lambda h, eps: (mean_square(h) + eps).rsqrt()),
    softmax_instead=divided(lambda h, eps: 1.0, lambda h: h.softmax(-1)),
    eps_outside_root=divided(lambda h, eps: mean_square(h).sqrt() + eps),
    eps_left_out=divided(lambda h, eps: mean_square(h).sqrt()),
    eps_left_out_zeros_kept=divided(lambda h, eps: mean_square(h).sqrt().masked_fill(mean_square(h) == 0, 1.0)),
    eps_1e_5_unless_told=lambda x, weight=None, eps=1e-5: normed(x, weight, eps),
    eps_before_the_mean=divided(lambda h, eps: (mean_square(h) + eps / h.shape[-1]).sqrt()),
    eps_fixed=divided(lambda h, eps: (mean_square(h) + 1e-6).sqrt()),
    eps_squared=divided(lambda h, eps: (mean_square(h) + eps**2).sqrt()),
    eps_as_least_value=divided(lambda h, eps: mean_square(h).clamp(min=eps).sqrt()),
    eps_as_least_root=divided(lambda h, eps: mean_square(h).sqrt().clamp(min=eps)),
    along_dim0=rooted(lambda h: h.square().mean(0, keepdim=True)),
    along_all_but_first=rooted(lambda h: h.square().mean(tuple(range(1, h.dim())) or 0, keepdim=True)),
    along_dim1=rooted(lambda h: h.square().mean(1, keepdim=True)),
    whole_tensor=rooted(lambda h: h.square().mean()),
    keepdim_forgotten=rooted(lambda h: h.square().mean(-1)),
    weight_ignored=weighed(lambda y, w: y),
    weight_plus_one=weighed(lambda y, w: y * (1 + w)),
    weight_divided=weighed(lambda y, w: y / w),
    weight_added=weighed(lambda y, w: y + w),
    weight_first=weight_first,
    weight_normalised_too=weight_normalised_too,
    weight_asked_for_truth=asks_for_truth,
    squares_in_float16=squares_in_float16,
    widened_by_weight=widened_by_weight,
    not_converted_back=not_converted_back,
    forces_float32=in_float32(normed),
    squeezed=lambda x, weight=None, eps=1e-6: normed(x, weight, eps).squeeze(),
    in_place=in_place,
    ones_on_cpu=ones_on_cpu,
    root_detached=divided(lambda h, eps: (mean_square(h) + eps).sqrt().detach()),
    no_gradient=detached(normed),
)
