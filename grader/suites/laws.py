"""Checks that any function can be asked for, each written once. A suite takes one in a line, with its own examples:

    def examples(ask, make):
        ask.softmax(make.normal(5))
        ask.softmax(make.normal(2, 3, 5), dim=0)

    test_device = laws.device(0.5, examples)

and several in one statement, `LAWS = laws.all(examples, device=0.5, gradient=1)`.

`ask` is a probe: `ask.softmax(x)` calls the function and returns the student's result. Examples for a class call
`ask.made(8, 2, state=weights).Block(x)`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from grader import arrays, closeness
from grader.arrays import Array
from grader.course import LAW_TITLES, nearest
from grader.suites import wording
from grader.suites.api import CheckFailed, Make, dtypes, essential, points
from grader.suites.domain import (
    ENTRIES,
    LOW,
    AtLength,
    Domain,
    Examples,
    Mapped,
    at_a_length,
    in_other_dtypes,
    in_other_regions,
)
from grader.suites.domain import expanded as expanded
from grader.suites.domain import quiet as quiet
from grader.suites.domain import sliced as sliced
from grader.suites.domain import transposed as transposed
from grader.suites.several_laws import Laws
from grader.suites.tally import Again, Chosen, Costs, Results, Tally

LENGTHS = (15, 16, 17, 31, 33, 63, 64, 65, 127, 129, 300)
"""Lengths around the sizes that people write into their code for tiles and blocks, and one beyond small tables."""
LAST = (1030, 610)
"""Lengths beyond most tables: the first where that is cheap, the second for all other functions."""
FEW = 256
"""A table or buffer that ends before this length is of no use; one that ends later is a slip in a corner."""
BOTH = ("float32", "float64")
MOST_ON_DEVICE = 5
"""So many calls of each function in other regions are made on the pretended device, where one takes a millisecond."""


def device(value: float, examples: Examples) -> Any:
    """Check that new tensors are made on the device of the inputs, also in other dtypes and memory layouts.

    A large length is tried too, as where a table grows.
    """

    def check(notes_values: Any, stays_on_device: Any, make: Make, domain: Domain) -> None:
        tally = Tally()
        examples(stays_on_device.counted_by(tally), make)
        in_other_dtypes(domain.dtypes, examples, stays_on_device, tally, make)
        in_other_regions(domain, stays_on_device, tally, make, MOST_ON_DEVICE)
        at_a_length(domain, stays_on_device, tally, make)
        tally.end(useless=False)
        examples(notes_values, make)

    return _law(value, "device", check)


def inputs_unchanged(value: float, examples: Examples) -> Any:
    """Check that tensors, lists and dicts that are passed in, weights and the names in a state_dict stay as they were.

    The check runs in all usual dtypes, in several memory layouts, and at a large length.
    """

    def check(notes_values: Any, does_not_mutate: Any, make: Make, domain: Domain) -> None:
        tally = Tally()
        examples(does_not_mutate.counted_by(tally), make)
        in_other_dtypes(arrays.OTHERS[make.kind], examples, does_not_mutate, tally, make)
        in_other_regions(domain, does_not_mutate, tally, make)
        at_a_length(domain, does_not_mutate, tally, make)
        tally.end(useless=False)
        examples(notes_values, make)

    return _law(value, "inputs_unchanged", check)


def memory_layout(value: float, examples: Examples, *layouts: Callable[[Any], Array]) -> Any:
    """Check inputs that are laid out in memory in other ways: in all those defined below, unless some are named."""

    def check(keeps_layout: Any, make: Make) -> None:
        for laid_out in layouts or (transposed, sliced, expanded):
            examples(Mapped(keeps_layout, laid_out), make)

    return _law(value, "memory_layout", check)


def every_dtype(value: float, examples: Examples, *changes: Callable[[Any], Array]) -> Any:
    """Check the result in each usual float dtype, up to rounding; also with changed inputs, such as `laws.quiet`."""

    def check(matches_reference: Any, make: Make) -> None:
        for name in arrays.FLOATS[make.kind]:
            near_on_average(matches_reference, make.of(name), examples)
            for changed in changes:
                examples(Mapped(matches_reference, changed), make.of(name))

    law = _law(value, "every_dtype", check, one_by_one=False)
    law.__every_dtype__ = True
    return law


def near_on_average(matches_reference: Any, make: Make, examples: Examples) -> None:
    """Check the values of each call and, in half precision, those of all calls of a function together.

    There the bound of a single entry, for the worst case, may be as wide as a wrong factor; on average rounding is not.
    """
    results, name = Results(), str(make.dtype).removeprefix("torch.")
    examples(matches_reference.counted_by(results) if name in LOW else matches_reference, make)
    for call, off in results.average():
        most = closeness.AVERAGE_UNITS * closeness.EPSILON[name]
        if off > most:
            said = wording.OFF_ON_AVERAGE.format(function=call.function, off=f"{off:.1%}", most=f"{most:.1%}")
            raise CheckFailed(said, call=call)


def gradient(value: float, examples: Examples, *names: str) -> Any:
    """Check the gradients of all float inputs, in float32 and float64 unless other dtypes are named.

    Beside the examples as they are, in the second dtype these are laid out in memory in other ways, and a large length
    is tried; in the first dtype one call of each function is made in every other dtype that the suite promises. The
    check is essential where a function never gives a gradient.
    """

    def check(matches_gradients: Any, make: Make, dtype: Any, domain: Domain) -> None:
        differentiable(matches_gradients, make, examples, domain, names or BOTH)

    return dtypes(*(names or BOTH))(_law(value, "gradient", check))


def differentiable(
    matches_gradients: Any, make: Make, examples: Examples, domain: Domain, names: Sequence[str] = BOTH
) -> None:  # fmt: skip
    """Ask what the law of gradients asks, in a check with a title of its own that runs in the dtypes of these names."""
    usual, last = (arrays.dtype(make.kind, name) for name in (arrays.USUAL[make.kind], names[-1]))
    tally = Tally()
    asked = matches_gradients.counted_by(tally)
    examples(asked if make.dtype == usual else Mapped(asked, transposed, sliced), make)
    again = [Again(tally, turn) for turn in range(len(domain.low) if make.dtype == usual else 0)]
    for name, more in zip(domain.low, again, strict=False):
        examples(matches_gradients.counted_by(more), make.of(name))
    if make.dtype == usual:
        in_other_regions(domain, matches_gradients, tally, make, of_gradients=True)
    if make.dtype == last:
        at_a_length(domain, matches_gradients, tally, make)
    tally.end(useless=tally.nothing_came)


def remembers_nothing(value: float, examples: Examples) -> Any:
    """Check that no state is kept: make all calls in a row, then in reverse, with two objects side by side."""

    def check(remembers_nothing: Any, make: Make, domain: Domain) -> None:
        tally = Tally()
        examples(remembers_nothing.counted_by(tally), make)
        examples(remembers_nothing, make)  # the same shapes with other values
        twice = [(name, Again(tally, turn)) for turn, name in enumerate(domain.dtypes) for _ in range(2)]
        for name, more in twice:
            examples(remembers_nothing.counted_by(more), make.of(name))
        remembers_nothing.in_any_order()

    return _law(value, "remembers_nothing", check, one_by_one=False)


def keywords(value: float, examples: Examples) -> Any:
    """Check that the parameters have the names that the stub gives them."""

    def check(keeps_names: Any, make: Make) -> None:
        examples(keeps_names, make)

    return _law(value, "keywords", check)


def train_and_eval(value: float, examples: Examples) -> Any:
    """Check a module in training mode, then in evaluation mode. This is essential: it is trained before it is used."""

    def check(keeps_mode: Any, make: Make) -> None:
        examples(keeps_mode, make)

    return essential(_law(value, "train_and_eval", check))


def lengths(value: float, example: AtLength, *sizes: int) -> Any:
    """Check `example(ask, make, n)` for each n around the sizes of tiles and blocks.

    The check is essential where most lengths fail, or all from a certain one on, as with a table that ends. From the
    largest of these on a call that takes longer than a second shows nothing, unless smaller ones were so quick that it
    hangs.
    """
    tried = (*sizes, *LENGTHS[-1:]) if sizes else LENGTHS

    def check(matches_reference: Any, make: Make) -> None:
        tally, lost = Tally(), dict[int, int]()

        def ask(n: int, collector: Any) -> None:
            before = len(tally.failed)
            probe = matches_reference if n < LENGTHS[-1] else matches_reference.briefly
            example(probe.counted_by(collector), make, n)
            if tally.failed[before:]:
                lost[n] = max(n, tally.failed[before].longest)

        far, less_far = LAST
        costs = Costs(tally, ENTRIES * (LENGTHS[-1] / far) ** 2)  # as if costs grew with the square of a length
        for n in tried:
            ask(n, costs if n == LENGTHS[-1] else tally)
            if lost and n == tried[0] and matches_reference.wrong_before:
                tally.end(useless=False)  # wrong at any length, and charged where values are checked
        if any(little for _, little in costs.calls):
            ask(far, Chosen(tally, (little for _, little in costs.calls)))
        if any(not little for _, little in costs.calls):
            ask(less_far, Chosen(tally, (not little for _, little in costs.calls)))
        tally.end(useless=_most(lost, tried))

    law = _law(value, "lengths", check)
    law.__at_length__ = example
    return law


def _most(lost: Mapping[int, int], tried: Sequence[int]) -> bool:
    """Return whether most lengths are lost, or all from one on; `lost` has the longest axis of the call for each."""
    asked = sorted({*tried, *({*LAST} & {*lost} or LAST[:1])})
    all_from_one_on = sorted(lost) == asked[-len(lost) :]
    return bool(lost) and min(lost.values()) <= FEW and (2 * len(lost) > len(asked) or all_from_one_on)


def refuses_when_made(value: float, examples: Examples) -> Any:
    """Check that wrong sizes are refused when an object is made: `ask.made(7, 2).turns.Block()` makes one, no more."""

    def check(raises_value_error: Any, make: Make) -> None:
        examples(raises_value_error, make)

    return _law(value, "refuses_when_made", check)


def _law(value: float, name: str, check: Callable[..., None], one_by_one: bool = True) -> Any:
    """Return a check with the law's title; `one_by_one`: it asks no more than its probes do of each call."""
    title = LAW_TITLES[name]
    check.__doc__, check.__name__ = title.key, name
    law: Any = points(value)(check)
    law.__one_by_one__ = one_by_one
    return law


LAWS: Mapping[str, Callable[..., Callable[..., None]]] = {
    law.__name__: law
    for law in (
        device, inputs_unchanged, memory_layout, gradient, train_and_eval, refuses_when_made,
        remembers_nothing, keywords, every_dtype, lengths,
    )
}  # fmt: skip
LAST_OF_ALL = ("remembers_nothing", "keywords", "every_dtype", "lengths")
USUAL = {"remembers_nothing": 0.1, "keywords": 0.1, "lengths": 0.05}


def all(examples: Examples, at_length: AtLength | None = None, /, **worth: Any) -> Laws:
    """Take several laws in one statement, each named with what its check is worth:

        LAWS = laws.all(examples, of_length, gradient=1, device=0.5, memory_layout=(0.5, tensors, laws.transposed))

    A law gets `examples`, and `lengths` gets `at_length`, unless its own arguments stand behind what it is worth. The
    check of a law is called `test_` and the law's name. The checks come in the order in which the laws are named, but
    remembers_nothing, keywords, every_dtype and lengths come last. These are taken unasked, but for every_dtype:
    remembers_nothing and keywords for 0.1 each, and lengths for 0.05 where `at_length` is given.

    Raises:
        ValueError: there is no such law, it is not worth a number above 0, or `lengths` has no calls to make.
    """
    usual = {name: value for name, value in USUAL.items() if name != "lengths" or at_length}
    asked = {name: value for name, value in worth.items() if name not in LAST_OF_ALL}
    asked |= {name: (usual | worth)[name] for name in LAST_OF_ALL if name in usual | worth}
    checks = {f"test_{name}": _one(name, value, examples, at_length) for name, value in asked.items()}
    return Laws(checks)


def _one(name: str, worth: Any, examples: Examples, at_length: AtLength | None) -> Callable[..., None]:
    if name not in LAWS:
        raise ValueError(f"laws.all: there is no law {name!r}{nearest(name, list(LAWS))}")
    value, *given = worth if isinstance(worth, tuple) else (worth,)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < float("inf"):
        raise ValueError(f"laws.all: {name} is worth {value!r}; write a number above 0, such as {name}=0.5")
    if not given and name == "lengths" and at_length is None:
        raise ValueError("laws.all: lengths has no calls to make; pass a function of a length, as the second argument")
    return LAWS[name](value, *(given or [at_length if name == "lengths" else examples]))
