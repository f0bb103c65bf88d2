"""Marks one student's answer sheet: parsed in a confined worker, each section against its experiments."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from typing import Any

from grader.course import COMMON, SHEET, Course, Exercise, file_name
from grader.questions.lab import WrongAnswer
from grader.questions.questions import Paper
from grader.sandbox.processes import BadValue, ReadSheet, SheetRead, WorkerPool
from grader.sandbox.worker import wire
from grader.suites import CheckResult, LoadFailed, WorkerLink, first_answer
from grader.texts import Text, one_line, translated

DAMAGED = {
    "unreadable": translated("{file}, line {line}: this cannot be read"),
    "character": translated("{file}, line {line}: it holds a character that is not allowed, {detail}"),
    "twice": translated("{file}, line {line}: answered differently in line {detail} already; keep one of the two"),
    "alias": translated("{file}, line {line}: anchors (&) and aliases (*) are not allowed"),
    "stray": translated("not answered; {file}, line {line}: this is nobody's answer, write it after a name"),
    "comment": translated("not answered; {file}, line {line}: this is a comment, take away the # before it"),
    "size": translated("{file}, line {line}: this is too long, or nested too deeply, for an answer"),
}
NO_SHEET = translated(
    "{file} names none of the questions; copy the answers to a new sheet, which `grader answers --sheet FILE` writes"
)
OTHER_VARIANT = translated(
    "this sheet has the questions of {found!r}, yours are those of {want!r}: `grader answers --sheet --student {want}`"
)
Marked = list[tuple[CheckResult, WrongAnswer | None]]


@dataclasses.dataclass(frozen=True)
class Sheet:
    """The content of one student's sheet."""

    answers: Mapping[str, Any]
    read: SheetRead

    def section(self, exercise: str) -> dict[str, Any]:
        """Return the answers of one exercise; names that are no question's are in it too, without an answer."""
        found = self.answers.get(exercise)
        strange = {name: "" for section, name, _ in self.read.unknown if section in ("", exercise)}
        return strange | (found if isinstance(found, dict) else {})

    def damaged(self, exercise: str) -> dict[str, Text]:
        """Return the damage to answers of one exercise, by question."""
        return {
            d.question: DAMAGED[d.kind].format(file=file_name(SHEET), line=d.line, detail=one_line(d.detail, 40))
            for d in self.read.damaged
            if d.section == exercise
        }


class Papers:
    """The concept questions of a course; each exercise's are loaded when first asked for."""

    def __init__(self, course: Course, pool: WorkerPool) -> None:
        self._course, self._pool = course, pool
        self._papers: dict[str, Paper] = {}
        self._read: tuple[str, Sheet | LoadFailed] | None = None

    def __getitem__(self, exercise: str) -> Paper:
        if exercise not in self._papers:
            settings, where = self._course.settings, (self._course.suite(exercise), self._course.root / "solutions")
            points = self._course.exercise(exercise).points
            self._papers[exercise] = Paper(*where, settings.arrays, settings.languages[0], points)
        return self._papers[exercise]

    def mark(self, exercise: Exercise, source: str, student: str, seconds: float) -> Marked:
        """Return each question of the exercise with its verdict.

        Raises:
            MachineError: the machine is at fault.
            CourseError: an experiment fails.
        """
        paper = self[exercise.id]
        if self._read is None or self._read[0] != source:  # parsed once for all the sections of one submission
            self._read = source, self._parsed(exercise, source, seconds)
        sheet = self._read[1]
        if isinstance(sheet, LoadFailed):
            return [(result, None) for result in paper.all_with(sheet.verdict, sheet.reason)]
        if sheet.read.filled and not (sheet.answers or sheet.read.damaged or sheet.read.unknown):
            nothing = NO_SHEET.format(file=file_name(SHEET))
            return [(result, None) for result in paper.all_with("failed", nothing)]
        mine = COMMON if self._course.settings.variants == COMMON else student
        return paper.mark(sheet.section(exercise.id), mine, sheet.damaged(exercise.id), _other(sheet, mine))

    def answers(self, source: str, student: str) -> str:
        """Return a hash of the answers of the last marked sheet; "" if it is another, or none can be marked."""
        if self._read is None or self._read[0] != source or isinstance(self._read[1], LoadFailed):
            return ""
        sheet, mine = self._read[1], COMMON if self._course.settings.variants == COMMON else student
        ids = [e.id for e in self._course.exercises if e.kind == "questions"]
        found = {id: read for id in ids if (read := self[id].read(sheet.section(id), mine))}
        return hashlib.sha256(json.dumps(found, sort_keys=True).encode()).hexdigest()[:16] if found else ""

    def _parsed(self, exercise: Exercise, source: str, seconds: float) -> Sheet | LoadFailed:
        papers = {e.id: self[e.id] for e in self._course.exercises if e.kind == "questions"}
        names = {id: tuple(q.name for q in paper.questions) for id, paper in papers.items()}
        prose = tuple(f"{id}/{name}" for id, paper in papers.items() for name in paper.prose)
        link = WorkerLink(self._pool, self._course.settings.limits, seconds)
        try:
            link.start()
            request = ReadSheet(source, self._course.settings.limits.value_mb << 20, names, prose)
            read, payload = first_answer(link, request, SheetRead, exercise.id)
            answers = wire.decode(read.answers, payload)
            if not isinstance(answers, dict):
                raise BadValue("no mapping")
        except BadValue:
            return LoadFailed("crashed", link.disturbed().reason)
        except LoadFailed as error:
            return error
        finally:
            link.close()
        return Sheet(answers, read)


def _other(sheet: Sheet, mine: str) -> Text | None:
    """Return a sentence on a sheet that was made for another student."""
    found = one_line(sheet.read.variant, 60).strip(" \t\n\"'`")
    if not found or found.casefold() == mine.strip().casefold():
        return None
    return OTHER_VARIANT.format(found=found, want=mine)
