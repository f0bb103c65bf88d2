"""Makes a course of a teacher's tests: they run once on the solutions, and students get the same questions."""

from __future__ import annotations

import ast
import dataclasses
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from grader import packages
from grader.authoring import new_course
from grader.authoring.recorded import Recorded, RecordedCall, Test, is_test
from grader.batch import WITHOUT_TORCH
from grader.errors import CourseError
from grader.texts import one_line

RECORDER = "grader.authoring.recorder"
SECONDS = 60.0
"""What a test may take, and the import of all of them."""
PROBES = ("does_not_mutate", "matches_gradients", "matches_reference", "raises_value_error")
SHORT = {"np": "numpy as np", "pd": "pandas as pd", "scipy": "scipy.sparse", "torch": "torch"}
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclasses.dataclass
class FoundExercise:
    """The checks of one solution: the questions of each test about it; and the tolerance of each function."""

    id: str
    solution: str
    recorded: Recorded
    allowed: Mapping[str, tuple[float, float]]
    tests: list[tuple[Test, list[RecordedCall]]] = dataclasses.field(default_factory=list)

    @property
    def functions(self) -> list[str]:
        return list(dict.fromkeys(a.function for _, asked in self.tests for a in asked))


@dataclasses.dataclass
class Found:
    """The outcome of a folder of tests.

    refused: a line for each test that is no check, and for each file without one. partly: for each test of which only a
    part is asked. doubts: for each whose check may ask more.
    """

    tests: int
    exercises: dict[str, FoundExercise] = dataclasses.field(default_factory=dict)
    refused: list[str] = dataclasses.field(default_factory=list)
    partly: list[str] = dataclasses.field(default_factory=list)
    doubts: list[str] = dataclasses.field(default_factory=list)

    @property
    def checks(self) -> int:
        return sum(len(e.tests) for e in self.exercises.values())


def read(tests_at: Path, solutions: Path | None, seconds: float = SECONDS) -> Found:
    """Run the tests of a folder or a file on the solutions, which lie in a folder of their own or beside the tests.

    Raises:
        CourseError: there is none, one does not end in `seconds`, or no check came of them.
    """
    paths = [tests_at] if tests_at.is_file() else sorted({*tests_at.rglob("test_*.py"), *tests_at.rglob("*_test.py")})
    if not paths:
        raise CourseError(f"{tests_at}: holds no test_*.py and no *_test.py")
    folder = solutions or (tests_at.parent if tests_at.is_file() else tests_at)
    if not folder.is_dir():
        raise CourseError(f"{folder}: no such folder; --solutions names the one that holds the solved modules")
    recorded = _recorded(paths, folder, seconds)
    if not (recorded.tests or recorded.broken):
        raise CourseError(f"{tests_at}: holds no test; nothing was written")
    found = Found(len(recorded.tests), refused=list(recorded.broken))
    files = _exercises(recorded, folder, found)
    for test in recorded.tests:
        _sort(test, files, found, folder)
    found.exercises = {e.id: e for e in files.values() if e.tests}
    if not found.exercises:
        raise CourseError("\n".join([*found.refused, f"{tests_at}: no test became a check; nothing was written"]))
    return found


def _recorded(paths: Sequence[Path], folder: Path, seconds: float) -> Recorded:
    """Return the record of a run of the tests in a process of its own. Raises CourseError."""
    texts = "".join(p.read_text(encoding="utf-8", errors="replace") for p in (*paths, *folder.rglob("*.py")))
    own = [n for n in packages.KNOWN if packages.version(n) and re.search(rf"\b{n}\b", texts)]
    surroundings = {**os.environ, packages.VARIABLE: " ".join(own)}
    if not re.search(r"\btorch\b", texts):
        surroundings[WITHOUT_TORCH] = "1"
    with tempfile.TemporaryDirectory() as scratch:
        to = Path(scratch, "recorded.json")
        command = [sys.executable, "-m", RECORDER, *map(str, (to, folder, seconds, *paths))]
        ran = subprocess.run(command, env=surroundings, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        if not to.is_file():
            said = (ran.stdout + ran.stderr).decode("utf-8", "replace").strip().splitlines() or [
                f"exit {ran.returncode}"
            ]
            raise CourseError(
                f"{paths[0].parent}: pytest cannot run these tests: {one_line(said[-1].lstrip('E '), 300)}"
            )
        recorded = msgspec.json.decode(to.read_bytes(), type=Recorded)
    if recorded.running:
        raise CourseError(
            f"{recorded.running} did not end within {seconds:g} seconds; fix it or leave it out, nothing was written"
        )
    return recorded


def _exercises(recorded: Recorded, folder: Path, found: Found) -> dict[str, FoundExercise]:
    """Return an exercise for each suitable solution, by its file."""
    if not recorded.functions:
        modules = [p for p in folder.rglob("*.py") if not is_test(p.stem) and p.stem != "__init__"]
        held = ", ".join(sorted(p.name for p in modules)) or "no module"
        found.refused.append(f"{folder}: the tests import no module of this folder, which holds {held}")
    files = dict[str, FoundExercise]()
    for file, functions in recorded.functions.items():
        path = Path(file)
        if not functions:
            found.refused += (
                [] if path.stem == "__init__" else [f"{_shown(file)}: defines no function that tests could call"]
            )
            continue
        text = path.read_text(encoding="utf-8")
        if beside := _beside(path, ast.parse(text)):
            said = f"imports {beside}, another module of the solution; an exercise is one file, so put its lines there"
            found.refused.append(f"{_shown(file)}: {said}")
            continue
        stem = path.parent.name if path.stem == "__init__" else path.stem
        taken = {e.id for e in files.values()}
        name = f"{path.parent.name}_{stem}" if stem in taken else stem
        files[file] = FoundExercise(name, text, recorded, recorded.allowed.get(file, {}))
    return files


def _beside(path: Path, tree: ast.Module) -> str:
    """Return the first module beside a solution that it imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level:
            return "." * node.level + (node.module or node.names[0].name)
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        for name in names:
            top = name.partition(".")[0]
            if path.with_name(f"{top}.py").is_file() or path.with_name(top).is_dir() or top == path.parent.name:
                return name
    return ""


def _sort(test: Test, files: Mapping[str, FoundExercise], found: Found, folder: Path) -> None:
    """Assign the questions of a test to the exercises, and report the rest."""
    where = f"{_shown(test.path)}:{test.line}: {test.name}"
    elsewhere = sorted({_shown(asked.file) for asked in test.asked if asked.file not in files})
    missed = [*test.missed, *(f"it calls functions of {file}, which is no exercise" for file in elsewhere)]
    asked = [] if test.why else [asked for asked in test.asked if asked.file in files]
    if not asked:
        why = test.why or "; ".join(missed) or f"calls no function of a module in {folder}"
        found.refused.append(f"{where}: {why}")
        return
    found.partly += [f"{where}: {'; '.join(missed)}"] if missed else []
    found.doubts += [f"{where}: also with results {test.doubt}"] if test.doubt else []
    for file in dict.fromkeys(a.file for a in asked):
        files[file].tests.append((test, [a for a in asked if a.file == file]))


def _shown(file: str) -> str:
    path, here = Path(file), Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)


def files(found: Found, title: str) -> dict[str, str]:
    """Return the files of the course, by their paths."""
    usual = new_course.files(title)
    made = {p: usual[p] for p in (".gitignore", ".github/workflows/lint.yml")}
    first = next(iter(found.exercises))
    made["README.md"] = (
        usual["README.md"].replace("spread", first).replace(" and the answers in `exercises/answers.yaml`", "")
    )
    for exercise in found.exercises.values():
        made[f"tests/hidden/{exercise.id}.py"] = suite(exercise)
        made[f"exercises/{exercise.id}.py"] = stub(exercise)
        made[f"solutions/{exercise.id}.py"] = exercise.solution
    code = "\n".join(text for path, text in made.items() if path.endswith(".py"))
    made["course.yaml"] = "\n".join(_settings(found, title, code)) + "\n"
    return made


def _settings(found: Found, title: str, code: str) -> Iterator[str]:
    imported = [name for name in packages.KNOWN if re.search(rf"^\s*(import|from) {name}\b", code, re.MULTILINE)]
    yield f"title: {json.dumps(title, ensure_ascii=False)}"
    yield "languages: [en]"
    yield f"arrays: {'torch' if re.search(r'^ *(import|from) torch', code, re.MULTILINE) else 'numpy'}"
    yield from [f"packages: [{', '.join(imported)}]"] if imported else []
    yield "feedback: full               # or hints for graded work, verdict for exams"
    yield "units:\n  - id: first\n    title: From tests\n    exercises:"
    for exercise in found.exercises.values():
        yield f"      - id: {exercise.id}\n        title: {exercise.id.replace('_', ' ').capitalize()}"
        yield f"        points: {len(exercise.tests)}\n        functions: [{', '.join(exercise.functions)}]"


def suite(exercise: FoundExercise) -> str:
    """Return the hidden suite."""
    names = dict[str, int]()
    checks = "\n\n\n".join(_check(test, asked, names) for test, asked in exercise.tests)
    definitions = ast.parse("\n".join(exercise.recorded.definitions.values())).body
    body = [ast.unparse(s) for s in needed(definitions, [ast.parse(checks)])]
    body += [
        f"{n.upper()}_MAY_BE_OFF = {_tolerance(n, *s)}" for n, s in exercise.allowed.items() if n in exercise.functions
    ]
    body += ["KNOWN = []  # no mistake is written down yet, see misconceptions(...)"]
    text = "\n".join([*body, checks])
    imports = [f"import {line}" for name, line in SHORT.items() if re.search(rf"\b{name}\.", text)]
    imports += [line for line in exercise.recorded.imports if re.search(rf"\b{line.split()[-1]}\.", text)]
    used = [name for name in ("exact", "points", "tolerance") if f"{name}(" in text]
    sources = ", ".join(dict.fromkeys(Path(test.path).name for test, _ in exercise.tests))
    head = [f'"""Hidden suite for {exercise.id}, from {sources}."""', "", *sorted({*imports}), ""]
    return "\n".join([*head, f"from grader.suites import {', '.join(used)}", "", *body]) + f"\n\n\n{checks}\n"


def _check(test: Test, asked: Sequence[RecordedCall], names: dict[str, int]) -> str:
    """Return the function of a check; its name is used once."""
    names[test.name] = names.get(test.name, 0) + 1
    name = test.name if names[test.name] == 1 else f"{test.name}_{names[test.name]}"
    lines = [line for a in asked for line in (*a.lines, a.untouched if test.minds else "") if line]
    probes = [probe for probe in PROBES if any(line.startswith(probe) for line in lines)]
    said = repr(test.title) if {*'"\\'} & {*test.title} else f'"""{test.title}"""'
    doubt = f"# The test accepts results {test.doubt} too; if those are right, ask with `student` and `expect`.\n"
    head = f"{doubt if test.doubt else ''}@points(1)\ndef {name}({', '.join(probes)}):"
    return "\n    ".join([head, said, *lines])


def _tolerance(function: str, rtol: float, atol: float) -> str:
    given = ", ".join(f"{k}={v!r}" for k, v in (("rtol", rtol), ("atol", atol)) if v)
    return f'tolerance("{function}", {given})' if given else f'exact("{function}")'


def stub(exercise: FoundExercise) -> str:
    """Return the file that students start from: the tested functions, without their bodies."""
    tree = ast.parse(exercise.solution)
    solved = {s.name: s for s in tree.body if isinstance(s, ast.FunctionDef) and s.name in exercise.functions}
    stubs = [_head(function) for function in solved.values()]
    imports = [s for s in tree.body if isinstance(s, ast.Import | ast.ImportFrom)]
    own = [s for s in tree.body if not isinstance(s, ast.FunctionDef | ast.ClassDef)]
    around = needed(own, [*stubs, *imports])
    around = [s for s in own if s in around or s in imports]
    title = ast.get_docstring(tree) or f"{exercise.id.replace('_', ' ').capitalize()}."
    parts = [f'"""{title}"""', "\n".join(map(ast.unparse, around)), *("\n" + ast.unparse(h) for h in stubs)]
    return "\n\n".join(p for p in parts if p) + "\n"


def _head(function: ast.FunctionDef) -> ast.FunctionDef:
    said = ast.get_docstring(function) or f"Say here what {function.name} does, and give an example."
    body = [ast.Expr(ast.Constant(said)), *ast.parse("raise NotImplementedError").body]
    new = ast.FunctionDef(function.name, function.args, body, [], function.returns, lineno=1)
    return ast.fix_missing_locations(new)


def _bound(node: ast.stmt) -> set[str]:
    """Return the names that a statement of a module defines."""
    if isinstance(node, Function | ast.ClassDef):
        return {node.name}
    if isinstance(node, ast.Import | ast.ImportFrom):
        return {(a.asname or a.name).partition(".")[0] for a in node.names}
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


def _used(nodes: Iterable[ast.AST]) -> set[str]:
    return {n.id for node in nodes for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}


def needed(statements: Sequence[ast.stmt], by: Iterable[ast.AST]) -> list[ast.stmt]:
    """Return the statements of a module that define what is read, and what they read in turn, in their order."""
    wanted, found = _used(by), set[int]()
    while new := [s for s in statements if id(s) not in found and _bound(s) & wanted]:
        found |= {id(s) for s in new}
        wanted |= _used(new)
    return [s for s in statements if id(s) in found]
