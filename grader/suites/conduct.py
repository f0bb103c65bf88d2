"""What a check can find in how a student's function behaves, beside what it returns.

Whether it changes its inputs, refuses what it should, stays on the device, and how much memory it takes on the way.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import torch

from grader.errors import CourseError
from grader.suites import wording
from grader.suites.api import Promise
from grader.suites.probes import Probe
from grader.suites.reference import ExpectedCall, tolerance
from grader.suites.target import Call, Outcome
from grader.texts import Text
from grader.trees import tensors


class LargestTensor(Probe):
    """Returns how many entries the largest tensor has that the student's code made on the way, as the worker claims."""

    def _run(self, call: Call) -> Any:
        return super()._run(dataclasses.replace(call, watch=True))

    def _answer(self, known: ExpectedCall, outcome: Outcome) -> int:
        super()._answer(known, outcome)
        return outcome.largest


class DoesNotMutate(Probe):
    """Fails where an input was changed in place."""

    def _run(self, call: Call) -> Any:
        return super()._run(dataclasses.replace(call, watch=True))

    def _answer(self, known: ExpectedCall, outcome: Outcome) -> Any:
        value = super()._answer(known, outcome)
        if outcome.changed:
            names = [name for name, _ in known.inputs()]
            changed = ", ".join(names[i] for i in outcome.changed if i < len(names))
            self._fail(
                known, wording.CHANGED.format(names=changed) if changed else wording.CHANGED_FORM, promise="input"
            )
        return value


class RaisesValueError(Probe):
    """Fails unless the student raises ValueError, as the reference does."""

    promise: Promise = "refusal"

    def _answer(self, known: ExpectedCall, outcome: Outcome) -> Any:
        if not (expected := known.outcome.raised) or "ValueError" not in expected.types:
            raise CourseError(f"the solution does not raise ValueError for {known.words().en}")
        if outcome.raised is None:
            self._fail(known, wording.NO_ERROR)
        elif "ValueError" not in outcome.raised.types:
            problem = wording.raised(outcome.raised)
            self._fail(
                known, problem if problem == wording.NOT_STARTED else wording.OTHER_ERROR.format(problem=problem)
            )


class StaysOnDevice(Probe):
    """Runs under the rules of a GPU, pretended on the CPU: finds what would break on one, needs none.

    It must give there what it gives on the CPU, so that code which only looks where it is gains nothing. On CUDA the
    call is made for real; one that the pretended device cannot follow is made on the CPU.
    """

    promise: Promise = "device"
    SLACK = 512  # units of epsilon of the largest entry: operators run one by one there

    def _run(self, call: Call) -> Any:
        return super()._run(dataclasses.replace(call, contract=True) if self._device == "cpu" else call)

    def _answer(self, known: ExpectedCall, outcome: Outcome) -> Any:
        if not known.call.contract:
            return super()._answer(known, outcome)
        plain = self._script.know(dataclasses.replace(known.call, contract=False))
        found = self._target.call(plain.call)
        if outcome.raised and outcome.raised.types[0] == "NotFollowed":
            return super()._answer(plain, found)
        value = super()._answer(known, outcome)
        if not found.raised and not self._alike(value, found.value):
            self._fail(known, wording.OTHER_THERE)
        return value

    def _alike(self, there: Any, here: Any) -> bool:
        """Whether the values agree; forms are compared elsewhere."""
        pairs = list(zip(tensors(there), tensors(here), strict=False))
        return all(self._close(a.detach(), b.detach()) for a, b in pairs if a.shape == b.shape and not b.is_meta)

    def _close(self, there: torch.Tensor, here: torch.Tensor) -> bool:
        if there.is_meta:  # claimed without values
            return False
        if there.dtype != here.dtype or not there.is_floating_point():
            return torch.equal(there, here)
        a, b = there.double(), here.double()
        size = float(b[b.isfinite()].abs().max()) if bool(b.isfinite().any()) else 0.0
        within = (a - b).abs() <= tolerance(here.dtype, self.SLACK * max(size, 1e-3))
        return bool((within | (a == b) | (a.isnan() & b.isnan())).all())


class NotChecked(Exception):
    """The check could not be made here; it takes its points out of the maximum."""

    def __init__(self, reason: Text) -> None:
        super().__init__(reason.en)
        self.reason = reason
