"""Reads an answer sheet that a student handed in; runs in a confined worker, since a parser is code too."""

from __future__ import annotations

from typing import Any

import yaml

from grader.sandbox.processes import SheetRead
from grader.sandbox.worker import wire

MOST_VALUES = 5_000
DEEPEST = 12


class _Plain(yaml.BaseLoader):
    """Every scalar is a text; no aliases, no tags, no key twice, and no more than can be handed on."""

    def __init__(self, stream: str) -> None:
        super().__init__(stream)
        self._nodes = self._depth = 0

    def compose_node(self, parent: Any, index: Any) -> Any:
        event = self.peek_event()  # type: ignore[no-untyped-call] # yaml's has no types
        self._nodes += 1
        self._depth += 1
        refused = {
            "anchors and aliases are not allowed": isinstance(event, yaml.AliasEvent),
            f"more than {MOST_VALUES} values": self._nodes > MOST_VALUES,
            f"nested deeper than {DEEPEST} levels": self._depth > DEEPEST,
        }
        if problem := next((p for p, found in refused.items() if found), None):
            raise yaml.MarkedYAMLError(problem=problem, problem_mark=event.start_mark)
        node = super().compose_node(parent, index)
        self._depth -= 1
        return node

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        seen: set[str] = set()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode) or key.value in seen:
                problem = (
                    f"{key.value!r} is given twice" if isinstance(key, yaml.ScalarNode) else "a key must be a word"
                )
                raise yaml.MarkedYAMLError(problem=problem[:200], problem_mark=key.start_mark)
            seen.add(key.value)
        return super().construct_mapping(node, deep)


def read(source: str, cap: int) -> tuple[SheetRead, list[bytes]]:
    """The sheet as a tree of texts, lists and mappings; else what keeps it from being one, and where."""
    encoder = wire.Encoder(cap)
    try:
        tree = yaml.load(source, Loader=_Plain)
        if isinstance(tree, dict) or tree in (None, ""):
            return SheetRead(encoder.encode(tree or {})), encoder.parts
        return SheetRead(None, "the file is no mapping", 1), []
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        return SheetRead(None, str(error.problem or error.context)[:300], mark.line + 1 if mark else None), []
    except yaml.reader.ReaderError as error:
        line = source.count("\n", 0, error.position) + 1
        return SheetRead(None, f"a character that is not allowed, U+{error.character:04X}", line), []
    except Exception as error:  # a number in an escape may overflow, brackets exhaust the stack
        return SheetRead(None, type(error).__name__), []
