"""One student's submission as data: the source of each exercise, or why it is refused."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping, Sequence

import msgspec

from grader.texts import Text, joined, translated

MAX_NAMED = 12  # files, in a sentence

AND_ALSO = translated("{one}; {other}")
IGNORED = translated("ignored, since only the exercises' files are read: {names}")


@dataclasses.dataclass(frozen=True)
class Source:
    """One exercise file: its text, or why it is refused. Without either it is missing.

    `path` says where it was found, unless it is a file of its own name; `folder` in which folder. For a notebook, the
    `book`-th, the text is one cell, the `number`-th; `replaced` are the numbers of the cells that it was used instead
    of.
    """

    text: str | None = None
    refused: Text | None = None
    path: str = ""
    number: int = 0
    folder: str = ""
    book: int = 0
    replaced: tuple[int, ...] = ()

    def place(self, needed: Sequence[int] = ()) -> str:
        """Return where the work was found, with the numbers of its cell and of those that it needs."""
        if not self.number:
            return self.path
        return f"{self.path} [{', '.join(map(str, sorted([self.number, *needed])))}]"


@dataclasses.dataclass(frozen=True)
class Submission:
    """One student's submission, by the course's names of its sources. `refused` is set if the whole submission breaks a
    rule, or nothing in it can be used; `ignored` names files and cells of notebooks that no exercise uses, and
    `troubles` says why files that may hold anything could not be read.

    `books` holds the code cells of each notebook, by their numbers, since work in one may need the others; `files` the
    other code files that some of the work imports, by their paths.
    """

    student: str
    sources: Mapping[str, Source]
    refused: Text | None = None
    ignored: tuple[str, ...] = ()
    troubles: Mapping[str, Text] = dataclasses.field(default_factory=dict)
    books: tuple[tuple[tuple[int, str], ...], ...] = ()
    files: Mapping[str, str] = dataclasses.field(default_factory=dict)

    def cells(self, source: Source) -> tuple[tuple[int, str], ...]:
        """Return the other cells of the notebook that a source is a cell of."""
        if not source.number:
            return ()
        return tuple(cell for cell in self.books[source.book] if cell[0] not in (source.number, *source.replaced))

    def beside(self, name: str, source: Source) -> dict[str, str]:
        """Return the files that a source, which is run as the module `name`, can import, by their paths."""
        own = f"{source.folder}/{name}.py" if source.folder else f"{name}.py"
        return {path: text for path, text in self.files.items() if path not in (own, source.path)}

    def reason(self) -> Text | None:
        """Return why it is refused, and remarks on files that could not be read, or that no exercise uses."""
        said = [self.refused] if self.refused else []
        if self.sources:  # else all its files are named
            others = [name for name in self.ignored if name not in self.troubles]
            said += [*self.troubles.values(), *([IGNORED.format(names=listed(others))] if others else [])]
        each = dict.fromkeys(said)
        return joined(AND_ALSO, each) if each else None

    def fingerprint(self, context: Mapping[str, str]) -> str:
        """Return what the report depends on, as `name=hash` words: the source, and each entry of `context`.

        Two fingerprints side by side say why a score changed.
        """
        parts = {"source": json.dumps(msgspec.to_builtins(self), sort_keys=True), **context}
        return " ".join(f"{name}={hashlib.sha256(text.encode()).hexdigest()[:16]}" for name, text in parts.items())


def listed(names: Sequence[str]) -> str:
    """Join the names; of many, only the first."""
    more = len(names) - MAX_NAMED
    return ", ".join(names[:MAX_NAMED]) + (f", +{more}" if more > 0 else "")
