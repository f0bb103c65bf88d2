"""Numbers as people write them."""

from __future__ import annotations

import pytest

from grader.questions import numbers
from grader.questions.numbers import Unreadable


@pytest.mark.parametrize(
    ("text", "value", "decimals"),
    [("617,558,016", 617558016, 0), ("1_000", 1000, 0), ("12.50", 12.5, 2), ("5e-3", 0.005, 3), ("50%", 0.5, 2),
     ("+3", 3, 0), ("-∞", float("-inf"), None), ("2/8", 0.25, None), ("3.", 3, 0), ("1,000.5", 1000.5, 1)],
)  # fmt: skip
def test_numbers_as_people_write_them(text, value, decimals):
    assert numbers.parsed(text) == numbers.Given(value, decimals)


@pytest.mark.parametrize(
    "text", ["", "1,00", "ones", "1 2", "0x10", "1e9999", "--1", "1/2/3", "٣..", None, ["1", "2"], "nan"]
)
def test_what_is_no_number(text):
    with pytest.raises(Unreadable):
        numbers.parsed(text)
