"""A student's file as a worker gets it, and what the worker first says to it: whether it runs, what was left out."""

from __future__ import annotations

import dataclasses
import hashlib
import re
from collections.abc import Mapping
from typing import TypeVar

import msgspec

from grader.course import Exercise
from grader.intake import Source, Submission
from grader.report import report
from grader.sandbox.processes import Inspect, Inspected, Load, Loaded, Raised, ReadSheet
from grader.suites import exceptions
from grader.suites.target import NoAnswer, StudentError
from grader.suites.worker_link import WorkerLink
from grader.texts import Text, WithReason, one_line, translated

MOST_REMARKS = 3
PROSE = re.compile(r'"""[\s\S]*?"""|\'\'\'[\s\S]*?\'\'\'|#.*')  # docstrings and comments, which only mention it
IMPORT_TIMEOUT = translated(
    "importing the file took longer than {seconds:g} s{where}; is there a loop outside the functions?"
)
SHEET_TIMEOUT = translated("reading the answers took longer than {seconds:g} s{where}")
LEFT_OUT = translated("a line of {file} was left out, since no graded function needs it: it {problem}")
BARE = translated("what no graded function needs was left out of {file}: {reason}")
# What a notebook checks for itself, as those that are given out do: nothing of it is run.
ASSERTED = re.compile(r"^(?:assert_close\(|from torch\.testing import ).*(?:\n[ \t)].*)*", re.MULTILINE)
COMPILED = translated("`{call}` on line {line} compiles nothing here: the function is graded as it is written")
M = TypeVar("M", bound=msgspec.Struct)


class LoadFailed(WithReason):
    """A student's file could not be imported; every check of the exercise shares this verdict and reason."""

    def __init__(self, verdict: report.Verdict, reason: Text, attempted: bool = True, lost: bool = False) -> None:
        super().__init__(reason)
        self.verdict = verdict
        self.attempted = attempted
        self.lost = lost
        """Whether the worker was lost while the file ran, which may be due to a line that no function needs."""


def first_answer(link: WorkerLink, request: msgspec.Struct, expects: type[M], name: str) -> tuple[M, bytearray]:
    """Return a worker's answer to a file that it has not seen yet."""
    sheet = isinstance(request, ReadSheet)
    try:
        reply, payload, _ = link.ask(request, late=SHEET_TIMEOUT if sheet else IMPORT_TIMEOUT)
    except NoAnswer as lost:
        reason = lost.reason if sheet else exceptions.AT_IMPORT.format(reason=lost.reason)
        raise LoadFailed(lost.verdict, reason, lost=isinstance(request, Load)) from lost
    if isinstance(reply, Raised):
        error = StudentError.of(reply)
        reason = exceptions.import_failed(error, f"{name}.py")
        raise LoadFailed(
            "blocked" if exceptions.blocked(error) else "failed", reason, not exceptions.not_started(error)
        )
    if not isinstance(reply, expects):
        raise LoadFailed("crashed", link.disturbed().reason)
    return reply, payload


@dataclasses.dataclass(frozen=True)
class StudentFile:
    """A student's file for one exercise."""

    name: str
    source: str
    forbid: tuple[str, ...] = ()
    graded: tuple[str, ...] = ()
    cells: tuple[tuple[int, str], ...] | None = None
    at: int = 0
    files: Mapping[str, str] = dataclasses.field(default_factory=dict)
    folder: str = ""

    @classmethod
    def of(cls, exercise: Exercise, submission: Submission) -> StudentFile:
        """Return the file that is run for an exercise; a notebook's cell comes with the other cells."""
        source = submission.sources.get(exercise.source, Source())
        cells = submission.cells(source)
        at = sum(number < source.number for number, _ in cells)
        whose = (exercise.id, source.text or "", exercise.forbid, exercise.functions)
        files = submission.beside(exercise.source, source)
        return cls(*whose, cells if source.number else None, at, files, source.folder if files else "")

    @property
    def request(self) -> Inspect:
        """Return the request to parse the file."""
        cells = None if self.cells is None else tuple(text for _, text in self.cells)
        return Inspect(self.source, self.name, self.forbid, self.graded, cells, self.at, self.files, self.folder)

    def mentions(self, words: re.Pattern[str]) -> bool:
        """Return whether one of these words stands in its code."""
        texts = [self.source, *(text for _, text in self.cells or ())]
        code = [*(texts if self.cells is None else (ASSERTED.sub("", text) for text in texts)), *self.files.values()]
        return any(words.search(PROSE.sub("", text)) for text in code)

    def digest(self) -> bytes:
        """A hash that is equal for files which are equal in all that counts."""
        return hashlib.sha256(repr(dataclasses.astuple(self)).encode("utf-8", "surrogatepass")).digest()


def remarks(name: str, inspected: Inspected, loaded: Loaded, failed: LoadFailed | None) -> list[Text]:
    """Return remarks on code that was left out of a file, or does not run as it is written; `failed`: why it failed as
    a whole.
    """
    said = [BARE.format(file=f"{name}.py", reason=failed.reason)] if failed else []
    for left in loaded.left_out:
        problem = exceptions.raised(StudentError.of(left.error), called=False)
        said.append(LEFT_OUT.format(file=one_line(left.file, 100), problem=problem))
    if inspected.plain:
        call, line = inspected.plain
        said.append(COMPILED.format(call=one_line(call, 100), line=line))
    return list(dict.fromkeys(said))[:MOST_REMARKS]
