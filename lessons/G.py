"""What the lesson of unit G shows: GPT-3's attention counted, the table of scores as it grows, the variants."""

import torch

from grader.authoring.lessons import bars, count, holds, matrix, numbers, table

D, HEADS, SIZE, LAYERS = 12288, 96, 128, 96
WHOLE = 175_181_291_520  # parameters of GPT-3 as the video counts them
GIB = 2**30


def blocks(course):
    parameters = course.solution("attention_param_count").attention_param_count
    cost = course.solution("attention_cost").attention_cost
    window = course.solution("sliding_window").sliding_window_mask
    causal = course.solution("causal_mask").causal_mask
    total = parameters(D, HEADS, SIZE, LAYERS)
    family = D * HEADS * SIZE * LAYERS
    holds(total == 4 * family, "four families of the same size")
    scores, size = cost(1000, SIZE, HEADS, LAYERS)
    doubled, _ = cost(2000, SIZE, HEADS, LAYERS)
    holds(doubled == 4 * scores, "twice the tokens, four times the scores")
    holds(parameters(8, 2, 4, 1, bias=True) == parameters(8, 4, 2, 1, bias=True), "the number of heads costs nothing")
    long = course.solution("long_attention")
    n, w, rank, block, chosen = 12, 3, 4, 4, 2
    hashes = torch.randint(3, (n,), generator=torch.Generator().manual_seed(4))
    local, hashed = long.local_global_mask(n, 2, chosen), long.bucket_mask(hashes, hashes)
    holds(bool((local.double() @ local.double() > 0).all()), "with a global token any two are two steps apart")
    return {
        "family": count(family),
        "total": count(total),
        "layer": count(parameters(D, HEADS, SIZE, 1)),
        "share": numbers(100 * total / WHOLE, 1),
        "whole": count(WHOLE),
        "d": count(D),
        "size": str(SIZE),
        "embedding": count(50257 * D),
        "vocabulary": count(50257),
        "typo": count(50527),
        "typo_embedding": count(50527 * D),
        "small": table(
            ["model", "parameters of attention in a layer"],
            [
                ["512, 8 heads, biases", count(parameters(512, 8, 64, 1, bias=True))],
                ["512, 8 heads", count(parameters(512, 8, 64, 1))],
                ["768, 8 heads", count(parameters(768, 8, 96, 1))],
                ["768, 8 heads, 2 kv", count(parameters(768, 8, 96, 1, n_kv_heads=2))],
                [f"{count(D)}, 96 heads", count(parameters(D, HEADS, SIZE, 1))],
            ],
        ),
        "scores": count(scores),
        "bytes": numbers(size / 1e9, 3),
        "growth": bars(
            "GiB for all scores of one layer of 96 heads, in two bytes each, by tokens.",
            {count(t): cost(t, SIZE, HEADS, 1)[1] / GIB for t in (1024, 2048, 4096, 8192)},
        ),
        "balance": count(2 * D),
        "full": matrix("Causal: every earlier token.", causal(n).double()),
        "local": matrix(
            "Each token sees its neighbours; two tokens see all and are seen by all.",
            local.double(),
        ),
        "hashed": matrix("Buckets: only tokens with the same hash.", hashed.double()),
        "cells": table(
            ["", "scores", "n = 12"],
            [
                ["causal", "$n(n+1)/2$", int(causal(n).sum())],
                ["window $w$", "about $nw$", int(window(n, w).sum())],
                ["neighbours, $g$ global", "about $n(3 + 2g)$", int(local.sum())],
                ["keys of rank $k$", "$nk$", n * rank],
                ["blocks (ring, flash)", "$n(n+1)/2$", int(causal(n).sum())],
            ],
        ),
        "rank": str(rank),
        "blocks": str(n // block),
        "heads_forgotten": course.mistake(
            "attention_cost", "heads_forgotten", lambda f: pair(*f.attention_cost(6, 4, 2, 3))
        ),
        "linear": course.mistake("attention_cost", "linear_in_n", lambda f: pair(*f.attention_cost(6, 4, 2, 3))),
        "output": course.mistake(
            "attention_param_count",
            "output_forgotten",
            lambda f: torch.tensor([[float(f.attention_param_count(8, 2, 4, 3))]]),
        ),
        "square": course.mistake(
            "attention_param_count",
            "head_as_wide_as_model",
            lambda f: torch.tensor([[float(f.attention_param_count(8, 2, 4, 3))]]),
        ),
    }


def pair(*values):
    return torch.tensor([values], dtype=torch.float64)
