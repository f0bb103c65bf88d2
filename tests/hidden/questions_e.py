"""Concept questions on normalisation and the attention block."""

import math

import torch
from hidden.lib.experiments import doubles, normal, same, tried

from grader.questions import Choice, Number, Numbers, Table, question

X = (1.6, 0.9, 3.2, 2.4)
ROW = (2.5, 1.3, 3.7, 0.8)  # which a well-known page prints with these
PRINTED_SOFTMAX = (0.1722, 0.0518, 0.5678, 0.0082)
PRINTED_NORM = (1.0698, 0.5563, 1.5833, 0.3424)


@question(0.5, Number(decimals=3))
def root_mean_square(lab):
    """What is the root mean square of the vector {x}?"""
    x = lab.row("x", X, 0.5, 4.5)
    rms = (x / lab.solution("rms_norm").rms_norm(x, eps=0.0)).mean()  # what it divides each entry by
    lab.show("squares, their mean, its root", [[*x.square(), x.square().mean(), rms]])
    lab.wrong_answer("no_root", x.square().mean(), "that is the mean of the squares; take its root")
    lab.wrong_answer("length", x.norm(), "that is the length: the sum was not divided by 4")
    lab.wrong_answer("mean", x.mean(), "that is the mean of the entries; square them first")
    said = "that is the standard deviation, measured from the mean; measure from 0"
    lab.wrong_answer("standard_deviation", x.std(correction=0), said)
    return rms


@question(1.5, Numbers((4,), decimals=3))
def rms_norm_by_hand(lab):
    """What is the result of RMSNorm (without a weight, eps = 1e-6) for the vector {x}?"""
    x = lab.row("x", X, 0.5, 4.5)
    y = lab.solution("rms_norm").rms_norm(x)
    lab.show("the vector, normalised", torch.stack([x, y]))
    centred = x - x.mean()
    said = "the mean was subtracted: that is LayerNorm"
    lab.wrong_answer("layer_norm", centred / centred.square().mean().sqrt(), said)
    said = "these numbers were divided by the standard deviation; the root mean square is measured from 0"
    lab.wrong_answer("standard_deviation", x / x.std(correction=0), said)
    said = "this vector has length 1: the sum of the squares was not divided by 4"
    lab.wrong_answer("unit_length", x / x.norm(), said)
    said = "these numbers were divided by the mean of the squares; its root is missing"
    lab.wrong_answer("no_root", x / x.square().mean(), said)
    said = "these numbers were divided by the mean of the entries; square first, then take the mean and its root"
    lab.wrong_answer("mean", x / x.mean(), said)
    lab.wrong_answer("softmax", x.softmax(0), "that is softmax: positive shares with the sum 1")
    return y


LAWS = (
    "sums to 1", "mean of squares is 1", "never negative", "same after adding 5", "same after doubling",
    "parallel to the input", "rows do not mix",
)  # fmt: skip


def laws_of(function):
    """For rows of random numbers, by the law: whether it holds for all of them."""
    x = normal(6, 4)
    y = function(x)
    one = torch.ones(6, dtype=torch.float64)
    changed = function(torch.cat([x[:3], x[3:] + normal(3, 4, seed=2)]))
    return {
        "sums to 1": same(y.sum(-1), one),
        "mean of squares is 1": same(y.square().mean(-1), one),
        "never negative": bool((y >= 0).all()),
        "same after adding 5": same(function(x + 5), y),
        "same after doubling": same(function(2 * x), y),
        "parallel to the input": same(torch.nn.functional.cosine_similarity(x, y, dim=-1), one),
        "rows do not mix": same(changed[:3], y[:3]),
    }


@question(2, Table(LAWS, ("softmax", "RMSNorm"), Choice({"yes": "always", "no": "not always"})))
def softmax_and_rms_norm(lab):
    """Softmax and RMSNorm (without a weight, eps = 0) both normalise along the last dimension. Which of these hold for
    the result of each, for any row that is not 0: its entries sum to 1; the mean of their squares is 1; no entry is
    negative; it stays the same when 5 is added to every entry of the input; it stays the same when every entry is
    doubled; it is parallel to the input (same direction, possibly another length); it does not depend on the other
    rows?
    """
    norm = lab.solution("rms_norm").rms_norm
    found = [laws_of(lab.solution("softmax").softmax), laws_of(lambda x: norm(x, eps=0.0))]
    said = {True: "yes", False: "no"}
    key = [[said[f[law]] for f in found] for law in LAWS]
    lab.show("law, softmax, RMSNorm", [[law, *cells] for law, cells in zip(LAWS, key, strict=True)])
    both_sum = [["yes", "yes"], *key[1:]]
    said = "only softmax makes shares of a whole; RMSNorm makes the mean of the squares 1"
    lab.wrong_answer("both_sum_to_1", both_sum, said)
    crossed = [row if law not in LAWS[3:5] else row[::-1] for law, row in zip(LAWS, key, strict=True)]
    said = "shift and scale have changed places: softmax ignores what is added, RMSNorm ignores what is multiplied"
    lab.wrong_answer("shift_for_scale", crossed, said)
    return key


INVARIANCES = {
    "a": "softmax(x + c) = softmax(x)",
    "b": "softmax(c x) = softmax(x)",
    "c": "RMSNorm(x + c) = RMSNorm(x)",
    "d": "RMSNorm(c x) = RMSNorm(x)",
    "e": "RMSNorm(-x) = -RMSNorm(x)",
    "f": "RMSNorm(x - mean of x) = LayerNorm(x)",
    "g": "softmax(x - mean of x) = softmax(x)",
}


@question(1, Choice(INVARIANCES, many=True))
def invariances(lab):
    """Which equations hold for every vector x (whose entries are not all the same) and every number c > 0, without
    weights and with eps = 0?
    """
    softmax, rms_norm = lab.solution("softmax").softmax, lab.solution("rms_norm").rms_norm

    def norm(x):
        return rms_norm(x, eps=0.0)

    def all_same(one, other):
        return all(same(one(x, c), other(x)) for x in normal(5, 4) for c in (0.3, 2.0, 7.0))

    def centred(x):
        return x - x.mean()

    found = {
        "a": all_same(lambda x, c: softmax(x + c), softmax),
        "b": all_same(lambda x, c: softmax(c * x), softmax),
        "c": all_same(lambda x, c: norm(x + c), norm),
        "d": all_same(lambda x, c: norm(c * x), norm),
        "e": all_same(lambda x, c: -norm(-x), norm),
        "f": all_same(lambda x, c: norm(centred(x)), lambda x: torch.nn.functional.layer_norm(x, x.shape, eps=0.0)),
        "g": all_same(lambda x, c: softmax(centred(x)), softmax),
    }
    key = tried(lab, found)
    said = "LayerNorm subtracts the mean and then divides by the root mean square of what is left"
    lab.wrong_answer("layer_norm_overlooked", [c for c in key if c != "f"], said)
    said = "it is the other way round: softmax ignores what is added, RMSNorm what is multiplied"
    lab.wrong_answer("exchanged", ["b", "c", "e", "f", "g"], said)
    slips = {
        "a": ("shift_counts_in_softmax", "e^c is a factor of every exponential and of their sum: it cancels"),
        "b": ("ratios_for_gaps", "softmax goes by the gaps between entries, and c makes them wider or narrower"),
        "c": ("rms_from_the_mean", "RMSNorm does not take off the mean: what is added stays in"),
        "d": ("scale_counts_in_rms", "c multiplies the root mean square as it does every entry: it cancels"),
        "e": ("sign_squared_away", "the squares stand in the divisor only: the entries above it keep their signs"),
        "g": ("mean_is_no_constant", "the mean of x is one and the same number for all its entries"),
    }  # fmt: skip
    return lab.by_letter(key, slips)


@question(1, Numbers((3,), decimals=3))
def printed_wrongly(lab):
    """A page says that softmax of [2.5, 1.3, 3.7, 0.8] is [0.1722, 0.0518, 0.5678, 0.0082] and that its RMSNorm is
    [1.0698, 0.5563, 1.5833, 0.3424]. Check this and write three numbers: the sum of the printed weights, the weight
    that 3.7 should have, and the root mean square of the second printed vector.
    """
    x, weights, y = doubles(*ROW), doubles(*PRINTED_SOFTMAX), doubles(*PRINTED_NORM)
    due = lab.solution("softmax").softmax(x)
    lab.show("softmax as printed, as computed", torch.stack([weights, due]))
    norm = lab.solution("rms_norm").rms_norm(x)
    lab.show("RMSNorm as printed, as computed", torch.stack([y, norm]))
    rms = y.square().mean().sqrt()
    said = "these are the values that they should have; the printed ones have others"
    lab.wrong_answer("as_it_should_be", doubles(1, due[2], 1), said)
    said = "the weights were only scaled up to the sum 1; their ratios are wrong as well"
    lab.wrong_answer("scaled_up", doubles(weights.sum(), weights[2] / weights.sum(), rms), said)
    return torch.stack([weights.sum(), due[2], rms])


FAULTS = {
    "a": "the scores are not divided by sqrt(Dh)",
    "b": "k.T reverses all three axes, not only the last two",
    "c": "the result of attention is not multiplied by W_O",
    "d": "a token sees the tokens that come after it",
    "e": "softmax should run over dim=-2",
    "f": "h should be added at the end, not x",
    "g": "the norm belongs after the sum, not at the beginning",
}


@question(2, Choice(FAULTS, many=True))
def faults_of_a_block(lab):
    """A pre-norm attention block with one head, for a model that generates text, is to work on x [B, T, D]. Its code
    is: h = rms_norm(x); q, k, v = h @ w_q, h @ w_k, h @ w_v; scores = q @ k.T; weights = softmax(scores, dim=-1); x =
    x + weights @ v. Which of these are faults in it?
    """
    x, W = normal(2, 3, 4), [normal(4, 4, seed=seed) for seed in range(2, 6)]
    causal = lab.solution("causal_mask").causal_mask(3)
    norm = lab.solution("rms_norm").rms_norm
    due = lab.solution("prenorm_attention_block").prenorm_attention_block(x, W, mask=causal)

    def block(*lines):
        """The block with these lines as printed (a to d) or as the option demands (e to g), all others right."""
        h = x if "g" in lines else norm(x)
        q, k, v = (h @ w for w in W[:3])
        scores = q @ (k.permute(2, 1, 0) if "b" in lines else k.mT)  # what .T means for three axes
        scores = scores if "a" in lines else scores / math.sqrt(q.shape[-1])
        scores = scores if "d" in lines else scores.masked_fill(~causal, -1e9)
        mixed = scores.softmax(-2 if "e" in lines else -1) @ v
        total = (h if "f" in lines else x) + (mixed if "c" in lines else mixed @ W[3])
        return norm(total) if "g" in lines else total

    assert same(block(), due)
    rows, found = [], {}
    for letter in FAULTS:
        try:
            off = float((block(letter) - due).abs().max())
        except RuntimeError:
            off = math.inf
        found[letter] = (off > 1e-6) == (letter in "abcd")  # a fault where the printed line is the wrong one
        rows.append([letter, "as printed" if letter in "abcd" else "as demanded", off])
    lab.show("line, off by (inf: an error)", rows)
    key = [letter for letter, fault in found.items() if fault]
    said = "one is missing: how do you transpose the last two axes of three?"
    lab.wrong_answer("transpose_overlooked", [c for c in key if c != "b"], said)
    said = "one is missing: the model writes text, and its tokens must not see what they are to predict"
    lab.wrong_answer("future_overlooked", [c for c in key if c != "d"], said)
    said = "one is missing: normalised or not, a dot product of Dh terms grows with Dh"
    lab.wrong_answer("scale_overlooked", [c for c in key if c != "a"], said)
    said = "one is missing: what comes out of the heads goes through one more matrix"
    lab.wrong_answer("w_o_overlooked", [c for c in key if c != "c"], said)
    slips = {
        "e": ("softmax_over_queries",
              "each query shares out its attention among the keys, and these stand in the last dimension of scores"),
        "f": ("normalised_residual",
              "the input goes past attention unchanged; only what attention works on is normalised"),
        "g": ("norm_after_the_sum", "with the norm after the sum it would be a post-norm block"),
    }  # fmt: skip
    return lab.by_letter(key, slips)


STEPS = {
    "a": "softmax",
    "b": "add x",
    "c": "project to q, k and v",
    "d": "multiply by W_O",
    "e": "RMSNorm",
    "f": "q k^T / sqrt(Dh)",
    "g": "multiply the values by the weights",
}


@question(1, Choice(STEPS, ordered=True))
def order_of_steps(lab):
    """In which order does a pre-norm attention block with one head take these steps?"""
    x, W = normal(3, 2), [normal(2, 4, seed=2), normal(2, 4, seed=3), normal(2, 5, seed=4), normal(5, 2, seed=5)]
    due = lab.solution("prenorm_attention_block").prenorm_attention_block(x, W)
    norm = lab.solution("rms_norm").rms_norm

    def project(state):
        return {"at": None, "q": state["at"] @ W[0], "k": state["at"] @ W[1], "v": state["at"] @ W[2]}

    steps = {  # each takes what is there and puts something in its place; what does not fit raises
        "a": lambda s: {**s, "at": s["at"].softmax(-1)},
        "b": lambda s: {**s, "at": s["at"] + x},
        "c": project,
        "d": lambda s: {**s, "at": s["at"] @ W[3]},
        "e": lambda s: {**s, "at": norm(s["at"])},
        "f": lambda s: {**s, "at": s["q"] @ s["k"].T / math.sqrt(s["q"].shape[-1])},
        "g": lambda s: {**s, "at": s["at"] @ s["v"]},
    }
    right, run = [], 0
    for order in orders(steps, {"at": x}):
        run += 1
        right += [list(order[0])] if same(order[1], due) else []
    lab.show("orders that run, those that give the block's result", [[run, str(right)]])
    assert len(right) == 1
    post = ["c", "f", "a", "g", "d", "b", "e"]
    said = "with the norm at the end it is a post-norm block; pre-norm means that it comes first"
    lab.wrong_answer("post_norm", post, said)
    slips = {
        "cfagdeb": ("norm_of_the_result", "what attention reads is normalised, not what it gives"),
        "ecfgadb": ("softmax_after_values",
                    "values are mixed with weights, and softmax has to make these from the scores first"),
        "ecfagbd": ("added_before_w_o", "x goes past the whole of attention, W_O included"),
    }  # fmt: skip
    for order, (name, said) in slips.items():
        lab.wrong_answer(name, list(order), said)
    return right[0]


def orders(steps, state, done=()):
    """Each order of all steps that runs, with its result."""
    if len(done) == len(steps):
        yield done, state["at"]
        return
    for name, step in steps.items():
        if name not in done:
            try:
                after = step(state)
            except (RuntimeError, KeyError, AttributeError, TypeError):
                continue
            yield from orders(steps, after, (*done, name))
