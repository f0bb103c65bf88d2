"""Calls that are made before a check asks for them, so that neither the worker nor the grader waits for the other."""

from __future__ import annotations

import contextlib
import functools
import secrets
import time
from collections import deque
from collections.abc import Callable, Sequence

import msgspec

from grader.sandbox.processes import (
    NO_NONCE,
    SECONDS,
    BrokenFrame,
    Called,
    CallPrepared,
    ChannelError,
    Frame,
    Packed,
    PreparedCall,
    Reply,
    each_frame,
    parsed,
)  # fmt: skip
from grader.suites.target import Call, ExpectedAnswer, NoAnswer
from grader.suites.worker_link import NONCE_BYTES, WorkerLink

AHEAD_BYTES = 100_000
PATIENCE = 0.25  # seconds for the answers to all calls of a check; then each is waited for by itself
MOST_PREPARED = 32 << 20  # bytes of inputs
PATIENCE_WITH_ALL = 1.0  # the same for those to all calls of a file
_REPLY = msgspec.msgpack.Decoder(Reply).decode


class PreparedCalls:
    """The calls of all checks of an exercise under one seed, which a worker can make in one go.

    Not those whose inputs the grader looks at, that need a worker set up for them, or that hand over functions.
    """

    def __init__(self, calls: Sequence[Call]) -> None:
        self._calls = [c for c in calls if not (c.watch or c.alone or c.memory or c.given or c.device != "cpu")]
        self._numbers = {id(call): number for number, call in enumerate(self._calls)}
        self.functions = {call.function for call in self._calls}

    def number(self, call: Call) -> int | None:
        """Return which of the calls this very one is; None if it is none of them."""
        return self._numbers.get(id(call))

    @functools.cached_property
    def content(self) -> bytes:
        """The list of `PreparedCall`, as workers and pools of workers take it; empty if it is too large."""
        prepared = [PreparedCall(call.encoded[0], call.packed.payload) for call in self._calls]
        size = sum(len(call.payload) for call in prepared)
        return msgspec.msgpack.encode(prepared) if size <= MOST_PREPARED else b""


def request(link: WorkerLink, call: Call, nonce: bytes) -> bytes:
    """The frame that asks for a call; inputs that are watched stand where the grader sees them."""
    if call.watch and link.shared and (place := link.shared.put(nonce, call.packed.payload)):
        return call.placed(place).frame(nonce)
    return call.packed.frame(nonce)


class Ahead:
    """The calls of the check that runs: their answers are there, or on their way.

    A worker makes the calls of all checks in one go, before the first check. What is left over (see `PreparedCalls`),
    and what a worker makes that replaces one which was lost, is asked for check by check.
    """

    def __init__(self, link: WorkerLink) -> None:
        self._link = link
        self._all: PreparedCalls | None = None
        self._made: list[tuple[float, bytes]] = []
        """The answers to the first of all calls, and the seconds that each took."""
        self._begun: deque[tuple[ExpectedAnswer, bytes, int | None]] = deque()
        """Each call with the nonce of its answer, or the number of one that is made."""
        self._waiting: deque[ExpectedAnswer] = deque()

    def begin(self, calls: Sequence[ExpectedAnswer]) -> float:
        """Have these calls made; `answer` is asked for them in this order. Returns the seconds that made ones took."""
        self.drop()
        if any(c.call.memory or c.call.given for c in calls):
            return 0.0  # what gets little memory gets it for itself alone; functions are computed one call at a time
        self._waiting.extend(calls)
        self._go_on()
        return sum(self._made[number][0] for _, _, number in self._begun if number is not None)

    def make_all(self, functions: Sequence[str], all_calls: Callable[[], PreparedCalls]) -> None:
        """Have the worker make all calls, or as many as it makes in PATIENCE_WITH_ALL seconds; the first time.

        A worker in which one of them hangs, or that falls silent or says anything else, is forgotten with all its
        answers and its time: where that comes from is found by the next one, in which each call is made for itself.
        functions: those that the file has.
        """
        link, worker = self._link, self._link.worker
        if self._all or worker is None or (shared := worker.shared) is None or worker.on_gpu:
            return
        self._all = calls = all_calls()
        if not (calls.content and calls.functions.issubset(functions)):
            return
        link.alone(False)
        link.bounded(None)
        nonce = secrets.token_bytes(NONCE_BYTES)
        asked = Packed(CallPrepared(), () if worker.prepared else [calls.content]).frame(nonce)
        done, started = Packed(Called(), ()).frame(nonce), time.monotonic()
        shared.want_answers()
        with link.counted(), contextlib.suppress(ChannelError):
            link.channel.send_bytes(asked, started + PATIENCE_WITH_ALL)
            finished = link.channel.take(done, started + min(PATIENCE_WITH_ALL, link.left))
            if not finished:
                shared.stop_answers()
                finished = link.channel.take(done, time.monotonic() + PATIENCE)
            if finished:
                most = time.monotonic() - started
                for seconds, answer in each_frame(shared.answers()):
                    (took,) = SECONDS.unpack(seconds)
                    self._made.append((took if 0 <= took <= most else 0.0, answer))
                return
        self._made.clear()
        link.forget_worker()

    def _number(self, call: Call) -> int | None:
        """Return the number of a call whose answer is there."""
        number = self._all.number(call) if self._all else None
        return number if number is not None and number < len(self._made) else None

    def _go_on(self) -> None:
        """Take the calls that wait: all that are made, and of the others what the socket holds, one at least.

        A worker that is stuck in an answer reads nothing. The others follow once these are answered.
        """
        requests = bytearray()
        alone = any(c.call.alone for c in self._waiting)
        while self._waiting:
            call, nonce = self._waiting[0].call, NO_NONCE
            if (number := self._number(call)) is None:
                if not self._link.alive or not (requests or self._link.alone(alone)):
                    break
                nonce = secrets.token_bytes(NONCE_BYTES)
                asked = request(self._link, call, nonce)
                if requests and len(requests) + len(asked) > AHEAD_BYTES:
                    break
                requests += asked
            self._begun.append((self._waiting.popleft(), nonce, number))
        if requests:
            self._link.bounded(None)
            with self._link.counted(), contextlib.suppress(ChannelError):  # one that is gone is found at its answer
                self._link.channel.send_bytes(bytes(requests), time.monotonic() + self._link.limits.call_seconds)

    def as_expected(self) -> bool:
        """Return whether all calls have the expected answer, byte for byte, each lot within PATIENCE."""
        right, taken, answered = bool(self._begun), bytearray(), list[tuple[ExpectedAnswer, bytes, int | None]]()
        while right and self._begun:
            made = [(c, number) for c, _, number in self._begun if number is not None]
            right = all(self._made[number][1] == c.answer.frame(NO_NONCE) for c, number in made)
            answers = b"".join(c.answer.frame(nonce) for c, nonce, number in self._begun if number is None)
            if right and answers:
                with self._link.counted():
                    right = self._link.channel.take(answers, time.monotonic() + min(PATIENCE, self._link.left))
            if right:
                taken += answers
                answered += self._begun
                self._begun.clear()
                self._go_on()
        shared = self._link.shared
        if right and not self._waiting and not (shared and shared.touched()):
            return True
        if taken:
            self._link.channel.put_back(bytes(taken))
        self._begun.extendleft(reversed(answered))
        self._waiting.clear()
        return False

    def answer(self, call: Call) -> Frame | None:
        """Return the answer to a call, None if another one is the next. Raises NoAnswer."""
        if not self._begun or not self._begun[0][0].call.same(call):
            return None
        _, nonce, number = self._begun.popleft()
        if number is None:
            return self._link.receive(nonce)
        try:
            return parsed(self._made[number][1], _REPLY)
        except BrokenFrame as error:
            raise self._link.disturbed() from error

    def drop(self) -> None:
        """Forget the calls that the check did not ask for, since it failed before."""
        self._waiting.clear()
        while self._begun and self._link.alive:
            _, nonce, number = self._begun.popleft()
            if number is None:
                with contextlib.suppress(NoAnswer):
                    self._link.receive(nonce)
        self._begun.clear()
        if self._link.shared:
            self._link.shared.forget()

    def clear(self) -> None:
        """Forget the calls that a worker was asked for that is gone."""
        self._begun.clear()
