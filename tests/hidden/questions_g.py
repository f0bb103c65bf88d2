"""Concept questions on what attention costs."""

import torch
from torch import nn

from grader.questions import Choice, Number, Numbers, Table, Text, question

D_MODEL, HEADS, D_HEAD, LAYERS, WORDS = 12288, 96, 128, 96, 50257  # GPT-3
WHOLE = 175_181_291_520  # entries of all matrices of GPT-3


def entries(rows, columns):
    """The entries of a matrix; it takes no memory."""
    return nn.Linear(columns, rows, bias=False, device="meta").weight.numel()


@question(1, Numbers((3,), decimals=0))
def families_of_gpt3(lab):
    """GPT-3 has 12288 channels and 96 layers with 96 heads of 128 channels each; its vocabulary has 50257 tokens.
    Without biases, how many parameters do the matrices W_Q of all heads in all layers have; how many does all of
    attention have (W_Q, W_K, W_V and W_O in all layers); and how many does the embedding of the tokens have?
    """
    one = entries(D_HEAD, D_MODEL)
    family = one * HEADS * LAYERS
    attention = lab.solution("attention_param_count").attention_param_count(D_MODEL, HEADS, D_HEAD, LAYERS)
    embedding = entries(WORDS, D_MODEL)
    lab.show("one W_Q, all W_Q, all four families, embedding", [[one, family, attention, embedding]])
    lab.wrong_answer("one_layer", [family // LAYERS, attention // LAYERS, embedding], "that is one layer; there are 96")
    said = "W_O is missing: the values also have to come back up to 12288 channels"
    lab.wrong_answer("no_output", [family, attention // 4 * 3, embedding], said)
    full = LAYERS * HEADS * (2 * one + entries(D_MODEL, D_MODEL))
    said = "no head has a value matrix of 12288 x 12288; two narrow ones take its place"
    lab.wrong_answer("full_value", [family, full, embedding], said)
    said = "the vocabulary has 50257 tokens; 50527 has two digits swapped"
    lab.wrong_answer("swapped_digits", [family, attention, entries(50527, D_MODEL)], said)
    return [family, attention, embedding]


VOCABULARIES = {"a": 50000, "b": 50257, "c": 50304, "d": 50527, "e": 51200}


@question(0.5, Choice({letter: f"{size:,}" for letter, size in VOCABULARIES.items()}))
def size_of_the_vocabulary(lab):
    """A token embedding with 12288 channels has 617,558,016 parameters. How many tokens does its vocabulary have?"""
    counts = {letter: entries(size, D_MODEL) for letter, size in VOCABULARIES.items()}
    lab.show("tokens, parameters", [[VOCABULARIES[letter], n] for letter, n in counts.items()])
    lab.wrong_answer("swapped_digits", "d", "two digits are swapped: 50,527 tokens would need 620,875,776 parameters")
    said = Text("that is a round number, and would need {counts:,} parameters").format(counts=counts["a"])
    lab.wrong_answer("rounded", "a", said)
    said = Text("that is a size rounded up to a multiple of 64, for speed: it would need {counts:,} parameters").format(
        counts=counts["c"]
    )
    lab.wrong_answer("multiple_of_64", "c", said)
    said = Text("that is 50 times 1,024, and would need {counts:,} parameters").format(counts=counts["e"])
    lab.wrong_answer("multiple_of_1024", "e", said)
    (letter,) = [letter for letter, n in counts.items() if n == 617_558_016]
    return letter


@question(0.5, Number(3))
def share_of_attention(lab):
    """All matrices of GPT-3 (96 layers, 12288 channels, 96 heads of 128 channels a layer) together have 175,181,291,520
    parameters. What share of them belongs to attention, that is to W_Q, W_K, W_V and W_O? (Write it as 0.123 or 12.3%.)
    """
    attention = lab.solution("attention_param_count").attention_param_count(D_MODEL, HEADS, D_HEAD, LAYERS)
    lab.show("attention, all, share", [[attention, WHOLE, attention / WHOLE]])
    said = "that is the share of W_Q alone; there are four such families"
    lab.wrong_answer("one_family", attention / WHOLE / 4, said)
    lab.wrong_answer("no_output", attention / WHOLE * 3 / 4, "W_O belongs to attention too")
    lab.wrong_answer("the_rest", 1 - attention / WHOLE, "that is everything else")
    return attention / WHOLE


@question(1, Numbers((2,), decimals=0))
def eight_times_as_long(lab):
    """A model without a mask reads a text of {long} tokens instead of one of 1000. How many times as many scores does
    its attention compute, and how many times as many keys and values does it have to store?
    """
    times = lab.pick("times", 8, (3, 4, 5, 6, 7, 9))
    lab.put(long=1000 * times)
    cost = lab.solution("attention_cost").attention_cost
    scores = [cost(n, 64, 12, 6)[0] for n in (1000, 1000 * times)]
    kept = [2 * 6 * torch.empty(12, n, 64, device="meta").numel() for n in (1000, 1000 * times)]
    lab.show("short, long: scores; keys and values", [scores, kept])
    said = Text("every token is compared with every token: {times} times {times} as many scores").format(times=times)
    lab.wrong_answer("linear_scores", [times, times], said)
    said = Text(
        "each token has one key and one value a head: {times} times as many tokens, {times} times as many of them"
    ).format(times=times)
    lab.wrong_answer("quadratic_cache", [times * times, times * times], said)
    return [scores[1] // scores[0], kept[1] // kept[0]]


def online(q, k, v, block):
    """Attention tile by tile: its output, how many scores it computed, and the most it held at once."""
    top, total = torch.full(q.shape[:-1], -torch.inf).double(), torch.zeros(q.shape[:-1]).double()
    output, computed, held = torch.zeros_like(q), 0, 0
    for start in range(0, k.shape[-2], block):
        scores = q @ k[..., start : start + block, :].transpose(-2, -1) / q.shape[-1] ** 0.5
        computed, held = computed + scores.numel(), max(held, scores.numel())
        new = torch.maximum(top, scores.amax(-1))
        shares, shrink = (scores - new[..., None]).exp(), (top - new).exp()
        output = output * shrink[..., None] + shares @ v[..., start : start + block, :]
        top, total = new, total * shrink + shares.sum(-1)
    return output / total[..., None], computed, held


@question(1, Table(("sliding_window", "strided_sparse", "flash", "gqa"), ("reduces",), Choice({
    "scores": "fewer scores are computed at all",
    "storage": "all scores are computed, but never stored all at once",
    "keys": "all scores are computed, from fewer keys and values",
})))  # fmt: skip
def what_it_reduces(lab):
    """What does each of these save: a sliding window, in which a token attends to the last w tokens only; a strided
    sparse pattern, in which it attends to every w-th token; FlashAttention, which works tile by tile; and
    grouped-query attention? Answer scores, storage or keys.
    """
    H, n, d, w = 4, 32, 6, 8
    g = torch.Generator().manual_seed(3)
    q, k, v = (torch.randn(1, H, n, d, generator=g, dtype=torch.float64) for _ in range(3))
    due, _ = lab.solution("attention").scaled_dot_product_attention(q, k, v)
    exact, computed, held = online(q, k, v, w)
    assert float((exact - due).abs().max()) < 1e-9
    i, j = torch.arange(n)[:, None], torch.arange(n)
    window = H * int(((j <= i) & (j > i - w)).sum())
    strided = H * int(((i - j) % w == 0).sum())
    grouped = lab.solution("gqa").grouped_query_attention(q, k[:, :2], v[:, :2])[1].numel()
    whole = (H * n * n, H * n * n, 2 * k.numel())
    found = {
        "sliding_window": (window, window, 2 * k.numel()),
        "strided_sparse": (strided, strided, 2 * k.numel()),
        "flash": (computed, held, 2 * k.numel()),
        "gqa": (grouped, grouped, 2 * k[:, :2].numel()),
    }
    head = ["", "scores computed", "stored at once", "keys and values"]
    lab.show("what each needs", [["plain", *whole], *([name, *sizes] for name, sizes in found.items())], head=head)
    said = "FlashAttention computes every score and gives the exact result; it never stores all of them"
    lab.wrong_answer("flash_is_sparse", [["scores"], ["scores"], ["scores"], ["keys"]], said)
    said = "every query head still has scores of its own; what is shared are keys and values"
    lab.wrong_answer("gqa_fewer_scores", [["scores"], ["scores"], ["storage"], ["scores"]], said)
    names = ("scores", "storage", "keys")
    saved = [[s < all_ for s, all_ in zip(sizes, whole, strict=True)].index(True) for sizes in found.values()]
    return [[names[i]] for i in saved]


def patterns(n):
    """Which pairs are compared: a window of 3 with 2 global tokens, four equal buckets, a ring."""
    i, j = torch.arange(n)[:, None], torch.arange(n)
    window = ((i - j).abs() < 2) | (i < 2) | (j < 2)
    return {"window": window, "buckets": i % 4 == j % 4, "ring": torch.ones(n, n, dtype=torch.bool)}


@question(1, Numbers((4,), decimals=0))
def scores_of_the_variants(lab):
    """A text has {n} tokens, and nothing is hidden by a causal mask. How many scores does one head compute (1) if each
    token is compared with itself and its two neighbours, and also the first two tokens with all, in both
    directions; (2) if the {n} keys are first mixed down to 4; (3) if the tokens lie in four buckets of equal size and
    are compared within their bucket only; (4) if four machines hold a quarter of the keys each and pass them on in a
    ring until every query has met every key?
    """
    n = lab.pick("n", 12, (16, 20, 24, 28, 32))
    seen = patterns(n)
    narrow = torch.empty(n, 4, device="meta").numel()
    key = [int(seen["window"].sum()), narrow, int(seen["buckets"].sum()), int(seen["ring"].sum())]
    lab.show("window and global tokens, 4 keys, buckets, ring", [key])
    twice = 2 * 2 * n + 3 * n - 2
    said = "pairs of the window that touch a global token were counted twice"
    lab.wrong_answer("counted_twice", [twice, *key[1:]], said)
    lab.wrong_answer("one_round", [*key[:3], n * n // 4], "in a ring every query meets all keys, a quarter at a time")
    return key


@question(1, Table(("low_rank", "window", "buckets", "ring"), ("result",), Choice({
    "exact": "the same output as full attention",
    "other": "in general another output",
})))  # fmt: skip
def which_are_exact(lab):
    """Four ways to save memory or work: keys and values mixed down to a few by a matrix (low_rank), a local window
    with global tokens (window), comparing within buckets only (buckets), and blocks of keys that are passed around
    between machines and merged (ring). Which give the output of full attention? Answer exact or other.
    """
    n, d = 12, 6
    g = torch.Generator().manual_seed(9)
    q, k, v = (torch.randn(n, d, generator=g, dtype=torch.float64) for _ in range(3))
    mix = torch.randn(4, n, generator=g, dtype=torch.float64) / 2
    attend = lab.solution("attention").scaled_dot_product_attention
    due, _ = attend(q, k, v)
    seen = patterns(n)
    found = {
        "low_rank": attend(q, mix @ k, mix @ v)[0],
        "window": attend(q, k, v, seen["window"])[0],
        "buckets": attend(q, k, v, seen["buckets"])[0],
        "ring": online(q, k, v, n // 4)[0],
    }
    apart = {name: float((output - due).abs().max()) for name, output in found.items()}
    lab.show("largest difference from full attention", list(apart.items()))
    said = "a ring of blocks computes every score and merges the sums: nothing is left out"
    lab.wrong_answer("none", [["other"], ["other"], ["other"], ["other"]], said)
    said = "a few mixed keys cannot tell all tokens apart: the matrix is an approximation"
    lab.wrong_answer("low_rank_too", [["exact"], ["other"], ["other"], ["exact"]], said)
    return [["exact" if gap < 1e-9 else "other"] for gap in apart.values()]
