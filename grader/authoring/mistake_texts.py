"""Problems of the sentences about known mistakes: one that is written twice, one that belongs to no mistake."""

from __future__ import annotations

import collections
from collections.abc import Collection, Iterator, Mapping, Sequence

from grader.course import Course, nearest, suite_texts
from grader.texts import Text

SHARED = f"tests/hidden/{suite_texts.SHARED.as_posix()}"


def problems(course: Course, mistakes: Mapping[str, Collection[str]]) -> Iterator[str]:
    """Yield the problems of the catalogues of a course.

    Args:
        mistakes: the names of the known mistakes, by exercise.
    """
    hidden = course.root / "tests" / "hidden"
    shared = suite_texts.catalogue(hidden / suite_texts.SHARED)
    own = {id: suite_texts.catalogue(course.suite(id)) for id in mistakes}
    for file in (*(f"{id}.yaml" for id in mistakes), suite_texts.SHARED.as_posix()):
        yield from _repeated(f"tests/hidden/{file}", suite_texts.lines(hidden / file))
    for id, texts in own.items():
        for name in (name for name, text in texts.items() if shared.get(name) == text):
            yield f"tests/hidden/{id}.yaml: {name} has this text in {SHARED} already; take it away here"
    if len(course.exercises) == len(course.described):  # else a mistake of another unit may need it
        taken = {part for id, names in mistakes.items() for part in parts(names) if part not in own[id]}
        for name in (name for name in shared if name not in taken):
            yield f"{SHARED}: no suite takes the text {name!r}{nearest(name, sorted(taken))}"
    yield from _in_several(own, shared)


def _in_several(own: Mapping[str, Mapping[str, Text]], shared: Mapping[str, Text]) -> Iterator[str]:
    """Yield mistakes that have the same name and the same text in several suites."""
    places = collections.defaultdict[tuple[str, str], list[str]](list)
    for id, texts in own.items():
        for name, text in texts.items():
            places[name, text.key].append(f"{id}.yaml")
    for (name, _), files in places.items():
        if len(files) > 1 and name not in shared:
            yield f"tests/hidden: {name} has the same text in {' and '.join(files)}; write it once, in {SHARED}"


def _repeated(file: str, lines: Sequence[tuple[Sequence[str], Text]]) -> Iterator[str]:
    """Yield lines whose text stands in an earlier line of the file."""
    first = dict[str, str]()
    for (name, *_), text in lines:
        if before := first.get(text.key):
            yield f'{file}: {name} has the text of {before}; write it once, `{before}, {name}: "..."`'
        first.setdefault(text.key, name)


def parts(names: Collection[str]) -> set[str]:
    """Return the names, and those of the single mistakes in `a_and_b`."""
    return {part for name in names for part in (name, *name.split("_and_"))}
