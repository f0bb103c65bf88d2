"""Gathers what there is to explain: every call of the checks, with the student's answer and the due one."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterable, Sequence

from grader.diagnosis import comparing
from grader.diagnosis.comparing import Promise, Same, agree
from grader.diagnosis.replaying import Functions, own_weights, precision, replay
from grader.suites import Call, CheckResult, Outcome

NO_SUCH_NAME = "got an unexpected keyword argument"


@dataclasses.dataclass(frozen=True)
class Evidence:
    """One call of a check: the student's answer, the reference's, and the promises that it tests.

    failed: True if the check failed, or met wrong values beside the promise that it is about.
    """

    check: str
    failed: bool
    call: Call
    student: Outcome
    due: Outcome
    promises: tuple[Promise, ...]

    @functools.cached_property
    def _compared(self) -> dict[tuple[Promise, int, Same | None], tuple[Outcome, bool]]:
        """The findings of `agrees`, each with the other answer, which must live on for its number to stay its own."""
        return {}

    def agrees(self, promise: Promise, other: Outcome, same: Same | None = None) -> bool:
        """Return whether the student's answer keeps or breaks a promise as the other does, see `agree`."""
        key = promise, id(other), same
        if key not in self._compared:
            self._compared[key] = other, agree(promise, self.call, self.student, other, same)
        return self._compared[key][1]

    @functools.cached_property
    def nothing_to_compare(self) -> bool:
        """True if all but NaN is right in the student's answer, and so in any part that a variant is held to."""
        return self.agrees("value", self.due, comparing.equal_but_for_nan)

    def broken(self, promise: Promise) -> bool:
        """Return True if the student's answer breaks a promise in a check that failed."""
        return self.failed and promise in self.promises and not self.agrees(promise, self.due)


def checks_of(evidence: Iterable[Evidence]) -> tuple[str, ...]:
    """Return the checks that the evidence comes from, each once."""
    return tuple(dict.fromkeys(e.check for e in evidence))


def collected(
    results: Sequence[CheckResult], reference: Functions, free: Callable[[Call], set[int]] | None = None
) -> list[Evidence]:
    """Return every call of the checks, first those in which a wider dtype changes nothing, so that one try is enough.

    Calls with a name that the student's function does not know are left out, since they never reached its computation;
    so are those of a module that drew its own weights, since its values are its own, and values too large to be noted.

    Args:
        free: the leaves of a call's result that are the student's choice, the same in every call of a function.
    """
    found = []
    for r in results:
        for call, outcome in r.calls:
            if outcome.raised and not outcome.raised.lines and NO_SUCH_NAME in outcome.raised.message:
                continue
            if outcome.dropped or own_weights(call, reference):
                continue
            due = replay(reference, call)
            tested = comparing.tested(call, due)
            found.append(Evidence(r.id, r.verdict == "failed" or r.wrong_values, call, outcome, due, tested))
    if free:
        plain = {e.call.function: e.call for e in found if not (e.call.contract or e.call.turns or e.due.raised)}
        chosen = {function: free(call) for function, call in plain.items()}
        for e in found:
            e.call.free.update(chosen.get(e.call.function, ()))
    return sorted(found, key=lambda e: -precision(e.call))
