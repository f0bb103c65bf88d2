"""What the lesson of unit A shows: softmax by hand, one lookup, what a shift and a factor do, the derivative."""

import torch

from grader.authoring.lessons import bars, control, explore, holds, matrix, numbers, table

SCORES = torch.tensor([2.5, 1.3, 3.7, 0.8], dtype=torch.float64)
SHARES = torch.tensor([0.10, 0.05, 0.80, 0.05], dtype=torch.float64)
VALUES = torch.tensor([[10.0], [20.0], [30.0], [40.0]], dtype=torch.float64)
PRINTED = torch.tensor([0.1722, 0.0518, 0.5678, 0.0082], dtype=torch.float64)  # as an article prints softmax(SCORES)
THREE = torch.tensor([0.29, 0.36, 0.25], dtype=torch.float64)  # likewise, of three words


def blocks(course):
    softmax = course.solution("softmax").softmax
    lookup = course.solution("soft_lookup").soft_lookup
    inverse = course.solution("softmax_inverse").softmax_inverse
    weights, exponentials = softmax(SCORES), SCORES.exp()
    holds(torch.allclose(softmax(SCORES + 7), weights), "a shift changes nothing")
    holds(torch.allclose(softmax(inverse(SHARES)), SHARES), "the logarithm turns weights back into scores")
    jacobian = torch.diag(weights) - torch.outer(weights, weights)
    by_autograd = torch.autograd.functional.jacobian(softmax, SCORES)
    holds(torch.allclose(jacobian, by_autograd), "the derivative of softmax is diag(p) - p p^T")
    holds(torch.allclose(jacobian.sum(1), torch.zeros(4, dtype=torch.float64)), "its rows sum to 0")
    sharp = softmax(8 * SCORES)
    holds((torch.diag(sharp) - torch.outer(sharp, sharp)).abs().max() < 0.01, "a sharp softmax has no gradient left")
    mix = lookup(SHARES, VALUES)
    gaps = inverse(torch.tensor([0.25, 0.60], dtype=torch.float64))
    return {
        "scores": numbers(SCORES, 1),
        "exponentials": numbers(exponentials),
        "total": numbers(exponentials.sum()),
        "weights": numbers(weights),
        "bars": bars(
            "Softmax of the four scores: the gap between the scores became a ratio between the weights.",
            {numbers(s, 1): float(w) for s, w in zip(SCORES, weights, strict=True)},
        ),
        "shares": numbers(SHARES, 2),
        "mix": numbers(mix[0], 0),
        "largest_share": numbers(SHARES[2] * VALUES[2, 0], 0),
        "ratio": numbers(weights[2] / weights[0]),
        "gap": numbers(SCORES[2] - SCORES[0], 1),
        "limit16": numbers(torch.tensor(torch.finfo(torch.float16).max).log(), 2),
        "limit32": numbers(torch.tensor(torch.finfo(torch.float32).max, dtype=torch.float64).log(), 2),
        "temperature": table(
            ["$T$", "softmax$(x / T)$", "$H$"],
            [
                [numbers(t, 1), numbers(softmax(SCORES / t)), numbers(entropy(softmax(SCORES / t)))]
                for t in (0.1, 1.0, 2.0, 100.0)
            ],
        ),
        "explore_softmax": explore_softmax(),
        "jacobian": matrix(
            "The derivative of the weights by the scores: blue where a higher score raises the weight.",
            jacobian,
        ),
        "hard_lookup": course.mistake(
            "soft_lookup",
            "hard_lookup",
            lambda f: f.soft_lookup(SHARES.expand(1, 4), torch.eye(4, dtype=torch.float64)),
        ),
        "softmax_again": course.mistake(
            "soft_lookup",
            "softmax_again",
            lambda f: f.soft_lookup(SHARES.expand(1, 4), torch.eye(4, dtype=torch.float64)),
        ),
        "global_normaliser": course.mistake(
            "softmax", "global_normaliser", lambda f: f.softmax(torch.stack([SCORES, SCORES.flip(0)]))
        ),
        "logit": course.mistake("softmax_inverse", "logit", lambda f: f.softmax_inverse(SHARES)),
        "printed": numbers(PRINTED),
        "printed_sum": numbers(PRINTED.sum(), 2),
        "three": numbers(THREE, 2),
        "three_sum": numbers(THREE.sum(), 2),
        "needed_gap": numbers(gaps[1] - gaps[0]),
        "sims": numbers([0.6, 0.8], 1),
        "said": numbers([0.25, 0.60], 2),
        "given_gap": numbers(0.8 - 0.6, 1),
        "given_ratio": numbers(torch.tensor(0.2).exp(), 2),
        "gap_of_eight": numbers(torch.tensor(0.4 / 0.05).log()),
        "rest": numbers(1 - (0.4 + 0.3 + 2 * 0.05), 2),
    }


def explore_softmax():
    tenths = [round(n / 10, 1) for n in range(-40, 41)]
    scores = zip("abcd", SCORES.tolist(), strict=True)
    return explore(
        "softmax",
        "Softmax of four scores",
        "Raise one score: its weight grows, and the other three shrink in the same proportion. Move the number that is "
        "added to all scores: every score moves, and no weight does. Lower the temperature: the largest score takes "
        "everything. Raise it: the weights become equal, and the entropy reaches its maximum.",
        [
            *(control(name, f"score {n}", start, tenths) for n, (name, start) in enumerate(scores, 1)),
            control("add", "added to all scores", 0.0, [float(n) for n in range(-4, 5)]),
            control("t", "temperature", 1.0, [0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0, 100.0]),
        ],
        {
            "says": "The weights are {weights}. The largest is {largest}. The entropy is {entropy}; four equal weights "
            "have {most}.",
            "scores": "scores",
            "weights": "weights",
            "dashed": "dashed: at temperature 1",
        },
    )


def entropy(p):
    return -(p * p.clamp_min(1e-300).log()).sum()
