"""What the reference says is due: in float64, with the error that a bound allows."""

from __future__ import annotations

from toy_suites import HEAD, course

from grader.authoring import soundness
from grader.suites.target import LocalTarget


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


def test_without_a_bound_nothing_may_be_rounded(tmp_path):
    suites = course(
        tmp_path, f"{HEAD}@points(1)\ndef test_a(matches_reference, make):\n    matches_reference.f(make.normal(9))\n"
    )
    assert [r.verdict for r in suites.run("f", LocalTarget({"f": lambda x: x * (1 + 2e-7)}), 1)] == ["failed"]
    assert [r.verdict for r in suites.run("f", LocalTarget({"f": lambda x: x.clone()}), 1)] == ["passed"]


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
