"""The kit's sentences in other languages than English: one catalogue a language, such as `grader/languages/zh.yaml`.

A course may bring `languages/de.yaml` beside its course.yaml, for a language that the kit does not have, or to say more
in one that it has. What no catalogue says is said in English.
"""

from __future__ import annotations

import json
import re
import string
from collections.abc import Mapping, Sequence
from pathlib import Path

import yaml

from grader.errors import CourseError

FOLDER = "languages"
KIT = Path(__file__).with_name(FOLDER)
BUILT_IN = ("en", "zh")  # in these the kit says everything
CODE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")
Catalogue = Mapping[str, str]
_kit = (*BUILT_IN, *sorted({p.stem for p in KIT.glob("*.yaml")} - {*BUILT_IN}))
_known: dict[str, Catalogue | None] = dict.fromkeys(_kit)  # None until it is asked for


def languages() -> tuple[str, ...]:
    """English, Chinese, and every other language of which there is a catalogue."""
    return tuple(_known)


def others() -> tuple[str, ...]:
    """All but those that are built in."""
    return tuple(_known)[len(BUILT_IN) :]


def of(lang: str) -> Catalogue:
    """What is said in this language, by the English sentences; empty where there is no catalogue."""
    found = _known.get(lang)
    if found is None:
        found = read(KIT / f"{lang}.yaml") if lang in _known and lang != "en" else {}
        if lang in _known:
            _known[lang] = found
    return found


def take(course: Path, named: Sequence[str]) -> None:
    """From now on know the languages that a course names, with the catalogues in its folder.

    Raises:
        CourseError: one of them is not a catalogue; the message says where.
    """
    for lang in named:
        own = course / FOLDER / f"{lang}.yaml"
        if lang != "en" and CODE.fullmatch(lang) and own.is_file():
            _known[lang] = {**(read(KIT / own.name) if lang in _kit else {}), **read(own)}


def there(course: Path, lang: str) -> bool:
    """Whether the kit or the course in this folder has a catalogue of the language."""
    return lang in _kit or (CODE.fullmatch(lang) is not None and (course / FOLDER / f"{lang}.yaml").is_file())


def blank(lang: str) -> str:
    """The kit's sentences that are not translated into this language, in the form of a catalogue."""
    missing = [sentence for sentence in of("zh") if sentence not in of(lang) and lang != "en"]
    return "".join(f'? {json.dumps(sentence, ensure_ascii=False)}\n: ""\n' for sentence in missing)


def read(path: Path) -> Catalogue:
    """The sentences of one file that are translated.

    Raises:
        CourseError: it is not a catalogue, or a translation asks for values that its sentence does not have.
    """
    try:
        found = yaml.load(path.read_text(encoding="utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)) or {}
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise CourseError(f"{path}: not a catalogue: {' '.join(str(error).split())}") from error
    if not isinstance(found, dict):
        raise CourseError(f"{path}: not a catalogue: it should hold English sentences, each with its translation")
    said = {english: translation for english, translation in found.items() if translation not in (None, "")}
    for english, translation in said.items() if path != KIT / "zh.yaml" else ():  # a test reads this one
        if not isinstance(english, str) or not isinstance(translation, str):
            raise CourseError(f"{path}: {english!r}: {translation!r} is not a sentence with its translation")
        if strange := values(translation) - values(english):
            raise CourseError(f"{path}: {english!r}: its translation has {min(strange)}, which the sentence has not")
    return said


def values(sentence: str) -> set[str]:
    """The places of a sentence into which values go, such as `{score:g}`; `{` alone where it is not well-formed."""
    try:
        places = [place for place in string.Formatter().parse(sentence) if place[1] is not None]
    except ValueError:
        return {"{"}
    return {f"{{{name}{f'!{kind}' if kind else ''}{f':{spec}' if spec else ''}}}" for _, name, spec, kind in places}
