"""Concept questions on texts that are wrong in places: the numbers are drawn anew for each variant of the sheet."""

import itertools
import math

import torch

from grader.questions import Choice, Number, Numbers, Text, question


def draw(lab, *shape, low=0.0, high=1.0, decimals=1):
    """Numbers of the variant, rounded to a few decimals as a text would print them."""
    values = low + (high - low) * torch.rand(*shape, generator=lab.draw(), dtype=torch.float64)
    return values.round(decimals=decimals)


def printed(values, decimals=4):
    """A row as a text prints it."""
    return "[" + ", ".join(f"{v:.{decimals}f}" for v in values.tolist()) + "]"


def distinct(lab, count, low, high):
    """Numbers with one decimal, no two of them alike."""
    order = torch.randperm(int((high - low) * 10), generator=lab.draw())
    return low + order[:count].double() / 10


@question(2, Numbers((4,), decimals=3))
def softmax_row(lab):
    """A text says that softmax of {scores} is {row}. These weights do not even sum to 1. What is softmax of these
    scores?
    """
    x = distinct(lab, 4, 0.5, 4.0)
    weights = lab.solution("softmax").softmax(x)
    wrong = (x * math.log(2)).softmax(0) * 0.8  # powers of 2, so that scaling the printed row up does not mend it
    lab.put(scores=printed(x, 1), row=printed(wrong))
    lab.show("the printed row sums to", [[wrong.sum()]])
    lab.show("softmax, and its sum", [[*weights, weights.sum()]])
    lab.wrong_answer("as_printed", wrong.round(decimals=4), "that is the printed row; add it up")
    lab.wrong_answer(
        "scaled_up", wrong / wrong.sum(), "the printed row was only scaled up to the sum 1; its ratios are wrong too"
    )
    lab.wrong_answer("linear", x / x.sum(), "the scores were divided by their sum, without exponentials")
    return weights


@question(2, Numbers((4,), decimals=3))
def rms_row(lab):
    """A text says that RMSNorm of {scores}, without a weight, is {row}. That is wrong. What is the right result?"""
    x = distinct(lab, 4, 0.5, 4.0)
    rms = x.square().mean().sqrt()
    right, wrong = x / rms, x / (rms * 0.95)
    lab.put(scores=printed(x, 1), row=printed(wrong))
    lab.show("the root mean square, and that of the printed row", [[rms, wrong.square().mean().sqrt()]])
    lab.wrong_answer("as_printed", wrong.round(decimals=4), "that is the printed row; its root mean square is not 1")
    lab.wrong_answer("l2", x / x.norm(), "that row has length 1; RMSNorm makes the mean of the squares 1")
    lab.wrong_answer(
        "layer_norm", (x - x.mean()) / x.std(unbiased=False), "that is LayerNorm: RMSNorm subtracts no mean"
    )
    return right


ROWS = {"a": "{a}", "b": "{b}", "c": "{c}", "d": "{d}"}


@question(1, Choice(ROWS, many=True))
def possible_rows(lab):
    """A text prints these rows of weights, with all their digits. Which of them can be the result of softmax?"""
    right = torch.tensor([[0.20, 0.35, 0.45], [0.10, 0.15, 0.75]], dtype=torch.float64)
    wrong = torch.tensor([[0.29, 0.36, 0.25], [-0.10, 0.40, 0.70]], dtype=torch.float64)
    order = torch.randperm(4, generator=lab.draw())
    rows = torch.cat([right, wrong])[order]
    lab.put(**{letter: printed(row, 2) for letter, row in zip(ROWS, rows, strict=True)})
    lab.show("row: sum, smallest", [[k, r.sum(), r.min()] for k, r in zip(ROWS, rows, strict=True)])
    good = [abs(float(r.sum()) - 1) < 1e-9 and float(r.min()) > 0 for r in rows]
    said = "one of them sums to 1 but has a negative entry"
    lab.wrong_answer("sum_only", [k for k, r in zip(ROWS, rows, strict=True) if abs(float(r.sum()) - 1) < 1e-9], said)
    key = [letter for letter, ok in zip(ROWS, good, strict=True) if ok]
    even, peaked, short, _ = ("abcd"[i] for i in order.argsort().tolist())  # where the rows stand
    lab.wrong_answer("sum_not_checked", sorted([*key, short]), "the weights of a softmax sum to 1: add up every row")
    said = "positive numbers that sum to 1 are softmax of their logarithms"
    lab.wrong_answer("too_even", [letter for letter in key if letter != even], said)
    lab.wrong_answer("too_uneven", [letter for letter in key if letter != peaked], said)
    return key


@question(1, Number(decimals=3))
def ratio_of_weights(lab):
    """A text says that a token has the scores {low} and {high} with two others, and that their softmax weights are in
    the ratio of 1 to 2.4. That is wrong. If softmax is applied to these scores, the larger weight is how many times
    the smaller one?
    """
    low, high = sorted(distinct(lab, 2, 0.2, 0.9).tolist())
    lab.put(low=f"{low:.1f}", high=f"{high:.1f}")
    weights = torch.tensor([low, high], dtype=torch.float64).softmax(0)
    lab.show("both weights among the two, and their ratio", [[*weights, weights[1] / weights[0]]])
    lab.show("the gap that a ratio of 2.4 needs", [[math.log(2.4)]])
    lab.wrong_answer("linear", high / low, "that is the ratio of the scores; softmax takes exponentials")
    lab.wrong_answer("difference", high - low, "that is the gap; its exponential is the ratio")
    return weights[1] / weights[0]


@question(1, Number(0))
def rows_of_the_table(lab):
    """A text says that an embedding table has {count} parameters, {width} channels and {wrong} rows. Parameters and
    channels are right. How many rows does the table have?
    """
    width = int(2 ** torch.randint(8, 14, (), generator=lab.draw()))
    rows, swapped = lab.pick("rows", (50257, 50527), ((32417, 32147), (30528, 30258), (65246, 65426), (49153, 49513)))
    table = torch.empty(rows, width, device="meta")
    lab.put(count=f"{table.numel():,}", width=width, wrong=f"{swapped:,}")
    lab.show("rows, channels, parameters", [[rows, width, table.numel()], [swapped, width, swapped * width]])
    lab.wrong_answer("as_printed", swapped, "two digits are swapped there: multiply it out")
    return table.numel() // width


def run_with(line, optimize, **names):
    """Whether a line of Python runs without an error, and what the error says."""
    try:
        exec(compile(line, "line", "exec", optimize=optimize), names)
    except (AssertionError, ValueError) as error:
        return False, str(error)
    return True, ""


CHECKS = {"assert": "assert d % h == 0", "raise": "if d % h: raise ValueError(f'{d} channels, {h} heads')"}


@question(2, Choice({
    "a": "Multi-head attention is the concatenation of the heads; W_O is not part of it.",
    "b": "The first matrix in which channels of different heads meet is W_O, not one of the feed-forward network.",
    "c": "`assert d % h == 0` also protects a program that is run with `python -O`.",
    "d": "`raise ValueError` with a text protects in both cases and says what is wrong.",
    "e": "nn.MultiheadAttention(8, 2) reads a tensor [1, 4, 8] as one text of four tokens.",
}, many=True))  # fmt: skip
def about_the_code(lab):
    """Five statements on how multi-head attention is defined and coded. Which are true?"""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(3)
        module = torch.nn.MultiheadAttention(8, 2).double()
        x = torch.randn(1, 4, 8, dtype=torch.float64)
    output, weights = module(x, x, x)
    values = x @ module.in_proj_weight[16:].T + module.in_proj_bias[16:]  # one position a text: its own value
    changed = values.clone()
    changed[..., 4:] += 1  # the second head only
    moved = module.out_proj(changed) - module.out_proj(values)
    kept, _ = run_with(CHECKS["raise"], 1, d=768, h=7)
    _, said = run_with(CHECKS["raise"], 0, d=768, h=7)
    found = {
        "a": bool(torch.allclose(values, output)),
        "b": bool((changed == values)[..., :4].all() and (moved[..., :4].abs() > 0).all()),
        "c": not run_with(CHECKS["assert"], 1, d=768, h=7)[0],
        "d": not kept and "768" in said and not run_with(CHECKS["raise"], 0, d=768, h=7)[0],
        "e": weights.shape == (1, 4, 4),
    }
    lab.show("statement, true when tried", list(found.items()))
    key = [letter for letter, true in found.items() if true]
    lab.show("weights of a tensor [1, 4, 8]", [[tuple(weights.shape)], [weights.mean()]])
    said = "batch_first is False unless it is set: it is read as one position of four texts, and every weight is 1"
    lab.wrong_answer("batch_first", ["b", "d", "e"], said)
    lab.wrong_answer("assert_stays", ["b", "c", "d"], "python -O leaves out every assert")
    lab.wrong_answer("no_w_o", ["a", "d"], "Concat(...) W_O is the definition: without W_O the heads stay side by side")
    slips = {
        "a": ("concat_is_all", "the definition goes on after the concatenation: Concat(...) W_O"),
        "b": ("concat_mixes",
              "a concatenation puts the heads side by side: nothing of one is yet added to anything of another"),
        "d": ("raise_left_out_too", "python -O leaves out asserts; a raise is a statement like any other"),
    }  # fmt: skip
    return lab.by_letter(key, slips)


@question(1, Choice({
    "a": "creature attends to fluffy",
    "b": "fluffy attends to creature",
    "c": "both attend to each other equally",
}))  # fmt: skip
def who_attends_to_whom(lab):
    """In "a fluffy creature", the query of "creature" fits the key of "fluffy", and no other pair fits. A text says
    that "fluffy" attends to "creature". In the usual way of speaking, in which the token whose output takes in a value
    attends, what is right?
    """
    words = ["a", "fluffy", "creature"]
    q, k = torch.zeros(3, 2, dtype=torch.float64), torch.zeros(3, 2, dtype=torch.float64)
    q[2, 0], k[1, 0] = 6, 6
    _, weights = lab.solution("attention").scaled_dot_product_attention(q, k, torch.eye(3, dtype=torch.float64))
    lab.show("weights, a row for each query", [[w, *row] for w, row in zip(words, weights, strict=True)])
    lab.wrong_answer("as_printed_there", "b", "the row of creature is large at fluffy: the query attends, to the keys")
    said = "a token's query and its key are two vectors: one pair fits, and the other way round none does"
    lab.wrong_answer("symmetric", "c", said)
    return "a" if weights[2, 1] > weights[1, 2] else "b"


@question(1, Number(decimals=2))
def rest_of_a_row(lab):
    """In "The cat sits on the mat", the word "sits" gives "cat" the weight {cat}, "mat" {mat} and "the" {the}, so a
    text says. The word "the" occurs twice, each time with this weight. What is left for "sits" and "on" together?
    """
    cat = lab.pick("cat", 0.4, (0.35, 0.45, 0.5))
    mat = lab.pick("mat", 0.3, (0.2, 0.25, 0.15))
    the = lab.pick("the", 0.05, (0.04, 0.06, 0.08))
    row = torch.tensor([the, cat, 0, 0, the, mat], dtype=torch.float64)
    rest = 1 - row.sum()
    row[2:4] = rest / 2
    lab.show("a row with this rest, its sum", [[*row, row.sum()]])
    lab.wrong_answer("the_once", 1 - cat - mat - the, '"the" stands there twice')
    lab.wrong_answer("each", rest / 2, "that is for each of the two, if they share it")
    return float(rest)


@question(1, Number(decimals=2))
def scale_of_a_head(lab):
    """A text divides scores by the square root of 512 and then splits the 512 channels into {heads} heads. By what
    number should the scores of each head be divided?
    """
    heads = int(2 ** torch.randint(1, 6, (), generator=lab.draw()))
    lab.put(heads=heads)
    width = 512 // heads
    generator = torch.Generator().manual_seed(0)
    q, k = (torch.randn(20000, width, generator=generator, dtype=torch.float64) for _ in range(2))
    spread = (q * k).sum(-1).std()
    lab.show("channels a head, spread of the scores, root of the channels", [[width, spread, math.sqrt(width)]])
    lab.wrong_answer("whole_width", math.sqrt(512), "that is the root of all 512 channels; a head has fewer")
    lab.wrong_answer("no_root", width, "that is the width of a head; take its square root")
    return math.sqrt(width)


@question(2, Numbers((4,), decimals=3))
def causal_row(lab):
    """In a text about a causal model, the third of four tokens has the weights {row}, although it must not see the
    fourth token. With the same scores and a causal mask, what are its four weights?
    """
    parts = distinct(lab, 4, 0.5, 3.0)
    row = (parts / parts.sum()).round(decimals=2)
    row[2] += 1 - row.sum()
    mask = lab.solution("causal_mask").causal_mask(4)[2]
    right = row.log().masked_fill(~mask, -math.inf).softmax(0)
    lab.put(row=printed(row, 2))
    lab.show("what the third token sees", [[str(bool(m)) for m in mask]])
    lab.show("its weights", [right])
    lab.wrong_answer("not_renormalised", row * mask, "these no longer sum to 1: divide by what is left")
    lab.wrong_answer("unchanged", row, "the fourth token is still seen")
    return right


PAIRS = {
    "a": ((5, 1), "the sixth token attends to the second"),
    "b": ((1, 5), "the second token attends to the sixth"),
    "c": ((3, 3), "the fourth token attends to itself"),
    "d": ((0, 1), "the first token attends to the second"),
    "e": ((4, 0), "the fifth token attends to the first"),
}


@question(1, Choice({letter: said for letter, (_, said) in PAIRS.items()}, many=True))
def impossible_looks(lab):
    """Which of these cannot happen in a causal model?"""
    mask = lab.solution("causal_mask").causal_mask(6)
    lab.show("query, key, may attend", [[q, k, bool(mask[q, k])] for (q, k), _ in PAIRS.values()])
    key = [letter for letter, ((q, k), _) in PAIRS.items() if not bool(mask[q, k])]
    said = "a token may attend to those before it and to itself"
    lab.wrong_answer("backwards", [letter for letter, ((q, k), _) in PAIRS.items() if q > k], said)
    lab.wrong_answer("not_itself", sorted([*key, "c"]), said)
    slips = {
        "a": ("too_far_back", "a causal mask hides what comes later, not what lies far back"),
        "b": ("sixth_read_already", "when the second token is computed, the sixth need not even be there"),
        "d": ("next_one_allowed", "the next token is just what the first one has to predict"),
        "e": ("start_out_of_sight", "the first token comes before all others, and each of them may look at it"),
    }  # fmt: skip
    return lab.by_letter(key, slips)


def normal(*shape, seed=0):
    """Independent standard normal entries."""
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def any_width_works():
    """Three heads of five channels on a width of twelve."""
    x, w_o = normal(2, 4, 12), normal(15, 12, seed=1)
    q, k, v = ((x @ normal(12, 15, seed=s)).view(2, 4, 3, 5).transpose(1, 2) for s in (2, 3, 4))
    output = (q @ k.transpose(-2, -1) / math.sqrt(5)).softmax(-1) @ v
    return (output.transpose(1, 2).reshape(2, 4, 15) @ w_o).shape == x.shape


def counts_agree():
    """The parameters of a module for each number of heads."""
    modules = (torch.nn.MultiheadAttention(24, heads, device="meta") for heads in (1, 2, 3, 4, 6))
    return len({sum(p.numel() for p in m.parameters()) for m in modules}) == 1


def prefill_needs_a_mask():
    """Whether two tokens that are processed at once give the same without a mask as one after the other."""
    q, k, v = normal(3, 4), normal(3, 4, seed=1), normal(3, 4, seed=2)
    at_once = (q @ k.T / 2).softmax(-1) @ v
    one_by_one = torch.stack([(q[i] @ k[: i + 1].T / 2).softmax(-1) @ v[: i + 1] for i in range(3)])
    return not torch.allclose(at_once, one_by_one)


def decode_needs_no_mask():
    """Whether the newest token, which may see everything, gives the same with a mask and without."""
    q, k, v = normal(3, 4), normal(3, 4, seed=1), normal(3, 4, seed=2)
    hidden = ~torch.ones(3, 3, dtype=torch.bool).tril()
    full = (q @ k.T / 2).masked_fill(hidden, -math.inf).softmax(-1) @ v
    return torch.allclose((q[-1] @ k.T / 2).softmax(-1) @ v, full[-1])


def variance_one_always():
    """Whether the scaled scores of entries with a standard deviation of 3 have variance 1."""
    q, k = normal(20000, 64) * 3, normal(20000, 64, seed=1) * 3
    return abs(float(((q * k).sum(-1) / 8).var()) - 1) < 0.1


CLAIMS = {
    "a": (
        lambda: not any_width_works(),
        "in any multi-head attention, the number of heads times their width must equal the width of the model",
    ),
    "b": (counts_agree, "the number of heads does not change the number of parameters of nn.MultiheadAttention"),
    "c": (lambda: not prefill_needs_a_mask(), "the causal mask matters in training only"),
    "d": (decode_needs_no_mask, "one new token with cached keys needs no causal mask"),
    "e": (
        variance_one_always,
        "dividing by the square root of the head width makes the variance of the scores 1, whatever the entries are",
    ),
}


@question(2, Choice({letter: said for letter, (_, said) in CLAIMS.items()}, many=True))
def claims(lab):
    """Which of these claims about attention are true?"""
    found = {letter: bool(test()) for letter, (test, *_) in CLAIMS.items()}
    lab.show("claim, true when tried", list(found.items()))
    key = [letter for letter, true in found.items() if true]
    said = "W_O leads back from any number of channels to those of the model: H * Dh may be another number"
    lab.wrong_answer("widths_must_match", sorted({*key, "a"}), said)
    said = "a prompt is processed many tokens at a time: without the mask they would see each other's future"
    lab.wrong_answer("training_only", sorted({*key, "c"}), said)
    said = "only entries with variance 1, independent and with mean 0, make the variance of the scores 1"
    lab.wrong_answer("always_1", sorted({*key, "e"}), said)
    slips = {
        "b": ("more_heads_more_parameters",
              "more heads are narrower heads: all of them together stay as wide as the model"),
        "d": ("mask_at_every_step",
              "the cache holds only what came before: there is nothing to hide from the new token"),
    }  # fmt: skip
    return lab.by_letter(key, slips)


LAYOUTS = {"a": (5, 3), "b": (4, 4), "c": (3, 5), "d": (8, 8), "e": (1, 3)}


def runs(code):
    """Whether it raises nothing."""
    try:
        code()
    except RuntimeError:
        return False
    return True


@question(2, Choice({k: f"T = {t}, H = {h}" for k, (t, h) in LAYOUTS.items()}, many=True))
def silent_layout(lab):
    """By mistake, values have the shape [B, T, H, Dh] while the weights have the shape [B, H, T, T]. For which sizes
    does the product weights @ values raise no error, although it is wrong?
    """
    found = {k: runs(lambda t=t, h=h: torch.ones(2, h, t, t) @ torch.ones(2, t, h, 4)) for k, (t, h) in LAYOUTS.items()}
    lab.show("T, H, runs", [[*LAYOUTS[k], ran] for k, ran in found.items()])
    said = "the product needs as many rows of values as columns of weights: H = T"
    lab.wrong_answer("never", [], said)
    key = [k for k, ran in found.items() if ran]
    lab.wrong_answer("one_token", sorted([*key, "e"]), said)
    for letter, name in {"a": "more_tokens_than_heads", "c": "more_heads_than_tokens"}.items():
        t, h = LAYOUTS[letter]
        said = Text("with T = {t} and H = {h} the weights have {t} columns, but the values {h} rows").format(t=t, h=h)
        lab.wrong_answer(name, sorted([*key, letter]), said)
    return key


MASKS = {"a": (2, 3, 5), "b": (5, 3, 5), "c": (3, 3, 5), "d": (1, 4, 6), "e": (4, 4, 4)}


@question(2, Choice({k: f"B = {b}, H = {h}, T = {t}" for k, (b, h, t) in MASKS.items()}, many=True))
def silent_padding(lab):
    """A mask of shape [B, T] is applied to scores of shape [B, H, T, T] with masked_fill, without adding any
    dimension. For which sizes does that raise no error?
    """
    hide = lambda b, h, t: torch.zeros(b, h, t, t).masked_fill(torch.zeros(b, t) == 0, 1.0)  # noqa: E731 -- a formula
    found = {k: runs(lambda sizes=sizes: hide(*sizes)) for k, sizes in MASKS.items()}
    lab.show("B, H, T, runs", [[*MASKS[k], ran] for k, ran in found.items()])
    lab.wrong_answer(
        "only_equal", [k for k, (b, _, t) in MASKS.items() if b == t], "a single example broadcasts as well"
    )
    key = [k for k, ran in found.items() if ran]
    slips = {
        "a": ("batch_meets_batch", "shapes are lined up at the end: the mask's 2 rows meet 5 queries, not 2 examples"),
        "b": ("error_expected", "the 5 rows of the mask, one for each example, are taken for 5 queries"),
        "c": ("batch_meets_heads", "as many examples as heads is no help: the mask's 3 rows meet 5 queries"),
        "e": ("clash_of_equal_sizes", "the 4 rows of the mask, one for each example, are taken for 4 queries"),
    }  # fmt: skip
    return lab.by_letter(key, slips)


DTYPES = {"a": torch.float64, "b": torch.float32, "c": torch.bfloat16, "d": torch.float16}


@question(1, Choice({k: str(d).removeprefix("torch.") for k, d in DTYPES.items()}, many=True))
def fill_that_raises(lab):
    """Scores have one of these dtypes. For which of them does scores.masked_fill(mask, -1e9) raise an error?"""
    hide = torch.ones(2, dtype=torch.bool)
    found = {k: runs(lambda d=d: torch.zeros(2, dtype=d).masked_fill(hide, -1e9)) for k, d in DTYPES.items()}
    lab.show("dtype, largest number, runs", [[str(d), torch.finfo(d).max, found[k]] for k, d in DTYPES.items()])
    lab.wrong_answer("float16_holds_it", [], "float16 ends at 65504, and torch refuses to fill in a number beyond that")
    lab.wrong_answer("float32_too", ["b", "d"], "float32 reaches far beyond 1e9, up to about 3.4e38")
    lab.wrong_answer("bfloat16_too", ["c", "d"], "bfloat16 has the exponents of float32: it holds -1e9, if roughly")
    return [k for k, ran in found.items() if not ran]


def steps_between(edges, start, end):
    """The length of the shortest path, by breadth-first search."""
    reached, count = {start}, 0
    while end not in reached:
        reached |= {b for a, b in edges if a in reached}
        count += 1
    return count


@question(1, Number(0))
def path_in_a_recurrent_network(lab):
    """A recurrent network makes one step from the state of a token to the state of the next one. How many steps lead
    from the state of token {i} to the state of token {j}?
    """
    i, j = sorted(torch.randperm(40, generator=lab.draw())[:2].tolist())
    lab.put(i=i, j=j)
    chain = [(t, t + 1) for t in range(40)]
    lab.show("from, to, steps", [[i, j, steps_between(chain, i, j)]])
    lab.wrong_answer("inclusive", j - i + 1, "count the steps, not the tokens")
    return steps_between(chain, i, j)


@question(1, Number(0))
def path_in_attention(lab):
    """How many layers of causal self-attention are needed at least for token {i} to influence the output for
    token {j}?
    """
    i, j = sorted(torch.randperm(40, generator=lab.draw())[:2].tolist())
    lab.put(i=i, j=j)
    pairs = [(a, b) for a, b in itertools.product(range(40), repeat=2) if a <= b]
    lab.show("from, to, layers", [[i, j, steps_between(pairs, i, j)]])
    lab.wrong_answer("as_recurrent", j - i, "that is the recurrent network; attention looks back directly")
    return steps_between(pairs, i, j)


@question(1, Number(0))
def price_of_looking_back(lab):
    """A sequence grows from {n} to {m} tokens. How many more scores does one head of self-attention without a mask
    compute?
    """
    n = 10 * int(torch.randint(2, 9, (), generator=lab.draw()))
    m = 3 * n
    lab.put(n=n, m=m)
    attend = lab.solution("attention").scaled_dot_product_attention
    scores = [attend(*(torch.zeros(size, 2) for _ in range(3)))[1].numel() for size in (n, m)]
    lab.show("tokens, scores", [[n, scores[0]], [m, scores[1]]])
    lab.wrong_answer("linear", m - n, "the scores are the pairs of tokens: their number grows with the square")
    lab.wrong_answer("in_all", scores[1], "that is how many it computes in all")
    return scores[1] - scores[0]
