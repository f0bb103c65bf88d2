"""A student's file in a worker, as something that answers calls: import it, call it, replace a worker that is lost."""

from __future__ import annotations

import contextlib
import dataclasses
import math
import re
import secrets
from collections import defaultdict
from collections.abc import Callable, Sequence

import msgspec

from grader import arrays, parts
from grader.course import Limits
from grader.errors import CourseError
from grader.report import Printed
from grader.sandbox.processes import Frame, Inspected, Load, Loaded, Raised, Returned, WorkerPool
from grader.sandbox.worker import LINE_CAP, BadValue, withheld
from grader.suites import exceptions, lenient
from grader.suites.ahead import Ahead, PreparedCalls
from grader.suites.given import Answering
from grader.suites.reference import Reference
from grader.suites.student_file import LoadFailed, StudentFile, first_answer, remarks
from grader.suites.target import Call, ExpectedAnswer, NoAnswer, Outcome, StudentError
from grader.suites.worker_link import BRIEF, LEAST, NONCE_BYTES, WorkerLink
from grader.texts import NOTHING, Text, clean, one_line, plain, translated

# What has torch import its compiler on first use, for seconds and 70 MB. Loaded before the fork they are nobody's.
NEEDS_COMPILER = re.compile(r"\b(func|functorch|compiler|nn\.attention|FakeTensorMode|_dynamo|assert_close|optim"
                            r"|onnx|checkpoint|profiler|flop_counter|use_deterministic_algorithms)\b")  # fmt: skip
MANY = 1_000  # evaluations of a function that a suite hands over
IN_LOOP = translated(", in the loop on line {line}, `{code}`")
AT_LINE = translated(", on line {line}, `{code}`")
DEGREE = 4  # of the polynomial that bounds how the time of honest code grows with the sizes of its inputs
SURE = BRIEF / 4  # seconds: what hangs would have taken less
NEAR = 1.1  # times the least growth: one call alone may have found in a cache what another computed
UNWRITTEN = Outcome(raised=StudentError(("NotImplementedError",), ""))


def growth(call: Call, larger: Call) -> float:
    """Return how many times as long one axis, or as large one number, is at most; infinity if they are not alike."""
    sizes = [[size for leaf in c.arguments for size in _sizes(leaf)] for c in (call, larger)]
    if len(sizes[0]) != len(sizes[1]):
        return math.inf
    return max((n / max(less, 1) for less, n in zip(*sizes, strict=True)), default=1.0)


def _sizes(leaf: object) -> list[int]:
    if arrays.is_array(leaf):
        return [len(leaf.shape), *leaf.shape]
    return [abs(leaf)] if isinstance(leaf, int) else []


class StudentCode:
    """One file of one student. A worker that is lost is replaced at the next call, within the `seconds` allowed."""

    def __init__(
        self, pool: WorkerPool, file: StudentFile, limits: Limits, seconds: float, key: Reference | None = None,
        calls: PreparedCalls | None = None,
    ) -> None:  # fmt: skip
        self._pool, self._limits = pool, limits
        self._calls = calls  # that the pool may prepare workers for
        self._key = key  # what results are compared with; it says in which forms they are accepted
        self.link = WorkerLink(pool, limits, seconds, f"{file.name}.py", self._place)
        self._file = file
        self._ahead = Ahead(self.link)
        self._answering = Answering(())
        self._inspected, self._loaded = Inspected(None, []), Loaded([])
        self.may_be_stub = file.mentions(re.compile("NotImplementedError"))
        self.borrowed: tuple[str, int, str] | None = None
        """The first forbidden call that the source mentions, its line, and the file if it is another one."""
        self.needed: list[int] = []
        """The numbers of the notebook's other cells that the functions need."""
        self.remarks: list[Text] = []
        """What of the file was left out, since nothing graded needs it and it cannot run here, and why."""
        self._failed: LoadFailed | None = None
        self._cut: dict[tuple[object, ...], tuple[int, NoAnswer]] = {}
        """The longest axis of a brief call that took too long, by function and way; longer ones are not made."""
        self._took: defaultdict[tuple[object, ...], list[tuple[Call, float]]] = defaultdict(list)
        """The calls that returned, and their seconds, by function and way; one that is refused is no measure."""

    @property
    def source(self) -> str:
        """The text of the file; of a notebook's cells nothing, for lines are counted in one of them."""
        return self._file.source if self._file.cells is None else ""

    def elsewhere(self, pool: WorkerPool, seconds: float) -> StudentCode:
        """The same file in workers of another pool."""
        return StudentCode(pool, self._file, self._limits, seconds, self._key)

    def load(self) -> None:
        """Start a worker, have it parse the file, then import it.

        Raises:
            LoadFailed: the student's file is at fault.
        """
        try:
            self._load()
        except LoadFailed as failed:
            if self._failed or not failed.lost or self._file.cells is not None:
                raise
            self.close()
            self._failed = failed  # from now on nothing runs that the functions do not need
            self._load()

    def _load(self) -> None:
        if self.link.left <= 0:
            raise LoadFailed("timeout", self.link.used_up)
        file = self._file
        load = Load(self.link.limits.value_mb << 20, file.forbid, withheld(file.forbid))
        rare = [f"scipy.{name}" for name in parts.RARE if parts.sparse and file.mentions(re.compile(rf"\b{name}\b"))]
        compiler = ("torch._dynamo",) if file.mentions(NEEDS_COMPILER) else ()
        self.link.start((*compiler, *rare), load, self._calls.content if self._calls else b"")
        request = msgspec.structs.replace(file.request, bare=self._failed is not None)
        self._inspected, _ = first_answer(self.link, request, Inspected, file.name)
        if self._failed and not self._inspected.bare:
            raise self._failed
        self.borrowed = self._inspected.borrowed
        numbers = [number for number, _ in file.cells or ()]
        self.needed = [numbers[n] for n in self._inspected.cells if n < len(numbers)]
        self._loaded, _ = first_answer(self.link, load, Loaded, file.name)
        self.remarks = remarks(file.name, self._inspected, self._loaded, self._failed)

    def printed_by(self, call: Call) -> Printed | None:
        """Return the output of this call when it is made alone, in a fresh worker; None if there is none."""
        alone = StudentCode(self._pool, self._file, self._limits, self._limits.call_seconds)
        try:
            alone.load()
            alone.link.forget()
            with contextlib.suppress(NoAnswer):
                alone.call(call)
            text, lines = alone.link.printed_since_loaded(self._limits.output_kb << 10) if alone.link.alive else ("", 0)
            return Printed(clean(text), lines) if text.strip() else None
        except LoadFailed:
            return None
        finally:
            alone.close()

    def _place(self, lines: Sequence[int]) -> Text:
        """Return where the file hangs: in the innermost `while`, else the outermost loop, else the line itself."""
        if not lines:
            return NOTHING
        around = [(start, forever) for start, end, forever in self._inspected.loops if start <= lines[0] <= end]
        endless = [start for start, forever in around if forever]
        line = max(endless) if endless else min((start for start, _ in around), default=lines[0])
        source = self._file.source.splitlines() if self._file.cells is None else []
        code = one_line(source[line - 1].strip(), LINE_CAP) if line <= len(source) else "..."
        return (IN_LOOP if around else AT_LINE).format(line=line, code=plain(code))

    def call(self, call: Call) -> Outcome:
        """Raises NoAnswer when the worker hangs, dies or answers nonsense.

        One that gets little memory is made once more in a fresh worker: what the calls before left there counts too.
        """
        try:
            outcome = self._called(call)
            if call.memory is None or not outcome.raised:
                return outcome
        except NoAnswer as lost:
            if call.memory is None or lost.verdict != "crashed":
                raise
        self.link.close()
        return self._called(call)

    def _called(self, call: Call) -> Outcome:
        way = call.function, call.gradients, call.watch, call.contract
        if call.brief and way in self._cut and call.longest >= self._cut[way][0]:
            raise self._cut[way][1]
        self._restart_if_lost()
        if call.function not in self._loaded.names:
            defines = self._inspected.defines
            reason = exceptions.not_defined(call.function, self._file.name, self._file.source, defines)
            raise NoAnswer("failed", reason)
        if call.function in self._loaded.unwritten and not call.record:
            return UNWRITTEN
        if self._answering.running:
            raise CourseError(f"a function that is handed to a student's calls {call.function} while that waits for it")
        answering = self._answering = Answering(call.given)
        try:
            frame, inputs, seconds = self._ahead.answer(call) or self._answer_to(call, answering)
            if not isinstance(frame.message, Returned | Raised):
                raise BadValue("another kind of answer")
            outcome = Outcome.decode(frame.message, frame.payload, tuple(answering.counts))
            if not outcome.raised:
                self._took[way].append((call, seconds))
            if inputs is not None:  # we see ourselves which of them it changed
                changed = call.differing(call.packed.payload, inputs)
                outcome = dataclasses.replace(outcome, changed=tuple(sorted({*outcome.changed, *changed})))
            outcome = lenient.as_due(call, outcome, self._key)
        except NoAnswer as lost:
            if call.brief and lost.verdict == "timeout":
                lost.slow = not self._hangs(way, call)
                self._cut[way] = call.longest, lost
            count, name = max(zip(answering.counts, (f.name for f in call.given), strict=True), default=(0, ""))
            if lost.verdict == "timeout" and count > MANY:
                told = exceptions.UNTIL_THEN.format(reason=lost.reason, name=name, count=count)
                raise NoAnswer("timeout", told, lost.slow) from lost
            raise
        except BadValue as error:
            raise self.link.disturbed() from error
        finally:
            if answering.running:  # the suite's function ended the check, and the worker waits for its value
                self.link.close()
                answering.running = False
        if outcome.raised:
            self.link.after_error(outcome.raised.types, outcome.raised.message)
        return outcome

    def _hangs(self, way: tuple[object, ...], call: Call) -> bool:
        """Return whether a call that got its second would have taken less, as smaller ones of its kind show."""
        grown = [(growth(known, call), seconds) for known, seconds in self._took[way]]
        nearest = min((growth for growth, _ in grown), default=math.inf)
        near = [seconds * growth**DEGREE for growth, seconds in grown if growth <= NEAR * nearest]
        return self.link.left > LEAST and bool(near) and all(estimate < SURE for estimate in near)

    def make_all(self, calls: Callable[[], PreparedCalls]) -> None:
        """Have the calls of all checks made before the first check asks for them, in one go."""
        self._ahead.make_all(calls)

    def expect(self, calls: Sequence[ExpectedAnswer]) -> tuple[Sequence[bool], float]:
        return self._ahead.expect(calls)

    def close(self) -> None:
        """End the worker, if there is one; each call that is asked for from now on is made anew."""
        self.link.close()
        self._ahead = Ahead(self.link)

    def _answer_to(self, call: Call, answering: Answering) -> tuple[Frame, bytes | None, float]:
        """Return the answer to a call that is made now, what it left of its inputs where we watch them, its seconds."""
        self._restart_if_lost()
        if not self.link.alone(call.alone):
            raise NoAnswer("failed", exceptions.BESIDE)
        if not self.link.bounded(call.memory):
            raise NoAnswer("crashed", exceptions.HOLDS.format(most=call.memory or 0))
        nonce, asked = secrets.token_bytes(NONCE_BYTES), call.packed
        shared = self.link.shared if call.watch else None
        if shared:
            shared.put(asked.payload)
            asked = call.placed
        before = self.link.spent
        frame = self.link.receive(nonce, request=asked.frame(nonce), answering=answering, brief=call.brief)
        return frame, shared.left() if shared else None, self.link.spent - before

    def _restart_if_lost(self) -> None:
        if self.link.alive:
            return
        try:
            self.load()
        except LoadFailed as error:
            self.link.close()
            raise NoAnswer(error.verdict, error.reason) from error
