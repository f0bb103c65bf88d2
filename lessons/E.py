"""What the lesson of unit E shows: one vector through RMSNorm, two normalisations side by side, the residual."""

import torch

from grader.authoring.lessons import bars, holds, matrix, numbers, table

DOUBLE = torch.float64
X = torch.tensor([2.5, 1.3, 3.7, 0.8], dtype=DOUBLE)
GAIN = torch.tensor([1.0, 2.0, 0.5, 1.0], dtype=DOUBLE)
PRINTED = torch.tensor([1.0698, 0.5563, 1.5833, 0.3424], dtype=DOUBLE)  # as an article prints RMSNorm of X


def blocks(course):
    norm = course.solution("rms_norm").rms_norm
    softmax = course.solution("softmax").softmax
    block = course.solution("prenorm_attention_block").prenorm_attention_block
    y = norm(X, eps=0.0)
    holds(torch.allclose(norm(7 * X, eps=0.0), y), "RMSNorm ignores the scale")
    holds(torch.allclose(norm(-X, eps=0.0), -y), "and keeps the sign")
    holds(not torch.allclose(norm(X + 7, eps=0.0), y), "but not a shift")
    holds(
        torch.allclose(softmax(X + 7), softmax(X)) and not torch.allclose(softmax(7 * X), softmax(X)),
        "softmax: reverse",
    )
    jacobian = torch.autograd.functional.jacobian(lambda v: norm(v, eps=0.0), X)
    holds(torch.allclose(jacobian @ X, torch.zeros(4, dtype=DOUBLE), atol=1e-9), "the derivative along x is 0")
    random = torch.Generator().manual_seed(3)
    x = torch.randn(4, 6, generator=random, dtype=DOUBLE)
    W = [torch.randn(6, 6, generator=random, dtype=DOUBLE) for _ in range(4)]
    silent = [*W[:3], torch.zeros(6, 6, dtype=DOUBLE)]
    holds(torch.allclose(block(x, silent), x), "with W_O = 0 the block hands on its input")
    ten = block(10 * x, W) - 10 * x
    holds(torch.allclose(ten, block(x, W) - x, rtol=1e-4, atol=1e-4), "the update ignores the scale of x")
    keys = torch.randn(64, 96, generator=random, dtype=DOUBLE)
    asks = torch.randn(500, 96, generator=random, dtype=DOUBLE)
    raw, scaled = (asks @ keys.T).softmax(-1), (asks @ keys.T / 96**0.5).softmax(-1)
    small = torch.tensor([300.0, -300.0], dtype=torch.float16)
    holds(bool(small.square().isinf().all()), "300 squared is too large for float16")
    wide = torch.stack([X, X - 4])
    cosine = torch.nn.functional.cosine_similarity(norm(X, GAIN), X, dim=0)
    return {
        "x": numbers(X, 1),
        "squares": numbers(X.square(), 2),
        "mean": numbers(X.square().mean()),
        "rms": numbers(X.square().mean().sqrt()),
        "y": numbers(y),
        "softmax": numbers(softmax(X)),
        "printed": numbers(PRINTED),
        "printed_rms": numbers(PRINTED.square().mean().sqrt()),
        "printed_softmax": numbers([0.1722, 0.0518, 0.5678, 0.0082]),
        "cosine": numbers(cosine),
        "gain": numbers(GAIN, 1),
        "compare": table(
            ["changed", "softmax", "RMSNorm"],
            [
                ["$x$", numbers(softmax(X)), numbers(y)],
                ["$x + 7$", numbers(softmax(X + 7)), numbers(norm(X + 7))],
                ["$2x$", numbers(softmax(2 * X)), numbers(norm(2 * X))],
                ["$-x$", numbers(softmax(-X)), numbers(norm(-X))],
            ],
        ),
        "softmax_sum": numbers(softmax(X).sum(), 0),
        "y_sum": numbers(y.sum(), 2),
        "y_rms": numbers(y.square().mean().sqrt(), 0),
        "jacobian": matrix(
            "The derivative of RMSNorm: no change along $x$ itself.",
            jacobian,
        ),
        "entropy": bars(
            "The largest of 64 weights on average, d = 96.",
            {"$q \\cdot k$": raw.amax(-1).mean(), "$q \\cdot k / \\sqrt{d}$": scaled.amax(-1).mean()},
        ),
        "layer_norm": course.mistake("rms_norm", "layer_norm", lambda f: f.rms_norm(wide)),
        "no_root": course.mistake("rms_norm", "no_root", lambda f: f.rms_norm(wide)),
        "whole_tensor": course.mistake("rms_norm", "whole_tensor", lambda f: f.rms_norm(wide)),
        "softmax_as_norm": course.mistake("rms_norm", "softmax_instead", lambda f: f.rms_norm(wide)),
        "no_residual": course.mistake(
            "prenorm_attention_block", "no_residual", lambda f: f.prenorm_attention_block(x, W)
        ),
        "post_norm": course.mistake("prenorm_attention_block", "post_norm", lambda f: f.prenorm_attention_block(x, W)),
    }
