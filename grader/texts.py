"""Sentences for students, each in the languages of the course; in English and Simplified Chinese in any case."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from grader import catalogues

LANGUAGES = catalogues.BUILT_IN  # of a course that names none
WITHOUT_SPACES = ("zh", "ja")  # between sentences
_MARK = re.compile(rf"\[({catalogues.CODE.pattern})\]\s+")
_CHINESE = re.compile(r"[\u4e00-\u9fff]")
_WRAPPED = re.compile(  # where a line ended; Chinese has no space there, nor beside its punctuation
    r"(?<=[^\x00-\x7f]) (?=[^\x00-\x7f])|(?<=[，。；：、？！（）]) | (?=[，。；：、？！（）])"
)
_BIDI = set("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


class _Sentences(NamedTuple):
    en: str = ""
    zh: str = ""
    more: tuple[tuple[str, str], ...] = ()  # language and sentence, in languages that are not built in


class Text(_Sentences):
    """One sentence in the languages that its author writes: `Text("It adds.", "用了加法。", de="Es wird addiert.")`.

    In a language that is not among them it is what a catalogue says for the English one.
    """

    def __new__(cls, en: str = "", zh: str = "", more: tuple[tuple[str, str], ...] = (), **others: str) -> Text:
        return super().__new__(cls, en, zh, more or tuple(others.items()))

    @classmethod
    def of(cls, said: Mapping[str, str]) -> Text:
        """The text of these sentences, each by its language."""
        en, zh = said.get("en", ""), said.get("zh", "")
        in_all = en if en == zh else ""
        more = ((lang, sentence) for lang, sentence in said.items() if lang not in LANGUAGES)
        return cls(en, zh, tuple((lang, sentence) for lang, sentence in more if sentence not in ("", in_all)))

    def format(self, **values: Any) -> Text:
        """Fill the placeholders; a value that is itself a Text is taken in the matching language."""

        def pick(lang: str) -> dict[str, Any]:
            return {k: v.to(lang) if isinstance(v, Text) else v for k, v in values.items()}

        english = self.en.format(**pick("en"))
        others = ((lang, self.to(lang).format(**pick(lang))) for lang in catalogues.others())
        more = tuple((lang, sentence) for lang, sentence in others if sentence != english)
        said = Text(english, self.zh.format(**pick("zh")), more)
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

    def own(self, lang: str) -> str:
        """The sentence in `lang`, empty where nobody wrote one; what is the same in English and Chinese is in all."""
        said = self.en if lang == "en" else self.zh if lang == "zh" else dict(self.more).get(lang, "")
        return said or catalogues.of(lang).get(self.en, "") or (self.en if self.en == self.zh else "")

    def to(self, lang: str) -> str:
        """The sentence in `lang`, or in a language that it has."""
        return self.own(lang) or self.en or self.zh or next((said for _, said in self.more), "")

    def each(self, change: Callable[[str], str]) -> Text:
        """The text with each of its sentences changed."""
        return Text.of({lang: change(self.own(lang)) for lang in catalogues.languages()})

    @property
    def sentences(self) -> tuple[str, ...]:
        """All that it says, once each."""
        return tuple(dict.fromkeys(filter(None, map(self.own, catalogues.languages()))))

    def together(self, languages: Sequence[str]) -> str:
        """The sentence in each of these languages, once where they agree: `Answer / 答案`."""
        return " / ".join(dict.fromkeys(map(self.to, languages)))

    def missing(self, languages: Sequence[str]) -> list[str]:
        """Those of these languages in which it is blank. In a course of one language no text need say which."""
        if len(languages) == 1 and languages[0] not in LANGUAGES:
            return [] if self.to(languages[0]).strip() else [languages[0]]
        return [lang for lang in languages if not self.own(lang).strip()]


class WithReason(Exception):
    """An exception that carries a sentence for whoever meets it."""

    def __init__(self, reason: Text) -> None:
        super().__init__(reason.en)
        self.reason = reason


class TextWithValues(Text):
    """A sentence that shows values of inputs or results, or words of a student's code, which may hold them."""

    instead: Text

    def without_values(self) -> Text:
        return self.instead


def both(docstring: str | None) -> Text:
    """A docstring with a paragraph in each language, as a Text.

    A paragraph that begins with `[de] ` is German, one with Chinese characters is Chinese, any other is English. A part
    that is missing comes back empty, so that `grader lint` can name it.
    """
    return _by_paragraph(docstring or "", catalogues.languages())


@functools.cache
def _by_paragraph(docstring: str, languages: tuple[str, ...]) -> Text:
    found: dict[str, list[str]] = {}
    for paragraph in filter(None, (" ".join(p.split()) for p in re.split(r"\n\s*\n", docstring))):
        lang, said = in_which(paragraph, languages)
        found.setdefault(lang, []).append(_WRAPPED.sub("", said) if lang in WITHOUT_SPACES else said)
    return Text.of({lang: _joined(lang, said) for lang, said in found.items()})


def in_which(paragraph: str, languages: Sequence[str] = ()) -> tuple[str, str]:
    """The language of a docstring's paragraph, and the paragraph without the mark that may say so."""
    mark = _MARK.match(paragraph)
    if mark and mark[1] in (languages or catalogues.languages()):
        return mark[1], paragraph[mark.end() :]
    return "zh" if _CHINESE.search(paragraph) else "en", paragraph


def paragraphs(text: Text, languages: Sequence[str]) -> list[str]:
    """What `both` reads, with a mark where it needs one; a text that lacks a language is there in another."""
    marked = {lang: f"[{lang}] " if lang not in LANGUAGES and len(languages) > 1 else "" for lang in languages}
    return [marked[lang] + text.to(lang) for lang in languages]


def in_one(texts: Sequence[Text]) -> Text:
    """Several sentences as one text, in the languages that all of them have."""
    said = {lang: [text.own(lang) for text in texts] for lang in catalogues.languages()}
    return Text.of({lang: _joined(lang, sentences) for lang, sentences in said.items() if all(sentences)})


def _joined(lang: str, sentences: Sequence[str]) -> str:
    return ("" if lang in WITHOUT_SPACES else " ").join(sentences)


def translated(sentence: str) -> Text:
    """A sentence of the kit's own in every language: the English one in the code, the others from the catalogues."""
    return Text(sentence, catalogues.of("zh").get(sentence, sentence))


OWN_NAME = translated("The name of this language, in this language")


def name(lang: str) -> str:
    """What a language calls itself; its code where its catalogue does not say."""
    return "English" if lang == "en" else catalogues.of(lang).get(OWN_NAME.en, lang)


def called(lang: str) -> Text:
    """What others call a language: its own name for itself, where that is not built in."""
    return {"en": translated("English"), "zh": translated("Chinese")}.get(lang) or plain(name(lang))


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
