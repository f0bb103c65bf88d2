"""The calls of a check, learned once for a seed: what comes next, and what the reference makes of it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

from grader.errors import CourseError
from grader.suites.api import CheckFailed
from grader.suites.reference import ExpectedCall, Judge, Reference
from grader.suites.target import Call, ExpectedAnswer, NoAnswer, Outcome, Recorder


class NothingAhead:
    """A target that makes no call before it comes."""

    def expect(self, _calls: Sequence[ExpectedAnswer]) -> tuple[Sequence[bool], float]:
        """Return nothing: every call is to come."""
        return (), 0.0


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

    def found_right(self, target: Recorder, as_expected: Sequence[bool], one_by_one: bool) -> bool:
        """Return whether each call has the expected answer, or else one in which its probe finds nothing wrong.

        Args:
            target: answers the calls, and takes note of those that are not made for it.
            as_expected: for each call, whether its answer is the expected one; empty if they are yet to be made.
            one_by_one: whether other answers are judged: the check asks no more than its probes do of each call.
        """
        if not as_expected or not (one_by_one or all(as_expected)):
            return False
        try:
            for known, same in zip(self._known, as_expected, strict=True):
                if same:
                    target.note(known.call, known.outcome)
                elif known.probe:
                    known.probe.judge(known, target)
                else:
                    return False
        except (CheckFailed, NoAnswer):
            return False
        return True

    def know(self, call: Call, probe: Judge | None = None) -> ExpectedCall:
        """Return what is known about the next call; if it differs from the rehearsal's, this is computed again."""
        position, self._next = self._next, self._next + 1
        if position < len(self._known) and self._known[position].call.same(call):
            return self._known[position]
        if call.function not in self.key.reference:
            raise CourseError(f"the suite calls {call.function!r}, which the solution does not define")
        known = ExpectedCall(call, self.key)
        known.probe = probe
        if self._rehearsing:
            self._known.append(known)
        return known
