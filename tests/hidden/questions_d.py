"""Concept questions on multi-head attention."""

import math

import torch
import torch.nn.functional as F
from hidden.lib.experiments import normal, same, tried
from torch import nn

from grader.questions import Choice, Number, Numbers, Table, Text, question


def count(module):
    """How many numbers a module learns."""
    return sum(p.numel() for p in module.parameters())


def torch_s_own(embed_dim, num_heads, **options):
    """nn.MultiheadAttention with the weights that seed 42 gives; the seed of others is left alone."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(42)
        return nn.MultiheadAttention(embed_dim, num_heads, batch_first=True, **options)


@question(2, Number(0))
def channel_of_an_entry(lab):
    """A tensor [B, T, {d}] is split into {h} heads of neighbouring channels, as everywhere in this course:
    [B, {h}, T, {dh}]. Which channel of token t is now entry [b, {i}, t, {c}]? (Everything is counted from 0.)
    """
    h = lab.pick("h", 3, (3, 5, 6))
    dh = lab.pick("dh", 4, (4, 7, 8))
    i, c = lab.pick("i", 2, (1, 2)), lab.pick("c", 1, (1, 2, 3))
    lab.put(d=h * dh)
    x = torch.arange(float(h * dh)).expand(2, 5, h * dh)  # each entry holds the number of its channel
    heads = lab.solution("heads").split_heads(x, h)
    lab.show("the channels of each head", heads[0, :, 0])
    said = Text("a head holds {h} / {h2} = {dh} channels; head {i} begins at channel {i2}").format(
        h=h * dh, h2=h, dh=dh, i=i, i2=i * dh
    )
    lab.wrong_answer("block_of_heads", i * h + c, said)
    lab.wrong_answer("interleaved", c * h + i, "that deals the channels out in turn; a head holds neighbours")
    lab.wrong_answer("from_one", i * dh + c + 1, "channels and entries are counted from 0")
    lab.wrong_answer("first_head", c, "that is the channel within the head")
    return heads[1, i, 3, c]


WAYS = {
    "a": "y.transpose(1, 2).view(B, T, H * Dh)",
    "b": "y.transpose(1, 2).contiguous().view(B, T, H * Dh)",
    "c": "y.transpose(1, 2).reshape(B, T, H * Dh)",
    "d": "y.reshape(B, T, H * Dh)",
    "e": "y.contiguous().view(B, T, H * Dh)",
    "f": "torch.cat(y.unbind(1), dim=-1)",
}


@question(2, Choice(WAYS, many=True))
def ways_to_merge(lab):
    """y = weights @ v holds the heads, [B, H, T, Dh], with more than one head and more than one token. Which
    expressions put the heads of each token side by side again, [B, T, H * Dh], without raising an error or mixing up
    entries?
    """
    B, H, T, Dh = 2, 3, 5, 4
    y = normal(B, H, T, T).softmax(-1) @ normal(B, H, T, Dh, seed=2)
    due = lab.solution("heads").merge_heads(y)
    found = {}
    for letter, code in WAYS.items():
        try:
            found[letter] = same(eval(code, {"torch": torch, "y": y, "B": B, "T": T, "H": H, "Dh": Dh}), due)
        except RuntimeError as error:
            lab.show("{code} raises: {error}", code=code, error=str(error)[:60])
            found[letter] = False
    said = "y.reshape(...) runs, but without the transpose it cuts across heads and tokens"
    lab.wrong_answer("reshape_at_once", ["b", "c", "d", "f"], said)
    said = "a transposed tensor does not lie in memory in its new order: view refuses, reshape copies"
    lab.wrong_answer("view_of_transposed", ["a", "b", "c", "f"], said)
    return lab.by_letter(tried(lab, found), {
        "b": ("contiguous_undoes",
              "contiguous copies the entries into the order of the new axes; it does not turn these back"),
        "c": ("reshape_mixes_up",
              "after the transpose head and channel are the last two axes, and reshape just joins them"),
        "e": ("contiguous_at_once",
              "contiguous changes where entries lie, not the order of the axes: heads still precede tokens"),
        "f": ("cat_of_heads",
              "unbind(1) gives a tensor [B, T, Dh] for each head, and cat puts their channels side by side"),
    })  # fmt: skip


@question(2, Numbers((3,), decimals=0))
def parameters_by_heads(lab):
    """How many parameters does nn.MultiheadAttention({d}, h, bias=False) have for h = 1, for h = 4 and for h = 16?"""
    heads, d = (1, 4, 16), lab.pick("d", 64, (32, 48, 80, 96, 112, 128))
    counts = [count(torch_s_own(d, h, bias=False)) for h in heads]
    lab.show("parameters by number of heads", list(zip(heads, counts, strict=True)))
    said = "more heads do not mean more parameters: they share the same four matrices out among themselves"
    lab.wrong_answer("times_heads", [c * h for c, h in zip(counts, heads, strict=True)], said)
    said = "these are the parameters of one head; the module has all of them"
    lab.wrong_answer("of_one_head", [c // h for c, h in zip(counts, heads, strict=True)], said)
    lab.wrong_answer("no_output", [c * 3 // 4 for c in counts], "W_O is missing, the fourth matrix")
    with_biases = [count(torch_s_own(d, h)) for h in heads]
    lab.wrong_answer("with_biases", with_biases, "bias=False: there are no biases")
    return counts


DIVISORS = {"a": 768**0.5, "b": 64**0.5, "c": 64.0, "d": 12**0.5, "e": 12.0}


@question(2, Choice({
    "a": "the square root of 768, about 27.7",
    "b": "the square root of 64, which is 8",
    "c": "64",
    "d": "the square root of 12, about 3.5",
    "e": "12",
}))  # fmt: skip
def scale_of_a_head(lab):
    """A model has 768 channels and 12 heads. The entries of every head's queries and keys are independent, with mean 0
    and standard deviation 1. By what number must each head divide its scores so that their standard deviation is 1
    again?
    """
    B, T, D, H = 2, 8, 768, 12
    x, eye, none = normal(B, T, D), torch.eye(D, dtype=torch.float64), torch.zeros(D, dtype=torch.float64)
    q, k = (lab.solution("heads").split_heads(normal(B, 60, D, seed=s), H) for s in (2, 3))
    spread = {letter: float((q @ k.transpose(-2, -1) / by).std()) for letter, by in DIVISORS.items()}
    lab.show("standard deviation of the scores", list(spread.items()))
    ours = lab.solution("multi_head_attention").multi_head_attention(x, [eye] * 4, [none] * 4, H)
    heads = lab.solution("heads").split_heads(x, H)
    theirs = {
        letter: F.scaled_dot_product_attention(heads, heads, heads, scale=1 / by) for letter, by in DIVISORS.items()
    }
    off = [[letter, float((t.transpose(1, 2).flatten(2) - ours).abs().max())] for letter, t in theirs.items()]
    lab.show("largest difference from multi-head attention", off)
    said = "768 is the whole model; a head's dot product runs over 768 / 12 = 64 channels"
    lab.wrong_answer("whole_model", "a", said)
    lab.wrong_answer("no_root", "c", "64 is the variance of the scores; the spread is its square root")
    lab.wrong_answer("heads", "d", "the number of heads does not enter; the number of channels in a head does")
    lab.wrong_answer(
        "heads_no_root", "e", "12 counts the heads; a score adds up products over the channels of a single one"
    )
    return min(spread, key=lambda letter: abs(spread[letter] - 1))


@question(1.5, Numbers((4,), decimals=0))
def parameters_of_modules(lab):
    """How many parameters do these four modules have: MultiHeadAttention({d}, 8); MultiHeadAttention({d}, 8,
    bias=False); MultiHeadAttention(768, 8, bias=False); and MultiHeadAttention({small}, 2)? There are biases unless
    bias=False.
    """
    module = lab.solution("mha_module").MultiHeadAttention
    d, small = lab.pick("d", 512, (128, 256, 384, 640)), lab.pick("small", 8, (6, 10, 12, 14))
    sizes = ((d, 8, True), (d, 8, False), (768, 8, False), (small, 2, True))
    counts = [count(module(*size)) for size in sizes]
    theirs = [count(torch_s_own(d, h, bias=bias)) for d, h, bias in sizes]
    lab.show("ours and nn.MultiheadAttention", list(zip(counts, theirs, strict=True)))
    biases = [d * bias for d, _, bias in sizes]
    said = "biases are missing: each of the four layers has one number for each channel"
    lab.wrong_answer("no_biases", [c - 4 * b for c, b in zip(counts, biases, strict=True)], said)
    said = "w_o is missing, the fourth layer"
    lab.wrong_answer("no_output", [(c - 4 * b) * 3 // 4 + 3 * b for c, b in zip(counts, biases, strict=True)], said)
    said = "each layer has a bias of its own, four in all"
    lab.wrong_answer("one_bias", [c - 3 * b for c, b in zip(counts, biases, strict=True)], said)
    said = "the heads share the matrices; do not multiply by them"
    lab.wrong_answer("times_heads", [c * h for c, (_, h, _) in zip(counts, sizes, strict=True)], said)
    return counts


@question(1.5, Choice({
    "a": "w_q.bias", "b": "w_k.bias", "c": "w_v.bias",
    "d": "w_o.bias", "e": "w_k.weight", "f": "w_v.weight",
}, many=True))  # fmt: skip
def parameter_without_effect(lab):
    """Which parameters of MultiHeadAttention(12, 3) can be replaced by any other numbers without changing its output
    for any input?
    """
    names = {"a": "w_q.bias", "b": "w_k.bias", "c": "w_v.bias", "d": "w_o.bias", "e": "w_k.weight", "f": "w_v.weight"}
    module = lab.solution("mha_module").MultiHeadAttention(12, 3).double()
    state = {name: normal(*t.shape, seed=i) / 3 for i, (name, t) in enumerate(module.state_dict().items())}
    x = normal(2, 5, 12, seed=20)
    module.load_state_dict(state)
    due, _ = module(x)
    moved = {}
    for letter, name in names.items():
        module.load_state_dict({**state, name: normal(*state[name].shape, seed=30)})
        moved[letter] = float((module(x)[0] - due).detach().abs().max())
    lab.show("largest change of the output", [[names[letter], m] for letter, m in moved.items()])
    said = "a query bias adds b_q . k to a score, which differs from key to key, so the weights change"
    lab.wrong_answer("queries_too", ["a", "b"], said)
    said = "the value bias arrives in every output, through w_o: as a constant, but it does"
    lab.wrong_answer("values", ["c"], said)
    lab.wrong_answer("values_too", ["b", "c"], said)
    return lab.by_letter(tried(lab, {letter: m < 1e-9 for letter, m in moved.items()}), {
        "b": ("key_bias_matters",
              "a key bias adds q . b_k to all scores of a query alike, and softmax does not see it"),
        "d": ("output_bias", "nothing comes after the bias of w_o: it is added to every output as it is"),
        "e": ("made_up_for_by_w_q", "another w_q could make up for other keys, but here w_q stays as it is"),
        "f": ("made_up_for_by_w_o", "another w_o could make up for other values, but here w_o stays as it is"),
    })  # fmt: skip


@question(2, Table(("value", "change", "all_values", "w_o"), ("rows", "columns"), Number(0)))
def shapes_in_columns(lab):
    """GPT-3 is written with tokens as columns: E [12288, {n}] holds {n} tokens; each of the 96 heads of a layer has a
    matrix of weights A [{n}, {n}], a matrix down [128, 12288] and a matrix up [12288, 128]. How many rows and columns
    do these have: value = down E A; change = up down E A; all_values, the values of all heads stacked on top of each
    other; and w_o, the matrices up of all heads side by side?
    """
    tokens = lab.pick("n", 1000, (500, 700, 1500, 2000))
    n, dk, h = 5, 3, 4  # a small model of the same proportions, d = h * dk; sizes that cannot be confused
    real = {n: tokens, dk: 128, h * dk: 12288, h: 96}
    E, A = normal(h * dk, n), normal(n, n).softmax(0)
    downs = [normal(dk, h * dk, seed=s) for s in range(h)]
    ups = [normal(h * dk, dk, seed=s) for s in range(h)]
    value = downs[0] @ E @ A
    all_values, w_o = torch.cat([down @ E @ A for down in downs]), torch.cat(ups, dim=1)
    update = lab.solution("value_update").value_update(E, [A] * h, downs, ups)
    assert same(w_o @ all_values, update)
    small = [list(t.shape) for t in (value, ups[0] @ value, all_values, w_o)]
    lab.show(Text("in a model with d={h}, n={n}, {h2} heads, dk={dk}").format(h=h * dk, n=n, h2=h, dk=dk), small)
    key = [[real[size] for size in shape] for shape in small]
    said = "these are the transposed shapes; here a token is a column"
    lab.wrong_answer("tokens_as_rows", [shape[::-1] for shape in key], said)
    lab.wrong_answer("one_up", [*key[:3], [12288, 128]], "96 ups of 128 columns make 12288 columns")
    return key


HEADS = (1, 2, 4, 8)


@question(1.5, Table(tuple(map(str, HEADS)), ("head_dim", "parameters", "weights", "per_head"), Number(0)))
def table_of_heads(lab):
    """nn.MultiheadAttention(8, h, batch_first=True) gets one example of {t} tokens, [1, {t}, 8], as query, key and
    value. For h = 1, 2, 4 and 8: how many channels does a head have (head_dim); how many parameters does the module
    have; how many entries are in the weights that it returns; and how many with average_attn_weights=False
    (per_head)?
    """
    t = lab.pick("t", 4, (3, 5, 6, 7))
    x = normal(1, t, 8).float()
    rows, seen = [], []
    for h in HEADS:
        module = torch_s_own(8, h)
        output, weights = module(x, x, x)
        _, per_head = module(x, x, x, average_attn_weights=False)
        rows.append([module.head_dim, count(module), weights.numel(), per_head.numel()])
        seen.append([h, list(output.shape), list(weights.shape), list(per_head.shape)])
    lab.show("heads, shapes of output, weights, weights per head", seen)
    said = Text("the weights are averaged over the heads by default: there are always {t} x {t} of them").format(t=t)
    lab.wrong_answer("not_averaged", [[*row[:2], row[3], row[3]] for row in rows], said)
    said = "the number of parameters does not depend on the number of heads"
    lab.wrong_answer(
        "more_parameters", [[row[0], row[1] * h, *row[2:]] for row, h in zip(rows, HEADS, strict=True)], said
    )
    lab.wrong_answer("no_biases", [[row[0], 256, *row[2:]] for row in rows], "there are four biases of 8 numbers too")
    return rows


@question(1.5, Choice({
    "a": "the shape of the output",
    "b": "the shape of the weights that are returned by default",
    "c": "the shape of the weights with average_attn_weights=False",
    "d": "the number of parameters",
    "e": "head_dim",
    "f": "the values of the output",
    "g": "that each row of the weights sums to 1",
}, many=True))  # fmt: skip
def from_two_heads_to_one(lab):
    """nn.MultiheadAttention(8, 2) is replaced by nn.MultiheadAttention(8, 1) with the same parameters. What stays the
    same for every input?
    """
    x = normal(1, 4, 8).float()
    two, one = torch_s_own(8, 2), torch_s_own(8, 1)
    assert all(map(torch.equal, two.parameters(), one.parameters()))
    (o2, w2), (o1, w1) = two(x, x, x), one(x, x, x)
    p2, p1 = (m(x, x, x, average_attn_weights=False)[1] for m in (two, one))
    lab.show("largest change of the output, of the averaged weights",
             torch.stack([(o2 - o1).abs().max(), (w2 - w1).abs().max()]).detach())  # fmt: skip
    lab.wrong_answer(
        "weights_get_an_axis", ["a", "d", "g"], "the returned weights are averaged over the heads: their shape stays"
    )
    lab.wrong_answer(
        "fewer_parameters", ["a", "b", "g"], "the parameters stay as they are; one head then owns all channels"
    )
    key = tried(lab, {
        "a": o2.shape == o1.shape, "b": w2.shape == w1.shape, "c": p2.shape == p1.shape, "d": count(two) == count(one),
        "e": two.head_dim == one.head_dim, "f": torch.allclose(o2, o1),
        "g": torch.allclose(w2.sum(-1), w1.sum(-1)),
    })  # fmt: skip
    return lab.by_letter(key, {
        "a": ("output_by_heads",
              "the heads share the 8 channels among themselves and are joined again: 8 come out in any case"),
        "c": ("axis_stays", "without the average there is a table for each head, and all of them are returned"),
        "e": ("head_dim_fixed", "head_dim is the number of channels divided by that of heads: 8 / 2, then 8 / 1"),
        "f": ("same_numbers_same_output",
              "two heads compute two tables of weights, each from half of the channels; "
              "one head computes one from all"),
        "g": ("average_loses_the_sum", "the average of rows that sum to 1 sums to 1 as well"),
    })  # fmt: skip


@question(1.5, Numbers((3,), decimals=0))
def low_rank_value(lab):
    """For one head, a value matrix could be a single one, {d} x {d}. Instead it is built from two: one leads down to
    {dk} channels and one up again. How many numbers does the single one hold, how many do the two hold together, and
    how many times as many does the single one hold?
    """
    d, dk = lab.pick("d", 12288, (1024, 2048, 4096, 8192)), lab.pick("dk", 128, (32, 64, 128))
    whole = nn.Linear(d, d, bias=False, device="meta").weight.numel()
    parts = [nn.Linear(d, dk, bias=False, device="meta"), nn.Linear(dk, d, bias=False, device="meta")]
    two = sum(map(count, parts))
    lab.show("shapes as nn.Linear stores them", [[str(list(p.weight.shape)), count(p)] for p in parts])
    lab.wrong_answer("one_of_two", [whole, two // 2, 2 * whole // two], "that is one of the two; there is down and up")
    heads = d // dk
    said = "that is for {heads} heads; the question is about one"
    lab.wrong_answer("of_all_heads", [whole, heads * two, whole / (heads * two)], said, heads=heads)
    return [whole, two, whole / two]


PAIRS = {
    "a": ("dk d", "d dk"),
    "b": ("d dk", "dk d"),
    "c": ("dk d", "dk d"),
    "d": ("d d", "d dk"),
    "e": ("dk dk", "d d"),
}


@question(1.5, Choice({
    "a": "down [128, 12288], up [12288, 128]",
    "b": "down [12288, 128], up [128, 12288]",
    "c": "both [128, 12288], as W_Q and W_K are",
    "d": "down [12288, 12288], up [12288, 128]",
    "e": "down [128, 128], up [12288, 12288]",
}))  # fmt: skip
def shapes_down_and_up(lab):
    """Tokens are the columns of E [12288, 1000], A [1000, 1000] holds the weights of a head, and its update of E is
    up (down E A). Which shapes make that possible?
    """
    size = {"d": 12, "dk": 3}  # a small model with the same relations
    E, A = normal(12, 5), normal(5, 5).softmax(0)
    fits = {}
    for letter, pair in PAIRS.items():
        down, up = (normal(*(size[name] for name in shape.split())) for shape in pair)
        try:
            update = lab.solution("value_update").value_update(E, [A], [down], [up])
            fits[letter] = update.shape == E.shape
        except RuntimeError:
            fits[letter] = False
    lab.show("which shapes fit, tried with 12 for 12288 and 3 for 128", list(fits.items()))
    said = "those are the shapes for tokens as rows; a matrix on the left of E needs as many columns as E has rows"
    lab.wrong_answer("as_rows", "b", said)
    said = "up leads back: it has as many rows as a token has channels, the other way round than W_Q and W_K"
    lab.wrong_answer("same_shape", "c", said)
    said = "a square down keeps all 12288 channels, and the 128 columns of up cannot take them in"
    lab.wrong_answer("down_keeps_the_width", "d", said)
    lab.wrong_answer(
        "each_in_its_own_space", "e", "a token has 12288 channels, and a down of 128 columns cannot take them in"
    )
    (letter,) = [letter for letter, fit in fits.items() if fit]
    return letter


def _only(block, H, Dh, sign=1.0):
    """A W_O [H * Dh, Dh] that passes one head on."""
    return torch.cat([sign * torch.eye(Dh) * (h == block) for h in range(H)]).double()


@question(2, Choice({
    "a": "pass on head 0 and ignore all others",
    "b": "add up all heads",
    "c": "subtract head 1 from head 0",
    "d": "keep all heads, each in channels of its own",
    "e": "multiply the mean of the heads by any matrix [Dh, D]",
}, many=True))  # fmt: skip
def what_the_mean_loses(lab):
    """Instead of putting H > 2 heads side by side and multiplying them by W_O [H * Dh, D], somebody averages the heads
    and multiplies the mean by a matrix W [Dh, D]. Which of these can be done with some W_O, but with no W?
    """
    H, Dh = 3, 4
    wanted = {
        "a": _only(0, H, Dh), "b": sum(_only(h, H, Dh) for h in range(H)), "c": _only(0, H, Dh) + _only(1, H, Dh, -1.0),
        "d": torch.eye(H * Dh, dtype=torch.float64), "e": normal(Dh, 7).repeat(H, 1) / H,
    }  # fmt: skip
    found, rows = {}, []
    for letter, W_O in wanted.items():
        best = W_O.unflatten(0, (H, Dh)).sum(0)  # the W whose W_O comes closest, by least squares
        nearest, rank = lab.solution("mean_as_concat").mean_as_concat(best, H)
        found[letter] = not same(nearest, W_O)
        rows.append([letter, int(torch.linalg.matrix_rank(W_O)), rank, float((nearest - W_O).abs().max())])
    lab.show("rank of the W_O wanted, rank of the best that a mean can do, largest difference", rows)  # fmt: skip
    said = "the sum is H times the mean, so a mean can do it: W = H times the identity"
    lab.wrong_answer("sum_too", ["a", "b", "c", "d"], said)
    said = "to ignore heads or to tell them apart, W_O needs different blocks for them; a mean treats all alike"
    lab.wrong_answer("only_rank", ["d"], said)
    return lab.by_letter(tried(lab, found), {
        "a": ("pick_from_the_mean",
              "in a mean every head has the same share, and no matrix after it can take one head out"),
        "c": ("difference_of_a_mean",
              "when two heads change places their mean stays as it is, but their difference changes its sign"),
        "d": ("nothing_is_lost", "the mean has only Dh channels, too few for all that H heads hold"),
        "e": ("mean_is_something_else", "the mean of the heads times a matrix is just what W gives"),
    })  # fmt: skip


def two_heads(W, x, swapped=(), silent=None):
    """Causal attention with two heads of three channels: `swapped` matrices exchange their heads' blocks, one head's
    rows of W_O may be silent."""
    q, k, v, o = (w.roll(3, int(i == 3) - 1) if i in swapped else w for i, w in enumerate(W))
    if silent is not None:
        o = o.clone()
        o[3 * silent : 3 * silent + 3] = 0
    heads = [t.unflatten(-1, (2, 3)).transpose(0, 1) for t in (x @ q, x @ k, x @ v)]
    weights = (heads[0] @ heads[1].mT / math.sqrt(3)).softmax(-1)
    return (weights @ heads[2]).transpose(0, 1).flatten(1) @ o, weights


@question(2, Choice({
    "a": "Two heads exchange their parts of W_Q, W_K and W_V and their rows of W_O: every output stays the same.",
    "b": "Two heads exchange their parts of W_Q, W_K and W_V only: every output stays the same.",
    "c": "The rows of W_O of one head are set to 0: every output changes by exactly the term that this head added.",
    "d": "Whatever the matrices are, leaving out the first head changes the outputs more than leaving out the second.",
    "e": "Whatever the matrices are, one of the heads looks mostly at the token before.",
}, many=True))  # fmt: skip
def what_heads_guarantee(lab):
    """Texts give each head a role, such as grammar or the token before. Which of these statements about the two heads
    of a layer without biases hold for all matrices and all inputs?
    """
    found = dict.fromkeys("abcde", True)
    for seed in range(6):
        x, W = normal(5, 6, seed=seed), [normal(6, 6, seed=10 * seed + i + 1) for i in range(4)]
        due, weights = two_heads(W, x)
        without = [two_heads(W, x, silent=h)[0] for h in (0, 1)]
        found["a"] &= same(two_heads(W, x, swapped=(0, 1, 2, 3))[0], due)
        found["b"] &= same(two_heads(W, x, swapped=(0, 1, 2))[0], due)
        found["c"] &= same(due - without[0], without[1])
        found["d"] &= bool((due - without[0]).norm() > (due - without[1]).norm())
        found["e"] &= bool((weights.diagonal(-1, 1, 2).mean(-1) > 0.5).any())
    lab.wrong_answer("roles", ["a", "c", "e"], "what a head does is found by looking at a trained model")
    lab.wrong_answer("w_o_stays", ["a", "b", "c"], "W_O has rows for each head: they have to change places as well")
    return lab.by_letter(tried(lab, found), {
        "a": ("heads_have_places",
              "the output is a sum over the heads: if all that belongs to a head moves along, it stays"),
        "c": ("heads_depend_on_each_other", "no head looks at another one, and W_O adds up what they give"),
        "d": ("first_leads", "heads have no rank: which of them matters more depends on the numbers in their matrices"),
    })  # fmt: skip
