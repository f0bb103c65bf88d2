"""A teacher's desk: the class, its code, the sandbox to run it again, and all that can be decided."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path

from grader.batch import SHOW_STEPS, AnyEntry, ForkServer, GradingPool, kit_version
from grader.course import Course
from grader.desk import writing
from grader.desk.deciding import Effect, sensible
from grader.desk.essay_marks import AnswerGroup, put
from grader.desk.index import Index
from grader.desk.regrading import Commands, Regrading
from grader.errors import CourseError, GraderError
from grader.intake import Submission
from grader.integrations.essays import EssayQuestion, questions, worth
from grader.report import Batch, Decision, Record, Report, class_tally, oral_exam, read_marks, record, seeds
from grader.report.oral_exam import Answered
from grader.sandbox.processes import RunOptions, ShownSteps, ShowSteps

SECONDS = 180.0  # to run a call again, its suite's first time included


@dataclasses.dataclass(frozen=True)
class Sources:
    """Finds and starts what only the command line knows.

    Attributes:
        entries: finds the submissions of these students that were graded; raises CourseError where they are gone.
        batch: finds the submissions of a folder or download that was graded; raises as `entries`.
        start: starts the process that imports torch.
        again: gives the command lines that grade these students again.
    """

    entries: Callable[[Collection[str], contextlib.ExitStack], Mapping[str, AnyEntry]]
    batch: Callable[[Batch, contextlib.ExitStack], Mapping[str, AnyEntry]]
    start: Callable[[], ForkServer]
    again: Commands


class Desk:
    """All that the pages share. It may be asked from several threads."""

    def __init__(self, results: Path, course: Course, lang: str, sources: Sources) -> None:
        self.results, self.course, self.lang = results, course, lang
        self._sources, self._opened = sources, contextlib.ExitStack()
        self._batches: dict[str, Mapping[str, AnyEntry]] = {}
        self._reading, self._deciding, self._running = threading.Lock(), threading.Lock(), threading.Lock()
        self._entries: Mapping[str, AnyEntry] | None = None
        self._pool: GradingPool | None = None
        record.read(results)  # one that cannot be used is said at once
        self.index = Index(results, course)
        self.index.refresh()
        with contextlib.suppress(CourseError):  # a batch that is running puts them into its reports itself
            self._complete()
        self.summing = writing.Summing(results, course, lang, len(self.index.students))
        self.regrading = Regrading(sources.again)
        self._opened.callback(self.regrading.close)

    def _complete(self) -> None:
        """Put into the reports what was decided, where a command was killed in between."""
        found = self.record()
        about = {student for d in found.lines for student in self.index.about(d)}
        reports = [report for student in sorted(about) if (report := self.report(student))]
        if behind := [report.student for report in reports if found.put_into(report) != report]:
            writing.given(self.results, behind, lambda folder: None)
            self.index.refresh()

    def fresh(self) -> None:
        """Somebody asks for something: what is on disk now is what counts."""
        self.summing.asked()
        self.index.refresh()

    def prepare(self) -> None:
        """Find now what the first page of a student or an answer would wait for; it says what is the matter there."""
        with contextlib.suppress(GraderError):
            self.submission(next(iter(self.index.students), ""))
            self.waiting()

    def close(self) -> None:
        """Write what is still to be written, and end every process."""
        self.summing.now()
        self._opened.close()

    @functools.cached_property
    def asked(self) -> dict[str, EssayQuestion]:
        """The questions that are answered in sentences. Raises CourseError."""
        return questions(self.course)

    def report(self, student: str) -> Report | None:
        """The report on a student, as it is now; None for nobody whom the class knows."""
        known = self.index.students.get(student)
        found = class_tally.report(self.results / "reports" / f"{known.file}.json") if known else ""
        return found if isinstance(found, Report) else None

    def earlier(self, student: str) -> Report | None:
        """The report on what the student had handed in before, where it was kept."""
        known = self.index.students[student]
        found = class_tally.report(self.results / "earlier" / f"{known.file}.json")
        return found if isinstance(found, Report) else None

    def record(self) -> Record:
        """Return the record of the decisions. Raises GraderError."""
        return record.read(self.results)

    def submission(self, student: str) -> Submission:
        """Return what the student handed in, as it is on disk now. Raises CourseError if it is not there."""
        with self._reading:  # archives are read by one at a time
            if self._entries is None:
                self._entries = self._sources.entries(self.index.students, self._opened)
            if student not in self._entries:
                raise CourseError(f"there is no submission of {student} where this class was graded")
            return self._entries[student].load(self.course)

    def version(self, student: str, batch: Batch) -> Submission:
        """Return what the student handed in with a folder or download that was graded. Raises as `submission`."""
        with self._reading:
            if batch.folder not in self._batches:
                self._batches[batch.folder] = self._sources.batch(batch, self._opened)
            if student not in self._batches[batch.folder]:
                raise CourseError(f"{batch.folder}: there is no submission of {student} any more")
            return self._batches[batch.folder][student].load(self.course)

    def regrade(self, students: Sequence[str]) -> None:
        """Begin to grade these students again. Raises CourseError."""
        self._entries, self._batches = None, {}  # the files may be others now
        self.regrading.start(students)

    def effect(self, decision: Decision) -> Effect:
        """Return what a decision would change. Raises CourseError if it makes no sense."""
        before = self.record()
        if decision.undoes is not None:
            sensible(decision, [], before)
        undone = next((d for d in before.lines if d.number == decision.undoes), decision)
        reports = [r for i in self.index.about(undone) if (r := self.report(i))]
        if not reports:
            raise CourseError(
                f"nobody here is called {undone.student!r}" if undone.student else "this is about nobody here"
            )
        decided = sensible(decision, reports, before)
        about = {i for d in decided if d is not decision and d.undoes is None for i in self.index.about(d)}
        more = about - {r.student for r in reports}
        return Effect.of(decided, [*reports, *(r for i in sorted(more) if (r := self.report(i)))], before)

    def decide(self, decision: Decision) -> Effect:
        """Write a decision down, into record and reports. Raises as `effect`, and where another command is writing."""
        with self._deciding:
            effect = self.effect(decision)
            writing.given(self.results, [old.student for old, _ in effect.changed], effect.put)
        self.summing.needed()
        return effect

    def mark(self, group: AnswerGroup, points: float | None, comment: str) -> None:
        """Give an answer in sentences its points. Raises GraderError."""
        worth_now = worth(self.course, self.asked)
        with self._deciding:
            first = read_marks(self.results).worth != worth_now  # of a class, which changes all reports
            students = list(self.index.students) if first else [s.id for s, _ in group.members]
            writing.given(self.results, students, functools.partial(put, group, points, comment, worth_now))
        self.summing.needed()

    def examine(self, student: str, question: int, answered: Answered | None) -> None:
        """Write what a student has answered to a question of the oral exam; None lets it wait. Raises GraderError."""

        def put(folder: Path) -> None:
            others = (a for a in oral_exam.read(folder).answered.get(student, ()) if a.question != question)
            mine = sorted([*others, *([answered] if answered else [])], key=lambda a: a.question)
            oral_exam.add(folder, {student: tuple(mine)})

        with self._deciding:
            writing.given(self.results, [student], put)
        self.summing.needed()

    def again(self, student: str, exercise: str, check: str, call: str) -> ShownSteps:
        """Return what the student's code computes in the sandbox: in this call, or in the check's if `call` is empty.

        Raises:
            CourseError: there is no such call, or no code.
            MachineError: this machine has no sandbox, or the grading process is lost.
        """
        known = self.index.students[student]
        seed = seeds.of_report(self.results / "reports" / f"{known.file}.json")
        request = ShowSteps(self.submission(student), exercise, str(seed), check, True, call)
        with self._running:
            pool = self._pool = self._pool or self._sandbox()
        return pool.ask(lambda process: process.ask(SHOW_STEPS, ShownSteps, SECONDS, request))

    def _sandbox(self) -> GradingPool:
        server = self._sources.start()
        self._opened.callback(server.close)
        pool = GradingPool(server, self.course, RunOptions("cpu", (), kit_version()), 1)
        self._opened.callback(pool.close)
        pool.open_confined()
        return pool

    def waiting(self) -> Sequence[str]:
        """The questions that are answered in sentences and have answers, in the order of the course."""
        there = {a.question for _, a in self.index.answers()}
        return [q for q in self.asked if q in there] if there else []
