"""What the lesson of unit F shows: one pair that turns, scores by distance, rotated values, what sharing saves."""

import math

import torch

from grader.authoring.lessons import control, count, explore, holds, matrix, numbers, table

DOUBLE = torch.float64
CHANNELS = 96  # of a head of MiniMind


def blocks(course):
    rope = course.solution("rope")
    lab = course.solution("rope_scores")
    budget = course.solution("gqa_budget").gqa_budget
    minimind = course.solution("minimind_attention").minimind_attention
    random = torch.Generator().manual_seed(2)
    one = torch.tensor([1.0, 0.0], dtype=DOUBLE)
    pair = lab.rope_scores(one, one, 4)
    near, far = score(lab, one, one, 1, 3), score(lab, one, one, 11, 13)
    holds(torch.allclose(near, far) and torch.allclose(near, torch.tensor(math.cos(2), dtype=DOUBLE)), "only distance")
    q, k, v = (torch.randn(5, 8, generator=random, dtype=DOUBLE) for _ in range(3))
    plain = [lab.rotated_attention(q, k, v, start) for start in (0, 100)]
    turned = [lab.rotated_attention(q, k, v, start, rotate_values=True) for start in (0, 100)]
    holds(torch.allclose(*plain), "the whole block does not feel a shift of all positions")
    holds(not torch.allclose(*turned, atol=0.1), "with rotated values it does")
    turned_q = lab.rotate(q, torch.arange(5))
    holds(torch.allclose(turned_q.norm(dim=-1), q.norm(dim=-1)), "a rotation keeps lengths")
    cos, sin = rope.rope_cos_sin(8, 2)
    angles = 10000.0 ** (-torch.arange(0, 8, 2, dtype=DOUBLE) / 8)
    holds(torch.allclose(cos[1, :4].double(), angles.cos(), atol=1e-6), "the table is cos of these angles")
    ones = torch.ones(CHANNELS, dtype=DOUBLE)
    decay = {
        base: [
            float(lab.rotate(ones[None], torch.tensor([p]), base)[0] @ ones / CHANNELS) for p in (0, 1, 16, 128, 1024)
        ]
        for base in (1e4, 1e6)
    }
    waves = {base: 2 * math.pi * base ** (1 - 2 / CHANNELS) for base in (1e4, 1e6)}
    x = torch.randn(1, 6, 8, generator=random, dtype=DOUBLE)
    W = [torch.randn(8, n, generator=random, dtype=DOUBLE) for n in (8, 4, 4)] + [
        torch.randn(8, 8, generator=random, dtype=DOUBLE)
    ]
    whole, _ = minimind(x, W, 4, 2)
    first, cache = minimind(x[:, :4], W, 4, 2)
    second, _ = minimind(x[:, 4:], W, 4, 2, cache=cache)
    holds(torch.allclose(torch.cat([first, second], 1), whole), "in two pieces with a cache it is the same")
    qk = q[None, None, :3], k[None, None, :3]
    square = torch.randn(1, 3, 3, 4, generator=random, dtype=DOUBLE)
    return {
        "frequencies": numbers(angles, 3),
        "cos1": numbers(cos[1, :4]),
        "sin1": numbers(sin[1, :4]),
        "turned": numbers(lab.rotate(one[None], torch.tensor([1]))[0]),
        "turned3": numbers(lab.rotate(one[None], torch.tensor([3]))[0]),
        "near": numbers(near),
        "far": numbers(far),
        "toeplitz": matrix(
            "Scores of one pair of channels, query at row m, key at column n: constant along each diagonal.",
            pair,
        ),
        "decay": table(
            ["distance", "base 10^4", "base 10^6"],
            [
                [d, numbers(a), numbers(b)]
                for d, a, b in zip((0, 1, 16, 128, count(1024)), *decay.values(), strict=True)
            ],
        ),
        "channels": str(CHANNELS),
        "wave4": count(round(waves[1e4])),
        "wave6": count(round(waves[1e6])),
        "plain_shift": f"{float((plain[0] - plain[1]).abs().max()):.0e}",
        "turned_shift": numbers((turned[0] - turned[1]).abs().max(), 2),
        "budget": table(
            ["heads of keys and values", "parameters of a layer", "bytes of cache for each token"],
            [[h, *(count(n) for n in budget(768, 8, h))] for h in (8, 4, 2, 1)],
        ),
        "explore_rope": explore_rope(),
        "explore_heads": explore_heads(),
        "query_head": str(5 // (8 // 2)),
        "backwards": course.mistake(
            "rope",
            "rotated_backwards",
            lambda f: f.apply_rotary_pos_emb(*qk, *f.rope_cos_sin(8, 3))[0][0, 0],
        ),
        "neighbours": course.mistake(
            "rope",
            "neighbours_paired",
            lambda f: f.apply_rotary_pos_emb(*qk, *f.rope_cos_sin(8, 3))[0][0, 0],
        ),
        "only_q": course.mistake("rope_scores", "only_q", lambda f: f.rope_scores(one, one, 4), view="matrix"),
        "values_rotated": course.mistake(
            "rope_scores", "values_always_rotated", lambda f: f.rotated_attention(q, k, v, 3)[:, :4], view="matrix"
        ),
        "tiled": course.mistake("minimind_attention", "heads_tiled", lambda f: f.minimind_attention(x, W, 4, 2)[0][0]),
        "repeated": course.mistake(
            "gqa",
            "values_tiled",
            lambda f: (
                f.grouped_query_attention(
                    torch.ones(1, 4, 1, 1, dtype=DOUBLE),
                    square[:, :2, :1, :1],
                    torch.arange(2.0, dtype=DOUBLE).reshape(1, 2, 1, 1),
                )[0][0, :, 0].T
            ),
        ),
    }


def score(lab, q, k, m, n):
    """The score of q at position m with k at position n."""
    return lab.rotate(q[None], torch.tensor([m]))[0] @ lab.rotate(k[None], torch.tensor([n]))[0]


def explore_rope():
    places = [float(n) for n in range(41)]
    return explore(
        "rope",
        "One pair of channels, rotated",
        "Query and key are the point (1, 0) before they are rotated. Move the query or the key: the angle between the "
        "arrows changes, and with it the score. Move both together: the arrows rotate as one, and the score stays. "
        "Choose a later pair or a larger base: the pair rotates more slowly, and its curve becomes wider.",
        [
            control("m", "position m of the query", 3.0, places),
            control("n", "position n of the key", 1.0, places),
            control("both", "added to both positions", 0.0, [float(n) for n in range(101)]),
            control("pair", "pair i of 4 (d = 8)", 0.0, [0.0, 1.0, 2.0, 3.0]),
            control("base", "base", 1e4, [10.0, 100.0, 1e3, 1e4, 1e5, 1e6]),
        ],
        {
            "says": "The distance m - n is {distance}, the speed of the pair {speed}. The query is {query}, the key "
            "{key}. The score of this pair is {pair}, that of all four pairs {all}.",
            "query": "query at",
            "key": "key at",
            "angle": "angle",
            "pair": "score of this pair",
            "all": "dashed: mean of all pairs",
            "distance": "distance m - n",
        },
        pairs=[4],
    )


def explore_heads():
    return explore(
        "heads",
        "Which head of keys and values a query head reads",
        "With as many heads of keys and values as query heads, each query head has its own: multi-head attention. "
        "Halve them: neighbours share, and the cache halves too. With a single one, all query heads read the same keys "
        "and values: multi-query attention. The number of query heads alone does not change the size of the cache.",
        [
            control("heads", "query heads", 8.0, [1.0, 2.0, 4.0, 8.0, 16.0]),
            control("kv", "key and value heads", 2.0, [1.0, 2.0, 4.0, 8.0, 16.0]),
            control("head", "query head to follow", 5.0, [float(n) for n in range(16)]),
            control("dim", "channels of a head", 96.0, [32.0, 64.0, 96.0, 128.0, 256.0]),
            control("tokens", "tokens in the cache", 4096.0, [float(2**n) for n in range(18)]),
        ],
        {
            "says": "Query head {head} reads head {reads} of keys and values; number of query heads that share it: "
            "{each}. A token leaves {token} bytes in the cache of a layer, at two bytes a number, and all tokens "
            "together {total} bytes; with as many heads of keys and values as query heads it would be {full} bytes.",
            "queries": "query heads",
            "shared": "key and value heads",
            "cache": "cache, compared with multi-head attention",
        },
        bytes=[2],
    )
