"""Hidden suite for masked_softmax.

Not in the bank, because right: hidden scores filled with the lowest number of the dtype (or with -1e4, since visible
scores lie within +-5,000) and set to 0 afterwards; dead rows opened for softmax and closed again; a denominator clamped
from below, or with a number added that float32 cannot see (a larger one shows where one entry is visible). What softmax
itself can get wrong is in the suite of softmax; a few of those mistakes are repeated here.

A row is called dead if nothing in it is visible.
"""

import math
import warnings

import torch
from hidden.lib import masking
from hidden.lib.attention import span

from grader.suites import Text, dtypes, error_bound, expect, expect_close, facts, laws, misconceptions, points


@error_bound("masked_softmax")
def masked_softmax_bound(scores, mask, dim=-1):
    # As for softmax, over the visible entries: an exponent is off by eps (|s| + |m|) with m their maximum, the average
    # of these errors counts again through the sum, n additions cost n eps / 2, the rest a few eps. Nothing where p = 0.
    hidden = ~mask.expand(scores.shape)
    visible = scores.masked_fill(hidden, -math.inf)
    p = visible.softmax(dim).masked_fill(hidden, 0.0)
    size = scores.abs().masked_fill(hidden, 0.0)
    size = size + size.amax(dim, keepdim=True)
    return p * (size + (p * size).sum(dim, keepdim=True) + scores.shape[dim] + 8)


def dead(make, *shape, rows):
    """A mask with these rows dead."""
    return masking.with_dead_rows(make.mask(*shape), *rows)


def across(row, dim, dims):
    """The row along this one of so many dimensions."""
    return row.reshape([-1 if i == dim % dims else 1 for i in range(dims)])


@points(1.5)
def test_definition(matches_reference, make, dtype):
    """The visible entries of a row get weights in proportion to their exponentials; hidden ones get 0, however the mask
    broadcasts.
    """
    matches_reference.masked_softmax(make.normal(2, 3), make.mask(2, 3))
    masks = masking.drawn(make, 2, 3, t_q=5, t_kv=7)
    for mask in masks if dtype == torch.float32 else [make.mask(5, 7), make.mask(2, 1, 1, 7)]:
        matches_reference.masked_softmax(make.normal(2, 3, 5, 7), mask)


@points(2)
def test_dead_rows(student, matches_reference, make, dtype):
    """A row in which nothing is visible is 0 throughout, and the rows beside it are as they would be without it."""
    for shape, rows in (((2, 3), (1,)), ((5, 7), (0, 3)), ((2, 3, 5, 7), (0, 1, 2))):
        scores, mask = make.normal(*shape), dead(make, *shape, rows=rows)
        weights = student.masked_softmax(scores, mask)
        expect_close(weights[..., list(rows), :].abs().amax(), 0.0, 0.0, "a row in which nothing is visible is not 0")
        matches_reference.masked_softmax(scores, mask)
        matches_reference.masked_softmax(scores.transpose(-2, -1), mask.transpose(-2, -1), dim=-2)


@points(1)
def test_laws(student, notes_values, make):
    """Hidden entries do not affect the rest of a row: its weights sum to 1, and one more hidden entry changes none of
    them.
    """
    for shape in ((2, 3), (4, 5), (2, 3, 5)):
        scores, mask = make.normal(*shape), make.mask(*shape)
        weights = student.masked_softmax(scores, mask)
        expect_close(weights.sum(-1), 1.0, 1e-5, "the weights of a row do not sum to 1")
        expect(weights[~mask] == 0, "a hidden entry does not get exactly 0")
        longer = torch.cat([scores, scores.amax(-1, keepdim=True) + 2], -1)
        more = student.masked_softmax(longer, torch.cat([mask, torch.zeros_like(mask[..., :1])], -1))
        expect_close(more[..., :-1], weights, 1e-5, "one more hidden entry changes the weights of the others")
        notes_values.masked_softmax(scores, mask)


@points(1)
def test_scores_far_from_zero(student, matches_reference, make, dtype):
    """Scores in the thousands work too: visible ones, large or small, and hidden ones that dwarf the rest."""
    top = torch.finfo(dtype).max  # a hidden score may be any finite number
    scores = make.tensor(
        [[0.0, 4000, -4000], [-4096, 4000, -4992], [4000, 0, -4992], [-4992, -64, 64], [0, 4000, 0],
         [-4992, top, -64], [top, -4992, -top], [-top, 4992, top], [top, -top, top]]
    )  # fmt: skip
    mask = torch.tensor(
        [[1, 1, 1], [1, 0, 1], [0, 1, 1], [1, 0, 0], [1, 0, 1], [1, 0, 1], [0, 1, 0], [0, 1, 0], [0, 0, 0]]
    ).bool()
    due = torch.tensor(
        [[0, 1, 0], [1, 0, 0], [0, 1, 0], [1, 0, 0], [0.5, 0, 0.5], [0, 0, 1], [0, 1, 0], [0, 1, 0], [0, 0, 0]],
        dtype=torch.float64,
    )
    said = "the weights are wrong where visible or hidden scores are far above the rest"
    for rows in (slice(5), slice(9)):
        weights = student.masked_softmax(scores[rows], mask[rows])
        exact = dtype in (torch.float32, torch.float64)  # of these scores every right formula makes just that
        expect_close(weights, due[rows].to(weights.device), 5e-7 if exact else 1e-3, said)
        matches_reference.masked_softmax(scores[rows], mask[rows])
        matches_reference.masked_softmax(scores[rows].T.contiguous(), mask[rows].T.contiguous(), dim=0)


@points(0.75)
def test_any_dimension(matches_reference, make):
    """Rows run along the dimension dim, counted from the front or the back; so do rows in which nothing is visible."""
    for shape in ((3, 5), (4, 4), (2, 3, 5), (3, 2, 5, 4), (3,)):
        for dim in range(-len(shape), len(shape)):
            mask = make.mask(*shape).movedim(0, -1).reshape(shape)
            alive = torch.arange(shape[(dim + 1) % len(shape)]) > 0
            matches_reference.masked_softmax(make.normal(*shape), mask, dim=dim)
            matches_reference.masked_softmax(make.normal(*shape), mask & across(alive, dim + 1, len(shape)), dim=dim)
    for dim in range(3):
        matches_reference.masked_softmax(make.normal(2, 3, 5), make.mask(5), dim=dim)
        matches_reference.masked_softmax(make.normal(2, 3, 5), make.mask(3, 1), dim=dim)


@points(0.5)
def test_special_sizes(matches_reference, make):
    """Sizes of 1, square matrices, and masks that hide everything or nothing work too."""
    for shape in ((3, 3), (2, 2, 2), (1, 4), (4, 1), (1,), (1, 1)):
        scores, everything = make.normal(*shape), torch.ones(shape, dtype=torch.bool)
        matches_reference.masked_softmax(scores, everything)
        matches_reference.masked_softmax(scores, ~everything)
        matches_reference.masked_softmax(scores, ~everything, dim=0)
        matches_reference.masked_softmax(scores, make.mask(*shape))
    matches_reference.masked_softmax(make.normal(2, 3, 5), torch.ones(1, 1, dtype=torch.bool))
    matches_reference.masked_softmax(make.normal(3, 5), torch.tensor(True))
    matches_reference.masked_softmax(make.normal(3, 3), dead(make, 3, 3, rows=[1]))
    for shape in ((3, 3), (3, 1, 3), (1, 3, 3), (3, 1, 1, 3), (3, 1, 3, 3)):  # nothing tells the axes apart
        matches_reference.masked_softmax(make.normal(3, 3, 3, 3), make.mask(*shape))
    for dim in (0, 1):  # axis `dim` of the mask is another one of the scores
        matches_reference.masked_softmax(make.normal(3, 3, 3), dead(make, 3, 3, rows=[1]), dim=dim)
    for dim in (-1, -2):
        matches_reference.masked_softmax(make.normal(2, 3, 2, 4, 5), make.mask(3, 1, 4, 5) | (dim == -2), dim=dim)


@points(1.75)
@dtypes("float32", "float64")
def test_gradient_beside_dead_rows(matches_gradients, make, dtype):
    """A row in which nothing is visible sends back the gradient 0, not NaN, and does not affect the gradients of other
    rows.
    """
    for shape, rows in (((3, 7), (0,)), ((2, 5, 7), (1, 4)), ((4, 7), (0, 1, 3))):
        matches_gradients.masked_softmax(make.normal(*shape), dead(make, *shape, rows=rows))
    matches_gradients.masked_softmax(make.normal(5, 3), dead(make, 3, 5, rows=(1,)).T.contiguous(), dim=0)


def examples(ask, make):
    ask.masked_softmax(make.normal(2, 7), make.mask(2, 7))
    ask.masked_softmax(make.normal(2, 3, 5, 7), make.mask(2, 1, 5, 7))
    ask.masked_softmax(make.normal(7, 3, scale=2.0), torch.arange(21).reshape(7, 3) % 2 == 0, dim=0)
    ask.masked_softmax(make.normal(2, 1, 3, 2, 5), make.mask(3, 1, 5))


def with_dead_rows(ask, make):
    examples(ask, make)
    ask.masked_softmax(make.normal(3, 5), dead(make, 3, 5, rows=[0]))


LAWS = laws.all(
    with_dead_rows, lambda ask, make, n: ask.masked_softmax(make.normal(1, n), make.mask(1, n)),
    gradient=(0.75, examples), memory_layout=0.5, inputs_unchanged=0.45, device=0.45, remembers_nothing=0.2,
)  # fmt: skip


@facts("masked_softmax")
def seen(weights, scores, mask, dim=-1):
    mask = mask.expand(scores.shape)
    alive = mask.any(dim, keepdim=True)
    if bool((weights[~mask & alive] != 0).any()):
        yield Text("hidden entries of rows in which something is visible get weight")
    if bool((weights[~alive.expand(scores.shape)] != 0).any()):
        yield Text("rows in which nothing is visible are not 0")
    sums = weights.sum(dim, keepdim=True)[alive]
    if sums.numel() and not bool(((sums - 1).abs() < 1e-2).all()):
        said = Text("the rows in which something is visible sum to {sum} along dim {dim}, not to 1")
        yield said.format(sum=span(sums), dim=dim)
    if bool((weights < 0).any()):
        yield Text("some weights are negative")


def softmax_of_filled(scores, mask, dim=-1, fill=-math.inf):
    """The right way where every row has something visible, with places to go wrong."""
    return scores.masked_fill(~mask, fill).softmax(dim)


def right(scores, mask, dim=-1):
    return softmax_of_filled(scores, mask, dim).masked_fill(~mask, 0.0)


def filled(fill, zeroed):
    """Hidden scores replaced by `fill(scores)`; `zeroed`: hidden entries set to 0 after softmax as well."""

    def wrong(scores, mask, dim=-1):
        weights = softmax_of_filled(scores, mask, dim, fill(scores))
        return weights.masked_fill(~mask, 0.0) if zeroed else weights

    return wrong


def added(number, zeroed=False):
    """`number` added to hidden scores; `zeroed`: hidden entries set to 0 after softmax as well."""

    def wrong(scores, mask, dim=-1):
        weights = (scores + torch.zeros_like(scores).masked_fill(~mask, number)).softmax(dim)
        return weights.masked_fill(~mask, 0.0) if zeroed else weights

    return wrong


def masked(change):
    """The right way, with the mask changed."""
    return lambda scores, mask, dim=-1: right(scores, change(mask), dim)


def along(dim_of):
    """The right way along another dimension."""
    return lambda scores, mask, dim=-1: right(scores, mask, dim_of(scores, dim))


def renormalised(weights_of, sum_of):
    """`weights_of(scores, dim)`, hidden ones 0, divided by `sum_of` their sum."""

    def wrong(scores, mask, dim=-1):
        weights = weights_of(scores, dim) * mask
        return weights / sum_of(weights.sum(dim, keepdim=True))

    return wrong


def as_it_is(total):
    return total


def safe(total):
    return total.masked_fill(total == 0, 1.0)


def epsilon(total):
    return total + 1e-9


def exponentials(scores, dim):
    return scores.exp()


def shifted_exponentials(shift, added=0.0):
    """The exponentials of visible scores less `shift(visible ones, dim)`; their sum, where it is 0, becomes 1."""

    def wrong(scores, mask, dim=-1):
        visible = scores.masked_fill(~mask, -math.inf)
        e = (visible - shift(visible, dim)).exp()
        return e / safe(e.sum(dim, keepdim=True) + added)

    return wrong


def largest_visible(visible, dim):
    top = visible.amax(dim, keepdim=True)
    return top.masked_fill(top.isinf(), 0.0)


def zeros_for_all(scores, mask, dim=-1):
    weights = softmax_of_filled(scores, mask, dim)
    return torch.zeros_like(scores) if weights.isnan().any() else weights


def dead_rows_along_last(scores, mask, dim=-1):
    alive = mask.expand(scores.shape).any(-1, keepdim=True)
    weights = scores.masked_fill(~mask, -math.inf).masked_fill(~alive, 0.0).softmax(dim)
    return weights.masked_fill(~mask, 0.0)


def dead_rows_of_the_mask(scores, mask, dim=-1):
    """What is visible is asked of the mask as it came, whose axes may be fewer than those of the scores."""
    dead = ~mask.any(dim, keepdim=True)
    return scores.masked_fill(~(mask | dead), -math.inf).softmax(dim).masked_fill(~mask, 0.0)


def zeroed_by_the_mask(fill):
    """The same, where whole rows become 0 in the end."""

    def wrong(scores, mask, dim=-1):
        return softmax_of_filled(scores, mask, dim, fill).masked_fill(~mask.any(dim, keepdim=True), 0.0)

    return wrong


def softmax_ignores_dim(scores, mask, dim=-1):
    alive = mask.expand(scores.shape).any(dim, keepdim=True)
    weights = scores.masked_fill(~mask, -math.inf).masked_fill(~alive, 0.0).softmax(-1)
    return weights.masked_fill(~mask, 0.0)


def hides_in_place(scores, mask, dim=-1):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that this is not the thing to do with an expanded tensor
        scores.masked_fill_(~mask, -math.inf)
    return scores.softmax(dim).masked_fill(~mask, 0.0)


def repairs_in_place(scores, mask, dim=-1):
    weights = softmax_of_filled(scores, mask, dim)
    weights[weights.isnan()] = 0.0
    return weights


def picks_by_mask(scores, mask, dim=-1):
    weights = torch.zeros_like(scores)
    weights[mask] = right(scores, mask, dim)[mask]
    return weights


def visible_ones_together(scores, mask, dim=-1):
    weights = torch.zeros_like(scores)
    weights[mask] = scores[mask].softmax(0)
    return weights


def detached_sum(scores, mask, dim=-1):
    low = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    e = (low - low.amax(dim, keepdim=True)).exp() * mask
    return e / safe(e.sum(dim, keepdim=True)).detach()


KNOWN = misconceptions(
    "masked_softmax",
    dead_rows_nan=softmax_of_filled,
    dead_rows_nan_added=added(-math.inf),
    dead_gradient_nan=added(-math.inf, zeroed=True),
    large_finite_fill=filled(lambda scores: -1e9, False),
    lowest_fill=filled(lambda scores: torch.finfo(scores.dtype).min, False),
    dead_rows_as_if_unmasked=lambda scores, mask, dim=-1: (scores + (~mask).to(scores.dtype) * -1e9).softmax(dim),
    added_in_float32=lambda scores, mask, dim=-1: (scores + (~mask).float() * -1e9).softmax(dim),
    only_all_hidden=lambda scores, mask, dim=-1: (
        softmax_of_filled(scores, mask, dim) if mask.any() else torch.zeros_like(scores)
    ),
    fill_1e9_zeroed=filled(lambda scores: -1e9, True),
    fill_float32_lowest=filled(lambda scores: torch.finfo(torch.float32).min, True),
    added_1e9_multiplied=lambda scores, mask, dim=-1: (scores + (~mask).to(scores.dtype) * -1e9).softmax(dim) * mask,
    added_lowest=lambda scores, mask, dim=-1: added(torch.finfo(scores.dtype).min, zeroed=True)(scores, mask, dim),
    zeros_for_all=zeros_for_all,
    added_finite=added(-1e4, zeroed=True),
    infinity_times_zero=lambda scores, mask, dim=-1: (scores + (~mask).to(scores.dtype) * -math.inf).softmax(dim),
    infinity_times_zero_in_float32=lambda scores, mask, dim=-1: (scores + ~mask * -math.inf).softmax(dim),
    infinity_times_zero_zeroed=lambda scores, mask, dim=-1: (
        (scores + ~mask * -math.inf).softmax(dim).masked_fill(~mask, 0.0)
    ),
    fill_above_the_lowest=filled(lambda scores: -4900.0, False),
    fill_above_the_lowest_zeroed=filled(lambda scores: -4900.0, True),
    mask_ignored=lambda scores, mask, dim=-1: scores.softmax(dim),
    mask_inverted=masked(torch.logical_not),
    mask_inverted_lowest=lambda scores, mask, dim=-1: scores.masked_fill(mask, torch.finfo(scores.dtype).min).softmax(
        dim
    ),
    mask_inverted_nan=lambda scores, mask, dim=-1: softmax_of_filled(scores, ~mask, dim),
    mask_after_softmax=lambda scores, mask, dim=-1: scores.softmax(dim).masked_fill(~mask, 0.0),
    renormalised=renormalised(torch.softmax, as_it_is),
    renormalised_safely=renormalised(torch.softmax, safe),
    renormalised_epsilon=renormalised(torch.softmax, epsilon),
    mask_added_as_number=lambda scores, mask, dim=-1: (scores + mask).softmax(dim),
    no_maximum_subtracted=renormalised(exponentials, safe),
    no_maximum_subtracted_and_dead_rows_nan=renormalised(exponentials, as_it_is),
    no_maximum_subtracted_epsilon=renormalised(exponentials, epsilon),
    no_maximum_of_the_visible=shifted_exponentials(lambda visible, dim: 0.0),
    number_in_the_sum=shifted_exponentials(largest_visible, 1e-6),
    whole_tensor_normalised=lambda scores, mask, dim=-1: right(
        scores.flatten(), mask.expand(scores.shape).flatten(), 0
    ).reshape(scores.shape),
    visible_ones_together=visible_ones_together,
    ignores_dim=along(lambda scores, dim: -1),
    always_dim0=along(lambda scores, dim: 0),
    always_dim1=along(lambda scores, dim: 1),
    softmax_ignores_dim=softmax_ignores_dim,
    negative_dim_is_last=along(lambda scores, dim: max(dim, -1)),
    dead_rows_along_last=dead_rows_along_last,
    dead_rows_of_the_mask=dead_rows_of_the_mask,
    dead_rows_of_the_mask_nan=zeroed_by_the_mask(-math.inf),
    dead_rows_of_the_mask_filled=zeroed_by_the_mask(-1e4),
    mask_transposed=masked(lambda mask: mask.transpose(-2, -1)),
    mask_of_first_example=masked(lambda mask: mask if mask.dim() < 3 else mask[:1]),
    mask_of_first_head=masked(lambda mask: mask if mask.dim() < 4 else mask[:, :1]),
    mask_squeezed=masked(torch.squeeze),
    mask_of_full_shape=picks_by_mask,
    detached_sum=detached_sum,
    forces_float32=lambda scores, mask, dim=-1: right(scores.float(), mask, dim),
    hides_in_place=hides_in_place,
    repairs_in_place=repairs_in_place,
    no_gradient=lambda scores, mask, dim=-1: right(scores.detach(), mask, dim),
    fill_0=filled(lambda scores: 0.0, False),
    fill_0_zeroed=filled(lambda scores: 0.0, True),
    fill_too_high=filled(lambda scores: -100.0, False),
    fill_too_high_zeroed=filled(lambda scores: -100.0, True),
)
