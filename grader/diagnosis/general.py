"""Recognises mistakes that any function can have, from the student's answers alone, whatever the exercise."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from grader import arrays, pytree
from grader.arrays import Numpy
from grader.closeness import EPSILON, HALF_DECIMAL, ROUND
from grader.diagnosis.comparing import Promise, equal_but_for_dtype, gradients
from grader.diagnosis.evidence import Evidence, checks_of
from grader.diagnosis.misconceptions import Match
from grader.report import Diagnosis
from grader.suites import result_form, torch_errors
from grader.texts import Text, translated

NOT_REFUSED = translated(
    "The ValueError that the statement asks for is not raised yet. Check the arguments first, and raise it there."
)
NOT_ALL_REFUSED = translated("Some arguments are refused with ValueError, but not all that the statement names.")
OTHERS_REFUSED = translated(
    "The function accepts the arguments that it should refuse, and refuses allowed ones with ValueError. Check whether "
    "a comparison is the wrong way round."
)
REFUSED_LATE = translated(
    "Wrong sizes are refused only when the object is called. Raise the ValueError in __init__, when it is made."
)
OTHER_ERROR = translated("Invalid arguments raise another exception; the statement asks for a ValueError.")
CHANGES_INPUT = translated("An input is changed in place: whoever calls the function finds its tensors altered.")
CHANGES_FORM = translated(
    "A list or dict that was passed in is modified, or the names in the state_dict change during a call. Leave them as "
    "they are."
)
NO_GRADIENT = translated(
    "No gradient reaches some inputs: a detach, no_grad, .data, .item() or a new tensor made from values cuts it, "
    "or the code does not use them."
)
OTHER_DTYPE = translated(
    "The numbers are right, the dtype is not: the result must come back in the dtype that the statement asks for."
)
OTHER_DEVICE = translated(
    "A tensor is made on the CPU, wherever the inputs are: torch.arange, zeros, ones and tensor take device=x.device."
)
NEEDS_CUDA = translated(
    "A GPU is written into the code (cuda), and the inputs of this call lie on the CPU, as on most machines. Take the "
    "device of an input: device=x.device, .to(x.device)."
)

ROUNDED = translated(
    "The results are rounded, to {decimals} decimals. Examples only print few; return what was computed. Rounding also "
    "lets no gradient through."
)
DECIMALS = range(1, 6)
SEEN = 8  # fractions, at least; fewer may be round by chance
FINE = {name: EPSILON[name] for name in ("float32", "float64")}  # in which a rounded number is told from others


def rounded(evidence: Sequence[Evidence]) -> Diagnosis | None:
    """Return the mistake of rounding if nothing else is wrong in the results of failed checks.

    Parts that were computed from rounded ones count as explained, too.
    """
    parts: dict[Any, list[tuple[Numpy, Numpy, float]]] = {}
    checks: list[Evidence] = []
    for e in evidence:
        due, came = e.due, e.student
        if not e.failed or "value" not in e.promises or came.raised:
            continue
        if result_form.wrong_form(came.value, came.devices, due.value, due.devices):
            return None
        for number, (a, b) in enumerate(zip(pytree.leaves(came.value), pytree.leaves(due.value), strict=True)):
            if arrays.is_array(a) and arrays.dtype_name(a) in FINE:
                pair = arrays.exact(a).ravel(), arrays.exact(b).ravel(), FINE[arrays.dtype_name(a)]
                parts.setdefault((e.call.function, e.call.turns, number), []).append(pair)
                checks.append(e)
            elif isinstance(b, int | str) and a != b:
                return None
    for decimals in DECIMALS:
        found = [_rounded(part, decimals) for part in parts.values()]
        if True in found and False not in found:
            return Diagnosis("general/rounded", ROUNDED.format(decimals=decimals), checks_of(checks))
    return None


@np.errstate(all="ignore")
def _rounded(part: Sequence[tuple[Numpy, Numpy, float]], decimals: int) -> bool | None:
    """Return True if a part of the results is the expected one, rounded; None if it is near it, as results of rounding
    are.
    """
    came, due = (np.concatenate([p[k] for p in part]) for k in range(2))
    if not np.isfinite([came, due]).all():
        return False
    unit, fine = 0.1**decimals, np.concatenate([np.full(len(p[0]), p[2]) for p in part])
    round_ones = np.abs(came - np.round(came, decimals)) <= fine * np.maximum(np.abs(came), 1.0)
    close = np.abs(came - due) <= HALF_DECIMAL * unit + ROUND * np.abs(due)
    least = np.maximum(4 * fine * np.maximum(np.abs(due), 1.0), 1e-3 * unit)
    fractions = (np.abs(due - np.round(due, decimals)) > least) & (came != 0)
    if round_ones.all() and close.all() and fractions.sum() >= SEEN:
        return True
    return None if (np.abs(came - due) <= 2 * unit * max(1.0, np.abs(due).max(initial=0.0))).all() else False


def match(evidence: Sequence[Evidence], named: Sequence[Match]) -> list[Diagnosis]:
    """Return the general mistakes that the named misconceptions do not already explain."""
    told = {check for match in named for check in match.checks}
    left = [e for e in evidence if e.check not in told]
    found = [Diagnosis(f"general/{name}", message, checks_of(filter(fits, left))) for name, message, fits in _KNOWN]
    return [g for g in (*found, _refusals(evidence, left)) if g.checks]


def _refusals(evidence: Sequence[Evidence], left: Sequence[Evidence]) -> Diagnosis:
    """Describe the mistakes in refusals in one sentence: missing, the wrong way round, too late, or another exception.

    Functions that return None where they should return a result are skipped; "another exception" is reported only if
    valid calls raise none.
    """
    blank = {e.call.function for e in evidence if _returns_nothing(e)}
    left = [e for e in left if e.call.function not in blank]
    missing, otherwise = checks_of(filter(_not_refused, left)), checks_of(filter(_other_error, left))
    lax = {e.call.function for e in evidence if _not_refused(e)}
    if others := [e for e in left if e.call.function in lax and _refused_though_allowed(e)]:
        told = (*checks_of(others), *missing, *otherwise)
        return Diagnosis("general/others_refused", OTHERS_REFUSED, tuple(dict.fromkeys(told)))
    if missing:
        kept = [e for e in evidence if e.due.raised and not e.broken("refusal")]
        none = {e.call.function for e in evidence if _not_refused(e)} - {e.call.function for e in kept}
        late = all(_only_made(e) for e in left if _not_refused(e)) and not any(map(_only_made, kept))
        message = NOT_REFUSED if none else REFUSED_LATE if late else NOT_ALL_REFUSED
        return Diagnosis("general/not_refused", message, tuple(dict.fromkeys((*missing, *otherwise))))
    fails_anyway = any(e.student.raised and not e.due.raised for e in evidence)
    return Diagnosis("general/refused_otherwise", OTHER_ERROR, () if fails_anyway else otherwise)


def _not_refused(e: Evidence) -> bool:
    return e.broken("refusal") and e.student.raised is None


def _refused_though_allowed(e: Evidence) -> bool:
    """Return True if the student's own `raise` refused; Python and torch raise ValueError, too."""
    return e.failed and not e.due.raised and e.student.raised is not None and e.student.raised.refuses_by_itself


def _returns_nothing(e: Evidence) -> bool:
    return not (e.due.raised or e.student.raised) and e.student.value is None and e.due.value is not None


def _only_made(e: Evidence) -> bool:
    """Return True if an object was made and never called."""
    return e.call.made is not None and e.call.turns and not e.call.args


def _other_error(e: Evidence) -> bool:
    raised = e.student.raised
    return e.broken("refusal") and raised is not None and raised.types[0] != "NotImplementedError"


def _broken_by_an_answer(promise: Promise, e: Evidence) -> bool:
    return e.student.raised is None and e.broken(promise)


def _changes_input(e: Evidence) -> bool:
    return _broken_by_an_answer("input", e) and any(i < _tensors(e) for i in e.student.changed)


def _changes_form(e: Evidence) -> bool:
    return _broken_by_an_answer("input", e) and any(i >= _tensors(e) for i in e.student.changed)


def _tensors(e: Evidence) -> int:
    """Return the number of tensors passed in, weights included; higher numbers stand for lists, dicts and names."""
    return len(e.call.arrays) + len((e.call.made and e.call.made.state) or {})


def _no_gradient(e: Evidence) -> bool:
    if not _broken_by_an_answer("gradient", e) or any(e.broken(p) for p in e.promises if p != "gradient"):
        return False
    pairs = itertools.zip_longest(gradients(e.student), gradients(e.due))
    return any(due is not None and bool(due.any()) and (came is None or not bool(came.any())) for came, due in pairs)


def _other_dtype(e: Evidence) -> bool:
    if e.student.raised or not e.broken("value"):
        return False
    dtypes = [[t.dtype for t in pytree.arrays_of(o.value)] for o in (e.student, e.due)]
    return dtypes[0] != dtypes[1] and e.agrees("value", e.due, equal_but_for_dtype)


def _needs_cuda(e: Evidence) -> bool:
    """Return True if the code asks for a missing GPU, or leaves on one what came from the CPU."""
    if e.due.raised or not e.failed:
        return False
    if raised := e.student.raised:
        return re.search(torch_errors.NO_CUDA, raised.message) is not None
    pairs = zip(e.student.devices, e.due.devices, strict=False)
    return any(here == "cuda" and due == "cpu" for here, due in pairs)


def _other_device(e: Evidence) -> bool:
    return e.broken("device") and e.student.raised is not None and e.student.raised.types[0] == "WrongDevice"


_KNOWN: tuple[tuple[str, Text, Callable[[Evidence], bool]], ...] = (
    ("needs_cuda", NEEDS_CUDA, _needs_cuda),
    ("other_dtype", OTHER_DTYPE, _other_dtype),
    ("no_gradient", NO_GRADIENT, _no_gradient),
    ("changes_input", CHANGES_INPUT, _changes_input),
    ("changes_form", CHANGES_FORM, _changes_form),
    ("other_device", OTHER_DEVICE, _other_device),
)
