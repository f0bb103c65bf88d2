"""Probes of what a student's function does beside returning a result.

They tell whether it changes its inputs, refuses what it should, stays on the device, and how much memory it takes.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from grader import parts, pytree
from grader.arrays import torch
from grader.errors import CourseError
from grader.suites import exceptions, result_form, wording
from grader.suites.api import Promise
from grader.suites.probes import Probe
from grader.suites.promises import Keeps, alike
from grader.suites.reference import ExpectedCall
from grader.suites.target import Call, Outcome
from grader.texts import Text, WithReason

NOT_FOLLOWED = "NotFollowed"  # raised for a call that the pretended device cannot follow
FARTHER = 5
"""So much farther below 1 a number is tried that has to be refused."""


class LargestTensor(Probe):
    """Return the size of the largest tensor that the student's code made during the call, as the worker claims."""

    def _run(self, call: Call) -> Any:
        return super()._run(dataclasses.replace(call, watch=True, alone=True))

    def _answer(self, known: ExpectedCall, outcome: Outcome) -> int:
        super()._answer(known, outcome)
        return outcome.largest


class DoesNotMutate(Keeps):
    """Fail if an input was changed in place, whatever the result is."""

    compares, _asks = False, "form"

    @property
    def beside(self) -> Any:
        """This probe for calls whose results other checks look at."""
        return super().beside._with(_asks="nothing")

    def _run(self, call: Call) -> Any:
        return super()._run(dataclasses.replace(call, watch=True))

    def _answer(self, known: ExpectedCall, outcome: Outcome) -> Any:
        value = super()._answer(known, outcome)
        if outcome.changed:
            names = [name for name, _ in known.inputs()]
            changed = ", ".join(names[i] for i in outcome.changed if i < len(names))
            tabled = any(map(parts.kind, pytree.leaves([known.call.args, known.call.kwargs], whole=True)))
            form = wording.CHANGED_TABLE if tabled else wording.CHANGED_FORM
            self._fail(known, wording.CHANGED.format(names=changed) if changed else form, promise="input")
        return value

    def _kept(self, known: ExpectedCall, outcome: Outcome) -> bool:
        return True  # the inputs are looked at in any case


class RaisesValueError(Probe):
    """Fail unless the student raises ValueError, as the reference does; also where a number is farther below 1."""

    promise: Promise = "refusal"

    def _run(self, call: Call) -> Any:
        result = super()._run(call)
        farther = _farther(call)
        raised = farther and self._script.aside(farther).outcome.raised
        if farther and raised and raised.refuses:
            super()._run(farther)
        return result

    def _answer(self, known: ExpectedCall, outcome: Outcome) -> Any:
        if not (expected := known.outcome.raised) or "ValueError" not in expected.types:
            raise CourseError(f"the solution does not raise ValueError for {known.words().to('en')}")
        if outcome.raised is None:
            self._fail(known, exceptions.no_error(outcome.value))
        elif not (outcome.raised.refuses or (outcome.raised.types[0] == "ValueError" and not expected.refuses)):
            problem = exceptions.raised(outcome.raised)
            said = exceptions.UNPACKED if "ValueError" in outcome.raised.types else exceptions.OTHER_ERROR
            self._fail(known, problem if problem == exceptions.NOT_STARTED else said.format(problem=problem))


def _farther(call: Call) -> Call | None:
    """Return the call with its whole number below 1 farther below; None if it has none, or several."""
    below = [leaf for leaf in pytree.leaves([call.args, call.kwargs]) if type(leaf) is int and leaf < 1]
    if len(below) != 1 or call.turns:
        return None
    args, kwargs = pytree.mapped(_lower, (call.args, dict(call.kwargs)))
    return dataclasses.replace(call, args=args, kwargs=kwargs)


def _lower(leaf: Any) -> Any:
    return leaf - FARTHER if type(leaf) is int and leaf < 1 else leaf


class StaysOnDevice(Keeps):
    """Run the call on a pretended GPU, by the rules of a real one: this finds what would break there.

    On CUDA the call is made on the real device. A call that the pretended device cannot follow is made and judged on
    the CPU. A result from the pretended device is compared with that of the same code on the CPU, so that code which
    recognises the pretended device has to do the work there too.
    """

    promise: Promise = "device"
    compares, _asks = False, "form"

    def _run(self, call: Call) -> Any:
        if self._beside and call.given:  # functions, whose own tensors say as well where a result belongs
            return self.due(call)
        left_out = self._script.aside(call).left_out() if self._beside and not call.turns else []
        if "device" in left_out:  # a result on the usual one shows nothing
            call = dataclasses.replace(call, kwargs={**call.kwargs, "device": torch.device("cpu")})
        return super()._run(dataclasses.replace(call, contract=True) if self._device == "cpu" else call)

    def _answer(self, known: ExpectedCall, outcome: Outcome) -> Any:
        errors = [error for error in (outcome.raised, known.outcome.raised) if error]
        if known.call.contract and any(error.types[0] == NOT_FOLLOWED for error in errors):
            if self._beside:
                return known.outcome.value
            known = self._script.aside(dataclasses.replace(known.call, contract=False))
            outcome = self._target.call(known.call)
        value = super()._answer(known, outcome)
        if known.call.contract and outcome is not known.outcome and value is not known.outcome.value:
            own = self._own(self._plain(known.call))
            if own.raised or not alike(outcome.value, own.value):
                self._fail(known, wording.OTHER_THAN_ON_CPU)
        return value

    def _kept(self, known: ExpectedCall, outcome: Outcome) -> bool:
        return super()._kept(known, outcome) and {*outcome.devices} <= {*known.outcome.devices}

    def _plain(self, call: Call) -> Call:
        return dataclasses.replace(call, contract=False)


class AnyShape(Probe):
    """Check the kinds of the student's result but not its shapes, and return it: the suite checks what was built."""

    def _wrong_form(self, value: Any, devices: Sequence[str], expected: Outcome) -> Text | None:
        return result_form.wrong_kinds(value, devices, expected.value, expected.devices)


class AnyItems(Probe):
    """Returns the first items of the student's, whatever they are, for a suite that looks at them itself."""

    def _answer(self, known: ExpectedCall, outcome: Outcome) -> tuple[Any, ...]:
        if outcome.raised or not isinstance(outcome.value, list):
            super()._answer(known, outcome)  # which says what is wrong
        return tuple(outcome.value[: known.call.take])


class NotChecked(WithReason):
    """The check could not be made here; it takes its points out of the maximum."""
