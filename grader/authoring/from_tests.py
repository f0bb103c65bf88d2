"""A course made of a teacher's pytest tests: one exercise for each module that they test."""

from __future__ import annotations

import ast
import dataclasses
import json
from collections.abc import Iterator
from pathlib import Path

from grader.authoring import new_course
from grader.authoring.pytest_bodies import Check, Untranslatable
from grader.authoring.pytest_checks import translated_test
from grader.authoring.pytest_files import PytestFile, found_in, names_bound, needed
from grader.errors import CourseError

IMPORTED = ("exact", "expect", "points", "tolerance")


@dataclasses.dataclass
class Exercise:
    """The checks of one module, the statements that they need, and what is known of the solution."""

    id: str
    checks: list[Check] = dataclasses.field(default_factory=list)
    kept: list[ast.stmt] = dataclasses.field(default_factory=list)
    files: list[str] = dataclasses.field(default_factory=list)
    solution: str = ""

    @property
    def functions(self) -> list[str]:
        return list(dict.fromkeys(name for check in self.checks for name, _ in check.calls))


@dataclasses.dataclass
class Found:
    """What was made of a folder of tests, with a line for each test that could not be translated."""

    exercises: dict[str, Exercise] = dataclasses.field(default_factory=dict)
    refused: list[str] = dataclasses.field(default_factory=list)

    @property
    def checks(self) -> int:
        return sum(len(e.checks) for e in self.exercises.values())


def read(tests_at: Path, solutions: Path | None) -> Found:
    """Translate the tests of a folder or a file; none of them is run.

    Raises:
        CourseError: there is none, or no check came of it.
    """
    paths = [tests_at] if tests_at.is_file() else sorted({*tests_at.rglob("test_*.py"), *tests_at.rglob("*_test.py")})
    if not paths:
        raise CourseError(f"{tests_at}: holds no test_*.py and no *_test.py")
    if solutions and not solutions.is_dir():
        raise CourseError(f"{solutions}: no such folder; --solutions names the one that holds the solved modules")
    found = Found()
    for path in paths:
        tree, shared = _parsed(path), path.with_name("conftest.py")
        if shared.is_file():
            tree.body = [*_parsed(shared).body, *tree.body]
        _translate(PytestFile(path, tree), found)
    if not found.exercises:
        raise CourseError("\n".join([*found.refused, f"{tests_at}: no test could be translated; nothing was written"]))
    for exercise in found.exercises.values():
        exercise.solution = _solution(solutions, exercise.id)
    return found


def _parsed(path: Path) -> ast.Module:
    try:
        return ast.parse(path.read_text(encoding="utf-8"), path.name)
    except (SyntaxError, ValueError, OSError) as error:
        raise CourseError(f"{path}: cannot be read as Python: {error}") from error


def _translate(file: PytestFile, found: Found) -> None:
    for test, inside in found_in(file.tree):
        try:
            check = translated_test(file, test, inside)
            exercise = found.exercises.get(check.module, Exercise(check.module))
            kept = _kept(file, check, exercise)
        except Untranslatable as error:
            found.refused.append(f"{file.path}:{test.lineno}: {test.name}: {error}")
            continue
        found.exercises[check.module] = exercise
        names = {c.name for c in exercise.checks}
        check.name = next(n for n in (check.name, *(f"{check.name}_{i}" for i in range(2, 999))) if n not in names)
        exercise.kept += kept
        exercise.checks.append(check)
        if file.path.name not in exercise.files:
            exercise.files.append(file.path.name)


def _kept(file: PytestFile, check: Check, exercise: Exercise) -> list[ast.stmt]:
    """What a check needs of its file, where the suite does not hold it yet."""
    before = {name: ast.unparse(s) for s in exercise.kept for name in names_bound(s)}
    new = []
    for statement in needed(file.module_level, check.body):
        said = {before.get(name) for name in names_bound(statement)}
        if said - {None, ast.unparse(statement)} or names_bound(statement) & {*IMPORTED, *check.fixtures}:
            raise Untranslatable(f"needs a {min(names_bound(statement))} that is another one elsewhere; rename it")
        if None in said:
            new.append(statement)
    return new


def _solution(folder: Path | None, module: str) -> str:
    path = folder and next(iter(sorted(folder.rglob(f"{module}.py"))), None)
    return path.read_text(encoding="utf-8") if path else ""


def files(found: Found, title: str) -> dict[str, str]:
    """The files of the course, by their paths."""
    usual = new_course.files(title)
    made = {p: usual[p] for p in (".gitignore", ".github/workflows/lint.yml")}
    first = next(iter(found.exercises))
    made["README.md"] = (
        usual["README.md"].replace("spread", first).replace(" and the answers in `exercises/answers.yaml`", "")
    )
    made["course.yaml"] = "\n".join(_settings(found, title)) + "\n"
    for exercise in found.exercises.values():
        made[f"tests/hidden/{exercise.id}.py"] = suite(exercise)
        made[f"exercises/{exercise.id}.py"] = stub(exercise)
        made[f"solutions/{exercise.id}.py"] = exercise.solution or stub(exercise)
    return made


def _settings(found: Found, title: str) -> Iterator[str]:
    yield f"title: {json.dumps(title, ensure_ascii=False)}"
    yield "languages: [en]"
    yield f"arrays: {'torch' if any(map(_of_torch, found.exercises.values())) else 'numpy'}"
    yield "feedback: full               # or hints for graded work, verdict for exams"
    yield "units:\n  - id: first\n    title: From tests\n    exercises:"
    for exercise in found.exercises.values():
        yield f"      - id: {exercise.id}\n        title: {exercise.id.replace('_', ' ').capitalize()}"
        yield f"        points: {len(exercise.checks)}\n        functions: [{', '.join(exercise.functions)}]"


def _of_torch(exercise: Exercise) -> bool:
    return "import torch" in exercise.solution or any("torch" in ast.unparse(s) for s in exercise.kept)


def suite(exercise: Exercise) -> str:
    """The hidden suite."""
    allowed: dict[str, tuple[float, float]] = {}
    for check in exercise.checks:
        for name, (rtol, atol) in check.allowed.items():
            allowed[name] = max(rtol, allowed.get(name, (0, 0))[0]), max(atol, allowed.get(name, (0, 0))[1])
    imports = [s for s in exercise.kept if isinstance(s, ast.Import | ast.ImportFrom)]
    body = [ast.unparse(s) for s in exercise.kept if s not in imports]
    body += [f"{name.upper()}_MAY_BE_OFF = {_tolerance(name, *sizes)}" for name, sizes in allowed.items()]
    body += ["KNOWN = []  # no mistake is written down yet, see misconceptions(...)"]
    checks = "\n\n\n".join(map(_written, exercise.checks))
    used = [name for name in IMPORTED if f"{name}(" in "\n".join([checks, *body])]
    head = [f'"""Hidden suite for {exercise.id}, from {", ".join(exercise.files)}."""', ""]
    head += sorted({"import numpy as np", *map(ast.unparse, imports)})
    head += ["", f"from grader.suites import {', '.join(used)}", ""]
    return "\n".join([*head, *body]) + f"\n\n\n{checks}\n"


def _tolerance(function: str, rtol: float, atol: float) -> str:
    given = ", ".join(f"{k}={v!r}" for k, v in (("rtol", rtol), ("atol", atol)) if v)
    return f'tolerance("{function}", {given})' if given else f'exact("{function}")'


def _written(check: Check) -> str:
    head = f"@points(1)\ndef {check.name}({', '.join(sorted(check.fixtures - {'expect'}))}): pass"
    function = ast.parse(head).body[0]
    assert isinstance(function, ast.FunctionDef)
    function.body = [ast.Expr(ast.Constant(check.title)), *check.body]
    return ast.unparse(ast.fix_missing_locations(function))


def stub(exercise: Exercise) -> str:
    """What students start from: the functions that are tested, without their bodies."""
    tree = ast.parse(exercise.solution)
    solved = {s.name: s for s in tree.body if isinstance(s, ast.FunctionDef) and s.name in exercise.functions}
    stubs = [_head(solved.get(name) or _guessed(exercise, name)) for name in exercise.functions]
    imports = [s for s in tree.body if isinstance(s, ast.Import | ast.ImportFrom)]
    own = [s for s in tree.body if not isinstance(s, ast.FunctionDef | ast.ClassDef)]
    around = needed(own, [*stubs, *imports])
    around = [s for s in own if s in around or s in imports]
    title = ast.get_docstring(tree) or f"{exercise.id.replace('_', ' ').capitalize()}."
    parts = [f'"""{title}"""', "\n".join(map(ast.unparse, around)), *("\n" + ast.unparse(h) for h in stubs)]
    return "\n\n".join(p for p in parts if p) + "\n"


def _head(function: ast.FunctionDef) -> ast.FunctionDef:
    said = ast.get_docstring(function) or f"Say here what {function.name} does, and give an example."
    new = ast.parse(f"def {function.name}(): raise NotImplementedError").body[0]
    assert isinstance(new, ast.FunctionDef)
    new.args, new.returns, new.body = function.args, function.returns, [ast.Expr(ast.Constant(said)), *new.body]
    return ast.fix_missing_locations(new)


def _guessed(exercise: Exercise, name: str) -> ast.FunctionDef:
    """The signature, as the tests call it."""
    calls = [call for check in exercise.checks for called, call in check.calls if called == name]
    longest = max(calls, key=lambda call: len(call.args)).args
    given = [a.id if isinstance(a, ast.Name) else f"x{i}" for i, a in enumerate(longest, 1)]
    given = [g if given.count(g) == 1 else f"x{i}" for i, g in enumerate(given, 1)]
    least = min(len(call.args) for call in calls)
    keywords = list(dict.fromkeys(k.arg for call in calls for k in call.keywords if k.arg and k.arg not in given))
    said = [g if i < least else f"{g}=None" for i, g in enumerate(given)] + [f"{k}=None" for k in keywords]
    guessed = ast.parse(f"def {name}({', '.join(said)}): pass").body[0]
    assert isinstance(guessed, ast.FunctionDef)
    return guessed
