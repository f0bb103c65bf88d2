"""Sentences about code that raises, that does not raise what it should, cannot be imported, or gives no answer."""

from __future__ import annotations

import builtins
import re
import signal
from collections.abc import Sequence
from typing import Any

from grader.sandbox.worker import wire
from grader.suites import torch_errors
from grader.suites.target import StudentError
from grader.suites.wording import type_name
from grader.texts import Text, either, one_line, open_to_all, plain, translated

NOT_STARTED = translated("not started: the function still raises NotImplementedError")
RAISES_BARE = translated("raises {type}{where}")
RAISES = translated("raises {type}{where}: {message}", hint=RAISES_BARE.key)
AN_ERROR = translated("an exception of its own")
ON_LINE = translated(" on line {line}")
ON_LINE_THAT_SAYS = translated(" on line {line}, `{code}`", hint=ON_LINE.key)
CALLED_FROM = translated(
    " on line {line}, `{code}`, called from line {callers}", hint=" on line {line}, called from line {callers}"
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
TOO_MUCH_MEMORY = translated("needs more than {megabytes} MB of memory{where}")
NO_THREAD = translated("starts more threads than allowed{where}")
NO_FILE = translated("opens more files than allowed{where}")
TOO_DEEP = translated("calls itself too deeply{where}")
NO_TERMINAL = translated(
    "calls {call}{where}, and nobody can answer here; `grader debug {file}` makes this call in plain Python on your "
    "machine, where it works"
)
CANNOT_CROSS = translated(
    "returns a value that cannot be accepted: {message}", hint="returns a value that cannot be accepted"
)
NOT_THERE = translated(
    "opens a file that is not there where the code is graded{where}: {message}",
    hint="opens a file that is not there where the code is graded{where}",
)
BLOCKED = translated(
    "tries something that the sandbox does not allow{where}: {message}",
    hint="tries something that the sandbox does not allow{where}",
)
NO_ERROR = translated("returns a value, expected a ValueError")
RETURNS_ERROR = translated("returns {type} where ValueError is to be raised: write `raise`, not `return`")
ALLOWED = translated("these arguments are allowed and must not be refused")
OTHER_ERROR = translated("{problem}, expected a ValueError")
UNPACKED = translated("{problem}; this ValueError is Python's own and refuses nothing: raise one yourself")
CALL_TIMEOUT = translated("took longer than {seconds:g} s and was stopped{where}")
UNTIL_THEN = translated("{reason}; until then {name} was called {count:,} times")
BUDGET = translated("all calls together took longer than {seconds:g} s")
NOT_AWAITED = translated("not waited for, because an earlier call took too long")
EXITED = translated("the code ended its process (exit code {code})")
KILLED = translated("the process died: {signal}")
OUT_OF_MEMORY = translated("the process was killed; did it use too much memory?")
OUT_OF_GPU_MEMORY = translated("held more than {limit} MB of the GPU's memory and was stopped")
OUT_OF_CPU = translated("used more processor time than allowed")
LARGE_RESULT = translated("returns more than {limit} MB")
GARBLED = translated("the code disturbed the connection to the grader")
BESIDE = translated("starts a background thread on import; this check does not allow threads")
HOLDS = translated(
    "holds more than {most} MB before the call, which may use {most} MB in all; create nothing large at import"
)
MOST_SAID = 300  # characters of an exception's message

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
_ASKED = re.compile(r"([A-Za-z_.]{1,30}\(\)) ((?=(\D*\d){0,4}\D*$)[\w-]{1,40})")  # as `import_stubs` says it
_MARKED = re.compile("<{7}|={7}|>{7}")


def blocked(error: StudentError) -> bool:
    """Return whether the sandbox refused what the code tried, or hid it: in a worker, forbidden files do not exist."""
    return error.types[0] in ("PermissionError", "FileNotFoundError")


def not_started(error: StudentError) -> bool:
    """Return whether a stub raised this. Torch raises it too, if a dtype lacks an operation or a class its forward."""
    if error.types[0] != "NotImplementedError" or error.message.startswith("Module ["):
        return False
    return not error.code or "NotImplementedError" in error.code


def raised(error: StudentError, megabytes: int | None = None, called: bool = True) -> Text:
    """Describe an exception of the student's code; `megabytes`: the memory that the call got, if that was little.

    The exception comes from a call that should return a value, or from the import of the file.
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
    """Return at most MOST_SAID characters of a text, cut between words."""
    whole_words = message[:MOST_SAID].rpartition(" ")[0]
    return f"{whole_words} ..." if len(message) > MOST_SAID and whole_words else message[:MOST_SAID]


def _type(error: StudentError) -> Text:
    """Return the name of its class, or of Python's class where no value may be shown: a student's may hold one."""
    if error.types[0] in KNOWN_ERRORS:
        return plain(error.types[0])
    return either(error.types[0], next((plain(t) for t in error.types[1:] if t in KNOWN_ERRORS), AN_ERROR))


def _where(error: StudentError) -> Text:
    """The line that raised and what it says, and the lines that led there."""
    if not error.lines:
        return plain("")
    lines = {"line": error.lines[0], "code": plain(error.code), "callers": ", ".join(map(str, error.lines[1:]))}
    if not error.code:
        return ON_LINE.format(**lines)
    return (CALLED_FROM if error.lines[1:] else ON_LINE_THAT_SAYS).format(**lines)


def import_failed(error: StudentError, file: str) -> Text:
    """Say why a file cannot be imported: a syntax error with its place, or an exception."""
    if "SyntaxError" in error.types:
        where = {"line": (*error.lines, "?")[0], "column": error.column or "?", "code": plain(error.code)}
        said = SYNTAX_THAT_SAYS if error.code else SYNTAX
        told = said.format(type=error.types[0], file=file, message=shortened(error.message), **where)
        meaning = torch_errors.explained(error.message) or (MARKERS if _MARKED.match(error.code) else None)
        return EXPLAINED_BARE.format(said=told, explained=meaning) if meaning else told
    return open_to_all(CANNOT_IMPORT.format(problem=raised(error, called=False)))  # it has seen no input yet


def not_defined(function: str, name: str, source: str, defines: Sequence[str]) -> Text:
    """Say that the file with this name and source does not define a function, and which others it defines."""
    names = ", ".join(one_line(name, 40) for name in defines[:8])
    inside = re.search(rf"^[ \t]+(async )?def {re.escape(function)}\b", source, re.MULTILINE)
    said = BOUND_AGAIN if function in defines else DEFINED_INSIDE if inside else NOT_DEFINED
    return said.format(file=f"{name}.py", wanted=function, found=plain(names) if names else NO_NAMES)


def no_error(value: Any) -> Text:
    """Say that a value was returned where ValueError is expected; the value may be the error itself."""
    returned = isinstance(value, wire.Opaque) and type_name(value) in KNOWN_ERRORS
    return RETURNS_ERROR.format(type=type_name(value)) if returned else NO_ERROR


def died(code: int | None) -> Text:
    """Say from its exit code why a process is silent; None if it lives."""
    if code is None:
        return GARBLED
    if code >= 0:
        return EXITED.format(code=code)
    if -code == getattr(signal, "SIGXCPU", None):
        return OUT_OF_CPU
    if -code == getattr(signal, "SIGKILL", None):
        return OUT_OF_MEMORY
    return KILLED.format(signal=plain(signal.strsignal(-code) or f"signal {-code}"))
