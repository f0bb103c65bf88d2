"""Matches a submission's files with the course's: by name, else by content; never by a guess.

Names come as browsers, systems and people change them: `softmax (1).py`, `Softmax.py`, `softmax.py.txt`,
`softmax_final.py`. If two different files fit equally well, the choice is left to the student. A stub as it was given
out counts only if nothing else fits.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence

from grader.course import SHEET, Course, file_name
from grader.intake.decoding import decode, decode_sheet
from grader.intake.stubs import asked, is_begun, is_stub, stub
from grader.intake.tree import File, Refused
from grader.texts import Text, translated

TWO_FIT = translated("{first} and {second} could both be {name}; hand in one file of that name")
TWICE = translated("{name} is there more than once; hand in one of them")
MAX_LOOKED_INTO = 200  # files that no name tells
ENOUGH = 3  # questions that a file names: it is the answer sheet
LONGEST_MARKED = 120  # characters of a name that marks of a copy are looked for in,
MOST_MARKS = 4  # and how many are taken off: thousands of files may be called anything
MOST_WORDS = 12  # of a source's name

# `softmax.py`, and what an editor, a mail program or a second download makes of it: softmax.py.txt, softmax.py (1)
_NAME = re.compile(
    r"(?P<stem>.+?)\.(?P<kind>py|ipynb|ya?ml)(\.(py|ya?ml))?(\.txt)?(?P<mark>[ _]?[(]\d+[)]|[ _-]+copy.*)?",
    re.IGNORECASE,
)
_TEXT = re.compile(rf"(?P<stem>{SHEET}.*)\.txt", re.IGNORECASE)
_MARKS = re.compile(  # of a copy, as it stands at an end of a stem
    r"^copy of[ _]+|^副本"  # older Windows, Google Drive
    r"|[ _-]*[(\[]\d{1,3}[)\]]$"  # browsers
    r"|[ _-]\d{1,2}$"  # Canvas, macOS
    r"|[ _-]*[(]?(another |second )?cop(y|ie)([ _]?\d+)?[)]?$|[ _-]*kopie$|[ _-]*(副本|复制|拷贝)\d*$",
    re.IGNORECASE,
)
_COPY_OF = re.compile(r"[ _-]+copy of$|[ _-]*副本$", re.IGNORECASE)  # between a person's name and the file's
_WORDS = re.compile(r"[\W_]+")
_TESTS = {"test", "tests"}
# A copy of the course, or of the students' kit, has these beside the student's own folder `exercises`.
_COURSE = "course.yaml"
_NOT_WORK = {"grader", "solutions", "docs", "examples", "benchmarks", "hints", "lessons"}
_BESIDE = re.compile(  # never a notebook or a file of code: `Course work.ipynb`, `setup.py`
    r"(read ?me|licen[cs]e|changelog|contributing|security|makefile|requirements|pyproject|constraints|setup|course|"
    r"class(?=\.ya?ml$))\b(?!.*\.(py|ipynb)\b)"
)
_ANSWERS = "answers.md"  # of a course: its solutions, as a page
_CODE = re.compile(r".*\.(py[w3]?|txt|ipynb|md|markdown|[rq]md)", re.IGNORECASE)  # what may be code, or
_PAGE = re.compile(r".*\.(md|markdown|[rq]md)", re.IGNORECASE)  # where code stands in blocks of its own
_ANY_TEXT = re.compile(r".*\.(ya?ml|txt|md|json)", re.IGNORECASE)  # the sheet, under a name that does not tell
_DEFINED = re.compile(r"^(?:>>> )?(?:def|class|async def)[ \t]+(\w+)", re.MULTILINE)
# Within what programs write that save a notebook as Python: marimo, nbconvert of a cell with a magic, Colab of one.
_SAVED = {
    "marimo.App(": re.compile(r"^    (?:def|class)[ \t]+(\w+)", re.MULTILINE),
    ".run_cell_magic(": re.compile(r"(?:\\n|['\"])(?:def|class)[ \t]+(\w+)"),
    "Commented out IPython magic": re.compile(r"^# (?:def|class)[ \t]+(\w+)", re.MULTILINE),
}
_ASKED = re.compile(r"""\b(\w+)["'*`]*[ \t]*[:：=]""")  # of a sheet as people write them


@dataclasses.dataclass(frozen=True)
class ChosenFile:
    """The file for one source. `found` is None if no file fits, or if several `rivals` do.

    `untouched`: the file is empty, or as it was given out.
    """

    found: File | None = None
    refused: Text | None = None
    rivals: tuple[File, ...] = ()
    untouched: bool = False


def candidates(files: Sequence[File]) -> list[File]:
    """Return the files that may be somebody's work: none that a course, a repository or a test tool puts there."""
    courses = [f.parts[:-1] for f in files if f.name == _COURSE]

    def given(file: File) -> bool:
        folders = {part.lower() for part in file.parts[:-1]}
        beside = (file.parts[len(c)].lower() for c in courses if file.parts[: len(c)] == c)
        in_course = any(name in _NOT_WORK or name == _ANSWERS for name in beside)
        return in_course or bool(folders & _TESTS) or bool(_BESIDE.match(file.name.lower()))

    return [f for f in files if not given(f)]


def choose(files: Sequence[File], course: Course, sources: Iterable[str], source_kb: int) -> dict[str, ChosenFile]:
    """Return the matching file for each source."""
    named, alike = _by_name(files, course)
    inside = _Inside(course, source_kb)
    likely = {source: inside.fitting(source, fitting) for source, fitting in alike.items()}
    spoken_for = {f.parts for group in (named, likely) for fitting in group.values() for f in fitting}
    rest = [f for f in files if f.parts not in spoken_for]

    def groups(source: str) -> Iterator[Sequence[File]]:
        """Yield the files that fit, the surest group first."""
        yield named.get(source, [])
        yield likely.get(source, [])
        yield inside.fitting(source, rest)
        yield [] if named.get(source) else alike.get(source, [])  # a word in a name outweighs no stub

    return {source: _first(course, source, groups(source), source_kb) for source in sources}


def _first(course: Course, source: str, groups: Iterable[Sequence[File]], source_kb: int) -> ChosenFile:
    """Return the choice of the surest group in which somebody worked; an untouched file if there is no such group."""
    untouched = ChosenFile()
    for fitting in groups:
        found = _decided(course, source, fitting, source_kb)
        if found.refused or (found.found and not found.untouched):
            return found
        untouched = untouched if untouched.found else found
    return untouched


def named_sources(files: Sequence[File], course: Course) -> set[str]:
    """Return the sources of the course that the names of these files mean."""
    return set(_by_name(files, course)[0])


def meant(name: str, course: Course) -> tuple[str | None, bool]:
    """Return the source that a name means, whatever kind of file it is, and True if the name adds no other words.

    `softmax` for `softmax (1).ipynb`, with True, and for `softmax_final.docx`, with False.
    """
    stem = name.split(".")[0]
    files = [File((stem + ending,), lambda _: b"") for ending in (".py", ".yaml")]
    named, alike = (next(iter(found), None) for found in _by_name(files, course))
    return named or alike, named is not None


def whose(name: str, course: Course) -> tuple[str, str] | None:
    """Return the source at the start or end of a code file's name, and the rest of it: `Ada Lovelace - softmax.py`."""
    stems, sheet = _stems(name)
    sources = [s for s in sorted(_known(course), key=len, reverse=True) if stems and (s == SHEET) == sheet]
    words = {source: r"[\W_]*".join(map(re.escape, _WORDS.split(source))) for source in sources}
    for form in (r"(.+?)(?:[\W_]+|(?<=[^\0-\x7f])){}", r"{}(?:[\W_]+|(?=[^\0-\x7f]))(.+)"):
        for source in sources:
            rest = re.fullmatch(form.format(words[source]), stems[-1], re.IGNORECASE)
            if rest and (who := _COPY_OF.sub("", rest[1].rstrip()).strip(" _-.,")):
                return source, who
    return None


def _known(course: Course) -> set[str]:
    return {*(e.source for e in course.described), *course.sources, SHEET}


def _by_name(files: Sequence[File], course: Course) -> tuple[dict[str, list[File]], dict[str, list[File]]]:
    """Return the files by the source that their names mean, and by the one that their names contain."""
    sources = {(_plain(source), source == SHEET): source for source in _known(course)}
    named: dict[str, list[File]] = {}
    alike: dict[str, list[File]] = {}
    for file in files:
        stems, sheet = _stems(file.name)
        if source := next((sources[_plain(s), sheet] for s in stems if (_plain(s), sheet) in sources), None):
            named.setdefault(source, []).append(file)
        elif stems and (source := _held_in(stems[-1], {w: s for (w, kind), s in sources.items() if kind == sheet})):
            alike.setdefault(source, []).append(file)
    return named, alike


@functools.lru_cache(1 << 14)
def _stems(name: str) -> tuple[tuple[str, ...], bool]:
    """Return the name without its ending, then without one mark of a copy after the other; and True for a sheet's name.

    A file of another kind has no stems.
    """
    name = unicodedata.normalize("NFKC", name).replace("。", ".").strip().rstrip(". ")
    found = _NAME.fullmatch(name) or _TEXT.fullmatch(name)
    if not found:
        return (), False
    parts = found.groupdict()
    stems = [parts["stem"] + (parts.get("mark") or "")]
    for _ in range(MOST_MARKS if len(name) <= LONGEST_MARKED else 0):
        if not (shorter := _MARKS.sub("", stems[-1])) or shorter == stems[-1]:
            break
        stems.append(shorter)
    return tuple(stems), parts.get("kind", "yaml").lower() not in ("py", "ipynb")


def module_name(name: str) -> str | None:
    """Return the module name of a Python file without marks of a copy: `helpers` for `helpers (1).py`."""
    stems, sheet = _stems(name)
    return None if sheet or name.lower().endswith(".ipynb") else next((s for s in stems if s.isidentifier()), None)


def is_copy(name: str, of: str) -> bool:
    """Return True if a name is that of a file, or of a copy of it: `Unit (1).ipynb`."""
    return bool({_plain(s) for s in _stems(name)[0]} & {_plain(s) for s in _stems(of)[0][:1]})


def _plain(stem: str) -> str:
    return _WORDS.sub("", stem).lower()


def _held_in(stem: str, plain: Mapping[str, str]) -> str | None:
    """Return the longest source whose name begins or ends this one (`softmax_final`, `ada_softmax`); none in a test."""
    words = [w for w in _WORDS.split(stem.lower()) if w]
    if _TESTS & set(words):
        return None
    for size in range(min(len(words), MOST_WORDS), 0, -1):
        found = {plain[j] for part in (words[:size], words[-size:]) if (j := "".join(part)) in plain}
        if found:
            return found.pop() if len(found) == 1 else None
    return None


class _Inside:
    """Finds the files that fit a source by their content; nothing is parsed or run, and each file is read once."""

    def __init__(self, course: Course, source_kb: int) -> None:
        self._course, self._source_kb = course, source_kb
        self._names: dict[tuple[str, ...], tuple[frozenset[str], frozenset[str]]] = {}
        self._questions = asked(course)

    def fitting(self, source: str, files: Sequence[File]) -> list[File]:
        """Return the files that define all functions of the source at the start of a line, or name the sheet's
        questions.
        """
        if source == SHEET:
            least = min(ENOUGH, len(self._questions))
            texts = [f for f in files if _ANY_TEXT.fullmatch(f.name)][:MAX_LOOKED_INTO]
            return [f for f in texts if least and len(self._read(f)[1] & self._questions) >= least]
        functions = next((e.functions for e in self._course.exercises if e.source == source and e.kind == "code"), ())
        code = sorted((f for f in files if _CODE.fullmatch(f.name)), key=lambda f: not f.name.lower().endswith(".py"))
        return [f for f in code[:MAX_LOOKED_INTO] if functions and self._read(f)[0] >= set(functions)]

    def _read(self, file: File) -> tuple[frozenset[str], frozenset[str]]:
        """Return the names that a file defines, and those that it answers."""
        if file.parts not in self._names:
            defined, answers = frozenset[str](), frozenset[str]()
            try:
                data = file.read(self._source_kb)
                answers = self._questions & answered(decode_sheet(data))
                text = decode(file.name, data)
                if "```" in text or not _PAGE.fullmatch(file.name):  # by how its lines begin
                    saved = (name for mark, p in _SAVED.items() if mark in text for name in p.findall(text))
                    defined = frozenset(_DEFINED.findall(text)).union(saved)
            except Refused:
                pass  # what cannot be read fits nothing
            self._names[file.parts] = defined, answers
        return self._names[file.parts]


def answered(text: str) -> frozenset[str]:
    """Return the words before a colon or an equals sign, among them the names of questions."""
    return frozenset(_ASKED.findall(text))


def _decided(course: Course, source: str, fitting: Sequence[File], source_kb: int) -> ChosenFile:
    """Return the one file that is left without equal copies and untouched stubs.

    A learner's own file, in the place of the stub, counts as soon as it is begun, whatever lies beside it.
    """
    different: dict[object, File] = {}
    as_given = stub(course, source) or b""
    for number, file in enumerate(fitting):
        content = _content(file, source_kb)
        if content and content != as_given and is_stub(course, source, content):
            content = as_given
        different.setdefault(number if content is None else _unsaid(source, content), file)  # None: it cannot be read
    untouched = (_unsaid(source, b""), given := _unsaid(source, as_given))
    if given in different and (own := next((f for f in fitting if is_begun(course, source, f)), None)):
        return ChosenFile(own)
    worked_on = [f for content, f in different.items() if content not in untouched]
    if len(worked_on) < 2:
        found = worked_on or list(fitting)
        return ChosenFile(found[0] if found else None, untouched=bool(found) and not worked_on)
    first, second = (f.path for f in worked_on[:2])
    if first == second:
        said = TWICE.format(name=first)
    else:
        said = TWO_FIT.format(first=first, second=second, name=file_name(source))
    return ChosenFile(refused=said, rivals=tuple(worked_on))


def _unsaid(source: str, content: bytes) -> bytes:
    """Hash what two copies of a file have in common: for a sheet, all but comments, blank lines and its owner."""
    if source == SHEET:
        lines = (line.rstrip() for line in decode_sheet(content).splitlines())
        content = "\n".join(li for li in lines if li and not li.lstrip().startswith(("#", "variant:"))).encode()
    return hashlib.sha256(content).digest()


def _content(file: File, source_kb: int) -> bytes | None:
    try:
        return file.read(source_kb).replace(b"\r\n", b"\n").removeprefix(b"\xef\xbb\xbf").strip()
    except Refused:
        return None
