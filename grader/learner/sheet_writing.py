"""Writes one answer into an answer sheet and keeps every other byte of it; reads the answer there now.

A written sheet is read again as a grading process reads it. It is returned only if this one answer changed, to the very
value that was given.
"""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import yaml

from grader.learner import sheet_values
from grader.sandbox.processes import AsWritten, DescribedQuestion, SheetRead
from grader.sandbox.worker import answer_sheet, wire
from grader.sandbox.worker.sheet_lines import BARE, HEAD, NAMED, Names, Piece, QuestionIndex, cut, tidy
from grader.texts import WithReason, translated

CAP = 64 << 20  # bytes of a sheet that was read
MOST_KNOWN = 4
NO_PLACE = translated(
    "the answer to {question} cannot be put into the answer sheet without a change to other answers; open the sheet in"
    " an editor and write `{question}:` and the answer on a line of its own, under `{section}:`"
)
_BREAK = re.compile("\r\n|[\n\r\v\f\x85\u2028\u2029]")
_TOKEN = re.compile(
    r"""(?<![^\s\[{,:(])(?:"(?:\\.|[^"\\])*"|'(?:''|[^'])*')|(?<!\S)#[^\r\n]*|.""", re.DOTALL
)  # a text in quotes, a comment, or any other character
_BLOCK = re.compile(r"\s*[|>][-+\d]*[ \t]*(#[^\r\n]*)?(?=[\r\n]|$)")
_NOT_YAML = (yaml.YAMLError, ValueError, RecursionError, OverflowError)
Place = tuple[str, str]
Read = tuple[dict[str, dict[str, Any]], SheetRead]


class NoPlace(WithReason, ValueError):
    """The sheet has no place for this answer."""


@dataclasses.dataclass(frozen=True)
class _Spot:
    """The place of an answer: from its colon to its end; the text before its name; whether brackets are around it."""

    start: int
    end: int
    margin: str
    flow: bool = False


Spots = dict[Place, list[_Spot]]


@dataclasses.dataclass(frozen=True)
class SheetWriting:
    """The answer sheets of a course: the names of its questions by section; those answered in sentences."""

    names: Names
    prose: tuple[str, ...] = ()
    _known: dict[str, Read] = dataclasses.field(default_factory=dict, init=False, repr=False, compare=False)

    @classmethod
    def of(cls, questions: Mapping[str, Sequence[DescribedQuestion]]) -> SheetWriting:
        """Return the sheets that hold these questions, by section."""
        prose = tuple(f"{s}/{q.name}" for s, found in questions.items() for q in found if q.fields.kind == "written")
        return cls({section: tuple(q.name for q in found) for section, found in questions.items()}, prose)

    def given(self, source: str, section: str, question: str) -> Any:
        """Return the answer there: a text, lists or mappings of texts; None for none; AsWritten for damage."""
        answers, read = self._read(source)
        if any((d.section, d.question) == (section, question) for d in read.damaged):
            spots = [s for found in self._spots(source) for s in found.get((section, question), ())]
            if text := "\n".join(dict.fromkeys(source[s.start : s.end].strip() for s in spots)):
                return AsWritten(text)
        return _structured(answers.get(section, {}).get(question)) or None

    def answered(self, source: str, section: str, question: str, value: Any) -> str:
        """Return the sheet with this answer and no other change.

        Args:
            source: the text of the sheet, with its line ends as they are.
            section: the exercise.
            question: its name.
            value: a text, lists or mappings of texts; None removes the answer.

        Raises:
            NoPlace: there is no place for it; the sentence says what to do.
        """
        if question not in self.names.get(section, ()):
            raise NoPlace(NO_PLACE.format(section=section, question=question))
        before = self._read(source)
        if _kept(before, before, (section, question), value):
            return source
        for sheet in self._candidates(source, (section, question), value):
            if _kept(before, self._read(sheet), (section, question), value):
                return sheet
        raise NoPlace(NO_PLACE.format(section=section, question=question))

    def _read(self, source: str) -> Read:
        """Return the sheet as it is read for marking; the last ones are kept, since reading takes a while."""
        if known := self._known.get(source):
            return known
        read, parts = answer_sheet.read(source, CAP, self.names, self.prose)
        found = wire.decode(read.answers, bytearray().join(parts)), read
        if len(self._known) >= MOST_KNOWN:
            self._known.clear()
        self._known[source] = found
        return found

    def _candidates(self, source: str, place: Place, value: Any) -> Iterator[str]:
        """Yield the sheet with the answer, in ever safer ways: in its place now, else at a new place."""
        ways = self._spots(source)
        for first, *again in (found[place] for found in ways if place in found):
            for spot in reversed(again):  # it is answered twice
                source = _put(source, spot, ['""' if spot.flow else ""])
            for lines in sheet_values.ways(value, first.margin, first.flow):
                yield _put(source, first, lines)
            return
        for spots in ways:
            yield from self._added(source, spots, place, value)

    def _added(self, source: str, spots: Spots, place: Place, value: Any) -> Iterator[str]:
        """Yield the sheet with one more line: after the answer before it, in its section, or in a new one."""
        order = [(section, name) for section, names in self.names.items() for name in names]
        before = [p for p in order[: order.index(place)] if p in spots]
        margin = next((found[0].margin for p, found in spots.items() if p[0] == place[0]), "  ")
        heading = next(_headings(source, place[0], QuestionIndex(self.names)), None)
        if before and before[-1][0] == place[0]:
            at, head = _line_end(source, spots[before[-1]][-1].end), [""]
        elif heading is not None:
            at, head = heading, [""]
        else:
            at = _line_end(source, spots[before[-1]][-1].end) if before else len(source)
            head = ["", f"{place[0]}:", ""]
        ending = _ending(source)
        for first, *more in sheet_values.ways(value, margin, flow=False):
            text = ending.join([*head, f"{margin}{place[1]}:{first}", *more])
            joint = ending if source[:at].strip() and not (at == len(source) and _BREAK.search(source[-1:])) else ""
            yield source[:at] + joint + text + (source[at:] or ending)

    def _spots(self, source: str) -> list[Spots]:
        """Return the places of the answers, by YAML and by lines; for a sheet that is not YAML only by lines."""
        places = QuestionIndex(self.names, self.prose)
        try:
            return [_in_yaml(source, places), _in_lines(source, places)]
        except _NOT_YAML:
            return [_in_lines(source, places)]


def _in_yaml(source: str, places: QuestionIndex) -> Spots:
    found: Spots = {}
    root = yaml.compose(source, Loader=yaml.BaseLoader)
    for key, below in root.value if isinstance(root, yaml.MappingNode) else ():
        section = places.section(str(key.value), near=True)
        inside = below if section else yaml.MappingNode("", [(key, below)])
        for name, value in inside.value if isinstance(inside, yaml.MappingNode) else ():
            if place := places.question(section, str(name.value)):
                start = source.index(":", name.end_mark.index) + 1
                text = source[start : max(start, _end(value))]
                flow = any(isinstance(n, yaml.CollectionNode) and n.flow_style for n in (root, inside))
                spot = _Spot(start, start + len(text.rstrip()), " " * name.start_mark.column, flow)
                found.setdefault(place, []).append(spot)
    return found


def _end(node: yaml.Node) -> int:
    """Return the place of a value's last character: comments after a collection in lines are not its own."""
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        return max(map(_end, last)) if isinstance(last, tuple) else _end(last)
    return int(node.end_mark.index)


def _in_lines(source: str, places: QuestionIndex) -> Spots:
    found: Spots = {}
    breaks = list(_BREAK.finditer(source))
    starts, stops = [0, *(b.end() for b in breaks)], [*(b.start() for b in breaks), len(source)]
    texts = tidy(source).split("\n")
    pieces = cut(tidy(source), places)[0]
    for piece in (p for p in pieces if p.known and p.section):
        first = last = piece.line - 1
        other = min((p.line - 1 for p in pieces if p.line > piece.line), default=len(texts))
        line = source[starts[first] : stops[first]]
        for name in filter(None, (NAMED.match(line[:HEAD]), BARE.match(line[:HEAD]))):
            if places.question(piece.section, name["name"]) == (piece.section, piece.name):
                for below in piece.below:
                    last = next((n for n in range(last + 1, len(texts)) if texts[n] == below), last)
                last = _deeper(texts[:other], last, piece)
                start, before = starts[first] + name.start("rest"), line[: name.start("name")]
                text = source[start : stops[last]]
                margin = before if set(before) <= set("> \t") else " " * len(before)
                spot = _Spot(start, start + len(_uncommented(text, piece).rstrip()), margin)
                found.setdefault((piece.section, piece.name), []).append(spot)
                break
    return found


def _deeper(texts: Sequence[str], last: int, piece: Piece) -> int:
    """Return the last line of those that are still indented deeper than the name."""
    for n in range(last + 1, len(texts)):
        text = texts[n].strip()
        if text and len(texts[n].expandtabs(4)) - len(texts[n].expandtabs(4).lstrip()) <= piece.indent:
            break
        last = n if text and not text.startswith("#") else last
    return last


def _uncommented(text: str, piece: Piece) -> str:
    """Return an answer on one line without the comment behind it."""
    if piece.prose or _BREAK.search(text):
        return text
    return "".join(itertools.takewhile(lambda token: not token.startswith("#"), _TOKEN.findall(text)))


def _put(source: str, spot: _Spot, lines: Sequence[str]) -> str:
    """Return the text with these lines as the answer; comments inside the old one move above it, one behind stays."""
    if spot.flow:
        return source[: spot.start] + lines[0] + source[spot.end :]
    old, end, ending = source[spot.start : spot.end], _line_end(source, spot.end), _ending(source)
    if block := _BLOCK.match(old):
        comments = [block[1]] if block[1] else []
    else:
        comments = [token for token in _TOKEN.findall(old) if token.startswith("#")] if _BREAK.search(old) else []
    line = max((b.end() for b in _BREAK.finditer(source, 0, spot.start)), default=0)
    above = "".join(spot.margin + comment.rstrip() + ending for comment in comments)
    head = source[line : spot.start] + lines[0] + source[spot.end : end]
    return source[:line] + above + ending.join([head, *lines[1:]]) + source[end:]


def _headings(source: str, section: str, places: QuestionIndex) -> Iterator[int]:
    """Yield the ends of the lines that begin a section and hold nothing else."""
    for line in re.finditer(r"^(\S[^:\r\n]*):[ \t]*(?:#[^\r\n]*)?(?=\r?$)", source, re.MULTILINE):
        if places.section(line[1]) == section:
            yield line.end()


def _line_end(source: str, at: int) -> int:
    found = _BREAK.search(source, at)
    return found.start() if found else len(source)


def _ending(source: str) -> str:
    return "\r\n" if "\r\n" in source else "\n"


def _kept(before: Read, after: Read, place: Place, value: Any) -> bool:
    """Return True if this answer is the value now, without damage, and nothing else is read worse than before."""
    damaged = [{(d.section, d.question, d.kind) for d in read.damaged} for _, read in (before, after)]
    mine = {found for found in damaged[1] if found[:2] == place}
    old, new = (
        {(s, q): v for s, answers in found.items() for q, v in answers.items() if (s, q) != place and v}
        for found, _ in (before, after)
    )
    mended = damaged[0] and not damaged[1] and old.keys() <= new.keys()  # what was read line by line is YAML now
    if not (old == new or mended) or damaged[1] - mine - damaged[0] or before[1].variant != after[1].variant:
        return False
    there = after[0].get(place[0], {}).get(place[1])
    if value is None:
        return not there and all(kind in ("comment", "stray") for *_, kind in mine)
    return not mine and _alike(there, value)


def _alike(there: Any, value: Any) -> bool:
    """Return True if an answer as it was read is this value; None and an empty text are the same."""
    if not value or isinstance(value, str):
        return bool((there or "") == (value or "")) or not (value or there)
    if isinstance(there, str):
        there = _structured(there)
    if isinstance(value, Mapping):
        same = isinstance(there, Mapping) and list(there) == list(value)
        return same and all(_alike(there[key], value[key]) for key in value)
    return isinstance(there, list) and len(there) == len(value) and all(map(_alike, there, value))


def _structured(answer: Any) -> Any:
    """Return an answer with its brackets read as lists and mappings."""
    if isinstance(answer, Mapping):
        return {key: _structured(value) for key, value in answer.items()}
    if isinstance(answer, list):
        return list(map(_structured, answer))
    if isinstance(answer, str) and answer.lstrip().startswith(("[", "{")):
        try:
            return yaml.load(answer, Loader=yaml.BaseLoader)
        except _NOT_YAML:
            return answer
    return answer
