"""Which file of a submission is which of the course's: by its name, else by the functions in it; never a guess.

Names come as browsers, systems and people change them: `softmax (1).py`, `Softmax.py`, `softmax.py.txt`,
`softmax_final.py`. Where two files fit alike and differ, the choice is left to whoever handed them in.
"""

from __future__ import annotations

import dataclasses
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence

from grader.course import SHEET, Course, file_name
from grader.intake.decoding import decode
from grader.intake.tree import File, Refused
from grader.texts import Text, translated

TWO_FIT = translated("{first} and {second} could both be {name}; hand in one of them")
TWICE = translated("{name} is there more than once; hand in one of them")
MAX_LOOKED_INTO = 200  # files that no name tells

# `softmax.py`, and what an editor, a mail program or a second download makes of it: softmax.py.txt, softmax.py (1)
_NAME = re.compile(
    r"(?P<stem>.+?)\.(?P<kind>py|ya?ml)(\.(py|ya?ml))?(\.txt)?(?P<mark>[ _]?[(]\d+[)]|[ _-]+copy.*)?", re.IGNORECASE
)
_TEXT = re.compile(rf"(?P<stem>{SHEET}.*)\.txt", re.IGNORECASE)
_MARKS = re.compile(  # of a copy, as it stands at an end of a stem
    r"^copy of[ _]+|^副本"  # older Windows, Google Drive
    r"|[ _-]*[(\[]\d{1,3}[)\]]$"  # browsers
    r"|[ _-]\d{1,2}$"  # Canvas, macOS
    r"|[ _-]*[(]?(another |second )?cop(y|ie)([ _]\d+)?[)]?$|[ _-]*kopie$|[ _-]*(副本|复制|拷贝)\d*$",
    re.IGNORECASE,
)
_WORDS = re.compile(r"[\W_]+")
_TESTS = {"test", "tests"}
# A copy of the course, or of the students' kit, has these beside the student's own folder `exercises`.
_COURSE = "course.yaml"
_NOT_WORK = {"grader", "solutions", "docs", "examples", "benchmarks", "hints"}
_BESIDE = re.compile(
    r"(read ?me|licen[cs]e|changelog|contributing|security|makefile|requirements|pyproject|course|constraints|setup)\b"
    r"|answers\.md"
)


@dataclasses.dataclass(frozen=True)
class Chosen:
    """The file for one source, or why there is none of several `rivals`; `found` is None where nothing fits, too."""

    found: File | None = None
    refused: Text | None = None
    rivals: tuple[File, ...] = ()


def candidates(files: Sequence[File]) -> list[File]:
    """The files that may be somebody's work: none of those that a course, a repository or a test tool puts there."""
    courses = [f.parts[:-1] for f in files if f.name == _COURSE]

    def given(file: File) -> bool:
        folders = {part.lower() for part in file.parts[:-1]}
        in_course = any(file.parts[: len(c)] == c and file.parts[len(c)].lower() in _NOT_WORK for c in courses)
        return in_course or bool(folders & _TESTS) or bool(_BESIDE.match(file.name.lower()))

    return [f for f in files if not given(f)]


def choose(files: Sequence[File], course: Course, sources: Iterable[str], source_kb: int) -> dict[str, Chosen]:
    """For each source the file that is meant."""
    named, alike = _by_name(files, _known(course))
    likely = {source: _defining(source, fitting, course, source_kb) for source, fitting in alike.items()}
    spoken_for = {f.parts for group in (named, likely) for fitting in group.values() for f in fitting}
    rest = [f for f in files if f.parts not in spoken_for and f.name.lower().endswith((".py", ".py.txt"))]
    rest = rest[:MAX_LOOKED_INTO]
    chosen = {}
    for source in sources:
        fitting = named.get(source) or likely.get(source) or _defining(source, rest, course, source_kb)
        chosen[source] = _decided(course, source, fitting or alike.get(source, []), source_kb)
    return chosen


def named_sources(files: Sequence[File], course: Course) -> set[str]:
    """The sources of the course that the names of these files mean."""
    return set(_by_name(files, _known(course))[0])


def _known(course: Course) -> set[str]:
    return {*(e.source for e in course.described), *course.sources, SHEET}


def _by_name(files: Sequence[File], known: Iterable[str]) -> tuple[dict[str, list[File]], dict[str, list[File]]]:
    """The files by the source that their names mean, and by the one that their names only hold among other words."""
    sources = {(_plain(source), source == SHEET): source for source in known}
    named: dict[str, list[File]] = {}
    alike: dict[str, list[File]] = {}
    for file in files:
        stems, sheet = _stems(file.name)
        if source := next((sources[_plain(s), sheet] for s in stems if (_plain(s), sheet) in sources), None):
            named.setdefault(source, []).append(file)
        elif stems and (source := _held_in(stems[-1], {w: s for (w, kind), s in sources.items() if kind == sheet})):
            alike.setdefault(source, []).append(file)
    return named, alike


def _stems(name: str) -> tuple[list[str], bool]:
    """The name without its ending, then with one mark of a copy after the other taken off; whether it is a sheet's.

    No stems for a file of another kind.
    """
    name = unicodedata.normalize("NFKC", name).strip()
    found = _NAME.fullmatch(name) or _TEXT.fullmatch(name)
    if not found:
        return [], False
    parts = found.groupdict()
    stems = [parts["stem"] + (parts.get("mark") or "")]
    while (shorter := _MARKS.sub("", stems[-1])) and shorter != stems[-1]:
        stems.append(shorter)
    return stems, parts.get("kind", "yaml").lower() != "py"


def _plain(stem: str) -> str:
    return _WORDS.sub("", stem).lower()


def _held_in(stem: str, plain: Mapping[str, str]) -> str | None:
    """The source whose name begins or ends this one, the longest: `softmax_final`, `ada_softmax`; never in a test's."""
    words = [w for w in _WORDS.split(stem.lower()) if w]
    if _TESTS & set(words):
        return None
    for size in range(len(words), 0, -1):
        found = {plain[j] for part in (words[:size], words[-size:]) if (j := "".join(part)) in plain}
        if found:
            return found.pop() if len(found) == 1 else None
    return None


def _defining(source: str, files: Sequence[File], course: Course, source_kb: int) -> list[File]:
    """Those of the files that define all functions of a source; none where it has no functions."""
    functions = next((e.functions for e in course.exercises if e.source == source and e.kind == "code"), ())
    return [f for f in files if functions and _defines(f, functions, source_kb)]


def _defines(file: File, functions: Sequence[str], source_kb: int) -> bool:
    """Whether each function stands at the beginning of a line; nothing of the file is parsed or run."""
    try:
        text = decode(file.name, file.read(source_kb))
    except Refused:
        return False
    return all(re.search(rf"^(?:def|class|async def)[ \t]+{f}\b", text, re.MULTILINE) for f in functions)


def _decided(course: Course, source: str, fitting: Sequence[File], source_kb: int) -> Chosen:
    """The one file that is left when copies of each other and untouched stubs are taken out."""
    if len(fitting) < 2:
        return Chosen(fitting[0] if fitting else None)
    different: dict[object, File] = {}
    for number, file in enumerate(fitting):
        content = _content(file, source_kb)
        different.setdefault(number if content is None else content, file)  # a number: it cannot be read
    untouched = (b"", _stub(course, source))
    worked_on = [f for content, f in different.items() if content not in untouched] or list(different.values())
    if len(worked_on) == 1:
        return Chosen(worked_on[0])
    first, second = (f.path for f in worked_on[:2])
    if first == second:
        said = TWICE.format(name=first)
    else:
        said = TWO_FIT.format(first=first, second=second, name=file_name(source))
    return Chosen(refused=said, rivals=tuple(worked_on))


def _content(file: File, source_kb: int) -> bytes | None:
    try:
        return file.read(source_kb).replace(b"\r\n", b"\n").removeprefix(b"\xef\xbb\xbf").strip()
    except Refused:
        return None


def _stub(course: Course, source: str) -> bytes | None:
    path = course.root / "exercises" / file_name(source)
    try:
        return path.read_bytes().replace(b"\r\n", b"\n").strip()
    except OSError:
        return None
