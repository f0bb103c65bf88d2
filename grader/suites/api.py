"""The names that a hidden suite may import."""

from __future__ import annotations

import copy
import dataclasses
import hashlib
from collections.abc import Callable
from typing import Any, Literal, TypeVar, get_args

import numpy as np
import pytest

from grader import arrays
from grader.arrays import Array, Numpy, Tensor, torch
from grader.report import Picture
from grader.suites.target import Call
from grader.texts import NOTHING, WithReason, sentence, translated
from grader.texts import Text as Text

F = TypeVar("F", bound=Callable[..., Any])

Promise = Literal["value", "law", "gradient", "input", "device", "refusal"]
PROMISES: tuple[Promise, ...] = get_args(Promise)
"""The promises that a check can find broken, the most telling first."""


@dataclasses.dataclass(frozen=True, order=True)
class Salience:
    """The key by which failures are sorted: the one that shows best what is wrong is the least, and is told first.

    edge_case: an input has a size of 0 or 1, or very large entries.
    unclear: the result is too small or too large for a picture that shows a pattern.
    """

    promise: int = PROMISES.index("law")
    edge_case: bool = False
    other_dtype: bool = False
    unclear: bool = False
    size: int = 0


class CheckFailed(WithReason):
    """A check found the student's function wrong.

    Args:
        values: the inputs and results, where they are few enough to read.
        picture: the expected and the actual matrix, where they are small enough to look at.
        attempted: False if the function is not written yet.
        call: the call whose result is wrong, if it is not the last one.
        nothing: True if the check got nothing to judge, such as no gradient at all.
    """

    useless = False
    """True if nobody could use the code."""
    share = 0.0
    """The share of the check's points that is earned all the same."""

    def __init__(
        self,
        reason: Text,
        values: Text = NOTHING,
        picture: Picture | None = None,
        salience: Salience | None = None,
        attempted: bool = True,
        call: Call | None = None,
        nothing: bool = False,
    ) -> None:
        super().__init__(reason)
        self.values, self.picture = values, picture
        self.salience = salience or Salience()
        self.attempted = attempted
        self.call, self.nothing = call, nothing

    @property
    def longest(self) -> int:
        """Return the longest axis in the call, see `Call.longest`."""
        return self.call.longest if self.call else 0


def points(value: float) -> Callable[[F], F]:
    """Set the points of a check; a check over several dtypes shares them equally among these."""
    if not isinstance(value, int | float) or not 0 <= value < float("inf"):
        raise ValueError("@points takes what the check is worth, a number: @points(1)")
    return pytest.mark.points(value)


def essential(check: F) -> F:
    """Mark a check without which the function is of no use: if it fails in all its dtypes, it costs at least a third of
    the exercise's points. If it fails because of wrong values, these are charged by the checks of values.
    """
    marked: F = pytest.mark.essential(check)
    return marked


def dtypes(*names: str) -> Callable[[F], F]:
    """Run a check that takes the argument `dtype` in these dtypes instead of the usual ones."""
    if not names or not all(isinstance(name, str) for name in names):
        raise ValueError('@dtypes takes the names of dtypes: @dtypes("float32", "float64")')
    return pytest.mark.dtypes(*names)


def _marking(attribute: str, function: str) -> Callable[[F], F]:
    """Mark a part of a suite as this function's; the suite finds it by the attribute."""

    def mark(part: F) -> F:
        setattr(part, attribute, function)
        return part

    return mark


def error_bound(function: str) -> Callable[[F], F]:
    """Mark the error bound of `function`. The bound gets the arguments in float64 and returns, for each tensor of the
    result, by how many units of the dtype's epsilon an honest implementation may be off (a tensor or a number), or None
    if the values are the student's choice. Without a bound and a `tolerance` the usual error is allowed; see
    docs/tolerances.md.
    """
    return _marking("__bounds__", function)


@dataclasses.dataclass(frozen=True)
class Tolerance:
    """The error that is allowed in the results of these functions or, if none is named, of the whole suite."""

    functions: tuple[str, ...]
    rtol: float
    atol: float

    def allowed(self, exact: Numpy) -> Numpy:
        """Return the allowed error of each entry of a result."""
        found: Numpy = self.atol + self.rtol * np.abs(np.where(np.isfinite(exact), exact, 0.0))
        return found


def tolerance(*functions: str, rtol: float = 0.0, atol: float = 0.0) -> Tolerance:
    """A line of a suite, `TOLERANCE = tolerance("bisect", atol=1e-9)`: results may be off by atol + rtol * |expected|.

    Without a name it holds for all functions that have no tolerance of their own and no error bound.
    """
    if not (0 <= rtol < 1 and 0 <= atol < float("inf")) or rtol == atol == 0:
        raise ValueError("a tolerance needs rtol=, at least 0 and below 1, or atol=; exact(...) allows nothing")
    return Tolerance(functions, rtol, atol)


def exact(*functions: str) -> Tolerance:
    """Allow no error in functions that copy values. A line of a suite: `EXACT = exact("split_heads")`."""
    return Tolerance(functions, 0.0, 0.0)


def facts(function: str) -> Callable[[F], F]:
    """Mark a generator of facts about a wrong result of `function`. It gets the result, then the arguments (all in
    float64), and yields a Text for each fact. It is called where no misconception explains the mistake.
    """
    return _marking("__facts_of__", function)


def oracle(function: str) -> Callable[[F], F]:
    """Mark a float64 version of `function`, needed if its solution does not compute in its inputs' dtype."""
    return _marking("__oracle_of__", function)


def expect(condition: Any, said: Text | str, **values: Any) -> None:
    """Fail the check with this sentence unless the condition (or each of its entries) is true.

    Args:
        said: the sentence, in the course's own language; a place such as `{n}` takes one of the values.
    """
    if not (condition.all() if hasattr(condition, "all") else condition):
        raise CheckFailed(sentence(said, **values))


def expect_close(
    actual: Array | float, expected: Array | float, tolerance: float, said: Text | str, **values: Any
) -> None:  # fmt: skip
    """Fail the check with this sentence and the largest difference unless every entry is within `tolerance`."""
    came = arrays.exact(actual)
    difference = np.abs(arrays.minus(came, arrays.exact(expected)))
    if not (difference <= tolerance).all():
        what = sentence(said, **values)
        if np.isnan(came).any():
            raise CheckFailed(translated("{what} (there is NaN)").format(what=what))
        by = f"{float(difference.max()):.3g}"
        told = translated("{what} (off by {by}, allowed {tolerance})")
        raise CheckFailed(told.format(what=what, by=by, tolerance=f"{tolerance:.1g}"))


def _number(seed: int, check: str) -> int:
    digest = hashlib.sha256(f"{seed}:{check}".encode()).digest()
    return int.from_bytes(digest[:7], "big")


class Drawn:
    """A maker of random inputs in one dtype."""

    kind: str
    dtype: Any

    def __init__(self, dtype: Any) -> None:
        self.dtype = dtype

    def of(self, name: str) -> Any:
        """Return a maker that draws on from the same generator, in the dtype of this name."""
        other = copy.copy(self)
        other.dtype = arrays.dtype(self.kind, name)
        return other


class Make(Drawn):
    """A maker of the inputs of one check, drawn from the run's seed and the check's name, in its dtype.

    All inputs are on the CPU; a worker moves them to the device that it runs on.
    """

    kind = "torch"

    def __init__(self, seed: int, check: str, dtype: torch.dtype) -> None:
        super().__init__(dtype)
        self._generator = torch.Generator().manual_seed(_number(seed, check))

    def tensor(self, values: Any) -> Tensor:
        """Return these values in the dtype of the check."""
        return torch.as_tensor(values, dtype=torch.float64).to(self.dtype)

    def normal(self, *shape: int, scale: float = 1.0) -> Tensor:
        """Return independent normal entries with standard deviation `scale`."""
        return self.tensor(torch.randn(*shape, generator=self._generator, dtype=torch.float64) * scale)

    def distinct(self, *shape: int) -> Tensor:
        """Return 0, 1, 2, ... in shuffled order: every entry tells where it came from (exact in float16 below 2048)."""
        count = int(torch.tensor(shape).prod())
        return self.tensor(torch.randperm(count, generator=self._generator).reshape(shape))

    def mask(self, *shape: int, keep: float = 0.6) -> Tensor:
        """Return a bool mask, True = may attend: each row has a True and, if it has two entries or more, a False.

        If rows have two entries or more, the mask varies along each dimension, so that it matters which part is used.
        """
        mask = torch.rand(*shape, generator=self._generator) < keep
        first = torch.randint(shape[-1], shape[:-1], generator=self._generator).unsqueeze(-1)
        if shape[-1] > 1:
            mask.scatter_(-1, (first + 1) % shape[-1], False)
        mask.scatter_(-1, first, True)
        longer = [d for d, n in enumerate(shape[:-1]) if n > 1 and shape[-1] > 1]
        same = any(bool((mask == mask.narrow(d, 0, 1)).all()) for d in longer)
        return self.mask(*shape, keep=keep) if same else mask

    def integer(self, low: int, high: int) -> int:
        """Return a whole number from `low` up to and including `high`."""
        return int(torch.randint(low, high + 1, (), generator=self._generator))

    def strided(self, x: Tensor) -> Tensor:
        """Return the same values in another memory layout: not contiguous, as after a transpose."""
        return x.transpose(0, -1).contiguous().transpose(0, -1)


class MakeNumpy(Drawn):
    """The maker of inputs in a course with `arrays: numpy`."""

    kind = "numpy"

    def __init__(self, seed: int, check: str, dtype: np.dtype[Any]) -> None:
        super().__init__(dtype)
        self._generator = np.random.default_rng(_number(seed, check))

    def array(self, values: Any) -> Numpy:
        """Return these values in the dtype of the check."""
        return np.asarray(values).astype(self.dtype)

    def normal(self, *shape: int, scale: float = 1.0) -> Numpy:
        """Return independent normal entries with standard deviation `scale`."""
        return self.array(self._generator.standard_normal(shape) * scale)

    def uniform(self, *shape: int, low: float = 0.0, high: float = 1.0) -> Numpy:
        """Return independent entries between `low` and `high`."""
        return self.array(self._generator.uniform(low, high, shape))

    def distinct(self, *shape: int) -> Numpy:
        """Return 0, 1, 2, ... in shuffled order: every entry tells where it came from."""
        return self.array(self._generator.permutation(int(np.prod(shape, dtype=int))).reshape(shape))

    def integer(self, low: int, high: int) -> int:
        """Return a whole number from `low` up to and including `high`."""
        return int(self._generator.integers(low, high + 1))

    def number(self, low: float, high: float) -> float:
        """Return a number between `low` and `high`."""
        return float(self._generator.uniform(low, high))

    def strided(self, x: Numpy) -> Numpy:
        """Return the same values in another memory layout: not contiguous, as after a transpose."""
        return np.ascontiguousarray(x.swapaxes(0, -1)).swapaxes(0, -1)
