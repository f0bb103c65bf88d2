"""What the lesson of unit I shows: gradients over a distance, weights that explain nothing, errors that stay silent."""

import torch

from grader.authoring.lessons import bars, holds, matrix, numbers, table

DOUBLE = torch.float64
X = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]], dtype=DOUBLE)
D, SEEDS = 16, 10


def blocks(course):
    lab = course.solution("first_token_gradient")
    lab1 = course.solution("lab1").lab1
    counter = course.solution("counterexample")
    reach = {length: gradients(lab, length) for length in (2, 8, 32, 128)}
    holds(reach[32][1] > 1e3 * reach[32][0], "at 32 tokens attention's gradient is a thousand times the RNN's")
    holds(reach[128][0] < 1e-12 and reach[128][1] > 1e-4, "at 128 the RNN's is gone")
    _, weights, _ = lab1(X)
    flat = torch.tensor([[1.0, 0.0], [-1.0, 0.0], [0.0, 0.0]], dtype=DOUBLE)
    holds(torch.allclose(X @ torch.tensor([[1.0, 0.0], [-1.0, 0.0]], dtype=DOUBLE), flat), "these are projected tokens")
    shares = weights[2][:, None] * flat
    holds(int(weights[2].argmax()) == 2 and shares[2].norm() == 0, "the largest weight contributes nothing")
    w, w2, values = (t.double() for t in counter.twins())
    holds(torch.allclose(w @ values, w2 @ values) and not torch.equal(w, w2), "two rows of weights, one output")
    random = torch.Generator().manual_seed(8)
    q, k, v = (torch.randn(1, 2, 4, 4, generator=random, dtype=DOUBLE) for _ in range(3))
    x = torch.randn(1, 4, 8, generator=random, dtype=DOUBLE)
    W = [torch.randn(8, 8, generator=random, dtype=DOUBLE) for _ in range(4)]
    causal = torch.ones(4, 4, dtype=torch.bool).tril()
    nothing_first = causal.roll(1, 0) & causal  # the first query sees nothing
    nothing_first[0] = False
    examples = torch.randn(2, 2, 3, 3, generator=random, dtype=DOUBLE)
    lengths = torch.tensor([[True, True, True], [True, True, False]])
    tables = course.solution("rope").rope_cos_sin(4, 4)
    scores = torch.tensor([0.6, 0.8], dtype=DOUBLE)
    return {
        "reach": table(
            ["tokens", "recurrent network", "attention"],
            [[n, f"{rnn:.1e}", f"{att:.1e}"] for n, (rnn, att) in reach.items()],
        ),
        "steps": bars(
            "Steps from the first of 32 tokens to the last.",
            {"RNN": 31.0, "attention": 1.0},
        ),
        "weights3": numbers(weights[2]),
        "flat": numbers(flat, 0),
        "shares": matrix(
            "What each token really contributes to the third output: weight times value.",
            shares,
        ),
        "w": numbers(w, 2),
        "w2": numbers(w2, 2),
        "values": numbers(values, 1),
        "same": numbers(w @ values, 2),
        "ratio": numbers((scores[1] - scores[0]).exp(), 2),
        "sims": numbers(scores, 1),
        "constant": course.mistake("counterexample", "equal_values", lambda f: f.counterexample()[1].double()),
        "mask_ignored": course.mistake(
            "repair_mask", "mask_ignored", lambda f: f.masked_multi_head(x, *W, 2, causal)[0]
        ),
        "fill": course.mistake(
            "repair_fill", "infinity_only", lambda f: f.attention_with_mask(q[0, 0], k[0, 0], v[0, 0], nothing_first)[1]
        ),
        "padding": course.mistake(
            "repair_padding",
            "queries_hidden",
            lambda f: f.padded_attention(examples, examples, examples, lengths)[1, 0],
        ),
        "layout": course.mistake(
            "repair_layout", "values_rotated", lambda f: f.rotary_attention(x, *W, 2, *(t.double() for t in tables))[0]
        ),
        "rnn": course.mistake("first_token_gradient", "last_token", lambda f: f.rnn_gradient(*drawn(4, 0)[:3])[:8]),
    }


def drawn(length, seed):
    """Inputs and five matrices as PyTorch would begin with them."""
    random = torch.Generator().manual_seed(seed)
    x = torch.randn(length, D, generator=random, dtype=DOUBLE)
    matrices = [(2 * torch.rand(D, D, generator=random, dtype=DOUBLE) - 1) / D**0.5 for _ in range(5)]
    return x, *matrices


def gradients(lab, length):
    """Mean size of the first token's gradient: through the recurrent network, through attention."""
    found = []
    for seed in range(SEEDS):
        x, *w = drawn(length, seed)
        found.append((lab.rnn_gradient(x, *w[:2]).norm(), lab.attention_gradient(x, *w[2:]).norm()))
    return [float(sum(column) / SEEDS) for column in zip(*found, strict=True)]
