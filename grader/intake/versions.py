"""Versions of a submission beside each other, as Teams keeps them in folders: the last counts, which is said."""

from __future__ import annotations

import re
from collections.abc import Sequence

from grader.intake.archives import Troubles
from grader.intake.tree import File
from grader.texts import translated

_VERSION = re.compile(r"(?P<word>version|versión|versão|versione|versie|wersja|версия|версія|版本|バージョン|버전)"
                      r"[ _]?(?P<number>\d+)", re.IGNORECASE)  # fmt: skip
SUPERSEDED = translated("{name} came before {last}; the last one counts")


def last_versions(files: Sequence[File], troubles: Troubles) -> list[File]:
    """The files but those of earlier versions: of `Version 1`, `Version 2` beside each other, as in Teams, the last.

    Args:
        troubles: what is left out is noted there.
    """
    newest: dict[tuple[tuple[str, ...], str], tuple[int, str]] = {}
    versions = [_versions(file) for file in files]
    for found in versions:
        for place, number, name in found:
            newest[place] = max(newest.get(place, (-1, "")), (number, name))
    kept = []
    for file, found in zip(files, versions, strict=True):
        older = next(((name, place) for place, number, name in found if number < newest[place][0]), None)
        if older is None:
            kept.append(file)
        else:
            name, place = older
            troubles[(*place[0], name)] = SUPERSEDED.format(name=name, last=newest[place][1])
    return kept


def _versions(file: File) -> list[tuple[tuple[tuple[str, ...], str], int, str]]:
    """The folders on the way to a file that are versions: where, in which word, the number, the name."""
    found = [(depth, _VERSION.fullmatch(part)) for depth, part in enumerate(file.parts[:-1])]
    return [((file.parts[:n], m["word"].lower()), int(m["number"][:9]), m[0]) for n, m in found if m]
