"""Small inputs of an exercise's functions, as its suite makes them, each written so that a person can take it in."""

from __future__ import annotations

import dataclasses
import operator
import re
from collections.abc import Callable, Sequence
from typing import Any

from grader import arrays, pytree
from grader.arrays import Tensor, torch
from grader.suites import LARGE, Call, ExpectedCall, Suite, Suites, salience
from grader.texts import Text, plain

SEED = 0  # everybody may know it: no submission is graded with these numbers
IN_FULL = 16  # entries of all arguments together that are written out
WHOLE = 16  # entries of one that holds no numbers
LARGEST = 400  # entries of all arguments together, weights too
MOST = 28
FEW = 8
DIGITS = 3
WRITTEN = 1e6  # from here on as 1e+06
_DEFAULT = re.compile(r"(\w \[[\d, ]*\]) float32")  # which goes without saying
HOLDS = {torch.float16: 4, torch.bfloat16: 3} if torch is not None else {}


@dataclasses.dataclass(frozen=True)
class Small:
    """One input: the call, how it is written, whether it is an edge (large, infinite, of size 1, another dtype).

    other: the call with other numbers, where only shapes and dtypes are told: the answer may not depend on them. made:
    the call as the suite makes it. one_right: whether the suite takes only the solution's result.
    """

    call: Call
    words: Text
    edge: bool
    made: Call
    other: Call | None = None
    one_right: bool = False

    @property
    def full(self) -> bool:
        """True if all numbers of the input are written out."""
        return self.other is None

    @property
    def size(self) -> int:
        """Entries of the arguments."""
        return sum(t.numel() for t in tensors(self.call))


def small(suites: Suites, exercise: str, functions: Sequence[str]) -> list[Small]:
    """At most MOST inputs, no two written alike: the smallest of each kind, ordinary ones and edges."""
    suite = suites[exercise]
    comparing = {"matches_reference", "raises_value_error"}  # in other checks many results may be right
    asked = {item.name: {*item.fixturenames} for item in suite.items}
    only_right = {name for name, fixtures in asked.items() if fixtures & comparing and "student" not in fixtures}
    found: dict[str, Small] = {}
    for check, calls in suites.rehearsed(exercise, SEED).items():
        for call in (known.call for known in calls):
            if call.function in functions and _plain(call) and (shown := _small(suite, call)):
                known = found.setdefault(shown.words.to("en"), shown)
                one_right = known.one_right or check in only_right
                found[shown.words.to("en")] = dataclasses.replace(known, one_right=one_right)
    if len(found) < FEW:  # a student's copy has a few examples only
        more = [_small(suite, call) for known in list(found.values()) for call in _derived(known.made)]
        found = {shown.words.to("en"): shown for shown in more if shown} | found
    return _varied(list(found.values()))


def _derived(call: Call) -> list[Call]:
    """The call with other numbers, with large ones, and without what may be left out."""
    drawn = [_drawn(call, seed) for seed in (2, 3)]
    bare = [Call(c.function, c.args, made=c.made) for c in drawn] if call.args and call.kwargs else []
    return [*drawn, *bare, with_values(call, lambda leaf: leaf * 1000 if _is_real(leaf) else leaf)]


def with_values(call: Call, change: Callable[[Any], Any]) -> Call:
    """Return the call with `change` applied to each argument and to each weight of its object."""
    made = call.made and dataclasses.replace(call.made, state=pytree.mapped(change, call.made.state))
    args, kwargs = pytree.mapped(change, (call.args, dict(call.kwargs)))
    return dataclasses.replace(call, args=args, kwargs=kwargs, made=made)


def _is_real(leaf: Any) -> bool:
    return isinstance(leaf, Tensor) and leaf.is_floating_point()


def _plain(call: Call) -> bool:
    by_name = bool(call.kwargs) and not call.args  # written with shapes it would look like one by position
    weights = call.made.state.values() if call.made and call.made.state else ()
    special = call.contract or call.turns or call.picks or call.given or call.device != "cpu" or by_name
    return not special and sum(t.numel() for t in (*tensors(call), *weights)) <= LARGEST


def tensors(call: Call) -> list[Tensor]:
    """Those among the arguments."""
    return [a for a in call.arrays if isinstance(a, Tensor)]


def _small(suite: Suite, call: Call) -> Small | None:
    """The call with numbers of few digits; None where what matters about it could not be read."""
    made, call = call, with_values(Call(call.function, call.args, call.kwargs, made=call.made), _rounded)
    told = salience("value", tensors(call))
    edge = told.edge_case or told.other_dtype
    if sum(t.numel() for t in tensors(call)) <= IN_FULL and not call.made:
        written = [_source(a) for a in call.args] + [f"{k}={_source(v)}" for k, v in call.kwargs.items()]
        return Small(call, plain(f"{call.function}({', '.join(written)})"), edge, made)
    ordinary = all(bool((t.abs() < LARGE).all()) for t in tensors(call) if t.is_floating_point() and t.numel())
    words = _shapes(suite, call)
    return Small(_drawn(made, 0), words, edge, made, _drawn(made, 1)) if words and ordinary else None


def _shapes(suite: Suite, call: Call) -> Text | None:
    """The call with shapes for numbers, and with what holds no numbers written out; None where that is too long."""
    words = suite.key.words(call)
    for name, tensor in ExpectedCall(call, suite.key).inputs():
        if isinstance(tensor, Tensor) and not tensor.is_floating_point():
            if tensor.numel() > WHOLE:
                return None
            shape = f"{name} {list(tensor.shape)} {arrays.dtype_name(tensor)}"
            words = words.each(operator.methodcaller("replace", shape, f"{name}={_source(tensor)}"))
    return words.each(lambda said: _DEFAULT.sub(r"\1", said))


def _drawn(call: Call, seed: int) -> Call:
    """The call with ordinary numbers, weights too: none below 0 where there was none."""
    generator = torch.Generator().manual_seed(seed)

    def drawn(leaf: Any) -> Any:
        if not _is_real(leaf):
            return leaf
        found = torch.randn(leaf.shape, generator=generator, dtype=torch.float64)
        return (found if bool((leaf < 0).any()) else found.abs() + 0.1).to(leaf.dtype)

    return with_values(Call(call.function, call.args, call.kwargs, made=call.made), drawn)


def _rounded(leaf: Any) -> Any:
    """A tensor whose entries can be written with few digits, or anything else as it is."""
    if not _is_real(leaf):
        return leaf
    leaf = leaf.detach()
    short = [
        float(f"{value:.{DIGITS}g}") if abs(value) < LARGE else value for value in leaf.double().flatten().tolist()
    ]
    return torch.tensor(short, dtype=torch.float64).reshape(leaf.shape).to(leaf.dtype)


def _source(value: Any) -> str:
    """Return the value as Python source."""
    if isinstance(value, Tensor):
        if value.dtype is torch.bool and value.numel() > 1:
            return f"tensor({entries(value.long())}, dtype=bool)"
        dtype = "" if value.dtype in (torch.float32, torch.bool, torch.int64) else f", dtype={arrays.dtype_name(value)}"
        return f"tensor({entries(value)}{dtype})"
    if isinstance(value, tuple | list):
        inside = ", ".join(map(_source, value))
        return f"[{inside}]" if isinstance(value, list) else f"({inside}{',' * (len(value) == 1)})"
    return str(value) if isinstance(value, torch.device | torch.dtype) else repr(value)


def entries(tensor: Tensor, digits: int | None = None) -> str:
    """`[[0.5, -1.], [2., 0.]]`, with as many digits as the dtype holds; rounded to `digits`, `[[0.5, -1]]`."""
    precision, dot = digits or HOLDS.get(tensor.dtype, 6), "" if digits else "."

    def said(value: Any) -> str:
        if isinstance(value, list):
            return f"[{', '.join(map(said, value))}]"
        if not isinstance(value, float):
            return repr(value)
        text = f"{value + 0.0:.{precision}g}"
        text = f"{value:.0f}" if "e+0" in text and abs(value) < WRITTEN else text
        return text + dot if text.lstrip("-").isdigit() else text

    return said(tensor.tolist())


def _varied(found: Sequence[Small]) -> list[Small]:
    """The smallest first, no more than a few of one kind: a function with these shapes' number of dimensions."""
    kinds: dict[Any, int] = {}
    chosen: list[tuple[int, int, Small]] = []
    for shown in sorted(found, key=lambda s: s.size):
        call = shown.call
        kind = call.function, tuple(call.kwargs), tuple(t.dim() for t in tensors(call)), shown.edge
        kinds[kind] = kinds.get(kind, 0) + 1
        chosen.append((kinds[kind], shown.size, shown))
    first = sorted(chosen, key=lambda c: c[:2])[:MOST]
    return [shown for _, _, shown in sorted(first, key=lambda c: c[1])]
