"""Arguments of a call that are no data: functions that are computed on the other side, and generators.

The student's process has a function's name, its parameters and a number; its code stays on the other side.
"""

from __future__ import annotations

import builtins
import inspect
import json
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from grader import pytree
from grader.arrays import torch
from grader.sandbox.processes import BadValue, Evaluate, Evaluated, FunctionForm, GeneratorForm
from grader.sandbox.worker import wire

MOST_BYTES = 1 << 20  # of the arguments of one evaluation
_KINDS = (
    inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.VAR_POSITIONAL,
    inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.VAR_KEYWORD,
)  # fmt: skip
Ask = Callable[[Evaluate, list[bytes]], tuple[Evaluated, bytearray]]
"""Has a function computed on the other side."""


class Line:
    """The connection from a call's functions to their originals; closed once the call has ended.

    moved: puts returned values on the device of the call.
    """

    def __init__(self, ask: Ask | None) -> None:
        self._ask = ask
        self._open, self._lock = True, threading.Lock()  # evaluations of several threads come one after the other
        self.moved: Callable[[Any], Any] | None = None

    def close(self) -> None:
        """Stop computing."""
        with self._lock:
            self._open = False

    def made(self, form: FunctionForm | GeneratorForm) -> Any:
        """Return the object for the student's code: a function, an object with methods, a random generator."""
        if isinstance(form, GeneratorForm):
            return drawable(form)
        found = {method: self._function(form, method, parameters) for method, parameters in form.methods}
        if [*found] == [""]:
            return found[""]
        return type(form.name, (), {method or "__call__": staticmethod(f) for method, f in found.items()})()

    def _function(
        self, form: FunctionForm, method: str, parameters: tuple[tuple[str, int, bool], ...] | None
    ) -> Callable[..., Any]:
        name = method or form.name

        def function(*args: Any, **kwargs: Any) -> Any:
            return self._evaluated(form.number, method, name, args, kwargs)

        function.__name__ = function.__qualname__ = name
        if parameters is not None:
            empty = inspect.Parameter.empty
            told = [inspect.Parameter(n, _KINDS[k], default=... if d else empty) for n, k, d in parameters]
            function.__signature__ = inspect.Signature(told)  # type: ignore[attr-defined] # as inspect looks for it
        return function

    def _evaluated(self, number: int, method: str, name: str, args: Any, kwargs: Any) -> Any:
        """Return the value. Raises what the function raises, TypeError for data that cannot be sent, RuntimeError too
        late.
        """
        encoder = wire.Encoder(MOST_BYTES)
        try:
            asked = Evaluate(number, method, encoder.encode(list(args)), encoder.encode(kwargs))
        except BadValue as error:
            raise TypeError(f"{name} cannot take an argument that is {error}") from None
        if encoder.opaque:
            kind = encoder.opaque[0].removeprefix("builtins.")
            raise TypeError(f"{name} takes numbers, texts, arrays, tuples, lists and dicts, not {kind}")
        if any(tensor.requires_grad for tensor in pytree.tensors([args, kwargs])):
            raise TypeError(f"no gradient flows through {name}: pass it a tensor without one, such as x.detach()")
        with self._lock:
            if not self._open or self._ask is None:
                raise RuntimeError(f"{name} is called after the call that it was given to has ended")
            answer, payload = self._ask(asked, encoder.parts)
        if answer.error:
            raise _exception(answer)
        value = wire.decode(answer.value, payload)
        return pytree.mapped(self.moved, value) if self.moved else value


def _exception(answer: Evaluated) -> Exception:
    kind = getattr(builtins, answer.error)
    try:
        found: Exception = kind(answer.message)
    except TypeError:  # one that takes more
        found = RuntimeError(answer.message)
    return found


def form_of(value: Any) -> GeneratorForm | None:
    """Return the form of a generator of random numbers, with its state; None for anything else."""
    if isinstance(value, np.random.Generator):
        state = value.bit_generator.state
        return GeneratorForm("numpy", state["bit_generator"], json.dumps(state, default=lambda array: array.tolist()))
    if torch is not None and isinstance(value, torch.Generator) and value.device.type == "cpu":
        return GeneratorForm("torch", "torch", bytes(value.get_state().tolist()).hex())
    return value if isinstance(value, GeneratorForm) else None


def drawable(form: Any) -> Any:
    """Return a generator in the state of this form, which a suite's was in; any other form unchanged."""
    if not isinstance(form, GeneratorForm):
        return form
    if form.kind == "torch":
        state = torch.tensor(list(bytes.fromhex(form.state)), dtype=torch.uint8)
        return torch.Generator().set_state(state)
    bits = getattr(np.random, form.name)(0)
    bits.state = json.loads(form.state)
    return np.random.Generator(bits)
