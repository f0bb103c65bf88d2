"""Hidden suite for the soft dictionary lookup.

Not in the bank, because right: any order of summation, float32 inside, flattening the leading dimensions and putting
them back.
"""

import torch

from grader.suites import Text, error_bound, expect, expect_close, facts, laws, misconceptions, points


@error_bound("soft_lookup")
def lookup_bound(weights, values):
    # Weights and values may be taken to float32 (half an epsilon each), each product is rounded (half), the n products
    # are added one after another (n / 2), and the sum is stored (half): n / 2 + 2 epsilon of sum |w||v|, doubled.
    return (weights.shape[-1] + 4) * (weights.abs() @ values.abs())


def distribution(make, *shape):
    """Positive weights that sum to 1 over the last dimension, but for rounding to the check's dtype."""
    return make.tensor(make.normal(*shape).double().softmax(-1))


@points(1.6)
def test_definition(matches_reference, make, dtype):
    """The answer is the sum of all rows of values, each times its weight, for a single query, for several and for
    batches of them.
    """
    for lead, n, d in (
        ((), 2, 3),
        ((), 3, 1),
        ((2,), 3, 4),
        ((5,), 4, 2),
        ((2, 3), 7, 5),
        ((2, 3, 5), 4, 6),
        ((2, 1, 3, 2), 4, 3),
    ):
        matches_reference.soft_lookup(distribution(make, *lead, n), make.normal(n, d))


@points(0.8)
def test_one_entry_has_all_the_weight(student, notes_values, make):
    """A weight of 1 beside zeros gives that entry's value, as a dictionary does, and never touches the others."""
    for n, d in ((2, 3), (5, 3), (4, 6)):
        values = make.normal(n, d)
        for j in range(n):
            picked = student.soft_lookup(make.tensor([float(i == j) for i in range(n)]), values)
            said = Text("all weight is on entry {j} of {n}, but the answer is not its value").format(j=j, n=n)
            expect_close(picked, values[j], 1e-6, said)
        notes_values.soft_lookup(torch.eye(n), values)


@points(0.5)
def test_values_that_tell_entries_apart(student, notes_values, make):
    """With the rows of the identity matrix as values the answer is the weights themselves."""
    for lead, n in (((), 3), ((2,), 5), ((3, 2), 4)):
        weights = distribution(make, *lead, n)
        said = "values = identity does not give the weights back"
        expect_close(student.soft_lookup(weights, torch.eye(n)), weights, 1e-6, said)
        notes_values.soft_lookup(weights, make.normal(n, n + 1))


@points(0.5)
def test_laws(student, notes_values, make):
    """Where the weights sum to 1 every entry of the answer lies between the smallest and largest value of its column,
    and f(w, 2v + 3) = 2 f(w, v) + 3.
    """
    for lead, n, d in (((), 3, 2), ((2,), 5, 3), ((2, 3), 4, 7)):
        weights, values = distribution(make, *lead, n), make.normal(n, d)
        answer = student.soft_lookup(weights, values)
        inside = (answer >= values.amin(0) - 1e-5) & (answer <= values.amax(0) + 1e-5)
        expect(inside, "the answer leaves the range of the values")
        moved = student.soft_lookup(weights, 2 * values + 3)
        expect_close(moved, 2 * answer + 3, 1e-4, "doubling the values and adding 3 does not do the same to the answer")
        notes_values.soft_lookup(weights, values)


@points(0.8)
def test_weights_as_they_are(matches_reference, make, dtype):
    """Weights are used as they come: they may sum to anything, and be 0 or negative."""
    for lead, n, d in (((), 2, 1), ((), 3, 2), ((3,), 1, 2), ((2,), 5, 3), ((2, 4), 3, 5)):
        matches_reference.soft_lookup(make.normal(*lead, n, scale=2.0), make.normal(n, d))
        matches_reference.soft_lookup(make.mask(*lead, n).to(make.dtype) * 0.5, make.normal(n, d))
    matches_reference.soft_lookup(
        make.tensor([0.75, 0.0625, -0.0625]), make.tensor([[0.0, 1.0], [64.0, 3.0], [0.0, 8.0]])
    )


@points(0.4)
def test_special_sizes(matches_reference, make):
    """Sizes of 1 and equal sizes work too."""
    sizes = (
        ((), 3, 3), ((3,), 3, 3), ((2, 2), 2, 2), ((3, 3), 3, 3), ((1, 3), 4, 4), ((4,), 3, 1), ((1,), 1, 3),
        ((), 1, 1), ((2, 1), 3, 2),
    )  # fmt: skip
    for lead, n, d in sizes:
        matches_reference.soft_lookup(distribution(make, *lead, n), make.normal(n, d))


def several(ask, make):
    ask.soft_lookup(make.normal(5, 3), make.normal(3, 4))
    ask.soft_lookup(distribution(make, 2, 3, 5), make.normal(5, 4))
    ask.soft_lookup(distribution(make, 2, 1, 3, 2, 4), make.normal(4, 1))


def examples(ask, make):
    ask.soft_lookup(distribution(make, 3), make.normal(3, 2))
    several(ask, make)


def of_length(ask, make, n):
    ask.soft_lookup(distribution(make, 1, n), make.normal(n, 3))
    ask.soft_lookup(distribution(make, n, 3), make.normal(3, 2))
    ask.soft_lookup(distribution(make, 2, 3), make.normal(3, n))


# of device, several queries: the pretended GPU cannot follow vector @ matrix
LAWS = laws.all(
    examples, of_length, gradient=0.5, memory_layout=0.25, inputs_unchanged=0.2, device=(0.25, several), keywords=0.05
)


@facts("soft_lookup")
def seen(answer, weights, values):
    due = weights @ values
    wrong = (answer - due).abs() > 1e-3 * (1 + due.abs())
    rows = wrong.reshape(-1, wrong.shape[-1]).any(-1)
    if bool(rows.any()) and not bool(rows.all()):
        places = rows.nonzero().flatten().tolist()
        yield Text("of {rows} answers only those at {places} are wrong").format(rows=len(rows), places=places)
    scale = float((answer * due).sum() / due.square().sum().clamp_min(1e-30))
    if bool(((answer - scale * due).abs() <= 1e-3 * (1 + due.abs())).all()) and abs(scale - 1) > 1e-3:
        yield Text("the answers are the right ones times {scale:.4g}").format(scale=scale)
    shares = bool(((weights.sum(-1) - 1).abs() < 1e-3).all()) and bool((weights >= 0).all())
    outside = (answer < values.amin(0) - 1e-3) | (answer > values.amax(0) + 1e-3)
    if shares and bool(outside.any()):
        yield Text("an answer lies outside the range of the values")


def weighted(weights, values):
    """[..., n, d]: every value times its weight."""
    return weights.unsqueeze(-1) * values


def normalised(weights):
    return weights / weights.sum(-1, keepdim=True)


def rows(weights):
    """All rows of weights in one dimension."""
    return weights.reshape(-1, weights.shape[-1])


def only_the_best(weights, values):
    best = weights.max(-1, keepdim=True)
    return best.values * values[best.indices.squeeze(-1)]


def normalised_in_place(weights, values):
    weights /= weights.sum(-1, keepdim=True)
    return weights @ values


def weighed_in_place(weights, values):
    if weights.dim() > 1:
        return weights @ values
    values *= weights[:, None]
    return values.sum(0)


def weights_viewed(weights, values):
    return (weights.view(-1, weights.shape[-1]) @ values).view(*weights.shape[:-1], values.shape[-1])


KNOWN = misconceptions(
    "soft_lookup",
    hard_lookup=lambda weights, values: values[weights.argmax(-1)],
    only_the_best=only_the_best,
    plain_average=lambda weights, values: (
        values.mean(0).expand(*weights.shape[:-1], -1) + 0 * weights.sum(-1, keepdim=True)
    ),
    mean_instead_of_sum=lambda weights, values: weighted(weights, values).mean(-2),
    max_instead_of_sum=lambda weights, values: weighted(weights, values).amax(-2),
    normalised_again=lambda weights, values: normalised(weights) @ values,
    softmax_again=lambda weights, values: weights.softmax(-1) @ values,
    negative_weights_dropped=lambda weights, values: weights.clamp(min=0) @ values,
    small_weights_dropped=lambda weights, values: weights.where(weights > 0.1, 0) @ values,
    values_of_length_1=lambda weights, values: weights @ torch.nn.functional.normalize(values, dim=-1),
    values_transposed=lambda weights, values: weights @ values.T,
    factors_exchanged=lambda weights, values: values @ weights,
    transposed_times_weights=lambda weights, values: values.T @ weights,
    through_columns=lambda weights, values: (values.T @ weights.permute(*range(weights.dim())[::-1])).permute(
        *range(weights.dim())[::-1]
    ),
    not_summed=weighted,
    summed_over_columns=lambda weights, values: weighted(weights, values).sum(-1),
    summed_over_axis_0=lambda weights, values: weighted(weights, values).sum(0),
    summed_over_axis_1=lambda weights, values: weighted(weights, values).sum(1),
    weight_of_all=lambda weights, values: weights.sum(-1, keepdim=True) * values.sum(0),
    last_entry_left_out=lambda weights, values: weights[..., :-1] @ values[:-1],
    first_entry_only=lambda weights, values: weights[..., :1] @ values[:1],
    last_entry_only=lambda weights, values: weights[..., -1:] @ values[-1:],
    multiplied_entry_by_entry=lambda weights, values: weights * values,
    first_entry_twice=lambda weights, values: weights @ values + weights[..., :1] * values[0],
    absolute_weights=lambda weights, values: weights.abs() @ values,
    first_column_only=lambda weights, values: weights @ values[:, :1],
    one_answer_for_all=lambda weights, values: rows(weights).sum(0) @ values,
    first_query_only=lambda weights, values: rows(weights)[0] @ values,
    one_query_only=lambda weights, values: sum(weights[j] * values[j] for j in range(len(values))),
    flattened=lambda weights, values: rows(weights) @ values,
    one_row_kept=lambda weights, values: torch.atleast_2d(weights) @ values,
    matrices_only=lambda weights, values: torch.mm(weights, values),
    up_to_matrices=lambda weights, values: (
        weights @ values if weights.dim() == 1 else torch.einsum("bn,nd->bd", weights, values)
    ),
    up_to_batches=lambda weights, values: (
        weights @ values if weights.dim() < 3 else torch.bmm(weights, values.expand(len(weights), -1, -1))
    ),
    weights_viewed=weights_viewed,
    squeezed=lambda weights, values: (weights @ values).squeeze(),
    values_reversed=lambda weights, values: weights @ values.flip(0),
    forces_float32=lambda weights, values: weights.float() @ values.float(),
    normalised_in_place=normalised_in_place,
    weighed_in_place=weighed_in_place,
    weights_detached=lambda weights, values: weights.detach() @ values,
    values_detached=lambda weights, values: weights @ values.detach(),
    no_gradient=lambda weights, values: weights.detach() @ values.detach(),
)
