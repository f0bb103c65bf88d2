"""Many submissions: spread over a pool, each report written as it ends, nothing graded twice."""

from __future__ import annotations

import concurrent.futures
import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Protocol, TypeVar

from grader.batch.pool import Pool
from grader.course import SHEET, Course
from grader.errors import CourseError
from grader.intake import Submission
from grader.report import Fault, Results, Row, SheetAttempt, redact, seeds

T = TypeVar("T")


class AnyEntry(Protocol):
    """One person's submission, yet to be read."""

    @property
    def student(self) -> str:
        """The name of the entry in reports."""

    def load(self, course: Course) -> Submission:
        """Return the submission that the entry holds; nothing that a student did raises here."""


@dataclasses.dataclass(frozen=True)
class Context:
    """The seed of a batch, the versions that its fingerprints name, and `regrade`: grade again what is graded."""

    seed: int
    versions: Mapping[str, str]
    regrade: bool = False


def grade_all(
    entries: Sequence[AnyEntry], course: Course, pool: Pool, jobs: int, results: Results, context: Context
) -> Iterator[Row | Fault]:
    """Grade every entry; each comes out once, as a line (its report is written) or as a fault, as they end."""

    def row(entry: AnyEntry) -> Row:
        student, level = entry.student, course.settings.feedback
        submission = entry.load(course)
        fingerprint = submission.fingerprint(context.versions)
        number = results.attempt(student, fingerprint)
        fingerprint = seeds.numbered(fingerprint, number)
        if not context.regrade and (stored := results.stored(student, fingerprint)):
            return Row.of(redact(stored, level))
        text = pool.grade(submission, fingerprint, seeds.of(context.seed, number))
        kept = results.keep(student, text, attempt(submission, course))
        return Row.of(redact(kept, level))

    with concurrent.futures.ThreadPoolExecutor(jobs + 2) as threads:  # so that none waits for a report to be written
        waiting = {threads.submit(or_fault, row, entry) for entry in entries[: 4 * jobs]}
        rest = iter(entries[4 * jobs :])
        try:
            while waiting:
                done, waiting = concurrent.futures.wait(waiting, return_when=concurrent.futures.FIRST_COMPLETED)
                for future in done:
                    if (entry := next(rest, None)) is not None:
                        waiting.add(threads.submit(or_fault, row, entry))
                    yield future.result()
        except BaseException:  # somebody stopped it, or the course is broken: nobody waits for what is under way
            for future in waiting:
                future.cancel()
            pool.abandon()
            raise


def or_fault(do: Callable[[AnyEntry], T], entry: AnyEntry) -> T | Fault:
    """Return what `do` makes of an entry, or what kept it from that, which is not the student's: the others go on.

    Raises CourseError, which would be the same for everybody.
    """
    try:
        return do(entry)
    except CourseError:
        raise
    except Exception as error:
        return Fault.of(entry.student, error)


def attempt(submission: Submission, course: Course) -> SheetAttempt:
    """The answer sheet, of which the course may mark only so many of a student's."""
    sheet = submission.sources[SHEET].text if SHEET in submission.sources else None
    ids = {e.id for e in course.exercises if e.kind == "questions"}
    return SheetAttempt(sheet or "", course.settings.attempts, ids)
