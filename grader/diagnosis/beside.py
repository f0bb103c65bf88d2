"""A student's steps beside the solution's: which are the same, which are wrong, which the solution does not take."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Literal

from grader.arrays import Tensor
from grader.diagnosis import steps
from grader.diagnosis.comparing import agree
from grader.diagnosis.first_wrong_step import MOST_STEPS
from grader.diagnosis.steps import Run, Solution, Step, Way
from grader.suites import Call, Outcome

State = Literal["right", "wrong", "other", "unknown"]


@dataclasses.dataclass(frozen=True, eq=False)
class Beside:
    """A step, and what the solution has in its place, with the axes in the student's order.

    wrong: it stands for a step of the solution with other values. other: no step of the solution corresponds to it.
    unknown: nobody can tell, for its values are not known. first: whether the result is wrong from here on.
    """

    step: Step
    state: State
    expected: Tensor | None = None
    first: bool = False


def beside(call: Call, came: Outcome, taken: Sequence[Step], run: Solution) -> list[Beside]:
    """Each step of the student's with what corresponds to it in the solution.

    A step before the first wrong one is the solution's if it has its value. One after it is, if the solution comes to
    its value as well once the wrong values stand in it.
    """
    base = run({})
    own, way = steps.own_steps(taken, base), _way(call, came, taken, base, run)
    after = run(way[-1].instead) if way else base
    slips = {slip.step: slip for slip in way}
    found = []
    for k, step in enumerate(taken):
        at = own[k]
        if k in slips:
            found.append(_wrong(step, slips[k].due, first=k == min(slips)))
        elif not step.entries.numel():
            found.append(Beside(step, "unknown"))
        elif at is not None and (value := _as_in(step.value, base.steps[at].value, same=True)) is not None:
            found.append(Beside(step, "right", value))
        else:
            follows = next(
                (i for i, other in enumerate(after.steps) if way and steps.same(step, other)), len(base.steps)
            )
            due = base.steps[follows] if follows < len(base.steps) else None
            found.append(_wrong(step, due.value if due and due.entries.numel() else None))
    return found


def _way(call: Call, came: Outcome, taken: Sequence[Step], base: Run, run: Solution) -> Way:
    """The steps that explain a wrong result, as few as can be; none where that is not known."""
    if came.raised or base.outcome.raised or len(taken) > MOST_STEPS or agree("value", call, came, base.outcome):
        return ()
    return min(steps.ways(call, came, taken, run), key=lambda way: (len(way), way[0].step), default=())


def _wrong(step: Step, due: Tensor | None, first: bool = False) -> Beside:
    value = None if due is None else _as_in(step.value, due)
    return Beside(step, "other" if value is None else "wrong", value, first)


def _as_in(value: Tensor, due: Tensor, same: bool = False) -> Tensor | None:
    """What is due in the shape of the value, in the order of axes in which they agree if there is one.

    same: only where they agree, to the signs of infinities.
    """
    fitting = list(steps.turned(due, value.shape))
    close = (t for t in fitting if steps.near(value.double(), t.double()))
    signs = (Tensor.isposinf, Tensor.isneginf)
    alike = (t for t in close if all(bool((sign(value) == sign(t)).all()) for sign in signs))
    return next(alike, fitting[0] if fitting and not same else None)
