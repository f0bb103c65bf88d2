"""Mistakes that any function can have, told from what the student's answers show, whatever the exercise."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterable, Sequence

from grader import trees
from grader.diagnosis.comparing import Promise, agree, equal_but_for_dtype, gradients
from grader.diagnosis.misconceptions import Evidence, Match
from grader.texts import Text, translated


@dataclasses.dataclass(frozen=True)
class General:
    """One of them, with the failed checks that it explains."""

    name: str
    message: Text
    checks: tuple[str, ...]


NOT_REFUSED = translated(
    "The ValueError that the statement asks for is not raised yet. Check the arguments first, and raise it there."
)
NOT_ALL_REFUSED = translated("Some arguments are refused with ValueError, but not all that the statement names.")
OTHER_ERROR = translated("What is to be refused ends in another exception; the statement asks for ValueError.")
CHANGES_INPUT = translated("An input is changed in place: whoever calls the function finds its tensors altered.")
CHANGES_FORM = translated(
    "Something is put into a list or dict that was passed in, or into the state_dict, or taken out. Leave them as they "
    "are."
)
NO_GRADIENT = translated(
    "No gradient reaches some inputs: a detach, no_grad, .data, .item() or a tensor made anew from values cuts it."
)
OTHER_DTYPE = translated(
    "The numbers are right, the dtype is not: the result must come back in the dtype that the statement asks for."
)
OTHER_DEVICE = translated(
    "Something is made on the CPU, wherever the inputs are: torch.arange, zeros, ones and tensor take device=x.device."
)


def match(evidence: Sequence[Evidence], named: Sequence[Match]) -> list[General]:
    """Those that the named misconceptions do not explain already."""
    told = {check for match in named for check in match.checks}
    left = [e for e in evidence if e.check not in told]
    found = [General(name, message, _checks(filter(fits, left))) for name, message, fits in _KNOWN]
    return [g for g in (*found, _refusals(evidence, left)) if g.checks]


def _refusals(evidence: Sequence[Evidence], left: Sequence[Evidence]) -> General:
    """What is said of refusals, in one sentence: that they are missing, or else that they end in another exception.

    The latter is not yet the question where calls that should work end in an exception too.
    """
    missing, otherwise = _checks(filter(_not_refused, left)), _checks(filter(_other_error, left))
    if missing:
        some = {e.call.function for e in evidence if e.due.raised and not e.broken("refusal")}
        none = {e.call.function for e in evidence if _not_refused(e)} - some
        message = NOT_REFUSED if none else NOT_ALL_REFUSED
        return General("not_refused", message, tuple(dict.fromkeys((*missing, *otherwise))))
    fails_anyway = any(e.student.raised and not e.due.raised for e in evidence)
    return General("refused_otherwise", OTHER_ERROR, () if fails_anyway else otherwise)


def _checks(evidence: Iterable[Evidence]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(e.check for e in evidence))


def _not_refused(e: Evidence) -> bool:
    return e.broken("refusal") and e.student.raised is None


def _other_error(e: Evidence) -> bool:
    raised = e.student.raised
    return e.broken("refusal") and raised is not None and raised.types[0] != "NotImplementedError"


def _only(promise: Promise, e: Evidence) -> bool:
    """Whether nothing but this promise is broken in the call, and an answer came."""
    others = [p for p in e.promises if p != promise]
    return e.student.raised is None and e.broken(promise) and not any(e.broken(p) for p in others)


def _changes_input(e: Evidence) -> bool:
    return _only("input", e) and any(i < _tensors(e) for i in e.student.changed)


def _changes_form(e: Evidence) -> bool:
    return _only("input", e) and any(i >= _tensors(e) for i in e.student.changed)


def _tensors(e: Evidence) -> int:
    """How many are passed in, weights included; what is counted on from there stands for lists, dicts and names."""
    return len(e.call.arrays) + len((e.call.made and e.call.made.state) or {})


def _no_gradient(e: Evidence) -> bool:
    if not _only("gradient", e):
        return False
    pairs = itertools.zip_longest(gradients(e.student), gradients(e.due))
    return any(due is not None and bool(due.any()) and (came is None or not bool(came.any())) for came, due in pairs)


def _other_dtype(e: Evidence) -> bool:
    if e.student.raised or not e.broken("value"):
        return False
    dtypes = [[t.dtype for t in trees.arrays_of(o.value)] for o in (e.student, e.due)]
    return dtypes[0] != dtypes[1] and agree("value", e.call, e.student, e.due, equal_but_for_dtype)


def _other_device(e: Evidence) -> bool:
    return e.broken("device") and e.student.raised is not None and e.student.raised.types[0] == "WrongDevice"


_KNOWN: tuple[tuple[str, Text, Callable[[Evidence], bool]], ...] = (
    ("other_dtype", OTHER_DTYPE, _other_dtype),
    ("no_gradient", NO_GRADIENT, _no_gradient),
    ("changes_input", CHANGES_INPUT, _changes_input),
    ("changes_form", CHANGES_FORM, _changes_form),
    ("other_device", OTHER_DEVICE, _other_device),
)
