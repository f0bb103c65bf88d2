"""Reads numbers as people write them, compares them with the key, and writes them."""

from __future__ import annotations

import dataclasses
import math
import re
import unicodedata
from fractions import Fraction
from typing import Any

from grader.catalogues import ENGLISH, Signs
from grader.closeness import HALF_LAST_DECIMAL, LAST_DECIMAL, WRITTEN, WRITTEN_EXACTLY
from grader.questions.expressions import NOT_A_NUMBER, OUT_OF_RANGE, NoExpression, evaluated, in_digits, plain
from grader.texts import Text, WithReason, translated

LONGEST, LONGEST_REMARK = 60, 200  # characters of one number, and of what is said of it
MOST_DECIMALS = 4  # that a rounded number need have
DECIMAL_POINT = translated("{got} has a decimal comma; write a decimal point, as in 0.25")
TWO_WAYS = translated("the comma in {got} can be read in two ways; write 1.234 for a decimal, 1234 for a whole number")
MIDDLE_DOT = translated("the dot in {got} can be read in two ways; write 1.25 for a decimal, 1*25 for a product")
DOTS = translated("{got} has dots between thousands; write 1234567 or 1,234,567")
READ_AS = translated("{got} was read as {read}; write {whole} for a whole number, {decimal} for a decimal")
DISAGREE = translated("{got} gives two numbers that differ; give one")

WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}  # full-width forms
DASHES = "−–—‐‑﹣"
_GROUPS = {"-": DASHES, "*": "×⋅∙✕∗", "/": "÷∕⁄", "≈": "~∼～≃≅≒", "'": "“”‘’＇«»", "[": "【〔", "]": "】〕"}
_ALIKE: dict[int, int | str] = {
    **WIDE, **{ord(c): plain for plain, many in _GROUPS.items() for c in many},
    **{c: unicodedata.normalize("NFKC", chr(c)).replace("⁄", "/") for c in (*b"\xbc\xbd\xbe", *range(0x2150, 0x215F))},
    ord("π"): "pi", ord("٫"): ".", ord("٬"): "'",
}  # fmt: skip
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")
_LABEL = re.compile(
    r"(?:(?:about|approximately|approx\.?|circa|ca\.|roughly|大?约[为是]?|(?:the )?answer|答案|答)\s*:?\s*)+",
    re.IGNORECASE,
)
_SAYING = re.compile(
    r"([^\d=≈:,;()\[\]]{0,40}?)(?<![不没非])(?:\b(?:is|are|equals|takes)\b|[是为]|等于)\s*(?=\S)", re.IGNORECASE
)
_DENYING = r"no(?=\W*$|\s*[,;:])|\b(?:wrong|false|incorrect|not (?:right|true|correct))\b|错|不对|不正确"
DENIAL = re.compile(
    rf"\W*(?:{_DENYING}|否|不|没|(?:not|never|isn't|doesn't)\b)", re.IGNORECASE
)  # at the beginning of an explanation
TAKEN_BACK = re.compile(rf"^\W*否|^\W*{_DENYING}", re.IGNORECASE)  # anywhere in a remark
_REMARK = re.compile(r"(?:\s|(?<![A-Za-z(\s]))\(([^()0-9]*)\)[.。]?$")
_DENIED = re.compile(r"\b(?:not|no|never|wrong)\b|n't|[不没非错]", re.IGNORECASE)
REASON = re.compile(r"(?:\b(?:because|since)\b|因为|由于).*", re.IGNORECASE | re.DOTALL)
_ROOT = re.compile(r"(?:the )?(?:square )?root of ([0-9./]+)|([0-9./]+) ?的平方根|根号 ?([0-9./]+)", re.IGNORECASE)
_INFINITE = re.compile(
    r"([+-]?)\s*(?:(?:math|torch|np|numpy)\.)?(?:inf|infinity|∞|无穷大?|float\('inf'\))", re.IGNORECASE
)
_DECIMAL = re.compile(
    r"([+-]?(?:[0-9]+\.?([0-9]*)|\.([0-9]+)))(?:[eE]([+-]?[0-9]{1,3})|\s*[x*·]\s*10(?:\^|\*\*)\(?([+-]?[0-9]{1,3})\)?)?"
)
_CROSS = re.compile(r"(?<=[0-9)])(?<!^0)\s*[xX]\s*(?=[0-9(])|·")
_GROUPED = re.compile(r"[+-]?[1-9][0-9]{0,2}(?:([,_ '])[0-9]{3})(?:\1[0-9]{3})*(?:\.[0-9]*)?")
_COMMA = re.compile(r"(?<![0-9,.])([0-9]*),([0-9]+)(?![0-9]*[,.][0-9])")
_POINTS = re.compile(r"(?<![0-9,.])[1-9][0-9]{0,2}(?:(?:\.[0-9]{3})+(?=,[0-9])|(?:\.[0-9]{3}){2,}(?![0-9,.]))")
_DOTTED = re.compile(r"(?<![0-9,.])[1-9][0-9]{0,2}\.[0-9]{3}(?![0-9,.])")
_WRAPPED = re.compile(r"(?:(?:torch\.)?tensor|(?:np\.|numpy\.)?array|float|int)?\s*[\[({]\s*([^(){},]*?),?\s*[\])}]")
SETTINGS = re.compile(r",?\s*(?:dtype|device|requires_grad|grad_fn)\s*=\s*[^,)\]]+")
_UNIT = re.compile(r"(.*[0-9.)%])\s*([^\W\d_°][^\d,;]{0,30}|°)")


class Unreadable(WithReason):
    """An answer does not have the required form; the sentence says how. rest: the parts that can be read anyway."""

    def __init__(self, reason: Text, rest: Any = None) -> None:
        super().__init__(reason)
        self.rest = rest


@dataclasses.dataclass(frozen=True)
class TypedNumber:
    """A student's number: its value, and with how many decimals it was written (None for a fraction).

    exact: the value if it is rational. unsure: whether it may mean another number, and how to write it then.
    unit: the word after it.
    """

    value: float
    decimals: int | None
    exact: Fraction | None = dataclasses.field(default=None, compare=False)
    unsure: Text | None = dataclasses.field(default=None, compare=False)
    unit: str = dataclasses.field(default="", compare=False)


def tidy(text: str) -> str:
    """Return the text with one spelling for signs that look alike: full-width forms, minus and times signs, powers."""
    text = re.sub("[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+", lambda m: f"^{m.group().translate(_RAISED)}", plain(text))
    text = re.sub(r"\d", lambda m: str(unicodedata.decimal(m[0])), text)  # ٣ and ३ too
    text = re.sub(r"(?<![0-9])·|·(?![0-9])", "*", text)  # between digits it may be a decimal point
    text = re.sub(r"(?:\.{3}|(?<!…)…+)(?=$|[\s,;\])])", "", text.translate(_ALIKE))
    return re.sub(r"\s+", " ", text).strip(' `"*$')


def unsaid(text: str) -> str:
    """Return a tidy text without the words before a number and the reason after it: `The answer is 5, since ..`."""
    text = REASON.sub("", text) or text
    text = text[label.end() :] if (label := _LABEL.match(text)) else text
    if (saying := _SAYING.match(text)) and not _DENIED.search(saying[1]):
        text = text[saying.end() :]
    return text[label.end() :] if (label := _LABEL.match(text)) else text


def unremarked(text: str) -> str:
    """Return a tidy text without a remark in brackets after it; a remark that withdraws the answer stays."""
    remark = _REMARK.search(text[-LONGEST_REMARK:])
    return text[: -len(remark.group())].rstrip() if remark and not TAKEN_BACK.search(remark[1]) else text


def parsed(given: Any, signs: Signs = ENGLISH, exact: bool = False) -> TypedNumber:
    """Return a number as people write it: 0.25, 1/4, 25%, 1,024, 1e-3, -inf, sqrt(512), 64 bytes.

    signs: how numbers are written in its language.

    Raises:
        Unreadable: it is no number.
    """
    if isinstance(given, list) and len(given) == 1:
        given = given[0]
    dotted = _DOTTED.search(given) if signs.group == "." and isinstance(given, str) else None
    if not dotted:
        return _parsed(given, signs)
    ways = {"whole": dotted[0].replace(".", ""), "decimal": dotted[0].replace(".", ",")}
    read = ways["whole" if exact else "decimal"]
    said = READ_AS.format(got=dotted[0], read=read, **ways)
    return dataclasses.replace(_parsed(given.replace(dotted[0], read, 1), signs), unsure=said)


def _parsed(given: Any, signs: Signs) -> TypedNumber:
    if isinstance(given, list | dict) or given is None or len(str(given)) > 4 * LONGEST:
        raise Unreadable(NOT_A_NUMBER.format(got=str(given)[:LONGEST]))
    text = unremarked(tidy(str(given)))
    if signs.comma:  # 0,25, 1.050,5 and 1.050.624
        text = _COMMA.sub(r"\1.\2", _POINTS.sub(lambda m: m[0].replace(".", ""), text))
    if len(text) > LONGEST:
        raise Unreadable(NOT_A_NUMBER.format(got=text[:LONGEST]))
    text = in_digits(unsaid(text).strip(" '").rstrip(",;。、 "))
    if (remark := re.match(r"([^()]+?)\s+\(=?([^()]*[^()\W_][^()]*)\)$", text)) and not TAKEN_BACK.search(remark[2]):
        text = f"{remark[2]} = {remark[1]}"  # 0.333 (1/3)
    text = text.rstrip(".") if text.count(".") > 1 or re.search(r"[^\W\d]\.$", text) else text
    if match := _INFINITE.fullmatch(text):
        return TypedNumber(-math.inf if match[1] == "-" else math.inf, None)
    text = SETTINGS.sub("", text)
    while match := _WRAPPED.fullmatch(text):
        text = match[1]
    text = re.sub(r"(?<=[0-9])。(?=[0-9])", ".", text)
    parts = [p.strip() for p in re.split("[=≈]+", text)]
    return _agreed(text, [p for p in parts if p]) if len(parts) > 1 else _one(text)


def _agreed(text: str, parts: list[str]) -> TypedNumber:
    """Return the number of `1/4 = 0.25` or `w ≈ 0.25`; all numbers in it must be the same, rounded."""
    found = []
    for part in parts:
        try:
            found.append(_one(part))
        except Unreadable:
            if part is not parts[-1] and (total := _total(part)):
                found.append(total)
            elif part is parts[-1] or not re.search(r"[^\W\d]", part):
                raise
    if not found:
        raise Unreadable(NOT_A_NUMBER.format(got=text))
    finest = max(found, key=lambda g: math.inf if g.decimals is None else g.decimals)
    for other in found:
        whole = all(g.exact is not None and g.exact.denominator == 1 for g in (other, finest))
        step = _step(MOST_DECIMALS if other.decimals is None else other.decimals)
        if (whole and other.exact != finest.exact) or not _within(other.value, finest.value, LAST_DECIMAL * step):
            raise Unreadable(DISAGREE.format(got=text))
    return finest


def _total(text: str) -> TypedNumber | None:
    """Return the value of a sum, which is accepted only if its result follows: `36 + 21 = 57`."""
    try:
        return _computed(_CROSS.sub("*", f"({text})"))
    except NoExpression:
        return None


def _computed(text: str) -> TypedNumber:
    """Return the value of an expression. Raises NoExpression."""
    result = evaluated(text)
    return TypedNumber(_float(result), None, result if isinstance(result, Fraction) else None)


def _one(text: str) -> TypedNumber:
    """Return a single number. Raises Unreadable."""
    if match := re.fullmatch(r"(.*?)\s*(?:%|percent|per cent|pct)|百分之\s*(.*)", text, re.IGNORECASE):
        return _percent(_bare(match[1] or match[2] or "", text))
    try:
        return _bare(text, text)
    except Unreadable:
        if not (match := _UNIT.fullmatch(text)):
            raise
        return dataclasses.replace(_one(match[1].strip()), unit=match[2].strip())


def _bare(text: str, whole: str) -> TypedNumber:
    """Return a number without a unit."""
    unsure = None
    if root := _ROOT.fullmatch(text):
        text = f"sqrt({root[1] or root[2] or root[3]})"
    if re.match(r"[+-]\s", text):  # a sign, or the dash of a list
        raise Unreadable(NOT_A_NUMBER.format(got=whole))
    if re.fullmatch(r"[+-]?[0-9]{1,3}(?:\.[0-9]{3}){2,}", text):
        raise Unreadable(DOTS.format(got=whole))
    if re.fullmatch(r"[+-]?[0-9.]+[eE][+-]?[0-9]{4,}", text):
        raise Unreadable(OUT_OF_RANGE.format(got=whole))
    if re.fullmatch(r"[+-]?[0-9]+·[0-9]+", text):
        unsure = MIDDLE_DOT.format(got=whole)
    if _GROUPED.fullmatch(text):
        if re.fullmatch(r"[+-]?[0-9]{1,3},[0-9]{3}", text):
            unsure = TWO_WAYS.format(got=whole)
        text = re.sub(r"[,_ ']", "", text)
    elif re.fullmatch(r"[+-]?[0-9]*,[0-9]+\s*", text):
        raise Unreadable(DECIMAL_POINT.format(got=whole))
    text = text if _DECIMAL.fullmatch(text) else _CROSS.sub("*", text)
    if match := _DECIMAL.fullmatch(text):
        power = int(match[4] or match[5] or 0)
        value = Fraction(match[1]) * Fraction(10) ** power
        return TypedNumber(float(f"{match[1]}e{power}"), len(match[2] or match[3] or "") - power, value, unsure)
    try:
        return dataclasses.replace(_computed(text), unsure=unsure)
    except NoExpression as error:
        raise Unreadable(error.said.format(got=whole)) from None


def _percent(given: TypedNumber) -> TypedNumber:
    decimals = None if given.decimals is None else given.decimals + 2
    exact = None if given.exact is None else given.exact / 100
    value = given.value / 100 if exact is None else _float(exact)
    return dataclasses.replace(given, value=value, decimals=decimals, exact=exact)


def _float(value: Fraction | float) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def _step(decimals: int) -> float:
    """Return the value of the last of so many decimals; for 1e999 more than any float."""
    return 10.0**-decimals if decimals > -308 else math.inf


def _within(one: float, other: float, distance: float) -> bool:
    return one == other or abs(one - other) <= distance


def near(given: TypedNumber, key: float, decimals: int) -> bool:
    """Return True if a number is the key, rounded or cut off no further than `decimals` allows; with 0 the very key."""
    if not math.isfinite(key) or not math.isfinite(given.value):
        return given.value == key and given.exact is None
    whole = round(key)
    if not decimals:
        if given.exact is not None and abs(key - whole) <= WRITTEN_EXACTLY * max(abs(whole), 1):
            return given.exact == whole
        return abs(given.value - key) <= WRITTEN_EXACTLY * max(abs(key), WRITTEN_EXACTLY)
    if abs(given.value - key) <= min(WRITTEN * max(abs(key), WRITTEN), 10.0**-MOST_DECIMALS):
        return True
    kept = max(decimals, MOST_DECIMALS) if given.decimals is None else given.decimals
    kept = min(kept, max(decimals, MOST_DECIMALS))
    return kept >= decimals and abs(given.value - key) < LAST_DECIMAL * 10.0**-kept


def roughly(given: TypedNumber, key: float, decimals: int) -> set[str]:
    """Return how the key with too few decimals may give the number: "rounded", "cut", both or neither."""
    if given.decimals is None or given.decimals >= decimals or not (given.value or given.decimals > 0):
        return set()
    step = _step(max(given.decimals, 0) if decimals else given.decimals)
    ways = {"rounded"} if abs(given.value - key) <= HALF_LAST_DECIMAL * step else set()
    return ways | ({"cut"} if 0 <= abs(key) - abs(given.value) < step and given.value * key >= 0 else set())


def percent_missing(given: TypedNumber, key: float, decimals: int) -> bool:
    """Return True if a number is the key in percent, without the sign."""
    kept = None if given.decimals is None else given.decimals + 2
    share = dataclasses.replace(given, value=given.value / 100, decimals=kept, exact=None)
    return 0 < abs(key) < 1 and near(share, key, decimals)


def written(value: float, decimals: int) -> str:
    """Return a number for the sheet: a whole number as such, else with four decimals, or as many as are asked for."""
    if not math.isfinite(value):
        return str(value)
    if value == int(value):
        return str(int(value))
    return f"{value:.{max(MOST_DECIMALS, decimals)}f}" if decimals else repr(value)
