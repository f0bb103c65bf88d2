"""Targets, which a suite is run against: they answer each call with an outcome. See `student` and `local`."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import msgspec

from grader import pytree
from grader.arrays import Array, Tensor
from grader.errors import CourseError
from grader.report import report
from grader.sandbox.processes import (
    ALIGNED,
    ROOM,
    BadValue,
    CallFunction,
    MakeForm,
    Packed,
    Raised,
    Record,
    Returned,
    arrays_in,
    tensor_devices,
)  # fmt: skip
from grader.sandbox.worker import MAX_NAMES, callbacks, made_of, wire
from grader.suites.given import Given, crossing
from grader.suites.student_error import StudentError as StudentError
from grader.texts import Text, WithReason, one_line

NOTED_BYTES = 8 << 20  # of one check's results; how large they are is the student's choice

_ASKED = operator.attrgetter(
    "function", "gradients", "only", "watch", "contract", "turns", "record", "device", "memory", "take", "left", "nan"
)  # fmt: skip


@dataclasses.dataclass(frozen=True)
class Made:
    """The way to make an object of a class before it is called: the arguments of the class, then weights by name."""

    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]
    state: Mapping[str, Tensor] | None = None
    train: bool = False
    objects: int = 1
    method: str = ""

    def encode(self, encoder: wire.Encoder) -> MakeForm:
        """Encode the value as a part of a request."""
        state = None if self.state is None else dict(self.state)
        args, kwargs = encoder.encode(list(self.args)), encoder.encode(dict(self.kwargs))
        return MakeForm(args, kwargs, encoder.encode(state), self.train, self.objects, self.method)

    def as_dict(self) -> dict[str, Any]:
        """Return the fields without copying them."""
        return {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}


@dataclasses.dataclass(frozen=True)
class Call:
    """One call, of a function or of an object `made` of a class.

    gradients: of the inputs too; with `only`, of that one of several results. watch: which inputs it changes, which
    operators it runs. turns: several calls in a row, whose results come together; each positional argument is a tuple,
    the arguments of one of them. contract: a run on the pretended device. record: the values of the file's variables,
    or its steps in torch. alone: no thread but the first can work, as tensors are counted in that one. memory: in MB.
    take: so many items at most of what is iterated over. left: the names of arguments that are looked at as the call
    leaves them, with their places; see `CallFunction`. nan: NaN is right where the reference has it. brief: for 1 s.
    """

    function: str
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    gradients: bool = False
    only: int | None = None
    watch: bool = False
    contract: bool = False
    turns: bool = False
    device: str = "cpu"
    made: Made | None = None
    record: Record = ""
    alone: bool = False
    memory: int | None = None
    take: int | None = None
    left: tuple[tuple[str, int], ...] = ()
    nan: bool = False
    brief: bool = False

    def called(self, functions: Mapping[str, Callable[..., Any]]) -> Callable[..., Any]:
        """Return the function that takes the arguments: itself, its result, or the method of a made object."""
        function, made = functions[self.function], self.made
        if made and inspect.isclass(function):
            name = made.method or ("forward" if hasattr(function, "forward") else "__call__")
            return functools.partial(getattr(function, name), None)
        return made_of(function, pytree.mapped(callbacks.drawable, made.as_dict()))[0][0] if made else function

    @functools.cached_property
    def encoded(self) -> tuple[CallFunction, list[bytes]]:
        """The request for the worker, and the bytes of its tensors; made once for the reference and all workers."""
        encoder = wire.Encoder(aligned=ALIGNED if self.watch else 1, other=crossing())
        args, kwargs = encoder.encode(list(self.args)), encoder.encode(dict(self.kwargs))
        made = self.made.encode(encoder) if self.made else None
        if encoder.opaque:
            data = "numbers, texts, arrays, tables, tuples, lists, dicts; and functions"
            said = f"{self.function}; only data crosses to a student's code: {data}"
            raise CourseError(f"the suite hands {encoder.opaque[0]} to {said}")
        if self.watch and sum(map(len, encoder.parts)) > ROOM:
            most = f"the suite hands more than {ROOM >> 20} MB to {self.function}"
            raise CourseError(f"{most}; watched calls take smaller inputs")
        return CallFunction(
            self.function, args, kwargs, made, device=self.device, gradients=self.gradients, only=self.only,
            watch=self.watch, contract=self.contract, turns=self.turns, record=self.record,
            bounded=self.memory is not None, take=self.take, left=self.left,
        ), encoder.parts  # fmt: skip

    @property
    def arguments(self) -> list[Any]:
        """The arguments, numbers and arrays, and those of the class whose object is made."""
        made = [list(self.made.args), dict(self.made.kwargs)] if self.made else []
        return pytree.leaves([self.args, dict(self.kwargs), made])

    @functools.cached_property
    def given(self) -> list[Given]:
        """The functions among the arguments, in the order in which they cross."""
        return [leaf for leaf in self.arguments if isinstance(leaf, Given)]

    @property
    def picks(self) -> bool:
        """True if the result is something else than what the function returns."""
        return bool(self.left) or self.take is not None

    @functools.cached_property
    def packed(self) -> Packed:
        """The request as bytes, written once for all workers."""
        return Packed(*self.encoded)

    @functools.cached_property
    def placed(self) -> Packed:
        """The request whose inputs stand first in the memory that the worker shares with us."""
        return Packed(msgspec.structs.replace(self.encoded[0], shared=(0, len(self.packed.payload))), ())

    def differing(self, sent: bytes, left: bytes) -> list[int]:
        """Return the numbers of the arrays among the arguments that differ in `left` from what was sent."""
        request = self.encoded[0]
        places = [*arrays_in(request.args), *arrays_in(request.kwargs)] if sent != left else []
        each = pytree.of_arrays([self.args, self.kwargs], places, None) if places else ()  # those of tables are copied
        return [n for n, p in enumerate(each) if p and sent[p.at : p.at + p.bytes] != left[p.at : p.at + p.bytes]]

    @functools.cached_property
    def replays(self) -> dict[object, Outcome]:
        """The outcomes of this call with trusted functions; a suite makes the same calls for every submission."""
        return {}

    @functools.cached_property
    def judged(self) -> dict[object, bool]:
        """The verdicts on those outcomes, which are the same for every submission."""
        return {}

    @functools.cached_property
    def free(self) -> set[int]:
        """The leaves of the result, of each of several calls, that are the student's choice; filled in from outside."""
        return set()

    def same(self, other: Call) -> bool:
        """Return whether both calls are the same: equal arguments, values and memory layout."""
        if self is other:
            return True
        flags = [_ASKED(c) for c in (self, other)]
        values = [(c.args, dict(c.kwargs), c.made and c.made.as_dict()) for c in (self, other)]
        return flags[0] == flags[1] and pytree.equal(*values)

    @property
    def longest(self) -> int:
        """The longest axis of the arrays among the arguments; without arrays, the largest whole number."""
        axes = [n for array in self.arrays for n in array.shape]
        return max(axes or [n for n in pytree.leaves([self.args, dict(self.kwargs)]) if type(n) is int], default=0)

    @property
    def arrays(self) -> list[Array]:
        """The arrays among the arguments, positional ones first."""
        return pytree.arrays_of([self.args, self.kwargs])


@dataclasses.dataclass(frozen=True)
class Outcome:
    """The outcome of one call. Everything in it is the worker's claim, decoded into memory of our own.

    `largest` counts the entries of the largest tensor made on the way, where the call was watched. `recorded` holds
    what was asked for of the way: [line, name, value] of a variable; of a step, see `Steps`. `evaluations`: how often
    each function that the call was given was called, which no worker claims. `accepted`: in which other forms than
    the one due the value came, see `lenient`; it has the one due. `dropped`: there was no room to note the value.
    """

    value: Any = None
    devices: tuple[str, ...] = ()
    raised: StudentError | None = None
    gradients: Sequence[Tensor | None] | None = None
    changed: tuple[int, ...] = ()
    operators: tuple[str, ...] = ()
    size: int = 0
    largest: int = 0
    recorded: Sequence[Any] = ()
    evaluations: tuple[int, ...] = ()
    accepted: tuple[str, ...] = ()
    dropped: bool = False

    @classmethod
    def decode(cls, reply: Returned | Raised, payload: bytearray, counts: tuple[int, ...] = ()) -> Outcome:
        """Raises BadValue for a reply that the worker's code would not have written."""
        operators = tuple(one_line(name, 60) for name in reply.operators[:MAX_NAMES])
        recorded = wire.decode(reply.recorded, payload) or ()
        if not isinstance(recorded, tuple | list):
            raise BadValue("records that are no list")
        if isinstance(reply, Raised):
            return cls(None, (), StudentError.of(reply), None, (), operators, len(payload), 0, recorded, counts)
        gradients = wire.decode(reply.gradients, payload)
        if gradients is not None and not (isinstance(gradients, list) and all(map(_is_gradient, gradients))):
            raise BadValue("gradients that are no list of tensors with values")
        value, claimed = wire.decode(reply.value, payload), tuple(tensor_devices(reply.value))
        devices = tuple(pytree.of_arrays(value, claimed, "cpu"))
        changed = tuple(sorted(set(reply.changed)))
        return cls(value, devices, None, gradients, changed, operators, len(payload), reply.largest, recorded, counts)


def _is_gradient(value: Any) -> bool:
    return value is None or (isinstance(value, Tensor) and value.is_cpu)  # one on meta has no values to compare


class NoAnswer(WithReason):
    """A call got no valid answer: the verdict (failed, timeout, crashed or blocked) and the reason.

    slow: it took longer than a brief call may, as right code may; that shows nothing.
    """

    def __init__(self, verdict: report.Verdict, reason: Text, slow: bool = False) -> None:
        super().__init__(reason)
        self.verdict, self.slow = verdict, slow


@dataclasses.dataclass(frozen=True)
class ExpectedAnswer:
    """A call that is about to come, the reference's answer, byte for byte, its outcome, and whether results compare."""

    call: Call
    answer: Packed
    outcome: Outcome
    compared: bool = False


class Answers(Protocol):
    """Something that answers calls."""

    def call(self, call: Call) -> Outcome:
        """Raises NoAnswer when no valid answer came."""


class Target(Answers, Protocol):
    """Something that may have made calls before they come."""

    def expect(self, calls: Sequence[ExpectedAnswer]) -> tuple[Sequence[bool], float]:
        """Take note of the calls that come next, in this order.

        Returns for each whether it has the expected answer, or nothing if some are not made yet; and the seconds that
        those took that are made.
        """


class Recorder:
    """A target that notes every call with its outcome, with its values as long as there is room."""

    def __init__(self, target: Answers) -> None:
        self._target = target
        self._room = NOTED_BYTES
        self.calls: list[tuple[Call, Outcome]] = []
        self.last: Call | None = None

    def call(self, call: Call) -> Outcome:
        self.last = call
        outcome = self._target.call(call)
        self.note(call, outcome)
        return outcome

    def unnoted(self, call: Call) -> Outcome:
        """Return the outcome of a call that does not belong to the check, for comparison with one that does."""
        return self._target.call(call)

    def note(self, call: Call, outcome: Outcome) -> None:
        """Note a call with its outcome."""
        if outcome.size > self._room:
            outcome = dataclasses.replace(outcome, value=None, gradients=None, recorded=(), dropped=True)
        else:
            self._room -= outcome.size
        self.calls.append((call, outcome))
