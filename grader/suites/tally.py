"""The calls of a check that goes on after a failed one: this tells a slip in a corner from code that is of no use."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from grader import arrays, pytree
from grader.suites.api import CheckFailed
from grader.suites.target import Answers, Call, NoAnswer, Outcome, Recorder

if TYPE_CHECKING:
    from grader.suites.probes import Probe


class Tally:
    """The number of calls that a check has made, and what was wrong with those that failed."""

    def __init__(self) -> None:
        self.made = Counter[str]()
        self.calls: list[Call] = []
        self.failed: list[CheckFailed] = []
        self.probes: dict[str, Any] = {}
        """The probe that asked each function last."""

    def ask(self, probe: Probe, call: Call) -> Any:
        """Make a call, count it, and return its result."""
        self.made[call.function] += 1
        self.calls.append(call)
        self.probes[call.function] = probe
        try:
            return (probe.aside() if self.failed else probe).answered(call)
        except CheckFailed as failed:
            if not failed.attempted:
                raise
            self.failed.append(failed)
        except NoAnswer:
            if self.failed:
                raise self.failed[0] from None
            raise
        return probe.due(call)

    @property
    def nothing_came(self) -> bool:
        """True if some function gave nothing in any of its calls."""
        none = Counter(failed.call.function for failed in self.failed if failed.nothing and failed.call)
        return any(none[function] == made for function, made in self.made.items())

    def end(self, useless: bool) -> None:
        """Fail with the reason of the first failed call, if any; `useless`: nobody could use the code."""
        if self.failed:
            self.failed[0].useless = useless
            raise self.failed[0]


class Counts(Protocol):
    """A collector of calls that a probe asks in place of making each itself."""

    failed: list[CheckFailed]

    def ask(self, probe: Probe, call: Call) -> Any:
        """Make the call or leave it out, and return a result."""


class Again:
    """One more call of each function that a tally has seen; all other calls are left out.

    turn: which of those that come: the first, the second, and so on round the number that the tally has seen.
    """

    def __init__(self, tally: Tally, turn: int) -> None:
        self._tally, self._turn = tally, turn
        self._before, self._seen = Counter(tally.made), Counter[str]()
        self.failed = tally.failed

    def ask(self, probe: Probe, call: Call) -> Any:
        """Make the call if it is the one, and return its result."""
        number, before = self._seen[call.function], self._before[call.function]
        self._seen[call.function] += 1
        return self._tally.ask(probe, call) if before and number == self._turn % before else probe.due(call)


class Cheap:
    """The calls that cost the reference at most so much, of those that come; none is made."""

    def __init__(self, most: float) -> None:
        self._most = most
        self.calls: list[Call | None] = []
        """None in the place of each call that is not cheap."""
        self.failed: list[CheckFailed] = []

    def ask(self, probe: Probe, call: Call) -> Any:
        """Keep the call if it is cheap, and return the result that is due."""
        self.calls.append(call if probe.cost(call) <= self._most else None)
        return probe.due(call)


class Costs:
    """Passes the calls of an example on to a tally, and keeps for each whether it costs the reference little."""

    def __init__(self, tally: Tally, most: float) -> None:
        self._tally, self._most = tally, most
        self.calls: list[tuple[str, bool]] = []
        self.failed = tally.failed

    def ask(self, probe: Probe, call: Call) -> Any:
        """Make the call, and return its result."""
        self.calls.append((call.function, probe.cost(call) <= self._most))
        return self._tally.ask(probe, call)


class Chosen:
    """Some calls of an example, told by their numbers; all others are left out."""

    def __init__(self, tally: Tally, chosen: Iterable[bool]) -> None:
        self._tally, self._chosen = tally, iter(chosen)
        self.failed = tally.failed

    def ask(self, probe: Probe, call: Call) -> Any:
        """Make the call if it is one of them, and return its result."""
        return self._tally.ask(probe, call) if next(self._chosen, False) else probe.due(call)


class Results:
    """The errors of the results of a check's calls; those of parts that are the student's choice do not count."""

    def __init__(self) -> None:
        self.failed: list[CheckFailed] = []
        self._found: dict[str, list[tuple[Call, float, float]]] = {}

    def ask(self, probe: Probe, call: Call) -> Any:
        """Make the call, note how far its result is off, and return it."""
        result, known = probe.answered(call), probe.known(call)
        allowed = iter(known.allowed)
        off = size = 0.0
        for leaf, due in zip(pytree.leaves(result), known.exact, strict=True):
            if isinstance(due, np.ndarray) and np.isfinite(next(allowed)).all() and arrays.is_real(leaf):
                came = arrays.exact(leaf)
                seen = np.isfinite(came) & np.isfinite(due)
                off, size = off + np.square((came - due)[seen]).sum(), size + np.square(due[seen]).sum()
        self._found.setdefault(call.function, []).append((call, off, size))
        return result

    def average(self) -> Iterator[tuple[Call, float]]:
        """Yield for each function the call that is off most, and the root of the mean square of all errors, a share."""
        for found in self._found.values():
            size = sum(size for *_, size in found)
            yield max(found, key=lambda f: f[1])[0], math.sqrt(sum(off for _, off, _ in found) / size) if size else 0.0


class Aside:
    """A target for calls that no diagnosis sees."""

    def __init__(self, target: Answers) -> None:
        self._target = target

    def call(self, call: Call) -> Outcome:
        """Raises NoAnswer when no valid answer came."""
        return self._target.unnoted(call) if isinstance(self._target, Recorder) else self._target.call(call)
