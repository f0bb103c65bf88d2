"""Small expressions as people write them for a number: 1/10, sqrt(512), 2*sqrt(2), 8*64, 2^10, e^2/(1 + e^2).

Nothing is executed: this has its own parser, for short texts, with bounds on the size of the result.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from fractions import Fraction

from grader.texts import Text, translated

MOST_BITS = 2_000  # of a power
_TOKEN = re.compile(
    r"[0-9]+\.?[0-9]*(?:[eE][+-]?[0-9]{1,3})?|\.[0-9]+|\*\*|[-+*/^()]"
    r"|(?:log2|log10|log|sqrt|exp|ln|pi|e)(?![A-Za-z_])|√"
)
_ENGLISH = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
_CHINESE = "[零〇一二两三四五六七八九十百千万]+"
_PLACES = {"十": 10, "百": 100, "千": 1000}
Real = Fraction | float
NOT_A_NUMBER = translated("{got} is not a number")
NO_VALUE = translated("{got} is not a number: it has no value")
OUT_OF_RANGE = translated("{got} is not a number that can be worked out: it is out of range")


class NoExpression(Exception):
    """The text is not an expression, or its value is not a number; `said` tells which."""

    def __init__(self, text: str, said: Text = NOT_A_NUMBER) -> None:
        super().__init__(text)
        self.said = said


def evaluated(text: str) -> Real:
    """Return the value, a Fraction if it is rational. Sums stand in brackets only: 0.3 - 0.4 is a range.

    Raises:
        NoExpression: for anything else, and for an expression without a value.
    """
    text = re.sub(r"\blog_\{?(2|10)\}?", r"log\1", re.sub(r"\b(math|torch|numpy|np)\.", "", text))
    text = re.sub(r"([0-9])\s*(?=sqrt|√|pi\b|(?:exp|ln|log(?:2|10)?)\()", r"\1*", text)
    tokens = _TOKEN.findall(text)
    if "".join(tokens) != "".join(text.split()):
        raise NoExpression(text)
    try:
        parser = _Parser(tokens)
        value = parser.product()
        if parser.left or not math.isfinite(value):
            raise NoExpression(text)
    except OverflowError as error:  # here and in `isfinite`
        raise NoExpression(text, OUT_OF_RANGE) from error
    except ArithmeticError as error:
        raise NoExpression(text, NO_VALUE) from error
    except (ValueError, IndexError, RecursionError) as error:
        raise NoExpression(text) from error
    return value


def plain(text: str) -> str:
    r"""Return a text without the commands of LaTeX: `\frac{1}{8}`, `\sqrt{2}`, `2 \cdot 10^{-3}`."""
    if "\\" not in text and "^{" not in text:
        return text
    text = re.sub(r"\\(?:cdot|times)\b", "*", re.sub(r"\\(?:left|right|[,;!])", "", text))
    text = re.sub(r"\\sqrt\s*\{([^{}]*)\}", r"sqrt(\1)", text)
    text = re.sub(r"\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}", r"(\1)/(\2)", text)
    return re.sub(r"\^\{([^{}]*)\}", r"^(\1)", re.sub(r"\\(?=ln|log|exp|pi|approx|[()\[\]%_])", "", text))


def in_digits(text: str) -> str:
    """Return a text's leading number in words as digits: 二十八, 三千零七十三, 九个词元, 八分之一; `one`, alone."""
    if (word := text.casefold().rstrip(".")) in _ENGLISH:
        return str(_ENGLISH.index(word))
    found = re.match(f"({_CHINESE})(?:分之({_CHINESE})$)?", text)
    values = [_chinese(part) for part in found.groups() if part] if found else []
    if not found or None in values or re.search("[0-9]", text):
        return text
    return "/".join(map(str, reversed(values))) + text[found.end() :]


def _chinese(text: str) -> int | None:
    """Return the number, but not of 一二, nor of 二百五, which may be 250."""
    total = section = digit = 0
    lowest = 10  # the place before a digit that has none of its own
    for c in text:
        if c in _PLACES:
            section, digit, lowest = section + (digit or 1) * _PLACES[c], 0, _PLACES[c]
        elif c == "万":
            total, section, digit, lowest = (section + digit) * 10_000, 0, 0, 10_000
        elif digit:
            return None
        elif c in "零〇":
            lowest = 10
        else:
            digit = "一二三四五六七八九".find(c.replace("两", "二")) + 1
    value = total + section + digit
    return None if (digit and lowest > 10) or not (value or text in "零〇") else value


class _Parser:
    def __init__(self, tokens: list[str]) -> None:
        self.left = tokens

    def _next(self, *wanted: str) -> str:
        """Return the next token, if it is one of these."""
        return self.left.pop(0) if self.left and self.left[0] in wanted else ""

    def _sum(self) -> Real:
        value = self.product()
        while sign := self._next("+", "-"):
            other = self.product()
            value = value + other if sign == "+" else value - other
        return value

    def product(self) -> Real:
        """Parse factors, of which only the last may divide: the meaning of 1/2/3 is unclear."""
        value = self._signed()
        while self._next("*"):
            value = value * self._signed()
        return value / self._signed() if self._next("/") else value

    def _signed(self) -> Real:
        sign = -1 if self._next("-", "+") == "-" else 1
        base = self._atom()
        if self._next("^", "**"):
            base = _power(base, self._signed())
        return sign * base

    def _atom(self) -> Real:
        token = self.left.pop(0)
        if token == "(":
            return self._closed(self._sum())
        if token in CONSTANTS:
            return CONSTANTS[token]
        if token == "√":
            return _root(self._atom())
        if token in FUNCTIONS:
            of = self._closed(self._sum()) if self._next("(") else Fraction(self.left.pop(0))  # ln 2
            return _at(FUNCTIONS[token], of)
        return Fraction(token)

    def _closed(self, value: Real) -> Real:
        if not self._next(")"):
            raise ValueError("a bracket that is not closed")
        return value


def _power(base: Real, exponent: Real) -> Real:
    if isinstance(base, Fraction) and isinstance(exponent, Fraction) and exponent.denominator == 1:
        size = max(abs(base.numerator), base.denominator).bit_length() * abs(exponent.numerator)
        if size > MOST_BITS:
            raise OverflowError
        return Fraction(base ** int(exponent))
    return _at(math.pow, base, exponent)


def _at(function: Callable[..., Real], *values: Real) -> Real:
    """Call one of math's functions; an argument outside its domain is a ValueError there."""
    try:
        return function(*values)
    except ValueError as error:
        raise ArithmeticError from error


def _root(value: Real) -> Real:
    if isinstance(value, Fraction) and value >= 0:
        above, below = math.isqrt(value.numerator), math.isqrt(value.denominator)
        if above * above == value.numerator and below * below == value.denominator:
            return Fraction(above, below)
    return _at(math.sqrt, value)


CONSTANTS = {"pi": math.pi, "e": math.e}
FUNCTIONS: dict[str, Callable[[Real], Real]] = {
    "sqrt": _root, "exp": math.exp, "log10": math.log10, "log2": math.log2,
    **dict.fromkeys(("ln", "log"), math.log),
}  # fmt: skip
