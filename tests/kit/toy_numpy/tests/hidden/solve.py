"""Hidden suite for solve."""

import sys

import numpy as np

from grader.suites import dtypes, laws, misconceptions, points, tolerance

assert "torch" not in sys.modules  # it would take seconds
RESIDUAL = tolerance(atol=1e-5)


@points(2)
@dtypes("float32", "float64")
def test_values(matches_reference, make, dtype):
    """The solution, and the largest entry of the residual."""
    matches_reference.solve(make.normal(3, 3) + 5 * np.eye(3, dtype=dtype), make.normal(3))


def examples(ask, make):
    ask.solve(make.normal(3, 3) + 5 * np.eye(3), make.normal(3))


test_inputs = laws.inputs_unchanged(1, examples)

KNOWN = misconceptions(
    "solve",
    transposed=lambda a, b: (np.linalg.solve(a.T, b), 0.0),
)
