"""Sentences for people: keys of catalogues with their values. The reader's language is chosen only at display."""

from __future__ import annotations

import functools
import math
import numbers
import re
import string
from collections.abc import Callable, Iterable, Sequence
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
    """One sentence as data, which can be written in any language.

    key: the sentence as its author writes it, with a place such as `{count}` for each value; the catalogues hold its
        translations. values: the values for the places, texts among them.
    hint: the sentence to use instead if no value of an input or a result may be shown, which may be ""; None if this
        one shows none.
    plural: the sentence for a `count` other than 1; "" if there is only one form.
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
        """Return the text with these values in its places.

        Raises:
            KeyError: a place has no value.
        """
        found = {**self.values, **{name: _data(value) for name, value in values.items()}}
        for sentence in filter(None, (self.key, self.hint, self.plural)):
            for name in places(sentence):
                found[name]
        return msgspec.structs.replace(self, values=found)

    def sentences(self) -> list[str]:
        """Return the sentences in the text, its own first."""
        inner = [v for value in self.values.values() for v in (value if isinstance(value, list) else [value])]
        return [self.key, *(key for v in inner if isinstance(v, Text) for key in v.sentences())]

    def each(self, change: Callable[[str], str]) -> Text:
        """Return the text with `change` applied to each of its string values, or to itself if it has no values."""

        def changed(value: Any) -> Any:
            if isinstance(value, list):
                return [changed(v) for v in value]
            return value.each(change) if isinstance(value, Text) else change(value) if isinstance(value, str) else value

        if not self.values:
            return msgspec.structs.replace(self, key=change(self.key)) if self.key else self
        return msgspec.structs.replace(self, values={name: changed(value) for name, value in self.values.items()})

    def to(self, lang: str) -> str:
        """Return the sentence in `lang`, or as its author wrote it if no catalogue has it."""
        template = catalogues.said(lang, self.key, self.plural, self.values.get("count"))
        return _filled(template, self.values, lang, self.said_in(lang)) if self.values else template

    def said_in(self, lang: str) -> str:
        """Return the language that `to` uses; `lang` if the text is no sentence but a name or a formula."""
        return catalogues.said_in(lang, self.key) if self.words else lang

    def __str__(self) -> str:
        """Return the sentence in English, for logs; people read it with `to`."""
        return self.to("en")

    @property
    def words(self) -> bool:
        """True if there is something to translate: more than a name, a number or a formula."""
        return re.search(r"[^\W\d_]{2}", re.sub(r"`[^`]*`|\{[^}]*\}", "", self.key)) is not None


Value = Union[Text, str, bool, int, float, None, list[Union[Text, str, int, float]]]  # noqa: UP007 -- read by msgspec


class WithReason(Exception):
    """An exception that carries a sentence for its reader."""

    def __init__(self, reason: Text) -> None:
        super().__init__(reason.to("en"))
        self.reason = reason


def translated(sentence: str, hint: str | None = None, plural: str = "") -> Text:
    """Return a sentence of the kit's own, as `Text` says; a test makes sure that the kit's catalogues have it."""
    return Text(sentence, hint=hint, plural=plural)


def sentence(said: Text | str, **values: Any) -> Text:
    """Return an author's sentence with the values in its places."""
    text = Text(said) if isinstance(said, str) else said
    return text.format(**values) if values else text


def plain(sentence: str) -> Text:
    """Return a text that needs no translation, such as a name or a number."""
    return Text(sentence)


NOTHING = plain("")


def either(shown: Text | str, instead: Text) -> Text:
    """Return a text that shows values, with the sentence to use if no value of an input or result may be shown."""
    return Text("{shown}", {"shown": shown, "instead": instead}, hint="{instead}")


def open_to_all(text: Text) -> Text:
    """Return the sentence as one that depends on no input, so that it hides nothing."""
    values = {name: open_to_all(v) if isinstance(v, Text) else v for name, v in text.values.items()}
    return msgspec.structs.replace(text, values=values, hint=None)


def of_docstring(docstring: str | None) -> Text:
    """Return a docstring as one text, its lines joined."""
    joined = " ".join((docstring or "").split())
    return Text(_WRAPPED.sub("", joined) if _CHINESE.search(joined) else joined)


def listed(names: Sequence[Text | str]) -> Text:
    """Return several names as a list: `a, b, c`."""
    if len(names) < 2:
        return LISTED_ONE.format(name=names[0]) if names else NOTHING
    return LISTED.format(first=listed(names[:-1]), last=names[-1])


def joined(two: Text, parts: Iterable[Text]) -> Text:
    """Join several texts into one; `two` is the pattern for `one` and the `other`."""
    return functools.reduce(lambda one, other: two.format(one=one, other=other), parts)


SENTENCES = translated("{one} {other}")
LISTED_ONE, LISTED = plain("{name}"), translated("{first}, {last}")


def in_every_language(text: Text) -> tuple[str, ...]:
    """Return every wording in which people may read the text, each once."""
    return tuple(dict.fromkeys(text.to(lang) for lang in catalogues.languages()))


def places(sentence: str) -> list[str]:
    """Return the names of the places for values in a sentence."""
    return [name for _, name, _, _ in _parse(sentence) if name is not None]


def _data(value: Any) -> Any:
    """Return a value in a form that JSON can hold and that looks the same on display."""
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
    """Fill the values in: texts in `lang`, numbers as they are written in the sentence's own language."""
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
    """Format a value as Python does, but a number with the decimal and group signs of the language."""
    written = format(value, spec)
    if not spec or isinstance(value, str) or ("." not in written and "," not in written) or lang in LANGUAGES:
        return written
    signs = catalogues.signs(lang)
    return written.translate({ord("."): signs.decimal, ord(","): signs.group})


OWN_NAME = translated("The name of this language, in this language")


def name(lang: str) -> str:
    """Return a language's own name; CLDR's, or the code, if its catalogue does not give one."""
    said = OWN_NAME.to(lang)
    if lang == "en" or said != OWN_NAME.key:
        return "English" if lang == "en" else said
    known = catalogues.locale(lang)
    return str(known.get_display_name()) if known else lang


def called(lang: str) -> Text:
    """Return the name of a language for others: its own name for itself if the language is not built in."""
    return {"en": translated("English"), "zh": translated("Chinese")}.get(lang) or plain(name(lang))


def clean(text: str, most: int = 8000) -> str:
    """Cut a stranger's text to `most` characters, without control characters, direction overrides and surrogates."""
    text = text[:most].encode("utf-8", "replace").decode()
    return "".join(c for c in text if c in "\n\t" or (c.isprintable() and c not in _BIDI))


def one_line(text: str, most: int = 300) -> str:
    """Return a stranger's text, cleaned, in one line: it cannot begin a line of a terminal, a log or a table."""
    return no_command(" ".join(clean(text, most).split()))


def no_command(line: str) -> str:
    """Return the line, with a sign in front if GitHub's runner would run it as a command, like `::stop-commands::`."""
    return f"\\{line}" if line.lstrip().startswith(("::", "##[")) else line
