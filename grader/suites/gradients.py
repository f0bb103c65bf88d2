"""Gradients have to be the reference's or, if the values are wrong, the slope of the student's own function."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from grader import arrays, closeness, pytree
from grader.arrays import Tensor, torch
from grader.sandbox.worker import DIRECTION_SEED, directions
from grader.suites import lenient, wording
from grader.suites.api import CheckFailed
from grader.suites.domain import LOW
from grader.suites.probes import Probe
from grader.suites.promises import Keeps, in_order
from grader.suites.reference import ExpectedCall, upcast
from grader.suites.target import Call, Outcome
from grader.texts import Text

STEPS = (1e-3, 1e-5, 1e-2)  # of difference quotients in float64: short beside a kink, long where the code rounds
FINEST = 1e-9  # where code goes in steps; not where a gradient is missing, as what converts to float32 rounds this away
NEEDS_DETACH = "Can't call numpy() on Tensor that requires grad"  # torch's words: no gradient goes through numpy


class MatchesGradients(Keeps):
    """Compare the gradients of all float inputs with the reference's, for one random direction of the results.

    If the values are wrong, a gradient has to be the slope of the student's own function.

    `matches_gradients.of(0).f(x)` differentiates the first result only, `matches_gradients.wrt("q").f(q, cos)` compares
    the gradient of q only.
    """

    compares = False
    _units = closeness.GRADIENT_UNITS
    _only: int | None = None
    _wrt: tuple[str, ...] = ()
    _any_value = False

    def of(self, result: int) -> Any:
        """Return this probe for one of several results."""
        return self._with(_only=result)

    def wrt(self, *inputs: str) -> Any:
        """Return this probe for some of the inputs, where right solutions differ in how they use the others."""
        return self._with(_wrt=inputs)

    def finite(self) -> Any:
        """Return this probe for gradients in which right solutions differ: every number but NaN is right."""
        return self._with(_units=np.inf)

    def flows(self) -> Any:
        """Return this probe for calls in which an input has to have a gradient, whatever its value."""
        return self._with(_any_value=True)

    def _run(self, call: Call) -> Any:
        return super()._run(dataclasses.replace(call, gradients=True, only=self._only))

    def _answer(self, known: ExpectedCall, outcome: Outcome) -> Any:
        if outcome.raised and outcome is not known.outcome:  # for another layout: charged where layouts are checked
            outcome = self._own(in_order(known.call))
        if self._fails_anyway(known, outcome):
            return known.outcome.value
        wrong: CheckFailed | None = None
        try:
            result = Probe._answer(self, known, outcome)
        except CheckFailed as failed:
            said = outcome.raised.message if outcome.raised else ""
            failed.nothing = outcome.raised is not None and (self._wrong is None or NEEDS_DETACH in said)
            if self._wrong is None or outcome.raised or not failed.attempted:
                raise
            wrong, result = failed, known.outcome.value
        if outcome is known.outcome and not self._script.prove:
            return result
        pairs = list(self._pairs(known, outcome))
        least = closeness.LEAST_GRADIENT * max([1.0, *(closeness.largest(arrays.exact(due)) for *_, due in pairs)])
        problems = filter(None, (self._difference(name, a, due, least) for name, _, a, due in pairs))
        if problem := next(problems, None):
            if (nothing := _nothing(known, pairs)) and {lenient.LIST, lenient.NUMBER} & {*outcome.accepted}:
                problem = wording.NO_GRADIENT_OF_NUMBERS.format(name=pairs[0][0])
            wrong = wrong or (self._off if self._beside else self._wrong_values)(known, result)
            of_right_values = self._wrong is None and not (wrong and self._beside)
            if of_right_values or not self._are_slopes(known, [(tensor, a) for _, tensor, a, _ in pairs]):
                self._fail(known, problem, promise="gradient", nothing=nothing)
        if wrong and self._wrong is not None:
            self._wrong.append(wrong)
        return result

    def _plain(self, call: Call) -> Call:
        return dataclasses.replace(call, gradients=False)

    def _pairs(self, known: ExpectedCall, outcome: Outcome) -> Iterator[tuple[str, Any, Tensor | None, Tensor]]:
        """Yield each input whose gradient is compared: name, input, the student's gradient if sound, the expected."""
        actual = [*(outcome.gradients or []), *[None] * len(known.gradients)]  # what is missing is None
        for (name, tensor), a, expected in zip(known.inputs(), actual, known.gradients, strict=False):
            sound = a is not None and (a.dtype, a.device.type) == (tensor.dtype, "cpu")
            if expected is not None and (not self._wrt or name in self._wrt):
                yield name, tensor, a if sound else None, expected

    def _difference(self, name: str, actual: Tensor | None, expected: Tensor, least: float) -> Text | None:
        """Say how a gradient differs from the reference's; None if it does not. Below `least` it counts as that large.

        A gradient that is 0 by mathematics, as of the key of a single token, is what is left of others' rounding.
        """
        if self._any_value and (
            actual is not None or closeness.largest(arrays.exact(expected)) < closeness.LEAST_GRADIENT
        ):
            return None
        if actual is None:
            return wording.NO_GRADIENT.format(name=name)
        if actual.shape != expected.shape:
            return wording.WRONG_GRADIENT.format(name=name, difference="?")
        units = self._units * max(closeness.largest(arrays.exact(expected)), least)
        difference = np.abs(arrays.minus(arrays.exact(actual), arrays.exact(expected)))
        right = difference <= closeness.allowed(arrays.precision(actual), units)
        return None if right.all() else wording.wrong_gradient(name, difference)

    def _are_slopes(self, known: ExpectedCall, pairs: Sequence[tuple[Tensor, Tensor | None]]) -> bool:
        """Return whether these gradients are the slope of the student's function along a random direction.

        In low precision rounding hides a slope: there every input has to have a gradient, and that is all.
        """
        if any(arrays.dtype_name(tensor) in LOW for tensor, _ in pairs):
            return all(a is not None for _, a in pairs)
        generator = torch.Generator().manual_seed(DIRECTION_SEED)
        ways = [torch.randn(tensor.shape, generator=generator, dtype=torch.float64) for tensor, _ in pairs]
        claimed = sum(float((a.double() * way).sum()) for (_, a), way in zip(pairs, ways, strict=True) if a is not None)

        def slope(step: float) -> float:
            moves = [
                {id(tensor): s * step * way for (tensor, _), way in zip(pairs, ways, strict=True)} for s in (1, -1)
            ]
            above, below = (self._sum(known, by) for by in moves)
            return (above - below) / (2 * step)

        found = slope(STEPS[0])
        if math.isnan(found):  # where NaN comes there is no slope to compare with
            return all(a is not None for _, a in pairs)
        others = map(slope, (*STEPS[1:], *([] if any(a is None for _, a in pairs) else [FINEST])))
        return any(
            abs(s - claimed) <= closeness.SLOPE * max(abs(s), abs(claimed)) + closeness.LEAST_SLOPE
            for s in itertools.chain([found], others)
        )

    def _sum(self, known: ExpectedCall, moves: Mapping[int, Tensor]) -> float:
        """Return the number that is differentiated, in float64 and with moved inputs; NaN if the call gives nothing."""
        call, made = known.call, known.call.made

        def moved(leaf: Any) -> Any:
            return upcast(leaf) + moves[id(leaf)] if id(leaf) in moves else upcast(leaf)

        args, kwargs = pytree.mapped(moved, (call.args, dict(call.kwargs)))
        if made:
            made = dataclasses.replace(made, state=made.state and {k: moved(v) for k, v in made.state.items()})
        outcome = self._own(dataclasses.replace(call, args=args, kwargs=kwargs, made=made, gradients=False))
        results = pytree.tensors(outcome.value)
        came = not outcome.raised and not any(t.is_meta for t in results)
        return directed(results, call.only) if came else math.nan


def _nothing(known: ExpectedCall, pairs: Sequence[tuple[str, Any, Tensor | None, Tensor]]) -> bool:
    """Return whether no input gets a gradient, or none of an object's weights does."""
    weights = (known.call.made and known.call.made.state) or {}
    came = [(name, a is not None) for name, _, a, _ in pairs]
    of_weights = [reached for name, reached in came if name in weights]
    return not any(reached for _, reached in came) or (bool(of_weights) and not any(of_weights))


def directed(results: Sequence[Tensor], only: int | None) -> float:
    """Return the number whose gradients a worker gives: the sum of the entries, each times a fixed random weight."""
    pairs = enumerate(zip(results, directions(results), strict=True))
    return float(
        sum((t.detach().double() * w).sum() for i, (t, w) in pairs if t.is_floating_point() and only in (None, i))
    )
