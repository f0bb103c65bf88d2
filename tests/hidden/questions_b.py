"""Concept questions on scaled dot-product attention."""

import math

import torch
from hidden import attention as attention_suite
from hidden.lib.experiments import doubles, normal, same, tried

from grader.questions import Choice, Number, Numbers, Table, Text, question
from grader.suites import expect, expect_close, held_by

TOKENS = doubles([1, 0], [0, 1], [1, 1])  # Lab 1
CHANGED = doubles([1, 0], [0, 1], [2, 0])  # with another third token
W_Q, W_K, W_V = doubles([1, 0.5], [0, 1]), doubles([0.5, 1], [1, 0]), doubles([1, -0.5], [0.5, 1])  # Lab 1B


def attend(q, k, v, scale=None, dim=-1):
    """Attention in plain sight, with two places to slip: the scale and the dimension of softmax."""
    weights = (q @ k.mT * (q.shape[-1] ** -0.5 if scale is None else scale)).softmax(dim)
    return weights @ v, weights


def slope(attention, *lead, t_q=5, t_kv=7, dh=6, dv=4):
    """By what the scores are multiplied before softmax, from the weights alone: a regression of their logarithms."""
    q, k, v = normal(*lead, t_q, dh), normal(*lead, t_kv, dh, seed=2), normal(*lead, t_kv, dv, seed=3)
    _, weights = attention(q, k, v)
    gaps = (q @ k.mT).diff(dim=-1)
    return float((weights.log().diff(dim=-1) * gaps).sum() / gaps.square().sum())


# The score matrix


@question(0.5, Number(decimals=2))
def one_score(lab):
    """The tokens of this example are [1, 0], [0, 1] and {third}, and queries, keys and values are the tokens
    themselves. What is the raw score (the dot product, not scaled) of the second query and the third key?
    """
    third = lab.pick("third", [1, 1], [[1, 2], [2, 1], [2, 3], [3, 2], [1, 3], [3, 1]])
    TOKENS = doubles([1, 0], [0, 1], third)
    scores = lab.solution("attention_scores").attention_scores(TOKENS, TOKENS)
    lab.show("scores", scores)
    lab.wrong_answer("scaled", scores[1, 2] / math.sqrt(2), "that is scaled; the raw score is the dot product")
    lab.wrong_answer("weight", attend(TOKENS, TOKENS, TOKENS)[1][1, 2], "that is the weight, after softmax")
    lab.wrong_answer("diagonal", scores[2, 2], "that is the third query with the third key")
    lab.wrong_answer("another_key", scores[1, 0], "that is the second query with the first key")
    return scores[1, 2]


@question(0.5, Number(decimals=0))
def how_many_scores(lab):
    """A sentence of {n} tokens attends to itself, without a mask. How many scores does one head compute?"""
    n = lab.pick("n", 6, (5, 7, 8, 9, 11, 12))
    x = normal(n, 4)
    scores = lab.solution("attention_scores").attention_scores(x, x)
    lab.show("shape of the scores", [list(scores.shape)])
    lab.wrong_answer("one_row", n, "that is one query's row; every query has one")
    lab.wrong_answer("not_itself", n * (n - 1), "a token is compared with itself as well")
    said = "a pair is compared twice, since each of the two is the query once, and each token with itself too"
    lab.wrong_answer("pairs", n * (n - 1) // 2, said)
    lab.wrong_answer(
        "pairs_and_itself", n * (n + 1) // 2, "a pair is compared twice: each of the two is the query once"
    )
    return scores.numel()


@question(1, Table(("query 2", "key 4"), ("rows", "columns"), Choice({"one": "one", "all": "all"})))
def what_moves_in_the_scores(lab):
    """Five queries are compared with seven keys. Either query 2 is replaced, or key 4 is. In how many rows and in how
    many columns of the table of scores (a row for each query) does something change?
    """
    scores = lab.solution("attention_scores").attention_scores
    q, k = normal(5, 3), normal(7, 3, seed=2)
    before, key = scores(q, k), []
    for which in (0, 1):
        parts = [q.clone(), k.clone()]
        parts[which][(2, 4)[which] - 1] = normal(3, seed=3)
        moved = (scores(*parts) - before).abs() > 1e-9
        counts = [int(moved.any(dim).sum()) for dim in (1, 0)]
        lab.show("rows and columns that change", [counts])
        key.append(["one" if count == 1 else "all" for count in counts])
    lab.wrong_answer("sideways", key[::-1], "rows belong to queries, columns to keys")
    said = "a query meets every key, and all these scores stand in its own row"
    lab.wrong_answer("query_is_a_column", [key[1], key[1]], said)
    said = "a key meets every query, and each of these scores stands in that query's row"
    lab.wrong_answer("key_is_a_row", [key[0], key[0]], said)
    return key


# Scaled dot-product attention


SUSPECTS = {
    "a": ("scores_transposed", "scores are k q^T instead of q k^T"),
    "b": ("no_scale", "the scores are not scaled"),
    "c": ("out_uses_k", "the weights mix the keys instead of the values"),
    "d": ("softmax_over_queries", "softmax runs over the queries"),
    "e": ("mask_ignored", "the mask is ignored"),
    "f": ("scale_sqrt_dv", "the scale is the root of the channels of a value"),
    "g": ("out_weights_transposed", "the weights are transposed before they meet the values"),
    "h": ("adds_causal_always", "later keys are always hidden"),
}


def prints(attention, due):
    """Whether a way to compute attention prints these weights and this output for the tokens of Lab 1."""
    try:
        found = attention(TOKENS.clone(), TOKENS.clone(), TOKENS.clone())
    except Exception:  # whatever a mistake dies of here, it prints no right number
        return False
    if not isinstance(found, tuple) or [f.shape for f in found] != [d.shape for d in due]:
        return False
    return all(bool(((f - d).abs() < 5e-4).all()) for f, d in zip(found, due, strict=True))


@question(2, Choice({letter: said for letter, (_, said) in SUSPECTS.items()}, many=True))
def invisible_in_lab_1(lab):
    """Someone tests attention only with the tokens of Lab 1, [1, 0], [0, 1] and [1, 1], which are queries, keys and
    values at once, and without a mask. With which of these mistakes are the weights and the output still right?
    """
    due = lab.solution("attention").scaled_dot_product_attention(TOKENS, TOKENS, TOKENS)
    hidden = [m.name for m in held_by(attention_suite) if prints(m.functions["scaled_dot_product_attention"], due)]
    total = len(held_by(attention_suite))
    lab.show(
        Text("{hidden} of {total} known mistakes print the right numbers").format(hidden=len(hidden), total=total),
        [[n] for n in hidden],
    )
    lab.wrong_answer("no_mask", ["a", "c", "f"], "no mask was passed, so whoever ignores it is not found out")
    said = "queries, keys and values are equal here, and all have d channels: which mistakes does that hide?"
    lab.wrong_answer("mask_only", ["e"], said)
    return lab.by_letter([letter for letter, (name, *_) in SUSPECTS.items() if name in hidden], {
        "a": ("transposed_shows",
              "where queries and keys are the same, i scores with j what j scores with i: transposed, the table stays"),
        "b": ("scale_cancels", "without the scale the gaps between scores grow, and the weights become more uneven"),
        "c": ("keys_show", "where keys and values are the same, nobody can tell which of them was mixed"),
        "d": ("either_axis",
              "softmax over the queries makes the columns sum to 1; the rows then do not, and that shows"),
        "f": ("root_of_dv_shows", "a value has as many channels as a query here, so the two roots are one number"),
        "g": ("weights_symmetric", "the table of weights is not symmetric: each row was divided by a sum of its own"),
        "h": ("causal_by_itself",
              "without a mask the first token gives weight to the two after it, and the numbers show this"),
    })  # fmt: skip


@question(1, Number(decimals=3))
def scale_for_64(lab):
    """Queries and keys have Dh = {dh} channels. By which number are the scores multiplied before softmax?"""
    dh = lab.pick("dh", 64, (16, 32, 48, 80, 96, 128))
    found = slope(lab.solution("attention").scaled_dot_product_attention, dh=dh)
    lab.show("from the weights: score gaps were multiplied by", [[found]])
    lab.wrong_answer("divisor", dh**0.5, "that is what they are divided by")
    lab.wrong_answer("not_the_root", 1 / dh, "that is 1 / Dh; take the square root")
    lab.wrong_answer(
        "of_the_model", 1 / math.sqrt(512), "that is 1 / sqrt(512), for a single head of a model of width 512"
    )
    return round(found, 9)


SIZES = {
    "a": "the number of queries",
    "b": "the number of keys",
    "c": "the number of channels of a query, and of a key",
    "d": "the number of channels of a value",
    "e": "the number of heads, each with as many channels as before",
}


@question(1, Choice(SIZES, many=True))
def what_the_scale_depends_on(lab):
    """Each of these sizes is doubled on its own. Which of them change the number by which the scores are multiplied?"""
    attention = lab.solution("attention").scaled_dot_product_attention
    sizes = {"t_q": 5, "t_kv": 7, "dh": 6, "dv": 4}
    before = slope(attention, 3, **sizes)
    changed = [slope(attention, 3, **{**sizes, name: 2 * size}) for name, size in sizes.items()]
    changed.append(slope(attention, 6, **sizes))
    found = {letter: abs(after / before - 1) > 1e-6 for letter, after in zip(SIZES, changed, strict=True)}
    lab.wrong_answer("keys_too", ["b", "c"], "more keys share the weight, but each score stays what it was")
    lab.wrong_answer("whole_model", ["c", "e"], "each head scales by its own Dh")
    return lab.by_letter(tried(lab, found), {
        "a": ("queries_too", "each query has a row of scores of its own; others beside it do not change them"),
        "c": ("fixed_number", "the scale makes up for the number of products that a score adds up"),
        "d": ("values_too", "values come in after softmax; the scores know nothing of them"),
    })  # fmt: skip


# Lab 1


def with_third(lab):
    """The tokens of Lab 1 with another third one."""
    third = lab.pick("third", [2, 1], [[0, 2], [3, 0], [0, 3], [1, 2], [3, 1]])
    return doubles([1, 0], [0, 1], third)


@question(1, Numbers((3, 3), decimals=2))
def lab_1_weights(lab):
    """In Lab 1 (tokens [1, 0], [0, 1], [1, 1]; queries = keys = values = tokens; no mask) the third token is changed to
    {third}. What are the weights now, with a row for each query?
    """
    CHANGED = with_third(lab)
    lab1 = lab.solution("lab1").lab1
    scores, weights, _ = lab1(CHANGED)
    lab.show("raw scores", scores)
    lab.show("weights", weights)
    lab.wrong_answer("before", lab1(TOKENS)[1], "these are the weights before the change")
    said = "the third query is the new token as well: its row changes too"
    lab.wrong_answer("keys_only", attend(TOKENS, CHANGED, CHANGED)[1], said)
    said = "the third key is the new token as well: its column changes too"
    lab.wrong_answer("query_only", attend(CHANGED, TOKENS, TOKENS)[1], said)
    lab.wrong_answer(
        "no_scale", attend(CHANGED, CHANGED, CHANGED, 1.0)[1], "divide the scores by sqrt(2) before softmax"
    )
    lab.wrong_answer(
        "scale_d", attend(CHANGED, CHANGED, CHANGED, 0.5)[1], "the scores were divided by d = 2 instead of sqrt(2)"
    )
    lab.wrong_answer(
        "columns", attend(CHANGED, CHANGED, CHANGED, dim=0)[1], "here the columns sum to 1; softmax runs along each row"
    )
    return weights


@question(1, Numbers((3, 2), decimals=2))
def lab_1_output(lab):
    """In Lab 1 (tokens [1, 0], [0, 1], [1, 1]; queries = keys = values = tokens; no mask) the third token is changed to
    {third}. What is the output now, with a row for each query?
    """
    CHANGED = with_third(lab)
    lab1 = lab.solution("lab1").lab1
    _, weights, output = lab1(CHANGED)
    lab.show("output", output)
    lab.wrong_answer("before", lab1(TOKENS)[2], "this is the output before the change")
    lab.wrong_answer("old_values", weights @ TOKENS, "the third value is the new token as well")
    lab.wrong_answer("old_weights", lab1(TOKENS)[1] @ CHANGED, "the weights change too, since queries and keys do")
    lab.wrong_answer(
        "no_scale", attend(CHANGED, CHANGED, CHANGED, 1.0)[0], "divide the scores by sqrt(2) before softmax"
    )
    lab.wrong_answer(
        "scale_d", attend(CHANGED, CHANGED, CHANGED, 0.5)[0], "the scores were divided by d = 2 instead of sqrt(2)"
    )
    return output


MOVES = Choice({"rises": "rises", "falls": "falls", "stays": "stays the same"})


@question(1, Table(("query 1", "query 2", "query 3"), ("weight of token 3",), MOVES))
def who_looks_more_at_token_3(lab):
    """In Lab 1 (queries = keys = values = tokens) token 3 changes from [1, 1] to [2, 0]. For each query: does the
    weight that it gives to token 3 rise, fall or stay the same?
    """
    lab1 = lab.solution("lab1").lab1
    before, after = lab1(TOKENS)[1][:, 2], lab1(CHANGED)[1][:, 2]
    lab.show("weight of token 3 before, after", torch.stack([before, after], 1))
    said = "the second query, [0, 1], is at right angles to [2, 0]: its score falls from 1 to 0"
    lab.wrong_answer("longer_wins", [["rises"]] * 3, said)
    lab.wrong_answer(
        "only_its_own", [["stays"], ["stays"], ["rises"]], "a token is a key for all queries, not for itself only"
    )
    return [["stays" if abs(d) < 1e-9 else "rises" if d > 0 else "falls"] for d in (after - before).tolist()]


# Why divide by sqrt(d)


@question(0.5, Number(decimals=2))
def spread_of_512(lab):
    """Two vectors have {d} entries each, all of them independent, with mean 0 and variance 1. What is the standard
    deviation of their dot product?
    """
    d = lab.pick("d", 512, (96, 128, 192, 256, 384, 768))
    stats = lab.solution("score_stats").score_stats
    measured = {n: stats(n, 2, False, 1)["var"] for n in (16, 64, d)}
    assert all(abs(var / n - 1) < 0.15 for n, var in measured.items())  # each entry adds a variance of 1
    lab.show("d, variance of 2,000 dot products, its root", [[n, v, math.sqrt(v)] for n, v in measured.items()])
    lab.wrong_answer("variance", d, "that is the variance; the standard deviation is its root")
    lab.wrong_answer("already_scaled", 1, "that is what it becomes after dividing by its root")
    return math.sqrt(d)


@question(0.5, Number(decimals=2))
def divisor_per_head(lab):
    """A model of width 512 has {heads} heads. By what number does each head divide its scores?"""
    heads = lab.pick("heads", 8, (2, 4, 16, 32))
    split, attention = lab.solution("heads").split_heads, lab.solution("attention").scaled_dot_product_attention
    head = split(normal(1, 4, 512), heads)
    found = 1 / slope(attention, heads, dh=head.shape[-1])
    lab.show("shape of a head's queries, divisor", [[list(head[0, 0].shape), found]])
    said = "that is for a single head of width 512; here each has a part of the 512 channels"
    lab.wrong_answer("whole_model", math.sqrt(512), said)
    lab.wrong_answer("not_the_root", 512 // heads, "that is Dh; take its square root")
    return round(found, 9)


@question(0.5, Number(decimals=0))
def entries_three_times_as_large(lab):
    """The entries of queries and keys are independent with mean 0 and standard deviation {s} (instead of 1). What is
    the variance of the scores after they are divided by sqrt(Dh), for Dh = 64?
    """
    factor = lab.pick("s", 3, (2, 4, 5, 6))
    q, k = normal(2000, 64), normal(2000, 64, seed=2)
    once, thrice = ((s * q * s * k).sum(1).div(8).var() for s in (1, factor))
    lab.show(
        Text("variance with standard deviation 1, with {factor}, ratio").format(factor=factor),
        [[once, thrice, thrice / once]],
    )
    lab.wrong_answer("still_1", 1, "scaling brings the variance to 1 only if that of the entries is 1")
    lab.wrong_answer("standard_deviation", factor**2, "that is the standard deviation of the scores")
    lab.wrong_answer("once", factor, "both vectors are larger by this factor, and variance grows with the square")
    lab.wrong_answer("not_scaled", factor**4 * 64, "that is without dividing by sqrt(Dh)")
    return round(float(thrice / once), 6)  # that of entries with variance 1 is 1


NEEDED = {
    "a": "The entries are independent of each other.",
    "b": "The entries have mean 0.",
    "c": "The entries have variance 1.",
    "d": "The entries are normally distributed.",
    "e": "There are many keys.",
}


@question(1, Choice(NEEDED, many=True))
def what_variance_1_rests_on(lab):
    """After division by sqrt(Dh) the scores have variance 1. Which of these assumptions are needed for that? (Without
    such an assumption, but with the others, the variance may differ from 1.)
    """
    q, k = normal(20000, 16), normal(20000, 16, seed=2)
    uniform = torch.rand(2, 20000, 16, generator=torch.Generator().manual_seed(3), dtype=torch.float64)
    without = {
        "a": (q[:, :1].expand_as(q), k[:, :1].expand_as(k)),  # one number, repeated
        "b": (q + 1, k + 1),
        "c": (2 * q, 2 * k),
        "d": ((uniform[0] - 0.5) * math.sqrt(12), (uniform[1] - 0.5) * math.sqrt(12)),
        "e": (q, k),  # one key for each query
    }
    variances = {letter: float((one * two).sum(1).div(4).var()) for letter, (one, two) in without.items()}
    lab.show("without it the variance is", list(variances.items()))
    lab.wrong_answer("normal", ["a", "b", "c", "d"], "any distribution with mean 0 and variance 1 will do")
    lab.wrong_answer("variance_only", ["c"], "entries that repeat each other add up, and a mean adds to every product")
    return lab.by_letter([letter for letter, variance in variances.items() if abs(variance - 1) > 0.1], {
        "a": ("repeats", "entries that repeat each other are added in step: the variance grows with the square of Dh"),
        "b": ("mean_is_harmless",
              "a mean other than 0 leaves the variance of an entry as it is, but not that of a product"),
        "c": ("any_size", "sqrt(Dh) makes up for the number of entries, not for their size"),
        "e": ("many_keys", "a score is computed from one query and one key, however many other keys there are"),
    })  # fmt: skip


YES = Choice({"yes": "yes", "no": "no"})


@question(0.5, Table(("not scaled", "scaled"), ("max_weight > 0.9", "jac_norm > 0.3"), YES))
def saturated_or_not(lab):
    """Random queries with 512 channels (independent standard normal entries) are each compared with 6 random keys.
    Without and with scaling: is the largest weight of a query above 0.9 on average (max_weight), and is the Frobenius
    norm of the Jacobian of softmax, diag(p) - p p^T, above 0.3 on average (jac_norm)?
    """
    found = [lab.solution("score_stats").score_stats(512, 6, scale, 1) for scale in (False, True)]
    lab.show("max_weight, jac_norm, not scaled and scaled", [[f["max_weight"], f["jac_norm"]] for f in found])
    said = "where one weight is nearly 1, moving a score hardly moves any weight: the gradient is gone"
    lab.wrong_answer("sharp_learns", [["yes", "yes"], ["no", "no"]], said)
    return [["yes" if f["max_weight"] > 0.9 else "no", "yes" if f["jac_norm"] > 0.3 else "no"] for f in found]


# Projections


@question(1, Numbers((3, 2), decimals=3))
def lab_1b_output(lab):
    """Lab 1B: the tokens are [1, 0], [0, 1] and {third}, and Q = X W_q, K = X W_k, V = X W_v with
    W_q = [[1, 0.5], [0, 1]], W_k = [[0.5, 1], [1, 0]], W_v = [[1, -0.5], [0.5, 1]]; no mask. What is the output?
    """
    third = lab.pick("third", [1, 1], [[2, 1], [1, 2], [2, 0], [0, 2], [2, 2]])
    TOKENS = doubles([1, 0], [0, 1], third)
    project, attention = lab.solution("qkv_projection").qkv_projection, lab.solution("attention")
    q, k, v = project(TOKENS, W_Q, W_K, W_V)
    output, weights = attention.scaled_dot_product_attention(q, k, v)
    for name, table in (("Q", q), ("K", k), ("V", v), ("weights", weights), ("output", output)):
        lab.show(name, table)
    lab.wrong_answer("tokens_mixed", weights @ TOKENS, "the tokens were mixed; mix V = X W_v")
    said = "the matrices were transposed, as in nn.Linear; here it is X W"
    lab.wrong_answer("transposed", attend(*project(TOKENS, W_Q.T, W_K.T, W_V.T))[0], said)
    lab.wrong_answer("no_scale", attend(q, k, v, 1.0)[0], "divide the scores by sqrt(2)")
    lab.wrong_answer("not_projected", attend(TOKENS, TOKENS, v)[0], "queries and keys have to be projected as well")
    lab.wrong_answer("columns", attend(q, k, v, dim=0)[0], "softmax runs along each row of the scores")
    return output


@question(0.5, Numbers((2,), decimals=0, whole=True))
def shape_in_nn_linear(lab):
    """What is the shape of the weight of `torch.nn.Linear({wide}, {narrow})`?"""
    wide, narrow = lab.pick("wide", 512, (96, 128, 256, 384)), lab.pick("narrow", 64, (16, 24, 32, 48))
    with torch.random.fork_rng(devices=[]):
        layer = torch.nn.Linear(wide, narrow)
    lab.show(
        "shape of the weight, shape of the result for 5 tokens",
        [[list(layer.weight.shape), list(layer(torch.zeros(5, wide)).shape)]],
    )
    lab.wrong_answer(
        "as_multiplied", [wide, narrow], "that is the matrix of X W; nn.Linear stores its transpose and computes X W^T"
    )
    return list(layer.weight.shape)


RESULTS = {"a": "Q", "b": "K", "c": "V", "d": "weights", "e": "output"}


@question(0.5, Choice(RESULTS, many=True))
def all_transposed(lab):
    """All three matrices of Lab 1B (W_q = [[1, 0.5], [0, 1]], W_k = [[0.5, 1], [1, 0]], W_v = [[1, -0.5], [0.5, 1]];
    tokens [1, 0], [0, 1], [1, 1]) are transposed by mistake. Which results change?
    """
    project = lab.solution("qkv_projection").qkv_projection

    def trace(*matrices):
        q, k, v = project(TOKENS, *matrices)
        output, weights = lab.solution("attention").scaled_dot_product_attention(q, k, v)
        return dict(zip(RESULTS, (q, k, v, weights, output), strict=True))

    right, wrong = trace(W_Q, W_K, W_V), trace(W_Q.T, W_K.T, W_V.T)
    lab.wrong_answer("all", list("abcde"), "W_k is symmetric: nothing happens to K, and this example cannot show it")
    return lab.by_letter(tried(lab, {letter: not same(right[letter], wrong[letter]) for letter in RESULTS}), {
        "a": ("w_q_symmetric",
              "W_q has 0.5 on one side of the diagonal and 0 on the other: its transpose is another matrix"),
        "c": ("w_v_symmetric", "W_v has -0.5 and 0.5 beside the diagonal: its transpose has them the other way round"),
        "d": ("one_is_not_enough",
              "the scores are X W_q W_k^T X^T, and with both matrices transposed that is another product"),
        "e": ("evened_out", "the output is the weights times X W_v, and nothing in it makes up for the transposes"),
    })  # fmt: skip


# What changes, what stays


CHANGE = Choice({"changes": "changes", "same": "stays the same"})
STAGES = ("Q", "K", "V", "scores", "weights", "output")


def stages(lab, x, w_q, w_k, w_v):
    """Everything that attention computes on the way."""
    q, k, v = lab.solution("qkv_projection").qkv_projection(x, w_q, w_k, w_v)
    output, weights = lab.solution("attention").scaled_dot_product_attention(q, k, v)
    return q, k, v, lab.solution("attention_scores").attention_scores(q, k), weights, output


INPUTS = ("X", "W_q", "W_k", "W_v")


def changing(lab, name, made):
    """What changes if one of the inputs is replaced, in five trials with the inputs that `made` gives for a seed."""
    moved = torch.zeros(len(STAGES))
    for seed in range(0, 50, 10):
        given = dict(zip(INPUTS, made(seed), strict=True))
        other = given | {name: normal(*given[name].shape, seed=seed + 9)}
        pairs = zip(stages(lab, *given.values()), stages(lab, *other.values()), strict=True)
        moved += torch.tensor([0.0 if same(*pair) else 1.0 for pair in pairs])
    lab.show(
        Text("{name} replaced: how often of 5 each stage changed").format(name=name),
        [moved.int().tolist()],
        head=STAGES,
    )
    return row_of(*(stage for stage, count in zip(STAGES, moved, strict=True) if count))


def row_of(*changed):
    """The cells of a row in which only these change."""
    return ["changes" if stage in changed else "same" for stage in STAGES]


@question(2, Table(("W_v",), STAGES, CHANGE))
def only_w_v_is_replaced(lab):
    """Lab 1B computes Q = X W_q, K = X W_k and V = X W_v, then the scores from Q and K, the weights from the scores,
    and the output from the weights and V. Only W_v is replaced by another matrix. Which of these six change, in
    general, and which stay the same?
    """
    said = "W_v makes the content that is passed on; it takes no part in the matching"
    lab.wrong_answer("values_match", [row_of("V", "scores", "weights", "output")], said)
    said = "W_v makes the content that is passed on; weights come from Q and K"
    lab.wrong_answer("values_match_a_little", [row_of("V", "weights", "output")], said)
    lab.wrong_answer(
        "output_is_the_weights", [row_of("V")], "the same weights mix other values, so the output changes too"
    )
    return [changing(lab, "W_v", lambda seed: (TOKENS, W_Q, W_K, W_V))]


@question(2, Table(("W_v", "W_q", "W_k", "X"), STAGES, CHANGE))
def what_changes(lab):
    """Q = X W_q, K = X W_k, V = X W_v; the scores are computed from Q and K, the weights from the scores, and the
    output from the weights and V. In each row of the table only the matrix named there is replaced. What changes in
    general?
    """

    def made(seed):
        return normal(5, 4, seed=seed), *(normal(4, 4, seed=seed + i) for i in (1, 2, 3))

    key = [changing(lab, name, made) for name in ("W_v", "W_q", "W_k", "X")]

    def instead(row, *changed):
        return [row_of(*changed) if i == row else kept for i, kept in enumerate(key)]

    said = "W_v makes the content that is passed on; it takes no part in the matching"
    lab.wrong_answer("values_match", instead(0, "V", "scores", "weights", "output"), said)
    said = "W_v makes the content that is passed on; weights come from Q and K"
    lab.wrong_answer("values_match_a_little", instead(0, "V", "weights", "output"), said)
    said = "X goes into all three: queries, keys and values are views of the same tokens"
    lab.wrong_answer("x_is_content", instead(3, "V", "output"), said)
    said = "other weights mix the values differently, so the output changes too"
    lab.wrong_answer("queries_mix", instead(1, "Q", "scores", "weights"), said)
    return key


def gives_the_same_weights(given):
    """Other W_q and W_k of Lab 1B, one above the other, that leave its weights as they are."""
    w_q, w_k = given[:2], given[2:]
    other = torch.cat([w_q - W_Q, w_k - W_K]).abs().max() >= 0.25
    expect(other, "every entry is within 0.25 of that of Lab 1B; change one of them by at least 0.25")
    weights, due = (attend(TOKENS @ a, TOKENS @ b, TOKENS)[1] for a, b in ((w_q, w_k), (W_Q, W_K)))
    expect_close(weights, due, 2e-3, "the weights are not those of Lab 1B")


@question(3, Numbers((4, 2), decimals=0), accepts=gives_the_same_weights)
def other_matrices_same_weights(lab):
    """Lab 1B has W_q = [[1, 0.5], [0, 1]] and W_k = [[0.5, 1], [1, 0]]. Find other matrices (at least one entry
    differs by 0.25 or more) that give the same weights for its tokens [1, 0], [0, 1], [1, 1]. Write the two rows of
    W_q, then the two rows of W_k.
    """
    turn = doubles([2, 0], [0, 0.5])
    example = torch.cat([W_Q @ turn, W_K @ torch.linalg.inv(turn).T])  # the scores are X W_q W_k^T X^T
    lab.show(
        "weights with W_q M and W_k M^-T for M = [[2, 0], [0, 0.5]]",
        attend(TOKENS @ example[:2], TOKENS @ example[2:], TOKENS)[1],
    )
    return example


def lab_1b(w_v):
    """The output of Lab 1B with these value projections."""
    return attend(TOKENS @ W_Q, TOKENS @ W_K, TOKENS @ w_v)[0]


SWAP = doubles([0, 1], [2, 0])  # of a row (a, b) it makes (2 b, a)


def swaps_the_columns(given):
    """W_v that makes the output (2 b, a) where Lab 1B has (a, b)."""
    got, due = lab_1b(given), lab_1b(W_V) @ SWAP
    first = ", ".join(f"{x:.4g}" for x in got[0].tolist())
    wanted = ", ".join(f"{x:.4g}" for x in due[0].tolist())
    expect_close(got, due, 5e-3, "the first output is [{first}], expected [{wanted}]", first=first, wanted=wanted)


@question(3, Numbers((2, 2), decimals=0), accepts=swaps_the_columns)
def values_for_an_output(lab):
    """The outputs of Lab 1B are [1.1276, 0.3759], [1.1017, 0.1978] and [1.2180, 0.2860], with
    W_v = [[1, -0.5], [0.5, 1]]. Find another W_v, all else unchanged, so that every output [a, b] becomes [2 b, a].
    """
    example = W_V @ SWAP  # the output is linear in W_v
    lab.show("output before, after", torch.cat([lab_1b(W_V), lab_1b(example)], 1))
    return example


@question(2, Table(("queries", "keys", "values"), ("weights", "output"), CHANGE))
def same_vector_added(lab):
    """The same vector is added to all queries, or to all keys, or to all values (which is what a bias does). There is
    no mask. What changes in general?
    """
    attention = lab.solution("attention").scaled_dot_product_attention
    key = []
    for i in range(3):
        moved = [False, False]
        for seed in range(0, 50, 10):
            parts = [normal(5, 4, seed=seed + s) for s in (1, 2, 3)]
            shifted = [p + normal(4, seed=seed + 4) if i == j else p for j, p in enumerate(parts)]
            (output, weights), (after, w) = attention(*parts), attention(*shifted)
            moved = [moved[0] or not same(w, weights), moved[1] or not same(after, output)]
        key.append(["changes" if m else "same" for m in moved])
    lab.show("weights, output", key)
    said = "a shift of all keys adds the same number to all scores of a query; softmax does not see it"
    lab.wrong_answer("key_bias_matters", [["changes", "changes"], ["changes", "changes"], ["same", "changes"]], said)
    said = "a shift c of the queries adds c . k_j to the scores, another number for each key"
    lab.wrong_answer("shifts_are_free", [["same", "same"], ["same", "same"], ["same", "changes"]], said)
    return key


# Laws of attention


MATCHING = {
    "a": "Adding one vector to all keys changes nothing.",
    "b": "Adding one vector to all queries changes nothing.",
    "c": "Rotating queries and keys in the same way changes nothing.",
    "d": "Queries twice as large give outputs twice as large.",
    "e": "Queries of 0 give the mean of the values.",
    "f": "Queries times 2 and keys divided by 2 change nothing.",
}


@question(2, Choice(MATCHING, many=True))
def laws_of_matching(lab):
    """Attention with scaled scores and without a mask: which of these statements about queries and keys hold for all
    inputs? ("Nothing changes" is about the output.)
    """
    attention = lab.solution("attention").scaled_dot_product_attention

    def laws(seed):
        q, k, v, c = (
            normal(5, 4, seed=seed),
            normal(7, 4, seed=seed + 1),
            normal(7, 3, seed=seed + 2),
            normal(4, seed=seed + 3),
        )
        rotation, _ = torch.linalg.qr(normal(4, 4, seed=seed + 4))
        output, _ = attention(q, k, v)
        return {
            "a": same(attention(q, k + c, v)[0], output),
            "b": same(attention(q + c, k, v)[0], output),
            "c": same(attention(q @ rotation, k @ rotation, v)[0], output),
            "d": same(attention(2 * q, k, v)[0], 2 * output),
            "e": same(attention(0 * q, k, v)[0], v.mean(0).expand(5, 3)),
            "f": same(attention(2 * q, k / 2, v)[0], output),
        }

    said = "longer queries make the weights more uneven; the output stays a mix of the values"
    lab.wrong_answer("linear_in_q", list("acdef"), said)
    said = "a shift c of the queries adds c . k_j to the scores, another number for each key"
    lab.wrong_answer("shifts_are_free", list("abcef"), said)
    return lab.by_letter(tried(lab, always(laws)), {
        "a": ("key_shift_matters",
              "a shift c of the keys adds q . c to all scores of a query alike; softmax does not see it"),
        "c": ("turned_away", "a rotation keeps lengths and angles, and so every dot product"),
        "e": ("zero_gives_zero", "a query of 0 scores 0 with every key, and equal scores are equal weights, not none"),
        "f": ("one_of_both_wins", "in every dot product the factors 2 and 1/2 cancel"),
    })  # fmt: skip


def always(laws):
    """Which laws held in all of five trials with other random inputs."""
    trials = [laws(seed) for seed in range(0, 100, 20)]
    return {letter: all(trial[letter] for trial in trials) for letter in trials[0]}


MIXING = {
    "a": "Each entry of an output lies between the smallest and the largest value of its column.",
    "b": "The same is true after a further multiplication by an output matrix W_O.",
    "c": "Values times 2 plus 3 give outputs times 2 plus 3.",
    "d": "With a single key the output is its value, whatever the query.",
    "e": "Writing every key with its value twice changes nothing.",
    "f": "Writing one of the keys with its value twice changes nothing.",
}


@question(1.5, Choice(MIXING, many=True))
def laws_of_mixing(lab):
    """Attention without a mask: which of these statements about values and outputs hold for all inputs?"""
    attention = lab.solution("attention").scaled_dot_product_attention

    def inside(output, v):
        return bool(((output >= v.amin(0) - 1e-9) & (output <= v.amax(0) + 1e-9)).all())

    def laws(seed):
        q, k, v = normal(5, 4, seed=seed), normal(7, 4, seed=seed + 1), normal(7, 3, seed=seed + 2)
        output, _ = attention(q, k, v)
        one_more = [*range(7), 0]
        return {
            "a": inside(output, v),
            "b": inside(output @ normal(3, 3, seed=seed + 3), v),
            "c": same(attention(q, k, 2 * v + 3)[0], 2 * output + 3),
            "d": same(attention(q, k[:1], v[:1])[0], v[:1].expand(5, 3)),
            "e": same(attention(q, k.repeat(2, 1), v.repeat(2, 1))[0], output),
            "f": same(attention(q, k[one_more], v[one_more])[0], output),
        }

    said = "W_O may stretch, turn and flip: after it the output is no longer a mix of the values"
    lab.wrong_answer("convex_after_w_o", list("abcde"), said)
    lab.wrong_answer("copies_are_free", list("acdef"), "a key that stands there twice gets a share twice")
    return lab.by_letter(tried(lab, always(laws)), {
        "a": ("beyond_the_values",
              "weights from softmax are positive and sum to 1, and such a mean never leaves the range"),
        "c": ("shift_is_lost", "the weights sum to 1, so a number added to all values is added to their mix"),
        "d": ("one_key_has_to_match", "softmax of a single score is 1, however low it is"),
        "e": ("copies_add_up", "with everything there twice, each weight is halved and then counted twice"),
    })  # fmt: skip


ORDER = {
    "a": "Without a mask, keys in another order with their values in the same order change nothing.",
    "b": "Without a mask, tokens in another order get the same outputs, in that order.",
    "c": "With a causal mask, tokens in another order get the same outputs, in that order.",
    "d": "With a causal mask, replacing the last token changes the last output only.",
    "e": "With a causal mask, the first output is the first value.",
    "f": "Changing one example of a batch changes the outputs of the others.",
}


@question(1.5, Choice(ORDER, many=True))
def laws_of_order(lab):
    """Self-attention with queries = keys = values = tokens and no positions: which of these statements about order and
    independence hold for all inputs?
    """
    attention = lab.solution("attention").scaled_dot_product_attention
    causal = torch.ones(5, 5, dtype=torch.bool).tril()

    def laws(seed):
        x, order = normal(2, 5, 4, seed=seed), [3, 0, 4, 2, 1]
        plain, masked = attention(x, x, x)[0], attention(x, x, x, mask=causal)[0]
        moved, last, first = x[:, order], x.clone(), x.clone()
        last[:, 4], first[0] = normal(2, 4, seed=seed + 1), normal(5, 4, seed=seed + 2)
        changed = (attention(last, last, last, mask=causal)[0] - masked).abs().amax((0, 2)) > 1e-9
        return {
            "a": same(attention(x, moved, moved)[0], plain),
            "b": same(attention(moved, moved, moved)[0], plain[:, order]),
            "c": same(attention(moved, moved, moved, mask=causal)[0], masked[:, order]),
            "d": changed.tolist() == [False, False, False, False, True],
            "e": same(masked[:, 0], x[:, 0]),
            "f": not same(attention(first, first, first)[0][1], plain[1]),
        }

    lab.wrong_answer(
        "order_is_built_in", list("de"), "without positions attention has no order: it sees a set of tokens"
    )
    said = "a causal mask fixes who is before whom; another order shows each token other neighbours"
    lab.wrong_answer("causal_too", list("abcde"), said)
    return lab.by_letter(tried(lab, always(laws)), {
        "a": ("keys_have_places", "each value keeps its key and so its weight, and a sum does not depend on the order"),
        "b": ("tokens_have_places", "what a token gets depends on which tokens there are, not on where they stand"),
        "d": ("last_is_seen", "no token before it sees the last one, so nothing of it reaches their outputs"),
        "e": ("first_is_mixed", "the first token sees nothing but itself, and a single weight is 1"),
        "f": ("batch_is_mixed", "no query is ever compared with a key of another example"),
    })  # fmt: skip


def leaves_the_range(given):
    """W_O after which the output of Lab 1 is not a mix of values between 0 and 1."""
    after = attend(TOKENS, TOKENS, TOKENS)[0] @ given
    outside = torch.maximum(after - 1, -after).max()
    expect(outside > 1e-9, "all entries still lie between 0 and 1")


@question(1, Numbers((2, 2), decimals=0), accepts=leaves_the_range)
def counterexample_output_matrix(lab):
    """The values of Lab 1 are [1, 0], [0, 1], [1, 1], so all entries of its outputs, [0.8022, 0.5989], [0.5989, 0.8022]
    and [0.7517, 0.7517], lie between 0 and 1. Give a matrix W_O (2 x 2) such that, after the outputs are multiplied by
    it from the right, at least one entry does not.
    """
    example = doubles([1, 0], [1, -1])
    lab.show("the outputs times [[1, 0], [1, -1]]", attend(TOKENS, TOKENS, TOKENS)[0] @ example)
    return example


def causal(x):
    """Causal attention among tokens of one number each."""
    scores = (x @ x.mT).masked_fill(torch.ones(len(x), len(x), dtype=torch.bool).triu(1), -math.inf)
    return scores.softmax(-1) @ x


def order_matters(given):
    """Three tokens whose causal outputs are not just reversed when the tokens are."""
    x = given.unsqueeze(1)
    apart = (causal(x.flip(0)).flip(0) - causal(x)).abs().max()
    expect(
        apart > 1e-9 * max(1.0, float(given.abs().max())), "with these tokens reversed the outputs are just reversed"
    )


@question(1, Numbers((3,), decimals=0), accepts=order_matters)
def counterexample_causal_order(lab):
    """Three tokens are one number each; queries = keys = values = tokens, and the mask is causal. Give three numbers
    such that reversing the order of the tokens does not just reverse the order of the outputs.
    """
    example = doubles([1], [2], [3])
    lab.show(
        "outputs, outputs of the reversed tokens in reverse",
        torch.cat([causal(example), causal(example.flip(0)).flip(0)], 1),
    )
    return example


def lowers_its_weight(given):
    """A query and two keys of one number each: doubling the first key lowers its weight."""
    q, k_1, k_2 = given.tolist()
    lower = q * k_1 < 0  # its score falls, and so does its weight, even where it is too close to 0 or 1 to be seen
    before, after = (attend(doubles([q]), doubles([k], [k_2]), doubles([0], [0]))[1][0, 0] for k in (k_1, 2 * k_1))
    expect(lower, "the weight of the first key goes from {before:.4f} to {after:.4f}", before=before, after=after)


@question(1, Numbers((3,), decimals=0), accepts=lowers_its_weight)
def counterexample_longer_key(lab):
    """ "A longer key gets more weight." Give a query and two keys, one number each (Dh = 1), such that doubling the
    first key lowers its weight. Write the query, then the first key, then the second one.
    """
    rows = [attend(doubles([1]), doubles([k], [0]), doubles([0], [0]))[1] for k in (-1, -2)]
    lab.show("weights for q = 1, k_1 = -1, then -2, k_2 = 0", torch.cat(rows))
    return [1, -1, 0]
