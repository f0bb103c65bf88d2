"""Numbers as people write them: read, compared with what is right, and written down."""

from __future__ import annotations

import dataclasses
import fractions
import math
import re
from typing import Any

from grader.texts import Text, translated

LONGEST = 60  # characters of one number
MOST_DECIMALS = 4  # that a rounded number need have
NOT_A_NUMBER = translated("{got} is no number")


class Unreadable(Exception):
    """An answer that has not the form asked for; the sentence says how."""

    def __init__(self, reason: Text) -> None:
        super().__init__(reason.en)
        self.reason = reason


@dataclasses.dataclass(frozen=True)
class Given:
    """A number that a student wrote: its value, and how many decimals it was given with (None for a fraction)."""

    value: float
    decimals: int | None


def parsed(given: Any) -> Given:
    """A number as people write it: 0.25, 1/4, 25%, 1,024, 1e-3, -inf. Raises Unreadable."""
    text = str(given).strip().replace("−", "-").replace("，", ",")
    if isinstance(given, list | dict) or given is None or len(text) > LONGEST:
        raise Unreadable(NOT_A_NUMBER.format(got=text[:LONGEST]))
    plain = re.sub(r"(?<=\d)[,_ ](?=\d{3}(\D|$))", "", text)
    if re.fullmatch(r"[+-]?(inf|infinity|∞)", plain.lower()):
        return Given(-math.inf if plain.startswith("-") else math.inf, None)
    if re.fullmatch(r"[+-]?\d+ */ *\d{1,20}", plain) and int(plain.rpartition("/")[2]):
        return Given(float(fractions.Fraction(plain.replace(" ", ""))), None)
    found = re.fullmatch(r"([+-]?(?:\d+\.?(\d*)|\.(\d+)))(?:[eE]([+-]?\d{1,3}))?( *%)?", plain)
    if not found:
        raise Unreadable(NOT_A_NUMBER.format(got=text[:LONGEST]))
    shift = int(found.group(4) or 0) - (2 if found.group(5) else 0)
    decimals = len(found.group(2) or found.group(3) or "") - shift
    return Given(float(f"{found.group(1)}e{shift}"), decimals)


def near(given: Given, key: float, decimals: int) -> bool:
    """Whether a number is the key, rounded (or cut off) no further than `decimals` allows."""
    if not math.isfinite(key) or not math.isfinite(given.value):
        return given.value == key
    if abs(given.value - key) <= 1e-9 * max(abs(key), 1e-9):
        return True
    if not decimals:
        return False
    kept = max(decimals, MOST_DECIMALS) if given.decimals is None else given.decimals
    kept = min(kept, max(decimals, MOST_DECIMALS))
    return kept >= decimals and abs(given.value - key) < 1.001 * 10.0**-kept


def too_rough(given: Given, key: float, decimals: int) -> bool:
    """Whether a number would be right if it had not been rounded too far."""
    short = given.decimals is not None and given.decimals < decimals
    return short and not near(given, key, decimals) and abs(given.value - key) < 10.0 ** -max(given.decimals or 0, 0)


def written(value: float, decimals: int) -> str:
    """A number for the sheet: whole where it is whole, else with four decimals, or as many as are asked for."""
    if not math.isfinite(value):
        return str(value)
    if value == int(value):
        return str(int(value))
    return f"{value:.{max(MOST_DECIMALS, decimals)}f}" if decimals else repr(value)
