"""What the lesson of unit B shows: projections by hand, how scores grow with d, what does not change anything."""

import math

import torch

from grader.authoring.lessons import bars, control, explore, holds, matrix, numbers, table

DOUBLE = torch.float64
X = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]], dtype=DOUBLE)
W_Q = torch.tensor([[1.0, 0.5], [0.0, 1.0]], dtype=DOUBLE)
W_K = torch.tensor([[0.5, 1.0], [1.0, 0.0]], dtype=DOUBLE)
W_V = torch.tensor([[1.0, -0.5], [0.5, 1.0]], dtype=DOUBLE)
CHANGED = torch.tensor([[1.0, 0.0], [0.0, 1.0], [2.0, 0.0]], dtype=DOUBLE)


def blocks(course):
    attention = course.solution("attention").scaled_dot_product_attention
    project = course.solution("qkv_projection").qkv_projection
    stats = course.solution("score_stats").score_stats
    lab1 = course.solution("lab1").lab1
    q, k, v = project(X, W_Q, W_K, W_V)
    output, weights = attention(q, k, v)
    holds(torch.allclose(attention(q, k + 3, v)[1], weights), "adding a vector to all keys changes no weight")
    holds(not torch.allclose(attention(q + 3, k, v)[1], weights), "adding it to the queries does")
    holds(torch.allclose(attention(q, k, 2 * v + 3)[0], 2 * output + 3), "the output is affine in the values")
    shuffled = attention(q, k.flip(0), v.flip(0))[0]
    holds(torch.allclose(shuffled, output), "the order of keys does not matter")
    holds(
        torch.allclose(W_K, W_K.T) and torch.allclose(W_Q @ W_K.T, (W_Q @ W_K.T).T), "W_k and W_q W_k^T are symmetric"
    )
    holds(torch.allclose(attention(k, q, v)[1], weights), "so Q and K may be exchanged unseen")
    _, before, _ = lab1(X)
    _, after, changed = lab1(CHANGED)
    holds(bool(after[0, 2] > before[0, 2]) and bool(after[1, 2] < before[1, 2]), "row 2 falls")
    sizes = (4, 16, 64, 512)
    raw = {d: stats(d, 6, False, 1) for d in sizes}
    scaled = {d: stats(d, 6, True, 1) for d in sizes}
    holds(all(0.9 < raw[d]["var"] / d < 1.1 and 0.9 < scaled[d]["var"] < 1.1 for d in sizes), "variances d and 1")
    random = torch.Generator().manual_seed(1)
    q5, k5 = (torch.randn(4096, 6, 512, generator=random) for _ in range(2))
    sharp = ((q5[:, :1] @ k5.mT).softmax(-1).amax(-1) > 0.99).double().mean()
    calm = ((q5[:, :1] @ k5.mT / math.sqrt(512)).softmax(-1).amax(-1) > 0.99).double().mean()
    holds(0.7 < sharp < 0.8 and calm == 0, "three quarters of the rows are one-hot unscaled, none scaled")
    beyond = 1 - math.erf(100 / math.sqrt(512) / math.sqrt(2))
    wide = math.erfc(100 / (9 * math.sqrt(512)) / math.sqrt(2))
    root, wrong_root = math.sqrt(64), math.sqrt(512)
    long_q, long_k = (torch.randn(n, 64, generator=random, dtype=DOUBLE) for n in (4, 6))
    wide_q = torch.randn(4, 3, generator=random, dtype=DOUBLE)
    wide_k = torch.randn(3, 3, generator=random, dtype=DOUBLE)
    return {
        "x": numbers(X, 0),
        "w_q": numbers(W_Q, 1),
        "w_k": numbers(W_K, 1),
        "w_v": numbers(W_V, 1),
        "q": numbers(q, 1),
        "k": numbers(k, 1),
        "v": numbers(v, 1),
        "third": numbers(q[2], 1),
        "third_raw": numbers(q[2] @ k.T, 1),
        "third_scaled": numbers(q[2] @ k.T / math.sqrt(2)),
        "third_weights": numbers(weights[2]),
        "third_output": numbers(output[2]),
        "weights": matrix("Weights of the three tokens after projection.", weights),
        "growth": table(
            ["$d$", "variance of $q \\cdot k$", "scaled", "largest weight of 6", "scaled", "derivative", "scaled"],
            [
                [
                    d,
                    *(numbers(found[d]["var"], 2) for found in (raw, scaled)),
                    *(numbers(found[d]["max_weight"], 2) for found in (raw, scaled)),
                    *(numbers(found[d]["jac_norm"], 3) for found in (raw, scaled)),
                ]
                for d in sizes
            ],
        ),
        "peaks": bars(
            "The largest of six weights when nothing is scaled, by d.",
            {f"d = {d}": raw[d]["max_weight"] for d in sizes},
        ),
        "explore_scale": explore_scale(),
        "root512": numbers(math.sqrt(512)),
        "root64": numbers(root, 0),
        "sharp": f"{100 * sharp:.0f}",
        "beyond": f"{beyond * 1e6:.0f}",
        "wide": numbers(wide, 2),
        "nine": numbers(9 * math.sqrt(512), 0),
        "eight_heads_std": numbers(root / wrong_root),
        "after": matrix(
            "The weights of lab 1 after the third token became [2, 0].",
            after,
        ),
        "before_column": numbers(before[:, 2]),
        "after_column": numbers(after[:, 2]),
        "changed_output": numbers(changed),
        "no_scale": course.mistake(
            "attention", "no_scale", lambda f: f.scaled_dot_product_attention(long_q, long_k, long_k)[1]
        ),
        "scale_d": course.mistake(
            "attention", "scale_d", lambda f: f.scaled_dot_product_attention(wide_q, wide_k, wide_k)[1]
        ),
        "reshaped": course.mistake(
            "attention_scores", "k_reshaped_not_transposed", lambda f: f.attention_scores(W_Q, X)
        ),
        "transposed": course.mistake(
            "qkv_projection", "transposed_weights", lambda f: f.qkv_projection(X, W_Q, W_K, W_V)[0]
        ),
        "values_are_tokens": course.mistake(
            "qkv_projection", "values_are_tokens", lambda f: f.qkv_projection(X, W_Q, W_K, W_V)[2]
        ),
    }


def explore_scale():
    return explore(
        "scale",
        "Scores and weights, by the number of channels",
        "Raise $d$ without the division: the scores spread further and further, and one of the six keys takes nearly "
        "all of the weight. Tick the division: at every $d$ the scores spread alike, and the weights stay soft. Look "
        "at several queries, for a single row may be an exception; the mean over all of them is not.",
        [
            control("d", "channels d", 64.0, [float(2**n) for n in range(9)]),
            control("scaled", "divide by √d", 0.0, [0.0, 1.0]),
            control("query", "query", 1.0, [float(n) for n in range(1, 13)]),
        ],
        {
            "says": "The {count} scores have the variance {variance}. This query has the scores {scores} and the "
            "weights {weights}: the largest is {largest}, the entropy {entropy}. Over {queries} queries the mean of "
            "the largest weight is {mean}.",
            "scores": "scores of all queries",
            "curve": "line: normal distribution",
            "weights": "weights of this query",
        },
    )
