"""Hidden suite for softmax in parts.

Not in the bank, because right: powers of 2 with scores times log2(e), and keeping l as it is while m is detached.
Gradients are asked of what does not depend on how the maximum is treated: from o to the values and to o, from l to l.
"""

import math

import torch
from hidden.lib.arguments import in_float32

from grader.suites import Text, dtypes, error_bound, expect, expect_close, facts, laws, misconceptions, points


def size(m):
    """|m|, and 0 for -inf, which no rounding touches."""
    return m.abs().masked_fill(m.isinf(), 0.0)


def finite(m):
    """m with 0 in place of -inf."""
    return m.masked_fill(m == -math.inf, 0.0)


@error_bound("softmax_part")
def part_bound(scores, v):
    # m is one of the scores, at most taken to float32: |m| / 2. An exponent is off by |score| / 2 + |m| / 2 (the shift
    # is rounded, or both are taken to float32), taken twice; the exponential, n additions, and a product for o.
    m = scores.amax(-1)
    factors = (scores - finite(m).unsqueeze(-1)).exp()
    units = factors * (size(scores) + size(m).unsqueeze(-1) + scores.shape[-1] + 4)
    return size(m), units.sum(-1), (units + 2 * factors) @ v.abs()


@error_bound("merge_softmax")
def merge_bound(one, other):
    # A factor's exponent is off by |m1| / 2 + |m| / 2, taken twice; the exponential, a product, a sum.
    m = torch.maximum(one[0], other[0])
    units = [(part[0] - finite(m)).exp() * (size(part[0]) + size(m) + 4) for part in (one, other)]
    sums = [sum(u * p[1].abs() for u, p in zip(units, (one, other), strict=True))]
    outputs = sum(u.unsqueeze(-1) * p[2].abs() for u, p in zip(units, (one, other), strict=True))
    return size(m), *sums, outputs


def scores_and_values(make, *lead, t=3, n=5, dv=4, scale=2.0):
    """Random scores and values with these leading dimensions."""
    return make.normal(*lead, t, n, scale=scale), make.normal(*lead, n, dv)


def a_part(make, *lead, hidden_row=None, **sizes):
    """A random part, maybe with a row in which everything is hidden."""
    scores, v = scores_and_values(make, *lead, **sizes)
    if hidden_row is not None:
        scores[..., hidden_row, :] = -math.inf
    return part_with()(scores, v)


def empty(make, *lead, t=3, dv=4):
    """The part of keys that are all hidden."""
    return make.tensor(torch.full((*lead, t), -math.inf)), *(
        make.tensor(torch.zeros(s)) for s in ((*lead, t), (*lead, t, dv))
    )


@points(1.5)
def test_part(matches_reference, make, dtype):
    """m is the largest score of each query, l the sum of e^(score - m), o the sum of the values times these factors."""
    matches_reference.softmax_part(*scores_and_values(make))
    matches_reference.softmax_part(*scores_and_values(make, t=1, n=2, dv=1))
    matches_reference.softmax_part(*scores_and_values(make, 2, 3, t=4, n=7, dv=5))


@points(0.4)
def test_hidden_keys(matches_reference, make, dtype):
    """A hidden key (-inf) counts for nothing, and a row of hidden keys gives -inf, 0 and 0."""
    for lead in ((), (2,)):
        scores, v = scores_and_values(make, *lead, t=4, n=5)
        mask = make.mask(*lead, 4, 5)
        mask[..., 2, :] = False
        matches_reference.softmax_part(scores.masked_fill(~mask, -math.inf), v)


@points(0.4)
def test_nothing_visible(matches_reference, make):
    """A part without a single visible key is (-inf, 0, 0) everywhere, with no NaN."""
    for shape in ((1, 1), (2, 3), (2, 4, 3)):
        matches_reference.softmax_part(
            make.tensor(torch.full(shape, -math.inf)), make.normal(*shape[:-2], shape[-1], 2)
        )


@points(1.9)
def test_merge(matches_reference, make, dtype):
    """Both parts are brought to the larger m: l and o are each multiplied by e^(own m - larger m), then added."""
    for lead, sizes in (((), {}), ((), {"t": 1, "dv": 2}), ((2,), {"t": 4, "dv": 3}), ((2, 3), {"t": 5})):
        matches_reference.merge_softmax(a_part(make, *lead, **sizes), a_part(make, *lead, n=2, **sizes))


@points(1.2)
def test_merge_with_nothing(matches_reference, make, dtype):
    """A part in which everything is hidden changes nothing, on either side; two such parts give one more of them,
    without NaN.
    """
    for lead in ((), (2,)):
        part = a_part(make, *lead)
        matches_reference.merge_softmax(part, empty(make, *lead))
        matches_reference.merge_softmax(empty(make, *lead), part)
        matches_reference.merge_softmax(empty(make, *lead), empty(make, *lead))
        matches_reference.merge_softmax(*(a_part(make, *lead, hidden_row=row) for row in (1, 1)))
        matches_reference.merge_softmax(*(a_part(make, *lead, hidden_row=row) for row in (0, 2)))


@points(1)
@dtypes("bfloat16", "float32", "float64")
def test_large_scores(student, matches_reference, make, dtype):
    """Scores of 10,000 and -10,000 work too, whichever part holds the larger ones."""
    v = make.normal(2, 3)
    parts = [student.softmax_part(make.tensor([row]), v) for row in ([9984.0, 0.0], [-9984.0, -9984.0], [3.0, 2.0])]
    for one in parts:
        for other in parts:
            m, s, o = student.merge_softmax(one, other)
            sound = m.isfinite() & s.isfinite() & o.isfinite().all(-1)
            expect(sound, "a merged part is not finite")
            expect(s >= 1, "l is below 1, although the largest score adds 1 to it")
    high = make.tensor([9984.0]), make.tensor([1.0]), make.tensor([[1.0, 2.0]])
    low = make.tensor([-9984.0]), make.tensor([2.0]), make.tensor([[5.0, 7.0]])
    for one, other in ((high, low), (low, high), (high, high), (low, low)):
        matches_reference.merge_softmax(one, other)
    matches_reference.softmax_part(make.tensor([[9984.0, -9984.0, 9984.0]]), make.normal(3, 2))


@points(1.2)
def test_order_and_grouping(student, notes_values, make):
    """Parts may be merged in any order and grouping; the result is that of all keys at once."""
    scores, v = scores_and_values(make, 2, n=6)
    whole = notes_values.softmax_part(scores, v)
    pieces = zip(scores.split([1, 3, 2], -1), v.split([1, 3, 2], -2), strict=True)
    a, b, c = (student.softmax_part(s.contiguous(), w) for s, w in pieces)
    merge = student.merge_softmax
    ways = (merge(merge(a, b), c), merge(a, merge(b, c)), merge(merge(c, a), b))
    for way in ways:
        for got, due, name in zip(way, whole, "mlo", strict=True):
            expect_close(got, due, 1e-4, "{name} of merged parts is not that of all keys at once", name=name)
    notes_values.merge_softmax(a, b)


@points(0.6)
def test_output(student, notes_values, make):
    """After merging, o / l is what attention over all keys puts out."""
    for n, t in ((2, 1), (4, 3), (7, 2), (3, 8)):
        scores, v = scores_and_values(make, t=t, n=n)
        parts = [student.softmax_part(scores[:, part].contiguous(), v[part]) for part in (slice(1, None), slice(0, 1))]
        _, total, output = student.merge_softmax(*parts)
        expect_close(output / total.unsqueeze(-1), scores.softmax(-1) @ v, 1e-4, "o / l is not the output of attention")
        notes_values.merge_softmax(*parts)


@points(0.4)
def test_special_sizes(matches_reference, make):
    """Single keys and queries, equal sizes and equal maxima work too."""
    matches_reference.softmax_part(*scores_and_values(make, t=1, n=1, dv=1))
    matches_reference.softmax_part(*scores_and_values(make, 3, t=3, n=3, dv=3))
    matches_reference.softmax_part(*scores_and_values(make, 2, 1, 3))
    for lead, t, dv in (((), 1, 1), ((), 3, 3), ((3,), 3, 3), ((4, 4), 4, 4), ((2, 1, 3), 2, 2)):
        one, other = (a_part(make, *lead, t=t, dv=dv) for _ in range(2))
        matches_reference.merge_softmax(one, other)
        matches_reference.merge_softmax(one, (one[0], *other[1:]))


def examples(ask, make):
    for lead in ((), (1,), (2,), (2, 1, 3)):
        ask.softmax_part(*scores_and_values(make, *lead))
        ask.merge_softmax(a_part(make, *lead), a_part(make, *lead, n=2))
    ask.merge_softmax(a_part(make, 2), empty(make, 2))


def flows(ask, make):
    for lead in ((), (1,), (2,)):
        ask.of(2).wrt("v").softmax_part(*scores_and_values(make, *lead))
        one, other = a_part(make, *lead), a_part(make, *lead)
        ask.of(2).wrt("one[2]", "other[2]").merge_softmax(one, other)
        ask.of(1).wrt("one[1]", "other[1]").merge_softmax(one, other)
    ask.of(2).wrt("one[2]").merge_softmax(one, empty(make, 2))


@points(0.15)
@dtypes("float32", "float64")
def test_gradient_where_nothing_is_visible(matches_gradients, make, dtype):
    """Gradients are finite too where everything is hidden, in one part or in both."""
    scores, v = scores_and_values(make)
    matches_gradients.of(2).wrt("v").softmax_part(scores.index_fill(0, torch.tensor(1), -math.inf), v)
    hidden = [a_part(make, hidden_row=row) for row in (1, 1)]
    matches_gradients.finite().of(2).wrt("one[2]", "other[2]").merge_softmax(*hidden)
    matches_gradients.finite().of(1).wrt("one[1]", "other[1]").merge_softmax(*hidden)


def of_length(ask, make, n):
    ask.softmax_part(*scores_and_values(make, t=3, n=n, dv=2))
    ask.softmax_part(*scores_and_values(make, t=n, n=3, dv=2))
    ask.merge_softmax(a_part(make, t=n, dv=2), a_part(make, t=n, dv=2))


LAWS = laws.all(
    examples, gradient=(0.35, flows), inputs_unchanged=0.2, memory_layout=0.2, device=0.25,
    lengths=(0.05, of_length, 17, 65, 129),
)  # fmt: skip


def which(found, due):
    """Which of m, l and o are right, and where NaN is."""
    right = [torch.allclose(a, b, atol=1e-3, rtol=1e-3) for a, b in zip(found, due, strict=True)]
    if any(right):
        good, bad = (", ".join(n for n, r in zip("mlo", right, strict=True) if r is want) for want in (True, False))
        yield Text("right: {good}; wrong: {bad}").format(good=good, bad=bad)
    nan = [name for name, t in zip("mlo", found, strict=True) if bool(t.isnan().any())]
    if nan:
        names = ", ".join(nan)
        yield Text("there is NaN in {names}").format(names=names)
    for name, a, b in zip("lo", found[1:], due[1:], strict=True):
        factor = float((a * b).sum() / b.square().sum()) if bool(b.any()) else 1.0
        if abs(factor - 1) > 1e-3 and torch.allclose(a, factor * b, atol=1e-3):
            yield Text("{name} is {factor:.4g} times the right one").format(name=name, factor=factor)


@facts("softmax_part")
def seen_in_part(found, scores, v):
    yield from which(found, part_with()(scores, v))


@facts("merge_softmax")
def seen_in_merged(found, one, other):
    yield from which(found, merged()(one, other))
    for name, part in (("first", one), ("second", other)):
        if all(torch.allclose(a, b, atol=1e-3) for a, b in zip(found[1:], part[1:], strict=True)):
            yield Text("l and o are those of the {name} part").format(name=Text(name))


def part_with(
    shift=lambda m: finite(m), top=lambda scores: scores.amax(-1), last=lambda m, s, o: (m, s, o), exp=torch.exp,
    mixed=lambda factors, v: factors @ v,
):  # fmt: skip
    """softmax_part with places to go wrong."""

    def softmax_part(scores, v):
        m = top(scores)
        factors = exp(scores - shift(m).unsqueeze(-1))
        return last(m, factors.sum(-1), mixed(factors, v))

    return softmax_part


def right(own, m):
    """e^(own m - larger m), for l and for o."""
    return [(own - finite(m)).exp()] * 2


def merged(factor=right, top=torch.maximum, last=lambda m, s, o: (m, s, o), second=None):
    """merge_softmax with these factors of l and of o."""

    def merge_softmax(one, other):
        m = top(one[0], other[0])
        (la, oa), (lb, ob) = factor(one[0], m), (second or factor)(other[0], m)
        return last(m, la * one[1] + lb * other[1], oa.unsqueeze(-1) * one[2] + ob.unsqueeze(-1) * other[2])

    return merge_softmax


def counts_hidden_rows(scores, v):
    return part_with()(scores.clamp(min=torch.finfo(scores.dtype).min), v)


def values_not_weighted(scores, v):
    m, s, o = part_with()(scores, v)
    return m, s, v.sum(-2, keepdim=True).expand(o.shape).clone()


def scores_changed(scores, v):
    m = scores.amax(-1)
    scores -= finite(m).unsqueeze(-1)
    return m, scores.exp().sum(-1), scores.exp() @ v


def winner_takes_all(one, other):
    first = one[0] >= other[0]
    parts = zip(one[1:], other[1:], (first, first.unsqueeze(-1)), strict=True)
    return torch.maximum(one[0], other[0]), *(torch.where(f, a, b) for a, b, f in parts)


def outputs_expected(one, other):
    m, s, _ = merged()(one, other)
    a, b = right(one[0], m)[0] * one[1], right(other[0], m)[0] * other[1]
    return m, s, (a.unsqueeze(-1) * one[2] + b.unsqueeze(-1) * other[2]) / s.unsqueeze(-1)


def factors_on_wrong_axis(one, other):
    m = torch.maximum(one[0], other[0])
    a, b = (right(part[0], m)[0] for part in (one, other))
    return m, a * one[1] + b * other[1], a * one[2] + b * other[2]


def overwritten(first):
    """The first part is changed in place, from m, l or o on."""

    def merge_softmax(one, other):
        result = merged()(one, other)
        for old, new in list(zip(one, result, strict=True))[first:]:
            old.copy_(new)
        return result

    return merge_softmax


def hidden_parts_only(one, other):
    """Parts that are hidden altogether are left out, single rows are not."""
    if bool(one[0].isinf().all()):
        return other
    return one if bool(other[0].isinf().all()) else merged(unguarded)(one, other)


def left_out_if_hidden_anywhere(one, other):
    return other if bool(one[0].isinf().any()) else merged()(one, other)


def unguarded(own, m):
    return [(own - m).exp()] * 2


def factors_exchanged(one, other):
    m = torch.maximum(one[0], other[0])
    (la, oa), (lb, ob) = right(other[0], m), right(one[0], m)
    return m, la * one[1] + lb * other[1], oa.unsqueeze(-1) * one[2] + ob.unsqueeze(-1) * other[2]


def everywhere(top):
    """One maximum for all queries."""
    return top.amax().expand(top.shape).clone()


def sums_detached(one, other):
    return merged()((one[0], one[1].detach(), one[2]), (other[0], other[1].detach(), other[2]))


def summed(factors, v):
    return factors.sum(-1), factors @ v


OF_PARTS = misconceptions(
    "softmax_part",
    no_shift=part_with(shift=torch.zeros_like),
    weights_for_exponentials=lambda scores, v: part_with()(scores, v)[:1] + summed(scores.softmax(-1), v),
    eps_in_the_sum=part_with(last=lambda m, s, o: (m, s + 1e-5, o)),
    part_normalised=part_with(last=lambda m, s, o: (m, s, o / s.unsqueeze(-1))),
    part_normalised_without_nan=part_with(last=lambda m, s, o: (m, s, (o / s.unsqueeze(-1)).nan_to_num())),
    one_maximum_for_all=part_with(top=lambda scores: everywhere(scores.amax(-1))),
    one_maximum_for_all_nan=part_with(top=lambda scores: everywhere(scores.amax(-1)), shift=lambda m: m),
    maximum_over_queries=part_with(top=lambda scores: scores.amax(-2)),
    hidden_row_nan=part_with(shift=lambda m: m),
    hidden_row_gradient_nan=part_with(shift=lambda m: m, last=lambda m, s, o: (m, s.nan_to_num(), o.nan_to_num())),
    hidden_row_counts=counts_hidden_rows,
    hidden_row_of_ones=part_with(shift=lambda m: m, exp=lambda x: x.exp().nan_to_num(1.0)),
    hidden_maximum_0=part_with(last=lambda m, s, o: (finite(m), s, o)),
    hidden_maximum_low=part_with(last=lambda m, s, o: (m.masked_fill(m.isinf(), -1e9), s, o)),
    logarithm_returned=part_with(last=lambda m, s, o: (m, s.log(), o)),
    keeps_dimension=part_with(last=lambda m, s, o: (m.unsqueeze(-1), s.unsqueeze(-1), o)),
    maximum_keeps_dimension=part_with(last=lambda m, s, o: (m.unsqueeze(-1), s, o)),
    sum_keeps_dimension=part_with(last=lambda m, s, o: (m, s.unsqueeze(-1), o)),
    sum_first=part_with(last=lambda m, s, o: (s, m, o)),
    values_not_weighted=values_not_weighted,
    matrices_only=part_with(mixed=torch.mm),
    one_axis_in_front=part_with(mixed=lambda factors, v: torch.einsum("btn,bnd->btd", factors, v)),
    factors_transposed=part_with(mixed=lambda factors, v: factors.mT @ v),
    powers_of_two=part_with(exp=torch.exp2),
    squeezed=part_with(last=lambda m, s, o: (m, s, o.squeeze())),
    scores_changed=scores_changed,
    values_detached=part_with(mixed=lambda factors, v: factors @ v.detach()),
)
OF_MERGED = misconceptions(
    "merge_softmax",
    no_rescale=merged(lambda own, m: (torch.ones_like(own), torch.ones_like(own))),
    only_l_rescaled=merged(lambda own, m: (right(own, m)[0], torch.ones_like(own))),
    only_o_rescaled=merged(lambda own, m: (torch.ones_like(own), right(own, m)[0])),
    larger_maximum_not_subtracted=merged(lambda own, m: [own.exp()] * 2),
    rescaled_backwards=merged(lambda own, m: [(finite(m) - own).exp()] * 2),
    factors_exchanged=factors_exchanged,
    smaller_maximum=merged(top=torch.minimum),
    maxima_added=merged(top=torch.add),
    mean_of_maxima=merged(top=lambda a, b: (a + b) / 2),
    one_maximum_for_all_merged=merged(top=lambda a, b: everywhere(torch.maximum(a, b))),
    first_part_as_reference=merged(top=lambda a, b: a.clone()),
    only_the_first_rescaled=merged(second=lambda own, m: (torch.ones_like(own), torch.ones_like(own))),
    only_the_second_rescaled=merged(lambda own, m: (torch.ones_like(own), torch.ones_like(own)), second=right),
    winner_takes_all=winner_takes_all,
    normalised_already=merged(last=lambda m, s, o: (m, s, o / s.unsqueeze(-1))),
    outputs_expected=outputs_expected,
    outputs_expected_without_nan=lambda one, other: tuple(
        t.nan_to_num(0.0, 0.0, -math.inf) for t in outputs_expected(one, other)
    ),
    mean_of_parts=merged(last=lambda m, s, o: (m, s / 2, o / 2)),
    outputs_weighted_by_l=lambda one, other: merged()(*((m, s, o * s.unsqueeze(-1)) for m, s, o in (one, other))),
    nothing_is_nan=merged(unguarded),
    merged_gradient_nan=merged(unguarded, last=lambda m, s, o: (m, s.nan_to_num(), o.nan_to_num())),
    nothing_is_nan_then_0=merged(unguarded, last=lambda *found: [t.nan_to_num() for t in found]),
    hidden_rows_nan=hidden_parts_only,
    first_dropped_if_hidden_anywhere=left_out_if_hidden_anywhere,
    merged_maximum_0=merged(last=lambda m, s, o: (finite(m), s, o)),
    merged_logarithm=merged(last=lambda m, s, o: (m, s.log() + m, o)),
    factors_on_wrong_axis=factors_on_wrong_axis,
    powers_of_two_merged=merged(lambda own, m: [(own - finite(m)).exp2()] * 2),
    order_changed=merged(last=lambda m, s, o: (o, s, m)),
    merged_sum_first=merged(last=lambda m, s, o: (s, m, o)),
    first_part_overwritten=overwritten(0),
    first_sums_overwritten=overwritten(1),
    first_output_overwritten=overwritten(2),
    sums_detached=sums_detached,
)
OF_BOTH = misconceptions(
    "softmax_part", "merge_softmax",
    forces_float32=(in_float32(part_with()), in_float32(merged())),
    logsumexp=(part_with(top=lambda scores: scores.logsumexp(-1)), merged(top=torch.logaddexp)),
    no_gradient=tuple(way(last=lambda *found: tuple(t.detach() for t in found)) for way in (part_with, merged)),
)  # fmt: skip
