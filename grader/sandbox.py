"""A student's file in a worker, seen from the grader: start it, call it, time it out, kill it."""

from __future__ import annotations

import contextlib
import secrets
import signal
import time
from collections import deque
from collections.abc import Sequence
from typing import Any

from grader import say, wire
from grader.channel import BrokenFrame, ChannelError, DeadlinePassed, Packed, TooLarge
from grader.course import Exercise, Limits
from grader.nursery import Nursery, Worker
from grader.target import Call, Likely, NoAnswer, Outcome, decode_raised
from grader.withheld import places
from grader.words import Text, clean, plain

ANNOUNCED_BYTES = 100_000
PATIENCE = 0.25  # seconds for the answers to all calls of a check; then each is waited for by itself

CALL_TIMEOUT = Text("took longer than {seconds:g} s and was stopped", "运行超过 {seconds:g} 秒，已被终止")
IMPORT_TIMEOUT = Text(
    "importing the file took longer than {seconds:g} s; is there a loop outside the functions?",
    "导入文件超过 {seconds:g} 秒；函数之外是否有循环？",
)
BUDGET = Text("all calls together took longer than {seconds:g} s", "所有调用合计超过 {seconds:g} 秒")
EXITED = Text("the code ended its process (exit code {code})", "代码结束了自己的进程（退出码 {code}）")
KILLED = Text("the process died: {signal}", "进程意外终止：{signal}")
OUT_OF_MEMORY = Text("the process was killed; did it use too much memory?", "进程被终止；是否占用了过多内存？")
OUT_OF_CPU = Text("used more processor time than allowed", "占用的处理器时间超过限制")
TOO_LARGE = Text("returns more than {limit} MB", "返回的结果超过 {limit} MB")
GARBLED = Text("the code disturbed the line to the grader", "代码干扰了与评分器之间的通信")


class LoadFailed(Exception):
    """A student's file could not be imported; every check of the exercise shares this verdict and reason."""

    def __init__(self, verdict: str, reason: Text) -> None:
        super().__init__(reason.en)
        self.verdict = verdict
        self.reason = reason


class StudentTarget:
    """One exercise of one student. A worker that is lost is replaced at the next call, within the `seconds` allowed."""

    def __init__(self, nursery: Nursery, exercise: Exercise, source: str, limits: Limits, seconds: float) -> None:
        self._nursery = nursery
        self._exercise = exercise.id
        self._forbid = list(exercise.forbid)
        self._source = source
        self._limits = limits
        self._allowed = self._left = min(seconds, limits.exercise_seconds)
        self._worker: Worker | None = None
        self._announced: deque[tuple[Call, str]] = deque()
        self.printed = ""
        self.facts: dict[str, Any] = {}
        self.names: list[str] = []

    def load(self) -> None:
        """Start a worker, have it parse the file, then import it.

        Raises:
            LoadFailed: the student's file is at fault.
        """
        if self._left <= 0:
            raise LoadFailed("timeout", BUDGET.format(seconds=self._allowed))
        self._worker = self._nursery.start()
        self._worker.channel.payload_cap = self._limits.value_mb << 20
        self._worker.wait_until_ready()
        name = self._exercise
        request = {"op": "inspect", "source": self._source, "name": name, "forbid": self._forbid}
        header, _ = self._import_step(request)
        self.facts = header["ok"] if isinstance(header["ok"], dict) else {}
        cap, withhold = self._limits.value_mb << 20, places(tuple(self._forbid))
        header, _ = self._import_step({"op": "load", "cap": cap, "withhold": withhold})
        self.names = [n for n in header["ok"] if isinstance(n, str)] if isinstance(header["ok"], list) else []

    def sheet(self) -> dict[str, Any]:
        """The source as an answer sheet, parsed in a worker: `{"answers": tree}` or `{"problem", "line"}`.

        Raises:
            LoadFailed: the sheet cannot be read at all.
        """
        self._worker = self._nursery.start()
        self._worker.channel.payload_cap = self._limits.value_mb << 20
        self._worker.wait_until_ready()
        request = {"op": "sheet", "source": self._source, "cap": self._limits.value_mb << 20}
        try:
            header, payload = self._import_step(request)
            tree = wire.decode(header["ok"], payload)
        except wire.BadValue as broken:
            raise LoadFailed("crashed", self._lost(GARBLED).reason) from broken
        return tree if isinstance(tree, dict) else {"problem": "", "line": None}

    def _import_step(self, request: dict[str, Any]) -> tuple[dict[str, Any], bytearray]:
        try:
            header, payload = self._ask(request, [], IMPORT_TIMEOUT)
            if "raised" in header:
                error = decode_raised(header["raised"])
                reason = say.import_failed(error, f"{self._exercise}.py")
                raise LoadFailed("blocked" if say.blocked(error) else "failed", reason)
            if "ok" not in header:
                raise BrokenFrame
        except (BrokenFrame, wire.BadValue) as broken:
            raise LoadFailed("crashed", self._lost(GARBLED).reason) from broken
        except NoAnswer as lost:
            raise LoadFailed(lost.verdict, say.AT_IMPORT.format(reason=lost.reason)) from lost
        return header, payload

    def call(self, call: Call) -> Outcome:
        """Raises NoAnswer when the worker hangs, dies or answers nonsense."""
        if self._worker is None:
            self._restart()
        if call.function not in self.names:
            raise NoAnswer("failed", self._not_defined(call.function))
        try:
            return Outcome.decode(*self._answer_to(call))
        except wire.BadValue as error:
            raise self._lost(GARBLED) from error

    def announce(self, calls: Sequence[Likely]) -> bool:
        """Send all these requests at once, so that the worker need not wait for the grader between them.

        Only as much as the socket holds: a worker that is stuck in an answer reads nothing.
        Returns: whether all answers came within PATIENCE, and were byte for byte the likely ones.
        """
        self._drop_announced()
        if self._worker is None or any(c.call.function not in self.names for c in calls):
            return False
        announced = [(c, secrets.token_hex(8)) for c in calls]
        requests = b"".join(c.call.packed.frame(nonce) for c, nonce in announced)
        if len(requests) > ANNOUNCED_BYTES:
            return False
        self._announced.extend((c.call, nonce) for c, nonce in announced)
        channel, started = self._worker.channel, time.monotonic()
        with contextlib.suppress(ChannelError):  # a worker that is gone is found when its answer is read
            channel.send_bytes(requests, started + self._limits.call_seconds)
        answers = b"".join(c.answer.frame(nonce) for c, nonce in announced)
        likely = channel.take(answers, time.monotonic() + min(PATIENCE, self._left))
        self._left -= time.monotonic() - started
        if likely:
            self._announced.clear()
        return likely

    def _drop_announced(self) -> None:
        """Read the answers that the check did not wait for, since it failed before."""
        while self._announced and self._worker is not None:
            with contextlib.suppress(NoAnswer):
                self._receive(self._announced.popleft()[1], CALL_TIMEOUT)
        self._announced.clear()

    def _answer_to(self, call: Call) -> tuple[dict[str, Any], bytearray]:
        if self._announced and self._announced[0][0].same(call):
            return self._receive(self._announced.popleft()[1], CALL_TIMEOUT)
        self._drop_announced()
        if self._worker is None:
            self._restart()
        return self._ask(*call.encode(), CALL_TIMEOUT)

    def _not_defined(self, function: str) -> Text:
        defined = self.facts.get("defines")
        names = [clean(n, 40) for n in defined[:8] if isinstance(n, str)] if isinstance(defined, list) else []
        found = plain(", ".join(names)) if names else say.NOTHING
        return say.NOT_DEFINED.format(file=f"{self._exercise}.py", wanted=function, found=found)

    def _restart(self) -> None:
        try:
            self.load()
        except LoadFailed as error:
            self.close()
            raise NoAnswer(error.verdict, error.reason) from error

    def _ask(self, request: dict[str, Any], parts: list[bytes], late: Text) -> tuple[dict[str, Any], bytearray]:
        nonce = secrets.token_hex(8)
        return self._receive(nonce, late, Packed(request, parts).frame(nonce))

    def _receive(self, nonce: str, late: Text, request: bytes = b"") -> tuple[dict[str, Any], bytearray]:
        """The answer to `request`, or to one that was sent before."""
        assert self._worker is not None
        if self._left <= 0:
            raise self._lost(BUDGET.format(seconds=self._allowed), "timeout")
        allowed = min(self._limits.call_seconds, self._left)
        started = time.monotonic()
        channel = self._worker.channel
        try:
            channel.send_bytes(request, started + allowed)
            header, payload = channel.receive(started + allowed)
            if header.get("nonce") != nonce:
                raise BrokenFrame("an answer to another question")
        except DeadlinePassed as error:
            raise self._lost(late.format(seconds=allowed), "timeout") from error
        except TooLarge as error:
            raise self._lost(TOO_LARGE.format(limit=self._limits.value_mb), "failed") from error
        except BrokenFrame as error:
            raise self._lost(GARBLED) from error
        except ChannelError as error:
            raise self._lost(None) from error
        finally:
            self._left -= time.monotonic() - started
        return header, payload

    def _lost(self, reason: Text | None, verdict: str = "crashed") -> NoAnswer:
        worker = self._dismissed()
        assert worker is not None
        if reason:
            worker.end()
        return NoAnswer(verdict, reason or died(worker.why_dead()))

    def close(self) -> None:
        """End the worker, if there is one."""
        if worker := self._dismissed():
            worker.end()

    def _dismissed(self) -> Worker | None:
        worker, self._worker = self._worker, None
        self._announced.clear()
        if worker:
            limit = self._limits.output_kb * 1024
            self.printed = (self.printed + worker.output.text(limit))[:limit]
        return worker


def died(code: int | None) -> Text:
    """Why a process is silent, from its exit code; None if it lives."""
    if code is None:
        return GARBLED
    if code >= 0:
        return EXITED.format(code=code)
    if -code == getattr(signal, "SIGXCPU", None):
        return OUT_OF_CPU
    if -code == getattr(signal, "SIGKILL", None):
        return OUT_OF_MEMORY
    return KILLED.format(signal=plain(signal.strsignal(-code) or f"signal {-code}"))
