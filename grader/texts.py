"""Sentences for students, each in English and Simplified Chinese."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import yaml

LANGUAGES = ("en", "zh")
NAMES = {"en": "English", "zh": "Chinese"}
CATALOGUES = Path(__file__).with_name("languages")
_CHINESE = re.compile(r"[\u4e00-\u9fff]")
_WRAPPED = re.compile(r"(?<=[^\x00-\x7f]) (?=[^\x00-\x7f])")  # where a line ended; Chinese has no space there
_BIDI = set("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


class Text(NamedTuple):
    """One sentence in every language of the course; empty in a language that the course does not have."""

    en: str
    zh: str = ""

    def format(self, **values: Any) -> Text:
        """Fill the placeholders; a value that is itself a Text is taken in the matching language."""

        def pick(lang: str) -> dict[str, Any]:
            return {k: v.to(lang) if isinstance(v, Text) else v for k, v in values.items()}

        said = Text(self.en.format(**pick("en")), self.zh.format(**pick("zh")))
        bare = {k: v.without_values() if isinstance(v, Text) else v for k, v in values.items()}
        instead = self.without_values()
        if instead is self and all(bare[k] is v for k, v in values.items()):
            return said
        return said.or_hint(instead.format(**bare))

    def without_values(self) -> Text:
        """What may be said where no value of an input or a result may be shown."""
        return self

    def or_hint(self, instead: Text) -> Text:
        """This text, with the sentence to say instead where no value may be shown."""
        text = TextWithValues(*self)
        text.instead = instead
        return text

    def to(self, lang: str) -> str:
        """The sentence in `lang` ("en" or "zh"), or in the language that it has."""
        return str(getattr(self, lang)) or self.en or self.zh

    def together(self, languages: Sequence[str]) -> str:
        """The sentence in each of these languages, once where they agree: `Answer / 答案`."""
        return " / ".join(dict.fromkeys(map(self.to, languages)))

    def missing(self, languages: Sequence[str]) -> bool:
        """Whether it is blank in one of these languages."""
        return not all(getattr(self, lang).strip() for lang in languages)


class TextWithValues(Text):
    """A sentence that shows values of inputs or results, or words of a student's code, which may hold them."""

    instead: Text

    def without_values(self) -> Text:
        return self.instead


@functools.cache
def both(english_and_chinese: str | None) -> Text:
    """A docstring with an English and a Chinese paragraph, as a Text.

    A part that is missing comes back empty, so that `grader lint` can name it.
    """
    paragraphs = [" ".join(p.split()) for p in re.split(r"\n\s*\n", english_and_chinese or "")]
    english = [p for p in paragraphs if p and not _CHINESE.search(p)]
    chinese = [p for p in paragraphs if _CHINESE.search(p)]
    return Text(" ".join(english), _WRAPPED.sub("", "".join(chinese)))


def translated(sentence: str) -> Text:
    """A sentence of the kit's own in every language: the English one in the code, the others from `languages/`."""
    return Text(sentence, *(_catalogue(lang).get(sentence, sentence) for lang in LANGUAGES[1:]))


@functools.cache
def _catalogue(lang: str) -> dict[str, str]:
    text = (CATALOGUES / f"{lang}.yaml").read_text(encoding="utf-8")
    found: dict[str, str] = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    return found


def plain(sentence: str) -> Text:
    """A text that needs no translation, such as a name or a number."""
    return Text(sentence, sentence)


NOTHING = plain("")


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
