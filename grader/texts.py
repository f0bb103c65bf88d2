"""Sentences for people: keys of catalogues with their values. A language is chosen where somebody reads them."""

from __future__ import annotations

import functools
import math
import numbers
import re
import string
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Union

import msgspec

from grader import catalogues

LANGUAGES = catalogues.BUILT_IN  # of a course that names none
WITHOUT_SPACES = ("zh", "ja")  # between sentences
_CHINESE = re.compile(r"[\u4e00-\u9fff]")
_WRAPPED = re.compile(  # where a line ended; Chinese has no space there, nor beside its punctuation
    r"(?<=[^\x00-\x7f]) (?=[^\x00-\x7f])|(?<=[，。；：、！？（）]) | (?=[，。；：、！？（）])"
)
_BIDI = set("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_STOPS = (".", "。")
_parse = string.Formatter().parse


class Text(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One sentence as data, that any language can be laid out from.

    key: the sentence as its author writes it, with a place such as `{count}` for each value; its translations are in
        the catalogues. values: what goes into the places, texts among them.
    hint: the sentence to say instead where no value of an input or a result may be shown, which may be ""; None if
        this one shows none.
    plural: the sentence for a `count` other than 1; "" if there is but one.
    """

    key: str = ""
    values: dict[str, Value] = {}
    hint: str | None = None
    plural: str = ""

    def __hash__(self) -> int:
        return hash(self.key)

    def __bool__(self) -> bool:
        return bool(self.key)

    def format(self, **values: Any) -> Text:
        """The same with these values in its places.

        Raises:
            KeyError: a place has no value.
        """
        found = {**self.values, **{name: _data(value) for name, value in values.items()}}
        for sentence in filter(None, (self.key, self.hint, self.plural)):
            for name in places(sentence):
                found[name]
        return msgspec.structs.replace(self, values=found)

    def sentences(self) -> list[str]:
        """The sentences of which it is made, its own first."""
        inner = [v for value in self.values.values() for v in (value if isinstance(value, list) else [value])]
        return [self.key, *(key for v in inner if isinstance(v, Text) for key in v.sentences())]

    def each(self, change: Callable[[str], str]) -> Text:
        """The text with each of its values that is a string changed, and one without values itself."""

        def changed(value: Any) -> Any:
            if isinstance(value, list):
                return [changed(v) for v in value]
            return value.each(change) if isinstance(value, Text) else change(value) if isinstance(value, str) else value

        if not self.values:
            return msgspec.structs.replace(self, key=change(self.key)) if self.key else self
        return msgspec.structs.replace(self, values={name: changed(value) for name, value in self.values.items()})

    def to(self, lang: str) -> str:
        """The sentence in `lang`, or as its author wrote it where no catalogue has it."""
        template = catalogues.said(lang, self.key, self.plural, self.values.get("count"))
        return _filled(template, self.values, lang, self.said_in(lang)) if self.values else template

    def said_in(self, lang: str) -> str:
        """The language in which `to` says it; `lang` of what is no sentence, such as a name or a formula."""
        return catalogues.said_in(lang, self.key) if self.words else lang

    def __str__(self) -> str:
        """The sentence in English, as for a log; people read it with `to`."""
        return self.to("en")

    @property
    def words(self) -> bool:
        """Whether there is something to translate: more than a name, a number or a formula."""
        return re.search(r"[^\W\d_]{2}", re.sub(r"`[^`]*`|\{[^}]*\}", "", self.key)) is not None


Value = Union[Text, str, bool, int, float, None, list[Union[Text, str, int, float]]]  # noqa: UP007 -- read by msgspec


class WithReason(Exception):
    """An exception that carries a sentence for whoever meets it."""

    def __init__(self, reason: Text) -> None:
        super().__init__(reason.to("en"))
        self.reason = reason


def translated(sentence: str, hint: str | None = None, plural: str = "") -> Text:
    """A sentence of the kit's own, as `Text` says; a test sees that the kit's catalogues have it."""
    return Text(sentence, hint=hint, plural=plural)


def sentence(said: Text | str, values: Mapping[str, Any]) -> Text:
    """What an author says, with the values in its places."""
    text = Text(said) if isinstance(said, str) else said
    return text.format(**values) if values else text


def plain(sentence: str) -> Text:
    """A text that needs no translation, such as a name or a number."""
    return Text(sentence)


NOTHING = plain("")


def either(shown: Text | str, instead: Text) -> Text:
    """What to say, and what to say instead where no value of an input or a result may be shown."""
    return Text("{shown}", {"shown": shown, "instead": instead}, hint="{instead}")


def open_to_all(text: Text) -> Text:
    """The sentence of something that has seen no input, with nothing to hide."""
    values = {name: open_to_all(v) if isinstance(v, Text) else v for name, v in text.values.items()}
    return msgspec.structs.replace(text, values=values, hint=None)


def of_docstring(docstring: str | None) -> Text:
    """A docstring as one sentence or several, its lines joined."""
    joined = " ".join((docstring or "").split())
    return Text(_WRAPPED.sub("", joined) if _CHINESE.search(joined) else joined)


def listed(names: Sequence[Text | str]) -> Text:
    """Several names in a row: `a, b, c`."""
    if len(names) < 2:
        return LISTED_ONE.format(name=names[0]) if names else NOTHING
    return LISTED.format(first=listed(names[:-1]), last=names[-1])


def joined(two: Text, parts: Iterable[Text]) -> Text:
    """Several texts as one; `two` says how `one` and the `other` stand beside each other."""
    return functools.reduce(lambda one, other: two.format(one=one, other=other), parts)


SENTENCES = translated("{one} {other}")
LISTED_ONE, LISTED = plain("{name}"), translated("{first}, {last}")


def in_every_language(text: Text) -> tuple[str, ...]:
    """All that people may read it as, once each."""
    return tuple(dict.fromkeys(text.to(lang) for lang in catalogues.languages()))


def places(sentence: str) -> list[str]:
    """The names of the places of a sentence into which values go."""
    return [name for _, name, _, _ in _parse(sentence) if name is not None]


def _data(value: Any) -> Any:
    """A value as JSON can hold it, which looks the same where it is shown."""
    if isinstance(value, Text | str | bool | int) or value is None:
        return value
    if hasattr(value, "item") and getattr(value, "ndim", 0) == 0:
        value = value.item()
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Real) and not isinstance(value, bool):
        return float(value) if math.isfinite(value) else str(float(value))
    if isinstance(value, list) and all(isinstance(v, str | int | Text) for v in value):
        return list(value)
    return value if isinstance(value, bool) else str(value)


def _filled(template: str, values: dict[str, Any], lang: str, said_in: str) -> str:
    """The sentence with its values, texts in `lang` and numbers as they are written in the language it is said in."""
    out = ""
    for literal, name, spec, conversion in _parse(template):
        out += literal[1:] if literal[:1] in _STOPS and out.endswith(_STOPS) else literal  # one full stop is enough
        if name is not None:
            value = values[name]
            out += value.to(lang) if isinstance(value, Text) else _shown(value, spec or "", conversion, said_in)
    return out


def _shown(value: Any, spec: str, conversion: str | None, lang: str) -> str:
    if conversion == "r":
        return repr(value)
    try:
        return number(value, spec, lang) if not isinstance(value, list) else str(value)
    except ValueError:  # "nan", which JSON has no number for
        return str(value)


def number(value: Any, spec: str, lang: str) -> str:
    """A value as Python formats it, a number with the decimal and group signs of the language."""
    written = format(value, spec)
    if not spec or isinstance(value, str) or ("." not in written and "," not in written) or lang in LANGUAGES:
        return written
    signs = catalogues.signs(lang)
    return written.translate({ord("."): signs.decimal, ord(","): signs.group})


OWN_NAME = translated("The name of this language, in this language")


def name(lang: str) -> str:
    """What a language calls itself; what CLDR has, or its code, where its catalogue does not say."""
    said = OWN_NAME.to(lang)
    if lang == "en" or said != OWN_NAME.key:
        return "English" if lang == "en" else said
    known = catalogues.locale(lang)
    return str(known.get_display_name()) if known else lang


def called(lang: str) -> Text:
    """What others call a language: its own name for itself, where that is not built in."""
    return {"en": translated("English"), "zh": translated("Chinese")}.get(lang) or plain(name(lang))


def clean(text: str, most: int = 8000) -> str:
    """A stranger's text, cut to `most` characters: no control characters, no bidirectional overrides, no surrogates."""
    text = text[:most].encode("utf-8", "replace").decode()
    return "".join(c for c in text if c in "\n\t" or (c.isprintable() and c not in _BIDI))


def one_line(text: str, most: int = 300) -> str:
    """A stranger's text as `clean` leaves it, in one line: it cannot begin a line of a terminal, a log or a table."""
    return no_command(" ".join(clean(text, most).split()))


def no_command(line: str) -> str:
    """The line, with a sign before it if GitHub's runner would take it for a command such as `::stop-commands::`."""
    return f"\\{line}" if line.lstrip().startswith(("::", "##[")) else line
