"""Reads an answer sheet that a student handed in; runs in a confined worker, since a parser is code too."""

from __future__ import annotations

from typing import Any

import yaml


class _Plain(yaml.BaseLoader):
    """Every scalar is a text; no anchors, no tags, no key twice."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            event = self.get_event()  # type: ignore[no-untyped-call] # yaml's has no types
            raise yaml.MarkedYAMLError(problem="anchors and aliases are not allowed", problem_mark=event.start_mark)
        return super().compose_node(parent, index)

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


def parse(source: str) -> dict[str, Any]:
    """`{"answers": tree}`, or `{"problem": what, "line": where}` for what is no YAML mapping."""
    try:
        tree = yaml.load(source, Loader=_Plain)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        return {"problem": str(error.problem or error.context)[:300], "line": mark.line + 1 if mark else None}
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        return {"problem": type(error).__name__, "line": None}
    if tree in (None, ""):
        return {"answers": {}}
    return {"answers": tree} if isinstance(tree, dict) else {"problem": "the file is no mapping", "line": 1}
