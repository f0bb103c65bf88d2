"""Numbers as people write them."""

from __future__ import annotations

import itertools
import math
import random
import time

import pytest
from quiz import paper_in

from grader.questions import Question, Table, Written, numbers, questions
from grader.questions.numbers import Unreadable


@pytest.mark.parametrize(
    ("text", "value", "decimals"),
    [("617,558,016", 617558016, 0), ("1_000", 1000, 0), ("12.50", 12.5, 2), ("5e-3", 0.005, 3), ("50%", 0.5, 2),
     ("+3", 3, 0), ("-∞", float("-inf"), None), ("2/8", 0.25, None), ("3.", 3, 0), ("1,000.5", 1000.5, 1)],
)  # fmt: skip
def test_numbers_as_people_write_them(text, value, decimals):
    assert numbers.parsed(text) == numbers.TypedNumber(value, decimals)


@pytest.mark.parametrize(
    "text", ["", "1,00", "ones", "1 2", "0x10", "1e9999", "--1", "1/2/3", "..٣", None, ["1", "2"], "nan"]
)
def test_what_is_no_number(text):
    with pytest.raises(Unreadable):
        numbers.parsed(text)


@pytest.mark.parametrize(
    "text",
    ["log(8)", "ln(8)", "log 8", "math.log(8)", "torch.log(8)", r"\log 8", "3*log(2)", "3log(2)", "log2(8)*ln(2)"],
)
def test_log_is_the_natural_logarithm_as_in_python(text):
    assert numbers.parsed(text).value == pytest.approx(math.log(8))


def test_logarithms_with_a_base():
    assert [
        numbers.parsed(t).value for t in ("log2(8)", "log_2(8)", r"\log_{2}(8)", "log10(1000)", "log_10(1000)")
    ] == [3] * 5


@pytest.mark.parametrize("text", ["1/0", "0/0", "0**-1", "sqrt(-1)", "log(0)", "ln(-1)", "(-8)^(1/3)"])
def test_what_has_no_value_is_told(text):
    with pytest.raises(Unreadable, match="is not a number: it has no value"):
        numbers.parsed(text)


@pytest.mark.parametrize("text", ["10**10**10", "9^9^9", "exp(1000)", "1e99999", "-1e-99999", "1e999*pi", "2^5000"])
def test_what_is_out_of_range_is_told(text):
    with pytest.raises(Unreadable, match="is not a number that can be worked out: it is out of range"):
        numbers.parsed(text)


HARD = [
    "nan",
    "NaN",
    "inf",
    "-inf",
    "∞",
    "-∞",
    "1e999",
    "-1e999",
    "1e-999",
    "1e400",
    "1e-400",
    "1e308",
    "1e-320",
    "1e99999",
    "10**10**10",
    "9^9^9^9",
    "2^2000",
    "0.5**5000",
    "1/0",
    "0/0",
    "0**0",
    "0**-1",
    "sqrt(-1)",
    "log(0)",
    "exp(1000)",
    "exp(-1000)",
    "exp(1e999)",
    "(1e999)**2",
    "1e999**1e999",
    "1e999%",
    "1e-999%",
    "1.5e999%",
    "1e999=1e999",
    "1e999≈inf",
    "1/3=1e-999",
    "inf-inf",
    "1e999/1e999",
    "10*10^999",
    "√1e999",
    "1e999个",
    "1e999MiB",
    "[1e999]",
    "tensor(inf)",
    "1e999,1e999",
    "10⁹⁹⁹",
    "1/1e999",
    "#DIV/0!",
    "1.#INF",
    "-0.0",
    "0e999",
    "1j",
    "0x10",
]
HARD += [
    "9" * 59,
    "9" * 5000,
    "0." + "0" * 50 + "1",
    "1e999*" * 9 + "1",
    "exp(" * 12 + "1" + ")" * 12,
    "√" * 59 + "2",
    "(" * 99,
]


@pytest.fixture(scope="module")
def paper(tmp_path_factory) -> questions.Paper:
    return paper_in(tmp_path_factory.mktemp("paper"))


def in_forms(question: Question, first: str, second: str) -> list[object]:
    """Two hard numbers in the places of one question's form."""
    form = question.form
    alone: list[object] = [first, [first], f"{first}, {second}", [first, second], {first: second}]
    if isinstance(form, Written):
        return alone
    if isinstance(form, Table):
        return [*alone, {row: dict(zip(form.columns, (first, second), strict=False)) for row in form.rows}]
    many = math.prod(getattr(form, "shape", (1,)))
    return [*alone, [first] * many, ", ".join([first] * (many - 1) + [second])]


def test_no_number_in_no_form_ends_a_grading(paper):
    """However it is combined, each gets a verdict and a reason in bounded time."""
    pairs = random.Random(1).sample(list(itertools.product(HARD, HARD)), 150) + [(text, text) for text in HARD]
    for question, (first, second) in itertools.product(paper.questions, pairs):
        for given in in_forms(question, first, second):
            started = time.process_time()
            result = next(r for r, _ in paper.mark({question.name: given}) if r.id == question.name)
            assert time.process_time() - started < 2, (question.name, given)
            assert result.verdict in ("passed", "failed", "skipped")
            assert result.reason.to("en") or result.verdict == "passed", (question.name, given)
