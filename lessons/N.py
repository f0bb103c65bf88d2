"""What the lesson of unit N shows: costs, traffic, a cache in int8, drafts."""

import torch

from grader.authoring.lessons import count, holds, numbers, table

DOUBLE = torch.float64


def blocks(course):
    return {
        **costs(course),
        **traffic(course),
        **one_byte(course),
        **drafts(course),
    }


def costs(course):
    """Bytes of a cache, intensity of a step, where attention overtakes."""
    ways = course.solution("cache_bytes")
    heads, size, layers = 128, 128, 60
    bytes_ = {
        "MHA": ways.kv_bytes(layers, heads, size),
        "GQA 8": ways.kv_bytes(layers, 8, size),
        "MLA": ways.mla_bytes(layers, 512, 64),
        "MQA": ways.kv_bytes(layers, 1, size),
    }
    holds(bytes_["MQA"] < bytes_["MLA"] < bytes_["GQA 8"] < bytes_["MHA"], "in this order")

    def intensity(new, kept, kv_heads):
        flops, moved = ways.step_cost(new, kept, 32, kv_heads, 128)
        return flops / moved

    holds(intensity(1, 8000, 32) < 1.01 and intensity(1, 8000, 8) < 4.01, "writing does a FLOP a byte and query head")
    holds(intensity(8000, 8000, 8) > 1000, "reading a prompt does thousands")
    return {
        "bytes": table(
            ["cache", "bytes a token"],
            [[name, count(n)] for name, n in bytes_.items()],
        ),
        "saved": str(round(bytes_["MHA"] / bytes_["MLA"])),
        "intensity": table(
            ["new tokens", "heads of keys and values", "FLOPs for each byte moved"],
            [[n, h, f"{intensity(n, 8000, h):.1f}"] for n, h in ((1, 32), (1, 8), (1, 1), (8000, 8))],
        ),
        "kept": count(8000),
        "gpt3": count(ways.overtaking_length(12288, 49152, 96, 128)),
        "llama": count(ways.overtaking_length(4096, 14336, 32, 128, mlp_matrices=3)),
        "rotated_part_forgotten": course.mistake(
            "cache_bytes", "rotated_part_forgotten", lambda f: torch.tensor([[float(f.mla_bytes(60, 512, 64))]])
        ),
    }


def traffic(course):
    """What the standard way and FlashAttention move, in numbers."""
    d, block, rows = 64, 128, []
    for n in (512, 4096, 32768):
        standard, tiled = 4 * n * d + 4 * n * n, 2 * n * d + 2 * n * d * (n // block)
        rows.append([n, count(standard), count(tiled), f"{standard / tiled:.1f}"])
    return {
        "traffic": table(["tokens", "standard", "in tiles", "times as many"], rows),
        "traffic_channels": str(d),
        "traffic_block": str(block),
        "traffic_limit": str(2 * block // d),
        "sram": count(4 * block * d + block * block),
    }


def one_byte(course):
    """A cache in int8, with a channel that is larger than the others."""
    ways = course.solution("int8_cache")
    random = torch.Generator().manual_seed(4)
    k = torch.randn(64, 32, generator=random, dtype=DOUBLE)
    k[:, 5] *= 30
    q = torch.randn(1, 32, generator=random, dtype=DOUBLE)
    q[:, 5] /= 30
    rows = []
    for name, dim in (("each token", -1), ("each channel", -2)):
        codes, scale = ways.quantize(k, dim)
        off = (q @ (k - ways.dequantize(codes, scale)).mT / 32**0.5).abs()
        most = ways.score_error_bound(q, codes, scale)
        holds(bool((off <= most).all()), "no score is off by more than the bound")
        rows.append([name, *(f"{float(x):.4f}" for x in (off.mean(), off.max(), most.max()))])
    holds(float(rows[1][1]) < float(rows[0][1]) / 3, "a large channel spoils the scale of its tokens")
    few = torch.tensor([[1.1, -2.0, 0.4]])
    return {
        "few": numbers(few[0], 1),
        "codes": numbers(ways.quantize(few)[0][0].double(), 0),
        "scale": numbers(ways.quantize(few)[1][0], 4),
        "back": numbers(ways.dequantize(*ways.quantize(few))[0]),
        "scales": table(["a scale for", "mean error of a score", "largest error", "bound"], rows),
        "cut_off": course.mistake("int8_cache", "cut_off", lambda f: f.dequantize(*f.quantize(few))),
    }


def drafts(course):
    """A draft model's tokens, and what comes out."""
    ways = course.solution("speculative_accept")
    p, q = torch.tensor([0.2, 0.3, 0.5], dtype=DOUBLE), torch.tensor([0.6, 0.3, 0.1], dtype=DOUBLE)
    both, left = torch.minimum(p, q), ways.residual(p, q)
    share = both.sum()
    holds(torch.allclose(both + (1 - share) * left, p), "each token has the target's probability")
    wrong = both + (1 - share) * p
    rows = [
        [x, *(f"{float(row[x]):.2f}" for row in (q, p, (p / q).clamp(max=1), both, left, both + (1 - share) * left))]
        for x in range(3)
    ]
    target, draft = p.expand(2, 3), q.expand(1, 3)
    return {
        "drafted": table(
            ["token", "draft", "target", "accepted", "drafted and accepted", "residual", "written"],
            rows,
        ),
        "accepted_share": numbers(share, 2),
        "from_the_target": numbers(wrong, 2),
        "tokens_a_step": table(
            ["share of accepted drafts", "1 draft", "3 drafts", "7 drafts"],
            [[f"{a:.1f}", *(f"{(1 - a ** (n + 1)) / (1 - a):.2f}" for n in (1, 3, 7))] for a in (0.5, 0.8, 0.9)],
        ),
        "replaced_from_the_target": course.mistake(
            "speculative_accept",
            "replaced_from_the_target",
            lambda f: f.speculative_step(target, draft, torch.tensor([0]), torch.tensor([0.9]), 0.1)[None].double(),
        ),
    }
