"""What the tests of suites share: the toy course's suites, run against a function."""

from __future__ import annotations

import pytest
from support import TOY
from toy_suites import OneByOne, toy_suites

from grader import catalogues
from grader.suites.runner import Suites


@pytest.fixture(scope="session")
def suites() -> Suites:
    catalogues.take(TOY)
    return toy_suites()


@pytest.fixture
def run(suites):
    """`run("scale", function)` gives each check's first result by the check's name without parameters."""

    def results(exercise: str, function, seed: int = 1):
        found = suites.run(exercise, OneByOne({exercise: function}), seed)
        return {r.id.partition("[")[0]: r for r in reversed(list(found))}

    return results


@pytest.fixture
def problem(run):
    """The English reason of one check of `scale`, which must fail."""

    def reason(function, check="test_values"):
        result = run("scale", function)[check]
        assert result.verdict == "failed"
        return result.reason.to("en")

    return reason
