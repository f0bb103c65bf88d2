"""What is allowed where a suite says nothing: how much of it usual computations need at the worst, by dtype.

A share of 1 is all of it. Each is computed in its dtype, one term after another, from the back, and as torch does it,
and compared with float64 on the same inputs.

    .venv/bin/python benchmarks/usual_tolerance.py
"""

import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import torch

from grader.closeness import EPSILON, USUAL_GROWTH, USUAL_UNITS


def one_by_one(x):
    total = torch.zeros((), dtype=x.dtype)
    for term in x:
        total = total + term
    return total


WAYS = {
    "sum": (lambda x: x.sum(), [lambda x: x.sum(), one_by_one, lambda x: one_by_one(x.flip(0))]),
    "mean": (lambda x: x.mean(), [lambda x: x.mean(), lambda x: one_by_one(x) / len(x)]),
    "dot": (lambda x: x @ x, [lambda x: x @ x, lambda x: one_by_one(x * x)]),
    "norm": (lambda x: x.norm(), [lambda x: one_by_one(x * x).sqrt(), lambda x: x.norm()]),
    "softmax": (lambda x: x.softmax(0), [lambda x: x.softmax(0), lambda x: x.exp() / one_by_one(x.exp())]),
    "cumsum": (lambda x: x.cumsum(0), [lambda x: x.cumsum(0)]),
    "matmul": (lambda x: torch.outer(x, x) @ x, [lambda x: torch.outer(x, x) @ x]),
}


def main() -> None:
    torch.manual_seed(1)
    print(f"allowed: ({USUAL_UNITS:g} + {USUAL_GROWTH:g} sqrt(n)) eps, times the largest entry of result and inputs")
    for name, (exact, ways) in WAYS.items():
        cells = []
        for dtype in (torch.float16, torch.bfloat16, torch.float32):
            worst = 0.0
            for n in (3, 16, 128, 512):
                for _ in range(5):
                    x = torch.randn(n, dtype=torch.float64).to(dtype)
                    due = exact(x.double())
                    largest = max(float(due.abs().max()), float(x.double().abs().max()))
                    allowed = (USUAL_UNITS + USUAL_GROWTH * math.sqrt(n)) * EPSILON[str(dtype)[6:]] * largest
                    worst = max(worst, *(float((way(x).double() - due).abs().max()) / allowed for way in ways))
            cells.append(f"{str(dtype)[6:]} {worst:.2f}")
        print(f"{name:<8} {'   '.join(cells)}")


if __name__ == "__main__":
    main()
