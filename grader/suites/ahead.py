"""Calls that are made before a check asks for them, so that neither the worker nor the grader waits for the other."""

from __future__ import annotations

import contextlib
import functools
import secrets
import time
from collections import deque
from collections.abc import Sequence

import msgspec

from grader.sandbox.processes import (
    NO_NONCE,
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
PATIENCE_WITH_ALL = 1.0  # the same for those to all calls of a file
MOST_PREPARED = 32 << 20  # bytes of inputs
_REPLY = msgspec.msgpack.Decoder(Reply).decode


class PreparedCalls:
    """The calls of all checks of an exercise under one seed, for which workers can be prepared before they are forked.

    Not those whose inputs the grader looks at, that need a worker set up for them, or that hand over functions.
    """

    def __init__(self, calls: Sequence[Call]) -> None:
        self._calls = [call for call in calls if not (call.watch or call.alone or call.memory or call.given)]
        self._numbers = {id(call): number for number, call in enumerate(self._calls)}

    def number(self, call: Call) -> int | None:
        """Return which of the calls this very one is; None if it is none of them."""
        return self._numbers.get(id(call))

    @functools.cached_property
    def content(self) -> bytes:
        """The list of `PreparedCall`, as a pool of workers takes it; empty if it is too large for each to have it."""
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

    A worker that was prepared for the calls of all checks makes them in one go, before the first check. Any other gets
    the calls of one check in one go.
    """

    def __init__(self, link: WorkerLink, calls: PreparedCalls | None) -> None:
        self._link, self._calls = link, calls
        self._all_begun = False
        self._made: list[bytes] = []
        """The answers to the first of the prepared calls."""
        self._begun: deque[tuple[ExpectedAnswer, bytes, int | None]] = deque()
        self._waiting: deque[ExpectedAnswer] = deque()

    def begin(self, calls: Sequence[ExpectedAnswer]) -> None:
        """Have these calls made; `answer` is asked for them in this order."""
        self.drop()
        if not calls or any(c.call.memory or c.call.given for c in calls):
            return  # what gets little memory gets it for itself alone, and functions are computed one call at a time
        if self._calls and self._link.prepared and not self._all_begun:
            self._all_begun = True
            self._make_all()
        self._waiting.extend(calls)
        self._go_on()

    def _make_all(self) -> None:
        """Have the worker make all calls that it was prepared for, or as many as it makes in PATIENCE_WITH_ALL seconds.

        A worker in which one of them hangs, or that falls silent or says anything else, is forgotten with all its
        answers and its time: where that comes from is found by the next one, in which each call is made for itself.
        """
        link, nonce = self._link, secrets.token_bytes(NONCE_BYTES)
        shared, done = link.shared, Packed(Called(), ()).frame(nonce)
        assert shared is not None
        link.alone(False)
        link.bounded(None)
        with link.counted(), contextlib.suppress(ChannelError, BrokenFrame):
            link.channel.send_bytes(Packed(CallPrepared(), ()).frame(nonce), time.monotonic() + PATIENCE_WITH_ALL)
            finished = link.channel.take(done, time.monotonic() + min(PATIENCE_WITH_ALL, link.left))
            if not finished:
                shared.stop()
                finished = link.channel.take(done, time.monotonic() + PATIENCE)
            if finished:
                self._made = list(each_frame(shared.answers()))
                return
        link.forget_worker()

    def _number(self, call: Call) -> int | None:
        """Return the number of a call whose answer is there."""
        number = self._calls.number(call) if self._calls else None
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
            right = all(self._made[number] == c.answer.frame(NO_NONCE) for c, number in made)
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
            return parsed(self._made[number], _REPLY)
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
