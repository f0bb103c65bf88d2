"""What a suite makes of known wrong and known right work: caught, named, let pass, judged by chance."""

from __future__ import annotations

import pytest
from toy_suites import HEAD, course

from grader.authoring import evidence, ready_mistakes
from grader.authoring.judgement import Caught, Flip, SuiteEvidence, Tried

BOUND = "@error_bound('f')\ndef bound(x): return 4 * x.abs()\n"
VALUES = "@points(1)\ndef test_values(matches_reference, make): matches_reference.f(make.normal(2, 3))\n"
MORE = "@points(1)\ndef test_more(matches_reference, make): matches_reference.f(make.normal(4))\n"
LAWS = "".join(
    f"test_{law} = laws.{law}(1, lambda ask, make: (ask.f(make.normal(2, 3)), ask.f(make.normal(1, 3))))\n"
    for law in ("device", "inputs_unchanged", "memory_layout", "gradient", "remembers_nothing", "keywords")
)
LENGTHS = "test_lengths = laws.lengths(1, lambda ask, make, n: ask.f(make.normal(n)))\n"
DTYPES = "@points(1)\ndef test_dtypes(matches_reference, make, dtype): matches_reference.f(make.normal(5))\n"
KNOWN = "KNOWN = misconceptions('f', adds=lambda x: x + 2, halves=lambda x: x / 2, divides=lambda x: x * 0.5)\n"
SOLUTION = "def f(x):\n    return x * 2\n"


@pytest.fixture
def gathered(tmp_path):
    def found(suite: str, seeds=(1, 2, 3), **alternatives: str) -> SuiteEvidence:
        suites = course(tmp_path, HEAD + BOUND + suite, SOLUTION)
        (tmp_path / "right").mkdir()
        for name, text in alternatives.items():
            (tmp_path / "right" / f"{name}.py").write_text(text, encoding="utf-8")
        return evidence.gather(suites, "f", ("f",), tmp_path / "right", seeds)

    return found


def test_each_misconception_with_its_checks_and_names(gathered):
    found = gathered(VALUES + MORE + KNOWN)
    assert found.misconceptions == (
        Caught("adds", 2, "alone", ()), Caught("halves", 2, "pair", ("divides",)),
        Caught("divides", 2, "pair", ("halves",)),
    )  # fmt: skip
    assert (found.exercise, found.checks, found.seeds) == ("f", 2, 3)


def test_one_that_gets_no_name_and_one_that_gets_anothers(gathered):
    """The second computes what three others compute too, which says nothing."""
    many = "KNOWN = misconceptions('f', a=lambda x: x, b=lambda x: x, c=lambda x: 1 * x, right=lambda x: 2 * x)\n"
    found = gathered(VALUES + many)
    assert {m.name: (m.checks, m.named) for m in found.misconceptions} == {
        "a": (1, "none"), "b": (1, "none"), "c": (1, "none"), "right": (0, "none"),
    }  # fmt: skip


def test_right_solutions_that_fail_at_some_seeds(gathered):
    found = gathered(
        VALUES,
        plain="def f(x): return x + x\n",
        unlucky="def f(x): return x + x if x.sum() > 0 else 2.1 * x\n",
    )
    assert found.alternatives[0] == Tried("plain", ())
    assert found.alternatives[1].name == "unlucky"
    assert 0 < len(found.alternatives[1].failed) < 3


def test_slips_that_nothing_catches(gathered):
    one_rank = {"wrong_in_five_dimensions"}  # nothing says that any number of dimensions will do
    one_input = {name for name in ready_mistakes.READY if name.endswith("_at_equal_shapes")}
    expected = ready_mistakes.READY.keys() - one_rank - one_input
    assert gathered(VALUES).slips == tuple(sorted(f"{name} of f" for name in expected))


def test_slips_that_the_laws_catch(gathered):
    assert gathered(VALUES + LAWS + LENGTHS + DTYPES).slips == ()


def test_slips_that_a_suite_lets_pass_with_a_reason(gathered):
    above = ("wrong_above", "changes_input_above", "no_gradient_above", "made_on_cpu_above")
    lets = f"LETS_PASS = dict.fromkeys({('long_rows_cut', *above)}, 'nothing is longer than 9 here')\n"
    assert gathered(VALUES + LAWS + DTYPES + lets).slips == ()


def test_a_check_that_catches_by_chance(gathered):
    chance = (
        "@points(1)\ndef test_chance(matches_reference, make):\n"
        "    x = make.normal(2)\n    matches_reference.f(x if x.sum() > 0 else 0 * x + 2)\n"
    )
    found = gathered(VALUES + MORE + chance + "KNOWN = misconceptions('f', adds=lambda x: x + 2)\n", seeds=range(8))
    assert found.flips == (Flip("adds", "test_chance[cpu]"),)


def test_a_name_that_is_given_by_chance(gathered):
    sometimes = "lambda x: x + 2 if x.sum() > 0 else x + 3"
    known = f"KNOWN = misconceptions('f', adds=lambda x: x + 2, sometimes={sometimes})\n"
    found = gathered(VALUES.replace("2, 3", "2") + known, seeds=range(8))
    assert found.flips == (Flip("adds", "the diagnosis"), Flip("sometimes", "the diagnosis"))
