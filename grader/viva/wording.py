"""The sentences of an oral exam, in every language."""

from __future__ import annotations

from typing import Any

from grader import arrays, trees
from grader.arrays import Tensor
from grader.sandbox.worker import wire
from grader.suites import Outcome
from grader.texts import Text, clean, plain, translated
from grader.viva.inputs import entries

SHOWN = 12  # entries of a result that are written out
MOST_PARTS = 6  # of a result

WRONG = translated("For which of these inputs does your function not give what the exercise asks for?")
CHANGE = translated("Your code is changed as shown. For which of these inputs does the result change?")
WHY = translated("Your code is changed as shown. For only one of these inputs does the result change. Which one?")
RESULT = translated("Your code is changed as shown. What does it then give for {call}?")
PREDICT = translated("{call} is called. Which shape does `{name}` have after line {line}?")
TRACE = translated("{call} is called twice, the second time with {what}. Which of your variables get other values?")
MISTAKES = translated(
    "Which of these mistakes would {call} not reveal, because the result is the same as that of your code?"
)
VARIABLE = translated("`{name}`, line {line}")
OTHER_VALUES = translated("other values in `{name}`")
OTHER_ENTRY = translated("another value in the last entry of `{name}`")
GIVES = translated("your code gives {result}, as asked")
GIVES_DUE = translated("your code gives {result}; {due} is expected")
BEFORE_AFTER = translated("before: {before}; after the change: {after}")
STAYS = translated("the same: {result}")
OTHER_ENTRIES = translated("{result} both times, with other entries")
ERROR = translated("an error, {type}")
SHAPE = translated("shape {shape}, {dtype}")
AND = translated("{one} and {other}")
MOVED = translated("is another")
UNMOVED = translated("is the same both times")
HAS_SHAPE = translated("the run gives shape {shape}")
OTHER_RESULT = translated("with the mistake: {result}; your code: {mine}")

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
    """What a call gave, in a few words: entries where they are few, else shapes; shapes only unless `full`."""
    if outcome.raised:
        return ERROR.format(type=outcome.raised.types[0])
    leaves = trees.leaves(outcome.value)
    parts = [_leaf(leaf, full) for leaf in leaves[:MOST_PARTS]]
    parts += [plain("...")] if len(leaves) > MOST_PARTS else []
    said = parts[0] if parts else plain("()")
    for part in parts[1:]:
        said = AND.format(one=said, other=part)
    return said


def _leaf(leaf: Any, full: bool) -> Text:
    if isinstance(leaf, Tensor):
        if full and 0 < leaf.numel() <= SHOWN and leaf.is_cpu:
            return plain(entries(leaf.detach(), 3))
        return SHAPE.format(shape=list(leaf.shape), dtype=arrays.dtype_name(leaf))
    if isinstance(leaf, float):
        return plain(f"{leaf:.4g}")
    return plain(leaf.type if isinstance(leaf, wire.Opaque) else clean(repr(leaf), 80))
