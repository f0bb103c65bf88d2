"""What the lesson of unit D shows: an address, heads as a sum, what the mean loses, the number of heads."""

import torch

from grader.authoring.lessons import bars, count, holds, matrix, numbers, table

DOUBLE = torch.float64
TOKENS, WIDTH, HEADS = 3, 4, 2


def blocks(course):
    heads, attention = course.solution("heads"), course.solution("attention").scaled_dot_product_attention
    mha = course.solution("multi_head_attention").multi_head_attention
    update = course.solution("value_update").value_update
    trace = course.solution("shape_trace").trace
    report = course.solution("heads_report").heads_report(8)
    as_mean = course.solution("mean_as_concat").mean_as_concat
    random = torch.Generator().manual_seed(11)
    x = torch.randn(1, TOKENS, WIDTH, generator=random, dtype=DOUBLE)
    W = [torch.randn(WIDTH, WIDTH, generator=random, dtype=DOUBLE) for _ in range(4)]
    zero = [torch.zeros(WIDTH, dtype=DOUBLE)] * 4
    whole = mha(x, W, zero, HEADS)
    q, k, v = (heads.split_heads(x @ w, HEADS) for w in W[:3])
    each, patterns = attention(q, k, v)
    size = WIDTH // HEADS
    blocks_of_o = [W[3][h * size : (h + 1) * size] for h in range(HEADS)]
    parts = [each[:, h] @ block for h, block in enumerate(blocks_of_o)]
    holds(torch.allclose(sum(parts), whole), "concatenate and project is the sum over the heads")
    permuted = mha(x, [w.roll(size, 1) for w in W[:3]] + [W[3].roll(size, 0)], zero, HEADS)
    holds(torch.allclose(permuted, whole), "heads may change places with the rows of W_O")
    ablated = whole - parts[1]
    holds(torch.allclose(parts[0], ablated), "ablating a head takes its own term away, and nothing else")
    holds(not torch.allclose(mha(x, W, zero, 1), whole), "one head is something else")
    holds(not torch.allclose(patterns[0, 0], patterns[0, 1], atol=0.05), "two heads have two patterns")
    down, up = (torch.randn(2, 5, generator=random, dtype=DOUBLE), torch.randn(5, 2, generator=random, dtype=DOUBLE))
    E = torch.randn(5, 4, generator=random, dtype=DOUBLE)
    pattern = torch.randn(4, 4, generator=random, dtype=DOUBLE).softmax(0)
    holds(torch.allclose(update(E, [pattern], [down], [up]), up @ down @ E @ pattern), "up down E A")
    _, rank = as_mean(torch.randn(12, 96, generator=random, dtype=DOUBLE), 8)
    holds(rank == 12, "the mean of 8 heads of 12 has rank 12")
    shapes = trace(2, 10, 768, 8)
    grouped = trace(2, 10, 768, 8, 2)
    grid = torch.arange(float(TOKENS * WIDTH), dtype=DOUBLE).reshape(1, TOKENS, WIDTH)
    d, dk = 12288, 128
    return {
        "address": str(2 * 4 + 1),
        "grid": matrix("Three tokens (rows) with four channels each.", grid[0]),
        "second": matrix(
            "Head 1 of 2: channels 2 and 3 of every token.",
            heads.split_heads(grid, 2)[0, 1],
        ),
        "pattern0": matrix("Head 0: where each token looks.", patterns[0, 0]),
        "pattern1": matrix("Head 1, at the same moment.", patterns[0, 1]),
        "part0": numbers(parts[0][0, 0], 3),
        "part1": numbers(parts[1][0, 0], 3),
        "sum": numbers(whole[0, 0], 3),
        "trace": table(
            ["step", "8 heads", "8 heads, 2 of keys and values"],
            [[name.replace("_", " "), str(list(shape)), str(list(grouped[name]))] for name, shape in shapes.items()],
        ),
        "report": table(
            ["heads", "size of a head", "output", "weights (averaged)", "per head", "parameters"],
            [
                [h, *(str(found[key]) for key in ("head_dim", "output", "weights", "per_head", "parameters"))]
                if found
                else [h, *["error"] * 5]
                for h, found in report.items()
            ],
        ),
        "full": count(d * d),
        "low": count(2 * d * dk),
        "factor": str(d * d // (2 * d * dk)),
        "d": count(d),
        "dk": str(dk),
        "sizes": bars(
            "Numbers in one value map of GPT-3, in millions: full, and through 128 channels.",
            {"full": d * d / 1e6, "low rank": 2 * d * dk / 1e6},
        ),
        "rank": str(rank),
        "thirteen": count(40 * 128),
        "thirteen_d": count(5140),
        "with_bias": count(4 * 512 * 512 + 4 * 512),
        "without_bias": count(4 * 512 * 512),
        "view": course.mistake("heads", "view_directly", lambda f: f.split_heads(grid, 2)[0, 1]),
        "merge": course.mistake(
            "heads", "reshape_no_transpose", lambda f: f.merge_heads(heads.split_heads(grid, 2))[0]
        ),
        "mean": course.mistake("heads", "mean_heads", lambda f: padded(f.merge_heads(heads.split_heads(grid, 2))[0])),
        "single": course.mistake(
            "multi_head_attention", "single_head", lambda f: f.multi_head_attention(x, W, zero, HEADS)[0]
        ),
        "mixed": course.mistake(
            "value_update",
            "heads_mixed",
            lambda f: f.value_update(E[:, :3], [pattern[:3, :3]] * 2, [down, down.flip(0)], [up, up.flip(1) + 1]),
        ),
    }


def padded(merged):
    """A result that is too narrow, filled up with zeros so that it can be drawn beside the right one."""
    return torch.nn.functional.pad(merged, (0, WIDTH - merged.shape[-1]))
