"""Names the mistake that loses gradients beside wrong values, which change all the other gradients."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from grader.diagnosis.alone import plainest
from grader.diagnosis.comparing import without_gradient
from grader.diagnosis.evidence import Evidence
from grader.diagnosis.replaying import replay, right
from grader.suites import Misconception


def behind(
    left: Sequence[Evidence], named: Sequence[Misconception], known: Sequence[Misconception],
    evidence: Sequence[Evidence],
) -> list[Misconception]:  # fmt: skip
    """Return the mistake that loses the gradients missing in these calls and keeps all values; none if several do.

    named: the mistakes behind the wrong values of the same functions. What these lose is theirs.
    """
    told = {function for m in named for function in m.functions}
    unlike = (e for e in left if not e.student.raised and without_gradient(e.student) != _lost(e, named))
    functions = told.intersection(e.call.function for e in unlike)

    def fits(m: Misconception) -> bool:
        values = [e for e in evidence if e.call.function in functions and "value" in e.promises]
        return functions <= m.functions.keys() and all(right(m.functions, e.call, e.due) for e in values)

    asked = (e for e in evidence if "gradient" in e.promises and not e.student.raised)
    mine = [e for e in asked if e.call.function in functions]
    fitting = [m for m in known if fits(m)] if functions else []
    return plainest([m for m in fitting if all(without_gradient(e.student) == _lost(e, [m, *named]) for e in mine)])


def _lost(e: Evidence, mistakes: Sequence[Misconception]) -> list[bool]:
    """Return for each gradient whether the solution has none, or one of the mistakes loses it."""
    mine = [replay(m.functions, e.call) for m in mistakes if e.call.function in m.functions]
    return [any(flags) for flags in itertools.zip_longest(*map(without_gradient, [e.due, *mine]), fillvalue=False)]
