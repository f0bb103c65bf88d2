"""The few names that a hidden suite may import."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable
from typing import Any, TypeVar

import pytest
import torch

from grader.excerpt import Shown
from grader.forms import Choice, Form, Number, Numbers, Table, Written
from grader.words import Text

__all__ = [
    "Choice", "Make", "Number", "Numbers", "Table", "Text", "Written", "dtypes", "error_bound", "expect",
    "expect_close", "facts", "misconception", "oracle", "points", "question",
]  # fmt: skip
F = TypeVar("F", bound=Callable[..., Any])
FLOATS = ("float16", "bfloat16", "float32", "float64")


class CheckFailed(Exception):
    """A check found the student's function wrong. `detail` adds values for learners, `size` counts input elements."""

    def __init__(self, reason: Text, detail: Shown | None = None, size: int = 0) -> None:
        super().__init__(reason.en)
        self.reason = reason
        self.detail = detail
        self.size = size


def points(value: float) -> Callable[[F], F]:
    """What a check is worth; a check over several dtypes shares it equally among them."""
    return pytest.mark.points(value)


def dtypes(*names: str) -> Callable[[F], F]:
    """Run a check that asks for `dtype` in these only, instead of all of FLOATS."""
    return pytest.mark.dtypes(*names)


@dataclasses.dataclass(frozen=True)
class Misconception:
    """A known wrong way: the functions that it replaces and what to tell the student."""

    name: str
    functions: dict[str, Callable[..., Any]]
    message: str


def misconception(*replaces: str) -> Callable[[Callable[..., Any]], Misconception]:
    """Mark a wrong variant of the function(s) `replaces`; the docstring explains it in English and Chinese.

    With one name the decorated function is the variant. With several it takes no argument and returns the variants
    in that order.
    """

    def mark(function: Callable[..., Any]) -> Misconception:
        variants = (function,) if len(replaces) == 1 else function()
        functions = dict(zip(replaces, variants, strict=True))
        return Misconception(function.__name__, functions, function.__doc__ or "")

    return mark


@dataclasses.dataclass(frozen=True)
class Question:
    """A concept question: the form of its answer and the experiment that derives the key.

    Where many answers are right, `accepts` tries out the one given and raises CheckFailed; the experiment's is an
    example then.
    """

    name: str
    points: float
    form: Form
    experiment: Callable[..., Any]
    accepts: Callable[[Any], None] | None = None


def question(
    points: float, form: Form, accepts: Callable[[Any], None] | None = None
) -> Callable[[Callable[..., Any]], Question]:
    """Mark an experiment: called with a lab, it returns the key. Its docstring is the question, English and Chinese."""

    def mark(experiment: Callable[..., Any]) -> Question:
        return Question(experiment.__name__, points, form, experiment, accepts)

    return mark


def error_bound(function: str) -> Callable[[F], F]:
    """Mark how rounding grows in `function`: called with its arguments in float64, it returns for each tensor of the
    result how many units of the dtype's epsilon an honest implementation may be off (a tensor or a number).
    A function without a bound copies values and is compared exactly.
    """

    def mark(bound: F) -> F:
        bound.__bounds__ = function  # type: ignore[attr-defined] # how the suite finds it
        return bound

    return mark


def facts(function: str) -> Callable[[F], F]:
    """Mark what can be seen in a wrong result of `function`: called with the result, then with the arguments (all in
    float64), it yields a Text for each fact. It is asked where the mistake is none of the misconceptions.
    """

    def mark(see: F) -> F:
        see.__facts_of__ = function  # type: ignore[attr-defined] # how the suite finds it
        return see

    return mark


def oracle(function: str) -> Callable[[F], F]:
    """Mark a float64 version of `function`, for one whose solution does not compute in its inputs' dtype."""

    def mark(exact: F) -> F:
        exact.__oracle_of__ = function  # type: ignore[attr-defined] # how the suite finds it
        return exact

    return mark


def expect(condition: bool | torch.Tensor, en: str, zh: str) -> None:
    """Fail the check with this sentence unless the condition (or each of its entries) is true."""
    if not bool(torch.as_tensor(condition).all()):
        raise CheckFailed(Text(en, zh))


def expect_close(actual: torch.Tensor, expected: torch.Tensor | float, tolerance: float, en: str, zh: str) -> None:
    """Fail the check with this sentence and the largest difference unless all of it is within `tolerance`."""
    difference = (actual.double() - torch.as_tensor(expected, dtype=torch.float64, device=actual.device)).abs().detach()
    if not bool((difference <= tolerance).all()):
        if bool(actual.isnan().any()):
            raise CheckFailed(Text(f"{en} (there is NaN)", f"{zh}（出现了 NaN）"))
        by = f"{float(difference.max()):.3g}"
        raise CheckFailed(
            Text(f"{en} (off by {by}, allowed {tolerance:.1g})", f"{zh}（相差 {by}，允许 {tolerance:.1g}）")
        )


class Make:
    """Inputs of one check: drawn from the run's seed and the check's name, in its dtype.

    All are on the CPU; a worker moves them to the device that it runs on.
    """

    def __init__(self, seed: int, check: str, dtype: torch.dtype) -> None:
        digest = hashlib.sha256(f"{seed}:{check}".encode()).digest()
        self._generator = torch.Generator().manual_seed(int.from_bytes(digest[:7], "big"))
        self.dtype = dtype

    def tensor(self, values: Any) -> torch.Tensor:
        """These very values."""
        return torch.as_tensor(values, dtype=torch.float64).to(self.dtype)

    def normal(self, *shape: int, scale: float = 1.0) -> torch.Tensor:
        """Independent normal entries with standard deviation `scale`."""
        return self.tensor(torch.randn(*shape, generator=self._generator, dtype=torch.float64) * scale)

    def distinct(self, *shape: int) -> torch.Tensor:
        """0, 1, 2, ... in shuffled order: every entry tells where it came from (exact in float16 below 2048)."""
        count = int(torch.tensor(shape).prod())
        return self.tensor(torch.randperm(count, generator=self._generator).reshape(shape))

    def mask(self, *shape: int, keep: float = 0.6) -> torch.Tensor:
        """A bool mask, True = may attend, with at least one True (and, in rows of two or more, one False) a row."""
        mask = torch.rand(*shape, generator=self._generator) < keep
        first = torch.randint(shape[-1], shape[:-1], generator=self._generator).unsqueeze(-1)
        if shape[-1] > 1:
            mask.scatter_(-1, (first + 1) % shape[-1], False)
        return mask.scatter_(-1, first, True)

    def integer(self, low: int, high: int) -> int:
        """A whole number from `low` up to and including `high`."""
        return int(torch.randint(low, high + 1, (), generator=self._generator))

    def strided(self, x: torch.Tensor) -> torch.Tensor:
        """The same values in another memory layout: not contiguous, as after a transpose."""
        return x.transpose(0, -1).contiguous().transpose(0, -1)
