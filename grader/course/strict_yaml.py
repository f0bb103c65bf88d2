"""Turns YAML into frozen dataclasses, strictly: each mistake is an error with file, line and the nearest valid name."""

from __future__ import annotations

import dataclasses
import difflib
import functools
import math
import typing
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml
from yaml.composer import Composer
from yaml.resolver import Resolver

from grader.errors import CourseError
from grader.texts import LANGUAGES, Text

DEEPEST = 100  # lists and mappings within each other
MOST_KNOWN = 12  # names in an error
REMEDIES = {  # what to do about what PyYAML says
    "mapping values are not allowed": 'a text that holds a colon stands between quotes, title: "Week 1: means"',
    "'\\t' that cannot start any token": "indent with spaces",
    "found unexpected end of stream": "is a text in quotes missing one?",
}


@functools.lru_cache(4)
def composed(text: str) -> yaml.Node | None:
    """Parse YAML with libyaml if PyYAML was built with it, in a tenth of the time; PyYAML explains mistakes better.

    Raises:
        yaml.YAMLError: it is no YAML, or too deep.
    """
    try:
        return _Composer(text).get_single_node()
    except yaml.MarkedYAMLError:
        return yaml.compose(text, Loader=yaml.SafeLoader)


class _Composer(Composer, Resolver):
    """Composes what libyaml parses. Its own composer ends the process where lists lie too deep within each other."""

    def __init__(self, text: str) -> None:
        Composer.__init__(self)
        Resolver.__init__(self)
        parser = getattr(yaml, "CSafeLoader", yaml.SafeLoader)(text)
        self.check_event, self.get_event, self.peek_event = parser.check_event, parser.get_event, parser.peek_event
        self._depth = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        self._depth += 1
        if self._depth > DEEPEST + 1:  # a text within lists
            raise yaml.YAMLError(f"more than {DEEPEST} lists and mappings lie within each other")
        node = super().compose_node(parent, index)
        self._depth -= 1
        return node


def parsed(path: Path, name: object) -> yaml.Node | None:
    """Parse a file of the course, which errors call `name`.

    Raises:
        CourseError: it is unreadable or not YAML; the message begins with file and line.
    """
    try:
        return composed(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        raise CourseError(f"{path}: cannot be read: it is not UTF-8; save it as UTF-8") from error
    except OSError as error:
        raise CourseError(f"{path}: cannot be read: {error}") from error
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        remedy = next((f"; {say}" for said, say in REMEDIES.items() if said in str(error.problem)), "")
        raise CourseError(f"{name}:{line}: not YAML: {error.problem}{remedy}") from error
    except yaml.YAMLError as error:
        raise CourseError(f"{name}: not YAML: {error}") from error


def loaded(text: str) -> Any:
    """Return what the YAML says as plain values. Raises yaml.YAMLError."""
    node = composed(text)
    return None if node is None else yaml.SafeLoader("").construct_document(node)


class Reader:
    """Turns YAML nodes into the dataclasses that their types ask for.

    Args:
        file: the name of the file in errors.
        languages: those of the course; its texts are written in the first one.
    """

    choices: Mapping[str, Sequence[str]] = {}
    """The words that a key may hold."""
    may_be_empty: Sequence[str] = ()
    """The keys whose lists may be empty."""

    def __init__(self, file: str, languages: Sequence[str] = LANGUAGES) -> None:
        self._file, self._languages = file, languages

    def read(self, node: yaml.Node, wanted: Any, what: str) -> Any:
        origin = typing.get_origin(wanted)
        if origin is tuple:
            if not isinstance(node, yaml.SequenceNode):
                self.fail(node, f"{what} must be a list")
            if not node.value and what not in self.may_be_empty:
                self.fail(node, f"{what} must not be empty")
            values = tuple(self.read(item, typing.get_args(wanted)[0], what) for item in node.value)
            return self._chosen(node, what, values)
        if wanted is Text:
            return self._text(node, what)
        if isinstance(wanted, type) and dataclasses.is_dataclass(wanted):
            return self._record(node, wanted, what)
        return self._chosen(node, what, self.scalar(node, wanted, what))

    def _record(self, node: yaml.Node, wanted: type, what: str) -> Any:
        if not isinstance(node, yaml.MappingNode):
            self.fail(node, f"{what} must be a mapping")
        fields = {f.name: f for f in dataclasses.fields(wanted)}
        hints = typing.get_type_hints(wanted)
        found: dict[str, Any] = {}
        for key, value in node.value:
            if str(key.value) not in fields:
                self.fail(
                    key, f"unknown key {key.value!r} in {what}{nearest(str(key.value), self.known(list(fields)))}"
                )
            if key.value in found:
                self.fail(key, f"{key.value!r} is given twice in {what}")
            found[key.value] = self.read(value, hints[key.value], key.value)
            self.check_value(key.value, value)
        for name, field in fields.items():
            if name not in found and field.default is dataclasses.MISSING:
                self.fail(node, f"{what} has no {name!r}")
        self.check_record(wanted, node, found)
        return wanted(**found)

    def known(self, names: list[str]) -> list[str]:
        """Return the keys to suggest for an unknown one."""
        return names

    def check_value(self, key: str, node: yaml.Node) -> None:
        """Check further rules for the value of a key, as soon as it is read."""

    def check_record(self, wanted: type, node: yaml.Node, found: Mapping[str, Any]) -> None:
        """Check further rules for a record whose values are all read."""

    def _text(self, node: yaml.Node, what: str) -> Text:
        if isinstance(node, yaml.MappingNode):
            first, *others = self._languages
            said = f"{what} is written in one language, {first!r}; its translations"
            self.fail(node, f"{said} stand in languages/{others[0] if others else 'de'}.po")
        text = self.scalar(node, str, what)
        if not text.strip():
            self.fail(node, f"{what} must not be empty")
        return Text(text)

    def scalar(self, node: yaml.Node, wanted: type, what: str) -> Any:
        """Return a text or a number."""
        try:
            value = yaml.SafeLoader("").construct_object(node) if isinstance(node, yaml.ScalarNode) else None
        except (yaml.YAMLError, ValueError):  # a tag of its own, a date that is none
            value = None
        kinds: dict[type, tuple[tuple[type, ...], str]] = {
            str: ((str,), "a text"), int: ((int,), "a whole number"), float: ((int, float), "a number"),
        }  # fmt: skip
        types, kind = kinds[wanted]
        if not isinstance(value, types) or isinstance(value, bool):
            quoted = f'; write "{node.value}"' if wanted is str and isinstance(node, yaml.ScalarNode) else ""
            self.fail(node, f"{what} must be {kind}, not {getattr(node, 'value', value)!r}{quoted}")
        if isinstance(value, int | float) and not 0 < value < math.inf:
            self.fail(node, f"{what} must be above 0 and finite, not {value}")
        return value

    def _chosen(self, node: yaml.Node, what: str, value: Any) -> Any:
        for word in value if isinstance(value, tuple) else (value,):
            if what in self.choices and word not in self.choices[what]:
                self.fail(node, f"{what} cannot be {word!r}{nearest(str(word), list(self.choices[what]))}")
        return value

    def fail(self, node: yaml.Node, problem: str) -> typing.NoReturn:
        """Raise the error, with the place."""
        raise CourseError(f"{self._file}:{node.start_mark.line + 1}: {problem}")


def value_of(node: yaml.Node | None, name: str) -> Any:
    """Return the unread value of this name in a mapping; None if there is none."""
    pairs = node.value if isinstance(node, yaml.MappingNode) else ()
    return next((value for key, value in pairs if key.value == name), None)


def nearest(word: str, known: list[str]) -> str:
    """Return the suggestion to add to an error about an unknown word."""
    close = difflib.get_close_matches(word, known, n=1, cutoff=0.5)
    if close:
        return f"; did you mean {close[0]!r}?"
    more = f" and {len(known) - MOST_KNOWN} more" if len(known) > MOST_KNOWN else ""
    return f"; known: {', '.join(known[:MOST_KNOWN]) or 'none'}{more}"
