"""Calls a student's functions, and objects of a student's classes; computes gradients, and records observations."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from grader import arrays, parts, pytree
from grader.arrays import Array, Module, Tensor, torch
from grader.sandbox.processes import CallFunction, PreparedCall, Returned
from grader.sandbox.worker import callbacks, wire
from grader.sandbox.worker.callbacks import Line
from grader.sandbox.worker.seeding import seed

if TYPE_CHECKING or torch is not None:
    from grader.sandbox.worker.dispatch import NotFollowed, OperatorTrace, move, other_device, trace, unseen

MAX_NAMES = 200
DIRECTION_SEED = 20170612
LEFT = ">"  # before the name of an argument that is looked at after the call
# Taken before a student's file could put others in their place.
_SAME, _COPY = np.array_equal, np.ndarray.copy
if torch is not None:
    _EQUAL, _CLONE, _DETACH, _RESHAPE = torch.equal, Tensor.clone, Tensor.detach, Tensor.reshape
    _VERSION, _LEAF, _GRAD = (vars(torch._C.TensorBase)[name].__get__ for name in ("_version", "is_leaf", "grad"))
Made = Mapping[str, Any]


class PreparedInputs:
    """The inputs of a call that were decoded before the fork. They serve once, as the call may change them."""

    def __init__(self, prepared: PreparedCall) -> None:
        self._prepared = prepared
        self._decoded: tuple[Any, Any, dict[str, Any] | None] | None = None
        if not prepared.request.shared:  # else they are decoded in the memory that is shared then
            with contextlib.suppress(Exception):  # else the worker decodes them, and says what is wrong
                self._decoded = _decoded(prepared.request, bytearray(prepared.payload), Line(None))

    @property
    def request(self) -> CallFunction:
        """The call."""
        return self._prepared.request

    def taken(self, line: Line) -> tuple[Any, Any, dict[str, Any] | None]:
        """Return arguments, keyword arguments, and how to make the object."""
        found, self._decoded = self._decoded, None
        return found or _decoded(self.request, bytearray(self._prepared.payload), line)


Payload = bytearray | memoryview | PreparedInputs


def call(
    function: Callable[..., Any], request: CallFunction, payload: Payload, cap: int | None, line: Line,
    traced: bool = True,
) -> tuple[Returned, list[bytes]]:  # fmt: skip
    """Call one function, or one object of a class, and encode its result; `line` leads to functions it is given.

    `made` says how to make the object; `gradients` asks for those of all float inputs and weights, along a direction
    that a fixed seed draws (of the result `only`, if that is a number), `watch` for the inputs that it changes and the
    operators that it runs, `contract` for a run on the pretended device.

    traced: False if nobody asks for these operators; the call takes a third of the time then.
    """
    watched = trace if traced and torch is not None else contextlib.nullcontext
    kept = bytes(payload) if request.watch and not isinstance(payload, PreparedInputs) else b""
    try:
        return _called(function, request, payload, cap, line, watched)
    except RuntimeError as error:
        if torch is None or not unseen(error) or not (request.watch or request.contract):
            raise
        if request.contract:
            raise NotFollowed("a subclass of Tensor") from error
        if not isinstance(payload, PreparedInputs):
            payload[:] = kept
        return _called(function, request, payload, cap, line, contextlib.nullcontext)


def _called(
    function: Callable[..., Any], request: CallFunction, payload: Payload, cap: int | None, line: Line,
    watched: Callable[[], contextlib.AbstractContextManager[OperatorTrace | None]],
) -> tuple[Returned, list[bytes]]:  # fmt: skip
    args, kwargs, made = _decoded(request, payload, line)
    things, weights = [function], dict[str, Tensor]()
    seed(request.device)
    if made:
        things, weights = made_of(function, made)
    ways = request.turns, request.take, request.left
    performed = performing(things, *ways)
    encoder = wire.Encoder(cap, other=callbacks.form_of)
    if request.contract and torch is not None:
        with other_device():
            line.moved = move
            performed = performing([elsewhere(thing, weights) for thing in things], *ways)
            result = pytree.opened(performed(*pytree.mapped(move, args), **pytree.mapped(move, kwargs)))
        return Returned(encoder.encode(result)), encoder.parts
    if not request.watch and not request.gradients:
        return Returned(encoder.encode(pytree.opened(performed(*args, **kwargs)))), encoder.parts
    inputs = [*pytree.arrays_of([args, kwargs]), *weights.values()]
    before = [_noted(a) for a in inputs] if request.watch else []
    form = (pytree.form([args, kwargs]), stored(things)) if request.watch else None
    if request.gradients:
        for tensor in pytree.tensors([args, kwargs]):  # weights have one where they are parameters that are trained
            tensor.requires_grad_(tensor.is_floating_point())
    with watched() if request.watch else contextlib.nullcontext() as seen:
        result = pytree.opened(performed(*args, **kwargs))
    now = [*pytree.arrays_of([args, kwargs]), *weights.values()] if parts.KINDS else inputs  # those of tables are made
    changed = tuple(i for i, (a, noted) in enumerate(zip(now, before, strict=False)) if _changed(a, *noted))
    if form and form != (pytree.form([args, kwargs]), stored(things)):
        changed += (len(inputs),)
    grads = encoder.encode(gradients(result, inputs, request.only)) if request.gradients else None
    names, largest = (tuple(sorted(seen.names)[:MAX_NAMES]), seen.largest) if seen else ((), 0)
    return Returned(encoder.encode(result), grads, changed, names, largest), encoder.parts


def _noted(array: Array) -> tuple[Any, int]:
    """Return a copy, and how often a tensor says that it was written to."""
    return (_CLONE(_DETACH(array)), _VERSION(array)) if isinstance(array, Tensor) else (_COPY(array), 0)


def _changed(array: Array, old: Any, version: int) -> bool:
    if isinstance(array, Tensor):
        left = _LEAF(array) and _GRAD(array) is not None  # to which the next backward pass of the caller's adds
        return bool(left or _VERSION(array) != version or not _EQUAL(_DETACH(array), old))
    return not _SAME(array, old, equal_nan=array.dtype.kind in "fc")


def _decoded(request: CallFunction, payload: Payload, line: Line) -> tuple[Any, Any, dict[str, Any] | None]:
    """Return arguments, keyword arguments, and how to make the object, on the requested device."""
    if isinstance(payload, PreparedInputs):
        return payload.taken(line)
    form, in_place = request.made, request.shared is not None
    parts = (request.args, request.kwargs, *((form.args, form.kwargs, form.state) if form else ()))
    values = [wire.decode(part, payload, in_place, line.made) for part in parts]
    if request.device == "cuda":
        line.moved = _onto_cuda
        values = pytree.mapped(_onto_cuda, values)
    if not form:
        return values[0], values[1], None
    more = {"train": form.train, "objects": form.objects, "method": form.method}
    return values[0], values[1], {"args": values[2], "kwargs": values[3], "state": values[4], **more}


def make(kind: Callable[..., Any], made: Made) -> tuple[Callable[..., Any], dict[str, Tensor]]:
    """Make an object of the class `kind` with the weights in `made`; return it and those weights as it keeps them."""
    thing = kind(*made["args"], **made["kwargs"])
    if isinstance(thing, Module):
        thing.train(made["train"])
    state = made["state"]
    if state is None:
        return thing, {}
    first = next(iter(state.values()))
    thing.to(device=first.device, dtype=first.dtype)
    kept = names_of(thing)
    filled = {id(kept[name]) for name in state if name in kept}
    twins = {name: t for name, t in kept.items() if name not in state and id(t) in filled}
    thing.load_state_dict({**twins, **state})  # a weight under two names needs to be given only once
    return thing, {name: kept.get(name, weight) for name, weight in state.items()}


def names_of(thing: Any) -> dict[str, Tensor]:
    """Return the weights and buffers of a module by name; one that has several names, by each of them."""
    ways = (thing.named_buffers, thing.named_parameters)
    return {name: tensor for way in ways for name, tensor in way(remove_duplicate=False)}


def made_of(kind: Callable[..., Any], made: Made) -> tuple[list[Callable[..., Any]], dict[str, Tensor]]:
    """Return as many objects as are asked for, as `make` makes them, or a method of each; and the first's weights."""
    thing, weights = make(kind, made)
    things = [thing, *(make(kind, made)[0] for _ in range(made["objects"] - 1))]
    return [getattr(thing, made["method"]) for thing in things] if made["method"] else things, weights


def performing(
    things: Sequence[Callable[..., Any]], turns: bool = False, take: int | None = None,
    left: Sequence[tuple[str, int]] = (),
) -> Callable[..., Any]:  # fmt: skip
    """Return the function that makes a call, see `CallFunction`: of one thing, or of all in turns."""
    if take is not None or left:
        things = [picking(thing, take, left) for thing in things]
    return in_turns(things) if turns else things[0]


def picking(function: Callable[..., Any], take: int | None, left: Sequence[tuple[str, int]]) -> Callable[..., Any]:
    """Return the function with its first items as the result, or with its arguments as the call leaves them."""

    def result(*args: Any, **kwargs: Any) -> Any:
        value = function(*args, **kwargs)
        if take is not None:
            value = [*itertools.islice(value, take)]
        if not left:
            return value
        return {LEFT + n: value if not n else args[at] if at < len(args) else kwargs[n] for n, at in left}

    return result


def in_turns(things: Sequence[Callable[..., Any]]) -> Callable[..., Any]:
    """Return a function that takes the arguments of several calls, makes them in turn, and returns all results."""
    return lambda *turns: tuple(things[i % len(things)](*turn) for i, turn in enumerate(turns))


def stored(things: Sequence[Callable[..., Any]]) -> list[list[str]]:
    """Return the names under which modules keep weights and buffers."""
    return [list(thing.state_dict()) for thing in things if isinstance(thing, Module)]


def elsewhere(function: Callable[..., Any], weights: dict[str, Tensor]) -> Callable[..., Any]:
    """Return the function with its weights and buffers on the pretended device."""
    if not weights or not isinstance(function, Module):
        return function
    kept = {**names_of(function), **weights}
    once = {id(tensor): move(tensor.detach()) for tensor in kept.values()}
    moved = {name: once[id(tensor)] for name, tensor in kept.items()}  # by every name of one that has several
    return lambda *args, **kwargs: torch.func.functional_call(function, moved, args, kwargs, tie_weights=False)


def gradients(result: Any, inputs: list[Array], only: int | None) -> Any:
    """Return the gradient for each input (None if nothing flows, or if the input is not a float).

    The differentiated number is the sum of all results (or of result `only`), each entry times a fixed random weight. A
    scalar needs no cotangents, for which torch would import sympy.
    """
    outputs = pytree.tensors(result)
    if not outputs:
        return [None] * len(inputs)
    terms = [
        (t * w.to(t)).sum().double()
        for index, (t, w) in enumerate(zip(outputs, directions(outputs), strict=True))
        if t.requires_grad and only in (None, index)
    ]
    wanted = [t for t in pytree.tensors(inputs) if t.requires_grad]
    if not terms or not wanted:
        return [None] * len(inputs)
    found = torch.autograd.grad(torch.stack(terms).sum(), wanted, allow_unused=True)
    by_id = {id(t): g for t, g in zip(wanted, found, strict=True)}
    return [by_id.get(id(t)) for t in inputs]


def directions(outputs: Sequence[Tensor]) -> list[Tensor]:
    """Return the random weight of each entry in float64, the same however the entries are spread over tensors.

    Whole numbers, which have no gradient, have weight 0 and do not count: they may be no tensors in other code.
    """
    real = [t.is_floating_point() or t.is_complex() for t in outputs]
    sizes = [arrays.size(t) if counts else 0 for t, counts in zip(outputs, real, strict=True)]
    generator = torch.Generator().manual_seed(DIRECTION_SEED)
    drawn, ends = torch.randn(sum(sizes), generator=generator, dtype=torch.float64), itertools.accumulate(sizes)
    return [
        _RESHAPE(drawn[end - size : end], t.shape) if counts else torch.zeros((), dtype=torch.float64)
        for t, counts, size, end in zip(outputs, real, sizes, ends, strict=True)
    ]


def _onto_cuda(value: Any) -> Any:
    if isinstance(value, Tensor):
        return value.detach().cuda().requires_grad_(value.requires_grad)
    return "cuda" if value == torch.device("cpu") else value
