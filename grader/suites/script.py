"""The calls of a check, learned once for a seed: what comes next, and what the reference makes of it."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Sequence

import msgspec

from grader.errors import CourseError
from grader.sandbox.processes import PreparedCall
from grader.suites.reference import ExpectedCall, Reference
from grader.suites.target import Call, ExpectedAnswer, NothingAhead, Outcome

MOST_PREPARED = 32 << 20  # bytes of inputs


class Script(NothingAhead):
    """The calls of one check in the order in which it makes them.

    They are learned from a rehearsal in which the script itself answers, with the reference's outcomes. What a
    student's answers lead to is never learned: nothing of one student's reaches the next.
    """

    def __init__(self, key: Reference, prove: bool = False) -> None:
        self.key, self.prove = key, prove
        self._known: list[ExpectedCall] = []
        self._aside: list[ExpectedCall] = []
        self._chosen: list[Call] | None = None
        self._next = 0
        self._rehearsing = True

    def call(self, call: Call) -> Outcome:
        """Answer as a target does, with the reference's outcome."""
        return self._known[-1].outcome

    def rewind(self) -> list[ExpectedAnswer]:
        """Start again; the calls of the rehearsal, with the reference's answers."""
        self._next = 0
        self._rehearsing = False
        return [known.expected for known in self._known]

    def aside(self, call: Call) -> ExpectedCall:
        """Return what is known about a call that is not made for itself; it is kept like the others."""
        kept = next((known for known in self._aside if known.call.same(call)), None)
        if kept is None:
            kept = ExpectedCall(call, self.key)
            if self._rehearsing:
                self._aside.append(kept)
        return kept

    def once(self, choose: Callable[[], list[Call]]) -> list[Call]:
        """Return the calls that the rehearsal has chosen; it chooses them once for a seed."""
        found = choose() if self._chosen is None else self._chosen
        if self._rehearsing:
            self._chosen = found
        return found

    def to_come(self, function: str, most: int) -> list[ExpectedCall]:
        """Yield the function's next calls in the rehearsal whose results are compared and show a pattern."""
        alike = (k for k in self._known[self._next :] if k.compared and k.call.function == function)
        return list(itertools.islice((known for known in alike if known.shows_pattern), most))

    def know(self, call: Call, compared: bool = False) -> ExpectedCall:
        """Return what is known about the next call; if it differs from the rehearsal's, this is computed again.

        Args:
            compared: True if its result has to agree with the reference's.
        """
        position, self._next = self._next, self._next + 1
        if position < len(self._known) and self._known[position].call.same(call):
            return self._known[position]
        if call.function not in self.key.reference:
            raise CourseError(f"the suite calls {call.function!r}, which the solution does not define")
        known = ExpectedCall(call, self.key)
        known.compared = compared
        if self._rehearsing:
            self._known.append(known)
        return known


class PreparedCalls:
    """The calls of all checks of an exercise under one seed, for which workers can be prepared before they are forked.

    Inputs that a call must not change stand in memory that is each worker's own, and functions are no data.
    """

    def __init__(self, calls: Sequence[Call]) -> None:
        self._calls = [call for call in calls if not (call.watch or call.given or call.device != "cpu")]
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
