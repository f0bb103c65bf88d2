"""Names a mistake too small to tell from rounding by value, by the direction in which all results deviate.

A number added where none belongs leaves a deviation of one shape whatever its size: the student's results differ from
the exact ones by some factor times the variant's difference, in every entry of every call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import torch

from grader.known import upcast
from grader.target import Call, LocalTarget, Outcome
from grader.trees import leaves

NOISE = 64  # units of epsilon that an honest formula may be off in the plain calls that such checks make
ALIKE = 1e-3  # how far from proportional the deviations may be
ENTRIES = 3  # that stand out of the noise; through fewer, some factor always fits

Asked = tuple[Call, Outcome]


def proportional(
    asked: Sequence[Asked],
    reference: Mapping[str, Callable[..., Any]],
    variant: Mapping[str, Callable[..., Any]],
) -> bool:
    """Whether the answers deviate from the reference as the variant does, but for one positive factor."""
    right, wrong = LocalTarget(reference), LocalTarget({**reference, **variant})
    triples = [
        t for call, outcome in asked if call.function in variant for t in _deviations(call, outcome, right, wrong)
    ]
    if not triples or any(not bool(t.isfinite().all()) for triple in triples for t in triple):
        return False
    student, other, noise = (torch.cat(parts) for parts in zip(*triples, strict=True))
    clear = student.abs() > noise
    shown, expected = (student / noise)[clear], (other / noise)[clear]
    strength = float(expected.square().sum())
    if int(clear.sum()) < ENTRIES or strength == 0.0:
        return False
    factor = float((shown * expected).sum()) / strength
    return factor > 0.0 and bool(((student - factor * other).abs() <= noise + ALIKE * student.abs()).all())


def _deviations(call: Call, outcome: Outcome, right: LocalTarget, wrong: LocalTarget) -> Iterator[tuple[Any, Any, Any]]:
    """For each result: the student's deviation from the float64 value, the variant's, and what may be rounding."""
    if call.contract or call.made or outcome.value is None:
        return
    exact = Call(call.function, upcast(call.args), upcast(dict(call.kwargs)))
    parts = [leaves(o.value) for o in (outcome, right.call(exact), wrong.call(exact))]
    for student, value, other in zip(*parts, strict=False):
        same = isinstance(value, torch.Tensor)
        tensors = same and all(isinstance(t, torch.Tensor) and t.shape == value.shape for t in (student, other))
        if tensors and student.dtype in (torch.float32, torch.float64):
            dtype = torch.finfo(student.dtype)
            noise = NOISE * dtype.eps * value.abs() + dtype.tiny
            yield tuple(t.detach().double().flatten() for t in (student - value, other - value, noise))
