"""Hidden suite for softmax.

Not in the bank, because right by the rules: clamping the denominator from below (it is at least 1), any shift that
keeps every row near 0 (the maximum, the logarithm of the sum), float32 inside.
"""

import math

import torch
from hidden.lib.attention import span

from grader.suites import Text, dtypes, error_bound, expect, expect_close, facts, laws, misconceptions, points


@error_bound("softmax")
def softmax_bound(x, dim=-1):
    # p = e^(x - m) / sum: an error d in an exponent changes p by p * d. Exponents are rounded when float64 input goes
    # through float32 (eps |x| / 2) and as x - m, or x - log(sum) with log(sum) <= m + log(n): eps (|x| + |m|) in all.
    # The exponents of the sum do the same to it, averaged with weights p. Adding n terms one after another costs
    # n eps / 2; the exponentials, the logarithm and the division a few eps more.
    p = torch.softmax(x, dim)
    size = x.abs().masked_fill(x.isinf(), 0.0) + x.amax(dim, keepdim=True).abs()
    return p * (size + (p * size).sum(dim, keepdim=True) + x.shape[dim] + 8)


@points(2)
def test_definition(matches_reference, make, dtype):
    """Every entry is exp(x_i) divided by the sum of exp(x_j) over its row, the last dimension unless told otherwise."""
    for shape in ((5,), (2, 3), (3, 3), (2, 3, 4, 5), (1,)):
        matches_reference.softmax(make.normal(*shape))


@points(1)
def test_any_dimension(matches_reference, make):
    """The dimension given by dim is the one that is normalised, counted from the front or from the back."""
    for shape in ((5,), (3, 5), (3, 3), (3, 2, 5, 4), (2, 1), (2, 3, 1, 2, 4)):
        for dim in range(-len(shape), len(shape)):
            matches_reference.softmax(make.normal(*shape, scale=2.0), dim=dim)


@points(0.5)
def test_laws(student, notes_values, make):
    """The entries of a row sum to 1, and adding one number to a whole row changes nothing."""
    for shape, dim in (((5,), 0), ((4, 3), 0), ((2, 5, 3), 1)):
        x = make.normal(*shape)
        p = student.softmax(x, dim=dim)
        expect_close(p.sum(dim), 1.0, 1e-5, "the entries along dim do not sum to 1")
        expect(p >= 0, "an entry is negative")
        moved = student.softmax(x + 3.0, dim=dim)
        expect_close(moved, p, 1e-5, "adding 3 to every entry changes the result")
        notes_values.softmax(x.clamp(-2, 2) * 4, dim=dim)


@points(1.8)
def test_large_logits(student, matches_reference, make, dtype):
    """Logits far from 0, positive or negative, neither overflow nor vanish, and rows do not disturb each other."""
    exact = dtype in (torch.float32, torch.float64)
    if exact:
        matches_reference.softmax(make.tensor([1e4, 1e4 - 1, 1e4 - 2]))
    for top in (1000.0, -1000.0):  # one entry far above the others: exact in every dtype
        x = make.tensor([[top - 512, top, top - 1024], [64.0, -64.0, 0.0], [0.0, -1024.0, 2048.0]])
        one_hot = (x == x.amax(1, keepdim=True)).double()
        said = "a row with one logit far above the rest is not 1 there and 0 elsewhere"
        expect_close(student.softmax(x), one_hot, 1e-3, said)
        expect_close(student.softmax(x.T.contiguous(), dim=0), one_hot.T, 1e-3, said)
    matches_reference.softmax(make.tensor([-1e4, -math.inf, -1e4]))  # no number that stands for -inf is far below these
    matches_reference.softmax(make.normal(2, 5))
    matches_reference.softmax(make.normal(2, 4, 3), dim=-2)
    if exact:
        matches_reference.softmax(make.tensor([[0.0, 1, 2], [1000, 1001, 1002], [-1e4, 1 - 1e4, 2 - 1e4]]))
        matches_reference.softmax(make.normal(3, 5, scale=30.0), dim=0)


@points(1)
@dtypes("float16", "float32")
def test_minus_infinity(matches_reference, make, dtype):
    """A logit of -inf gets exactly 0, and the others share the row as if it were not there."""
    hidden = -math.inf
    for row in ([0.5, hidden], [hidden, -2.0, hidden], [hidden, 1.0, 0.25, hidden, -1.5]):
        x = make.tensor(row)
        for logits, dim in ((x, -1), (x[:, None].repeat(1, 2), 0)):
            p = matches_reference.softmax(logits, dim=dim)
            expect(p[logits == hidden] == 0, "a logit of -inf does not get exactly 0")


@points(0.4)
@dtypes("float32", "float64")
def test_no_competitor(student, matches_reference, make, dtype):
    """An entry that is alone in its row, or far above the rest, gets exactly 1."""
    for row in ([3.0], [0.0, -200.0], [-200.0, 0.0, -300.0]):
        p = student.softmax(make.tensor(row))
        expect_close(p.amax(), 1.0, 2 * torch.finfo(dtype).eps, "an entry without a competitor does not get 1")
        matches_reference.softmax(make.tensor(row))


@points(0.4)
@dtypes("float32", "float64")
def test_equal_logits(student, matches_reference, make, dtype):
    """n equal logits get exactly 1/n each, because nothing else is added to their sum."""
    for n in (2, 3, 5, 7):
        p = student.softmax(make.tensor([0.0] * n))
        detour = bool((p.float() == p).all())  # float32 inside is honest; what float32 cannot hold did not come from it
        epsilon = torch.finfo(torch.float32 if detour else dtype).eps
        expect_close(p, 1 / n, 16 / n * epsilon, "{n} equal logits do not get 1/{n} each", n=n)
        matches_reference.softmax(make.normal(n))
    matches_reference.softmax(make.tensor([[0.5] * 3] * 2))


def examples(ask, make):
    ask.softmax(make.normal(5))
    ask.softmax(make.normal(3, 5), dim=0)
    ask.softmax(make.normal(2, 4, 3, scale=2.0))
    ask.softmax(make.normal(2, 3, 1, 2, 4), dim=1)


def with_minus_infinity(ask, make):
    examples(ask, make)
    ask.softmax(make.tensor([0.5, -math.inf, -1.5]))


test_gradient = laws.gradient(1, with_minus_infinity)
test_memory_layout = laws.memory_layout(0.5, examples)
test_input_unchanged = laws.inputs_unchanged(0.5, examples)
LAWS = laws.all(
    examples, lambda ask, make, n: ask.softmax(make.normal(1, n)), device=0.5, remembers_nothing=0.2, lengths=0.1
)


@facts("softmax")
def seen(y, x, dim=-1):
    sums = y.sum(dim)
    if not bool(((sums - 1).abs() < 1e-3).all()):
        yield Text("the sums along dim {dim} are {sum}, not 1").format(dim=dim, sum=span(sums))
        for other in range(x.dim()):
            if other != dim % x.dim() and bool(((y.sum(other) - 1).abs() < 1e-3).all()):
                yield Text("they are 1 along dim {other}").format(other=other)
    if bool((y[x == -math.inf] != 0).any()):
        yield Text("a logit of -inf has weight")
    if bool((y < 0).any()):
        yield Text("{y} entries are negative").format(y=int((y < 0).sum()))
    if x.shape[dim] > 1 and not bool((y.argmax(dim) == x.argmax(dim)).all()):
        yield Text("the largest entry is not where the largest input is")


def shifted(x, dim, shift):
    """Softmax whose exponentials are taken of x - shift, with one place to go wrong."""
    e = (x - shift).exp()
    return e / e.sum(dim, keepdim=True)


def detached_total(x, dim=-1):
    e = (x - largest(x, dim).detach()).exp()
    return e / e.sum(dim, keepdim=True).detach()


def rows_viewed(x, dim=-1):
    y = x.transpose(dim, -1)
    return torch.softmax(y.view(-1, y.shape[-1]), -1).view(y.shape).transpose(dim, -1)


def linear(x, dim):
    return x / x.sum(dim, keepdim=True)


def largest(x, dim):
    return x.amax(dim, keepdim=True)


def exponentials(x, dim=-1):
    return (x - largest(x, dim)).exp()


def subtracts_in_place(x, dim=-1):
    x -= largest(x, dim)
    return torch.softmax(x, dim)


def standardised(x, dim=-1):
    spread = x.std(dim, keepdim=True) if x.shape[dim] > 1 else torch.nan  # of a single entry torch warns
    return torch.softmax((x - x.mean(dim, keepdim=True)) / (spread + 1e-6), dim)


KNOWN = misconceptions(
    "softmax",
    no_max_subtraction=lambda x, dim=-1: shifted(x, dim, 0),
    global_max=lambda x, dim=-1: shifted(x, dim, x.max()),
    max_over_wrong_dim=lambda x, dim=-1: shifted(x, dim, largest(x, 0 if dim % x.dim() else x.dim() - 1)),
    max_over_last_dim=lambda x, dim=-1: shifted(x, dim, largest(x, -1)),
    softmax_twice=lambda x, dim=-1: torch.softmax(torch.softmax(x, dim), dim),
    ignores_dim=lambda x, dim=-1: torch.softmax(x, -1),
    always_dim0=lambda x, dim=-1: torch.softmax(x, 0),
    always_dim1=lambda x, dim=-1: torch.softmax(x, min(1, x.dim() - 1)),
    softmin=lambda x, dim=-1: torch.softmax(-x, dim),
    maximum_minus_logits=lambda x, dim=-1: linear((largest(x, dim) - x).exp(), dim),
    linear_above_minimum=lambda x, dim=-1: linear(x - x.amin(dim, keepdim=True), dim),
    euclidean_norm=lambda x, dim=-1: exponentials(x, dim) / exponentials(x, dim).norm(dim=dim, keepdim=True),
    minus_one_is_1=lambda x, dim=-1: torch.softmax(x, 1 if dim == -1 else dim),
    slices_of_the_first=lambda x, dim=-1: torch.stack([torch.softmax(row.flatten(), 0).view_as(row) for row in x]),
    transposed_not_back=lambda x, dim=-1: torch.softmax(x.transpose(dim, -1), -1),
    rows_viewed=rows_viewed,
    global_normaliser_own_max=lambda x, dim=-1: exponentials(x, dim) / exponentials(x, dim).sum(),
    maximum_keepdim_forgotten=lambda x, dim=-1: shifted(x, dim, x.amax(dim)),
    unsqueezed_at_the_end=lambda x, dim=-1: shifted(x, dim, x.amax(dim).unsqueeze(-1)),
    maximum_is_a_pair=lambda x, dim=-1: shifted(x, dim, torch.max(x, dim=dim, keepdim=True)),
    squeezed=lambda x, dim=-1: torch.softmax(x, dim).squeeze(),
    global_normaliser=lambda x, dim=-1: (x - x.max()).exp() / (x - x.max()).exp().sum(),
    keepdim_forgotten=lambda x, dim=-1: exponentials(x, dim) / exponentials(x, dim).sum(dim),
    keepdim_and_maximum_forgotten=lambda x, dim=-1: x.exp() / x.exp().sum(dim),
    denominator_unshifted=lambda x, dim=-1: exponentials(x, dim) / x.exp().sum(dim, keepdim=True),
    log_softmax=lambda x, dim=-1: torch.log_softmax(x, dim),
    not_normalised=exponentials,
    linear_normalise=lambda x, dim=-1: linear(x, dim),
    abs_l1=lambda x, dim=-1: x.abs() / x.abs().sum(dim, keepdim=True),
    base2=lambda x, dim=-1: torch.softmax(x * math.log(2), dim),
    sigmoid=lambda x, dim=-1: torch.sigmoid(x),
    scaled_sqrt_n=lambda x, dim=-1: torch.softmax(x / x.shape[dim] ** 0.5, dim),
    hardmax=lambda x, dim=-1: (x == largest(x, dim)).to(x.dtype),
    eps_in_denominator=lambda x, dim=-1: exponentials(x, dim) / (exponentials(x, dim).sum(dim, keepdim=True) + 1e-9),
    eps_in_exponentials=lambda x, dim=-1: linear(exponentials(x, dim) + 1e-6, dim),
    zero_taken_for_none=lambda x, dim=-1: torch.softmax(x, dim or -1),
    divided_by_maximum=lambda x, dim=-1: linear((x / largest(x, dim)).exp(), dim),
    divided_by_largest=lambda x, dim=-1: torch.softmax(x / x.abs().amax(dim, keepdim=True), dim),
    sigmoid_normalised=lambda x, dim=-1: linear(x.sigmoid(), dim),
    standardised=standardised,
    infinity_made_finite=lambda x, dim=-1: torch.softmax(torch.where(x.isinf(), -10.0, x), dim),
    infinity_made_1e4=lambda x, dim=-1: torch.softmax(torch.where(x.isinf(), -1e4, x), dim),
    sum_unsqueezed_at_the_end=lambda x, dim=-1: exponentials(x, dim) / exponentials(x, dim).sum(dim).unsqueeze(-1),
    divided_by_mean=lambda x, dim=-1: exponentials(x, dim) / exponentials(x, dim).mean(dim, keepdim=True),
    forces_float32=lambda x, dim=-1: torch.softmax(x.float(), dim),
    inplace_mutation=subtracts_in_place,
    min_instead_of_max=lambda x, dim=-1: shifted(x, dim, x.amin(dim, keepdim=True)),
    largest_absolute_value=lambda x, dim=-1: shifted(x, dim, x.abs().amax(dim, keepdim=True)),
    mean_subtraction=lambda x, dim=-1: shifted(x, dim, x.mean(dim, keepdim=True)),
    clamped_logits=lambda x, dim=-1: torch.softmax(x.clamp(-10, 10), dim),
    nan_replaced=lambda x, dim=-1: shifted(x, dim, 0).nan_to_num(0.0),
    nan_made_1=lambda x, dim=-1: shifted(x, dim, 0).nan_to_num(1.0),
    rmsnorm_instead=lambda x, dim=-1: x / x.pow(2).mean(dim, keepdim=True).sqrt(),
    clamped_above=lambda x, dim=-1: shifted(x.clamp(max=80), dim, 0),
    detached_total=detached_total,
    detached_sum=lambda x, dim=-1: exponentials(x, dim) / exponentials(x, dim).sum(dim, keepdim=True).detach(),
    no_gradient=lambda x, dim=-1: torch.softmax(x.detach(), dim),
)
