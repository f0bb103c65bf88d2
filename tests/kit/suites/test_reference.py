"""What the reference says is due: in float64, with the error that a bound allows."""

from __future__ import annotations

import pytest
from toy_suites import HEAD, course

from grader.authoring import soundness
from grader.errors import CourseError
from grader.suites.local import LocalTarget


def test_an_oracle_replaces_the_solution_in_float64(tmp_path):
    """The solution computes in float32 whatever comes; its float64 version is written in the suite."""
    suite = HEAD + (
        "@oracle('f')\ndef exact(x): return x / 3\n"
        "@error_bound('f')\ndef bound(x): return (x / 3).abs()\n"
        "@points(1)\n@dtypes('float64')\n"
        "def test_a(matches_reference, make, dtype): matches_reference.f(make.normal(100))\n"
    )
    suites = course(tmp_path, suite, "def f(x):\n    return (x.float() / 3).to(x.dtype)\n")
    assert [r.verdict for r in suites.run("f", LocalTarget({"f": lambda x: x / 3}), 1)] == ["passed"]
    assert [r.verdict for r in suites.run("f", LocalTarget({"f": lambda x: x / 3.001}), 1)] == ["failed"]


CHECK = "@points(1)\ndef test_a(matches_reference, make):\n    matches_reference.f(make.normal(9))\n"


@pytest.mark.parametrize(
    ("line", "passes", "fails"),
    [
        ("", 2e-7, 1e-4),
        ("EXACT = exact('f')\n", 0, 2e-7),
        ("TOLERANCE = tolerance('f', rtol=1e-3)\n", 9e-4, 2e-3),
        ("TOLERANCE = tolerance(rtol=1e-3)\n", 9e-4, 2e-3),
        ("TOLERANCE = tolerance('g', rtol=1e-3)\n", 2e-7, 9e-4),
        ("@error_bound('f')\ndef b(x): return 8 * x.abs()\nALL = tolerance(rtol=1e-3)\n", 5e-7, 9e-4),
        ("@error_bound('f')\ndef b(x): return 8 * x.abs()\nMINE = tolerance('f', atol=1e-2)\n", 1e-3, 0.1),
    ],
)
def test_what_results_may_be_off(tmp_path, line, passes, fails):
    suites = course(tmp_path, f"from grader.suites import exact, tolerance\n{HEAD}{line}{CHECK}")
    for off, verdict in ((passes, "passed"), (fails, "failed")):
        assert [r.verdict for r in suites.run("f", LocalTarget({"f": lambda x, off=off: x * (1 + off)}), 1)] == [
            verdict
        ]


@pytest.mark.parametrize("given", ["", "rtol=1.5", "rtol=-1e-3", "atol=float('nan')", "rtol=0, atol=0"])
def test_a_tolerance_that_says_nothing_is_refused(tmp_path, given):
    suites = course(tmp_path, f"from grader.suites import tolerance\n{HEAD}T = tolerance('f', {given})\n{CHECK}")
    with pytest.raises(CourseError, match=r"a tolerance needs rtol=, at least 0 and below 1, or atol="):
        list(suites.run("f", LocalTarget({"f": lambda x: x}), 1))


def test_a_bound_of_none_leaves_the_values_free_but_not_nan(tmp_path):
    suite = HEAD + (
        "@error_bound('f')\ndef bound(x): return 2 * x.abs(), None\n"
        "@points(1)\ndef test_a(matches_reference, make): matches_reference.f(make.normal(9))\n"
        "KNOWN = misconceptions('f', adds=lambda x: (x + 1, x))\n"
    )
    suites = course(tmp_path, suite, "def f(x):\n    return x * 2, x\n")
    for cache, verdict in ((lambda x: 7 * x, "passed"), (lambda x: x / 0 * 0, "failed"), (lambda x: x[1:], "failed")):
        target = LocalTarget({"f": lambda x, cache=cache: (x * 2, cache(x))})
        assert [r.verdict for r in suites.run("f", target, 1)] == [verdict]
    assert list(soundness.problems(suites, "f")) == []
