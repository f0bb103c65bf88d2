"""What the first lesson shows: three tokens on their way through attention, and each exercise's best-known mistake."""

import math

import torch

from grader.authoring.lessons import holds, matrix, numbers

X = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]], dtype=torch.float64)
RANDOM = torch.Generator().manual_seed(7)


def blocks(course):
    attention = course.solution("attention").scaled_dot_product_attention
    causal = course.solution("causal_mask").causal_mask
    scores = X @ X.T
    output, weights = attention(X, X, X)
    masked_output, masked = attention(X, X, X, causal(3))
    a = math.exp(1 / math.sqrt(2))
    row = torch.tensor([a, 1.0, a], dtype=torch.float64) / (2 * a + 1)
    holds(torch.allclose(weights[0], row), "the first row is [a, 1, a] / (2a + 1)")
    holds(torch.allclose(masked_output[0], X[0]), "the first token's output is its own value")
    holds(torch.allclose(attention(X[:2], X[:2], X[:2], causal(2))[0], masked_output[:2]), "a prefix stays as it is")
    holds(bool((output >= X.amin(0)).all() and (output <= X.amax(0)).all()), "an output lies among the values")
    x = torch.arange(8.0, dtype=torch.float64).reshape(1, 2, 4)
    q, k = (torch.randn(1, 1, 2, 4, generator=RANDOM, dtype=torch.float64) for _ in range(2))
    number = torch.arange(2.0, dtype=torch.float64).reshape(1, 2, 1, 1)  # each key and value head holds its number
    asks = torch.ones(1, 4, 1, 1, dtype=torch.float64)
    wide = torch.randn(3, 2, generator=RANDOM, dtype=torch.float64)
    return {
        "x": numbers(X, 0),
        "raw": numbers(scores, 0),
        "first_scores": numbers(scores[0], 0),
        "first_scaled": numbers(scores[0] / math.sqrt(2)),
        "first_exp": numbers((scores[0] / math.sqrt(2)).exp()),
        "first_weights": numbers(weights[0]),
        "first_output": numbers(output[0]),
        "a": numbers(a),
        "weights": matrix("The weights: row i is where token i looks.", weights),
        "output": matrix("The output: each row a mixture of the three values.", output),
        "masked": matrix("The weights under the causal mask.", masked),
        "cached": matrix(
            "Two new tokens behind three cached ones: which of the five keys each of them may see.",
            causal(2, 5).double(),
        ),
        "softmax_mistake": course.mistake(
            "softmax", "ignores_dim", lambda f: f.softmax(torch.tensor([[1.0, 2.0], [3.0, 3.0]]), dim=0)
        ),
        "scale_mistake": course.mistake("attention", "no_scale", lambda f: f.scaled_dot_product_attention(X, X, X)[1]),
        "queries_mistake": course.mistake(
            "attention", "softmax_over_queries", lambda f: f.scaled_dot_product_attention(wide, X, X)[1]
        ),
        "top_left": course.mistake("causal_mask", "top_left", lambda f: f.causal_mask(2, 5).double()),
        "view": course.mistake("heads", "view_directly", lambda f: f.split_heads(x, 2)[0, 0]),
        "neighbours": course.mistake(
            "rope", "neighbours_paired", lambda f: f.apply_rotary_pos_emb(q, k, *f.rope_cos_sin(4, 2))[0][0, 0]
        ),
        "modulo": course.mistake(
            "gqa", "modulo_groups", lambda f: f.grouped_query_attention(asks, number, number)[0][0, :, 0].T
        ),
    }
