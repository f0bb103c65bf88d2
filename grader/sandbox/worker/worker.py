"""The only code beside the student's that runs inside the sandbox: import the source, serve calls.

It holds no expected value, no suite and no secret. Everything it answers is the student's claim.
"""

from __future__ import annotations

import contextlib
import ctypes
import faulthandler
import io
import linecache
import os
import signal
import socket
import sys
import time
import warnings
from typing import Any, TextIO

import msgspec

from grader.arrays import torch
from grader.sandbox.processes.channel import NO_NONCE, OWN_CAP, Channel, ChannelError, Packed
from grader.sandbox.processes.pool_server import hide_kit
from grader.sandbox.processes.values import Withheld
from grader.sandbox.processes.worker_messages import (
    Called,
    CallFunction,
    CallPrepared,
    Evaluate,
    Evaluated,
    FindEdits,
    Inspect,
    LeftOut,
    Load,
    Loaded,
    PreparedCall,
    Raised,
    ReadSheet,
    Ready,
    Renew,
    Renewed,
    Reply,
    Request,
    Returned,
)
from grader.sandbox.worker import answer_sheet, edits, import_stubs, recording
from grader.sandbox.worker.callbacks import Ask, Line
from grader.sandbox.worker.calls import Payload, PreparedInputs, call
from grader.sandbox.worker.forbidden import withhold
from grader.sandbox.worker.inspection import inspect
from grader.sandbox.worker.reset import InitialState
from grader.sandbox.worker.source import Program, describe, is_unwritten, run_program

M_MMAP_THRESHOLD = -3
MAX_FUNCTIONS = 5000  # `from torch import *` alone brings a thousand


_CLOCK = time.perf_counter  # before a file replaces it
_DECODE_CALLS = msgspec.msgpack.Decoder(list[PreparedCall]).decode
_PREPARED: dict[tuple[str, ...], set[str]] = {}
"""The calls that were withheld in this process before it was forked, with what notes who tries them."""
_CALLS: list[PreparedInputs] = []
"""The calls whose inputs were decoded in this process before it was forked."""


class Session:
    """One student file: its source, then its functions."""

    def __init__(
        self, functions: dict[str, Any] | None = None, inputs: memoryview | None = None, traced: bool = True
    ) -> None:
        self._inputs, self._traced = inputs, traced
        self._functions = functions or {}
        self._name = ""
        self._program: Program | None = None
        self._cap: int | None = None
        self._called: set[str] = set()
        self._initial: InitialState | None = None

    def answer(self, request: Request, payload: Payload, ask: Ask | None = None) -> tuple[Reply, list[bytes]]:
        """Return the reply to one request; `Inspect`, `ReadSheet` and `FindEdits` execute nothing.

        ask: computes a function that a call was given.
        """
        line = Line(ask)
        if isinstance(request, CallFunction) and request.shared and self._inputs:
            start, size = request.shared
            payload = self._inputs[start : start + size]
        try:
            reply, parts = self._obeyed(request, payload, line)
        except BaseException as error:  # sys.exit() and KeyboardInterrupt are answers too
            reply, parts = describe(error, self._name), []
        line.close()
        if self._called and isinstance(reply, Returned | Raised):
            reply = msgspec.structs.replace(reply, operators=(*sorted(self._called), *reply.operators))
        return reply, parts

    def _obeyed(self, request: Request, payload: Payload, line: Line) -> tuple[Reply, list[bytes]]:
        match request:
            case Inspect(name=name):
                self._name = name
                found, self._program = inspect(request)
                return found, []
            case Renew(device):
                return Renewed(self._renewed(device)), []
            case ReadSheet(source, cap, questions, prose):
                return answer_sheet.read(source, cap, questions, prose)
            case FindEdits():
                return edits.find(request), []
            case Load():
                return self._loaded(request), []
            case CallFunction(function=function) if request.record:
                return recording.call(self._functions[function], request, payload, self._cap, self._name, line)
            case CallFunction(function=function):
                return call(self._functions[function], request, payload, self._cap, line, self._traced)
            case CallPrepared():
                return self._all_called(request, payload)

    def _loaded(self, asked: Load) -> Loaded:
        """Run the file that was inspected."""
        assert self._program is not None
        self._cap = asked.cap
        undo = self._initial.undo if self._initial else None
        if (prepared := _PREPARED.pop(asked.forbid, None)) is not None:
            self._called = prepared
        else:
            withhold(asked.withheld, asked.forbid, self._called, undo)
        import_stubs.install(self._name)
        left_out: list[LeftOut] = []
        self._functions = run_program(self._program, self._name, left_out, undo)
        names = (n for n, f in self._functions.items() if type(n) is str and len(n) <= 100 and callable(f))
        loaded = sorted(names)[:MAX_FUNCTIONS]
        unwritten = tuple(n for n in loaded if is_unwritten(self._functions[n]))
        return Loaded(loaded, unwritten, tuple(left_out))

    def _all_called(self, asked: CallPrepared, given: Payload) -> tuple[Called, list[bytes]]:
        """Make the calls until the time is over, or the answers are as large as one may be."""
        if isinstance(given, bytearray) and given:
            _CALLS[:] = map(PreparedInputs, _DECODE_CALLS(given))
        room, end, started = self._cap or 0, _CLOCK() + asked.seconds, _CLOCK()
        seconds, answers = list[float](), list[bytes]()
        for inputs in _CALLS[asked.first :]:
            answer = Packed(*self.answer(inputs.request, inputs)).frame(NO_NONCE)
            flush()
            room, since, started = room - len(answer), started, _CLOCK()
            if room < 0:
                break
            seconds.append(started - since)
            answers.append(answer)
            if started > end:
                break
        return Called(tuple(seconds)), answers

    def _renewed(self, device: str) -> bool:
        """Forget the last file and what it did; return True if nothing of it is left."""
        self._functions, self._program = {}, None
        self._called.clear()
        if self._initial is None:
            self._initial = InitialState(device)
            return True
        return self._initial.put_back()


def prepare(forbid: tuple[str, ...], withheld: Withheld, calls: bytes) -> None:
    """Decode the inputs of these calls, and take the forbidden ones out of torch, in a process that forks workers.

    None of them need do it then.
    """
    _CALLS[:] = map(PreparedInputs, _DECODE_CALLS(calls) if calls else ())
    called = set[str]()
    withhold(withheld, forbid, called)
    _PREPARED[forbid] = called


def serve(channel: Channel, shared: memoryview | None = None) -> None:
    """Answer requests until the grader closes the channel."""
    session = Session(inputs=shared)
    channel.send(Ready())
    while True:
        try:
            request, payload, nonce = channel.receive()
        except ChannelError:
            return
        if isinstance(request, CallFunction) and request.bounded:
            give_back_at_once()

        def ask(asked: Evaluate, parts: list[bytes], nonce: bytes = nonce) -> tuple[Evaluated, bytearray]:
            channel.send(asked, parts, nonce)
            answer, payload, _ = channel.receive()
            return answer, payload

        reply, parts = session.answer(request, payload, ask)
        flush()
        channel.send(reply, parts, nonce)


def flush() -> None:
    """Pass on what the student's code has printed."""
    with contextlib.suppress(BaseException):  # its file may have closed or replaced the stream
        sys.stdout.flush()


def give_back_at_once() -> None:
    """Return freed memory to the system from now on: gaps between two used blocks would count."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if mallopt:  # of glibc
        mallopt(M_MMAP_THRESHOLD, 1 << 14)


def show_own(
    message: Warning | str, category: type[Warning], filename: str, lineno: int, file: TextIO | None = None,
    line: str | None = None,
) -> None:  # fmt: skip
    """Show the warnings of the student's file; torch's warnings are no output of the student's."""
    if not os.path.isabs(filename) and "warn" in linecache.getline(filename, lineno):
        (file or sys.stderr).write(warnings.formatwarning(message, category, filename, lineno, line))


def run(sock: socket.socket, shared: memoryview | None = None) -> None:
    """Serve, then exit without running anything that the student registered for the end of the process.

    shared: memory that the grader sees too, see `shared_memory`.
    """
    warnings.showwarning = show_own
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # what was printed before a hang is what a learner needs most
            stream.reconfigure(line_buffering=True)
    if hasattr(signal, "SIGUSR1"):  # asked for by a grader that has waited long enough
        faulthandler.register(signal.SIGUSR1, file=2, all_threads=False)
    try:
        serve(Channel(sock, Request | Evaluated, message_cap=OWN_CAP), shared)
    finally:
        os._exit(0)


def run_alone(sock: socket.socket) -> None:
    """Do the same in a process of its own, for which nothing was prepared."""
    if torch is not None:
        torch.set_num_threads(1)
    hide_kit()
    run(sock)
