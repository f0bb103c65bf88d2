"""A student's file in a worker, seen from the grader: start it, call it, time it out, kill it."""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import socket
import subprocess
import tempfile
import time
from typing import Any, Protocol

from grader import portable, say, warm, wire
from grader.channel import BrokenFrame, Channel, ChannelError, DeadlinePassed, Drain, TooLarge
from grader.course import Exercise, Limits
from grader.errors import MachineError
from grader.target import Call, NoAnswer, Outcome, decode_raised
from grader.words import Text, clean, plain

NURSERY_SECONDS = 30.0
READY_SECONDS = 60.0

CALL_TIMEOUT = Text("took longer than {seconds:g} s and was stopped", "运行超过 {seconds:g} 秒,已被终止")
IMPORT_TIMEOUT = Text(
    "importing the file took longer than {seconds:g} s; is there a loop outside the functions?",
    "导入文件超过 {seconds:g} 秒;函数之外是否有循环?",
)
BUDGET = Text("all calls together took longer than {seconds:g} s", "所有调用合计超过 {seconds:g} 秒")
EXITED = Text("the code ended its process (exit code {code})", "代码结束了自己的进程(退出码 {code})")
KILLED = Text("the process died: {signal}", "进程意外终止:{signal}")
OUT_OF_MEMORY = Text("the process was killed; did it use too much memory?", "进程被终止;是否占用了过多内存?")
OUT_OF_CPU = Text("used more processor time than allowed", "占用的处理器时间超过限制")
TOO_LARGE = Text("returns more than {limit} MB", "返回的结果超过 {limit} MB")
GARBLED = Text("the code disturbed the line to the grader", "代码干扰了与评分器之间的通信")


class Nursery(Protocol):
    """Starts and ends worker processes."""

    layers: tuple[str, ...]

    def start(self) -> Worker:
        """Raises MachineError."""


class Worker:
    """One worker process: its channel and what it prints."""

    def __init__(self, channel: Channel, output: Output, nursery: Any, handle: Any) -> None:
        self.channel = channel
        self.output = output
        self._nursery = nursery
        self._handle = handle

    def wait_until_ready(self) -> None:
        """Before any student code: the worker is confined and serves. Raises MachineError."""
        try:
            ready, _ = self.channel.receive(time.monotonic() + READY_SECONDS)
        except ChannelError as error:
            printed = self.output.text(2000)
            raise MachineError(f"a worker could not be confined ({type(error).__name__}): {printed}") from error
        if ready != {"ready": True}:
            raise MachineError("a worker started with a wrong word")

    def end(self) -> int:
        """Kill it, whatever it is doing; its exit code, negative for a signal."""
        self.channel.close()
        code: int = self._nursery.end(self._handle)
        self.output.close()
        return code


class Output(Protocol):
    """Where a worker's prints go."""

    def text(self, limit: int) -> str: ...
    def close(self) -> None: ...


class PipeOutput(Drain):
    """A private pipe, emptied while the grader waits."""

    def text(self, limit: int) -> str:
        with contextlib.suppress(OSError):
            self.pump()
        return self.kept[:limit].decode("utf-8", "replace")


class ForkNursery:
    """Workers forked and confined by the warm parent's nursery process."""

    def __init__(self, control: socket.socket, limits: Limits) -> None:
        self._control = control
        self._limits = limits
        control.settimeout(NURSERY_SECONDS)
        self.layers = tuple(self._reply()["layers"])

    def start(self) -> Worker:
        ours, theirs = socket.socketpair()
        read, write = os.pipe()
        try:
            warm.send(self._control, {"op": "fork"}, [theirs.fileno(), write])
            pid = self._reply()["pid"]
        except OSError as error:
            ours.close()
            os.close(read)
            raise MachineError(f"the nursery cannot fork a worker: {error}") from error
        finally:
            theirs.close()
            os.close(write)
        channel = Channel(ours, payload_cap=self._limits.value_mb << 20)
        output = PipeOutput(read, self._limits.output_kb << 10)
        channel.watch(output)
        return Worker(channel, output, self, pid)

    def end(self, pid: int) -> int:
        try:
            warm.send(self._control, {"op": "end", "pid": pid})
        except OSError as error:
            raise MachineError(f"the nursery is gone: {error}") from error
        code: int = self._reply()["code"]
        return code

    def _reply(self) -> dict[str, Any]:
        reply, _ = warm.receive(self._control, 0)
        if reply is None or "failed" in reply:
            raise MachineError(f"the nursery failed: {reply['failed'] if reply else 'it is gone'}")
        return reply


class FileOutput:
    """A temporary file, for processes that share nothing else."""

    def __init__(self) -> None:
        self.file = tempfile.TemporaryFile()  # noqa: SIM115 -- closed in close()

    def text(self, limit: int) -> str:
        self.file.seek(0)
        return self.file.read(limit).decode("utf-8", "replace")

    def close(self) -> None:
        self.file.close()


class SpawnNursery:
    """Workers as processes of their own."""

    layers: tuple[str, ...] = ()

    def __init__(self, environment: dict[str, str]) -> None:
        self._environment = environment

    def start(self) -> Worker:
        output = FileOutput()
        process, sock = portable.start("worker", output.file.fileno(), self._environment)
        return Worker(Channel(sock), output, self, process)

    def end(self, process: subprocess.Popen[bytes]) -> int:
        process.kill()
        return process.wait(NURSERY_SECONDS)


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
        header, _ = self._import_step({"op": "load"})
        self.names = [n for n in header["ok"] if isinstance(n, str)] if isinstance(header["ok"], list) else []

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
            try:
                self.load()
            except LoadFailed as error:
                raise NoAnswer(error.verdict, error.reason) from error
        if call.function not in self.names:
            raise NoAnswer("failed", self._not_defined(call.function))
        request, parts = call.encode()
        try:
            request["cap"] = self._limits.value_mb << 20
            return Outcome.decode(*self._ask(request, parts, CALL_TIMEOUT))
        except wire.BadValue as error:
            raise self._lost(GARBLED) from error

    def _not_defined(self, function: str) -> Text:
        defined = self.facts.get("defines")
        names = [clean(n, 40) for n in defined[:8] if isinstance(n, str)] if isinstance(defined, list) else []
        found = plain(", ".join(names)) if names else say.NOTHING
        return say.NOT_DEFINED.format(file=f"{self._exercise}.py", wanted=function, found=found)

    def _ask(self, request: dict[str, Any], parts: list[memoryview], late: Text) -> tuple[dict[str, Any], bytearray]:
        assert self._worker is not None
        if self._left <= 0:
            raise self._lost(BUDGET.format(seconds=self._allowed), "timeout")
        allowed = min(self._limits.call_seconds, self._left)
        started = time.monotonic()
        nonce = secrets.token_hex(8)
        try:
            channel = self._worker.channel
            channel.send({**request, "nonce": nonce}, parts, started + allowed)
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
        code = self.close()
        return NoAnswer(verdict, reason or died(code))

    def close(self) -> int:
        """End the worker, if there is one; its exit code."""
        if self._worker is None:
            return 0
        worker, self._worker = self._worker, None
        limit = self._limits.output_kb * 1024
        self.printed = (self.printed + worker.output.text(limit))[:limit]
        return worker.end()


def died(code: int) -> Text:
    """Why a process is gone, from its exit code."""
    if code >= 0:
        return EXITED.format(code=code)
    if -code == getattr(signal, "SIGXCPU", None):
        return OUT_OF_CPU
    if -code == getattr(signal, "SIGKILL", None):
        return OUT_OF_MEMORY
    return KILLED.format(signal=plain(signal.strsignal(-code) or f"signal {-code}"))
