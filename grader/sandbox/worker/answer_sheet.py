"""Reads an answer sheet that a student handed in; runs in a confined worker, since a parser is code too.

A sheet that is YAML is read as YAML says. Any other is cut at the names of the questions and each answer is read alone,
so that damage costs the answer in which it stands and no other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

import yaml

from grader.sandbox.processes.worker_messages import DamagedAnswer, DamageKind, SheetRead
from grader.sandbox.worker import wire
from grader.sandbox.worker.sheet_lines import VARIANT, Lost, Names, Piece, QuestionIndex, cut, plain, tidy

MOST_VALUES = 5_000  # of a sheet
MOST_OF_ONE = 1_000  # of one answer
LONGEST_ANSWER = 20_000  # characters
MOST_UNKNOWN = 50  # names that may be misspelt
DEEPEST = 12
LONGEST_BLANK = 1_000
BLANK = re.compile(r"[\s{},]+|[^{},:]+:(?=\s*[,}])")  # a row of a table without answers
COMMENT = re.compile(r"(?:^|\s)#.*")
Answers = dict[str, dict[str, Any]]


class Damage(Exception):
    """The damage to one answer, and a word of detail; `line` counts from the answer's own."""

    def __init__(self, kind: DamageKind, detail: str = "", line: int = 0) -> None:
        super().__init__(kind)
        self.kind: DamageKind = kind
        self.detail, self.line = detail, line


class _Plain(yaml.BaseLoader):
    """Composes nodes without aliases, and no more than can be sent."""

    def __init__(self, stream: str, most: int) -> None:
        super().__init__(stream)
        self._left, self._depth = most, 0

    def compose_node(self, parent: Any, index: Any) -> Any:
        event = self.peek_event()  # type: ignore[no-untyped-call] # yaml's has no types
        self._left -= 1
        self._depth += 1
        if isinstance(event, yaml.AliasEvent) or event.anchor:
            raise Damage("alias", line=event.start_mark.line)
        if self._left < 0 or self._depth > DEEPEST:
            raise Damage("size", line=event.start_mark.line)
        node = super().compose_node(parent, index)
        self._depth -= 1
        return node


def read(source: str, cap: int, names: Names, prose: Iterable[str]) -> tuple[SheetRead, list[bytes]]:
    """Return the answers by section and question, as texts, lists and mappings of texts; damage; unknown names."""
    places, source = QuestionIndex(names, prose), tidy(source)
    pieces, lost = cut(source, places)
    sheet = _Sheet()
    if sheet.whole(source, pieces, places):
        lost.strays = []
    else:
        sheet = _Sheet()
        for piece in pieces:
            if piece.known:
                sheet.take(piece)
    sheet.blame_lines(pieces, lost, names)
    texts = [line for line in source.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    strange = [(p.section, p.name, p.line) for p in pieces if not p.known]
    encoder = wire.Encoder(cap)
    found = SheetRead(
        encoder.encode(sheet.answers), sheet.variant, tuple(sheet.damaged.values()),
        tuple(strange[:MOST_UNKNOWN]), bool(texts),
    )  # fmt: skip
    return found, encoder.parts


class _Sheet:
    """The answers read so far. In prose, YAML must not see comments."""

    def __init__(self) -> None:
        self.variant = ""
        self.answers: Answers = {}
        self.damaged: dict[tuple[str, str], DamagedAnswer] = {}
        self._lines: dict[tuple[str, str], int] = {}

    def whole(self, source: str, pieces: list[Piece], places: QuestionIndex) -> bool:
        """Return True if the sheet is YAML that holds every piece that names a question; if so, take the answers."""
        try:
            node = _composed(source, MOST_VALUES)
            for key, below in _pairs(node):
                self._top(key, below, places, source)
        except (yaml.YAMLError, Damage, ValueError, RecursionError, OverflowError):
            return False
        for piece in (p for p in pieces if p.known and p.section):
            if piece.name not in self.answers.get(piece.section, {}):
                return False
            if piece.below and self.answers[piece.section][piece.name] == "":  # a table whose rows lost their indents
                return False
            if piece.prose and not _quoted(piece):
                self.answers[piece.section][piece.name] = _raw(piece, prose=True)
        return True

    def _top(self, name: str, node: yaml.Node, places: QuestionIndex, source: str) -> None:
        section = places.section(name, near=True)
        if plain(name) == VARIANT:
            self.variant = str(_value(node, source))[:LONGEST_ANSWER]
        elif not section and (place := places.question(None, name)):
            self._put(*place, _value(node, source), node.start_mark.line + 1)
        else:
            for key, below in _pairs(node):
                if place := places.question(section, key):
                    self._put(*place, _value(below, source), below.start_mark.line + 1)

    def take(self, piece: Piece) -> None:
        """Read one piece alone."""
        if piece.name == VARIANT and not piece.section:
            self.variant = self.variant or _raw(piece)[:LONGEST_ANSWER]
            return
        try:
            if sum(map(len, piece.below), len(piece.rest)) > LONGEST_ANSWER:
                raise Damage("size")
            value, damage = self._alone(piece)
            self._put(piece.section, piece.name, value, piece.line)
        except Damage as error:
            damage = error
        if damage:
            self._blame(piece, damage)

    def _alone(self, piece: Piece) -> tuple[Any, Damage | None]:
        """Return the answer; if it is not YAML, its bare text and the damage."""
        if piece.prose and not _quoted(piece):
            return _raw(piece, prose=True), None
        problem = Damage("unreadable", line=0)
        for text in (_block(piece, piece.below), _block(piece, [line.strip() for line in piece.below])):
            try:
                (_, node), *more = _pairs(_composed(text, MOST_OF_ONE))
                if not more:
                    return _value(node, text), None
            except yaml.MarkedYAMLError as error:
                flow = "flow" in (error.context or "")  # a bracket: where it was opened
                mark = error.context_mark if flow else error.problem_mark or error.context_mark
                problem = Damage("unreadable", line=min(mark.line, len(piece.below)) if mark else 0)
            except yaml.reader.ReaderError as error:
                problem = Damage("character", f"U+{error.character:04X}", text.count("\n", 0, error.position))
            except (ValueError, RecursionError, OverflowError):  # a number in an escape, brackets
                problem = Damage("unreadable")
        return _raw(piece), problem

    def _put(self, section: str, name: str, value: Any, line: int) -> None:
        """Store an answer. Raises Damage if there is another one already."""
        found = self.answers.setdefault(section, {})
        if _empty(found.get(name)):
            found[name] = value
            self._lines[section, name] = line
        elif not _empty(value) and not _same(found[name], value):
            raise Damage("twice", str(self._lines[section, name]))

    def _blame(self, piece: Piece, damage: Damage) -> None:
        place = piece.section, piece.name
        if damage.kind in ("twice", "alias", "size"):
            self.answers.setdefault(piece.section, {})[piece.name] = None
        line = piece.line + damage.line
        self.damaged.setdefault(place, DamagedAnswer(*place, damage.kind, line, damage.detail))

    def blame_lines(self, pieces: list[Piece], lost: Lost, names: Names) -> None:
        """Report unanswered questions: a comment that answers one, or a line that belongs to none."""
        there = {(p.section, p.name) for p in pieces}
        for section, questions in names.items():
            lines = [line for where, line in lost.strays + lost.foreign if where == section]
            stray = min(lines, default=0)
            for place in ((section, q) for q in questions):
                line = lost.comments.get(place, 0) or (stray if place not in there else 0)
                if line and _empty(self.answers.get(section, {}).get(place[1])):
                    kind: DamageKind = "comment" if place in lost.comments else "stray"
                    self.damaged.setdefault(place, DamagedAnswer(*place, kind, line))


def _composed(text: str, most: int) -> yaml.Node | None:
    return _Plain(text, most).get_single_node()


def _pairs(node: yaml.Node | None) -> Iterator[tuple[str, yaml.Node]]:
    """Yield key and value of a mapping; nothing for an empty one. Raises ValueError for anything else."""
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise ValueError("a key that is not a word")
            yield key.value, value
    elif node is not None and not (isinstance(node, yaml.ScalarNode) and not node.value):
        raise ValueError("no mapping")


def _value(node: yaml.Node, source: str) -> Any:
    """Return texts, lists and mappings of texts; text in brackets stays as it was written. Raises Damage."""
    if isinstance(node, yaml.ScalarNode):
        return node.value
    if isinstance(node, yaml.CollectionNode) and node.flow_style:
        text = source[node.start_mark.index : node.end_mark.index]
        text = " ".join(COMMENT.sub("", line) for line in text.split("\n"))
        return "" if _empty(text) else text
    if isinstance(node, yaml.SequenceNode):
        return [_value(item, source) for item in node.value]
    found: dict[str, Any] = {}
    for key, below in _pairs(node):
        value = _value(below, source)
        if not _empty(found.get(key)) and not _empty(value) and not _same(found[key], value):
            raise Damage("twice", line=below.start_mark.line)
        found[key] = found[key] if key in found and _empty(value) else value
    return found


def _quoted(piece: Piece) -> bool:
    return piece.block or piece.rest.strip().startswith(('"', "'"))


def _block(piece: Piece, below: list[str]) -> str:
    """Return the piece as a mapping of one key."""
    return "\n".join([f"x: {piece.rest}", *(f"  {line.expandtabs(4)}" for line in below)])


def _raw(piece: Piece, prose: bool = False) -> str:
    """Return the text of a piece, without comments unless it is prose."""
    lines = [piece.rest.strip(), *(line.strip() for line in piece.below)]
    lines = lines if prose else [COMMENT.sub("", line).strip() for line in lines]
    return "\n".join(line for line in lines if line)


def _empty(value: Any) -> bool:
    if isinstance(value, dict):
        return all(map(_empty, value.values()))
    text = "" if value is None else str(value)
    return len(text) < LONGEST_BLANK and not BLANK.sub("", text)


def _same(one: Any, other: Any) -> bool:
    return re.sub(r"[\s\"']+", "", str(one)).casefold() == re.sub(r"[\s\"']+", "", str(other)).casefold()
