"""What the lesson of unit J shows: gradients of a row, positions, frequencies."""

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


def drawn(length, channels, width):
    """q, k, v and the gradient of the output."""
    random = torch.Generator().manual_seed(5)
    shapes = (length, channels), (length, channels), (length, width), (length, width)
    return tuple(torch.randn(*shape, generator=random, dtype=DOUBLE) for shape in shapes)
