"""What the lesson of unit H shows: a row in two pieces, caches in chunks, windows over layers, a misplaced mask."""

import torch

from grader.authoring.lessons import bars, control, count, explore, holds, matrix, numbers, table

DOUBLE = torch.float64
SCORES = torch.tensor([1.0, 3.0, 2.0, 5.0], dtype=DOUBLE)
ROW = torch.tensor([1.0, 3.0, 2.0, 5.0, -1.0, 4.0, 6.0, 2.0], dtype=DOUBLE)
VALUES = torch.tensor([[10.0], [20.0], [30.0], [40.0]], dtype=DOUBLE)


def blocks(course):
    merging = course.solution("merge_softmax")
    flash = course.solution("flash_attention").flash_attention
    attention = course.solution("attention").scaled_dot_product_attention
    causal = course.solution("causal_mask").causal_mask
    decode = course.solution("kv_decode").kv_decode
    sliding = course.solution("sliding_window")
    one, other = (merging.softmax_part(SCORES[None, part], VALUES[part]) for part in (slice(0, 2), slice(2, 4)))
    m, total, mixed = merging.merge_softmax(one, other)
    whole = SCORES.softmax(-1) @ VALUES
    holds(torch.allclose(mixed[0] / total[0], whole), "two parts merged are the whole row")
    back = merging.merge_softmax(other, one)
    holds(all(torch.allclose(a, b) for a, b in zip(back, (m, total, mixed), strict=True)), "the order is free")
    random = torch.Generator().manual_seed(6)
    q, k, v = (torch.randn(6, 4, generator=random, dtype=DOUBLE) for _ in range(3))
    exact, _ = attention(q, k, v, causal(6))
    apart = max(float((flash(q, k, v, block, causal=True) - exact).abs().max()) for block in (1, 2, 4, 6))
    holds(apart < 1e-12, "FlashAttention is exact")
    x = torch.randn(1, 6, 8, generator=random, dtype=DOUBLE)
    W = [torch.randn(8, n, generator=random, dtype=DOUBLE) for n in (8, 4, 4)]
    W.append(torch.randn(8, 8, generator=random, dtype=DOUBLE))
    chunkings = ([6], [3, 3], [3, 1, 2], [1] * 6)
    results = [decode(x, W, 4, 2, chunks) for chunks in chunkings]
    holds(all(torch.allclose(out, results[0][0]) for out, _ in results), "every division gives the same")
    keys, _ = results[0][1]
    recomputed = {n: n * (n + 1) // 2 for n in (10, 100, 1000)}
    reach = []
    seen = torch.eye(8, dtype=torch.bool)
    step = sliding.sliding_window_mask(8, 3)
    for _ in range(4):
        seen = (seen.double() @ step.double()) > 0
        reach.append(int(seen[7].sum()))
    holds(reach == [min(8, layers * 2 + 1) for layers in (1, 2, 3, 4)], "L layers see L (w - 1) + 1 tokens")
    rising = torch.arange(6.0, dtype=DOUBLE)[:, None] / 2
    late = (torch.ones(2, 1, dtype=DOUBLE), rising, torch.eye(6, dtype=DOUBLE))
    chunks = (x, W, 4, 2, [3, 1, 2])
    piece = torch.randn(1, 3, 8, generator=random, dtype=DOUBLE)
    return {
        "scores": numbers(SCORES, 0),
        "values": numbers(VALUES[:, 0], 0),
        "m1": numbers(one[0][0], 0),
        "l1": numbers(one[1][0]),
        "o1": numbers(one[2][0, 0]),
        "m2": numbers(other[0][0], 0),
        "l2": numbers(other[1][0]),
        "o2": numbers(other[2][0, 0]),
        "a": numbers((one[0] - m).exp()[0]),
        "m": numbers(m[0], 0),
        "l": numbers(total[0]),
        "o": numbers(mixed[0, 0]),
        "merged": numbers(mixed[0, 0] / total[0]),
        "whole": numbers(whole[0]),
        "apart": f"{apart:.0e}",
        "cache_shape": str(list(keys.shape)),
        "explore_tiles": explore_tiles(attention),
        "recomputed": table(
            ["tokens written", "keys computed with a cache", "without"],
            [[count(n), count(n), count(m)] for n, m in recomputed.items()],
        ),
        "chunk_mask": matrix(
            "The second chunk of three tokens, behind three cached ones.",
            causal(3, 6).double(),
        ),
        "window": matrix(
            "A window of 3: each token sees itself and two before it.",
            step.double(),
        ),
        "reach": bars(
            "Tokens that reach the last of eight, by layers with a window of 3.",
            {str(n): r for n, r in enumerate(reach, 1)},
        ),
        "no_rescale": course.mistake("flash_attention", "no_rescale", lambda f: f.flash_attention(q * 3, k, v, 2)),
        "mean_of_blocks": course.mistake("flash_attention", "mean_of_blocks", lambda f: f.flash_attention(*late, 2)),
        "top_left": course.mistake(
            "flash_attention", "causal_top_left", lambda f: f.flash_attention(q[4:], k, v, 2, causal=True)
        ),
        "rope_reset": course.mistake("kv_decode", "rope_reset", lambda f: f.kv_decode(*chunks)[0][0]),
        "no_cache": course.mistake("kv_decode", "no_cache", lambda f: f.kv_decode(*chunks)[0][0]),
        "as_in_the_wild": course.mistake(
            "chunked_prefill",
            "as_given",
            lambda f: f.prefill(piece, W, 4, 2, past=f.prefill(x[:, :3], W, 4, 2)[1])[0][0],
        ),
    }


def explore_tiles(attention):
    values = 10 * torch.arange(1.0, 9.0, dtype=DOUBLE)
    whole, _ = attention(torch.ones(1, 1, dtype=DOUBLE), ROW[:, None], values[:, None])
    holds(torch.allclose(whole[0], ROW.softmax(0) @ values), "with one channel the scores are the keys")
    return explore(
        "tiles",
        "A row of eight scores, block by block",
        "Each step reads one block. If it raises the largest score $m$, the factor falls below 1 and corrects what was "
        "summed so far; otherwise the factor is 1. Go through all steps with several block sizes: the path differs, "
        "and $o / l$ at the end is always the output of the whole row.",
        [
            control("block", "block size", 2.0, [1.0, 2.0, 3.0, 4.0, 8.0]),
            control("step", "blocks read", 2.0, [float(n) for n in range(9)]),
        ],
        {
            "says": "The largest score so far is m = {m}, the last factor {factor}. Now l = {l}, o = {o} and o / l = "
            "{ratio}. Softmax of the whole row gives {whole}.",
            "scores": "scores",
            "values": "values, and the blocks",
            "step": "step",
            "block": "keys",
            "factor": "factor",
        },
        scores=ROW,
        values=values,
    )
