"""What a check tells the student: sentences built from shapes, dtypes and differences."""

from __future__ import annotations

import builtins
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from grader import arrays
from grader.arrays import Array, Numpy, Tensor, torch
from grader.sandbox.worker import wire
from grader.suites import torch_errors
from grader.suites.excerpt import Compared
from grader.suites.target import StudentError
from grader.texts import Text, one_line, plain, translated

FOR_CALL = translated("{call}: {problem}")
NOT_STARTED = translated("not started: the function still raises NotImplementedError")
RAISES_BARE = translated("raises {type}{where}")
RAISES = translated("raises {type}{where}: {message}").or_hint(RAISES_BARE)
AN_ERROR = translated("an exception of its own")
ON_LINE = translated(" on line {line}")
ON_LINE_THAT_SAYS = translated(" on line {line}, `{code}`").or_hint(ON_LINE)
CALLED_FROM = translated(" on line {line}, `{code}`, called from line {callers}").or_hint(
    translated(" on line {line}, called from line {callers}")
)
EXPLAINED = translated("{said} [{explained}; {shapes}]")
EXPLAINED_BARE = translated("{said} [{explained}]")
EXITS = translated("ends the program ({type}{where}) instead of returning a value")
AT_IMPORT = translated("while the file was imported: {reason}")
SYNTAX = translated("{type} in {file}, line {line}, column {column}: {message}")
SYNTAX_THAT_SAYS = translated("{type} in {file}, line {line}, column {column}, `{code}`: {message}")
MARKERS = translated("version control left two versions here: keep one, and delete the lines with <<<<, ==== and >>>>")
CANNOT_IMPORT = translated("the file cannot be imported: it {problem}")
NOT_DEFINED = translated("{file} does not define {wanted}; it defines {found}")
BOUND_AGAIN = translated(
    "{file} defines {wanted}, but in the end that name stands for something that cannot be called; is it assigned "
    "again or deleted further down?"
)
DEFINED_INSIDE = translated(
    "{file} defines {wanted} inside of something else; begin the line `def {wanted}` at the left margin"
)
NO_NAMES = translated("nothing")
NO_MEMORY = translated("runs out of memory{where}")
TOO_MUCH_MEMORY = translated("takes more than {megabytes} MB of memory on the way{where}")
NO_THREAD = translated("starts more threads than allowed{where}")
NO_FILE = translated("opens more files than allowed{where}")
TOO_DEEP = translated("calls itself too deeply{where}")
NO_TERMINAL = translated(
    "calls {call}{where}, and nobody can answer here; `grader debug {file}` makes this call in plain Python on your "
    "machine, where it works"
)
CANNOT_CROSS = translated("returns a value that cannot be taken: {message}").or_hint(
    translated("returns a value that cannot be taken")
)
NOT_THERE = translated("opens a file that is not there where the code is graded{where}: {message}").or_hint(
    translated("opens a file that is not there where the code is graded{where}")
)
BLOCKED = translated("tries something that the sandbox does not allow{where}: {message}").or_hint(
    translated("tries something that the sandbox does not allow{where}")
)
NO_GRADIENT = translated("no gradient reaches {name}")
WRONG_GRADIENT = translated("the gradient of {name} is off by {difference}")
NAN_GRADIENT = translated("the gradient of {name} holds NaN")
CHANGED = translated("changes its input {names} in place")
CHANGED_FORM = translated(
    "puts something into a list or dict that it was given or into its state_dict, or takes it out"
)
OTHER_THAN_ON_CPU = translated("gives another result there than on the CPU")
NO_ERROR = translated("returns a value where ValueError is due")
RETURNS_ERROR = translated("returns {type} where ValueError is to be raised: write `raise`, not `return`")
ALLOWED = translated("these arguments are allowed and must not be refused")
OTHER_ERROR = translated("{problem}, where ValueError is due")
UNPACKED = translated("{problem}; this ValueError is Python's own and refuses nothing: raise one yourself")
THE_RESULT = translated("the result")
OTHER_KIND = translated("something else")
RESULT_NUMBER = translated("result {number}")
DIFFERS = translated(
    "{part} is off by up to {difference} ({wrong} of {total} entries; at {where} it is {got}, expected {want})"
).or_hint(translated("{part} is off by up to {difference} ({wrong} of {total} entries)"))
ONE_DIFFERS = translated("{part} is off by {difference}: it is {got}, expected {want}").or_hint(
    translated("{part} is off by {difference}")
)
IS_NAN = translated("{part} holds NaN ({wrong} of {total} entries are wrong; at {where} expected {want})").or_hint(
    translated("{part} holds NaN ({wrong} of {total} entries are wrong)")
)
WRONG_VALUE = translated("{part} is {got}, expected {want}").or_hint(translated("{part} is wrong"))
AGAIN = translated("{problem}, when it is called again after other inputs, or its earlier result has changed since")
IN_TURNS = translated("{called} called with {turns}")
MORE_TURNS = translated("{shown} ... ({count} calls)")
BY_TURNS = translated("{objects} objects {called} called by turns with {turns}")
INPUTS = translated("input:\n{inputs}")
VALUES = translated("input:\n{inputs}\nexpected:\n{want}\ngot:\n{got}")
SHOWN_ELEMENTS = 48
MOST_SAID = 300  # characters of an exception's message
SHOWN_TURNS = 3


def call(function: str, arguments: Mapping[str, Any]) -> Text:
    """`softmax(x [2, 3, 5] float32, dim=1)`."""
    return plain(f"{function}({', '.join(f'{name}{_argument(value)}' for name, value in arguments.items())})")


def in_turns(called: Text, turns: Sequence[Mapping[str, Any]], objects: int = 1) -> Text:
    """`Block(8, 2) called with (x [2, 3, 8] float32), (x [2, 1, 8] float32)`; without turns, how it is made."""
    if not turns:
        return called
    said = [f"({', '.join(f'{name}{_argument(value)}' for name, value in turn.items())})" for turn in turns]
    shown = plain(", ".join(said[:SHOWN_TURNS]))
    shown = MORE_TURNS.format(shown=shown, count=len(said)) if len(said) > SHOWN_TURNS else shown
    return (BY_TURNS if objects > 1 else IN_TURNS).format(called=called, turns=shown, objects=objects)


def _argument(value: Any) -> str:
    if arrays.is_array(value):
        return f" {_literal(value)}"
    return f"={_literal(value)}"


def _literal(value: Any) -> str:
    if arrays.is_array(value):
        return f"{list(value.shape)} {arrays.dtype_name(value)}"
    if isinstance(value, list | tuple):
        said = [_literal(v) for v in value]
        if len(said) > 1 and len({*said}) == 1 and arrays.is_array(value[0]):
            return f"{len(said)} x {said[0]}"
        inside = ", ".join(said)
        return f"[{inside}]" if isinstance(value, list) else f"({inside})"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{k!r}: {_literal(v)}' for k, v in value.items())}}}"
    return str(value) if torch is not None and isinstance(value, torch.device) else repr(value)


KNOWN_ERRORS = {"WrongDevice", *(n for n in dir(builtins) if n.endswith(("Error", "Iteration", "Warning")))}
BREACHES = (
    (("PermissionError", "BlockingIOError"), (), BLOCKED),
    (("FileNotFoundError",), (), NOT_THERE),
    (("MemoryError",), (), NO_MEMORY),
    (("RuntimeError",), ("can't allocate memory", "not enough memory"), NO_MEMORY),
    (("RuntimeError",), ("can't start new thread",), NO_THREAD),
    (("OSError",), ("[Errno 24]",), NO_FILE),
    (("RecursionError",), (), TOO_DEEP),
    (("BadValue",), (), CANNOT_CROSS),
)  # exception names, words of which the message holds one, what to say


_ASKED = re.compile(r"([A-Za-z_.]{1,30}\(\)) ((?=(\D*\d){0,4}\D*$)[\w-]{1,40})")  # as `stand_ins` says it


def blocked(error: StudentError) -> bool:
    """Whether the sandbox refused what the code tried, or hid it: in a worker, what may not be read is not there."""
    return error.types[0] in ("PermissionError", "FileNotFoundError")


def not_started(error: StudentError) -> bool:
    """Whether a stub raised this. Torch raises it too, for what a dtype does not have and a class without forward."""
    if error.types[0] != "NotImplementedError" or error.message.startswith("Module ["):
        return False
    return not error.code or "NotImplementedError" in error.code


def raised(error: StudentError, megabytes: int | None = None, called: bool = True) -> Text:
    """An exception of the student's in a sentence; `megabytes`: what the call got of memory, if that was little.

    It comes from a call that should return a value, or else from the import of the file.
    """
    where = _where(error)
    if not_started(error):
        return NOT_STARTED
    if error.types[0] in ("SystemExit", "KeyboardInterrupt", "GeneratorExit"):
        return EXITS.format(type=error.types[0], where=where)
    message = shortened(" ".join(error.message.split()))
    if error.types[0] == "NoTerminal" and (asked := _ASKED.fullmatch(message)):
        return NO_TERMINAL.format(call=asked[1], where=where, file=asked[2])
    for names, words, sentence in BREACHES:
        if error.types[0] in names and (not words or any(w in message for w in words)):
            sentence = TOO_MUCH_MEMORY if megabytes and sentence is NO_MEMORY else sentence
            return sentence.format(where=where, message=message, megabytes=megabytes)
    said = (RAISES if message else RAISES_BARE).format(type=_type(error), where=where, message=message)
    meaning = ALLOWED if called and error.refuses_by_itself else torch_errors.explained(message)
    if meaning is None:
        return said
    shapes = plain(", ".join(f"{name} {shape}" for name, shape in error.shapes))
    return (EXPLAINED if error.shapes else EXPLAINED_BARE).format(said=said, explained=meaning, shapes=shapes)


def shortened(message: str) -> str:
    """At most MOST_SAID characters of it, and no part of a word."""
    whole_words = message[:MOST_SAID].rpartition(" ")[0]
    return f"{whole_words} ..." if len(message) > MOST_SAID and whole_words else message[:MOST_SAID]


def _type(error: StudentError) -> Text:
    """The name of its class; where no value may be shown, that of Python's class, for a student's may hold anything."""
    name = plain(error.types[0])
    if error.types[0] in KNOWN_ERRORS:
        return name
    return name.or_hint(next((plain(t) for t in error.types[1:] if t in KNOWN_ERRORS), AN_ERROR))


def _where(error: StudentError) -> Text:
    """The line that raised and what it says, and the lines that led there."""
    if not error.lines:
        return plain("")
    lines = {"line": error.lines[0], "code": plain(error.code), "callers": ", ".join(map(str, error.lines[1:]))}
    if not error.code:
        return ON_LINE.format(**lines)
    return (CALLED_FROM if error.lines[1:] else ON_LINE_THAT_SAYS).format(**lines)


_MARKED = re.compile("<{7}|={7}|>{7}")


def import_failed(error: StudentError, file: str) -> Text:
    """Why a file cannot be imported: a syntax error with its place, or an exception."""
    if "SyntaxError" in error.types:
        where = {"line": (*error.lines, "?")[0], "column": error.column or "?", "code": plain(error.code)}
        said = SYNTAX_THAT_SAYS if error.code else SYNTAX
        told = said.format(type=error.types[0], file=file, message=shortened(error.message), **where)
        meaning = torch_errors.explained(error.message) or (MARKERS if _MARKED.match(error.code) else None)
        return EXPLAINED_BARE.format(said=told, explained=meaning) if meaning else told
    return Text(*CANNOT_IMPORT.format(problem=raised(error, called=False)))  # it has seen no input yet


def kind(value: Any) -> Text:
    """What a value is, in a word."""
    if isinstance(value, wire.Opaque):
        return plain(one_line(type_name(value), wire.MAX_TYPE)).or_hint(OTHER_KIND)
    if arrays.is_array(value):
        return plain("torch.Tensor" if isinstance(value, Tensor) else "numpy.ndarray")
    return plain("None" if value is None else type(value).__name__)


def type_name(value: Any) -> str:
    """The name of its type, as people know it, also of a value that did not cross."""
    return value.type.removeprefix("builtins.") if isinstance(value, wire.Opaque) else type(value).__name__


def no_error(value: Any) -> Text:
    """What is said of a value that came back where ValueError is due, which may be the error itself."""
    returned = isinstance(value, wire.Opaque) and type_name(value) in KNOWN_ERRORS
    return RETURNS_ERROR.format(type=type_name(value)) if returned else NO_ERROR


def number(value: Any) -> str:
    """Three digits."""
    return f"{value:.3g}"


def differs(compared: Compared) -> Text:
    """The largest difference, how many entries are wrong, and the worst of them; a number is said without a place."""
    part, actual, expected, right = compared
    where = compared.worst()
    got, want = actual[where].item(), expected[where].item()
    facts = {"part": part, "where": list(where), "total": right.size, "wrong": int((~right).sum())}
    truth, lost = actual.dtype.kind == "b", bool(np.isnan(actual).any())
    one, other = (bool(got), bool(want)) if truth else ("NaN", number(want)) if lost else apart(got, want)
    if truth or lost:
        shown = (DIFFERS if truth else IS_NAN) if actual.shape else WRONG_VALUE
        return shown.format(difference=1, got=one, want=other, **facts)
    shown = DIFFERS if actual.shape else ONE_DIFFERS
    return shown.format(difference=number(compared.apart()[where]), got=one, want=other, **facts)


def wrong_gradient(name: str, difference: Numpy) -> Text:
    """What is said of a gradient that is off by so much, entry by entry."""
    if np.isnan(difference).any():
        return NAN_GRADIENT.format(name=name)
    return WRONG_GRADIENT.format(name=name, difference=number(difference.max()))


def apart(one: Any, other: Any) -> tuple[str, str]:
    """Two numbers with as many digits as it takes to tell them apart, three at least."""
    for digits in range(3, 17):
        a, b = f"{one:.{digits}g}", f"{other:.{digits}g}"
        if a != b:
            break
    return a, b


def values(inputs: Sequence[Array], compared: Compared, pictured: bool) -> Text | None:
    """Inputs, and unless they are pictured expected and actual values, where they are few enough to read."""
    if compared.actual.size > SHOWN_ELEMENTS or sum(map(arrays.size, inputs)) > 2 * SHOWN_ELEMENTS:
        return None
    shown = "\n".join(_table(t) for t in inputs) or "-"
    if pictured:
        return INPUTS.format(inputs=shown)
    return VALUES.format(inputs=shown, want=_table(compared.expected), got=_table(compared.actual))


def _table(array: Array) -> str:
    if torch is None:
        return np.array2string(np.asarray(array), precision=4, separator=", ", suppress_small=True)
    shown = torch.as_tensor(array).detach().cpu()
    text = re.sub(r",\s+dtype=torch\.\w+", "", str(shown.double() if shown.is_floating_point() else shown))
    return text.removeprefix("tensor(").removesuffix(")").replace("\n       ", "\n")
