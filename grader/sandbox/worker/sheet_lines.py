"""Cuts an answer sheet at the known names, line by line, so that damage stays local."""

from __future__ import annotations

import dataclasses
import difflib
import re
from collections.abc import Iterable, Mapping, Sequence

MOST_PIECES = 3_000
MOST_ASKED = 500  # names that no question has for which it is asked what they may have meant
LONGEST_NAME = 80
HEAD = 400  # characters of a line in which its name must stand
UNSEEN = re.compile("[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
BREAKS = re.compile("\r\n|[\r\v\f\x85\u2028\u2029]")  # of lines, as systems and office programs write them
ODD_BLANKS = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
NOISE = re.compile(r"(<{7}|={7}|>{7}|\|{7})(\s.*)?|(```|~~~)\s*\w*|---|\.\.\.|%%?\w.*")  # conflicts, fences, documents
NAMED = re.compile(r"[\s>|]*(?:[-*+•]\s+)?(?P<name>[^\s#][^:：﹕∶]{0,79}?)\s*[:：﹕∶](?P<rest>.*)")
BARE = re.compile(  # before `=`, or a cell of a table or a CSV file
    r"[\s>|]*(?:[-*+•]\s+)?(?P<name>[A-Za-z]\w*_\w+(?=\s*[=,;|]|\s|$)|[A-Za-z]\w*(?=\s*[=|]))(?:\s*[=,;|](?!=))?(?P<rest>.*)"
)
NUMBER = re.compile(r"^[\W_]*[A-Za-z]?\d{1,3}\s*[.)）、．]\s*(?=\D)")  # `1. `, `(2) `, `Q3.` before a name
BLOCK = re.compile(r"[|>][-+\d]{0,2}\s*(#.*)?")
HEADING = re.compile(r"#+\s*[`*]*\w+[`*:：]*")  # a name as one in Markdown
ESCAPED = re.compile(r"\\([][_{}()*~#.+!<>|&=-])")  # as Markdown is written by programs
VARIANT = "variant"

Names = Mapping[str, Sequence[str]]


@dataclasses.dataclass
class Piece:
    """An answer as it stands on the sheet: its question, its lines, the text after its colon and the lines below.

    `section` is "" and `known` False for a name that no question has.
    """

    section: str
    name: str
    line: int
    rest: str
    below: list[str] = dataclasses.field(default_factory=list)
    indent: int = 0
    known: bool = True
    prose: bool = False
    margin: str = ""

    @property
    def full(self) -> bool:
        """True if it holds an answer, with every bracket closed."""
        text = " ".join([self.rest, *self.below])
        closed = text.count("[") <= text.count("]") and text.count("{") <= text.count("}")
        return closed and bool(text.strip()) and not self.block

    @property
    def block(self) -> bool:
        """True if it is an indented text in the lines below."""
        return BLOCK.fullmatch(self.rest.strip()) is not None


class QuestionIndex:
    """The sections of names: each question's, under whatever heading it stands.

    `prose` are the questions that are answered in sentences, as section/name.
    """

    def __init__(self, names: Names, prose: Iterable[str] = ()) -> None:
        self.prose = frozenset(prose)
        self._names = {section: {plain(q): q for q in questions} for section, questions in names.items()}
        self._sections = {plain(s): s for s in names}
        self._asked = 0

    def section(self, name: str, near: bool = False) -> str | None:
        """Return the section of this name, or with `near` the one nearest to it."""
        if found := self._sections.get(plain(name)):
            return found
        close = difflib.get_close_matches(plain(name), self._sections, n=1, cutoff=0.85) if near else ()
        return self._sections[close[0]] if close else None

    def question(self, section: str | None, name: str) -> tuple[str, str] | None:
        """Return section and name of a question: in this section, or else in the only one that has it."""
        wanted = plain(name)
        if section and wanted in self._names[section]:
            return section, self._names[section][wanted]
        found = [s for s, questions in self._names.items() if wanted in questions]
        return (found[0], self._names[found[0]][wanted]) if len(found) == 1 else None

    def near(self, name: str) -> bool:
        """Return True if a question may be meant; False once too many such names were asked for."""
        self._asked += 1
        if self._asked > MOST_ASKED:
            return False
        known = (q for questions in self._names.values() for q in questions)
        return bool(difflib.get_close_matches(plain(name), known, n=1, cutoff=0.8))


def plain(name: str) -> str:
    """Return a name in the form in which it is compared: case, quotes, a number, hyphens and blanks do not matter."""
    name = NUMBER.sub("", name[:LONGEST_NAME], count=1)
    return re.sub(r"[\s_-]+", "_", re.sub(r"^[\W_]+|[\W_]+$", "", name).casefold())


def tidy(source: str) -> str:
    """Return the sheet without invisible differences: marks of direction, blanks of other widths, other line ends."""
    source = BREAKS.sub("\n", UNSEEN.sub("", source))
    lines = source.split("\n")
    if all(line.startswith(">") for line in lines if line.strip()):  # quoted in a mail
        source = "\n".join(re.sub("^(?:> ?)+", "", line) for line in lines)
    if re.search(r"^\W*[A-Za-z]+\\_\w", source, re.MULTILINE):
        source = ESCAPED.sub(r"\1", source)
    return ODD_BLANKS.sub(" ", source)


@dataclasses.dataclass
class Lost:
    """Lines that belong to no piece, and names in another script, each with its section (""); answers in comments."""

    strays: list[tuple[str, int]] = dataclasses.field(default_factory=list)
    foreign: list[tuple[str, int]] = dataclasses.field(default_factory=list)
    comments: dict[tuple[str, str], int] = dataclasses.field(default_factory=dict)


def cut(source: str, places: QuestionIndex) -> tuple[list[Piece], Lost]:
    """Return the pieces of a tidy sheet, in order, and the lines that belong to none.

    Lines between a comment and the next name belong to that name, if nothing follows its colon.
    """
    pieces: list[Piece] = []
    section: str | None = None
    strays: list[tuple[int, str]] = []
    lost = Lost()
    apart = True  # whether a comment, or a blank line, stands between this line and the piece before it
    for number, line in enumerate(source.split("\n"), 1):
        text, indent = line.strip(), len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip())
        now = pieces[-1] if pieces else None
        if now and now.block and (indent > now.indent or not text):
            now.below.append(line)
        elif HEADING.fullmatch(text) and (place := places.question(section, text)):
            pieces.append(Piece(*place, number, "", prose="/".join(place) in places.prose))
            lost.strays += [(section or "", at) for at, _ in strays]
            section, strays, apart = place[0], [], False
        elif not text or text.startswith("#"):
            apart = apart or bool(text) or (now is not None and now.full and not now.prose)
            aside = NAMED.match(text.lstrip("# ")[:HEAD])
            if aside and aside["rest"].strip(" {}") and (place := places.question(section, aside["name"])):
                lost.comments.setdefault(place, number)
        elif NOISE.fullmatch(text):
            continue
        elif heading := _heading(line, indent, places):
            section, apart = heading, True
        elif found := _begun(line, number, indent, section, places, now):
            section = found.section or section
            if not found.rest.strip():
                found.below, strays = [below for _, below in strays], []
            pieces.append(found)
            if not (found.known or found.name.isascii()):
                lost.foreign.append((found.section, number))
            lost.strays += [(section or "", at) for at, _ in strays]
            strays, apart = [], False
        elif now and (not apart or (indent > now.indent and not now.full)):
            now.below.append(line)
        else:
            strays.append((number, line))
        if len(pieces) >= MOST_PIECES:
            break
    lost.strays += [(section or "", at) for at, _ in strays]
    return pieces, lost


def _heading(line: str, indent: int, places: QuestionIndex) -> str | None:
    """Return the section that this line opens."""
    if match := NAMED.match(line[:HEAD]):
        return places.section(match["name"], near=not indent and not match["rest"].strip(" {"))
    return places.section(line) if not indent else None


def _begun(
    line: str, number: int, indent: int, section: str | None, places: QuestionIndex, now: Piece | None
) -> Piece | None:
    """Return the piece that this line begins, if any."""
    margin = line[: len(line) - len(line.lstrip())]
    for match in filter(None, (NAMED.match(line[:HEAD]), BARE.match(line[:HEAD]))):
        name, rest = match["name"], match["rest"] + line[HEAD:]
        if now and indent > now.indent and name.startswith(("{", "[")):
            return None
        if match.re is NAMED and plain(name) == VARIANT:
            return Piece("", VARIANT, number, rest, indent=indent)
        if place := places.question(section, name):
            rest = rest.rstrip(" |") if margin + "|" == line[: len(margin) + 1] else rest
            prose = "/".join(place) in places.prose
            return Piece(*place, number, rest, indent=indent, prose=prose, margin=margin)
    if not (strange_name := NAMED.match(line[:HEAD])):
        return None
    name, rest = strange_name["name"], strange_name["rest"] + line[HEAD:]
    row = now is not None and not now.rest.strip() and (indent, margin != now.margin) > (now.indent, False)  # or tabs
    foreign = not name.isascii() and not (now and now.prose)  # a sheet that a browser translated
    strange = ("_" in name or foreign) and (now is None or now.full) and re.fullmatch(r"[\w\"'`* -]{1,80}", name)
    if row or not (strange or places.near(name)):
        return None
    return Piece(section or "", name.strip(), number, rest, indent=indent, known=False, margin=margin)
