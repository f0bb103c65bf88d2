"""The calls of a check that goes on after a failed one: this tells a slip in a corner from code that is of no use."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from grader.suites.api import CheckFailed
from grader.suites.target import Call, NoAnswer, Outcome, Recorder, Target

if TYPE_CHECKING:
    from grader.suites.probes import Probe


class Tally:
    """The number of calls that a check has made, and what was wrong with those that failed."""

    def __init__(self) -> None:
        self._made = Counter[str]()
        self.failed: list[CheckFailed] = []

    def ask(self, probe: Probe, call: Call) -> Any:
        """Make a call, count it, and return its result."""
        self._made[call.function] += 1
        try:
            return (probe.aside() if self.failed else probe).answered(call)
        except CheckFailed as failed:
            if not failed.begun:
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
        return any(none[function] == made for function, made in self._made.items())

    def end(self, useless: bool) -> None:
        """Fail with the reason of the first failed call, if any; `useless`: nobody could use the code."""
        if self.failed:
            self.failed[0].useless = useless
            raise self.failed[0]


class Aside:
    """A target for calls that no diagnosis sees."""

    def __init__(self, target: Target) -> None:
        self._target = target

    def call(self, call: Call) -> Outcome:
        """Raises NoAnswer when no valid answer came."""
        return self._target.unnoted(call) if isinstance(self._target, Recorder) else self._target.call(call)
