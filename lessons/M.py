"""What the lesson of unit M shows: bounds, masks, causes, what a state can hold."""

import torch

from grader.authoring.lessons import count, holds, matrix, numbers, table

DOUBLE = torch.float64


def blocks(course):
    return {
        **bounds(course),
        **masks(course),
        **causes(course),
        **trained(course),
        **recalled(course),
        **state(course),
    }


def bounds(course):
    """Scores that grow, and what each remedy makes of them."""
    ways = course.solution("modern_scores")
    q, k, _, _ = drawn(6, 16, 2)
    ones = torch.ones(16, dtype=DOUBLE)
    normed = ways.qk_norm_scores(q, k, ones, ones)
    holds(torch.allclose(ways.qk_norm_scores(9 * q, 9 * k, ones, ones), normed, atol=1e-4), "lengths do not count")
    grown = []
    for factor in (1, 3, 9):
        scores = factor**2 * q @ k.mT / 4
        ways_to = (scores, ways.qk_norm_scores(factor * q, factor * k, ones, ones), ways.soft_cap(scores, 3.0))
        grown.append([factor, *(f"{float(s.softmax(-1).amax(-1).mean()):.3f}" for s in ways_to)])
    holds(float(grown[2][1]) > 0.99 and float(grown[2][2]) < 0.9, "plain softmax decides, QK-norm does not")
    row = torch.tensor([[[1.0, 2.0]]], dtype=DOUBLE)
    sunk = ways.sink_softmax(row, torch.tensor([2.0], dtype=DOUBLE))[0, 0]
    unfit = ways.sink_softmax(row - 8, torch.tensor([2.0], dtype=DOUBLE))[0, 0]
    holds(torch.allclose((row - 8).softmax(-1), row.softmax(-1)), "plain softmax does not see that no key fits")
    return {
        "grown": table(
            ["queries and keys times", "plain scores", "QK-norm", "soft cap of 3"],
            grown,
        ),
        "root": numbers(16**0.5, 0),
        "plain_row": numbers(row.softmax(-1)[0, 0]),
        "sunk": numbers(sunk),
        "lost": numbers(1 - sunk.sum()),
        "unfit": numbers(unfit),
        "clamped": course.mistake(
            "modern_scores", "clamped", lambda f: f.soft_cap(torch.tensor([[-9.0, -2.0, 0.5, 2.5, 9.0]]), 3.0)
        ),
        "sink_ignored": course.mistake(
            "modern_scores", "sink_ignored", lambda f: f.sink_softmax(row.float(), torch.tensor([2.0]))[0]
        ),
    }


def masks(course):
    """Three documents in a row, a prefix, a tree."""
    ways = course.solution("packed_mask")
    documents = torch.tensor([0, 0, 0, 1, 1, 2, 2, 2])
    packed = ways.packed_mask(documents)
    q, k, v, _ = drawn(8, 4, 2)
    attention = course.solution("attention").scaled_dot_product_attention
    together, _ = attention(q, k, v, packed)
    alone, _ = attention(q[3:5], k[3:5], v[3:5], torch.ones(2, 2, dtype=torch.bool).tril())
    holds(torch.allclose(together[3:5], alone), "packed, a document gives what it gives alone")
    tree = ways.tree_mask(torch.tensor([-1, 0, 0, 1, 1, 2]))
    holds(not tree[3, 4] and not tree[4, 3] and not tree[5, 1], "branches do not see each other")
    text = torch.arange(3).repeat_interleave(8)
    tiles = course.solution("flex_attention").block_mask(
        lambda q_idx, kv_idx: (text[q_idx] == text[kv_idx]) & (kv_idx <= q_idx), len(text), len(text), 4
    )
    return {
        "packed": matrix("Three documents in one row.", packed.double()),
        "tiles": matrix("Tiles of packed documents: 0 empty, 1 partial, 2 full.", tiles.double()),
        "block": str(8),
        "tile": str(4),
        "skipped": str(int((tiles == 0).sum())),
        "all_tiles": str(tiles.numel()),
        "places": numbers(ways.packed_positions(documents).double(), 0),
        "pairs": str(int(packed.sum())),
        "all_pairs": str(8 * 9 // 2),
        "prefix": matrix("A prefix of three tokens.", ways.prefix_mask(6, 3).double()),
        "tree": matrix(
            "A tree: 0, its drafts 1 and 2, theirs 3, 4 and 5.",
            tree.double(),
        ),
        "documents_not_apart": course.mistake(
            "packed_mask", "documents_not_apart", lambda f: f.packed_mask(documents[:6]).double()
        ),
        "siblings_too": course.mistake(
            "packed_mask", "siblings_too", lambda f: f.tree_mask(torch.tensor([-1, 0, 0, 1, 1, 2])).double()
        ),
    }


def causes(course):
    """A row with a sink: what each token weighs, and what its absence changes."""
    attention = course.solution("attention").scaled_dot_product_attention
    tokens = ["START", "x", "A", "B", "y", "A"]
    words = ["A", "B", "x", "y"]
    here = torch.tensor([[t == w for w in words] for t in tokens], dtype=DOUBLE)
    before = torch.cat([torch.zeros(1, 4, dtype=DOUBLE), here[:-1]])
    q, k = torch.cat([8 * here[-1:], torch.tensor([[10.0]])], -1).to(DOUBLE), torch.cat([before, here[:, :1] * 0], -1)
    k[0, 4] = 1
    output, weights = attention(q, k, here)
    rows = []
    for i, token in enumerate(tokens[:5]):
        left = here.clone()
        left[i] = 0
        without, _ = attention(q, k, left)
        rows.append([token, f"{float(weights[0, i]):.2f}", f"{float(without[0, 1] - output[0, 1]):.2f}"])
    holds(int(weights[0].argmax()) == 0 and int(output[0].argmax()) == 1, "the sink weighs most, the model says B")
    holds(float(rows[0][2]) == 0 and float(rows[3][2]) < -0.1, "without B it does not; without the sink it does")
    return {
        "cut": table(
            ["token", "weight", "change of B without its value"],
            rows,
        )
    }


def trained(course):
    """A model that learned to repeat: what its heads look at, and what is lost without them."""
    model = course.library("induction")
    new, again = model.losses()
    (first, second), (last,) = weights = [layer.tolist() for layer in model.looks()]
    holds(again < 0.3 and abs(new - model.GUESSED) < 0.3, "it repeats, and guesses where nothing comes again")
    without = {(n, h): model.losses(model.cut(n, h))[1] for n, layer in enumerate(weights) for h in range(len(layer))}
    holds(second[0] > 0.6 and second[1] < 0.05 < without[0, 1] - 1, "who looks at the token before is needed")
    holds(first[1] > second[1] and without[0, 0] < 0.5, "the head beside it is not")
    holds(last[1] > 0.6 and abs(without[1, 0] - model.GUESSED) < 0.1, "without the second layer it guesses")
    alone = model.losses(heads=(3,))[1]
    tokens, comes_again = model.new_texts()
    occur = torch.tensor([len(set(text)) - 1 for text in tokens.tolist()]).log()[:, None].expand(comes_again.shape)
    holds(alone > 1 and abs(alone - occur[comes_again].mean()) < 0.1, "one layer knows which tokens occur, no more")
    no_start = model.losses(model.cut(1, 0, place=0))[1]
    holds(last[2] > 0.7 and abs(no_start - again) < 0.02, "START has the weight, and its value does nothing")
    rows = [[n + 1, h + 1, *numbers_of(weights[n][h], 2), numbers(loss, 2)] for (n, h), loss in without.items()]
    return {
        "shortest": str(model.SHORTEST),
        "longest": str(model.LONGEST),
        "steps": count(model.STEPS),
        "again": numbers(again, 2),
        "guessed": numbers(model.GUESSED, 2),
        "heads": table(
            ["layer", "head", "weight: token before", "token to be repeated", "START", "loss without this head"],
            rows,
        ),
        "alone": numbers(alone, 2),
        "little": numbers(second[1], 2),
        "start": numbers(last[2], 2),
        "no_start": numbers(no_start, 2),
        "only_before": numbers(model.losses(model.from_before(True))[1], 2),
        "not_before": numbers(model.losses(model.from_before(False))[1], 2),
    }


def recalled(course):
    """An attention layer and an RNN, trained alike."""
    model = course.library("recall")
    found = {n: [part for kind in model.KINDS for part in model.accuracy(kind, n)] for n in (1, 2, 4, 8, 16)}
    holds(min(min(row[:3]) for row in found.values()) > 0.95, "attention recalls every pair")
    holds(found[1][3] > 0.95 and found[2][3] < 0.65, "the RNN recalls one pair, and of two often the wrong one")
    holds(found[8][5] > found[8][4] + 0.2, "the RNN knows the last pair best")
    return {
        "attention_parameters": count(model.parameters("attention")),
        "rnn_parameters": count(model.parameters("rnn")),
        "most": str(model.MOST),
        "recall": table(
            ["pairs", "attention", "RNN", "RNN, the first pair", "RNN, the last"],
            [[n, *numbers_of([row[0], *row[3:]], 2)] for n, row in found.items()],
        ),
    }


def state(course):
    """Two values under one key; what comes back of many pairs."""
    ways = course.solution("linear_attention")
    key, values = torch.tensor([[1.0, 0.0]] * 2, dtype=DOUBLE), torch.tensor([[3.0], [5.0]], dtype=DOUBLE)
    ones = torch.ones(2, dtype=DOUBLE)
    added, _ = ways.linear_attention(key, key, values)
    replaced, _ = ways.delta_rule(key, key, values, ones)
    q, k, v, _ = drawn(6, 4, 3)
    holds(torch.allclose(ways.linear_attention(q, k, v)[0], (q @ k.mT).tril() @ v), "brackets may be moved")
    rows = [[n, *(numbers(lost(f, n), 2) for f in (ways.linear_attention, ways.delta_rule))] for n in (1, 4, 8, 16, 32)]
    holds(all(float(row[2]) <= float(row[1]) for row in rows), "the delta rule loses less")
    return {
        "added": numbers(added[:, 0], 0),
        "replaced": numbers(replaced[:, 0], 0),
        "state_numbers": count(128 * 128),
        "state_tokens": str(128 * 128 // (2 * 128)),
        "pairs_in_a_state": table(["pairs", "only added", "delta rule"], rows),
        "nothing_looked_up": course.mistake(
            "linear_attention", "nothing_looked_up", lambda f: f.delta_rule(key, key, values, ones)[0]
        ),
    }


def lost(attend, n):
    """The error, relative to the values, with which n values come back from a state with 16 channels of keys."""
    random = torch.Generator().manual_seed(n)
    keys = torch.randn(n, 16, generator=random, dtype=DOUBLE)
    keys = keys / keys.norm(dim=-1, keepdim=True)
    values = torch.randn(n, 16, generator=random, dtype=DOUBLE)
    shares = () if attend.__name__ == "linear_attention" else (torch.ones(n, dtype=DOUBLE),)
    _, last = attend(keys, keys, values, *shares)
    return (keys @ last - values).norm() / values.norm()


def numbers_of(values, digits):
    """Each on its own."""
    return [numbers(value, digits) for value in values]


def drawn(length, channels, width):
    """q, k, v and the gradient of the output."""
    random = torch.Generator().manual_seed(5)
    shapes = (length, channels), (length, channels), (length, width), (length, width)
    return tuple(torch.randn(*shape, generator=random, dtype=DOUBLE) for shape in shapes)
