"""Measures how far right results differ, and suggests what to allow: for `grader lint --suggest-bounds`.

A suite's own calls are put to the solution and to other right solutions, in the dtypes of the checks. The solution in
float64 also gets inputs that are moved by one rounding: other orders of summation differ as much.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from grader import arrays, pytree
from grader.arrays import Tensor
from grader.authoring.evidence import functions
from grader.closeness import EPSILON
from grader.pytree import leaves
from grader.suites import Call, ExpectedCall, LocalTarget, Suites, upcast

SEEDS = (1, 2, 3)
SAFETY = 10.0  # times what was measured
Worst = dict[str, dict[str, float]]


def suggestions(suites: Suites, exercise: str, asked: Sequence[str], alternatives: Path) -> Iterator[str]:
    """Yield a line for each function whose results are rounded: the measurement, and a tolerance that allows it."""
    suite = suites[exercise]
    right = [suite.reference, *map(functions, sorted(alternatives.glob("*.py")))]
    worst: Worst = {name: {} for name in asked}
    for seed in SEEDS:
        for known in (known for calls in suites.rehearsed(exercise, seed).values() for known in calls):
            call = known.call
            if call.function in worst and not (
                known.outcome.raised or call.contract or call.turns or call.made or call.picks
            ):
                _measure(ExpectedCall(call, suite.key), right, worst[call.function])
    for name, measured in worst.items():
        where = f"tests/hidden/{exercise}.py: {name}"
        said = ", ".join(f"{off:.1e} in {dtype}" for dtype, off in sorted(measured.items()) if off)
        if not measured:
            continue
        if not said:
            yield f"{where}: nothing to compare; right solutions of another kind go to {alternatives}"
            continue
        if max(measured.values()) <= EPSILON["float64"] / 2:  # no more than its inputs were moved
            yield f'{where} copies values: EXACT = exact("{name}")'
            continue
        rtol = 10.0 ** math.ceil(math.log10(SAFETY * max(measured.values())))
        yield f'{where} is off by up to {said}, of its largest entry: TOLERANCE = tolerance("{name}", rtol={rtol:.0e})'


def _measure(known: ExpectedCall, right: Sequence[Mapping[str, Any]], worst: dict[str, float]) -> None:
    """Record how far right results of a call are off, relative to the largest entry of each, by dtype."""
    exact = [e for e in known.exact if isinstance(e, np.ndarray) and e.size]
    values = [LocalTarget(functions).call(known.call).value for functions in right if known.call.function in functions]
    moved = LocalTarget(right[0]).call(_moved(known.call)).value
    for value, wide in [*((v, False) for v in values), (moved, True)]:
        found = [v for v in leaves(value) if arrays.is_array(v) or isinstance(v, float | complex)]
        for came, due in zip(found, exact, strict=False):
            largest = float(np.abs(due[np.isfinite(due)]).max(initial=0.0))
            dtype = "float64" if wide or not arrays.is_array(came) else arrays.dtype_name(came)
            if largest and arrays.exact(came).shape == due.shape:
                off = np.abs(arrays.minus(arrays.exact(came), due))
                share = float(off[np.isfinite(off)].max(initial=0.0)) / largest
                worst[dtype] = max(worst.get(dtype, 0.0), share)


def _moved(call: Call) -> Call:
    """Return the call in float64, every real number of its arrays moved by a rounding, up and down in turns."""

    def moved(leaf: Any) -> Any:
        if not (arrays.is_array(leaf) and arrays.dtype_name(leaf) in (*EPSILON, *arrays.REAL)):
            return leaf
        signs = np.where(np.arange(arrays.size(leaf)) % 2, 1.0, -1.0).reshape(tuple(leaf.shape))
        factor = 1.0 + signs * EPSILON["float64"] / 2
        return leaf * (leaf.new_tensor(factor) if isinstance(leaf, Tensor) else factor)

    args, kwargs = upcast(call.args), upcast(dict(call.kwargs))
    return Call(call.function, pytree.mapped(moved, args), pytree.mapped(moved, kwargs))
