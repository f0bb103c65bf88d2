"""Concept questions on masks and the kinds of attention."""

import math

import torch
from hidden.lib.experiments import doubles, normal, same, tried
from torch.nn import functional

from grader.questions import Choice, Number, Numbers, Table, Text, question

SCORES = ((1.8, 0.4, 1.1, 0.9), (0.7, 1.9, 0.3, 1.2), (1.5, 0.6, 2.3, 0.8), (0.5, 1.6, 1.0, 2.1))
IT = (0.15, 0.10, 0.50, 0.25)  # the weights of the third of four tokens, the last of which is still to come


def depends(function, x):
    """[T, T']: whether output i of function(x) changes with token j of x [T', D]."""
    jacobian = torch.autograd.functional.jacobian(function, x)  # [T, Dv, T', D]
    return jacobian.abs().amax((1, 3)) > 1e-12


def multihead(heads=2, width=4):
    """A torch.nn.MultiheadAttention in float64 with weights and biases drawn by a seed of its own."""
    with torch.random.fork_rng(devices=[]):
        module = torch.nn.MultiheadAttention(width, heads, batch_first=True, dtype=torch.float64)
    with torch.no_grad():
        for seed, parameter in enumerate(module.parameters()):
            parameter.copy_(normal(*parameter.shape, seed=seed + 10))
    return module


@question(0.5, Number(0))
def causal_cells(lab):
    """A text has {n} tokens, and each of them may attend to itself and to those before it. How many of the {n} x {n}
    cells of the mask are True, if True means "may attend"?
    """
    n = int(torch.randint(7, 21, (), generator=lab.draw()))
    lab.put(n=n)
    mask = lab.solution("causal_mask").causal_mask
    lab.show(
        "tokens, cells, visible, n (n + 1) / 2",
        [[m, m * m, int(mask(m).sum()), m * (m + 1) // 2] for m in (1, 2, 3, 4, n)],
    )
    lab.wrong_answer("all", n * n, "that is every cell; the future is hidden")
    lab.wrong_answer("strict", n * (n - 1) // 2, "that leaves out the diagonal: each token sees itself, too")
    lab.wrong_answer("half", n * n / 2, "a little more than half: the diagonal is visible, too")
    return int(mask(n).sum())


@question(1, Numbers((4, 4), decimals=3))
def causal_weights(lab):
    """Four tokens have the (already scaled) scores [{r1}, {r2}, {r3}, {r4}], with a row for each query. What are the
    weights with a causal mask?
    """
    scores = torch.stack([lab.row(f"r{i}", row, 0.2, 3.0) for i, row in enumerate(SCORES, 1)])
    mask = lab.solution("causal_mask").causal_mask(4)
    softmax = lab.solution("masked_softmax").masked_softmax
    weights = softmax(scores, mask)
    lab.show("the weights", weights)
    three = softmax(scores[:3, :3], mask[:3, :3])
    lab.show("the first three tokens alone: the same three rows", three)

    def filled(hidden, value=-1e9):
        return scores.masked_fill(hidden, value).softmax(-1)

    lab.wrong_answer("inverted", filled(mask), "the past is hidden and the future visible: the mask is inverted")
    lab.wrong_answer("upper", filled(~mask.T), "each token sees itself and the future: that is the other triangle")
    lab.wrong_answer("strict", filled(~mask.tril(-1)), "no token sees itself here; the diagonal is visible")
    lab.wrong_answer("no_mask", scores.softmax(-1), "nothing is hidden here")
    lab.wrong_answer(
        "after_softmax", scores.softmax(-1) * mask, "the rows do not sum to 1: the mask came after softmax"
    )
    said = "hidden scores were set to 0, and exp(0) = 1 is a share; they have to be minus infinity"
    lab.wrong_answer("zeros", filled(~mask, 0.0), said)
    lab.wrong_answer("one_future", filled(~torch.ones_like(mask).tril(1)), "each token sees the one after it as well")
    said = "the columns sum to 1, not the rows: each query shares itself out among the keys"
    lab.wrong_answer("columns", scores.masked_fill(~mask, -1e9).softmax(0), said)
    said = "the scores were scaled once more; they are scaled already"
    lab.wrong_answer("scaled_again", (scores / 2).masked_fill(~mask, -1e9).softmax(-1), said)
    return weights


@question(0.5, Numbers((4,), decimals=3))
def causal_row(lab):
    """Without a mask, the third of four tokens gives the four tokens the weights {row}. Now a causal mask is used, and
    the scores are the same. Which four weights does the third token give?
    """
    usual, *others = (IT, (0.1, 0.2, 0.4, 0.3), (0.15, 0.05, 0.6, 0.2), (0.2, 0.1, 0.45, 0.25), (0.3, 0.15, 0.4, 0.15))
    row = doubles(*lab.pick("row", usual, others))
    lab.put(row="[" + ", ".join(f"{w:.2f}" for w in row.tolist()) + "]")
    mask = lab.solution("causal_mask").causal_mask(4)[2]
    weights = lab.solution("masked_softmax").masked_softmax(row.log(), mask)
    lab.show("without a mask, with it", torch.stack([row, weights]))
    said = "these do not sum to 1: the share of the hidden token goes to the visible ones"
    lab.wrong_answer("not_shared_out", row * mask, said)
    even = torch.where(mask, row + row[3] / 3, 0.0)
    said = "the share of the hidden token is not handed out evenly: ratios of visible weights stay as they are"
    lab.wrong_answer("evenly", even, said)
    before = torch.cat([row[:2] / row[:2].sum(), torch.zeros(2, dtype=torch.float64)])
    lab.wrong_answer("not_itself", before, "a token sees itself, too")
    return weights


ROW = {
    "zeros": "0 everywhere",
    "equal": "the same weight for each hidden key, 1/n",
    "unmasked": "the weights that it would have without a mask",
    "nan": "NaN",
    "error": "an error, no result at all",
}


def what_became_of(row, due):
    """Which of ROW the weights of a dead row are; `due` without a mask."""
    if row.isnan().any():
        return "nan"
    for name, value in (("zeros", torch.zeros_like(due)), ("unmasked", due), ("equal", torch.full_like(due, 1 / 3))):
        if bool((row - value).abs().max() < 1e-3):
            return name
    raise AssertionError(row)


def dead_row_of_module(need_weights):
    """What torch.nn.MultiheadAttention gives a query that sees nothing: weights, or the output less its last bias."""
    module, x = multihead(), normal(1, 3, 4)
    hidden = torch.tensor([[True] * 3, [False] * 3, [False] * 3])
    output, weights = module(x, x, x, attn_mask=hidden, need_weights=need_weights)
    # Without weights only the output shows what the row was: 0 times the values, then W_O and its bias.
    return weights[0, 0] if need_weights else (output[0, 0] - module.out_proj.bias)[:3]


def filled_row(scores, value):
    """Softmax of scores, all of which are hidden by filling in a value."""
    try:
        return scores.masked_fill(torch.ones(3, dtype=torch.bool), value).softmax(-1)
    except RuntimeError:
        return None


def dead_rows(lab, scores):
    """What becomes of a row of three hidden scores, by the way to hide them."""
    dead = torch.zeros(1, 3, dtype=torch.bool)
    as_logits = {"query": scores[None, :], "key": torch.eye(3, dtype=scores.dtype), "value": torch.eye(3).double()}
    return {
        "fill -1e9 (float32)": filled_row(scores.float(), -1e9),
        "fill -1e9 (float16)": filled_row(scores.half(), -1e9),
        "fill -inf": filled_row(scores, -math.inf),
        "add -1e9 (float64)": (scores - 1e9).softmax(-1),
        "F.sdpa": functional.scaled_dot_product_attention(**as_logits, attn_mask=dead, scale=1.0)[0],
        "nn.MHA": dead_row_of_module(need_weights=True),
        "nn.MHA (need_weights=False)": dead_row_of_module(need_weights=False),
        "masked_softmax": lab.solution("masked_softmax").masked_softmax(scores, dead[0]),
    }


WAYS = (
    "fill -1e9 (float32)", "fill -1e9 (float16)", "fill -inf", "add -1e9 (float64)", "F.sdpa", "nn.MHA",
    "nn.MHA (need_weights=False)", "masked_softmax",
)  # fmt: skip


@question(2, Table(WAYS, ("weights",), Choice(ROW)))
def dead_row(lab):
    """A query may attend to none of three keys, whose scores are 1, 2 and 3. Which weights does it get if all its
    scores are replaced by a number (fill, with masked_fill) before softmax; if a number is added to them (add); from
    F.scaled_dot_product_attention with a bool mask on the CPU (F.sdpa); from torch.nn.MultiheadAttention in train mode
    with gradients and a bool attn_mask (nn.MHA: the weights that it returns; with need_weights=False: the weights that
    its output shows); and from the masked_softmax of this course? (PyTorch in the version that is installed here.)
    """
    scores = doubles(1.0, 2.0, 3.0)
    found = dead_rows(lab, scores)
    key = {
        way: "error" if row is None else what_became_of(row.detach().double(), scores.softmax(-1))
        for way, row in found.items()
    }
    rows = [[way, "-" if row is None else row.detach(), key[way]] for way, row in found.items()]
    lab.show("way, result, in a word", rows)
    cells = [[key[way]] for way in WAYS]
    said = "-1e9 for all three is no mask at all: what is equal, or equally shifted, still shares a total of 1"
    as_infinity = [
        ["zeros"] if "-1e9 (float" in way and cell != ["error"] else cell for way, cell in zip(WAYS, cells, strict=True)
    ]
    lab.wrong_answer("large_is_infinite", as_infinity, said)
    said = "a library may repair such a row: F.scaled_dot_product_attention gives zeros"
    lab.wrong_answer(
        "sdpa_gives_nan", [["nan"] if way == "F.sdpa" else c for way, c in zip(WAYS, cells, strict=True)], said
    )
    return cells


def cured(name, scores, mask):
    """The weights of scores under a mask with a dead row, in different ways; see CURES."""
    filled, added = scores.masked_fill(~mask, -math.inf), scores + doubles(0.0, -math.inf)[(~mask).long()]
    return {
        "a": lambda: filled.softmax(-1).masked_fill(~mask, 0.0),
        "b": lambda: added.softmax(-1).masked_fill(~mask, 0.0),
        "c": lambda: filled.softmax(-1) * mask,
        "d": lambda: filled.softmax(-1).nan_to_num(0.0),
        "e": lambda: functional.scaled_dot_product_attention(
            scores, torch.eye(3).double(), torch.eye(3).double(), attn_mask=mask, scale=1.0
        ),
    }[name]()


CURES = {
    "a": "hidden scores replaced by -inf (masked_fill), softmax, hidden weights replaced by 0",
    "b": "-inf added to hidden scores, softmax, hidden weights replaced by 0",
    "c": "hidden scores replaced by -inf, softmax, weights multiplied by the mask (0 or 1)",
    "d": "hidden scores replaced by -inf, softmax, then nan_to_num",
    "e": "F.scaled_dot_product_attention with a bool mask",
}


@question(1, Choice(CURES, many=True))
def dead_gradient(lab):
    """One row of the scores is masked completely. With which of these ways is there no NaN, neither in the result nor
    in the gradient with respect to the scores?
    """
    mask = torch.tensor([[True, False, True], [False, False, False]])
    rows = []
    for name in CURES:
        scores = normal(2, 3).requires_grad_()
        weights = cured(name, scores, mask)
        (gradient,) = torch.autograd.grad((weights * normal(2, 3, seed=2)).sum(), scores)
        rows.append([name, bool(weights.isnan().any()), bool(gradient.isnan().any())])
    lab.show("way, NaN in the result, NaN in the gradient", rows)
    said = "what was added lets softmax's NaN through to the scores, although the result was repaired"
    lab.wrong_answer("added", ["a", "b", "d", "e"], said)
    lab.wrong_answer("times_zero", ["a", "c", "d", "e"], "NaN times 0 is NaN")
    return lab.by_letter([name for name, *bad in rows if not any(bad)], {
        "a": ("fill_lets_through", "masked_fill hands no gradient on to what it has replaced, and so no NaN either"),
        "d": ("only_the_result",
              "nan_to_num repairs the result; on the way back, masked_fill shields the scores from the NaN"),
        "e": ("library_gives_nan",
              "F.scaled_dot_product_attention looks after a row that sees nothing: zeros forward, no NaN backward"),
    })  # fmt: skip


@question(1, Number(0))
def padded_cells(lab):
    """A batch holds two texts, padded on the right to {t} positions: one has {t} tokens, the other {short}. How many
    cells of the mask [2, 1, {t}, {t}] are True, if a key must be a token and must not come after the query? (Queries at
    padded positions count like any other.)
    """
    drawn = lab.draw()
    t = int(torch.randint(5, 10, (), generator=drawn))
    short = int(torch.randint(2, t - 1, (), generator=drawn))
    lab.put(t=t, short=short)
    lengths = torch.tensor([t, short])
    combine_masks = lab.solution("combine_masks").combine_masks
    mask, left = combine_masks(t, lengths), combine_masks(t, lengths, padding_side="left")
    past = lab.solution("causal_mask").causal_mask(t)
    token = (torch.arange(t) < lengths[:, None])[:, None, None]
    counts = {
        "and": mask, "or": past | token, "padding": token & torch.ones_like(past), "causal": past.expand(mask.shape),
        "inverted": ~mask, "left": left,
    }  # fmt: skip
    counts = {name: int(m.sum()) for name, m in counts.items()}
    lab.show("joined how, True cells", list(counts.items()))
    lab.wrong_answer("either", counts["or"], "that many cells obey one of the two rules or both; both have to hold")
    lab.wrong_answer("padding_only", counts["padding"], "the future is not hidden here")
    lab.wrong_answer("causal_only", counts["causal"], "the padding is not hidden here")
    lab.wrong_answer("inverted", counts["inverted"], "that many are False")
    said = "padded queries count as well: only padded keys are hidden (and the padding is on the right)"
    lab.wrong_answer("queries_too", counts["left"], said)
    return counts["and"]


PADDING = {
    "a": "padding on the right: the rows of the tokens are the same as with the causal mask alone",
    "b": "padding on the right: some query sees nothing, although its text has at least one token",
    "c": "padding on the left, 3 tokens in 5 positions: two queries see nothing",
    "d": "applying a mask [B, T, T] to scores [B, H, T, T] always raises an error, so nobody can overlook it",
    "e": "padding on the left: if the rule for padding is dropped, the outputs of tokens change",
}


@question(1, Choice(PADDING, many=True))
def padding_facts(lab):
    """Which statements about the combination of a causal mask and a padding mask are true?"""
    lengths = torch.tensor([5, 3, 1])
    combine_masks = lab.solution("combine_masks").combine_masks
    attention = lab.solution("attention").scaled_dot_product_attention
    right, left = (combine_masks(5, lengths, padding_side=side)[:, 0] for side in ("right", "left"))
    causal = lab.solution("causal_mask").causal_mask(5)

    def rejected(b, h):
        try:
            return bool((normal(b, h, 5, 5) + torch.ones(b, 5, 5)).isnan().any())
        except RuntimeError:
            return True

    x = normal(5, 4)
    with_rule, without = attention(x, x, x, mask=left[1] | torch.eye(5).bool())[0], attention(x, x, x, mask=causal)[0]
    lab.show("mask for 3 tokens, padding on the left", left[1].int())
    found = {
        "a": all(bool((right[b, :n] == causal[:n]).all()) for b, n in enumerate(lengths.tolist())),
        "b": bool((~right.any(-1)).any()),
        "c": int((~left[1].any(-1)).sum()) == 2,
        "d": rejected(2, 3) and rejected(3, 3),
        "e": not same(with_rule[2:], without[2:]),
    }
    lab.wrong_answer("always_an_error", ["a", "c", "d", "e"], "with B = H it runs, and hides heads instead of examples")
    return lab.by_letter(tried(lab, found), {
        "a": ("right_padding_hides_more",
              "padding on the right comes after all tokens: to them it is future, and hidden already"),
        "b": ("padding_sees_nothing", "the first position holds a token, and every query may look back at it"),
        "c": ("padding_sees_itself", "to a query on the left padding, everything up to itself is padding"),
        "e": ("causal_is_enough", "padding on the left is past to every token: a causal mask alone leaves it visible"),
    })  # fmt: skip


PICTURE = {
    "rows": "each row sums to 1",
    "columns": "each column sums to 1",
    "upper": "the cells above the diagonal are hidden",
    "lower": "the cells below the diagonal are hidden",
}


@question(1.5, Table(("Q K^T", "K^T Q"), ("softmax", "future"), Choice(PICTURE)))
def triangles(lab):
    """Programs write tokens as rows and scores as Q K^T; a well-known animation writes tokens as columns and scores as
    K^T Q. For each of the two: what sums to 1 after softmax, and which triangle of the scores does a causal mask hide?
    """
    q, k, v = normal(4, 3), normal(4, 3, seed=2), normal(4, 2, seed=3)
    causal = lab.solution("causal_mask").causal_mask(4)
    due, _ = lab.solution("attention").scaled_dot_product_attention(q, k, v, mask=causal)
    above = torch.ones(4, 4).triu(1).bool()
    key, rows = [], []
    for picture, scores in (("Q K^T", q @ k.T), ("K^T Q", k @ q.T)):  # k is K^T in the picture with columns
        for sums, dim in (("rows", -1), ("columns", 0)):
            for triangle, hidden in (("upper", above), ("lower", above.T)):
                weights = (scores / math.sqrt(3)).masked_fill(hidden, -math.inf).softmax(dim)
                output = weights @ v if picture == "Q K^T" else (v.T @ weights).T
                off = float((output - due).abs().max())
                rows.append([picture, sums, triangle, off])
                key += [[sums, triangle]] if off < 1e-9 else []
    lab.show("scores, what sums to 1, hidden, off by", rows)
    said = "the lower triangle is the future only where a column is a query; with rows of queries it is the past"
    swapped = [["rows", "lower"], ["columns", "lower"]]
    lab.wrong_answer("lower_everywhere", swapped, said)
    said = "the upper triangle is the future only where a row is a query"
    lab.wrong_answer("upper_everywhere", [["rows", "upper"], ["columns", "upper"]], said)
    return key


MEANINGS = {"seen": "may be attended to", "hidden": "is hidden"}
MASKS = (  # not key_padding_mask, which is like attn_mask: torch imports sympy to check it, a second
    "F.scaled_dot_product_attention attn_mask",
    "nn.MultiheadAttention attn_mask",
    "nn.TransformerEncoderLayer src_mask",
    "scores.masked_fill(mask == 0, -inf)",
    "scores.masked_fill(mask, -inf)",
)


def weights_under(name, mask):
    """The weights that queries [3] give to keys [3] if `mask` [3, 3] is passed in as `name`."""
    x = normal(1, 3, 4)
    if name.startswith("F."):
        return functional.scaled_dot_product_attention(x[0], x[0], torch.eye(3).double(), attn_mask=mask)
    if name.startswith("nn.M"):
        return multihead()(x, x, x, attn_mask=mask)[1][0]
    if name.startswith("nn.T"):
        with torch.random.fork_rng(devices=[]):
            layer = torch.nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0, batch_first=True, dtype=torch.float64)
        return depends(lambda tokens: layer(tokens[None], src_mask=mask)[0], x[0]).double()
    return normal(3, 3).masked_fill(mask if "==" not in name else mask == 0, -math.inf).softmax(-1)


@question(1.5, Table(MASKS, ("True means",), Choice(MEANINGS)))
def what_true_means(lab):
    """What does True in a bool mask mean in each of these places: that the key may be attended to, or that it is
    hidden?
    """
    mask = torch.tensor([[False, False, True]] * 3)  # each query looks at keys 0 and 1, or at key 2
    key, rows = [], []
    for name in MASKS:
        weights = weights_under(name, mask).detach()
        seen = bool(weights[0, 2] > 0)
        assert seen != bool(weights[0, 1] > 0)
        key.append(["seen" if seen else "hidden"])
        rows.append([name, *weights[0].tolist(), *key[-1]])
    lab.show("where, what query 0 gives to keys 0, 1, 2 (True)", rows)
    said = "torch.nn.MultiheadAttention and what is built on it hide what is True"
    lab.wrong_answer("all_seen", [["seen"]] * 4 + [["hidden"]], said)
    slips = (
        ("all_alike", "the function reads a bool mask the other way round from the modules: True takes part"),
        ("module_as_function", "the module reads a bool mask the other way round from the function: True is left out"),
        ("encoder_alone", "an encoder layer hands its mask to nn.MultiheadAttention as it is"),
        ("comparison_overlooked", "mask == 0 is True where the mask is False, and there -inf is filled in"),
        ("fill_keeps", "masked_fill writes -inf where the mask is True"),
    )  # fmt: skip
    for row, (name, said) in enumerate(slips):
        other = [["hidden" if cell == "seen" else "seen"] if n == row else [cell] for n, (cell,) in enumerate(key)]
        lab.wrong_answer(name, other, said)
    return key


@question(1, Numbers((4,), 0))
def cross_shapes(lab):
    """A sentence of {t_q} tokens attends to another one of {t_kv} tokens; queries and keys have {dh} channels,
    values {dv}. What are the shapes of the weights (a row for each query) and of the output, without the batch?
    Write four numbers: the rows and columns of the weights, then those of the output.
    """
    t_q, t_kv, dh, dv = (torch.randperm(8, generator=lab.draw())[:4] + 2).tolist()
    lab.put(t_q=t_q, t_kv=t_kv, dh=dh, dv=dv)
    x, context = normal(1, t_q, 4), normal(1, t_kv, 6)
    w_q, w_k, w_v = normal(4, dh), normal(6, dh), normal(6, dv)
    output = lab.solution("cross_attention").cross_attention(x, context, w_q, w_k, w_v)[0]
    _, weights = lab.solution("attention").scaled_dot_product_attention(x @ w_q, context @ w_k, context @ w_v)
    key = [*weights[0].shape, *output.shape]
    lab.show("weights, output", [[str(list(weights[0].shape)), str(list(output.shape))]])
    said = "a row of the weights belongs to a query, and there is an output for each query"
    lab.wrong_answer("transposed", [t_kv, t_q, t_kv, dv], said)
    lab.wrong_answer("weights_transposed", [t_kv, t_q, t_q, dv], said)
    said = "what is mixed are the values: the output has as many channels as they"
    lab.wrong_answer("width_of_keys", [t_q, t_kv, t_q, dh], said)
    return key


CROSS = {
    "a": "if the padding of the context is not hidden, it changes the outputs",
    "b": "if the padding of x is not hidden in this mask, it changes the outputs of the other tokens of x",
    "c": "without a causal mask, the output of a token of x depends on later tokens of x",
    "d": (
        "with a causal mask (token i of x may see token j of the context if j <= i), the first token of x would see "
        "the first token of the context only"
    ),
    "e": "a mask [B, 1, T_kv] for the padding of the context fits, however many tokens x has",
    "f": "the tokens of the context have to be in the order of the sentence, or the outputs change",
}


@question(1, Choice(CROSS, many=True))
def cross_masks(lab):
    """Cross-attention: the tokens of x attend to those of a context, without positions, and without a mask unless one
    is mentioned. Which statements are true?
    """
    x, context, *weights = normal(2, 3, 4), normal(2, 5, 6), normal(4, 3), normal(6, 3), normal(6, 2)

    def cross(x, context, mask=None):
        return lab.solution("cross_attention").cross_attention(x, context, *weights, mask=mask)

    output = cross(x, context)
    padding = (torch.arange(5) < torch.tensor([[5], [3]]))[:, None]  # [B, 1, T_kv]
    others = torch.where(padding.mT, context, 9.0)
    causal = torch.ones(3, 5, dtype=torch.bool).tril()
    on_x = depends(lambda t: cross(t[None], context[:1])[0], x[0])
    on_context = depends(lambda t: cross(x[:1], t[None], causal)[0], context[0])
    lab.show("which tokens of x each output depends on", on_x.int())
    lab.show("with a causal mask: which tokens of the context", on_context.int())
    found = {
        "a": not same(cross(x, others), output) and same(cross(x, others, padding), cross(x, context, padding)),
        "b": not same(cross(torch.cat([x[:, :2], x[:, 2:] + 9], 1), context)[:, :2], output[:, :2]),
        "c": bool(on_x.triu(1).any()),
        "d": on_context[0].tolist() == [True, False, False, False, False],
        "e": all(cross(normal(2, t, 4), context, padding).shape == (2, t, 2) for t in (1, 3, 5, 8)),
        "f": not same(cross(x, context.flip(1)), output),
    }
    key = tried(lab, found)
    said = "the tokens of x do not attend to each other here: each output depends on its own query and on the context"
    lab.wrong_answer("as_self_attention", sorted({*key, "b", "c"}), said)
    said = "without positions the context is a set: its order changes nothing"
    lab.wrong_answer("order_matters", sorted({*key, "f"}), said)
    return lab.by_letter(key, {
        "a": ("padding_is_nothing", "padding has keys and values like any token, and gets weight unless it is hidden"),
        "b": ("padding_of_x",
              "padding of x only asks; nothing is taken from it, and its own outputs can be thrown away"),
        "c": ("x_sees_x", "a query takes nothing from another query, be it earlier or later"),
        "d": ("causal_does_no_harm",
              "a causal mask only compares position numbers, "
              "and those of two texts have nothing to do with each other"),
        "e": ("a_row_for_each_query", "a mask whose axis of queries has size 1 stretches to any number of them"),
    })  # fmt: skip


KINDS = {
    "x": "the sequence x itself",
    "context": "another sequence, the context",
    "all": "every token of the sequence that the keys come from",
    "past": "the token itself and those before it",
    "read": "to read x as a whole, each token in the context of all others",
    "write": "to write x from left to right",
    "consult": "to consult the context while x is written",
}


@question(
    4,
    Table(
        ("self-attention", "masked self-attention", "cross-attention"),
        ("queries from", "keys and values from", "may look at", "used"),
        Choice(KINDS),
    ),
)
def kinds_of_attention(lab):
    """For self-attention, masked self-attention and cross-attention: where do the queries come from (x or context);
    where do the keys and values come from (x or context); which of their tokens may a query attend to (all or past);
    and what is it used for in a translation model (read, write or consult)?
    """
    x, context, *weights = normal(1, 4, 3), normal(1, 4, 3, seed=2), normal(3, 3), normal(3, 3, seed=3), normal(3, 3)
    causal = lab.solution("causal_mask").causal_mask(4)
    attend = lab.solution("cross_attention").cross_attention
    kinds = {
        "self-attention": lambda x, context: attend(x, x, *weights),
        "masked self-attention": lambda x, context: attend(x, x, *weights, mask=causal),
        "cross-attention": lambda x, context: attend(x, context, *weights),
    }
    key = []
    for name, kind in kinds.items():
        on_x = depends(lambda t, kind=kind: kind(t[None], context)[0], x[0])
        on_context = depends(lambda t, kind=kind: kind(x, t[None])[0], context[0])
        answers = on_context if bool(on_context.any()) else on_x
        source = "context" if bool(on_context.any()) else "x"
        reach = "all" if bool(answers.all()) else "past" if bool((answers == causal).all()) else "?"
        use = {("x", "all"): "read", ("x", "past"): "write", ("context", "all"): "consult"}[source, reach]
        queries = "x" if bool(on_x.diagonal().all()) else "context"
        lab.show(
            Text("{name}: which tokens of x (left) and of the context (right) each output depends on").format(
                name=name
            ),
            [[*row] for row in torch.cat([on_x, on_context], 1).int().tolist()],
        )
        key.append([queries, source, reach, use])
    other = [row[:] for row in key]
    other[1][1] = "context"
    said = "masked self-attention has the same sources as self-attention; what differs is the mask"
    lab.wrong_answer("masked_by_source", other, said)
    swapped = [*key[:2], ["context", "x", "all", "consult"]]
    lab.wrong_answer("roles_swapped", swapped, "x asks: it is the sentence that is written. The context answers")
    return key


FACTS = {
    "a": '"self" means that each token attends to itself only',
    "b": "in self-attention a token's query is compared with its own key, too",
    "c": "the three kinds differ in nothing but the source of queries, keys and values",
    "d": "cross-attention whose context is x gives the same as self-attention",
    "e": "in masked self-attention the first token gets exactly its own value",
    "f": "in masked self-attention the last token gets what it would get without a mask",
}


@question(2, Choice(FACTS, many=True))
def facts_on_kinds(lab):
    """Which statements about self-attention, masked (causal) self-attention and cross-attention are true, if all of
    them use the same matrices W_Q, W_K and W_V?
    """
    x, w_q, w_k, w_v = normal(1, 4, 3), normal(3, 3), normal(3, 3, seed=3), normal(3, 3, seed=4)
    causal = lab.solution("causal_mask").causal_mask(4)
    attention = lab.solution("attention").scaled_dot_product_attention
    plain, weights = attention(x @ w_q, x @ w_k, x @ w_v)
    masked, _ = attention(x @ w_q, x @ w_k, x @ w_v, mask=causal)
    crossed = lab.solution("cross_attention").cross_attention(x, x, w_q, w_k, w_v)
    lab.show("weights of self-attention", weights[0])
    lab.show("outputs without and with a mask", torch.cat([plain[0], masked[0]], 1))
    found = {
        "a": same(plain, x @ w_v),
        "b": bool((weights[0].diagonal() > 0).all()),
        "c": same(plain, masked),  # the sources are the same; if that were all, so would be the results
        "d": same(crossed, plain),
        "e": same(masked[:, 0], (x @ w_v)[:, 0]),
        "f": same(masked[:, -1], plain[:, -1]),
    }
    key = tried(lab, found)
    said = "masked self-attention takes everything from x, as self-attention does; what differs is the mask"
    lab.wrong_answer("only_the_source", sorted([*key, "c"]), said)
    said = '"self" means within one sequence; a token sees the others, too'
    lab.wrong_answer("only_itself", sorted([*key, "a"]), said)
    return lab.by_letter(key, {
        "b": ("not_with_itself", "a token's own key is one of the keys in the sequence, and nothing takes it out"),
        "d": ("another_formula",
              "with x as the context, the same matrices make queries, keys and values of the same tokens"),
        "e": ("first_is_mixed", "the first token sees nothing but itself, and a single weight is 1"),
        "f": ("mask_always_changes", "nothing comes after the last token, so nothing is hidden from it"),
    })  # fmt: skip
