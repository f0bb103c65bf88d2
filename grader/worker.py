"""The only code beside the student's that runs inside the sandbox: import the source, serve calls.

It holds no expected value, no suite and no secret. Everything it answers is the student's claim.
"""

from __future__ import annotations

import ast
import contextlib
import io
import linecache
import os
import socket
import sys
import types
from collections.abc import Callable, Sequence
from typing import Any

import torch

from grader import sheet, trees, wire
from grader.channel import OWN_CAP, Channel, ChannelError
from grader.modes import move, other_device, outline, trace
from grader.withheld import withhold

MESSAGE_CAP = 2000
MAX_NAMES = 200
DIRECTION_SEED = 20170612
MAX_FUNCTIONS = 5000  # `from torch import *` alone brings a thousand
# Taken before a student's file could put others in their place.
_EQUAL, _CLONE, _DETACH = torch.equal, torch.Tensor.clone, torch.Tensor.detach
_VERSION = vars(torch._C.TensorBase)["_version"].__get__
Reply = tuple[dict[str, Any], list[bytes]]


def serve(channel: Channel) -> None:
    """Answer requests until the grader closes the channel."""
    session = Session()
    channel.send({"ready": True})
    while True:
        try:
            request, payload = channel.receive()
        except ChannelError:
            return
        header, parts = session.answer(request, payload)
        with contextlib.suppress(BaseException):  # the student's file may have closed or replaced it
            sys.stdout.flush()
        channel.send({**header, "nonce": request["nonce"]}, parts)


class Session:
    """One student file: its source, then its functions."""

    def __init__(self, functions: dict[str, Any] | None = None) -> None:
        self._functions = functions or {}
        self._source = ""
        self._name = ""
        self._cap: int | None = None
        self._called: set[str] = set()

    def answer(self, request: dict[str, Any], payload: bytearray) -> Reply:
        """The reply to one request: `inspect` or `sheet` (nothing is executed), `load`, `call`."""
        try:
            if request["op"] == "inspect":
                self._source, self._name = request["source"], request["name"]
                return {"ok": inspect(self._source, self._name, request["forbid"])}, []
            if request["op"] == "sheet":
                encoder = wire.Encoder(request["cap"])
                return {"ok": encoder.encode(sheet.parse(request["source"]))}, encoder.parts
            if request["op"] == "load":
                self._cap = request["cap"]
                withhold(request["withhold"], self._called)
                self._functions = load(self._source, self._name)
                names = (n for n, f in self._functions.items() if type(n) is str and len(n) <= 100 and callable(f))
                return {"ok": sorted(names)[:MAX_FUNCTIONS]}, []
            header, parts = call(self._functions[request["function"]], request, payload, self._cap)
        except BaseException as error:  # sys.exit() and KeyboardInterrupt are answers too
            header, parts = {"raised": describe(error, self._name)}, []
        if self._called:
            header["operators"] = [*sorted(self._called), *header.get("operators", [])]
        return header, parts


def inspect(source: str, name: str, forbid: Sequence[str]) -> dict[str, Any]:
    """Facts of a source that is parsed, not run: the first name of `forbid` that it mentions, the names it defines.

    Raises:
        SyntaxError: the source is not Python; also for what the parser cannot take (RecursionError, MemoryError).
    """
    tree = ast.parse(source, f"{name}.py")
    aliases: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for a in node.names:
                aliases[a.asname or a.name.partition(".")[0]] = a.name if a.asname else a.name.partition(".")[0]
        elif isinstance(node, ast.ImportFrom) and node.module:
            aliases.update({a.asname or a.name: f"{node.module}.{a.name}" for a in node.names})
    top = [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    runs = [node for node in tree.body if not _is_main(node)]
    named = (n for n in ast.walk(ast.Module(runs, [])) if isinstance(n, ast.Attribute | ast.Name))
    borrowed = next(([name, n.lineno] for n in named if (name := _dotted(n, aliases)) in forbid), None)
    return {"borrowed": borrowed, "defines": [n.name[:100] for n in top[:100]]}


def _is_main(node: ast.stmt) -> bool:
    """`if __name__ == "__main__":` never runs here; comparing with torch there is honest work."""
    return isinstance(node, ast.If) and not node.orelse and ast.unparse(node.test) == "__name__ == '__main__'"


def _dotted(node: ast.AST, aliases: dict[str, str]) -> str:
    """`torch.nn.functional.softmax` for any way to write it that an import makes; `?.softmax` for a method."""
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    if isinstance(node, ast.Name):
        names.append(aliases.get(node.id, node.id))
    elif names:
        names = [names[0], "?"]
    return ".".join(reversed(names))


def load(source: str, name: str) -> dict[str, Any]:
    """Run a student file as the module `name` and return its globals."""
    module = types.ModuleType(name)
    module.__file__ = f"{name}.py"
    sys.modules[name] = module
    linecache.cache[f"{name}.py"] = (len(source), None, source.splitlines(keepends=True), f"{name}.py")
    exec(compile(source, f"{name}.py", "exec", dont_inherit=True), module.__dict__)  # what the wall is for
    return module.__dict__


def call(function: Callable[..., Any], request: dict[str, Any], payload: bytearray, cap: int | None) -> Reply:
    """Call one function, or one object of a class, and encode what came back.

    The request holds `args` and `kwargs`; `made` says how to make the object; `gradients` asks for those of all float
    inputs and weights, along a direction that a fixed seed draws (of the result `only`, if that is a number), `watch`
    for the inputs that it changes and the operators that it runs, `contract` for a run on the pretended device.
    """
    args, kwargs, made = (wire.decode(request.get(key), payload) for key in ("args", "kwargs", "made"))
    if request.get("device") == "cuda":
        args, kwargs, made = (trees.mapped(_onto_cuda, value) for value in (args, kwargs, made))
    weights: dict[str, torch.Tensor] = {}
    if made:
        function, weights = make(function, made)
    performed = in_turns(function) if made and made["turns"] else function
    encoder = wire.Encoder(cap)
    if request.get("contract"):
        with other_device():
            moved = elsewhere(function, weights)
            moved = in_turns(moved) if made and made["turns"] else moved
            result = moved(*trees.mapped(move, args), **trees.mapped(move, kwargs))
        return {"ok": encoder.encode(trees.mapped(outline, result))}, encoder.parts
    inputs = [*trees.tensors([args, kwargs]), *weights.values()]
    before = [(_CLONE(_DETACH(t)), _VERSION(t)) for t in inputs] if request.get("watch") else []
    if request.get("gradients"):
        for tensor in inputs:
            tensor.requires_grad_(tensor.is_floating_point())
    header: dict[str, Any] = {}
    with trace() if request.get("watch") else contextlib.nullcontext() as seen:
        result = performed(*args, **kwargs)
    if seen:
        header["operators"], header["largest"] = sorted(seen.names)[:MAX_NAMES], seen.largest
    if before:
        header["changed"] = [
            i for i, (t, (old, version)) in enumerate(zip(inputs, before, strict=True))
            if _VERSION(t) != version or not _EQUAL(_DETACH(t), old)
        ]  # fmt: skip
    if request.get("gradients"):
        header["gradients"] = encoder.encode(gradients(result, inputs, request["gradients"]["only"]))
    header["ok"] = encoder.encode(result)
    return header, encoder.parts


def make(kind: Callable[..., Any], made: dict[str, Any]) -> tuple[Callable[..., Any], dict[str, torch.Tensor]]:
    """An object of the class `kind` with the weights that `made` names, and those weights as the object keeps them."""
    thing = kind(*made["args"], **made["kwargs"])
    weights: dict[str, torch.Tensor] = {}
    if isinstance(thing, torch.nn.Module):
        thing.train(made["train"])
    if made["state"] is not None:
        first = next(iter(made["state"].values()))
        thing.to(device=first.device, dtype=first.dtype).load_state_dict(made["state"])
        kept = {**dict(thing.named_buffers()), **dict(thing.named_parameters())}
        weights = {name: kept[name] for name in made["state"]}
    return thing, weights


def in_turns(thing: Callable[..., Any]) -> Callable[..., Any]:
    """Called with the arguments of several calls: all results."""
    return lambda *turns: tuple(thing(*turn) for turn in turns)


def elsewhere(function: Callable[..., Any], weights: dict[str, torch.Tensor]) -> Callable[..., Any]:
    """The function with its weights and buffers on the pretended device."""
    if not weights or not isinstance(function, torch.nn.Module):
        return function
    moved = {name: move(tensor.detach()) for name, tensor in {**dict(function.named_buffers()), **weights}.items()}
    return lambda *args, **kwargs: torch.func.functional_call(function, moved, args, kwargs)


def gradients(result: Any, inputs: list[torch.Tensor], only: int | None) -> Any:
    """The gradient for each input (None where nothing flows, or where the input is no float).

    What is differentiated is one number: the sum of all results (or of result `only`), each entry times a fixed
    random weight. A scalar needs no cotangents, for which torch would import sympy.
    """
    outputs = trees.tensors(result)
    generator = torch.Generator().manual_seed(DIRECTION_SEED)
    weights = [torch.randn(t.shape, generator=generator, dtype=torch.float64).to(t) for t in outputs]
    terms = [
        (t * w).sum().double()
        for index, (t, w) in enumerate(zip(outputs, weights, strict=True))
        if t.requires_grad and only in (None, index)
    ]
    wanted = [t for t in inputs if t.requires_grad]
    if not terms or not wanted:
        return [None] * len(inputs)
    found = torch.autograd.grad(torch.stack(terms).sum(), wanted, allow_unused=True)
    by_id = {id(t): g for t, g in zip(wanted, found, strict=True)}
    return [by_id.get(id(t)) for t in inputs]


def describe(error: BaseException, name: str) -> dict[str, Any]:
    """An exception as data: its class names, its message, and the line of the student's file it came from."""
    facts: dict[str, Any] = {"types": [c.__name__[:100] for c in type(error).__mro__ if c is not object][:8]}
    try:
        facts["message"] = str.__getitem__(str(error), slice(MESSAGE_CAP))  # its own __getitem__ may be the student's
    except BaseException:  # a student's __str__ may do anything
        facts["message"] = ""
    if isinstance(error, SyntaxError) and not error.__traceback__:
        return facts
    frame, line = error.__traceback__, None
    while frame is not None:
        if frame.tb_frame.f_code.co_filename == f"{name}.py":
            line = frame.tb_lineno
        frame = frame.tb_next
    if isinstance(error, SyntaxError) and line is None:
        line = error.lineno
        facts["column"] = error.offset
        facts["message"] = str(error.msg)[:MESSAGE_CAP]
    facts["line"] = line
    return facts


def _onto_cuda(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return value.detach().cuda().requires_grad_(value.requires_grad)
    return "cuda" if value == torch.device("cpu") else value


def run(sock: socket.socket) -> None:
    """Serve, then leave without running anything the student registered for the end of the process."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # what was printed before a hang is what a learner needs most
            stream.reconfigure(line_buffering=True)
    try:
        serve(Channel(sock, header_cap=OWN_CAP))
    finally:
        os._exit(0)
