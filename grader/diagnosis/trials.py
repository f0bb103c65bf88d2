"""Makes a few more calls to describe wrong results that are none of the known mistakes."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from grader import arrays, pytree
from grader.closeness import LEAST_NEARLY
from grader.diagnosis.comparing import agree, finite, near
from grader.diagnosis.evidence import Evidence, checks_of
from grader.diagnosis.replaying import Ask, Functions, inputs, passed, replay
from grader.report import Diagnosis
from grader.sandbox.worker import wire
from grader.suites import Call, NoAnswer, Outcome, result_form
from grader.texts import listed, translated

RANDOM = translated(
    "The same call made twice gives two results: something is random in it (dropout, a new layer with weights of its "
    "own, torch.rand, torch.empty) or is remembered. The arguments alone must decide."
)
GIVEN_BACK = translated(
    "The function returns its argument {name} unchanged: the computation is missing, or its result is not returned."
)
OTHER_ORDER = translated(
    "Every result is right, but they come in the wrong order. Counted from 1, return yours as {order}."
)
OTHER_AXES = translated(
    "Every number is right, but the axes of the result come in the wrong order. Counted from 0, put yours in the order "
    "{order}."
)
CONSTANT = translated(
    "{function} gives the same result whatever is passed in. Are the numbers of an example written into the code?"
)
OTHER_DEFAULT = translated(
    "The same call is right once {name}={value} is written out: the default of {name} is not that of the statement."
)
NO_DIFFERENCE = translated("Changing {names} leaves the result of {function} as it is. Is an argument forgotten?")
NEARLY = translated(
    "The results are nearly right, but not to the digits that their dtype holds. Is something computed in a shorter "
    "dtype (half, bfloat16), rounded or approximated on the way, or is a small number added?"
)
_near = functools.partial(near, least=LEAST_NEARLY)
MOST_IN_ORDER = 5  # results, or axes
ENOUGH = 3  # calls in which a result that should change is the same
ELSEWHERE = 3  # other wrong calls in which an argument is changed before it is called forgotten


def tried(wrong: Sequence[Evidence], evidence: Sequence[Evidence], reference: Functions, ask: Ask) -> Diagnosis | None:
    """Return the first finding; `wrong` are the calls with a wrong value that nothing explains."""
    if any(_differs_from_itself(e) or _differs_from_another(e, evidence, reference) for e in wrong):
        return Diagnosis("general/random", RANDOM, checks_of(wrong))
    changed = any(e.student.changed for e in evidence)  # a changed input may be all that is wrong with a result
    if not changed and all(agree("value", e.call, e.student, e.due, _near) for e in evidence if e.broken("value")):
        return Diagnosis("general/nearly", NEARLY, checks_of(wrong))
    first = wrong[0]
    alike = [e for e in wrong if e.call.function == first.call.function]
    if name := _given_back(first.call.function, evidence, reference):
        return Diagnosis("general/given_back", GIVEN_BACK.format(name=name), checks_of(alike))
    came = checks_of(e for e in alike if not e.student.raised)
    in_order = functools.partial(_right_order, first.call.function, evidence)
    if came and (order := in_order(_results, lambda value, order: [value[n] for n in order])):
        return Diagnosis("general/other_order", OTHER_ORDER.format(order=listed([str(n + 1) for n in order])), came)
    if came and (order := in_order(_axes, arrays.turned)):
        return Diagnosis("general/other_axes", OTHER_AXES.format(order=listed([str(n) for n in order])), came)
    if _constant(first.call.function, evidence):
        return Diagnosis("general/constant", CONSTANT.format(function=first.call.function), checks_of(alike))
    if first.student.raised or first.call.turns:
        return None
    try:
        if _differs_in_a_row(first, reference, ask):
            return Diagnosis("general/random", RANDOM, checks_of(wrong))
        if first.call.made:
            return None
        default = _other_default(first, wrong, reference, ask)
        return default or _no_difference(alike, evidence, reference, ask)
    except NoAnswer:
        return None


def _differs_from_itself(e: Evidence) -> bool:
    """Return True if calls in a row with the same arguments have different results.

    For an object, which may go on from call to call, only if the last calls repeat the first in reverse order.
    """
    value = e.student.value
    if not e.call.turns or not _of_the_form(e):
        return False
    came = [dataclasses.replace(e.student, value=one) for one in value]
    calls = list(zip(e.call.args, came, strict=True))
    pairs = zip(calls, reversed(calls), strict=True) if e.call.made else itertools.combinations(calls, 2)
    return any(pytree.equal(a, b) and not agree("value", e.call, one, other) for (a, one), (b, other) in pairs)


def _differs_from_another(e: Evidence, evidence: Sequence[Evidence], reference: Functions) -> bool:
    """Return True if the same call, made once more, had another result."""
    if e.call.turns or not _of_the_form(e):
        return False
    given = inputs(e.call, reference)
    again = (o for o in _single(e.call.function, evidence) if o is not e and _of_the_form(o))
    return any(
        pytree.equal(given, inputs(o.call, reference)) and not agree("value", e.call, e.student, o.student)
        for o in again
    )


def _differs_in_a_row(e: Evidence, reference: Functions, ask: Ask) -> bool:
    """Return True if the same call, made twice of one object or function, has two results, and should have one."""
    if e.call.kwargs or not _of_the_form(e):
        return False
    args = (e.call.args, e.call.args)
    call = dataclasses.replace(e.call, args=args, turns=True, gradients=False, only=None, watch=False)
    return _two_results(e, ask(call)) and not _two_results(e, replay(reference, call))


def _two_results(e: Evidence, twice: Outcome) -> bool:
    if twice.raised or not isinstance(twice.value, tuple | list) or len(twice.value) != 2:
        return False
    one, other = (dataclasses.replace(e.student, value=value) for value in twice.value)
    return not agree("value", e.call, one, other)


def _of_the_form(e: Evidence) -> bool:
    """Return True if a result is wrong only in its values."""
    due, came = e.due, e.student
    return not (came.raised or result_form.wrong_form(came.value, came.devices, due.value, due.devices))


def _single(function: str, evidence: Sequence[Evidence]) -> list[Evidence]:
    """Return the calls of a function that are made by themselves and should give a value."""
    return [e for e in evidence if e.call.function == function and "value" in e.promises and not e.call.turns]


def _answered(function: str, evidence: Sequence[Evidence]) -> list[Evidence]:
    """Return those of these calls that gave a value."""
    return [e for e in _single(function, evidence) if not e.student.raised]


def _given_back(function: str, evidence: Sequence[Evidence], reference: Functions) -> str | None:
    """Return the argument that is every result of a function, in the calls that are made by themselves."""
    single = _single(function, evidence)
    if not single or any(e.student.raised for e in single):
        return None
    names = [{name for name, value in passed(e.call, reference).items() if _came_back(e, value)} for e in single]
    return min(set.intersection(*names), default=None)


def _right_order(
    function: str, evidence: Sequence[Evidence], count: Callable[[Any], int], ordered: Callable[[Any, Any], Any]
) -> tuple[int, ...] | None:
    """Return the order that makes the parts of a value all right, in the calls by themselves that gave values."""
    single = _answered(function, evidence)
    counts = {count(value) for e in single for value in (e.student.value, e.due.value)}
    if len(counts) != 1 or not 1 < max(counts) <= MOST_IN_ORDER:
        return None

    def right(order: Sequence[int]) -> bool:
        came = ((e, dataclasses.replace(e.student, value=ordered(e.student.value, order))) for e in single)
        return all(agree("value", e.call, outcome, e.due) for e, outcome in came)

    others = itertools.islice(itertools.permutations(range(max(counts))), 1, None)  # the first leaves all in its place
    return next(filter(right, others), None)


def _results(value: Any) -> int:
    return len(value) if isinstance(value, tuple | list) else 0


def _axes(value: Any) -> int:
    return value.ndim if arrays.is_array(value) and arrays.device(value) != "meta" else 0


def _constant(function: str, evidence: Sequence[Evidence]) -> bool:
    """Return True if the value is always the same, though calls made by themselves should give other shapes."""
    single = _single(function, evidence)
    if len(single) < ENOUGH or any(e.student.raised or e.student.value is None for e in single):
        return False
    came = [leaf for e in single for leaf in pytree.leaves(e.student.value)]
    if any(isinstance(t, wire.Opaque) or (arrays.is_array(t) and arrays.device(t) == "meta") for t in came):
        return False  # there is nothing in it to compare
    due = {str([tuple(v.shape) if arrays.is_array(v) else v for v in pytree.leaves(e.due.value)]) for e in single}
    return len(due) > 1 and all(pytree.equal(e.student.value, single[0].student.value) for e in single)


def _came_back(e: Evidence, value: Any) -> bool:
    passed = dataclasses.replace(e.student, value=value)
    return arrays.is_array(value) and agree("value", e.call, e.student, passed)


def _other_default(first: Evidence, wrong: Sequence[Evidence], reference: Functions, ask: Ask) -> Diagnosis | None:
    for name, value in _left_out(first.call, reference).items():
        spelled = dataclasses.replace(first.call, kwargs={**first.call.kwargs, name: value})
        if agree("value", first.call, ask(spelled), first.due):
            alike = [e for e in wrong if not e.call.turns and name in _left_out(e.call, reference)]
            return Diagnosis(
                "general/other_default", OTHER_DEFAULT.format(name=name, value=repr(value)), checks_of(alike)
            )
    return None


def _no_difference(
    alike: Sequence[Evidence], evidence: Sequence[Evidence], reference: Functions, ask: Ask
) -> Diagnosis | None:
    """Return the finding that some arguments make no difference; a constant, or NaN throughout, shows nothing."""
    first = alike[0]
    unused, used = _without_effect(first, reference, ask)
    of_function = [e for e in evidence if e.call.function == first.call.function and not e.call.turns]
    right = [e for e in of_function if "value" in e.promises and not e.broken("value")]
    passing = [
        next((e for e in right if passed(e.call, reference).get(name) is not None), None) for name in sorted(unused)
    ]
    for e in (*passing, *[e for e in alike[1:] if not e.call.turns][-ELSEWHERE:]):  # what has an effect there is used
        if unused and used and e:
            unused -= _without_effect(e, reference, ask)[1]
    if not (unused and used):
        return None
    message = NO_DIFFERENCE.format(names=listed(sorted(unused)), function=first.call.function)
    return Diagnosis("general/no_difference", message, checks_of(alike))


def _without_effect(e: Evidence, reference: Functions, ask: Ask) -> tuple[set[str], set[str]]:
    """Split the arguments that should make a difference to a call into those that do not and those that do."""
    value = e.student.value
    if e.student.raised or not finite(value) or len(pytree.leaves(value)) != len(pytree.leaves(e.due.value)):
        return set(), set()
    changed = [(name, call, replay(reference, call)) for name, call in _otherwise(e.call, reference)]
    due = [(n, call) for n, call, other in changed if not (other.raised or agree("value", call, other, e.due))]
    unused = {name for name, call in due if agree("value", call, ask(call), e.student)}
    return unused, {name for name, _ in due} - unused


def _left_out(call: Call, reference: Functions) -> Mapping[str, Any]:
    """Return the parameters of the task that a call leaves to their defaults."""
    if inspect.isclass(reference[call.function]):
        return {}
    parameters, known = inspect.signature(reference[call.function]).parameters, passed(call, reference)
    return {n: p.default for n, p in parameters.items() if p.default is not p.empty and n not in known}


def _otherwise(call: Call, reference: Functions) -> Iterator[tuple[str, Call]]:
    """Yield the call with one of its arguments changed throughout, with its name, one after the other."""
    names = list(inspect.signature(reference[call.function]).parameters)
    for i, (name, value) in enumerate(zip(names, call.args, strict=False)):
        yield name, dataclasses.replace(call, args=(*call.args[:i], _other(value), *call.args[i + 1 :]))
    for name, value in call.kwargs.items():
        yield name, dataclasses.replace(call, kwargs={**call.kwargs, name: _other(value)})


def _other(value: Any) -> Any:
    def other(leaf: Any) -> Any:
        if isinstance(leaf, bool) or (arrays.is_array(leaf) and arrays.dtype_name(leaf) == "bool"):
            return not leaf if isinstance(leaf, bool) else ~leaf
        if isinstance(leaf, int | float):
            return 2 * leaf
        return 1 - 2 * leaf if arrays.is_array(leaf) and arrays.is_real(leaf) else leaf

    return pytree.mapped(other, value)
