"""The quality of the suites' judgement: the figures of each exercise as data, and hashes of what they depend on."""

from __future__ import annotations

import ast
import dataclasses
import functools
import hashlib
import importlib.metadata
import itertools
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import yaml

import grader
from grader.course import Course, Exercise
from grader.errors import CourseError

ALTERNATIVES = Path("tests/kit/alternatives")
MUTANTS = Path("tests/kit/mutants.yaml")
ROOMS = ("diagnosis", "suites", "sandbox", "grading")  # of the engine: what judges
MODULES = ("arrays.py", "closeness.py", "pytree.py", "authoring/evidence.py", "authoring/ready_mistakes.py")
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
_SAYING = ("Text", "expect", "expect_close")  # of the suite API
_SPACE = re.compile(rb"(?<=[(,])\s+|\s+(?=\))|^[^\S\n]*~?\n", re.MULTILINE)  # how a longer sentence breaks lines
_WORD = re.compile(r"\w+")


@dataclasses.dataclass(frozen=True)
class Caught:
    """One misconception, tried as a submission.

    checks: how many checks caught it, at the first seed, as all fields below.
    named: "alone", "pair" (with one other), "other" (only others) or "none".
    beside: every other name that was given.
    """

    name: str
    checks: int
    named: str
    beside: tuple[str, ...]


@dataclasses.dataclass(frozen=True)
class Tried:
    """One right solution, tried as a submission: the seeds at which it did not get full marks."""

    name: str
    failed: tuple[int, ...]


@dataclasses.dataclass(frozen=True)
class Flip:
    """A misconception that a check, or the diagnosis, finds at some seeds only."""

    name: str
    check: str


@dataclasses.dataclass(frozen=True)
class SuiteEvidence:
    """The trials of one exercise's suite, and the number of seeds.

    slips: the ready-made mistakes that got full marks. flips: verdicts that differ between seeds.
    """

    exercise: str
    checks: int
    seeds: int
    misconceptions: tuple[Caught, ...]
    alternatives: tuple[Tried, ...]
    slips: tuple[str, ...]
    flips: tuple[Flip, ...]


@dataclasses.dataclass(frozen=True)
class Mutants:
    """The result of `make mutants` for one exercise."""

    killed: int = 0
    equivalent: int = 0
    survived: int = 0


def mutants(course: Course) -> dict[str, Mutants]:
    """Return the stored result of `make mutants`, by exercise.

    Raises:
        CourseError: the file is not what `make mutants` writes.
    """
    path = course.root / MUTANTS
    if not path.is_file():
        return {}
    found = yaml.safe_load(path.read_text(encoding="utf-8"))
    try:
        return {i: Mutants(e["killed"], len(e["equivalent"]), len(e["survived"])) for i, e in found.items()}
    except (AttributeError, KeyError, TypeError) as error:
        raise CourseError(f"{path}: not as `make mutants` writes it ({error!r}); run it again") from error


def inputs(course: Course) -> dict[str, str]:
    """Return by exercise a hash over the code that its figures depend on: suite, solution, alternatives, library."""
    return {e.id: _inputs(course, e) for e in course.exercises if e.kind == "code"}


def _inputs(course: Course, exercise: Exercise) -> str:
    hidden = course.root / "tests" / "hidden"
    shared = {path: path.read_text(encoding="utf-8") for path in sorted(hidden.glob("lib/**/*.py"))}
    files = [course.suite(exercise.id), course.solution(exercise.id)]
    needed, todo = list[Path](), [files[0].read_text(encoding="utf-8")]
    while todo:  # whatever is named in it, and what is named there
        words = set(_WORD.findall(todo.pop()))
        found = [path for path in shared if path not in needed and path.stem in words]
        needed += found
        todo += [shared[path] for path in found]
    alternatives = sorted((course.root / ALTERNATIVES / exercise.id).glob("*.py"))
    return _hash(
        [*files, *sorted(needed), *sorted(hidden.glob("lib/**/*.npy")), *alternatives], repr(exercise.functions)
    )


def engine() -> str:
    """Return a hash over what decides the figures of all exercises: the rooms that judge, and torch's version."""
    here = Path(grader.__path__[0])
    files = [path for room in ROOMS for path in sorted((here / room).rglob("*.py"))] + [here / name for name in MODULES]
    try:
        version = importlib.metadata.version("torch")
    except importlib.metadata.PackageNotFoundError:
        version = ""
    return _hash(files, version)


def _hash(files: Sequence[Path], beside: str) -> str:
    total = hashlib.sha256(beside.encode())
    for path in files:
        content = path.read_bytes() if path.is_file() else b""
        if path.suffix == ".py":
            content = _without_words(content)
        total.update(path.name.encode() + b"\0" + hashlib.sha256(content).digest())
    return total.hexdigest()


@functools.cache  # the library is every suite's
def _without_words(source: bytes) -> bytes:
    """Return the code alone: another title of a check, or a better sentence about a mistake, changes no figure."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return source  # whoever runs it says so
    starts = list(itertools.accumulate(map(len, source.splitlines(keepends=True)), initial=0))
    for said in sorted(_words(tree), key=lambda node: (node.lineno, node.col_offset), reverse=True):
        first = starts[said.lineno - 1] + said.col_offset
        last = starts[(said.end_lineno or said.lineno) - 1] + (said.end_col_offset or 0)
        source = source[:first] + b"~" + source[last:]
    return _SPACE.sub(b"", source).replace(b"~,)", b"~)")


def _words(tree: ast.Module) -> Iterator[ast.expr]:
    """Yield docstrings, and the texts that are called `said` or are given to what says them."""
    for node in ast.walk(tree):
        if isinstance(node, _DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            said = node.body[0]
            assert isinstance(said, ast.Expr)
            yield said.value
        elif isinstance(node, ast.Assign) and [ast.unparse(target) for target in node.targets] == ["said"]:
            yield from filter(_is_text, [node.value])
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _SAYING:
            yield from filter(_is_text, node.args)


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def verdict(c: Caught) -> str:
    """Return the diagnosis's verdict on it, in words."""
    others = ", ".join(f"`{name}`" for name in c.beside)
    return {
        "alone": "named",
        "pair": f"named, together with {others}",
        "other": f"**named wrongly**: {others}",
        "none": "not named" + (f"; sometimes {others}" if others else ""),
    }[c.named]


def holes(evidence: Sequence[SuiteEvidence]) -> list[str]:
    """List what the suites do not ask yet: ready-made slips with full marks, checks that decide at some seeds only."""
    found = []
    for e in evidence:
        suite = f"tests/hidden/{e.exercise}.py"
        found += [f"{suite}: {slip} gets full marks; catch it, or name it in LETS_PASS" for slip in e.slips]
        found += [f"{suite}: {f.check} finds {f.name} at some seeds only" for f in e.flips]
    return found


def weak_points(evidence: Sequence[SuiteEvidence]) -> list[str]:
    """List what falls short of the promise: caught, never a wrong name, full marks for right work."""
    found = []
    for e in evidence:
        suite = f"tests/hidden/{e.exercise}.py"
        found += [f"{suite}: {c.name} is caught by no check" for c in e.misconceptions if not c.checks]
        found += [f"{suite}: {c.name} is {verdict(c)}" for c in e.misconceptions if c.named in ("other", "none")]
        found += [
            f"{ALTERNATIVES}/{e.exercise}/{a.name}.py: no full marks at seeds {json.dumps(a.failed[:5])}"
            for a in e.alternatives
            if a.failed
        ]
    return found
