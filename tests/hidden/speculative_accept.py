"""Hidden suite for speculative decoding.

Numbers u and v keep away from the borders at which rounding would decide, except where powers of 2 make it exact.
"""

import functools
import itertools

import torch
from hidden.lib.precision import fixed

from grader.suites import dtypes, error_bound, expect, expect_close, laws, misconceptions, points

LETS_PASS = {
    "no_gradient": "the statement asks for no gradient",
    **{f"{slip}_at_batch_1 of speculative_step": "p has two rows or more" for slip in ("wrong", "changes_input")},
}
EXACT = (
    ([0.125, 0.375, 0.5], [0.5, 0.25, 0.25]),
    ([0.125, 0.5, 0.375], [0.25, 0.25, 0.5]),
    ([0.0, 0.5, 0.5], [0.5, 0.25, 0.25]),
    ([0.5, 0.0, 0.25, 0.25], [0.125, 0.125, 0.5, 0.25]),
)  # targets and drafts whose quotients are multiples of a sixteenth or above 1


@error_bound("residual")
def residual_bound(p, q):
    # A difference of two numbers is rounded once, and so is the quotient; the sum of V terms is off by V / 2 of itself,
    # or, as 1 minus what both have in common, by V / 2 of 1.
    left = (p - q).clamp(min=0)
    total = left.sum(-1, keepdim=True)
    safe = torch.where(total > 0, total, 1.0)
    return torch.where(total > 0, left / safe, p) * (p.shape[-1] + 4) * (1 + 1 / safe)


def distributions(make, *shape):
    """Random ones, none of whose entries is 0."""
    return make.tensor(make.normal(*shape, scale=1.5).double().softmax(-1))


def tokens(make, v, *shape):
    """Random whole numbers below v."""
    count = int(torch.tensor(shape).prod()) if shape else 1
    return torch.tensor([make.integer(0, v - 1) for _ in range(count)], dtype=torch.int64).reshape(shape)


def near(make, p, q, draft, yes):
    """Uniform numbers that accept where `yes` is True, and reject where it is False and can be."""
    ratio = (p.double() / q.double()).gather(-1, draft.unsqueeze(-1)).squeeze(-1)
    low, high = ratio.clamp(max=1) * 0.6, ratio + 0.4 * (1 - ratio)
    return make.tensor(torch.where(yes | (ratio > 0.9), low, high))


def drafted(make, *shape, v=6):
    """p, q, drafted tokens and uniform numbers, about half of them too large."""
    p, q, draft = distributions(make, *shape, v), distributions(make, *shape, v), tokens(make, v, *shape)
    return p, q, draft, near(make, p, q, draft, make.normal(*shape, 1).squeeze(-1) > 0)


LEAST = 0.1  # of the probability


def middle(distribution, rank=0):
    """A uniform number that draws the token with the largest probability, or with the next to it, in any dtype.

    A token of less than LEAST is not meant: in bfloat16 its part of the sum is lost.
    """
    d = distribution.double() / distribution.double().sum()
    order = d.argsort(descending=True)
    x = int(order[rank if rank < len(d) and d[order[rank]] > LEAST else 0])
    return float(d[:x].sum() + d[x] / 2)


def a_step(make, T, n, v=5, rank=0):
    """A step whose first n of T drafts are accepted; v draws a likely token of what it should be drawn from."""
    p, q = distributions(make, T + 1, v), distributions(make, T, v)
    ratio = p[:T].double() / q.double()
    drafts = tokens(make, v, T)
    if n < T:  # a rejection must be possible
        drafts[n] = int(ratio[n].argmin())
    u = near(make, p[:T], q, drafts, torch.arange(T) != n)
    left = p[T] if n == T else rest(p[n].double(), q[n].double())
    return p, q, drafts, u, middle(left, rank)


@points(1.5)
def test_accepted(matches_reference, make, dtype):
    """A drafted token is accepted if its number lies below p / q."""
    matches_reference.accepted(*drafted(make, 3, v=4))
    matches_reference.accepted(*drafted(make, 7))
    matches_reference.accepted(*drafted(make, 3, v=1))
    matches_reference.accepted(*drafted(make, 12, v=5))
    matches_reference.accepted(*drafted(make, 2, 5))
    matches_reference.accepted(*drafted(make, 2, 3, 4, v=3))
    matches_reference.accepted(*drafted(make))


@points(0.4)
def test_borders(matches_reference, make):
    """A token that is as likely for the target as for the draft is always accepted, one that it never writes never; a
    number that is just p / q rejects.
    """
    for p, q in EXACT:
        for x in range(len(p)):
            u = make.tensor([0.0, p[x] / q[x] if p[x] < q[x] else 0.96875, 0.96875, 0.5])
            matches_reference.accepted(make.tensor([p] * 4), make.tensor([q] * 4), torch.full((4,), x), u)


@points(1.5)
def test_residual(matches_reference, make, dtype):
    """The residual is what p has more than q, brought to the sum 1."""
    for shape in ((3,), (6,), (2, 4), (4, 4), (3, 2, 5), (2, 1, 3, 1, 4)):
        matches_reference.residual(distributions(make, *shape), distributions(make, *shape))
    for p, q in EXACT:
        matches_reference.residual(make.tensor(p), make.tensor(q))


@points(0.5)
def test_same_distribution(matches_reference, make):
    """Where both models agree the residual is p, in this row only, and nothing is NaN."""
    p, q = distributions(make, 3, 4), distributions(make, 3, 4)
    q[1] = p[1]
    matches_reference.residual(p[1], p[1].clone())
    matches_reference.residual(p, q)
    matches_reference.residual(make.tensor([0.0, 1.0, 0.0]), make.tensor([0.0, 1.0, 0.0]))
    matches_reference.residual(make.tensor([1.0]), make.tensor([1.0]))


@points(1)
@dtypes("float32", "float64")
def test_distribution(student, notes_values, make, dtype):
    """Drafting, accepting and replacing together give each token exactly the target's probability."""
    for p, q in EXACT:
        size = len(p)
        grid = (make.tensor(torch.arange(16)) + 0.5) / 16
        target, draft = make.tensor(p), make.tensor(q)
        rows = target.expand(size, 16, size).contiguous(), draft.expand(size, 16, size).contiguous()
        every = torch.arange(size)[:, None].expand(size, 16).contiguous()
        us = grid.expand(size, 16).contiguous()
        share = student.accepted(*rows, every, us).double().mean(-1)
        kept = draft * share
        out = kept + (1 - kept.sum()) * student.residual(target, draft)
        expect_close(out, target, 1e-5, "a token does not come out with the target's probability")
        notes_values.accepted(*rows, every, us)
        notes_values.residual(target, draft)


@points(2)
def test_step(matches_reference, make, dtype):
    """The tokens before the first rejection are written, then one more, from the residual there."""
    make = fixed(make)
    for T, n in ((1, 0), (2, 1), (3, 1), (3, 0), (4, 2), (5, 4)):
        for rank in (0, 1):
            matches_reference.speculative_step(*a_step(make, T, n, rank=rank if T > 1 else 0))


@points(1)
def test_all_accepted(matches_reference, make):
    """If all are accepted, a token from the target's last distribution follows; so it does if nothing was drafted."""
    for T in (1, 2, 3, 5):
        matches_reference.speculative_step(*a_step(make, T, T))
        matches_reference.speculative_step(*a_step(make, T, T, rank=2))
    *dists, drafts, u, v = a_step(make, 3, 3)
    matches_reference.speculative_step(*dists, drafts, 0 * u, v)
    matches_reference.speculative_step(*a_step(make, 2, 2, v=2))
    matches_reference.speculative_step(*a_step(make, 0, 0))
    matches_reference.speculative_step(*a_step(make, 0, 0, v=1))


@points(0.5)
def test_drawing(matches_reference, make):
    """The drawn token is the first whose sum is above v; a token with the probability 0 is never drawn."""
    none, no_draft = make.tensor(torch.zeros(0)), torch.zeros(0, dtype=torch.int64)
    rows = ([0.0, 0.25, 0.0, 0.75], [0.5, 0.0, 0.25, 0.25], [0.0, 0.0, 1.0, 0.0])
    for row in rows:
        for v in (0.0, 0.125, 0.25, 0.5, 0.625, 0.75, 0.96875):
            matches_reference.speculative_step(make.tensor([row]), make.tensor(torch.zeros(0, 4)), no_draft, none, v)
    p, q = EXACT[0]
    two = make.tensor([p, p])
    for v in (0.0, 0.25, 0.5, 0.96875):
        matches_reference.speculative_step(two, make.tensor([q]), torch.tensor([0]), make.tensor([0.5]), v)


@points(0.6)
def test_distribution_of_a_step(student, notes_values, make):
    """Over all drafts and numbers, the first token that a step writes has the target's distribution, exactly."""
    p, q = EXACT[0]
    counts = torch.zeros(3, dtype=torch.float64)
    last = make.tensor([0.25, 0.5, 0.25])
    target = torch.stack([make.tensor(p), last])
    for x, i, j in itertools.product(range(3), range(4), range(3)):
        u, v = make.tensor([(2 * i + 1) / 8]), (2 * j + 1) / 6
        written = student.speculative_step(target, make.tensor([q]), torch.tensor([x]), u, v)
        if i == j == 0:
            notes_values.speculative_step(target, make.tensor([q]), torch.tensor([x]), u, v)
        first = int(written[0])
        expect(0 <= first < 3, "token {first} is not in the vocabulary", first=first)
        counts[first] += q[x] / 12
    expect_close(counts, torch.tensor(p, dtype=torch.float64), 1e-9, "the first token has another distribution")


@points(0.2)
def test_refused(raises_value_error, notes_values, make):
    """Distributions, drafts and numbers that do not fit together are refused with ValueError."""
    p, q, drafts, u, v = a_step(make, 3, 3)
    raises_value_error.speculative_step(p[:3], q, drafts, u, v)
    raises_value_error.speculative_step(torch.cat([p, p[:1]]), q, drafts, u, v)
    raises_value_error.speculative_step(p, q, drafts[:2], u, v)
    raises_value_error.speculative_step(p, q, drafts, u[:2], v)
    raises_value_error.speculative_step(p, q, torch.cat([drafts, drafts]), u, v)
    raises_value_error.speculative_step(p, q, drafts, torch.cat([u, u]), v)
    notes_values.speculative_step(p, q, drafts, u, v)


def examples(ask, make):
    ask.accepted(*drafted(make, 4))
    ask.accepted(*drafted(make, 2, 1, 3, 1))
    ask.residual(distributions(make, 5), distributions(make, 5))
    ask.residual(distributions(make, 2, 1, 3, 1, 4), distributions(make, 2, 1, 3, 1, 4))
    ask.residual(distributions(make, 3, 1), distributions(make, 3, 1))
    ask.speculative_step(*a_step(make, 3, 1))
    ask.speculative_step(*a_step(make, 2, 2))
    ask.speculative_step(*a_step(make, 1, 0))
    ask.speculative_step(*a_step(make, 0, 0))


def telling(ask, make):
    """Calls of which no two have the same answer, whatever mistake is made."""
    ask.accepted(*drafted(make, 60))
    ask.residual(distributions(make, 5), distributions(make, 5))
    for T, n in ((12, 8), (9, 9)):
        ask.speculative_step(*a_step(make, T, n, v=2000))


def of_length(ask, make, n):
    make = fixed(make)
    ask.accepted(*drafted(make, 1, n))
    ask.residual(distributions(make, 1, n), distributions(make, 1, n))
    ask.speculative_step(*a_step(make, 2, 1, v=n))
    ask.speculative_step(*a_step(make, n, n - 1))


# not in expanded memory: an expanded row is no distribution
LAWS = laws.all(
    examples, of_length, device=0.2, memory_layout=(0.1, examples, laws.transposed, laws.sliced), inputs_unchanged=0.1,
    remembers_nothing=(0.1, telling), every_dtype=(0.1, lambda ask, make: examples(ask, fixed(make))), lengths=0.1,
)  # fmt: skip


def at(d, draft):
    """The probability of each drafted token."""
    return d.gather(-1, draft.unsqueeze(-1)).squeeze(-1)


def decided(rule):
    """accepted by this rule of p and q of the token and u."""
    return lambda p, q, draft, u: rule(at(p, draft), at(q, draft), u)


def below(p, q, draft, u):
    return u < at(p, draft) / at(q, draft)


def rest(p, q, left=lambda p, q: (p - q).clamp(min=0), total=lambda x: x.sum(-1, keepdim=True), otherwise=lambda p: p):
    """The residual, right unless a place to go wrong is used."""
    found = left(p, q)
    whole = total(found)
    return torch.where(whole > 0, found / whole, otherwise(p))


def rests(**wrong):
    return functools.partial(_rest, wrong)


def _rest(wrong, p, q):
    return rest(p, q, **wrong)


def inverse(d, v):
    sums = d.cumsum(0)
    return int((sums > v * sums[-1]).long().argmax())


def first_rejection(yes):
    return int(yes.long().cumprod(0).sum())


def stepped(
    count=first_rejection, last=lambda p, q, n, T: p[n] if n == T else rest(p[n], q[n]), drawn=inverse,
    kept=lambda drafts, n, yes: drafts[:n], done=lambda found, drafts, n: found, checks=(True, True, True), way=below,
):  # fmt: skip
    """A step, right unless a place to go wrong is used; `checks` are those of rows, drafts and numbers."""

    def step(p, q, drafts, u, v):
        T = len(q)
        wrong = (len(p) != T + 1, len(drafts) != T, len(u) != T)
        if any(due and found for due, found in zip(checks, wrong, strict=True)):
            raise ValueError("lengths")
        yes = way(p[:T], q, drafts, u)
        n = count(yes)
        more = drawn(last(p, q, n, T), v)
        one = torch.tensor([more], dtype=torch.int64, device=p.device)
        return done(torch.cat([kept(drafts, n, yes), one]), drafts, n)

    return step


def padded(found, drafts, n):
    return torch.cat([found, torch.full((len(drafts) - n,), -1, device=found.device)])


def argmax_decides(p, q, draft, u):
    return draft == p.argmax(-1)


def most_likely(d, v):
    return int(d.argmax())


def without_bonus(found, drafts, n):
    return found[:n] if n == len(drafts) else found


def without_correction(found, drafts, n):
    return found if n == len(drafts) else found[:n]


KNOWN = [
    *misconceptions(
        "accepted",
        quotient_inverted=decided(lambda p, q, u: u < q / p),
        larger_number_accepts=decided(lambda p, q, u: u > p / q),
        target_s_probability=decided(lambda p, q, u: u < p),
        more_likely_only=decided(lambda p, q, u: p >= q),
        difference_for_quotient=decided(lambda p, q, u: u < p - q + 1),
        border_accepts=decided(lambda p, q, u: u <= p / q),
        rejected_told=decided(lambda p, q, u: u >= p / q),
        greedy_match=argmax_decides,
        first_token_for_all=lambda p, q, draft, u: below(p, q, torch.zeros_like(draft), u),
        largest_probabilities=lambda p, q, draft, u: u < p.amax(-1) / q.amax(-1),
        shares_of_the_two=decided(lambda p, q, u: u < p / (p + q)),
    ),
    *misconceptions(
        "residual",
        not_normalised=rests(total=lambda x: torch.ones_like(x[..., :1])),
        absolute_difference=rests(left=lambda p, q: (p - q).abs()),
        target_itself=lambda p, q: p.clone(),
        draft_minus_target=rests(left=lambda p, q: (q - p).clamp(min=0)),
        negative_kept=rests(left=lambda p, q: p - q, total=lambda x: x.clamp(min=0).sum(-1, keepdim=True)),
        softmax_of_the_difference=lambda p, q: (p - q).softmax(-1),
        softmax_of_what_is_left=lambda p, q: (p - q).clamp(min=0).softmax(-1),
        hidden_where_not_more=rests(left=lambda p, q: p * (p > q)),
        quotient_left=rests(left=lambda p, q: (p / q - 1).clamp(min=0)),
        over_all_rows=rests(total=lambda x: x.sum()),
        over_the_first_axis=rests(total=lambda x: x.sum(0, keepdim=True)),
        largest_only=lambda p, q: torch.nn.functional.one_hot((p - q).argmax(-1), p.shape[-1]).to(p.dtype),
        nan_where_equal=lambda p, q: (p - q).clamp(min=0) / (p - q).clamp(min=0).sum(-1, keepdim=True),
        zero_where_equal=rests(otherwise=torch.zeros_like),
        even_where_equal=rests(otherwise=lambda p: torch.full_like(p, 1 / p.shape[-1])),
        eps_in_the_sum=rests(total=lambda x: x.sum(-1, keepdim=True) + 1e-3),
    ),
    *misconceptions(
        "speculative_step",
        goes_on_after_a_rejection=stepped(
            lambda yes: int(yes.sum()),
            kept=lambda drafts, n, yes: drafts[yes],
            last=lambda p, q, n, T: p[n] if n == T else rest(p[n], q[n]),
        ),
        accepted_ones_counted=stepped(lambda yes: int(yes.sum())),
        nothing_after_all=stepped(done=without_bonus),
        nothing_for_the_rejected=stepped(done=without_correction),
        replaced_from_the_target=stepped(last=lambda p, q, n, T: p[n]),
        replaced_from_the_draft=stepped(last=lambda p, q, n, T: p[n] if n == T else q[n]),
        replaced_at_the_next_place=stepped(last=lambda p, q, n, T: p[n] if n == T else rest(p[n + 1], q[n])),
        always_the_last_distribution=stepped(last=lambda p, q, n, T: p[T]),
        bonus_one_too_early=stepped(last=lambda p, q, n, T: p[max(n - 1, 0)] if n == T else rest(p[n], q[n])),
        residual_not_normalised=stepped(
            last=lambda p, q, n, T: p[n] if n == T else (p[n] - q[n]).clamp(min=0),
            drawn=lambda d, v: int((d.cumsum(0) > v).long().argmax()),
        ),
        most_likely_one=stepped(drawn=most_likely),
        sum_as_large_suffices=stepped(drawn=lambda d, v: int((d.cumsum(0) >= v * d.sum()).long().argmax())),
        sum_before_the_token=stepped(drawn=lambda d, v: max(inverse(d, v) - 1, 0)),
        from_the_end=stepped(drawn=lambda d, v: inverse(d, 1 - v - 1e-6)),
        rejected_one_written=stepped(
            kept=lambda drafts, n, yes: drafts[: n + 1], done=lambda found, drafts, n: found[: len(drafts) + 1]
        ),
        rejected_one_instead=stepped(
            done=lambda found, drafts, n: torch.cat([found[:n], drafts[n:]])[: n + 1] if n < len(drafts) else found
        ),
        filled_up=stepped(done=padded),
        more_token_only=stepped(kept=lambda drafts, n, yes: drafts[:0]),
        accepts_by_the_target_s_best=stepped(way=argmax_decides),
        step_inverts_the_quotient=stepped(way=lambda p, q, draft, u: u < at(q, draft) / at(p, draft)),
        step_not_checked=stepped(checks=(False, False, False)),
        rows_only_checked=stepped(checks=(True, False, False)),
        numbers_not_checked=stepped(checks=(True, True, False)),
    ),
]
