"""What the lesson of unit C shows: masked rows, counts of visible cells, the row and the column picture."""

import math

import torch

from grader.authoring.lessons import control, explore, holds, matrix, numbers, table

DOUBLE = torch.float64
SCORES = torch.tensor([[2.0, 1.0, 0.5], [1.2, 2.1, 0.7], [0.8, 1.3, 2.2]], dtype=DOUBLE)
FOUR = torch.tensor([[2, 1, 0.5, 0.3], [1.2, 2.1, 0.7, 0.4], [0.8, 1.3, 2.2, 0.6], [0.5, 0.9, 1.1, 2.0]], dtype=DOUBLE)
IT = torch.tensor([0.1, 0.05, 0.8, 0.05], dtype=DOUBLE)
LENGTHS = torch.tensor([5, 3])


def blocks(course):
    softmax = course.solution("masked_softmax").masked_softmax
    causal = course.solution("causal_mask").causal_mask
    combine = course.solution("combine_masks").combine_masks
    columns = course.solution("column_attention").column_attention
    attention = course.solution("attention").scaled_dot_product_attention
    cross = course.solution("cross_attention").cross_attention
    three, four = softmax(SCORES, causal(3)), softmax(FOUR, causal(4))
    holds(torch.allclose(four[:3, :3], three), "the first three rows are those of the smaller matrix")
    dead = torch.tensor([[True, False, False], [False, False, False]])
    pair = torch.tensor([[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]], dtype=DOUBLE)
    filled = pair.masked_fill(~dead, -1e9).softmax(-1)[1]
    added = (pair + torch.where(dead, 0.0, -1e9)).softmax(-1)[1]
    infinite = pair.masked_fill(~dead, -math.inf).softmax(-1)[1]
    holds(bool(infinite.isnan().all()), "minus infinity alone makes NaN of a dead row")
    holds(torch.allclose(added, pair[1].softmax(-1), atol=1e-6), "an added -1e9 shows the scores in float64")
    sdpa = torch.nn.functional.scaled_dot_product_attention(
        torch.ones(1, 1, dtype=DOUBLE), pair[1:].T, torch.eye(3, dtype=DOUBLE), attn_mask=dead[1:]
    )
    holds(bool((sdpa == 0).all()), "PyTorch's own gives zeros")
    both, left = combine(5, LENGTHS), combine(5, LENGTHS, "left")
    holds(bool((~left[1, 0].any(-1))[:2].all()), "left padding makes dead rows")
    holds(torch.equal(both[1, 0, :3, :3], causal(3)), "right padding leaves the real rows alone")
    random = torch.Generator().manual_seed(5)
    x = torch.randn(3, 4, generator=random, dtype=DOUBLE)
    w_q, w_k, w_v = (torch.randn(3, 3, generator=random, dtype=DOUBLE) for _ in range(3))
    rows, pattern = attention(x.T @ w_q.T, x.T @ w_k.T, x.T @ w_v.T, causal(4))
    holds(torch.allclose(columns(x, w_q, w_k, w_v, causal=True), rows.T), "the column picture is the transpose")
    sentence, written = (torch.randn(n, 3, generator=random, dtype=DOUBLE) for n in (3, 4))
    reads = attention(sentence, sentence, sentence)[1]
    writes = attention(written, written, written, causal(4))[1]
    consults = attention(written, sentence, sentence)[1]
    holds(bool((reads > 0).all() and (consults > 0).all()), "encoder and cross-attention hide nothing")
    holds(torch.equal(writes > 0, causal(4)), "the decoder hides its future")
    context = torch.randn(1, 1, 3, generator=random, dtype=DOUBLE)
    asks = torch.randn(1, 2, 3, generator=random, dtype=DOUBLE)
    alone = cross(asks, context, w_q, w_k, w_v)
    holds(torch.allclose(alone[0, 0], alone[0, 1]), "with one key every query gets its value")
    visible = IT[:3] / IT[:3].sum()
    return {
        "encoder": matrix(
            "Self-attention of the encoder: each token of the sentence attends to all of them.",
            (reads > 0).double(),
        ),
        "decoder": matrix(
            "Masked self-attention of the decoder: each token attends to itself and to what was written before it.",
            (writes > 0).double(),
        ),
        "cross": matrix(
            "Cross-attention: each of the four tokens of the translation (rows) attends to all three of the sentence.",
            (consults > 0).double(),
        ),
        "scores": numbers(SCORES, 1),
        "second": numbers(SCORES[1, :2], 1),
        "second_exp": numbers(SCORES[1, :2].exp()),
        "second_weights": numbers(three[1, :2]),
        "three": matrix("The weights, hidden ones exactly 0.", three),
        "four": matrix(
            "One more row and column: the first three rows stay as they were.",
            four,
        ),
        "cells": str(int(causal(4).sum())),
        "explore_masks": explore_masks(causal),
        "five_ways": table(
            ["how a hidden row is made", "its weights"],
            [
                ["`masked_fill(-1e9)`", numbers(filled)],
                ["`+ (-1e9)`, float64", numbers(added)],
                ["`masked_fill(-inf)`", "NaN"],
                ["`F.scaled_dot_product_attention`", numbers(sdpa[0])],
                ["`masked_softmax`", numbers(softmax(pair, dead)[1])],
            ],
        ),
        "lengths": str(LENGTHS.tolist()),
        "right": matrix(
            "Right padding, 3 of 5: True for key before padding and not later.",
            both[1, 0].double(),
        ),
        "left": matrix(
            "Left padding, 3 of 5: the first two rows see nothing.",
            left[1, 0].double(),
        ),
        "both_count": str(int(both.sum())),
        "row_pattern": matrix(
            "Row picture: queries down, keys across; each row adds up to 1.",
            pattern,
        ),
        "column_pattern": matrix(
            "Column picture: the same weights, keys down, queries across; each column adds up to 1.",
            pattern.T,
        ),
        "it": numbers(IT, 2),
        "it_causal": numbers(visible),
        "multiplied": course.mistake(
            "attention", "mask_multiplied", lambda f: f.scaled_dot_product_attention(asks[0], w_k, w_v, causal(2, 3))[1]
        ),
        "after": course.mistake("masked_softmax", "mask_after_softmax", lambda f: f.masked_softmax(SCORES, causal(3))),
        "inverted": course.mistake(
            "masked_softmax",
            "mask_inverted",
            lambda f: f.masked_softmax(SCORES[:, [0, 1, 2]], torch.tensor([[True, True, False]] * 3)),
        ),
        "dead_nan": course.mistake("masked_softmax", "dead_rows_nan", lambda f: f.masked_softmax(pair, dead)),
        "other_triangle": course.mistake(
            "column_attention", "other_triangle", lambda f: f.column_attention(x, w_q, w_k, w_v, causal=True)
        ),
        "values_from_x": course.mistake(
            "cross_attention",
            "values_from_x",
            lambda f: f.cross_attention(
                asks, context.expand(1, 2, 3) * torch.tensor([[[1.0], [2.0]]], dtype=DOUBLE), w_q, w_k, w_v
            )[0],
        ),
    }


def explore_masks(causal):
    def whole(first, last):
        return [float(n) for n in range(first, last + 1)]

    return explore(
        "masks",
        "Which keys each query sees",
        "A row is a query, numbered by its position; a column is a key; a frame marks the query's own position. Four "
        "queries stand behind three cached keys, so the offset is $7 - 4 = 3$, and the last query sees the last key. "
        "Set the offset to 0: the pattern slides to the top left, as a misaligned mask does, and no query sees keys 4 "
        "to 6. Shrink the window: each query loses its distant past. Untick causal: the future appears.",
        [
            control("t", "queries", 4.0, whole(1, 8)),
            control("s", "keys", 7.0, whole(1, 12)),
            control("offset", "offset: cached keys", 3.0, whole(0, 8)),
            control("window", "window", 16.0, whole(1, 16)),
            control("causal", "causal", 1.0, [0.0, 1.0]),
        ],
        {
            "says": "Of {all} cells {seen} are visible. Keys that the first query sees: {first}; the last query: "
            "{last}. Queries that see nothing: {dead}.",
            "queries": "queries",
            "keys": "keys",
            "cached": "cached keys",
            "query": "query",
            "sees": "sees keys",
            "none": "none",
        },
        matrix("The last four of seven positions, under the causal mask.", causal(4, 7).double()),
    )
