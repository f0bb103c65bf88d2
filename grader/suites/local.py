"""Functions of ours as a target: called in this process, through the code that calls a student's in a worker."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from grader.sandbox.processes import Packed, Raised, Returned
from grader.sandbox.worker import worker
from grader.suites.given import Answering
from grader.suites.target import Call, ExpectedAnswer, Outcome


class LocalTarget:
    """Trusted functions in this process (a solution, a misconception), answering as a worker would."""

    def __init__(self, functions: Mapping[str, Callable[..., Any]], traced: bool = True) -> None:
        self._session = worker.Session(dict(functions), traced=traced)
        self._made: deque[tuple[Call, Returned | Raised, list[bytes]]] = deque()

    def expect(self, calls: Sequence[ExpectedAnswer]) -> tuple[Sequence[bool], float]:
        self._made.clear()
        if any(c.call.given for c in calls):  # how often these are called counts too
            return (), 0.0
        for expected in calls:
            reply, parts, _ = self.answer(expected.call)
            self._made.append((expected.call, reply, parts))
            if Packed(reply, parts) != expected.answer:
                return (), 0.0
        self._made.clear()
        return [True] * len(calls), 0.0

    def call(self, call: Call) -> Outcome:
        if self._made and self._made[0][0].same(call):
            counts: list[int] = []
            _, reply, parts = self._made.popleft()
        else:
            self._made.clear()
            reply, parts, counts = self.answer(call)
        return Outcome.decode(reply, bytearray(b"".join(parts)), tuple(counts))

    def answer(self, call: Call) -> tuple[Returned | Raised, list[bytes], list[int]]:
        """The reply that a worker would send, and how often the functions that it is given were called."""
        request, parts = call.encoded
        answering = Answering(call.given)
        reply, answered = self._session.answer(request, bytearray(b"".join(parts)), answering.here)
        assert isinstance(reply, Returned | Raised)
        return reply, answered, answering.counts
