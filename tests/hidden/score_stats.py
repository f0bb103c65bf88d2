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

from grader.suites import expect, misconception, points

QUERIES = 1000
SPREAD = 0.15  # relative: the standard error of the variance of 4,000 scores or more, d >= 16, is 0.026
MARGIN = 0.04  # absolute: the standard errors of the other two are below 0.0065


@functools.cache
def expected(d, n, scale):
    """Mean largest weight and mean Jacobian norm in theory: for a given q scores are normal numbers of size |q|."""
    random = torch.Generator().manual_seed(20170612)
    length = torch.randn(8000, d, generator=random).norm(dim=1, keepdim=True) / (math.sqrt(d) if scale else 1.0)
    p = (torch.randn(8000, n, generator=random) * length).softmax(1)
    squares = p.square().sum(1)
    norms = (squares - 2 * p.pow(3).sum(1) + squares.square()).clamp(min=0).sqrt()
    return {"max_weight": float(p.amax(1).mean()), "jac_norm": float(norms.mean())}


def measured(student, make, d, n, scale):
    """The student's figures for a seed of the run."""
    return student.score_stats(d, n, scale, make.integer(0, 10**6))


def near(found, name, due, margin, d, n, scale):
    """Expect a figure to be what theory says."""
    how = ("with scaling", "缩放后") if scale else ("without scaling", "不缩放时")
    en = f"d={d}, n={n}, {how[0]}: {name} is {found[name]:.4g}; theory says {due:.4g}"
    zh = f"d={d}、n={n}，{how[1]}：{name} 为 {found[name]:.4g}；理论值是 {due:.4g}"
    expect(abs(found[name] - due) <= margin, en, zh)


def steady(student, make, scale):
    """Expect the variance to stay near its value from seed to seed even where each query has a single short key.

    With keys of its own for each query it strays by 6 %; if all queries share one key, by 71 %.
    """
    due = 1.0 if scale else 4.0
    strays = [measured(student, make, 4, 1, scale)["var"] / due - 1 for _ in range(6)]
    stray = math.sqrt(sum(s * s for s in strays) / len(strays))
    en = f"d=4, n=1: from seed to seed the variance strays by {stray:.0%} of {due:g}; has each query keys of its own?"
    zh = f"d=4、n=1：换不同的种子，方差偏离 {due:g} 达 {stray:.0%}；每个查询是否有自己的键？"
    expect(stray <= 0.2, en, zh)


@points(1.75)
def test_variance_grows_with_d(student, make):
    """Without scaling the variance of the scores is d, and each seed gives another sample of it.

    不缩放时，分数的方差是 d；每个种子抽到的样本各不相同。
    """
    for d, n in ((16, 4), (64, 6), (128, 5)):
        near(measured(student, make, d, n, False), "var", d, SPREAD * d, d, n, False)
    steady(student, make, False)
    variances = {student.score_stats(16, 4, False, seed)["var"] for seed in (1, 2, 3)}
    en, zh = "the seeds 1, 2 and 3 give the same variance", "种子 1、2、3 得到相同的方差"
    expect(len(variances) > 1, en, zh)


@points(1.5)
def test_variance_with_scaling(student, make):
    """With scaling the variance of the scores is 1, whatever d is.

    缩放之后，分数的方差是 1，与 d 无关。
    """
    for d, n in ((16, 4), (64, 6), (128, 5)):
        near(measured(student, make, d, n, True), "var", 1.0, SPREAD, d, n, True)
    steady(student, make, True)


@points(0.75)
def test_scaling_divides_the_variance_by_d(student, make):
    """The same seed draws the same vectors, so scaling divides the variance by d exactly.

    种子相同，抽到的向量就相同，因此缩放恰好使方差除以 d。
    """
    for d, n in ((3, 2), (7, 5), (64, 3)):
        seed = make.integer(0, 10**6)
        raw, scaled = (student.score_stats(d, n, scale, seed)["var"] for scale in (False, True))
        en = f"d={d}: scaling turns the variance {raw:.5g} into {scaled:.5g}, not into 1/{d} of it"
        zh = f"d={d}：缩放把方差 {raw:.5g} 变成了 {scaled:.5g}，而不是它的 1/{d}"
        expect(abs(scaled * d - raw) <= 1e-3 * abs(raw), en, zh)


@points(1.25)
def test_largest_weight(student, make):
    """Without scaling the favourite key gets nearly all of a query's weight, the more the larger d is; with scaling a
    fair share.

    不缩放时，最受偏爱的键几乎拿走一个查询的全部权重，d 越大越是如此；缩放后则只是适当的一份。
    """
    for d, n, scale in ((16, 6, False), (16, 6, True), (128, 6, False), (32, 20, False), (32, 20, True)):
        due = expected(d, n, scale)["max_weight"]
        near(measured(student, make, d, n, scale), "max_weight", due, MARGIN, d, n, scale)


@points(1)
def test_gradient_fades_without_scaling(student, make):
    """Without scaling the weights answer less and less to the scores as d grows. The measure is the Frobenius norm of
    diag(p) - p p^T, averaged over queries.

    不缩放时，d 越大，权重对分数的反应越弱。衡量的是 diag(p) - p p^T 的 Frobenius 范数，对查询取平均。
    """
    for d, n in ((3, 20), (16, 6), (32, 3), (128, 6)):
        due = expected(d, n, False)["jac_norm"]
        near(measured(student, make, d, n, False), "jac_norm", due, MARGIN, d, n, False)


@points(0.75)
def test_gradient_stays_with_scaling(student, make):
    """With scaling the weights go on answering to the scores, by the same measure.

    缩放之后，用同样的方法衡量，权重始终随分数变化。
    """
    for d, n in ((3, 20), (16, 6), (32, 3)):
        due = expected(d, n, True)["jac_norm"]
        near(measured(student, make, d, n, True), "jac_norm", due, MARGIN, d, n, True)


@points(0.75)
def test_with_scaling_d_makes_no_difference(student, make):
    """With scaling neither the largest weight nor the Jacobian depends on d; without it both do.

    缩放之后，最大权重和雅可比矩阵都与 d 无关；不缩放时则都有关。
    """
    few, many = (measured(student, make, d, 6, True) for d in (32, 128))
    for name in ("max_weight", "jac_norm"):
        en = f"with scaling {name} is {few[name]:.4g} for d=32 and {many[name]:.4g} for d=128"
        zh = f"缩放之后，d=32 时 {name} 为 {few[name]:.4g}，d=128 时为 {many[name]:.4g}"
        expect(abs(few[name] - many[name]) <= MARGIN, en, zh)
        near(many, name, expected(128, 6, True)[name], MARGIN, 128, 6, True)


@points(0.75)
def test_seed(student, make):
    """The same seed gives the same figures, another seed others, scaled or not.

    种子相同，结果就相同；种子不同，结果也不同，无论是否缩放。
    """
    for scale in (False, True):
        seed = make.integer(0, 10**6)
        first, again, other = (student.score_stats(5, 3, scale, s) for s in (seed, seed, seed + 1))
        en, zh = f"seed {seed} gives other figures when used again", f"再次使用种子 {seed} 得到了不同的结果"
        expect(first == again, en, zh)
        en, zh = f"seeds {seed} and {seed + 1} give the same figures", f"种子 {seed} 与 {seed + 1} 得到了相同的结果"
        expect(all(first[name] != other[name] for name in first), en, zh)


@points(0.5)
def test_one_key(student, make):
    """A single key gets all the weight whatever its score, so the Jacobian is 0; vectors of one number work too.

    只有一个键时，无论分数多少，权重都归它，因此雅可比矩阵为 0；长度为 1 的向量同样成立。
    """
    for d, scale in ((1, False), (16, True), (16, False)):
        found = measured(student, make, d, 1, scale)
        near(found, "max_weight", 1.0, 1e-6, d, 1, scale)
        near(found, "jac_norm", 0.0, 1e-6, d, 1, scale)
    found = measured(student, make, 1, 4, True)
    near(found, "max_weight", expected(1, 4, True)["max_weight"], MARGIN, 1, 4, True)


def draw(d, n, seed, random=torch.randn):
    """Queries and keys as the exercise suggests to draw them."""
    generator = torch.Generator().manual_seed(seed)
    return random(QUERIES, d, generator=generator), random(QUERIES, n, d, generator=generator)


def raw_scores(d, n, seed):
    """The scores before any scaling."""
    q, k = draw(d, n, seed)
    return (k @ q[:, :, None])[:, :, 0]


def jacobians(p):
    """diag(p) - p p^T for each row of p."""
    return torch.diag_embed(p) - p[:, :, None] * p[:, None, :]


def figures(scores, p=None, **changed):
    """The three figures, some of them replaced."""
    p = scores.softmax(1) if p is None else p
    found = {"var": scores.var(), "max_weight": p.amax(1).mean(), "jac_norm": jacobians(p).norm(dim=(1, 2)).mean()}
    return {name: float(value) for name, value in {**found, **changed}.items()}


def scores_of(d, n, scale, seed):
    """The scores, scaled if asked for."""
    return raw_scores(d, n, seed) / (math.sqrt(d) if scale else 1.0)


@misconception("score_stats")
def scale_d(d, n, scale, seed):
    """The scores are divided by d instead of its square root. Their variance is then 1 / d: the spread of the scores
    is the square root of their variance, so dividing by sqrt(d) is what makes it 1.

    分数除以了 d，而不是它的平方根，方差因此成了 1 / d。分数的离散程度是方差的平方根，除以 sqrt(d) 才使它变成 1。
    """
    return figures(raw_scores(d, n, seed) / (d if scale else 1))


@misconception("score_stats")
def scale_all_heads(d, n, scale, seed):
    """The scores are divided by sqrt(8 d), the size of a model with eight heads. What counts is the length of the
    vectors that are multiplied, d.

    分数除以了 sqrt(8 d)，即八个头合起来的模型维度。起作用的是相乘的向量的长度 d。
    """
    return figures(raw_scores(d, n, seed) / (math.sqrt(8 * d) if scale else 1))


@misconception("score_stats")
def scale_mul_sqrt(d, n, scale, seed):
    """The scores are multiplied by sqrt(d) instead of divided by it: their variance becomes d * d.

    分数乘上了 sqrt(d)，而不是除以它：方差变成了 d * d。
    """
    return figures(raw_scores(d, n, seed) * (math.sqrt(d) if scale else 1))


@misconception("score_stats")
def scale_sqrt_keys(d, n, scale, seed):
    """The scores are divided by the square root of n, the number of keys. It is the length of the vectors, d, that
    makes them large.

    分数除以了键的个数 n 的平方根。使分数变大的是向量的长度 d。
    """
    return figures(raw_scores(d, n, seed) / (math.sqrt(n) if scale else 1))


@misconception("score_stats")
def never_scales(d, n, scale, seed):
    """The scores are never divided; `scale` makes no difference.

    分数从未除过；`scale` 没有起作用。
    """
    return figures(raw_scores(d, n, seed))


@misconception("score_stats")
def always_scales(d, n, scale, seed):
    """The scores are always divided by sqrt(d); `scale` makes no difference.

    分数总是除以 sqrt(d)；`scale` 没有起作用。
    """
    return figures(scores_of(d, n, True, seed))


@misconception("score_stats")
def scale_inverted(d, n, scale, seed):
    """`scale` is read the wrong way round: the scores are divided when it is false.

    `scale` 的含义弄反了：为假时反而除以了 sqrt(d)。
    """
    return figures(scores_of(d, n, not scale, seed))


@misconception("score_stats")
def scale_after_softmax(d, n, scale, seed):
    """The weights are divided by sqrt(d) instead of the scores, so a query's weights no longer sum to 1.

    除以 sqrt(d) 的是权重而不是分数，一个查询的权重之和不再是 1。
    """
    scores = raw_scores(d, n, seed)
    return figures(scores, scores.softmax(1) / (math.sqrt(d) if scale else 1))


@misconception("score_stats")
def variance_of_weights(d, n, scale, seed):
    """`var` is the variance of the weights. Measure the scores, before softmax.

    `var` 算成了权重的方差。应当测量 softmax 之前的分数。
    """
    scores = scores_of(d, n, scale, seed)
    return figures(scores, var=scores.softmax(1).var())


@misconception("score_stats")
def variance_of_queries(d, n, scale, seed):
    """`var` is the variance of the entries of the queries, which is 1 by construction. Measure the scores.

    `var` 算成了查询各元素的方差，而它按抽取方式本来就是 1。应当测量分数。
    """
    return figures(scores_of(d, n, scale, seed), var=draw(d, n, seed)[0].var())


@misconception("score_stats")
def variance_before_scaling(d, n, scale, seed):
    """`var` is measured before the scores are divided. Scale first, then measure.

    `var` 是在除以 sqrt(d) 之前测量的。应先缩放，再测量。
    """
    return figures(scores_of(d, n, scale, seed), var=raw_scores(d, n, seed).var())


@misconception("score_stats")
def standard_deviation(d, n, scale, seed):
    """`var` is the standard deviation, the square root of the variance.

    `var` 算成了标准差，即方差的平方根。
    """
    scores = scores_of(d, n, scale, seed)
    return figures(scores, var=scores.std())


@misconception("score_stats")
def largest_of_all(d, n, scale, seed):
    """`max_weight` is the largest weight of all queries together. Take each query's largest, then their average.

    `max_weight` 取的是全部查询中最大的一个权重。应先取每个查询的最大权重，再求平均。
    """
    scores = scores_of(d, n, scale, seed)
    return figures(scores, max_weight=scores.softmax(1).max())


@misconception("score_stats")
def average_weight(d, n, scale, seed):
    """`max_weight` is the average of all weights, which is 1 / n always.

    `max_weight` 算成了全部权重的平均值，而它永远是 1 / n。
    """
    scores = scores_of(d, n, scale, seed)
    return figures(scores, max_weight=scores.softmax(1).mean())


@misconception("score_stats")
def largest_score(d, n, scale, seed):
    """`max_weight` is the largest score. Weights are what softmax makes of the scores.

    `max_weight` 取的是最大的分数。权重是分数经 softmax 之后的结果。
    """
    scores = scores_of(d, n, scale, seed)
    return figures(scores, max_weight=scores.amax(1).mean())


@misconception("score_stats")
def softmax_over_queries(d, n, scale, seed):
    """Softmax runs over the queries. A query shares out its weight among its own n keys.

    softmax 沿着查询进行。应当由每个查询把权重分给自己的 n 个键。
    """
    scores = scores_of(d, n, scale, seed)
    return figures(scores, scores.softmax(0))


@misconception("score_stats")
def sum_of_squares(d, n, scale, seed):
    """`jac_norm` is the sum of squares of the Jacobian; its root is missing.

    `jac_norm` 是雅可比矩阵的平方和，没有开平方。
    """
    scores = scores_of(d, n, scale, seed)
    return figures(scores, jac_norm=jacobians(scores.softmax(1)).square().sum((1, 2)).mean())


@misconception("score_stats")
def spectral_norm(d, n, scale, seed):
    """`jac_norm` is the largest singular value of the Jacobian. Asked for is the Frobenius norm, the root of the sum of
    all squares.

    `jac_norm` 是雅可比矩阵的最大奇异值。要的是 Frobenius 范数，即所有元素平方和的平方根。
    """
    scores = scores_of(d, n, scale, seed)
    return figures(scores, jac_norm=torch.linalg.matrix_norm(jacobians(scores.softmax(1)), ord=2).mean())


@misconception("score_stats")
def diagonal_only(d, n, scale, seed):
    """Only the diagonal p (1 - p) of the Jacobian is counted. Every weight answers to every score: the entries -p_i p_j
    belong to it.

    只计入了雅可比矩阵的对角线 p (1 - p)。每个权重都随每个分数变化：-p_i p_j 这些元素也要算上。
    """
    scores = scores_of(d, n, scale, seed)
    p = scores.softmax(1)
    return figures(scores, jac_norm=(p * (1 - p)).norm(dim=1).mean())


@misconception("score_stats")
def without_the_product(d, n, scale, seed):
    """The Jacobian is diag(p) only, as if a weight answered to its own score alone and raising one took nothing from
    the others. Subtract p p^T.

    雅可比矩阵只取了 diag(p)，好像权重只随自己的分数变化，提高一个也不会减少其他。还应减去 p p^T。
    """
    scores = scores_of(d, n, scale, seed)
    return figures(scores, jac_norm=scores.softmax(1).norm(dim=1).mean())


@misconception("score_stats")
def norm_of_the_average(d, n, scale, seed):
    """The Jacobians are averaged first and the norm is taken of the average, in which most cancels. Take the norm of
    each, then the average.

    先把各个雅可比矩阵平均，再取范数，许多内容在平均时就抵消了。应先分别取范数，再求平均。
    """
    scores = scores_of(d, n, scale, seed)
    return figures(scores, jac_norm=jacobians(scores.softmax(1)).mean(0).norm())


@misconception("score_stats")
def by_raw_scores(d, n, scale, seed):
    """The derivative is taken by the scores before scaling, which divides it by sqrt(d) again. Asked for is how the
    weights answer to the scores that softmax gets.

    求导的对象是缩放之前的分数，于是又多除了一次 sqrt(d)。要的是权重对 softmax 所收到的分数有多敏感。
    """
    found = figures(scores_of(d, n, scale, seed))
    return {**found, "jac_norm": found["jac_norm"] / (math.sqrt(d) if scale else 1)}


@misconception("score_stats")
def summed_over_queries(d, n, scale, seed):
    """The figures are summed over the queries. Divide by their number.

    把各个查询的结果加在了一起，没有除以查询的个数。
    """
    found = figures(scores_of(d, n, scale, seed))
    return {**found, **{name: found[name] * QUERIES for name in ("max_weight", "jac_norm")}}


@misconception("score_stats")
def uniform_numbers(d, n, scale, seed):
    """The entries are drawn between 0 and 1 (`rand`), so they are never negative and scores pile up. Draw standard
    normal numbers (`randn`).

    元素是在 0 与 1 之间均匀抽取的（`rand`），从不为负，分数越积越大。应抽取标准正态随机数（`randn`）。
    """
    q, k = draw(d, n, seed, torch.rand)
    return figures((k @ q[:, :, None])[:, :, 0] / (math.sqrt(d) if scale else 1))


@misconception("score_stats")
def shared_keys(d, n, scale, seed):
    """All queries are compared with the same n keys. Then the figures hang on the luck of those few: draw n keys for
    each query.

    所有查询都与同样的 n 个键比较，结果便取决于这几个键的运气。应为每个查询各抽取 n 个键。
    """
    generator = torch.Generator().manual_seed(seed)
    q, k = torch.randn(QUERIES, d, generator=generator), torch.randn(n, d, generator=generator)
    return figures(q @ k.T / (math.sqrt(d) if scale else 1))


@misconception("score_stats")
def fixed_seed(d, n, scale, seed):
    """The random numbers always start from the same seed, so every run is the same experiment. Use the seed that is
    passed in.

    随机数总是从同一个种子开始，每次运行都是同一个实验。应使用传入的种子。
    """
    return figures(scores_of(d, n, scale, 0))
