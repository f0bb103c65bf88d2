"""Hidden suite for the experiment about scores and their scale.

Students draw their own random numbers, so nothing is compared with the solution's: averages must be what theory says,
within five standard errors of a sample of QUERIES queries or more, and laws that hold for any sample exactly.

Not in the bank, because right: the mean of squares for the variance, dividing by the number of scores or by one less,
numbers drawn in another order or by numpy, a few queries more or less. Not in the bank, because no two runs are alike:
numbers without a seed (the checks of the seed and of the ratio of variances find them).

A figure that is 1 % off is within the luck of a sample and cannot be told; a scale that is 1 % off can, since the same
seed draws the same vectors with and without it.
"""

import functools
import math

import torch
from hidden.lib.numbers import LETS_PASS as LETS_PASS

from grader.suites import Text, expect, misconceptions, points

QUERIES = 1000
SPREAD = 0.15  # relative: the standard error of the variance of 4,000 scores or more, d >= 16, is 0.026
SEEDS = 20  # their mean square deviation is then (6 %)^2, 9 of its standard errors below (12 %)^2
MARGIN = 0.04  # absolute: the standard errors of the other two are below 0.0065


@functools.cache
def expected(d, n, scale):
    """Mean largest weight and mean Jacobian norm in theory: for a given q scores are normal numbers of size |q|."""
    random = torch.Generator().manual_seed(1)
    length = torch.randn(8000, d, generator=random).norm(dim=1, keepdim=True) / (math.sqrt(d) if scale else 1.0)
    p = (torch.randn(8000, n, generator=random) * length).softmax(1)
    squares = p.square().sum(1)
    norms = (squares - 2 * p.pow(3).sum(1) + squares.square()).clamp(min=0).sqrt()
    return {"max_weight": float(p.amax(1).mean()), "jac_norm": float(norms.mean())}


def measured(student, d, n, scale, seed=0):
    """The student's figures; the seeds are the same in every run, so a verdict does not depend on luck."""
    return student.score_stats(d, n, scale, 1000 * d + n + seed)


def near(found, name, due, margin, d, n, scale):
    """Expect a figure to be what theory says."""
    how = Text("with scaling") if scale else Text("without scaling")
    said = "d={d}, n={n}, {how}: {name} is {found:.4g}; theory says {due:.4g}"
    expect(abs(found[name] - due) <= margin, said, d=d, n=n, how=how, name=name, found=found[name], due=due)


def steady(student, scale):
    """Expect the variance to stay near its value from seed to seed even where each query has a single short key.

    With keys of its own for each query it strays by 6 %, with 100 queries by 19 %; if all queries share one key, by
    71 %.
    """
    due = 1.0 if scale else 4.0
    strays = [measured(student, 4, 1, scale, seed)["var"] / due - 1 for seed in range(SEEDS)]
    stray = math.sqrt(sum(s * s for s in strays) / len(strays))
    said = Text(
        "d=4, n=1: from seed to seed the variance strays by {stray:.0%} of {due:g}; are there {count} queries, each "
        "with keys of its own?"
    )
    expect(stray <= 0.12, said.format(stray=stray, due=due, count=QUERIES))


@points(1.75)
def test_variance_grows_with_d(student):
    """Without scaling the variance of the scores is d, and each seed gives another sample of it."""
    for d, n in ((16, 4), (64, 6), (128, 5)):
        near(measured(student, d, n, False), "var", d, SPREAD * d, d, n, False)
    steady(student, False)
    mean = sum(measured(student, 1, 4, False, seed)["var"] for seed in range(SEEDS)) / SEEDS
    near({"var": mean}, "var", 1.0, SPREAD, 1, 4, False)
    variances = {found["var"] for found in student.turns.score_stats(*((16, 4, False, seed) for seed in (1, 2, 3)))}
    expect(len(variances) > 1, "the seeds 1, 2 and 3 give the same variance")


@points(1.5)
def test_variance_with_scaling(student):
    """With scaling the variance of the scores is 1, whatever d is."""
    for d, n in ((16, 4), (64, 6), (128, 5)):
        near(measured(student, d, n, True), "var", 1.0, SPREAD, d, n, True)
    steady(student, True)


@points(0.75)
def test_scaling_divides_the_variance_by_d(student):
    """The same seed draws the same vectors, so scaling divides the variance by d exactly."""
    for d, n in ((3, 2), (7, 5), (64, 3)):
        both = student.turns.score_stats((d, n, False, 1000 * d + n), (d, n, True, 1000 * d + n))  # in a row, see below
        raw, scaled = (found["var"] for found in both)
        said = "d={d}, the same seed: scaling turns the variance {raw:.5g} into {scaled:.5g}, not into 1/{d} of it"
        expect(abs(scaled * d - raw) <= 1e-3 * abs(raw), said, d=d, raw=raw, scaled=scaled)


@points(1.25)
def test_largest_weight(student):
    """Without scaling the favourite key gets nearly all of a query's weight, the more the larger d is; with scaling a
    fair share.
    """
    for d, n, scale in (
        (16, 6, False),
        (16, 6, True),
        (128, 6, False),
        (16, 40, True),
        (32, 20, True),
        (16, 40, False),
        (2048, 4, False),
    ):
        due = expected(d, n, scale)["max_weight"]
        near(measured(student, d, n, scale), "max_weight", due, MARGIN, d, n, scale)


@points(1)
def test_gradient_fades_without_scaling(student):
    """Without scaling the weights answer less and less to the scores as d grows. The measure is the Frobenius norm of
    diag(p) - p p^T, averaged over queries.
    """
    for d, n in ((3, 20), (16, 6), (32, 3), (1100, 4)):
        due = expected(d, n, False)["jac_norm"]
        near(measured(student, d, n, False), "jac_norm", due, MARGIN, d, n, False)


@points(0.75)
def test_gradient_stays_with_scaling(student):
    """With scaling the weights go on answering to the scores, by the same measure."""
    for d, n in ((3, 20), (16, 6), (32, 3)):
        due = expected(d, n, True)["jac_norm"]
        near(measured(student, d, n, True), "jac_norm", due, MARGIN, d, n, True)


@points(0.75)
def test_with_scaling_d_makes_no_difference(student):
    """With scaling neither the largest weight nor the Jacobian depends on d; without it both do."""
    few, many = (measured(student, d, 6, True) for d in (32, 128))
    for name in ("max_weight", "jac_norm"):
        said = "with scaling {name} is {few:.4g} for d=32 and {many:.4g} for d=128"
        expect(abs(few[name] - many[name]) <= MARGIN, said, name=name, few=few[name], many=many[name])
        near(many, name, expected(128, 6, True)[name], MARGIN, 128, 6, True)


@points(0.75)
def test_seed(student):
    """The same seed gives the same figures, another seed others, scaled or not; other sizes draw other vectors."""
    for scale in (False, True):
        seed = 20170612
        drawn = ((5, 3, scale, s) for s in (seed, seed, seed + 1))
        first, again, other = student.turns.score_stats(*drawn)  # in a row: the generators of all calls begin anew
        expect(first == again, "seed {seed} gives other figures when used again", seed=seed)
        said = Text("seeds {seed} and {seed2} give the same figures").format(seed=seed, seed2=seed + 1)
        expect(all(first[name] != other[name] for name in first), said)
        first, again = student.turns.score_stats((5, 3, scale, 0), (5, 3, scale, 0))
        expect(first == again, "seed {seed} gives other figures when used again", seed=0)
    larger = student.score_stats(64, 4, False, seed)
    near(larger, "var", 64, SPREAD * 64, 64, 4, False)
    said = "the arguments passed by their names give other figures"
    named = student.score_stats(d=64, n=4, scale=False, seed=seed)
    expect(named == larger, said)


@points(0.5)
def test_one_key(student):
    """A single key gets all the weight whatever its score, so the Jacobian is 0; vectors of one number work too."""
    for d, scale in ((1, False), (16, True), (16, False)):
        found = measured(student, d, 1, scale)
        near(found, "max_weight", 1.0, 1e-6, d, 1, scale)
        near(found, "jac_norm", 0.0, 1e-6, d, 1, scale)
    found = measured(student, 1, 4, True)
    near(found, "max_weight", expected(1, 4, True)["max_weight"], MARGIN, 1, 4, True)
    near(found, "var", 1.0, 0.5, 1, 4, True)  # eight times the standard deviation of this variance


def draw(d, n, seed, random=torch.randn, queries=QUERIES, keys=QUERIES):
    """Queries and keys as the exercise suggests to draw them."""
    generator = torch.Generator().manual_seed(seed)
    return random(queries, d, generator=generator), random(keys, n, d, generator=generator)


def raw_scores(d, n, seed, **drawn):
    """The scores before any scaling."""
    q, k = draw(d, n, seed, **drawn)
    return (k @ q[:, :, None])[:, :, 0]


def scores_of(d, n, scale, seed, **drawn):
    """The scores, scaled if asked for."""
    return raw_scores(d, n, seed, **drawn) / (math.sqrt(d) if scale else 1.0)


def jacobians(p):
    """diag(p) - p p^T for each row of p."""
    return torch.diag_embed(p) - p[:, :, None] * p[:, None, :]


def figures(scores, p=None, **changed):
    """The three figures, some of them replaced."""
    p = scores.softmax(1) if p is None else p
    found = {"var": scores.var(), "max_weight": p.amax(1).mean(), "jac_norm": jacobians(p).norm(dim=(1, 2)).mean()}
    return {name: float(value) for name, value in {**found, **changed}.items()}


def scaled(factor):
    """The figures of scores multiplied by `factor(d, n)` where scaling is asked for."""
    return lambda d, n, scale, seed: figures(raw_scores(d, n, seed) * (factor(d, n) if scale else 1))


def drawn(**differently):
    """The figures of other vectors."""
    return lambda d, n, scale, seed: figures(scores_of(d, n, scale, seed, **differently))


def weights(softmax):
    """The figures with the weights made by `softmax(scores)`."""

    def wrong(d, n, scale, seed):
        scores = scores_of(d, n, scale, seed)
        return figures(scores, softmax(scores))

    return wrong


def replaced(name, figure):
    """The figures with one of them computed by `figure(scores, weights)`."""

    def wrong(d, n, scale, seed):
        scores = scores_of(d, n, scale, seed)
        return figures(scores, **{name: figure(scores, scores.softmax(1))})

    return wrong


def norms(figure):
    """The figures with `jac_norm` computed by `figure(jacobians)`."""
    return replaced("jac_norm", lambda scores, p: figure(jacobians(p)))


def scale_after_softmax(d, n, scale, seed):
    scores = raw_scores(d, n, seed)
    return figures(scores, scores.softmax(1) / (math.sqrt(d) if scale else 1))


def raw_scores_in_softmax(d, n, scale, seed):
    return figures(scores_of(d, n, scale, seed), raw_scores(d, n, seed).softmax(1))


def variance_before_scaling(d, n, scale, seed):
    return figures(scores_of(d, n, scale, seed), var=raw_scores(d, n, seed).var())


def variance_of_queries(d, n, scale, seed):
    return figures(scores_of(d, n, scale, seed), var=draw(d, n, seed)[0].var())


def by_raw_scores(d, n, scale, seed):
    found = figures(scores_of(d, n, scale, seed))
    return {**found, "jac_norm": found["jac_norm"] / (math.sqrt(d) if scale else 1)}


def summed_over_queries(d, n, scale, seed):
    found = figures(scores_of(d, n, scale, seed))
    return {**found, **{name: found[name] * QUERIES for name in ("max_weight", "jac_norm")}}


def shared_keys(d, n, scale, seed):
    generator = torch.Generator().manual_seed(seed)
    q, k = torch.randn(QUERIES, d, generator=generator), torch.randn(n, d, generator=generator)
    return figures(q @ k.T / (math.sqrt(d) if scale else 1))


def same_numbers_twice(d, n, scale, seed):
    q, k = (torch.randn(*s, generator=torch.Generator().manual_seed(seed)) for s in ((QUERIES, d), (QUERIES, n, d)))
    return figures((k @ q[:, :, None])[:, :, 0] / (math.sqrt(d) if scale else 1))


KNOWN = misconceptions(
    "score_stats",
    scale_d=scaled(lambda d, n: 1 / d),
    scale_d_squared=scaled(lambda d, n: 1 / d**2),
    scale_integer_root=scaled(lambda d, n: 1 / math.isqrt(d)),
    scale_power_first=scaled(lambda d, n: 1 / (2 * d)),
    scale_power_first_in_brackets=scaled(lambda d, n: 2 / d),
    scale_all_heads=scaled(lambda d, n: 1 / math.sqrt(8 * d)),
    scale_mul_sqrt=scaled(lambda d, n: math.sqrt(d)),
    scale_sqrt_keys=scaled(lambda d, n: 1 / math.sqrt(n)),
    never_scales=scaled(lambda d, n: 1),
    always_scales=lambda d, n, scale, seed: figures(scores_of(d, n, True, seed)),
    scale_inverted=lambda d, n, scale, seed: figures(scores_of(d, n, not scale, seed)),
    scale_after_softmax=scale_after_softmax,
    raw_scores_in_softmax=raw_scores_in_softmax,
    variance_of_weights=replaced("var", lambda scores, p: p.var()),
    variance_of_queries=variance_of_queries,
    variance_before_scaling=variance_before_scaling,
    variance_of_each_query=replaced("var", lambda scores, p: scores.var(1, unbiased=False).mean()),
    variance_of_each_query_less_one=replaced(  # NaN for one key
        "var", lambda scores, p: scores.var(1, unbiased=False).mean() * scores.shape[1] / (scores.shape[1] - 1)
    ),
    standard_deviation=replaced("var", lambda scores, p: scores.std()),
    largest_of_all=replaced("max_weight", lambda scores, p: p.max()),
    largest_of_each_key=replaced("max_weight", lambda scores, p: p.amax(0).mean()),
    average_weight=replaced("max_weight", lambda scores, p: p.mean()),
    largest_score=replaced("max_weight", lambda scores, p: scores.amax(1).mean()),
    softmax_over_queries=weights(lambda scores: scores.softmax(0)),
    raw_exponentials=weights(lambda scores: scores.exp() / scores.exp().sum(1, keepdim=True)),
    sum_of_squares=norms(lambda J: J.square().sum((1, 2)).mean()),
    sum_of_magnitudes=norms(lambda J: J.abs().sum((1, 2)).mean()),
    spectral_norm=norms(lambda J: torch.linalg.matrix_norm(J, ord=2).mean()),
    norm_of_the_average=norms(lambda J: J.mean(0).norm()),
    mean_of_squares=norms(lambda J: J.square().mean((1, 2)).sqrt().mean()),
    norm_of_all=norms(lambda J: J.norm()),
    diagonal_only=replaced("jac_norm", lambda scores, p: (p * (1 - p)).norm(dim=1).mean()),
    without_the_product=replaced("jac_norm", lambda scores, p: p.norm(dim=1).mean()),
    product_alone=replaced("jac_norm", lambda scores, p: p.square().sum(1).mean()),
    product_added=replaced(
        "jac_norm", lambda scores, p: (p.diag_embed() + p[:, :, None] * p[:, None, :]).norm(dim=(1, 2)).mean()
    ),
    square_subtracted_twice=replaced(
        "jac_norm",
        lambda scores, p: ((p * (1 - p)).diag_embed() - p[:, :, None] * p[:, None, :]).norm(dim=(1, 2)).mean(),
    ),
    by_raw_scores=by_raw_scores,
    summed_over_queries=summed_over_queries,
    uniform_numbers=drawn(random=torch.rand),
    fewer_queries=drawn(queries=100, keys=100),
    one_query=drawn(queries=1),
    shared_keys=shared_keys,
    same_numbers_twice=same_numbers_twice,
    fixed_seed=lambda d, n, scale, seed: figures(scores_of(d, n, scale, 0)),
)
