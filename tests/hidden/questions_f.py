"""Concept questions on RoPE, grouped-query attention and MiniMind's attention block."""

import itertools
import math

import torch
from hidden.lib.experiments import normal, same, tried

from grader.questions import Choice, Number, Numbers, Table, Text, question

YES_NO = Choice({"yes": "yes", "no": "no"})


def frequencies(head_dim, theta):
    """Radians a position for each pair of channels [Dh/2], in float64."""
    return theta ** -(torch.arange(0, head_dim, 2, dtype=torch.float64) / head_dim)


def turned(x, positions, theta=10000.0, layout="halves", sign=1.0):
    """x [..., T, Dh] turned to its positions; pairs (i, i + Dh/2), or neighbours."""
    angle = sign * positions.double().unsqueeze(-1) * frequencies(x.shape[-1], theta)
    cos, sin = angle.cos(), angle.sin()
    if layout == "halves":
        x1, x2 = x.chunk(2, -1)
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)
    x1, x2 = x[..., ::2], x[..., 1::2]
    return torch.stack([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1).flatten(-2)


@question(1.5, Numbers((3,), decimals=4))
def rope_frequencies(lab):
    """RoPE with head_dim = 6 and theta = {theta}: by how many radians is each of the three pairs of channels rotated
    from one position to the next? Write the first pair first.
    """
    theta = float(lab.pick("theta", 10000, (100, 500, 1000, 2000, 5000)))
    found = frequencies(6, theta)
    _, sin = lab.solution("rope").rope_cos_sin(6, 2, theta=theta)
    lab.show("angles at position 1, from the table of sines", sin[1:, :3].asin())
    said = "the exponent is 2i / head_dim, not i / head_dim"
    lab.wrong_answer("exponent_halved", theta ** -(torch.arange(3, dtype=torch.float64) / 6), said)
    said = "the exponent does not reach 1: it is 2i / head_dim with i = 0, 1, 2"
    lab.wrong_answer("to_the_end", theta ** -(torch.arange(3, dtype=torch.float64) / 2), said)
    lab.wrong_answer("positive", 1 / found, "the exponent is negative: no pair turns faster than 1 radian a position")
    lab.wrong_answer("reversed", found.flip(0), "the first pair turns fastest")
    return found


@question(1.5, Numbers((2,), decimals=1))
def longest_wavelength(lab):
    """With head_dim = {dim}, after how many thousand positions has the slowest pair of channels made one full turn?
    Write it for theta = 10000 first, then for theta = 1e6 (MiniMind).
    """
    dim = lab.pick("dim", 96, (48, 64, 80, 128))
    slowest = torch.stack([frequencies(dim, theta)[-1] for theta in (10000.0, 1e6)])
    turn = 2 * math.pi / slowest / 1000  # in float32 the last of seven digits would be wrong
    lab.show(
        "theta, radians a position, thousand positions a turn",
        [[theta, f"{s:.3e}", t] for theta, s, t in zip((10000, 1000000), slowest, turn, strict=True)],
    )
    lab.wrong_answer(
        "exponent_one",
        [2 * math.pi * theta / 1000 for theta in (10000.0, 1e6)],
        "the last exponent is not 1 but {dim}/{dim2}: pair {dim3} is the last one",
        dim=dim - 2,
        dim2=dim,
        dim3=dim // 2 - 1,
    )
    lab.wrong_answer("one_radian", 1 / slowest / 1000, "that is one radian; a full turn is 2 pi of them")
    lab.wrong_answer("half_a_turn", turn / 2, "that is half a turn")
    lab.wrong_answer("positions", turn * 1000, "these are positions; write thousands of them")
    return turn


LAWS = {
    "a": "rotated vectors keep their length",
    "b": "a vector at position 0 is not rotated",
    "c": "rotating by 2 positions and then by 3 is the same as rotating by 5",
    "d": "a score depends only on how far query and key are apart, and in which direction",
    "e": "with the weights of a trained model, the scores are those of that model",
}


@question(1.5, Choice(LAWS, many=True))
def laws_of_the_other_layout(lab):
    """Somebody pairs neighbouring channels (0, 1), (2, 3), ..., as in the RoFormer paper, although the model pairs
    channel i with channel i + Dh/2. Which of these statements still hold?
    """
    q, k, zero = normal(6), normal(6, seed=2), torch.tensor([0])

    def at(x, p, layout="neighbours"):
        return turned(x.unsqueeze(0), torch.tensor([p]), layout=layout)[0]

    found = {
        "a": same(at(q, 7).norm(), q.norm()),
        "b": same(turned(q.unsqueeze(0), zero, layout="neighbours")[0], q),
        "c": same(at(at(q, 2), 3), at(q, 5)),
        "d": same(at(q, 9) @ at(k, 4), at(q, 25) @ at(k, 20)),
        "e": same(at(q, 9) @ at(k, 4), at(q, 9, "halves") @ at(k, 4, "halves")),
    }
    lab.show(
        "the score of one query and key, 5 positions apart, in both layouts",
        [[at(q, 9) @ at(k, 4), at(q, 9, "halves") @ at(k, 4, "halves")]],
    )
    key = tried(lab, found)
    said = "it is a rotation in every respect, but another one: trained weights expect their own pairs"
    lab.wrong_answer("everything", list(LAWS), said)
    slips = {
        "a": ("length_lost", "two channels that are turned in their plane keep their length, whichever two they are"),
        "b": ("turned_at_0", "every angle is the position times a frequency: at position 0 it is 0"),
        "c": ("angles_do_not_add", "each pair turns by the same angle from any position to the next, so angles add up"),
        "d": ("no_longer_relative",
              "query and key are paired alike: in each pair only the difference of their angles is left"),
    }  # fmt: skip
    return lab.by_letter(key, slips)


@question(1.5, Table(("neighbours", "backwards", "only_q", "from_1"), ("lengths", "position_0", "relative"), YES_NO))
def what_the_laws_see(lab):
    """Four mistakes in RoPE: neighbouring channels are paired (neighbours); queries and keys are rotated by -p
    theta_i instead of p theta_i (backwards); only queries are rotated (only_q); positions are counted from 1
    (from_1). Which laws still hold: rotation keeps lengths (lengths); a query at position 0 stays as it is
    (position_0); a score depends only on the position of the query minus that of the key (relative)?
    """
    q, k = normal(1, 8), normal(1, 8, seed=2)

    def one(p):
        return torch.tensor([p])

    mistakes = {
        "neighbours": (lambda x, p: turned(x, one(p), layout="neighbours"),) * 2,
        "backwards": (lambda x, p: turned(x, one(p), sign=-1.0),) * 2,
        "only_q": (lambda x, p: turned(x, one(p)), lambda x, p: x),
        "from_1": (lambda x, p: turned(x, one(p + 1)),) * 2,
    }
    rows = []
    for turn_q, turn_k in mistakes.values():
        laws = (
            same(turn_q(q, 6).norm(), q.norm()),
            same(turn_q(q, 0), q),
            same(turn_q(q, 6) @ turn_k(k, 2).T, turn_q(q, 16) @ turn_k(k, 12).T),
        )
        rows.append(["yes" if law else "no" for law in laws])
    lab.show("mistake: lengths, position 0, relative", [[name, *row] for name, row in zip(mistakes, rows, strict=True)])
    said = "another pairing and the other direction are rotations too: no law about lengths or distances sees them"
    lab.wrong_answer("laws_see_everything", [["yes", "yes", "no"], ["yes", "yes", "no"], *rows[2:]], said)
    said = "where all positions are one too large, their differences are right"
    lab.wrong_answer("from_1_breaks_distance", [*rows[:3], ["yes", "no", "no"]], said)
    return rows


STATEMENTS = {
    "a": "moving query and key by the same distance leaves their score unchanged",
    "b": "a key 3 tokens before the query and the same key 3 tokens after it get the same score",
    "c": "RoPE adds parameters that are learned",
    "d": "the same key, rotated at another position, is another vector",
    "e": "if values were rotated too, the output would depend on where the text starts",
    "f": "without rotated values, the output depends on where the text starts",
}


@question(1, Choice(STATEMENTS, many=True))
def absolute_or_relative(lab):
    """Which of these statements about RoPE are true?"""
    solution = lab.solution("rope_scores")
    q, k = normal(6), normal(6, seed=2)
    table = solution.rope_scores(q, k, 12)
    x = normal(5, 6, seed=3)

    def moved(values):
        here, there = (solution.rotated_attention(x, x, x, start=s, rotate_values=values) for s in (0, 9))
        return float((there - here).abs().max())

    block = lab.solution("minimind_module").MiniMindAttention(24, 6, 3)
    count = sum(p.numel() for p in block.parameters())
    found = {
        "a": same(table[1:, 1:], table[:-1, :-1]),
        "b": same(table[5, 2], table[2, 5]),
        "c": count > lab.solution("gqa_budget").gqa_budget(24, 6, 3)[0],
        "d": not same(*(solution.rotate(k.unsqueeze(0), torch.tensor([p])) for p in (2, 3))),
        "e": moved(True) > 1e-6,
        "f": moved(False) > 1e-6,
    }
    lab.show("scores of query - key at the distances +3 and -3", [[table[5, 2], table[2, 5]]])
    lab.show(
        "largest change of an output when all tokens move by 9: values rotated, values as they are",
        [[moved(True), moved(False)]],
    )
    key = tried(lab, found)
    said = "the key itself turns with its position; only the score of two of them forgets where both are"
    lab.wrong_answer("no_absolute_trace", ["a", "e"], said)
    said = "the sign of the distance counts: the angle to a key behind and to one ahead are opposite"
    lab.wrong_answer("symmetric", ["a", "b", "d", "e"], said)
    slips = {
        "a": ("score_moves", "both turn on by the same angle, and the angle between them stays"),
        "c": ("learned_angles", "the angles follow from theta and the position: there is nothing to learn"),
        "e": ("values_cancel_too",
              "a score compares two turned vectors; nothing turns a value back, and its turn stays in the output"),
        "f": ("start_shows", "positions act through the scores alone, and these know distances only"),
    }  # fmt: skip
    return lab.by_letter(key, slips)


@question(1, Number(decimals=3))
def cost_of_rotating_values(lab):
    """Three tokens [1, 0], [0, 1] and [1, 1] are queries, keys and values at once; attention uses RoPE (theta = 10000)
    and no mask, and the values are rotated as well. What is the largest absolute change of an entry of the output if
    the text starts at position {start} instead of 0?
    """
    start = lab.pick("start", 10, (3, 4, 5, 7, 8, 9, 11))
    x = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]], dtype=torch.float64)
    attention = lab.solution("rope_scores").rotated_attention
    here, there = (attention(x, x, x, start=s, rotate_values=True) for s in (0, start))
    lab.show("output from position 0", here)
    lab.show(Text("output from position {start}").format(start=start), there)
    lab.wrong_answer("not_rotated", 0.0, "that is the change if values are not rotated")
    said = "that is the largest length of a row's change; the question is about a single entry"
    lab.wrong_answer("length", (there - here).norm(dim=-1).max(), said)
    return (there - here).abs().max()


@question(1, Numbers((4,), decimals=0, whole=True))
def shared_head(lab):
    """There are 12 query heads and 4 key and value heads, all counted from 0; neighbouring query heads share a key and
    value head. Which key and value head do the query heads {heads} use, in this order?
    """
    heads = torch.arange(4.0).reshape(1, 4, 1, 1)
    used = lab.solution("gqa").repeat_kv(heads, 3).flatten()
    lab.show("query head, key and value head", [[h, int(used[h])] for h in range(12)])
    wanted = lab.pick("heads", (1, 4, 7, 11), ((5, 2, 10, 7), (8, 1, 4, 9), (3, 11, 7, 2), (10, 5, 1, 8), (7, 4, 9, 1)))
    lab.put(heads=", ".join(map(str, wanted)))
    lab.wrong_answer(
        "tiled", [h % 4 for h in wanted], "that is h0 h1 h2 h3 h0 ...; neighbours share a head: h0 h0 h0 h1 ..."
    )
    lab.wrong_answer("group_of_four", [h // 4 for h in wanted], "a group has 12 / 4 = 3 query heads, not 4")
    lab.wrong_answer("from_one", [h // 3 + 1 for h in wanted], "heads are counted from 0")
    return used[list(wanted)]


GRADIENTS = {"a": "their sum", "b": "their mean", "c": "the first one's", "d": "the largest of them"}


@question(1, Choice(GRADIENTS))
def shared_gradient(lab):
    """Four query heads share one key head. If each of them had its own copy of it, four gradients would reach the four
    copies. What is the gradient that reaches the shared head?
    """
    gqa = lab.solution("gqa")
    q, v = normal(1, 4, 3, 2), normal(1, 1, 5, 2, seed=2)
    k = normal(1, 1, 5, 2, seed=3).requires_grad_()
    copies = k.detach().repeat(1, 4, 1, 1).requires_grad_()
    gqa.grouped_query_attention(q, k, v)[0].square().sum().backward()
    gqa.grouped_query_attention(q, copies, v.repeat(1, 4, 1, 1))[0].square().sum().backward()
    parts = copies.grad[0]
    candidates = {
        "a": parts.sum(0),
        "b": parts.mean(0),
        "c": parts[0],
        "d": parts[parts.flatten(1).norm(dim=1).argmax()],
    }
    lab.show("entry 0: four copies, then the shared head", [[*parts[:, 0, 0], k.grad[0, 0, 0, 0]]])
    said = "a number that is used four times gets the four gradients added up: nothing divides them"
    lab.wrong_answer("averaged", "b", said)
    lab.wrong_answer("one_of_them", "c", "all four query heads act on the shared head")
    said = "no step picks one of the four: a change of the head reaches the loss through each of them"
    lab.wrong_answer("the_largest", "d", said)
    return next(letter for letter, c in candidates.items() if same(c, k.grad[0, 0]))


@question(1, Number(0))
def parameters_saved(lab):
    """A layer has hidden_size = {d}, 8 query heads and no biases. How many fewer parameters do its four projections
    have with 2 key and value heads than with 8?
    """
    d = lab.pick("d", 768, (512, 640, 896, 1024))
    budget = {h: lab.solution("gqa_budget").gqa_budget(d, 8, h) for h in (8, 4, 2, 1)}
    lab.show("key and value heads, parameters, cache bytes a token", [[h, *found] for h, found in budget.items()])
    lab.wrong_answer("what_is_left", budget[2][0], "that many are left; the question is about the difference")
    lab.wrong_answer(
        "one_matrix", (budget[8][0] - budget[2][0]) // 2, "that is one matrix only; both W_K and W_V get narrower"
    )
    lab.wrong_answer("all_four", 2 * (budget[8][0] - budget[2][0]), "W_Q and W_O keep their size")
    lab.wrong_answer("nothing", 0, "W_K and W_V only make the heads that exist: they are narrower")
    return budget[8][0] - budget[2][0]


@question(1, Numbers((2,), decimals=0))
def cache_of_a_text(lab):
    """A model has 8 layers, hidden_size = 512 and 8 query heads; each number takes 2 bytes. How many bytes does the
    cache of keys and values take for a text of {n} tokens? Write it for 8 key and value heads first, then for 2.
    """
    n = lab.pick("n", 2048, (1024, 1536, 3072, 4096))
    token = [lab.solution("gqa_budget").gqa_budget(512, 8, h)[1] for h in (8, 2)]
    total = [8 * n * t for t in token]
    lab.show("bytes a token and layer, bytes in all", list(zip(token, total, strict=True)))
    lab.wrong_answer("one_layer", [n * t for t in token], "that is one layer of eight")
    lab.wrong_answer(
        "keys_only", [t // 2 for t in total], "a token leaves a key and a value, and a number takes 2 bytes"
    )
    return total


ORDER = {
    "a": "repeat the key and value heads for their query heads",
    "b": "softmax(q k^T / sqrt(Dh)) v under the causal mask",
    "c": "rotate queries and keys by their positions",
    "d": "merge the heads and apply the output projection",
    "e": "project to queries, keys and values and split into heads",
    "f": "put keys and values into the cache and take all of them out",
}


@question(2, Choice(ORDER, ordered=True))
def order_of_steps(lab):
    """In which order does MiniMind's attention take these steps, so that the cache holds each key once, already
    rotated?
    """
    block = lab.solution("minimind_attention")
    W = [normal(16, n, seed=s) for s, n in enumerate((16, 8, 8, 16))]
    x, H, H_kv = normal(1, 5, 16, seed=9), 4, 2
    old = block.minimind_attention(x[:, :2], W, H, H_kv)[1]
    output, cache = block.minimind_attention(x[:, 2:], W, H, H_kv, cache=old)

    def project(q, k, v, kept):
        q, k, v = (
            (x[:, 2:] @ w).reshape(1, 3, n, -1).transpose(1, 2) for w, n in zip(W, (H, H_kv, H_kv), strict=False)
        )
        return q, k, v, kept

    def attend(q, k, v, kept):
        late = torch.ones(3, k.shape[2], dtype=torch.bool).triu(k.shape[2] - 2)
        return (q @ k.mT / 2).masked_fill(late, -math.inf).softmax(-1) @ v, k, v, kept

    def store(q, k, v, kept):
        k, v = torch.cat([old[0], k], 2), torch.cat([old[1], v], 2)
        return q, k, v, (k, v)

    steps = {
        "a": lambda q, k, v, kept: (q, k.repeat_interleave(2, 1), v.repeat_interleave(2, 1), kept),
        "b": attend,
        "c": lambda q, k, v, kept: (block.rotate(q, 2, 1e6), block.rotate(k, 2, 1e6), v, kept),
        "d": lambda q, k, v, kept: (q.transpose(1, 2).reshape(1, 3, 16) @ W[3], k, v, kept),
        "e": project,
        "f": store,
    }
    works = []
    for middle in itertools.permutations("abcf"):  # projections come first and last, or nothing fits
        state = project(None, None, None, None)
        try:
            for letter in middle:
                state = steps[letter](*state)
            state = steps["d"](*state)
        except (RuntimeError, IndexError):
            continue
        if state[3] and same(state[0], output) and all(map(same, state[3], cache)):
            works.append(["e", *middle, "d"])
    (key,) = works
    lab.show("orders tried, orders that work", [[24, " ".join(key)]])
    said = "stored after repeating, each key would be in the cache once for every query head"
    lab.wrong_answer("repeated_before_stored", ["e", "c", "a", "f", "b", "d"], said)
    said = "stored before turning, the cached keys would have to be turned again on every call"
    lab.wrong_answer("stored_unturned", ["e", "f", "c", "a", "b", "d"], said)
    slips = {
        "eacfbd": ("repeated_at_once", "what is repeated before it is stored fills the cache with copies"),
        "ecabdf": ("stored_last", "a new token has to meet the old keys: they are needed before softmax"),
        "cefabd": ("turned_before_projected", "before the projection there is no query and no key to turn"),
    }  # fmt: skip
    for order, (name, said) in slips.items():
        lab.wrong_answer(name, list(order), said)
    return key


MISTAKES = {
    "a": "no RoPE",
    "b": "theta 10000 instead of 1e6",
    "c": "scores not divided by sqrt(Dh)",
    "d": "no causal mask",
    "e": "key and value heads in the order h0 h1 h0 h1",
    "f": "heads merged without a transpose",
    "g": "no output projection",
}


@question(2, Choice(MISTAKES, many=True))
def blind_to_one_token(lab):
    """MiniMind's attention block (several heads) is tried with a single token at position 0 and no cache. Which of
    these mistakes leave its output unchanged?
    """
    H, H_kv = 4, 2
    W = [normal(16, n, seed=s) for s, n in enumerate((16, 8, 8, 16))]
    right = lab.solution("minimind_attention").minimind_attention

    def block(x, theta=1e6, scale=0.5, causal=True, tiled=False, merged=True, projected=True):
        T = x.shape[1]
        q, k, v = (split(x @ w, n) for w, n in zip(W, (H, H_kv, H_kv), strict=False))
        if theta:
            q, k = (turned(t, torch.arange(T), theta) for t in (q, k))
        k, v = (t.repeat(1, 2, 1, 1) if tiled else t.repeat_interleave(2, 1) for t in (k, v))
        late = torch.ones(T, T, dtype=torch.bool).triu(1) if causal else torch.zeros(T, T, dtype=torch.bool)
        heads = (q @ k.mT * scale).masked_fill(late, -math.inf).softmax(-1) @ v
        heads = heads.transpose(1, 2) if merged else heads
        output = heads.reshape(x.shape[0], T, -1)
        return output @ W[3] if projected else output

    def split(t, n):
        return t.unflatten(-1, (n, -1)).transpose(1, 2)

    options = {
        "a": {"theta": None},
        "b": {"theta": 10000.0},
        "c": {"scale": 1.0},
        "d": {"causal": False},
        "e": {"tiled": True},
        "f": {"merged": False},
        "g": {"projected": False},
    }
    one, five = normal(2, 1, 16, seed=7), normal(2, 5, 16, seed=8)
    off = {
        letter: [float((block(x, **wrong) - right(x, W, H, H_kv)[0]).abs().max()) for x in (one, five)]
        for letter, wrong in options.items()
    }
    lab.show("mistake, off with 1 token, off with 5", [[letter, *found] for letter, found in off.items()])
    key = [letter for letter, (alone, _) in off.items() if alone < 1e-9]
    said = "one key gets weight 1 whatever its score: scale and mask do not matter either, nor where the heads stand"
    lab.wrong_answer("positions_only", ["a", "b"], said)
    slips = {
        "a": ("rope_turns_at_0", "at position 0 RoPE turns nothing either: every angle is 0"),
        "b": ("theta_acts_at_0", "theta says how fast the angles grow with the position, and this position is 0"),
        "c": ("scale_acts_on_one", "softmax of a single score is 1, however large the score is"),
        "d": ("mask_hides_something", "a single token has no later one that could be hidden"),
        "e": ("heads_interchangeable",
              "key and value heads differ: which one a query head reads shows with a single token, too"),
        "f": ("transpose_shows",
              "with one token the transpose moves nothing: the heads lie one behind the other already"),
        "g": ("projection_between_tokens", "W_O works on each token by itself, and mixes its channels"),
    }  # fmt: skip
    return lab.by_letter(key, slips)
