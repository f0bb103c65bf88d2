"""Calls that a worker makes in one go before a check asks for them, so that neither side waits for the other."""

from __future__ import annotations

import functools
import secrets
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec

from grader.sandbox.processes import (
    ALIGNED,
    NO_NONCE,
    ROOM,
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
from grader.suites.target import Call, ExpectedAnswer
from grader.suites.worker_link import NONCE_BYTES, WorkerLink

MOST_PREPARED = 32 << 20  # bytes of inputs
IN_ONE_GO = 1.0  # seconds after which a worker tells what it has made so far
PATIENCE = 0.25  # seconds more that it gets for the call that it is at
_REPLY = msgspec.msgpack.Decoder(Reply).decode


class PreparedCalls:
    """The calls of all checks of an exercise under one seed, which a worker can make in one go.

    Not those that need a worker set up for them, or that hand over functions. Brief ones, in which honest code may seem
    to hang, come last.
    """

    def __init__(self, calls: Sequence[Call]) -> None:
        self._calls: list[Call] = []
        self._numbers: dict[int, int] = {}
        self._places: dict[int, tuple[int, int]] = {}
        """Offset and size of the inputs that are watched, by the call's number."""
        self.watched = b""
        """These inputs, each at its place."""
        for call in sorted(calls, key=lambda c: c.brief):
            if not (call.alone or call.memory or call.given or call.device != "cpu"):
                self._add(call)

    def _add(self, call: Call) -> None:
        number = len(self._calls)
        if call.watch:
            start, inputs = len(self.watched), call.packed.payload
            if start + len(inputs) > ROOM:
                return
            self.watched += inputs + bytes(-len(inputs) % ALIGNED)
            self._places[number] = start, len(inputs)
        self._calls.append(call)
        self._numbers[id(call)] = number

    @property
    def count(self) -> int:
        """The number of calls."""
        return len(self._calls)

    @functools.cached_property
    def ordinary(self) -> int:
        """The number of calls that are not brief."""
        return sum(not call.brief for call in self._calls)

    def number(self, call: Call) -> int | None:
        """Return which of the calls this very one is; None if it is none of them."""
        return self._numbers.get(id(call))

    def inputs_of(self, number: int, watched: bytes) -> bytes | None:
        """Return the inputs of a call as they stand in what is left of those `watched`; None if they are not."""
        start, size = self._places.get(number, (0, -1))
        return None if size < 0 else watched[start : start + size]

    @functools.cached_property
    def content(self) -> bytes:
        """The list of `PreparedCall`, as workers and pools of workers take it; empty if there is none or too much."""
        requests = (call.encoded[0] for call in self._calls)
        placed = [msgspec.structs.replace(r, shared=self._places.get(n)) for n, r in enumerate(requests)]
        prepared = [PreparedCall(r, call.packed.payload) for r, call in zip(placed, self._calls, strict=True)]
        size = sum(len(call.payload) for call in prepared)
        return msgspec.msgpack.encode(prepared) if prepared and size <= MOST_PREPARED else b""


class MadeCall(NamedTuple):
    """A worker's claims about a call: the seconds that it took, its answer, and what it left of its inputs.

    inputs: None if they are not watched, or not where the grader sees them.
    """

    seconds: float
    answer: bytes
    inputs: bytes | None


class Ahead:
    """The calls of all checks, which a worker makes in one go.

    A call that is not among those made is left to be made when it is asked for.
    """

    def __init__(self, link: WorkerLink) -> None:
        self._link = link
        self._all: PreparedCalls | None = None
        self._made: list[MadeCall] = []
        """The first of all calls."""

    def make_all(self, all_calls: Callable[[], PreparedCalls]) -> None:
        """Have the worker make all calls; the first time.

        A worker in which one of them hangs, or that falls silent or says anything else, is forgotten with all its
        answers and its time: where that comes from is found by the next one, in which each call is made for itself.
        Where only brief ones are left, the answers are kept.
        """
        link, worker = self._link, self._link.worker
        if self._all or worker is None or worker.on_gpu:
            return
        self._all = all_calls()
        content = self._all.content
        if not content:
            return
        link.alone(False)
        link.bounded(None)
        if worker.shared:
            worker.shared.put(self._all.watched)
        try:
            more = self._make(b"" if worker.prepared else content)
            while more and len(self._made) < self._all.count and link.left > IN_ONE_GO + PATIENCE:
                more = self._make()
        except ChannelError:
            if len(self._made) < self._all.ordinary:
                self._made.clear()
                link.forget_worker()
            else:
                link.lost(link.used_up, "timeout")

    def _make(self, content: bytes = b"") -> bool:
        """Have the worker make the calls that follow; return False if it made none. Raises ChannelError.

        content: the calls, if the worker does not have them.
        """
        assert self._all is not None
        link, nonce, started = self._link, secrets.token_bytes(NONCE_BYTES), time.monotonic()
        seconds = min(IN_ONE_GO, max(0.0, link.left))
        asked = Packed(CallPrepared(len(self._made), seconds), [content]).frame(nonce)
        with link.counted():
            link.channel.send_bytes(asked, started + seconds)
            message, payload, came = link.channel.receive(started + seconds + PATIENCE)
        if came != nonce or not isinstance(message, Called):
            raise BrokenFrame("an answer to another question")
        answers, most = [*each_frame(payload)], time.monotonic() - started
        if len(answers) != len(message.seconds) or len(self._made) + len(answers) > self._all.count:
            raise BrokenFrame("not an answer to each call")
        watched = link.shared.left() if link.shared else None
        for took, answer in zip(message.seconds, answers, strict=True):
            inputs = None if watched is None else self._all.inputs_of(len(self._made), watched)
            self._made.append(MadeCall(took if 0 <= took <= most else 0.0, answer, inputs))
        return bool(answers)

    def _of(self, call: Call) -> MadeCall | None:
        number = self._all.number(call) if self._all else None
        return self._made[number] if number is not None and number < len(self._made) else None

    def expect(self, calls: Sequence[ExpectedAnswer]) -> tuple[Sequence[bool], float]:
        """See `Target.expect`; an answer is as expected if it is so byte for byte."""
        made = [(m, expected) for expected in calls if (m := self._of(expected.call))]
        as_expected = [
            m.answer == e.answer.frame(NO_NONCE) and m.inputs in (None, e.call.packed.payload) for m, e in made
        ]
        return as_expected if len(made) == len(calls) else (), sum(m.seconds for m, _ in made)

    def answer(self, call: Call) -> tuple[Frame, bytes | None, float] | None:
        """Return the answer to a call, what it left of watched inputs, and its seconds; None if it is not made.

        Raises NoAnswer.
        """
        if not (made := self._of(call)):
            return None
        try:
            return parsed(made.answer, _REPLY), made.inputs, made.seconds
        except BrokenFrame as error:
            raise self._link.disturbed() from error
