"""Finds the student's steps that explain a wrong result, by an experiment.

The solution is run with a value of the student's in the place of one of its own steps. If it then gives the student's
wrong result, all that follows this step is right, and the value is what is wrong. No right value is sent to a student's
process for this.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from grader.arrays import Tensor
from grader.diagnosis.comparing import agree
from grader.diagnosis.step import MOST_STEPS, Step, placed, same
from grader.sandbox.worker.recording import BACKWARD, Steps
from grader.suites import Call, LocalTarget, Outcome

MOST_RUNS = 60  # of the solution, for one wrong step of one call
MOST_BETWEEN = 6  # steps of the solution for one of the student's, such as a softmax


@dataclasses.dataclass(frozen=True)
class Slip:
    """A wrong step of the student's, with its value and the value that is needed there.

    place: of the value that is needed, among the solution's steps. found: True if each tensor that goes into it is one
    of the solution's. before: True if there are such tensors, and they are those that are needed there. missing: True
    if the value is the solution's, too, but of an earlier step. instead: all values of the student's that stand in the
    solution by then, this one among them.
    """

    step: int
    line: int
    caller: int
    place: int
    came: Tensor
    due: Tensor
    found: bool
    before: bool
    missing: bool
    instead: Mapping[int, Tensor]


@dataclasses.dataclass(frozen=True)
class Run:
    """The solution's answer and its steps."""

    outcome: Outcome
    steps: Sequence[Step]

    @functools.cached_property
    def first(self) -> list[int | None]:
        """The number of the first step that has the value of each step."""
        return own_steps(self.steps, self)


Way = tuple[Slip, ...]
Solution = Callable[[Mapping[int, Tensor]], Run]
"""Runs the solution with other values in the place of some of its steps."""


def solution(function: Callable[..., object], file: str, call: Call) -> Solution:
    """Return the solution as it answers this call."""

    def run(instead: Mapping[int, Tensor]) -> Run:
        with Steps(file, instead) as recorder:
            outcome = LocalTarget({call.function: function}, traced=False).call(call)
        return Run(outcome, [Step(*step) for step in recorder.records])

    return run


def ways(
    call: Call, came: Outcome, taken: Sequence[Step], run: Solution, lines: Collection[int] = (), most: int = 2
) -> list[Way]:
    """Return each way in which the student's steps explain the answer: one wrong step, all of one line, or two.

    In a loop, one line is many steps, and no single one is tried.
    lines: the lines of the wrong steps, if they are known. most: the number of wrong steps that are looked for.
    """
    base, given = run({}), bool(call.arrays or call.made)
    own = own_steps(taken, base)
    wrong = [n for n, at in enumerate(own) if at is None]
    alone: list[Way] = []
    pairs = []
    gap: Slip | None = None
    for tried, slip in _tried(taken, own, base, {}, -1, given) if len(taken) <= MOST_STEPS else ():
        if gap and (slip.missing or slip.place != gap.place):
            continue  # a step is missing behind it, unless a later, wrong one stands for that
        if (lines and slip.line not in lines) or any(slip.line == known.line for (known, *_) in alone):
            continue
        found = run(tried)
        if agree("value", call, found.outcome, came):
            gap = gap or (slip if slip.found and slip.missing else None)
            alone = [(slip,)] if gap else [*alone, (slip,)]
            if slip.found and not gap:
                return alone
        elif most > 1 and not alone and (ahead := _further(wrong, slip.step, taken, found)):
            pairs.append((ahead, slip, tried, found))
    alone = alone or _of_one_line(call, came, taken, own, base, run, given)
    if alone or not pairs:
        return alone
    _, first, tried, found = max(pairs, key=lambda p: (p[0], -p[1].step))
    for more, slip in _tried(taken, own_steps(taken, found), found, tried, first.step, given):
        if (not lines or slip.line in lines) and agree("value", call, run(more).outcome, came):
            whole = dataclasses.replace(first, instead=more)
            return [(first, slip) if slip.line != first.line else (whole,)]
    return []


def own_steps(taken: Sequence[Step], run: Run) -> list[int | None]:
    """Return the solution's step for each of these; None for a wrong step, or one that takes another way."""
    alike: dict[tuple[int, int], list[int]] = {}
    for i, own in enumerate(run.steps):
        alike.setdefault(own.sums[:2], []).append(i)
    return [next((i for i in alike.get(step.sums[:2], ()) if same(step, run.steps[i])), None) for step in taken]


def _tried(
    taken: Sequence[Step], own: Sequence[int | None], base: Run, instead: Mapping[int, Tensor], after: int, given: bool
) -> Iterator[tuple[dict[int, Tensor], Slip]]:
    """Yield each later step in the place of each of the solution's steps that it could stand for.

    given: True if a value that is no step's may be an argument.
    """
    behind_ours, behind_own, tries, wrong = _behind(taken), _behind(base.steps), 0, wrong_steps(taken, own)
    used, goes_wrong = ({n for k in steps for n in taken[k].takes} for steps in (range(len(taken)), wrong))
    for k, step in enumerate(taken[after + 1 :], after + 1):
        at = own[k]
        if BACKWARD in step.takes or not (k in wrong or k in goes_wrong or k not in used):
            continue  # it may be any step before it, or nothing wrong follows from it
        before = all(n < k and (own[n] is not None if n >= 0 else given) for n in step.takes)
        if not before and k == len(taken) - 1:
            return  # that the last step gives the result says nothing
        elsewhere = {i for n, i in enumerate(own) if n != k and n not in behind_ours[k]}
        for j, right in enumerate(base.steps):
            if j in instead or j in elsewhere or same(step, right):
                continue
            if (at is not None and at not in behind_own[j]) or (value := placed(step, right)) is None:
                continue
            if (tries := tries + 1) > MOST_RUNS:
                return
            put, found = {**instead, j: value}, before and bool(step.takes)
            right_before = found and at is None and needed(step.takes, taken, own, base, [j])
            yield put, Slip(k, step.line, step.caller, j, value, right.value, found, right_before, at is not None, put)


def _of_one_line(
    call: Call, came: Outcome, taken: Sequence[Step], own: Sequence[int | None], base: Run, run: Solution, given: bool
) -> list[Way]:
    """Return the line whose values together explain the answer, such as `a, b = x[::2], x[1::2]`."""
    for line, ours in _given_on(taken).items():
        on_line = {n for n, step in enumerate(taken) if step.line == line}
        inputs = {n for k in on_line for n in {*taken[k].takes} - on_line}
        before = all(own[n] is not None if n >= 0 else given for n in inputs)
        passed_on = any({*step.takes} & on_line for step in taken if step.line != line)
        wrong = next((n for n in ours if own[n] is None), None)
        if wrong is None or BACKWARD in taken[wrong].takes or len(ours) < 2 or not (before or passed_on):
            continue
        for due in _given_on(base.steps).values():
            values = [placed(taken[n], base.steps[j]) for n, j in zip(ours, due, strict=False)]
            instead = {j: value for j, value in zip(due, values, strict=False) if value is not None}
            if len(ours) == len(due) == len(instead) and agree("value", call, run(instead).outcome, came):
                j, found = due[ours.index(wrong)], before and bool(inputs)
                right_before = found and needed(inputs, taken, own, base, due)
                where = wrong, line, taken[wrong].caller, j
                return [(Slip(*where, instead[j], base.steps[j].value, found, right_before, False, instead),)]
    return []


def needed(
    inputs: Collection[int], taken: Sequence[Step], own: Sequence[int | None], base: Run, places: Sequence[int]
) -> bool:  # fmt: skip
    """Return whether the solution takes each of these values a few steps before its own at these places, and not only
    through another of them.

    A value that is the same everywhere, unknown somewhere, or in another order may be another than it seems, and an
    argument may be the wrong one: nothing is said of these.
    """
    if any(
        n < 0 or (entries := taken[n].entries).isnan().any() or bool((entries == entries[:1]).all()) for n in inputs
    ):
        return False
    first, wanted = base.first, {(own[n], taken[n].value.shape) for n in inputs}
    reached, seen, todo = {(first[j], base.steps[j].value.shape) for j in places} & wanted, {*places}, [*places]
    while todo and len(seen) - len(places) <= MOST_BETWEEN:
        for n in {*base.steps[todo.pop()].takes} - seen:
            if n >= 0 and (value := (first[n], base.steps[n].value.shape)) in wanted:
                reached.add(value)
            elif n >= 0:
                seen.add(n)
                todo.append(n)
    return bool(wanted) and not todo and reached == wanted


def wrong_steps(taken: Sequence[Step], own: Sequence[int | None]) -> set[int]:
    """Return the steps that the solution does not have, but for those from which only its own values follow.

    Where that is so of all, none shows in this call, and each may be wrong.
    """
    users: list[list[int]] = [[] for _ in taken]
    for k, step in enumerate(taken):
        for n in {*step.takes}:
            if 0 <= n < k:
                users[n].append(k)
    found = set[int]()
    for k in reversed(range(len(taken))):
        if own[k] is None and (not users[k] or found.intersection(users[k])):
            found.add(k)
    return found or {k for k, at in enumerate(own) if at is None}


def _given_on(steps: Sequence[Step]) -> dict[int, list[int]]:
    """Return the steps of each line whose values go to other lines, or nowhere."""
    inner = {n for step in steps for n in step.takes if n >= 0 and steps[n].line == step.line}
    found: dict[int, list[int]] = {}
    for n, step in enumerate(steps):
        if n not in inner:
            found.setdefault(step.line, []).append(n)
    return found


def _behind(steps: Sequence[Step]) -> list[set[int]]:
    """Return for each step the numbers of the steps that go into it, directly or through others."""
    found: list[set[int]] = []
    for k, step in enumerate(steps):
        direct = {n for n in step.takes if 0 <= n < k}
        found.append(direct.union(*(found[n] for n in direct)))
    return found


def _further(wrong: Sequence[int], step: int, taken: Sequence[Step], found: Run) -> int:
    """Return how many of the later wrong steps become right once this one is given."""
    return sum(any(same(taken[n], own) for own in found.steps) for n in wrong if n > step)
