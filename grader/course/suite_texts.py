"""The texts of hidden suites beside their docstrings: titles of laws, accepted forms, known mistakes."""

from __future__ import annotations

from pathlib import Path

import yaml

from grader.course.strict_yaml import nearest, parsed
from grader.errors import CourseError
from grader.texts import Text, translated

LAW_TITLES: dict[str, Text] = {  # of the checks that a suite can take ready-made, see `grader.suites.laws`
    "device": translated("New tensors are made on the device of the inputs."),
    "inputs_unchanged": translated("The inputs are left unchanged: tensors, lists and dicts."),
    "memory_layout": translated(
        "The layout of the inputs in memory does not matter: transposed, sliced and expanded tensors work as well."
    ),
    "gradient": translated("Gradients flow back to the inputs as the formula says."),
    "remembers_nothing": translated(
        "No state is kept: a call gives the same result whatever was called before, and earlier results stay."
    ),
    "keywords": translated("Every argument can be passed by its name."),
    "train_and_eval": translated("Training mode and evaluation mode give the same result."),
    "lengths": translated("Every length works, also just below and above 16, 32, 64 and 128, and one beyond 600."),
    "every_dtype": translated("The result is right in every float dtype, up to rounding."),
    "refuses_when_made": translated("Wrong sizes are refused with a ValueError when the object is made."),
    "cases_promised": translated("Every call is one that the exercise promises to answer: right programs agree on it."),
    "told_apart": translated("The calls tell wrong programs from right ones, also where an ordinary call does not."),
}

SHARED = Path("lib", "mistakes.yaml")
"""The texts of mistakes that several suites know and have no text of their own for, in the folder of the suites."""

ACCEPTED: dict[str, Text] = {  # forms of results that a course can accept, see `grader.suites.lenient`
    "list for array": translated("{function} returned a list; an array was asked for. This course accepts it."),
    "number for array of one": translated(
        "{function} returned a number; an array of one entry was asked for. This course accepts it."
    ),
    "float32 for float64": translated("{function} returned float32; float64 was asked for. This course accepts it."),
    "float64 for float32": translated("{function} returned float64; float32 was asked for. This course accepts it."),
    "integers for floats": translated(
        "{function} returned an array of integers; floats were asked for. This course accepts it."
    ),
    "extra axis of length 1": translated(
        "{function} returned an axis of length 1 that was not asked for. This course accepts it."
    ),
    "missing axis of length 1": translated(
        "{function} left out an axis of length 1 that was asked for. This course accepts it."
    ),
}


def cannot_accept(word: object) -> str:
    """Say what is wrong with a form that a course or a suite accepts; "" if it can be accepted."""
    if word in ACCEPTED:
        return ""
    known = list(ACCEPTED)
    close = nearest(str(word), known).partition("; known")[0]
    return f"{word!r} cannot be accepted{close or '.'} A course can accept: {', '.join(map(repr, known))}"


def catalogue(suite: Path) -> dict[str, Text]:
    """Return the texts in `softmax.yaml`, beside `softmax.py`, by name; none if there is no such file.

    The file has a line for each text: `global_max: "One maximum of the whole tensor is subtracted from every row."`
    The same text of several mistakes is written once, behind all of their names: `global_max, max_of_all: "One ..."`.

    Raises:
        CourseError: a line is not of this form, or gives the same name twice.
    """
    return {name: text for names, text in lines(suite.with_suffix(".yaml")) for name in names}


def lines(path: Path) -> list[tuple[tuple[str, ...], Text]]:
    """Return each text of a catalogue, with the names that it belongs to."""
    node = parsed(path, path) if path.is_file() else None
    if node is not None and not isinstance(node, yaml.MappingNode):
        raise CourseError(f'{path}:1: should hold lines of the form `name: "text"`')
    found: list[tuple[tuple[str, ...], Text]] = []
    before = set[str]()
    for key, value in node.value if node else []:
        where = f"{path}:{key.start_mark.line + 1}"
        names = tuple(name.strip() for name in str(key.value).split(","))
        if not isinstance(key, yaml.ScalarNode) or not isinstance(value, yaml.ScalarNode) or not all(names):
            raise CourseError(f'{where}: not `name: "text"` but {key.value!r}')
        for name in names:
            if name in before:
                raise CourseError(f"{where}: {name!r} is there twice")
            before.add(name)
        found.append((names, Text(str(value.value))))
    return found
