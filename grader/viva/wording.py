"""The sentences of an oral exam, in every language."""

from __future__ import annotations

from typing import Any

from grader import arrays
from grader.arrays import Tensor
from grader.sandbox.worker import wire
from grader.suites import Outcome
from grader.texts import NOTHING, Text, clean, joined, plain, translated
from grader.viva.inputs import entries

SHOWN = 12  # entries of a result that are written out
MOST_PARTS = 6  # of a result

WRONG = translated("For which one of these inputs does your function not give what the exercise asks for?")
INPUT = translated("{change}, which one of these inputs gives another result?")
RESULT = translated("{change}, what does {call} give?")
WITHOUT = translated("Without `{code}` in line {line}")
WITHOUT_LINE = translated("Without line {line}")
WITHOUT_LINES = translated("Without lines {line} to {last}")
INSTEAD = translated("With `{new}` in place of `{old}` in line {line}")
AS_SHOWN = translated("With line {line} changed as shown")
NONE = translated("none of these")
PREDICT = translated("For {call}: what is the shape of `{name}` after line {line}?")
TRACE = translated("For {call}: which of your variables change if {what}?")
VARIABLE = translated("`{name}`, line {line}")
OTHER_VALUES = translated("`{name}` has other values")
OTHER_ENTRY = translated("the last entry of `{name}` has another value")
GIVES = translated("your code gives {result}, as asked")
GIVES_DUE = translated("your code gives {result}; {due} is expected")
BEFORE_AFTER = translated("before: {before}; after the change: {after}")
STAYS = translated("the same: {result}")
OTHER_ENTRIES = translated("{result} both times, with other entries")
ERROR = translated("an error, {type}")
SHAPE = translated("shape {shape}{dtype}")
ENTRY, BESIDE, AROUND = plain("{key}: {value}"), plain("{one}, {other}"), plain("{start}{inside}{end}")
MOVED = translated("is another")
UNMOVED = translated("is the same both times")
HAS_SHAPE = translated("the run gives shape {shape}")

NOT_HANDED_IN = translated("not handed in")
NOT_BEGUN = translated("it has not been started")
NOTHING_SMALL = translated("its checks use no input that is small enough to show")
NO_RUN = translated(
    "it gives no result that can be relied on: it hangs, ends its process or gives something else each time"
)
NO_QUESTION = translated("no question about it has an answer that is certain")
BORROWS = translated("line {line} uses {name}, which the exercise forbids")
SPENT = translated("not looked at: the time for one student has run out")


def result(outcome: Outcome, full: bool = True) -> Text:
    """Return in a few words what a call gave: entries if they are few, else shapes; only shapes unless `full`."""
    if outcome.raised:
        return ERROR.format(type=outcome.raised.types[0])
    return _value(outcome.value, full)


def _value(value: Any, full: bool) -> Text:
    """A list as a list, a tuple as a tuple, each cut after MOST_PARTS."""
    if isinstance(value, dict):
        around, said = "{}", [ENTRY.format(key=repr(k), value=_value(v, full)) for k, v in value.items()]
    elif isinstance(value, list | tuple):
        around, said = "[]" if isinstance(value, list) else "()", [_value(item, full) for item in value]
    else:
        return _leaf(value, full)
    parts = [*said[:MOST_PARTS], *([plain("...")] if len(said) > MOST_PARTS else [])]
    return AROUND.format(start=around[0], inside=joined(BESIDE, parts) if parts else NOTHING, end=around[1])


def _leaf(leaf: Any, full: bool) -> Text:
    if isinstance(leaf, Tensor):
        if full and 0 < leaf.numel() <= SHOWN and leaf.is_cpu:
            return plain(entries(leaf.detach(), 3))
        dtype = arrays.dtype_name(leaf)
        return SHAPE.format(shape=list(leaf.shape), dtype="" if dtype == "float32" else f" {dtype}")
    if isinstance(leaf, float):
        return plain(f"{leaf:.4g}")
    return plain(leaf.type if isinstance(leaf, wire.Opaque) else clean(repr(leaf), 80))
