"""Sentences in other languages, as gettext catalogues: `languages/zh.po` of the kit, and of a course beside
course.yaml.

A sentence in the code or in a course is the key of its translations, as gettext has it: `msgid` is the sentence in the
language in which its author writes, `msgstr` the translation. A sentence that is in no catalogue stays in the author's
language.
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
    """The translations into one language by sentence, and the rule that picks the plural form for a number."""

    sentences: Mapping[str, Forms] = dataclasses.field(default_factory=dict)
    form: Callable[[int], int] = lambda count: 0

    @functools.cached_property
    def originals(self) -> Mapping[str, str]:
        """Return the original sentences by their translation."""
        return {forms[0]: key for key, forms in [*self.sentences.items()][::-1]}


EMPTY = Catalogue()
_files: dict[str, tuple[Path, ...]] = {path.stem: (path,) for path in sorted(KIT.glob("*.po"))}
_changed: dict[str, list[int]] = {}  # when each of the files was, as far as they were looked at
_known: dict[str, Catalogue] = {}
_written = {"in": "en"}  # the language of the course's own sentences


def languages() -> tuple[str, ...]:
    """Return the codes of English and of every other language that has a catalogue."""
    return ("en", *(lang for lang, files in _files.items() if files and lang != "en"))


def take(course: Path, author: str = "en") -> None:
    """Use the catalogues in a course's folder from now on, before those of the kit, and no other course's.

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
    """Return True for the code of a language that has a catalogue or rules in Unicode's CLDR."""
    return code in languages() or (CODE.fullmatch(code) is not None and locale(code) is not None)


def locale(lang: str) -> Locale | None:
    """Return the rules of a language in Unicode's CLDR; None if it does not know the language."""
    from babel.core import Locale, UnknownLocaleError

    try:
        return Locale.parse(lang, sep="-")
    except (UnknownLocaleError, ValueError):
        return None


class Signs(NamedTuple):
    """The signs with which a language writes 1,234.5."""

    decimal: str = "."
    group: str = ","

    @property
    def comma(self) -> bool:
        """True if 0.25 is written 0,25."""
        return self.decimal == ","


ENGLISH = Signs()


@functools.cache
def signs(lang: str) -> Signs:
    """Return the signs in numbers of a language; those of English if CLDR does not know it."""
    from babel.numbers import get_decimal_symbol, get_group_symbol

    known = locale(lang)
    return Signs(str(get_decimal_symbol(known)), str(get_group_symbol(known))) if known else ENGLISH


def how_much(lang: str) -> str:
    """Say in a sentence how many of the kit's texts are translated into this language; "" if all are."""
    texts = of_the_kit()
    found, known = len(texts) - len(lacking(lang, texts)), locale(lang)
    if lang in BUILT_IN or found == len(texts):
        return ""
    said = f"{known.get_display_name('en') if known else lang}: {found:,} of {len(texts):,} texts of the grader"
    return f"{said}; the rest is shown in English, `grader lint --catalogue {lang}` prints it"


def of(lang: str) -> Catalogue:
    """Return the catalogue of this language; an empty one if there is none.

    Raises:
        CourseError: a catalogue cannot be read; the message says where.
    """
    if lang not in _known:
        found = [read(path) for path in _files.get(lang, ())]
        sentences = {key: forms for catalogue in found for key, forms in catalogue.sentences.items()}
        _known[lang] = Catalogue(sentences, found[-1].form) if found else EMPTY
    return _known[lang]


def said(lang: str, key: str, plural: str = "", count: Any = None) -> str:
    """Return a sentence in this language, or as its author wrote it if no catalogue has it.

    Args:
        plural: the sentence for a `count` other than 1, if it has one.
    """
    catalogue = of(lang)
    forms = catalogue.sentences.get(key)
    if forms is None:
        return plural if plural and count != 1 else key
    return forms[_form(lang, catalogue, count)] if len(forms) > 1 and count is not None else forms[0]


def _form(lang: str, catalogue: Catalogue, count: Any) -> int:
    """Return the number of the plural form for a count; for 1.5 that of a whole number that is counted alike."""
    if count != int(count) and (known := locale(lang)):
        alike = (n for n in range(MOST_COUNTED) if known.plural_form(n) == known.plural_form(count))
        count = next(alike, count)
    return catalogue.form(int(count))


def said_in(lang: str, key: str) -> str:
    """Return the language in which a sentence appears where `lang` is asked for; built-in languages count as complete.

    A word that the kit does not say, such as a name, belongs to every language.
    """
    author = _written["in"]
    if {lang, author} <= {*BUILT_IN} or key in of(lang).sentences:
        return lang
    return "en" if key in _kits_own() else author if " " in key else lang


@functools.cache
def _kits_own() -> frozenset[str]:
    return frozenset(read(KIT / f"{BUILT_IN[1]}.po").sentences)


def read(path: Path) -> Catalogue:
    """Read the translated sentences of one file.

    Raises:
        CourseError: the file is not a catalogue, or a translation asks for values that its sentence does not have, or
            lacks a plural form.
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
    """Return the rule that picks the plural form for a number. Raises CourseError if the header's is unknown."""
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
    """Return the one sentence of a message, or its several plural forms."""
    return tuple(map(str, said)) if isinstance(said, list | tuple) else (str(said or ""),)


def only(path: Path, sentences: Collection[str]) -> bytes:
    """Return a catalogue with these of its sentences, without the places where they stand."""
    from babel.messages import pofile

    found, out = _messages(path), io.BytesIO()
    for message in [m for m in found if m.id and _all(m.id)[0] not in sentences]:
        found.delete(message.id)
    pofile.write_po(out, found, width=120, no_location=True, omit_header=True)
    head, _, _ = path.read_text(encoding="utf-8").partition("\n\n")
    return f"{head}\n\n".encode() + out.getvalue().lstrip()


def of_the_kit() -> list[tuple[str, str]]:
    """Return every sentence of the kit, each with its plural or ""."""
    found = _messages(*_files[BUILT_IN[1]][:1])
    return [((keys := _all(message.id))[0], "".join(keys[1:])) for message in found if message.id]


def lacking(lang: str, sentences: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the sentences, each with its plural or "", that are not translated into `lang`."""
    return [said for said in dict.fromkeys(sentences) if said[0] not in of(lang).sentences]


def blank(lang: str, sentences: Sequence[tuple[str, str]]) -> str:
    """Return a catalogue of these sentences to translate, each with its plural or ""; "" if there are none.

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
    """Return the places of a sentence for values, such as `{score:g}`; `{` alone if the sentence is malformed."""
    try:
        places = [place for place in string.Formatter().parse(sentence) if place[1] and place[1].isidentifier()]
    except ValueError:
        return {"{"}
    return {f"{{{name}{f'!{kind}' if kind else ''}{f':{spec}' if spec else ''}}}" for _, name, spec, kind in places}
