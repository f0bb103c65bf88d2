"""Concept questions on soft retrieval and normalisation."""

import itertools
import math

import torch
from hidden.lib.experiments import doubles, normal, same, tried

from grader.questions import Choice, Number, Numbers, Table, question

SCORES = (1.4, 3.1, 0.6, 2.2)
IT = (0.20, 0.10, 0.65, 0.05)  # how much a pronoun looks at four tokens before it


@question(1, Numbers((4,), decimals=3))
def softmax_by_hand(lab):
    """Four tokens have the scores {scores}. What weights does softmax give them, in this order?"""
    x = lab.row("scores", SCORES, 0.5, 4.0)
    weights = lab.solution("softmax").softmax(x)
    lab.show("exponentials, their sum, weights", [[*x.exp(), x.exp().sum()], [*weights, weights.sum()]])
    lab.wrong_answer("not_normalised", x.exp(), "these are the exponentials; divide by their sum")
    lab.wrong_answer("log_softmax", weights.log(), "these are the logarithms of the weights")
    lab.wrong_answer("linear", x / x.sum(), "the scores were divided by their sum; take exponentials first")
    lab.wrong_answer("base2", (x * math.log(2)).softmax(0), "these come from powers of 2; softmax uses powers of e")
    lab.wrong_answer("sigmoid", x.sigmoid(), "each score was squashed alone; the four share a total of 1")
    lab.wrong_answer(
        "scaled", (x / 2).softmax(0), "the scores were divided by the root of their number first; nothing asks for that"
    )
    lab.wrong_answer(
        "rms_norm", x / x.square().mean().sqrt(), "that is RMSNorm: the row divided by its root mean square"
    )
    return weights


CHANGES = {
    "a": (lambda x: x + 7, "7 is added to every score"),
    "b": (lambda x: 2 * x, "every score is doubled"),
    "c": (lambda x: x[[1, 0, 2, 3]], "the first two scores change places"),
    "d": (lambda x: x - x.max(), "the largest score is subtracted from every score"),
    "e": (lambda x: torch.cat([x, doubles(-math.inf)]), "a fifth score, -inf, is appended"),
    "f": (lambda x: x + doubles(1, 0, 0, 0), "1 is added to the first score only"),
}


@question(1, Choice({letter: said for letter, (_, said) in CHANGES.items()}, many=True))
def softmax_unchanged(lab):
    """Four scores go through softmax. After which of these changes are the weights of the four the same as before, and
    in the same order?
    """
    softmax = lab.solution("softmax").softmax
    x = normal(5, 4)
    moved = {
        c: max(float((softmax(change(row))[:4] - softmax(row)).abs().max()) for row in x)
        for c, (change, *_) in CHANGES.items()
    }
    lab.show("change, largest difference of a weight", list(moved.items()))
    lab.wrong_answer("scale", ["a", "b", "d", "e"], "doubling the scores doubles their gaps: the largest gains")
    lab.wrong_answer("no_minus_infinity", ["a", "d"], "exp(-inf) = 0 adds nothing to the sum")
    return lab.by_letter([c for c, m in moved.items() if m < 1e-9], {
        "a": ("shift",
              "the same number added to every score multiplies every exponential alike, and the division cancels it"),
        "c": ("another_order", "each weight moves along with its score: the first two change places as well"),
        "d": ("largest_is_lost",
              "subtracting the largest score only guards against overflow; the gaps between the scores stay"),
        "f": ("shift_of_one",
              "1 more for the first score alone makes its exponential e times as large, and its weight grows"),
    })  # fmt: skip


@question(1, Number(decimals=2))
def overflow_in_float16(lab):
    """The largest finite number in float16 is 65,504. For which score x is exp(x) equal to it, so that softmax without
    a shift overflows for any larger score? (Compute with the exact number 65,504.)
    """
    limits = {d: math.log(torch.finfo(d).max) for d in (torch.float16, torch.bfloat16, torch.float32, torch.float64)}
    rows = [[str(d), limit, bool((torch.tensor(limit + 0.2, dtype=d)).exp().isinf())] for d, limit in limits.items()]
    lab.show("ln of the largest number, and whether exp just above it is inf", rows)
    key = limits[torch.float16]
    lab.wrong_answer("float32", limits[torch.float32], "that is the limit of float32 and bfloat16")
    lab.wrong_answer("float64", limits[torch.float64], "that is the limit of float64")
    lab.wrong_answer("base2", key / math.log(2), "that is the logarithm with base 2")
    lab.wrong_answer("base10", key / math.log(10), "that is the logarithm with base 10")
    return key


def given_weights(lab):
    """Four weights with two decimals that sum to 1."""
    rows = [IT, (0.2, 0.05, 0.6, 0.15), (0.05, 0.15, 0.7, 0.1), (0.3, 0.1, 0.5, 0.1), (0.15, 0.25, 0.55, 0.05)]
    found = lab.pick("weights", rows[0], rows[1:])
    lab.put(weights="[" + ", ".join(f"{w:.2f}" for w in found) + "]")
    return doubles(*found)


@question(0.5, Numbers((4,), decimals=2))
def lookup_in_identity(lab):
    """In "Ming likes cats; they ...", the token "they" gives the tokens Ming, likes, cats and they the weights
    {weights}. The values of these four tokens are the rows of the 4 x 4 identity matrix. What is the output for
    "they", the mix of the values?
    """
    weights, values = given_weights(lab), torch.eye(4, dtype=torch.float64)
    mix = lab.solution("soft_lookup").soft_lookup(weights, values)
    lab.show("the mix", mix.unsqueeze(0))
    lab.wrong_answer(
        "hard", values[weights.argmax()], "a dictionary would return one value alone; here all four are mixed"
    )
    lab.wrong_answer("average", values.mean(0), "the weights make the difference: this is the plain average")
    lab.wrong_answer("softmax_again", weights.softmax(0), "these are weights already; no second softmax")
    return mix


@question(0.5, Number(decimals=2))
def lookup_of_numbers(lab):
    """Four values are the numbers 10, 20, 30 and 40, and their weights are {weights}. What is the mix of the values?"""
    weights, values = given_weights(lab), doubles(10, 20, 30, 40)
    mix = lab.solution("soft_lookup").soft_lookup(weights, values.unsqueeze(1)).squeeze()
    lab.show("weight, value, share", torch.stack([weights, values, weights * values], 1))
    lab.wrong_answer("hard", 30, "that is the value with the largest weight; the others belong to the mix as well")
    only = 30 * float(weights[2])
    lab.wrong_answer("only_the_best", only, "that is the share of the third value alone")
    lab.wrong_answer("average", values.mean(), "that is the plain average; weigh the values")
    lab.wrong_answer("mean_of_shares", (weights * values).mean(), "add the four shares, do not average them")
    return mix


SOFT = {
    "a": "It can return a value that no entry holds.",
    "b": "With one weight of 1 and the rest 0 it returns exactly that entry's value.",
    "c": "It returns the value with the largest weight.",
    "d": "A gradient reaches the value of every entry with a weight above 0.",
    "e": "With weights from softmax the answer can be larger than every value.",
    "f": "When no key fits well, weights from softmax leave the answer close to 0.",
}


@question(1, Choice(SOFT, many=True))
def soft_versus_hard(lab):
    """A database returns the entry whose key matches. Which statements about a soft lookup, which mixes all values by
    weights that sum to 1, are true?
    """
    lookup = lab.solution("soft_lookup").soft_lookup
    softmax = lab.solution("softmax").softmax
    weights, values = softmax(normal(5)), normal(5, 1, seed=2).requires_grad_()
    mix = lookup(weights, values)
    (reached,) = torch.autograd.grad(mix.sum(), values)
    picked = [lookup(row, values) for row in torch.eye(5, dtype=torch.float64)]
    rows = [lookup(softmax(normal(5, seed=s)), values) for s in range(20)]
    poor = softmax(normal(5) - 1000)  # all scores very low
    found = {
        "a": bool((values - mix).abs().min() > 1e-3),
        "b": all(same(p, v) for p, v in zip(picked, values, strict=True)),
        "c": same(mix, values[weights.argmax()]),
        "d": bool((reached[weights > 0] != 0).all()),
        "e": any(bool(row > values.max()) for row in rows),
        "f": float(poor.sum()) < 0.5,
    }
    lab.wrong_answer("hard", ["b", "c", "d"], "the largest weight does not take it all: every entry adds its share")
    return lab.by_letter(tried(lab, found), {
        "a": ("stored_values_only", "the mix of several values usually falls between them, where no entry is"),
        "b": ("never_exact", "beside a weight of 1 the other values are multiplied by 0, and nothing of them is left"),
        "c": ("largest_takes_all",
              "one value alone is what argmax returns; in a mix the smaller weights add their shares as well"),
        "d": ("gradient_of_the_best",
              "a value enters the mix times its weight, and that weight is the factor of its gradient"),
        "e": ("beyond_the_values",
              "weights that are positive and sum to 1 make an average, which stays between its values"),
        "f": ("no_match_gives_zero", "softmax sees only the gaps between scores: poor matches share a total of 1, too"),
    })  # fmt: skip


ROWS = {
    "a": (0.1, 0.05, 0.8, 0.05),
    "b": (0.25, 0.15, 0.6),
    "c": (0.29, 0.36, 0.25),
    "d": (0.1722, 0.0518, 0.5678, 0.0082),
    "e": (0.7, 0.5, -0.2),
}


@question(1, Choice({letter: str(list(row)) for letter, row in ROWS.items()}, many=True))
def can_be_weights(lab):
    """Here are five rows that are called attention weights, with every digit printed. Which of them can be the result
    of softmax?
    """
    softmax, inverse = lab.solution("softmax").softmax, lab.solution("softmax_inverse").softmax_inverse
    back = {letter: softmax(inverse(doubles(*row))) for letter, row in ROWS.items()}
    lab.show("row, its sum, softmax of its scores", [
        [letter, round(sum(row), 4), *(f"{b:.4f}" for b in back[letter].tolist())] for letter, row in ROWS.items()
    ])  # fmt: skip
    lab.wrong_answer("not_added_up", ["a", "b", "c", "d"], "add each row up: a softmax row has the sum 1")
    lab.wrong_answer("negative", ["a", "b", "e"], "no exponential is negative, so no weight is")
    key = [letter for letter, row in ROWS.items() if bool(((back[letter] - doubles(*row)).abs() < 0.005).all())]
    return lab.by_letter(key, {
        "a": ("no_equal_weights", "equal weights come from equal scores, and nothing forbids these"),
        "b": ("no_scores_found",
              "positive numbers that sum to 1 are always a result of softmax: of their own logarithms"),
        "c": ("sums_to_nine_tenths", "0.29 + 0.36 + 0.25 = 0.90, so a tenth is missing"),
        "d": ("four_digits", "four decimals look exact, but 0.1722 + 0.0518 + 0.5678 + 0.0082 = 0.80, not 1"),
    })  # fmt: skip


def gap(lab, high, low):
    """How far apart the scores of two weights are; shown, with the usual slips."""
    scores = lab.solution("softmax_inverse").softmax_inverse(doubles(high, low, 1 - high - low))
    distance = scores[0] - scores[1]
    lab.show("weights, scores", [[high, low], [*scores[:2]]])
    lab.wrong_answer("ratio", high / low, "that is the ratio of the weights; the gap is its logarithm")
    lab.wrong_answer("difference", high - low, "that is the difference of the weights, not of the scores")
    lab.wrong_answer("base2", math.log2(high / low), "that is the logarithm with base 2; softmax uses e")
    lab.wrong_answer("base10", math.log10(high / low), "that is the logarithm with base 10; softmax uses e")
    lab.wrong_answer("sign", -distance, "the larger weight has the higher score")
    return distance


@question(0.5, Number(decimals=2))
def gap_of_eight(lab):
    """In one row of softmax weights a noun gets {high} and an article {low}. By how much is the noun's score higher
    than the article's?
    """
    high = lab.pick("high", 0.4, (0.3, 0.35, 0.45, 0.5, 0.55, 0.6))
    return gap(lab, high, lab.pick("low", 0.05, (0.02, 0.04, 0.06, 0.08, 0.12)))


@question(0.5, Number(decimals=2))
def gap_that_was_needed(lab):
    """A text gives two keys the scores 0.6 and 0.8, and says that after softmax their weights are {low} and {high}.
    That cannot be. How far apart must the two scores be for these weights?
    """
    low = lab.pick("low", 0.25, (0.15, 0.2, 0.22, 0.28, 0.3))
    high = lab.pick("high", 0.6, (0.55, 0.58, 0.62, 0.64, 0.66))
    said = "0.2 is the gap in the text; it gives the ratio e^0.2 = 1.22, not {high:.2f}"
    lab.wrong_answer("as_printed", 0.2, said, high=high / low)
    return gap(lab, high, low)


STEPS = {
    "a": "mix the values with the weights",
    "b": "apply softmax to each row",
    "c": "project the tokens to queries, keys and values",
    "d": "take the dot product of each query with each key and divide by sqrt(Dh)",
}


@question(1, Choice(STEPS, ordered=True))
def four_steps(lab):
    """In which order does attention take these four steps?"""
    x, *w = normal(5, 6), *(normal(6, 4, seed=s) for s in (2, 3, 4))
    due, _ = lab.solution("attention").scaled_dot_product_attention(*(x @ m for m in w))
    softmax, lookup = lab.solution("softmax").softmax, lab.solution("soft_lookup").soft_lookup
    steps = {
        "a": lambda now: {"answer": lookup(now["weights"], now["v"])},
        "b": lambda now: {"weights": softmax(now["scores"])},
        "c": lambda now: dict(zip("qkv", (x @ m for m in w), strict=True)),
        "d": lambda now: {"scores": now["q"] @ now["k"].T / math.sqrt(now["q"].shape[1])},
    }

    def works(order):
        now = {}
        try:
            for letter in order:
                now |= steps[letter](now)
        except KeyError:
            return False  # the step needs what no earlier one has made
        return same(now["answer"], due)

    found = [order for order in itertools.permutations(STEPS) if works(order)]
    lab.show("of all 24 orders these run and give attention", [["".join(o)] for o in found])
    lab.wrong_answer("mixed_first", list("cdab"), "the values are mixed with weights, and weights come out of softmax")
    lab.wrong_answer(
        "compared_first", list("dcba"), "what is compared are queries and keys, and the projection makes these"
    )
    lab.wrong_answer(
        "softmax_first", list("cbda"), "softmax turns scores into weights, and scores come from the dot products"
    )
    (order,) = found
    return list(order)


CHANGE = Choice({"changes": "changes", "stays": "stays the same"})


@question(1, Table(("query", "key", "value"), ("weights", "output"), CHANGE))
def what_each_role_changes(lab):
    """In attention only the queries are replaced by others, or only the keys, or only the values. In general, what
    happens to the weights and to the output?
    """
    attention = lab.solution("attention").scaled_dot_product_attention
    parts = [normal(5, 4, seed=s) for s in (1, 2, 3)]
    output, weights = attention(*parts)
    key = []
    for i in range(3):
        after, w = attention(*(normal(5, 4, seed=9) if i == j else p for j, p in enumerate(parts)))
        key.append(["stays" if same(*pair) else "changes" for pair in ((w, weights), (after, output))])
    lab.show("replaced, weights, output", [[n, *row] for n, row in zip("qkv", key, strict=True)])
    all_change = [["changes", "changes"]] * 3
    lab.wrong_answer(
        "values_match", all_change, "values take no part in the matching: weights come from queries and keys"
    )
    said = "keys decide how well each token matches, so the weights change with them"
    lab.wrong_answer("key_is_content", [["changes", "changes"], ["stays", "changes"], ["stays", "changes"]], said)
    return key


PLACES = Choice({
    "a": "the column that is returned: SELECT this",
    "b": "what is asked for: WHERE ... = this",
    "c": "the column that is compared: WHERE this = ...",
})  # fmt: skip


@question(1, Table(("query", "key", "value"), ("SQL",), PLACES))
def roles_in_sql(lab):
    """Attention is sometimes compared with `SELECT ... FROM memory WHERE ... = ...`. Which place in this statement
    corresponds to the query, which to the key and which to the value?
    """
    attention = lab.solution("attention").scaled_dot_product_attention
    names = torch.eye(4, dtype=torch.float64)
    parts = {"query": names[[2]], "key": names, "value": normal(4, 4)}
    answer, _ = attention(1000 * parts["query"], parts["key"], parts["value"])  # so sharp that one entry gets it all

    def select(a, b, c):
        return [row for row, compared in zip(a, c, strict=False) for asked in b if same(asked, compared)]

    fits = [
        names
        for names in itertools.permutations(parts)
        if [row.tolist() for row in select(*(parts[n] for n in names))] == answer.tolist()
    ]
    (found,) = fits
    lab.show("SELECT a WHERE c = b gives what attention gives for", [list(found)], head=["a", "b", "c"])
    said = "SELECT names what is returned, and that is the value; the query is what is asked for"
    lab.wrong_answer("query_is_select", [["a"], ["c"], ["b"]], said)
    said = "the column that is compared stands in every entry, as a key does; the query comes from outside"
    lab.wrong_answer("key_is_asked", [["c"], ["b"], ["a"]], said)
    said = "the column that is compared decides how well an entry fits; what it hands over is another one"
    lab.wrong_answer("value_is_compared", [["b"], ["a"], ["c"]], said)
    return [["abc"[found.index(name)]] for name in parts]


KEYS = {
    "a": "Two tokens may have the same key; they then get equal weights.",
    "b": "A key gets weight only if it equals the query.",
    "c": "Keys are computed with a matrix that is learned in training.",
    "d": "Making a key longer never lowers its weight.",
    "e": "The output of attention is a mix of keys.",
    "f": "Adding the same vector to all keys changes the weights.",
}


@question(1, Choice(KEYS, many=True))
def facts_about_keys(lab):
    """The primary key of a database is unique and is matched exactly. Which statements about the keys in attention
    (scores scaled, no mask) are true?
    """
    attention = lab.solution("attention").scaled_dot_product_attention
    x, w_k = normal(5, 4), normal(4, 4, seed=2).requires_grad_()
    q, v = normal(5, 4, seed=3), normal(5, 4, seed=4)
    k = (x @ w_k).detach()
    output, weights = attention(q, k, v)
    _, of_twins = attention(q, torch.cat([k[:1], k[:1], k[2:]]), v)
    learned, _ = attention(q, x @ w_k, v)
    (gradient,) = torch.autograd.grad(learned.sum(), w_k)
    _, of_longer = attention(q, torch.cat([2 * k[:1], k[1:]]), v)
    found = {
        "a": same(of_twins[:, 0], of_twins[:, 1]),
        "b": bool((weights == 0).all()),  # no key equals a query here
        "c": bool((gradient != 0).any()),
        "d": bool((of_longer[:, 0] >= weights[:, 0]).all()),
        "e": same(output, weights @ k),
        "f": not same(attention(q, k + normal(4, seed=5), v)[1], weights),
    }
    said = "nothing has to be equal and nothing has to be unique: every key gets a weight above 0"
    lab.wrong_answer("primary_key", ["b", "c"], said)
    said = "a longer key makes the dot product larger in size, and a negative one more negative"
    lab.wrong_answer("longer_wins", ["a", "c", "d"], said)
    lab.wrong_answer("shift", ["a", "c", "f"], "a shift of all keys adds the same number to all scores of a query")
    return lab.by_letter(tried(lab, found), {
        "a": ("keys_are_unique",
              "the score depends on the key alone: from the same query, equal keys get equal scores"),
        "b": ("exact_match",
              "every key has a dot product with the query, and softmax makes a positive weight of any score"),
        "c": ("keys_are_given",
              "nobody assigns keys: a token is multiplied by W_K, which gets a gradient like any other parameter"),
        "e": ("keys_are_mixed", "keys serve to find the weights; what is mixed by them are the values"),
    })  # fmt: skip


KEPT = {
    "a": "The order in which entries are stored does not matter.",
    "b": "Entries that do not match contribute nothing.",
    "c": "The answer is one of the stored values.",
    "d": "What an entry holds does not affect how well it is found.",
    "e": "Two entries with the same key are an error.",
}


@question(1, Choice(KEPT, many=True))
def kept_from_the_database(lab):
    """Which properties of a look-up by primary key still hold for attention without a mask and without positions?"""
    attention = lab.solution("attention").scaled_dot_product_attention
    q, k, v = normal(3, 4), normal(5, 4, seed=2), normal(5, 4, seed=3)
    output, weights = attention(q, k, v)
    order = [3, 0, 4, 2, 1]
    found = {
        "a": same(attention(q, k[order], v[order])[0], output),
        "b": bool((weights.sort(-1).values[:, :-1] == 0).all()),
        "c": all(any(same(row, value) for value in v) for row in output),
        "d": same(attention(q, k, normal(5, 4, seed=9))[1], weights),
        "e": bool(attention(q, k[[0, 0, 2, 3, 4]], v)[0].isnan().any()),
    }
    lab.wrong_answer("all_of_it", list("abcde"), "attention mixes all entries, and equal keys simply share")
    return lab.by_letter(tried(lab, found), {
        "a": ("order_counts", "the mix is a sum over all entries, and a sum does not depend on the order of its terms"),
        "b": ("no_match_no_share", "softmax gives no entry a weight of 0: a poor match still adds a little"),
        "c": ("one_is_returned", "the stored values are averaged, and the average is in general none of them"),
        "d": ("content_is_searched", "the weights come from queries and keys; the values take no part in the search"),
        "e": ("keys_are_unique", "two equal keys get the same weight, and both values go into the mix"),
    })  # fmt: skip


MIXED = {"a": "the queries", "b": "the keys", "c": "the values", "d": "the tokens as they were before the projections"}


@question(0.5, Choice(MIXED))
def what_is_mixed(lab):
    """Each output of attention is a weighted mean. Of what?"""
    x = normal(5, 4)
    q, k, v = (x @ normal(4, 4, seed=s) for s in (2, 3, 4))
    output, weights = lab.solution("attention").scaled_dot_product_attention(q, k, v)
    off = {
        letter: float((weights @ part - output).abs().max()) for letter, part in zip("abcd", (q, k, v, x), strict=True)
    }
    lab.show("how far weights @ candidate is from the output", list(off.items()))
    lab.wrong_answer("queries", "a", "a query asks: it decides on the weights and is not handed on itself")
    lab.wrong_answer("keys", "b", "keys are for matching; what is handed on is the value")
    lab.wrong_answer("tokens", "d", "what a token hands on is its value, a projection of its own")
    (letter,) = [c for c, d in off.items() if d < 1e-9]
    return letter


DOUBLED = {
    "a": "weights and output double",
    "b": "the weights stay, the output doubles",
    "c": "weights and output stay",
    "d": "the weights become more uneven, the output changes",
}


@question(0.5, Choice(DOUBLED))
def values_doubled(lab):
    """All values are doubled; queries and keys stay as they are. What happens in attention?"""
    attention = lab.solution("attention").scaled_dot_product_attention
    q, k, v = (normal(5, 4, seed=s) for s in (1, 2, 3))
    (output, weights), (after, w) = attention(q, k, v), attention(q, k, 2 * v)
    lab.show("first output before, after", torch.stack([output[0], after[0]]))
    outcomes = {
        "a": same(w, 2 * weights) and same(after, 2 * output),
        "b": same(w, weights) and same(after, 2 * output),
        "c": same(w, weights) and same(after, output),
        "d": bool((w.max(-1).values > weights.max(-1).values).all()),
    }
    lab.wrong_answer(
        "values_match", "d", "that happens when queries or keys are doubled; values take no part in the matching"
    )
    lab.wrong_answer(
        "weights_too", "a", "weights that sum to 1 cannot all double; besides, values take no part in the matching"
    )
    lab.wrong_answer("normalised_away", "c", "softmax normalises the weights, not what is mixed with them")
    (letter,) = [c for c, true in outcomes.items() if true]
    return letter


SAME_WORD = {
    "a": "the same, because its embedding is the same",
    "b": "different, because the values of other tokens are mixed in",
}


@question(0.5, Choice(SAME_WORD))
def same_word_elsewhere(lab):
    """In "language model" and "fashion model" the token "model" has the same embedding. After one layer of
    self-attention (no mask, no positions), does it have the same vector in both?
    """
    attention = lab.solution("attention").scaled_dot_product_attention
    word = normal(1, 4)
    after = [attention(x, x, x)[0][1] for x in (torch.cat([normal(1, 4, seed=s), word]) for s in (2, 3))]
    lab.show("the word before, after one neighbour, after the other", torch.cat([word, torch.stack(after)]))
    lab.wrong_answer(
        "embedding", "a", "the embedding is where it starts; attention then mixes in the neighbours' values"
    )
    return "a" if same(*after) else "b"


PARTS = Choice({
    "a": "carries content from one token to another",
    "b": "makes the same vector different at different positions",
    "c": "keeps the size of each token's vector fixed",
})  # fmt: skip


@question(1, Table(("attention", "RoPE", "RMSNorm"), ("role",), PARTS))
def roles_of_components(lab):
    """Three components of a language model each have one of these roles. Which component has which role?"""
    attention, rope = lab.solution("attention"), lab.solution("rope")
    cos, sin = (table.double() for table in rope.rope_cos_sin(4, 5))

    def rotated(x):
        return rope.apply_rotary_pos_emb(x[None, None], x[None, None], cos, sin)[0][0, 0]

    layers = {
        "attention": lambda x: attention.scaled_dot_product_attention(x, x, x)[0],
        "RoPE": rotated,
        "RMSNorm": lambda x: x / x.square().mean(-1, keepdim=True).sqrt(),
    }
    x = normal(5, 4)
    other = torch.cat([normal(1, 4, seed=2), x[1:]])
    twins = torch.cat([x[:3], x[:1], x[4:]])  # the same vector at positions 0 and 3
    tests = {
        "a": lambda f: not same(f(x)[1:], f(other)[1:]),
        "b": lambda f: not same(f(twins)[0], f(twins)[3]),
        "c": lambda f: same(f(10 * x), f(x)),
    }
    found = {name: [letter for letter, test in tests.items() if test(layer)] for name, layer in layers.items()}
    lab.show("component and what it was found to do", [[n, *letters] for n, letters in found.items()])
    said = "RoPE turns a vector by its position and keeps its length; RMSNorm sets the length"
    lab.wrong_answer("foundation", [["a"], ["c"], ["b"]], said)
    return list(found.values())


LEARNED = {
    "a": "the matrix that makes queries",
    "b": "the queries",
    "c": "the matrix that makes values",
    "d": "the attention weights",
    "e": "the output",
}


@question(0.5, Choice(LEARNED, many=True))
def made_anew_for_each_text(lab):
    """A trained model reads one text, then another one. Which of these are computed from the text each time, and are
    therefore not stored in the model's file?
    """
    attention = lab.solution("attention").scaled_dot_product_attention
    matrices = [normal(4, 4, seed=s) for s in (2, 3, 4)]

    def read(x):
        q, k, v = (x @ m for m in matrices)
        output, weights = attention(q, k, v)
        return dict(zip(LEARNED, (matrices[0], q, matrices[2], weights, output), strict=True))

    one, other = read(normal(5, 4, seed=5)), read(normal(5, 4, seed=6))
    found = {letter: not same(one[letter], other[letter]) for letter in LEARNED}
    lab.wrong_answer(
        "attention_weights", ["b", "e"], "attention weights are not learned: softmax makes them from each text"
    )
    return lab.by_letter(tried(lab, found), {
        "a": ("query_matrix",
              "the matrix that makes queries is a parameter: training has set it, and every text meets the same one"),
        "b": ("queries_are_stored", "a query is the token times a matrix: other tokens have other queries"),
        "c": ("value_matrix",
              "values differ from text to text, but the matrix that makes them was learned and is kept"),
        "e": ("output_is_stored", "the output is mixed from what the tokens of this very text contribute"),
    })  # fmt: skip
