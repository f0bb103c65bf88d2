"""Concept questions on caches, partial softmaxes, tiles and windows."""

import math

import torch
import torch.nn.functional as F
from hidden.lib.experiments import doubles, normal, same, tried
from torch.overrides import TorchFunctionMode

from grader.questions import Choice, Number, Numbers, question


def attend(q, k, v, visible=None):
    """Plain attention under a mask."""
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if visible is not None:
        scores = scores.masked_fill(~visible, -math.inf)
    return scores.softmax(-1) @ v


def matrices():
    """W_Q, W_K, W_V, W_O for 16 channels, 4 query heads and 2 key and value heads."""
    return [normal(16, n, seed=s) / 4 for s, n in enumerate((16, 8, 8, 16))]


STEPS = {
    "a": "a whole text of 6 tokens in one pass, no cache",
    "b": "1 new token after 5 cached ones",
    "c": "3 new tokens after 3 cached ones",
    "d": "the first token of a text, alone",
    "e": "2 new tokens after 4 cached ones",
}


@question(1, Choice(STEPS, many=True))
def where_a_mask_is_needed(lab):
    """In which of these steps is the result of causal attention wrong if the mask is left out?"""
    mask = lab.solution("causal_mask").causal_mask
    q, k, v = normal(6, 4), normal(6, 4, seed=2), normal(6, 3, seed=3)
    sizes = {"a": (6, 6), "b": (1, 6), "c": (3, 6), "d": (1, 1), "e": (2, 6)}
    hidden = {letter: int((~mask(new, kv_len=total)).sum()) for letter, (new, total) in sizes.items()}
    lab.show("step, keys that the mask hides", list(hidden.items()))
    found = {}
    for letter, (new, total) in sizes.items():
        given = q[total - new : total], k[:total], v[:total]
        found[letter] = not same(attend(*given), attend(*given, mask(new, kv_len=total)))
    key = tried(lab, found)
    said = "cached keys are visible to all, but a chunk of several tokens still has an order inside"
    lab.wrong_answer("only_without_cache", ["a"], said)
    lab.wrong_answer(
        "everywhere", list(STEPS), "a single token has no later key: everything in the cache is older than it is"
    )
    slips = {
        "a": ("one_pass_is_safe", "in one pass the keys of all six tokens are there, those that come later too"),
        "b": ("mask_at_every_step", "the new token is the last one: it may see all that is cached, and itself"),
        "c": ("cached_so_safe", "the first of the three new tokens would see the other two"),
        "d": ("first_token_sees_more", "the first token can see nothing but itself, mask or not"),
        "e": ("two_are_no_chunk", "the first of the two new tokens would see the second"),
    }  # fmt: skip
    return lab.by_letter(key, slips)


@question(1, Number(0))
def numbers_in_the_cache(lab):
    """A batch of two texts is decoded: for each a prompt of {prompt} tokens, then 4 single tokens. The layer has 16
    channels, 4 query heads and 2 key and value heads. How many numbers does this layer's cache of keys and values hold
    at the end?
    """
    prompt = lab.pick("prompt", 6, (5, 7, 8, 9, 11))
    x = normal(2, prompt + 4, 16, seed=9)
    _, cache = lab.solution("kv_decode").kv_decode(x, matrices(), 4, 2, [prompt, 1, 1, 1, 1])
    total = sum(t.numel() for t in cache)
    lab.show("shapes of the keys and of the values", [[list(t.shape)] for t in cache])
    lab.wrong_answer("keys_only", total // 2, "that is the keys alone; values are kept too")
    lab.wrong_answer("all_heads", total * 2, "only the 2 key and value heads are kept, not a copy for each query head")
    lab.wrong_answer("prompt_only", total * prompt // (prompt + 4), "the 4 tokens after the prompt are kept as well")
    lab.wrong_answer("without_channels", 2 * 2 * 2 * (prompt + 4), "every head keeps Dh = 16 / 4 numbers a token")
    return total


@question(1, Numbers((2,), decimals=0))
def keys_computed(lab):
    """A text of {n} tokens is generated one token at a time, without a prompt. Step i needs the keys of the tokens 1
    to i. How many keys does one head of a layer compute in all {n} steps without a cache (every step computes all of
    its keys again), and how many with a cache?
    """
    n = lab.pick("n", 100, (50, 60, 80, 90, 120))
    without = with_cache = cached = 0
    rows = []
    for step in range(1, n + 1):
        without += step
        with_cache += step - cached
        cached = step
        if step in (1, 2, 3, 10, n):
            rows.append([step, without, with_cache])
    lab.show("after step, without cache, with cache", rows)
    lab.wrong_answer("square", [n * n, n], "the first steps have few tokens: 1 + 2 + ... + {n}", n=n)
    lab.wrong_answer("scores", [without, without], "with a cache each token's key is computed once")
    return [without, with_cache]


@question(2, Numbers((3,), decimals=3))
def merged_by_hand(lab):
    """A query has the scores {first} with two keys in one block and {second} with two keys in another; the values are
    [10, 20] in the first block and [30, 40] in the second. For all four keys together, write three numbers: the largest
    score m, the sum l of e^(score - m), and the output of attention.
    """
    solution = lab.solution("merge_softmax")
    first = lab.pick("first", [1, 3], [[0, 2], [2, 3], [1, 2], [0, 3], [3, 1]])
    second = lab.pick("second", [2, 4], [[1, 4], [3, 4], [4, 2], [0, 4], [4, 3]])
    blocks = [
        solution.softmax_part(doubles(scores), doubles(values).mT)
        for scores, values in ((first, (10, 20)), (second, (30, 40)))
    ]
    m, total, output = (t.flatten()[0] for t in solution.merge_softmax(*blocks))
    lab.show(
        "m, l, o: first block, second block, merged",
        [[t.flatten()[0] for t in part] for part in (*blocks, solution.merge_softmax(*blocks))],
    )
    plain = doubles(*first, *second).softmax(0) @ doubles(10, 20, 30, 40)
    lab.show("attention over the four keys at once", [[plain]])
    grown = math.exp(4 - max(first))
    (_, l1, o1), (_, l2, o2) = ([t.flatten()[0] for t in part] for part in blocks)
    said = "the first block is relative to its own m = {first}: multiply its l and o by e^({first} - 4)"
    lab.wrong_answer("no_rescale", [m, l1 + l2, (o1 + o2) / (l1 + l2)], said, first=max(first))
    said = "the blocks' outputs do not count equally, but as their sums l do after rescaling"
    lab.wrong_answer("mean_of_blocks", [m, total, (o1 / l1 + o2 / l2) / 2], said)
    lab.wrong_answer("sum_not_output", [m, total, output], "the third number is o; the output is o / l")
    said = "the block with the smaller maximum shrinks: its factor is below 1"
    lab.wrong_answer("rescaled_backwards", [m, l1 * grown + l2, (o1 * grown + o2) / (l1 * grown + l2)], said)
    return [m, total, output / total]


class Largest(TorchFunctionMode):
    """Notes how many entries the largest tensor has that a torch function returns."""

    def __init__(self):
        super().__init__()
        self.entries = 0

    def __torch_function__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        if isinstance(result, torch.Tensor):
            self.entries = max(self.entries, result.numel())
        return result


FLASH = {
    "a": "its output is that of plain attention up to rounding",
    "b": "small weights are left out",
    "c": "the output depends on the size of the blocks",
    "d": "it computes fewer dot products of queries and keys than plain attention",
    "e": "for twice as long a text its largest intermediate result is twice as large, not four times",
    "f": "it needs softmax of a whole row at some point",
}


@question(2, Choice(FLASH, many=True))
def what_flash_is(lab):
    """Which statements about FlashAttention (keys in blocks of a fixed size, no mask) are true?"""
    flash = lab.solution("flash_attention").flash_attention
    q, k, v = normal(12, 4), normal(12, 4, seed=2), normal(12, 3, seed=3)
    exact, one, other = attend(q, k, v), flash(q, k, v, 5), flash(q, k, v, 2)
    products = sum(12 * len(keys) for keys in k.split(5))

    def largest(length, function):
        x = normal(length, 4)
        with Largest() as seen:
            function(x, x, x)
        return seen.entries

    sizes = {
        name: [largest(n, f) for n in (64, 128)] for name, f in (("plain", attend), ("flash", lambda *x: flash(*x, 8)))
    }
    widest = max(len(keys) for keys in k.split(5))
    lowest = float((q @ k.T / 2).softmax(-1).min())
    found = {
        "a": same(one, exact),
        "b": float((one - exact).abs().max()) > lowest,
        "c": not same(one, other),
        "d": products < 12 * 12,
        "e": sizes["flash"][1] == 2 * sizes["flash"][0],
        "f": widest == 12,
    }
    lab.show("largest difference from plain attention; smallest weight", [[float((one - exact).abs().max()), lowest]])
    lab.show(
        "entries of the largest tensor for 64 and for 128 tokens", [[name, *counts] for name, counts in sizes.items()]
    )
    key = tried(lab, found)
    lab.wrong_answer("approximate", ["b", "e"], "nothing is left out: rescaling makes the sums exact")
    lab.wrong_answer(
        "less_work", ["a", "d", "e"], "every query still meets every key; what is saved is memory and the way to it"
    )
    slips = {
        "a": ("not_exact",
              "whenever the maximum grows, the sums so far are rescaled: in the end they are those of the whole row"),
        "b": ("small_weights_dropped", "each block is added to the sums, however little it weighs"),
        "c": ("block_size_shows",
              "all blocks are brought to one maximum, so that it does not matter where the row is cut"),
        "e": ("square_all_the_same",
              "at any time there are only the scores with one block of keys, and a block keeps its size"),
        "f": ("whole_row_needed",
              "a running maximum and a running sum stand in for the row, which is never there as a whole"),
    }  # fmt: skip
    return lab.by_letter(key, slips)


@question(1, Numbers((3, 2), decimals=4))
def running_sums(lab):
    """A query's scores arrive in the blocks [2, 1], {second} and {third}. After each block, what are the largest score
    m so far and the sum l of e^(score - m) over all scores so far? Write a row for each block: m, l.
    """
    second = lab.pick("second", [4, 0], [[3, 1], [4, 2], [0, 3], [3, 0]])
    third = lab.pick("third", [3, 5], [[5, 2], [6, 1], [2, 5], [1, 6]])
    solution, one = lab.solution("merge_softmax"), torch.zeros(2, 1, dtype=torch.float64)
    parts = [solution.softmax_part(doubles(block), one) for block in ((2, 1), second, third)]
    rows, so_far, raw = [], None, []
    for part in parts:
        so_far = part if so_far is None else solution.merge_softmax(so_far, part)
        rows.append([float(so_far[0]), float(so_far[1])])
        raw.append(float(part[1]))
    lab.show("m and l after each block", rows)
    whole = doubles(2, 1, *second, *third)
    lab.show("all six scores at once", [[whole.max(), (whole - whole.max()).exp().sum()]])
    said = "these are the blocks one by one; carry l along and shrink it when m grows"
    lab.wrong_answer("each_block_alone", [[float(p[0]), float(p[1])] for p in parts], said)
    said = "l has to shrink by e^(old m - new m) whenever m grows"
    lab.wrong_answer("no_rescale", [[row[0], sum(raw[: i + 1])] for i, row in enumerate(rows)], said)
    return rows


@question(1, Number(0))
def pairs_in_a_window(lab):
    """{n} tokens use causal attention with a sliding window of {w} (a token's own position counts). How many pairs of a
    query and a key are visible?
    """
    n, w = lab.pick("n", 9, (8, 10, 11, 12)), lab.pick("w", 4, (3, 4, 5))
    mask = lab.solution("sliding_window").sliding_window_mask(n, w)
    lab.show("the mask", mask.int())
    distance = torch.arange(n).unsqueeze(1) - torch.arange(n)
    said = "the window of {w} includes the token's own position"
    lab.wrong_answer("own_position_not_counted", int(((distance >= 0) & (distance <= w)).sum()), said, w=w)
    one_less = int(((distance >= 0) & (distance < w - 1)).sum())
    lab.wrong_answer("one_too_few", one_less, "that is a window of {w}", w=w - 1)
    lab.wrong_answer("both_sides", int((distance.abs() < w).sum()), "the window does not reach forwards")
    lab.wrong_answer("causal", int((distance >= 0).sum()), "that is the causal mask without a window")
    lab.wrong_answer("full_rows", n * w, "the first {w} tokens have fewer than {w2} positions to see", w=w - 1, w2=w)
    return int(mask.sum())


@question(1, Number(0))
def receptive_field(lab):
    """{layers} layers of causal attention with a sliding window of {w} (a token's own position counts) are stacked. How
    many input tokens can influence one output that is far enough from the start of the text?
    """
    layers, w = lab.pick("layers", 4, (3, 4, 5)), lab.pick("w", 3, (3, 4, 5))
    mask = lab.solution("sliding_window").sliding_window_mask(30, w).double()
    reached, rows = torch.eye(30, dtype=torch.float64), []
    for layer in range(1, layers + 1):
        reached = mask @ reached
        rows.append([layer, int((reached[-1] > 0).sum())])
    lab.show("layers, tokens that reach the last output", rows)
    said = "the windows of two layers overlap in the token itself: each layer adds {w}, not {w2}"
    lab.wrong_answer("product", layers * w, said, w=w - 1, w2=w)
    lab.wrong_answer("power", w**layers, "windows add up, they do not multiply")
    lab.wrong_answer("itself_not_counted", layers * (w - 1), "the token itself counts too")
    lab.wrong_answer("one_layer", w, "that is a single layer")
    return rows[-1][1]


@question(1, Number(0))
def window_against_causal(lab):
    """A text has {n} tokens. How many fewer pairs of a query and a key are visible with a causal sliding window of {w}
    (a token's own position counts) than with the plain causal mask?
    """
    n, w = lab.pick("n", 4096, (1024, 2048, 3072)), lab.pick("w", 512, (128, 256, 384))
    mask = lab.solution("sliding_window").sliding_window_mask

    def seen(length, window):
        return sum(min(i + 1, window) for i in range(length))

    lab.show(
        "the same count for small sizes: by formula, by mask",
        [[seen(*size), int(mask(*size).sum())] for size in ((6, 3), (40, 7), (64, 64))],
    )
    causal, windowed = seen(n, n), seen(n, w)
    lab.show("causal, window", [[causal, windowed]])
    lab.wrong_answer("what_is_left", windowed, "that many are left; the question is about the difference")
    lab.wrong_answer("full_rows", causal - n * w, "the first {w} tokens see fewer than {w2} positions", w=w - 1, w2=w)
    lab.wrong_answer("square", n * n - windowed, "the causal mask hides half of the square already")
    return causal - windowed


CHUNKS = {
    "a": "6, all at once",
    "b": "1 + 1 + 1 + 1 + 1 + 1",
    "c": "3 + 3",
    "d": "1 + 5",
    "e": "5 + 1",
    "f": "3 + 1 + 2",
}


@question(1, Choice(CHUNKS, many=True))
def where_the_bug_hides(lab):
    """A model calls F.scaled_dot_product_attention with is_causal=True for every chunk of two or more tokens, and
    without a mask for a single token; keys and values are cached. A text of 6 tokens is processed in chunks of these
    sizes. For which of them are all outputs right?
    """
    q, k, v = normal(6, 4), normal(6, 4, seed=2), normal(6, 3, seed=3)
    right = attend(q, k, v, lab.solution("causal_mask").causal_mask(6))
    ways = {"a": [6], "b": [1] * 6, "c": [3, 3], "d": [1, 5], "e": [5, 1], "f": [3, 1, 2]}
    off = {}
    for letter, sizes in ways.items():
        outputs, done = [], 0
        for size in sizes:
            new, done = slice(done, done + size), done + size
            given = (t.unsqueeze(0) for t in (q[new], k[:done], v[:done]))
            outputs.append(F.scaled_dot_product_attention(*given, is_causal=size > 1)[0])
        off[letter] = float((torch.cat(outputs) - right).abs().max())
    lab.show("way, off by at most", list(off.items()))
    key = [letter for letter, worst in off.items() if worst < 1e-9]
    said = "5 + 1 is right as well: the chunk of 5 meets no cache, the single token needs no mask"
    lab.wrong_answer("only_the_usual", ["a", "b"], said)
    lab.wrong_answer("equal_chunks", ["a", "b", "c"], "in 3 + 3 the second chunk meets 3 cached keys")
    slips = {
        "a": ("wrong_from_the_start",
              "where nothing is cached there are as many keys as queries, and is_causal hides the right ones"),
        "b": ("single_needs_a_mask",
              "a token on its own is always the last one so far: nothing has to be hidden from it"),
        "c": ("second_half_like_the_first",
              "is_causal counts keys from the first one: the second three tokens see 1, 2 and 3 of 6 keys"),
        "d": ("one_cached_key_is_harmless",
              "one cached key is enough to move the mask: each of the 5 no longer sees itself"),
        "f": ("last_chunk_overlooked",
              "the last two tokens meet four cached keys, and is_causal counts from the first of them"),
    }  # fmt: skip
    return lab.by_letter(key, slips)


@question(1, Numbers((2,), decimals=0, whole=True))
def top_left(lab):
    """F.scaled_dot_product_attention gets {t} queries, {n} keys and is_causal=True. How many keys does the first query
    attend to, and how many does the last one?
    """
    t, n = lab.pick("t", 2, (2, 3, 4)), lab.pick("n", 5, (5, 6, 7, 8))
    q, k, v = normal(1, t, 4), normal(1, n, 4, seed=2), torch.eye(n, dtype=torch.float64).unsqueeze(0)
    weights = F.scaled_dot_product_attention(q, k, v, is_causal=True)[0]
    wanted = lab.solution("causal_mask").causal_mask(t, kv_len=n).sum(-1)[[0, -1]]
    lab.show("weights", weights)
    lab.show("keys that they should see behind a cache", wanted.unsqueeze(0))
    said = "that is what decoding needs, and what is_causal does not do: it lines up the first query with the first key"
    lab.wrong_answer("as_it_should_be", wanted, said)
    lab.wrong_answer("all", [n, n], "is_causal=True does hide keys")
    return (weights > 0).sum(-1)[[0, -1]]
