"""Sentences in other languages: gettext catalogues, `languages/zh.po` of the kit and, beside course.yaml, of a course.

A sentence in the code or in a course is the key of its translations, as gettext has it: `msgid` is the sentence in the
language that its author writes, `msgstr` the translation. What no catalogue has is said in the author's language.
"""

from __future__ import annotations

import dataclasses
import functools
import gettext
import io
import re
import string
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from grader.errors import CourseError

if TYPE_CHECKING:
    from babel.core import Locale
    from babel.messages.catalog import Catalog as BabelCatalogue

FOLDER = "languages"
KIT = Path(__file__).with_name(FOLDER)
MOST_COUNTED = 1000  # numbers of which the plural form is tried
BUILT_IN = ("en", "zh")  # in these the kit says everything
CODE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")
_STARTS = ('"', "msgctxt", "msgid", "msgstr")  # of a line that ends with a quote
Forms = tuple[str, ...]  # of one sentence: one, or as many as the language has plural forms


@dataclasses.dataclass(frozen=True)
class Catalogue:
    """The translations into one language by sentence, and which plural form it takes for a number."""

    sentences: Mapping[str, Forms] = dataclasses.field(default_factory=dict)
    form: Callable[[int], int] = lambda count: 0

    @functools.cached_property
    def originals(self) -> Mapping[str, str]:
        """The sentences by what they are in this language."""
        return {forms[0]: key for key, forms in [*self.sentences.items()][::-1]}


EMPTY = Catalogue()
_files: dict[str, tuple[Path, ...]] = {path.stem: (path,) for path in sorted(KIT.glob("*.po"))}
_changed: dict[str, list[int]] = {}  # when each of the files was, as far as they were looked at
_known: dict[str, Catalogue] = {}
_written = {"in": "en"}  # the language of the course's own sentences


def languages() -> tuple[str, ...]:
    """English and every other language of which there is a catalogue."""
    return ("en", *(lang for lang, files in _files.items() if files and lang != "en"))


def take(course: Path, author: str = "en") -> None:
    """From now on say what the catalogues in a course's folder say, before those of the kit, and no other course's.

    `author` is the language in which the course is written.
    """
    _written["in"] = author
    own = {path.stem: path for path in sorted((course / FOLDER).glob("*.po"))}
    for lang in {*_files, *own}:
        kits = [path for path in _files.get(lang, ()) if path.parent == KIT]
        files = (*kits, *([own[lang]] if lang in own else []))
        changed = [path.stat().st_mtime_ns for path in files]  # while the watch is open
        if (files, changed) != (_files.get(lang), _changed.get(lang)):
            _files[lang], _changed[lang] = files, changed
            _known.pop(lang, None)


def is_language(code: str) -> bool:
    """Whether there is such a language: one with a catalogue, or with rules of its own."""
    return code in languages() or (CODE.fullmatch(code) is not None and locale(code) is not None)


def locale(lang: str) -> Locale | None:
    """What Unicode's CLDR knows of a language; None where it does not know it."""
    from babel.core import Locale, UnknownLocaleError

    try:
        return Locale.parse(lang, sep="-")
    except (UnknownLocaleError, ValueError):
        return None


class Signs(NamedTuple):
    """How a language writes 1,234.5."""

    decimal: str = "."
    group: str = ","

    @property
    def comma(self) -> bool:
        """Whether 0.25 is 0,25."""
        return self.decimal == ","


ENGLISH = Signs()


@functools.cache
def signs(lang: str) -> Signs:
    """The signs in numbers of a language; those of English where CLDR does not know it."""
    from babel.numbers import get_decimal_symbol, get_group_symbol

    known = locale(lang)
    return Signs(str(get_decimal_symbol(known)), str(get_group_symbol(known))) if known else ENGLISH


def how_much(lang: str) -> str:
    """How many of the kit's texts are in this language, as a sentence; "" where all are."""
    texts = of_the_kit()
    found, known = len(texts) - len(lacking(lang, texts)), locale(lang)
    if lang in BUILT_IN or found == len(texts):
        return ""
    said = f"{known.get_display_name('en') if known else lang}: {found:,} of {len(texts):,} texts of the grader"
    return f"{said}; the rest is shown in English, `grader lint --catalogue {lang}` prints it"


def of(lang: str) -> Catalogue:
    """What is said in this language; empty where there is no catalogue.

    Raises:
        CourseError: a catalogue cannot be read; the message says where.
    """
    if lang not in _known:
        found = [read(path) for path in _files.get(lang, ())]
        sentences = {key: forms for catalogue in found for key, forms in catalogue.sentences.items()}
        _known[lang] = Catalogue(sentences, found[-1].form) if found else EMPTY
    return _known[lang]


def said(lang: str, key: str, plural: str = "", count: Any = None) -> str:
    """A sentence in this language, as its author wrote it where no catalogue has it.

    Args:
        plural: the sentence for a `count` other than 1, if it has one.
    """
    catalogue = of(lang)
    forms = catalogue.sentences.get(key)
    if forms is None:
        return plural if plural and count != 1 else key
    return forms[_form(lang, catalogue, count)] if len(forms) > 1 and count is not None else forms[0]


def _form(lang: str, catalogue: Catalogue, count: Any) -> int:
    """The plural form for a number, for 1.5 that of a whole number which the language counts alike."""
    if count != int(count) and (known := locale(lang)):
        alike = (n for n in range(MOST_COUNTED) if known.plural_form(n) == known.plural_form(count))
        count = next(alike, count)
    return catalogue.form(int(count))


def said_in(lang: str, key: str) -> str:
    """The language in which a sentence is said where `lang` is asked for; what is built in is taken for complete.

    A word that the kit does not say, such as a name, is of every language.
    """
    author = _written["in"]
    if {lang, author} <= {*BUILT_IN} or key in of(lang).sentences:
        return lang
    return "en" if key in _kits_own() else author if " " in key else lang


@functools.cache
def _kits_own() -> frozenset[str]:
    return frozenset(read(KIT / f"{BUILT_IN[1]}.po").sentences)


def read(path: Path) -> Catalogue:
    """The sentences of one file that are translated.

    Raises:
        CourseError: it is not a catalogue, or a translation asks for values that its sentence does not have, or lacks a
            plural form.
    """
    found = _messages(path)
    sentences: dict[str, Forms] = {}
    for message in found:
        keys, forms = _all(message.id), _all(message.string)
        if not keys[0] or message.fuzzy or not any(forms):
            continue
        where = f"{path}:{message.lineno}"
        if len(keys) > 1 and (len(forms) != found.num_plurals or not all(forms)):
            raise CourseError(f"{where}: {keys[0]!r} needs {found.num_plurals} plural forms, msgstr[0] and so on")
        if strange := set().union(*map(values, forms)) - set().union(*map(values, keys)):
            raise CourseError(f"{where}: {keys[0]!r}: its translation has {min(strange)}, which the sentence has not")
        sentences[keys[0]] = forms
    return Catalogue(sentences, _plural_form(path, found))


def _plural_form(path: Path, found: BabelCatalogue) -> Callable[[int], int]:
    """Which form a number takes. Raises CourseError where the header names one that there is not."""
    form = gettext.c2py(found.plural_expr)
    try:
        sound = all(0 <= form(count) < found.num_plurals for count in range(MOST_COUNTED))
    except ArithmeticError:
        sound = False
    if not sound:
        said = f"nplurals={found.num_plurals}; plural={found.plural_expr}"
        raise CourseError(f"{path}: its Plural-Forms ({said}) give some number a form that there is not")
    return form


def _messages(path: Path) -> BabelCatalogue:
    from babel.core import UnknownLocaleError
    from babel.messages import pofile

    try:
        raw = path.read_bytes()
        for number, line in enumerate(map(str.strip, raw.decode("utf-8", "replace").splitlines()), 1):
            quoted = line.startswith(_STARTS) and line[-1] == '"' and line.count('"') > 1
            if line[:1] not in ("", "#") and not quoted:  # some of which Babel reads as something else
                why = 'a line is empty, a # comment, or a text in two quotes, such as msgid "..."'
                raise CourseError(f"{path}:{number}: not a gettext catalogue: {why}")
        rules = locale(path.stem)  # of plural forms, where the catalogue names none
        found = pofile.read_po(io.BytesIO(raw), rules and str(rules), abort_invalid=True, ignore_obsolete=True)
        gettext.c2py(found.plural_expr)
    except (OSError, ValueError, LookupError, UnknownLocaleError, pofile.PoFileError) as error:
        raise CourseError(f"{path}: not a gettext catalogue: {' '.join(str(error).split())}") from error
    return found


def _all(said: Any) -> Forms:
    """One sentence or several of a message."""
    return tuple(map(str, said)) if isinstance(said, list | tuple) else (str(said or ""),)


def only(path: Path, sentences: Collection[str]) -> bytes:
    """A catalogue with these of its sentences, and no word on where they stand."""
    from babel.messages import pofile

    found, out = _messages(path), io.BytesIO()
    for message in [m for m in found if m.id and _all(m.id)[0] not in sentences]:
        found.delete(message.id)
    pofile.write_po(out, found, width=120, no_location=True, omit_header=True)
    head, _, _ = path.read_text(encoding="utf-8").partition("\n\n")
    return f"{head}\n\n".encode() + out.getvalue().lstrip()


def of_the_kit() -> list[tuple[str, str]]:
    """All that the kit says, each with its plural or ""."""
    found = _messages(*_files[BUILT_IN[1]][:1])
    return [((keys := _all(message.id))[0], "".join(keys[1:])) for message in found if message.id]


def lacking(lang: str, sentences: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Those of these sentences, each with its plural or "", that are not translated into `lang`."""
    return [said for said in dict.fromkeys(sentences) if said[0] not in of(lang).sentences]


def blank(lang: str, sentences: Sequence[tuple[str, str]]) -> str:
    """A catalogue of these sentences, each with its plural or "", to be translated; "" of none.

    Raises:
        CourseError: there is no such language.
    """
    from babel.core import UnknownLocaleError
    from babel.messages import pofile
    from babel.messages.catalog import Catalog

    try:
        catalogue = Catalog(locale=lang.replace("-", "_"), fuzzy=False)
    except (ValueError, UnknownLocaleError) as error:
        raise CourseError(f"{lang!r} is no code of a language, such as fr or pt-BR") from error
    for key, plural in sentences:
        catalogue.add((key, plural) if plural else key)
    out = io.BytesIO()
    pofile.write_po(out, catalogue, width=120)
    return out.getvalue().decode() if sentences else ""


def values(sentence: str) -> set[str]:
    """The places of a sentence into which values go, such as `{score:g}`; `{` alone where it is not well-formed."""
    try:
        places = [place for place in string.Formatter().parse(sentence) if place[1] and place[1].isidentifier()]
    except ValueError:
        return {"{"}
    return {f"{{{name}{f'!{kind}' if kind else ''}{f':{spec}' if spec else ''}}}" for _, name, spec, kind in places}
