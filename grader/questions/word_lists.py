"""Recognises words of the same meaning in an answer, and options by letter, text or meaning."""

from __future__ import annotations

import functools
import itertools
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from grader.questions.numbers import DASHES, DENIAL, REASON, TAKEN_BACK
from grader.texts import Text, in_every_language

MEANINGS = [
    {"yes", "y", "true", "t", "right", "correct", "✓", "✔", "√", "是", "是的", "对", "对的", "正确", "真", "会"},
    {"no", "n", "false", "f", "wrong", "incorrect", "✗", "✘", "×",
     "否", "不", "不是", "不对", "错", "错误", "假", "不会"},
    {"change", "changes", "changed", "different", "改变", "变", "变化", "会变", "会改变", "有变化", "不同"},
    {"same", "stay", "stays", "unchanged", "constant", "no change", "stays the same", "stay the same", "the same",
     "remains the same", "remains", "does not change", "doesn't change", "not changed", "不变", "相同", "一样", "没变",
     "保持不变", "不改变", "不会变", "不会改变", "无变化"},
    {"rise", "rises", "up", "increase", "increases", "上升", "升高", "增大", "增加", "变大", "↑"},
    {"fall", "falls", "down", "decrease", "decreases", "下降", "降低", "减小", "减少", "变小", "↓"},
    {"one", "1", "一", "一个"},
    {"all", "every", "全部", "所有", "全"},
    {"zero", "zeros", "0", "全零", "零"},
]  # fmt: skip
NONE = {
    "none", "none of them", "none of these", "none of the above", "[]", "{}", "∅",
    "无", "没有", "都不", "都不是", "都不符合", "全不", "以上都不", "以上都不是",
}  # fmt: skip
ALL = {"all", "all of them", "all of these", "all of the above", "全部", "所有", "都是", "全选", "以上都是"}
_AROUND = " \t\n.,;:()[]{}（）【】'\"`*$\\!?，。；：、！？“”‘’«»「」『』"
_ALIKE = {ord("©"): "(c)", ord("®"): "(r)", ord("€"): "(e)", **dict.fromkeys(map(ord, DASHES), "-")}  # as Word corrects
_SURE = (  # how sure somebody is
    r"(?:\bi(?:'d| would)? (?:think|guess|say|believe)\b|\b(?:maybe|perhaps|probably)\b"
    r"|(?:\bi(?:'m| am) )?\b(?:not |un)sure\b|\b(?:my |a )?guess\b|不太?确定|我?(?:觉得|认为|猜)|可能|大概|也许)"
)
_BUT = r"(?:(?:that|it is|it's|but|是|但是?)(?![a-z]))?"
_HEDGE = re.compile(rf"\s*{_SURE}\s*[:：,，;]?\s*{_BUT}\s*[:：]?\s*(?=\S)", re.IGNORECASE)
_HEDGED = re.compile(rf"(?<=\S)\s*(?:[,，;；.。]|[-–—]+)?\s*[(（]?\s*{_SURE}\s*[)）]?[\s.。!?！？]*$", re.IGNORECASE)
_STRUCK = re.compile(r"~~.*?~~|<(s|del|strike)>.*?</\1>", re.IGNORECASE | re.DOTALL)
_ARROW = re.compile(r"\s*(?:[-=]+>|[→⇒])\s*(?=\S)")
_PREFIX = re.compile(
    r"(?:(?:option|choice|answer|ans\b|letter|选项|选择|选|答案|答)s?\s*(?:is|are|是|为)?\s*[:：]?\s*)+(?=\S)",
    re.IGNORECASE,
)
_SAYING = re.compile(
    r"(?:(?:it is|it's|they are|that is|the|my|only|我|应该?|只有?|仅|对的|正确的)\s*)*"
    r"(?:(?:option|choice|answer|letter|选项|选择?|答案)s?\s*)?(?:is\b|are\b|是|为)?\s*[:：]?\s*(?=\S)",
    re.IGNORECASE,
)
LONGEST_SAID, LONGEST_HEDGE = 5_000, 60  # characters
MOST_LISTED = 100  # options in a list
_MARK = re.compile(r"\d+|[xo+]|[^\w\s]+", re.IGNORECASE)  # a rank, a tick: no explanation of a letter
_MORE = re.compile(r"\s*(?:and\b|[&+和与及])", re.IGNORECASE)
_OR = re.compile(r"\s*(?:or\b|或)", re.IGNORECASE)
_REMARK = re.compile(r"(?<=[^\s(（])\s*[(（]([^()（）]*)[)）]\s*\.?$")
_HOLDS = re.compile(
    r"\s*(?:\b(?:is|are) (?:true|right|correct)|都?(?:正确|成立|对|符合|是对的)|选?项)[.。]?$", re.IGNORECASE
)

YES, NO = MEANINGS[:2]
Options = Mapping[str, Text]


def folded(text: str) -> str:
    """Return a text in the form in which it is compared."""
    text = unicodedata.normalize("NFKC", text.translate(_ALIKE))
    return re.sub(r"\s+", " ", text).strip(_AROUND).casefold()


def label(name: str) -> str:
    """Return the name of a row or column in the form in which it is compared: blanks and underscores do not matter."""
    return re.sub(r"[\s_]+", "", folded(name))


def meant(given: Any) -> Any:
    """Return an answer without its struck-out part (`~~a~~ b`), a leading arrow and words about certainty."""
    if isinstance(given, Mapping):
        return {key: meant(value) for key, value in given.items()}
    if isinstance(given, list):
        return [meant(item) for item in given]
    if not isinstance(given, str) or len(given) > LONGEST_SAID:
        return given
    text = _STRUCK.sub(" ", given).strip()
    text = text[arrow.end() :] if (arrow := _ARROW.match(text)) else text
    text = text[hedge.end() :] if (hedge := _HEDGE.match(text)) else text
    text = text[:-LONGEST_HEDGE] + _HEDGED.sub("", text[-LONGEST_HEDGE:])
    return text.rstrip(" \t\n?!？！") or text


def option(word: str, options: Options) -> str | None:
    """Return the option that a word names: by its letter, its text in any language, or a word of the same meaning."""
    wanted = folded(_PREFIX.sub("", word.strip(), count=1) if _PREFIX.match(word.strip()) else word)
    called, meanings = _called(tuple(options.items()))
    if wanted in called:
        return called[wanted]
    return next((found for alike, found in zip(MEANINGS, meanings, strict=True) if wanted in alike), None)


@functools.lru_cache(1 << 8)
def _called(options: tuple[tuple[str, Text], ...]) -> tuple[Mapping[str, str], Sequence[str | None]]:
    """Return the options by their names, the surest last; and the only option for each of MEANINGS."""
    said = [(folded(t), n) for n, text in options for t in in_every_language(text)]
    called = {text.removeprefix("the "): n for text, n in said} | {_ungrouped(text): n for text, n in said}
    called |= dict(said) | {folded(n): n for n, _ in options}
    having = [
        [n for n, text in options if alike & {folded(t) for t in (n, *in_every_language(text))}] for alike in MEANINGS
    ]
    return called, [found[0] if len(found) == 1 else None for found in having]


def _ungrouped(text: str) -> str:
    """Return a number without the commas between its thousands."""
    return text.replace(",", "") if re.fullmatch(r"[0-9]{1,3}(?:,[0-9]{3})+", text) else text


def unsaid(text: str, options: Options) -> str:
    """Return a list of options without the words around it: `The answer is b`, `a, c because ..`, `a、c 正确`.

    Text in brackets stays if it names options itself.
    """
    text = _HOLDS.sub("", REASON.sub("", text)) or text
    remark = _REMARK.search(text)
    if (
        remark
        and not (_OR.match(remark[1]) or _taken_back(remark[1], options))
        and listed(remark[1], options) in (None, listed(text[: remark.start()], options))
    ):
        text = text[: remark.start()]
    return text[saying.end() :] if (saying := _SAYING.match(text)) else text


def _taken_back(remark: str, options: Options) -> bool:
    """Return True if a remark says that the answer before it is wrong, and not that others are."""
    others = re.search(rf"(?<![^\W_])(?:{_any(options)})(?![^\W_])", remark, re.IGNORECASE)
    return not others and TAKEN_BACK.search(remark) is not None


def explained(text: str, options: Options) -> list[str] | None:
    """Return the letters of `b: the weights`, or of `a: .. , d: ..`; None if the text says something else."""
    marks = list(_marks(text, options))
    if not marks or text[: marks[0].start()].strip(_AROUND):
        return None
    ends = [*(m.start() for m in marks[1:]), len(text)]
    letters = []
    for mark, end in zip(marks, ends, strict=True):
        letter = next(n for n in options if folded(n) == folded(mark[1]))
        rest = text[mark.end() : end]
        said = [option(rest, options)] if folded(rest) else [letter]
        if said == [None]:
            said = listed(rest, options) or said
        if (
            said not in ([None], [letter])
            or letter in letters
            or _OR.match(rest)
            or DENIAL.match(rest)
            or folded(rest) in YES | NO
            or (_MARK.fullmatch(folded(rest)) and said == [None])
            or (mark is marks[-1] and _MORE.match(rest))
        ):
            return None
        letters.append(letter)
    return letters


def _marks(text: str, options: Options) -> Iterable[re.Match[str]]:
    return re.finditer(
        rf"(?:(?<=^)|(?<=[\s,;，；、(（\[]))({_any(options)})(?:\s*[)）:：]|\.(?=\s|$)|\s+[-–—=](?=\s))",
        text,
        re.IGNORECASE,
    )


def listed(text: str, options: Options) -> list[str] | None:
    """Return the options that a text lists, separated by commas, arrows, `and`, blanks or nothing; else None."""
    for separator in (
        r"[;；\n|]+",
        r"[,，、;；\n|/&+]+|[-=]?>|[→⇒]|->|\band\b|\bthen\b|和|与|及|先|再|然后|接着|最后",
        r"[\s,，、;；>→]+",
    ):
        words = [w for w in re.split(separator, text) if folded(w)]
        found = list(itertools.takewhile(bool, (option(w, options) for w in words[:MOST_LISTED])))
        if words and len(found) == len(words):
            return [f for f in found if f]
    word = folded(text)
    known = {folded(n): n for n in options}
    if word and word.isascii() and all(c in known for c in word) and (len(word) > 2 or len(set(word)) == len(word)):
        return [known[c] for c in word]
    return None


def judged(text: str, options: Options) -> list[str] | None:
    """Return the letters called right in `a: yes, b: no`, `a ✓ b ✗`, `a对 b错`; None if a letter lacks such a word.

    None, too, if letters are called wrong and nothing is said about the others.
    """
    words = sorted((w for w in YES | NO if w not in map(folded, options)), key=len, reverse=True)
    said = "|".join(map(re.escape, words))
    pairs = _pairs(rf"(?P<letter>{_any(options)}) ?\)? ?[.:：=]?[ (（]*(?P<said>{said})(?![a-z])", text)
    found = {folded(match["letter"]): folded(match["said"]) in YES for match in pairs}
    if len(found) < len(pairs) or not (any(found.values()) or len(found) == len(options)):
        return None
    return [n for n in options if found.get(folded(n))]


def ranked(text: str, options: Options) -> list[str] | None:
    """Return the letters of `1. c 2. a`, `1=c, 2=a` or `a: 2, c: 1` by their ranks; None if one has no own rank."""
    letter = rf"(?P<letter>{_any(options)})"
    pairs = _pairs(rf"(?P<rank>\d+) ?[.):：=、]? ?{letter}", text)
    pairs = pairs or _pairs(rf"{letter} ?[.:：=]? ?(?P<rank>\d+)", text)
    known, found = {folded(n): n for n in options}, {int(m["rank"]): m["letter"] for m in pairs}
    return [known[folded(found[n])] for n in sorted(found)] if sorted(found) == [*range(1, len(options) + 1)] else None


def _any(options: Options) -> str:
    return "|".join(sorted(map(re.escape, options), key=len, reverse=True))


def _pairs(one: str, text: str) -> list[re.Match[str]]:
    """Return the matches that make up the whole text, in brackets or not, with or without commas; else None."""
    text, found = " ".join(re.sub(r"[{}\"'`“”]", " ", text[:LONGEST_SAID]).split()), []
    while match := re.match(rf"[ (（]*{one}[ )）,，;；、。.]*", text, re.IGNORECASE):
        found.append(match)
        text = text[match.end() :]
    return [] if text else found


def stranger(text: str, options: Options) -> str:
    """Return the first word of a list that names no option."""
    words = [w for w in re.split(r"[\s,，、;；>→]+", text) if folded(w)]
    return next((w.strip(_AROUND) for w in words if not option(w, options)), text.strip())


def yes_and_no(given: Mapping[str, object], options: Options) -> list[str] | None:
    """Return the letters marked yes in a mapping of letters; its keys, if the values are no such marks."""
    names = {option(str(key), options): str(value or "") for key, value in given.items()}
    if None in names:
        return None
    said = {folded(v) for v in names.values()} - {""}
    if said and said <= YES | NO:
        right = [n for n, v in names.items() if n and folded(v) in YES]
        return right if right or len(names) == len(options) else None
    return None if said & NO else [n for n in names if n]


def cells(text: str, names: Sequence[str]) -> dict[str, str] | None:
    """Return the text after each of these names if they label it, as in `{weights: same, output: changes}`."""
    known = "|".join(re.escape(n) for n in sorted(names, key=len, reverse=True)).replace("_", r"[\s_]*")
    quote = "[\"'`“”‘’«»「」]?"
    marks = list(re.finditer(rf"(?:^|(?<=[\s,;，；{{|])){quote}({known}){quote}\s*[:：=]\s*", text, re.IGNORECASE))
    if not marks:
        return None
    ends = [*(m.start() for m in marks[1:]), len(text)]
    found: dict[str, str] = {}
    for mark, end in zip(marks, ends, strict=True):
        found.setdefault(folded(mark[1]), text[mark.end() : end].strip(" \n\t,;，；{}|"))
    return found
