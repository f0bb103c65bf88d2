"""What the lesson of unit J shows: gradients of a row, positions, bounds, masks, costs, causes."""

import torch

from grader.authoring.lessons import count, holds, matrix, numbers, table

DOUBLE = torch.float64
Q, K = torch.tensor([[1.0, 0.0]], dtype=DOUBLE), torch.eye(2, dtype=DOUBLE)
V, D_OUTPUT = torch.tensor([[2.0], [0.0]], dtype=DOUBLE), torch.ones(1, 1, dtype=DOUBLE)


def blocks(course):
    return {
        **backwards(course),
        **positions(course),
        **longer(course),
        **bounds(course),
        **masks(course),
        **costs(course),
        **causes(course),
        **trained(course),
        **recalled(course),
    }


def backwards(course):
    """A row of two keys, there and back."""
    attention = course.solution("attention").scaled_dot_product_attention
    back = course.solution("attention_backward")
    output, weights = attention(Q, K, V)
    d_weights = D_OUTPUT @ V.mT
    d_scores = back.softmax_backward(weights, d_weights)
    holds(torch.allclose(d_scores, weights * (d_weights - output)), "the mean is the output along its gradient")
    q, k, v, d_output = drawn(4, 4, 2)
    d_q, d_k, d_v = back.attention_backward(q, k, v, d_output)
    weights_of = attention(q, k, v)[1]
    d_s = back.softmax_backward(weights_of, d_output @ v.mT) / 2  # the root of 4 channels
    by_formula = d_s @ k, d_s.mT @ q, weights_of.mT @ d_output
    holds(all(map(torch.allclose, by_formula, (d_q, d_k, d_v))), "the formulas for all queries at once")
    holds(torch.allclose(d_k.sum(0), torch.zeros(4, dtype=DOUBLE)), "the gradients of the keys add up to 0")
    holds(torch.allclose(d_v.sum(0), d_output.sum(0)), "those of the values add up to that of the output")
    far_q, _, _ = back.attention_backward(1000 * q, k, v, d_output)
    holds(bool(far_q.abs().max() < 1e-9 * d_q.abs().max()), "a row that has decided learns nothing")
    jacobian = torch.autograd.functional.jacobian(lambda s: s.softmax(-1), (Q @ K.mT / 2**0.5)[0])
    return {
        "row": numbers(weights[0]),
        "output": numbers(output[0, 0]),
        "d_weights": numbers(d_weights[0], 0),
        "d_scores": numbers(d_scores[0]),
        "d_q": numbers(back.attention_backward(Q, K, V, D_OUTPUT)[0][0]),
        "jacobian": matrix("Softmax's Jacobian of this row.", jacobian),
        "diagonal_only": course.mistake(
            "attention_backward", "diagonal_only", lambda f: f.softmax_backward(weights, d_weights)
        ),
        "not_scaled_back": course.mistake(
            "attention_backward", "not_scaled_back", lambda f: f.attention_backward(q, k, v, d_output)[0]
        ),
    }


def positions(course):
    """A set, two tables."""
    attention = course.solution("attention").scaled_dot_product_attention
    ways = course.solution("positions")
    q, k, v, _ = drawn(5, 4, 2)
    order = torch.tensor([3, 0, 4, 1, 2])
    output, _ = attention(q, k, v)
    shuffled, _ = attention(q[order], k[order], v[order])
    holds(torch.allclose(shuffled, output[order]), "without positions attention sees a set")
    sines = ways.sinusoidal_positions(30, 8).double()
    products = sines @ sines.T
    holds(torch.allclose(products[3, 3:], products[0, :27], atol=1e-5), "products of rows depend on the distance")
    holds(bool((products[0, :4].diff() < 0).all() and products[0, 8] > products[0, 4]), "it falls, but not steadily")
    slopes = -ways.alibi_bias(8, 2).double()[:, 1, 0]
    bias = ways.alibi_bias(4, 5).double()
    same = torch.zeros(4, 5, 4, dtype=DOUBLE)
    weights = (bias + same @ same.mT).softmax(-1)
    holds(bool((weights[0, 4].diff() > 0).all() and weights[0, 4, 0] < weights[3, 4, 0]), "near keys weigh more")
    return {
        "sines": matrix(
            "The table for 8 positions and 8 channels: a row is a position, pairs slow down to the right.",
            sines[:8],
        ),
        "product": table(
            ["distance", "product of the two rows"],
            [[n, f"{float(products[0, n]):.2f}"] for n in (0, 1, 2, 4, 8, 16, 24)],
        ),
        "slopes": numbers(slopes),
        "near": numbers(weights[0, 4]),
        "far": numbers(weights[3, 4]),
        "alibi": matrix(
            "Weights of the steepest of four heads, if all scores are equal.",
            weights[0],
        ),
        "halves": course.mistake("positions", "halves", lambda f: f.sinusoidal_positions(4, 6)),
        "later_at_0": course.mistake("positions", "later_at_0", lambda f: f.alibi_bias(2, 4).exp()[0]),
    }


def longer(course):
    """Six pairs, trained with 1000 positions, in a text four times as long."""
    ways = course.solution("rope_scaling")
    channels, trained, factor = 12, 1000, 4.0
    plain, linear = ways.linear_frequencies(channels, 1.0), ways.linear_frequencies(channels, factor)
    raised, yarn = ways.ntk_frequencies(channels, factor), ways.yarn_frequencies(channels, factor, trained)
    turns = trained * plain / (2 * torch.pi)
    unseen = turns < 1
    holds(unseen.tolist() == [False] * 4 + [True] * 2, "the last two pairs have made no turn")
    holds(torch.allclose((factor * yarn / plain)[unseen], torch.ones(2)), "YaRN keeps to the known angles")
    holds(torch.equal(yarn[turns >= 32], plain[turns >= 32]) and int((turns >= 32).sum()) == 2, "it keeps two pairs")
    holds(factor * raised[4] > 1.2 * plain[4] and raised[0] == plain[0], "the raised base goes beyond them")
    llama = 8192 * ways.linear_frequencies(128, 1.0, 500000.0) / (2 * torch.pi)
    return {
        "trained_length": count(trained),
        "known_angle": numbers(trained * plain[5], 2),
        "new_angle": numbers(factor * trained * plain[5], 2),
        "scaled": table(
            ["pair", "turns in training", "as trained", "linear", "raised base", "YaRN"],
            [
                [i, numbers(turns[i], 2), *(numbers(f[i], 5) for f in (plain, linear, raised, yarn))]
                for i in range(channels // 2)
            ],
        ),
        "beyond": numbers(factor * trained * raised[4], 2),
        "known_beside": numbers(trained * plain[4], 2),
        "llama_for_long_texts": "Llama 3.1",
        "llama_length": count(8192),
        "llama_pairs": str(len(llama)),
        "llama_slowed": str(int((llama <= 1).sum())),
        "llama_kept": str(int((llama >= 4).sum())),
        "temperature": numbers((1 + torch.tensor(factor).log() / 10) ** 2, 2),
        "base_times_the_factor": course.mistake(
            "rope_scaling", "base_times_the_factor", lambda f: f.ntk_frequencies(8, factor)
        ),
        "radians_for_turns": course.mistake(
            "rope_scaling", "radians_for_turns", lambda f: f.yarn_frequencies(channels, factor, trained)
        ),
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
    return {
        "packed": matrix("Three documents in one row.", packed.double()),
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


def costs(course):
    """Bytes of a cache, intensity of a step, where attention overtakes."""
    ways = course.solution("cache_bytes")
    heads, size, layers = 128, 128, 60
    bytes_ = {
        "MHA": ways.kv_bytes(layers, heads, size),
        "GQA 8": ways.kv_bytes(layers, 8, size),
        "MLA": ways.mla_bytes(layers, 512, 64),
        "MQA": ways.kv_bytes(layers, 1, size),
    }
    holds(bytes_["MQA"] < bytes_["MLA"] < bytes_["GQA 8"] < bytes_["MHA"], "in this order")

    def intensity(new, kept, kv_heads):
        flops, moved = ways.step_cost(new, kept, 32, kv_heads, 128)
        return flops / moved

    holds(intensity(1, 8000, 32) < 1.01 and intensity(1, 8000, 8) < 4.01, "writing does a FLOP a byte and query head")
    holds(intensity(8000, 8000, 8) > 1000, "reading a prompt does thousands")
    return {
        "bytes": table(
            ["cache", "bytes a token"],
            [[name, count(n)] for name, n in bytes_.items()],
        ),
        "saved": str(round(bytes_["MHA"] / bytes_["MLA"])),
        "intensity": table(
            ["new tokens", "heads of keys and values", "FLOPs for each byte moved"],
            [[n, h, f"{intensity(n, 8000, h):.1f}"] for n, h in ((1, 32), (1, 8), (1, 1), (8000, 8))],
        ),
        "kept": count(8000),
        "gpt3": count(ways.overtaking_length(12288, 49152, 96, 128)),
        "llama": count(ways.overtaking_length(4096, 14336, 32, 128, mlp_matrices=3)),
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


def numbers_of(values, digits):
    """Each on its own."""
    return [numbers(value, digits) for value in values]


def drawn(length, channels, width):
    """q, k, v and the gradient of the output."""
    random = torch.Generator().manual_seed(5)
    shapes = (length, channels), (length, channels), (length, width), (length, width)
    return tuple(torch.randn(*shape, generator=random, dtype=DOUBLE) for shape in shapes)
