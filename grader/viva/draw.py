"""Draws the questions for one student from the student's own files, by name and seed.

Runs in a grading process, which makes one student's sheet after another.
"""

from __future__ import annotations

import functools
import hashlib
import random
import time
from collections.abc import Sequence

from grader.course import Exercise
from grader.grading import Grader
from grader.intake import Source, Submission
from grader.report.oral_exam import OralQuestion, OralSheet, Unasked
from grader.suites import LoadFailed, StudentFile
from grader.viva import kinds, wording
from grader.viva.form import alike, balanced
from grader.viva.inputs import Small, small
from grader.viva.material import Draft, Material, NothingToAsk, gathered
from grader.viva.runs import Code

SECONDS = 60.0  # of the clock, for all files of one student
AT_LEAST_FILES = 2  # that a sheet is about, where there are as many


def sheet(grader: Grader, submission: Submission, seed: int, count: int, only: tuple[str, ...] = ()) -> OralSheet:
    """Return a student's sheet: at most `count` questions about the exercises in `only`, or about all.

    They are drawn by the seed and the student's name.
    """
    rng = random.Random(hashlib.sha256(f"{seed} {submission.student}".encode("utf-8", "replace")).digest())
    asked = [e for e in grader.exercises if e.kind == "code" and (not only or e.id in only)]
    sources = ((e, submission.sources.get(e.source, Source())) for e in asked)
    there = [e for e, source in sources if source.text is not None or source.refused]
    if submission.refused or not there:
        why = submission.refused or wording.NOT_HANDED_IN
        return OralSheet(submission.student, seed, (), {}, (Unasked("", why),))
    rng.shuffle(there)
    most = count if len(there) == 1 else -(-count // AT_LEAST_FILES)
    drafts: dict[str, list[Draft]] = {}
    code: dict[str, tuple[str, ...]] = {}
    unasked, end = [], time.monotonic() + SECONDS
    for exercise in there:
        if sum(min(most, len(found)) for found in drafts.values()) >= count:
            break
        try:
            if time.monotonic() > end:
                raise NothingToAsk(wording.SPENT)
            material = _material(grader, exercise, submission, rng)
            drafts[exercise.id] = _drafts(material, count)
            code[exercise.id] = material.lines
        except (NothingToAsk, LoadFailed) as error:
            unasked.append(Unasked(exercise.id, error.reason))
    chosen = _chosen([d for found in drafts.values() for d in found], count, most, rng)
    about = dict.fromkeys(q.exercise for q in chosen)
    shown = {exercise: code[exercise] for exercise in about}  # the page follows its order
    silent = [Unasked(e, wording.NO_QUESTION) for e in drafts if e not in about and len(chosen) < count]
    return OralSheet(submission.student, seed, tuple(chosen), shown, (*unasked, *silent))


@functools.cache  # the same for all students
def _inputs(grader: Grader, exercise: Exercise) -> list[Small]:
    return small(grader.suites, exercise.id, exercise.functions)


def _material(grader: Grader, exercise: Exercise, submission: Submission, rng: random.Random) -> Material:
    """Raises NothingToAsk."""
    source = submission.sources[exercise.source]
    if source.refused:
        raise NothingToAsk(source.refused)
    inputs = _inputs(grader, exercise)
    if not inputs:
        raise NothingToAsk(wording.NOTHING_SMALL)
    code = Code(grader.pool, StudentFile.of(exercise, submission), grader.course.settings.limits)
    try:
        material = gathered(exercise.id, grader.suites, code, inputs, rng)
    except LoadFailed as error:
        raise NothingToAsk(wording.NOT_BEGUN if not error.attempted else error.reason) from error
    if code.borrowed:
        name, line, _ = code.borrowed
        raise NothingToAsk(wording.BORROWS.format(line=line, name=name))
    if not material.certain():
        raise NothingToAsk(wording.NO_RUN)
    return material


def _drafts(m: Material, count: int) -> list[Draft]:
    """Questions that can be made about one file: `count` of each kind, by form as good as drawn by chance."""
    mutants = list(m.mutants())
    found = [*kinds.wrong(m), *kinds.variables(m)]
    for mutant in mutants:
        found += [*kinds.changed_input(m, mutant), *kinds.changed_result(m, mutant, mutants)]
    known = sorted({d.question.kind for d in found})
    return [d for kind in known for d in balanced([d for d in found if d.question.kind == kind], count, m.rng)]


def _chosen(drafts: Sequence[Draft], count: int, most: int, rng: random.Random) -> list[OralQuestion]:
    """`count` of them, of as many kinds and files as there are, each run once more; by file."""
    left, chosen = list(drafts), list[OralQuestion]()
    first = {(d.question.exercise, d.question.kind): rng.random() for d in drafts}
    left.sort(key=lambda d: first[d.question.exercise, d.question.kind])  # within a kind they stay in order
    while left and len(chosen) < count:
        best = min(left, key=lambda d: _often(d.question, chosen, most))
        left.remove(best)
        if not any(alike(best.question, q) for q in chosen) and _confirmed(best):
            chosen.append(best.question)
    order = list(dict.fromkeys(q.exercise for q in chosen))
    return sorted(chosen, key=lambda q: order.index(q.exercise))


def _confirmed(draft: Draft) -> bool:
    try:
        return draft.confirmed()
    except LoadFailed:  # though it could be imported before
        return False


def _often(question: OralQuestion, chosen: Sequence[OralQuestion], most: int) -> tuple[bool, int, int, bool]:
    """Sort key: the rarest kind first, and questions about wrong results before others."""
    here = [q for q in chosen if q.exercise == question.exercise]
    kinds = [q.kind for q in chosen]
    return len(here) >= most, kinds.count(question.kind), len(here), question.kind != "wrong"
