"""The course checks itself: files and signatures agree, stubs score 0, solutions score full, texts are bilingual."""

from __future__ import annotations

import ast
import os
import queue
import secrets
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from grader import answer_sheet, judgement
from grader.course import COMMON, Course, Exercise, file_name
from grader.errors import CourseError
from grader.lanes import Lane, Warm
from grader.report import Report
from grader.submission import load
from grader.words import Text, both

SEEDS = 3
EXPERIMENT_SECONDS = 600.0  # for all questions
EVIDENCE_SECONDS = 3600.0  # for one exercise
BESIDE = {"exercises": {"answers.yaml"}, "solutions": {"answers.yaml", "ANSWERS.md"}, "tests/hidden": set[str]()}


def static_problems(course: Course) -> Iterator[str]:
    """What reading the files finds."""
    for folder, beside in BESIDE.items():
        needed = {_file(folder, e): e.id for e in reversed(course.exercises)}
        described = {_file(folder, e) for e in course.described}
        there = {p.name for p in (course.root / folder).glob("*") if p.name != "__pycache__"}
        for stray in sorted(there - described - beside):
            yield f"{folder}/{stray}: belongs to no exercise of course.yaml"
        for absent in sorted(set(needed) - there):
            yield f"{folder}/{absent}: missing; course.yaml has an exercise {needed[absent]!r}"
    for exercise in course.exercises:
        if exercise.kind == "questions":
            continue
        stub, solution = course.stub(exercise.id), course.solution(exercise.id)
        if stub.is_file() and solution.is_file():
            yield from _signature_problems(course, exercise, _read(stub), _read(solution))


def _file(folder: str, exercise: Exercise) -> str:
    return f"{exercise.id}.py" if folder == "tests/hidden" else file_name(exercise.source)


def _read(path: Path) -> ast.Module | str:
    try:
        return ast.parse(path.read_text(encoding="utf-8"), path.name)
    except (SyntaxError, UnicodeDecodeError, OSError) as error:
        return str(error)


def _signature_problems(
    course: Course, exercise: Exercise, stub: ast.Module | str, solution: ast.Module | str
) -> Iterator[str]:
    for folder, module in (("exercises", stub), ("solutions", solution)):
        if isinstance(module, str):
            yield f"{folder}/{exercise.id}.py: {module}"
    if isinstance(stub, str) or isinstance(solution, str):
        return
    if not complete(both(ast.get_docstring(stub))):
        yield f"exercises/{exercise.id}.py:1: the docstring needs an English and a Chinese paragraph"
    stubs, solved = _definitions(stub), _definitions(solution)
    for name in exercise.functions:
        for folder, found in (("exercises", stubs), ("solutions", solved)):
            if name not in found:
                yield f"{folder}/{exercise.id}.py: does not define {name}, which course.yaml lists"
        if name in stubs and name in solved:
            if _signature(stubs[name]) != _signature(solved[name]):
                yield f"exercises/{exercise.id}.py:{stubs[name].lineno}: {name} has another signature than the solution"
            if not complete(both(ast.get_docstring(stubs[name]))):
                line = stubs[name].lineno
                yield f"exercises/{exercise.id}.py:{line}: {name}'s docstring needs an English and a Chinese paragraph"


def _definitions(module: ast.Module) -> dict[str, ast.FunctionDef | ast.ClassDef]:
    return {n.name: n for n in module.body if isinstance(n, ast.FunctionDef | ast.ClassDef)}


def _signature(node: ast.FunctionDef | ast.ClassDef) -> str:
    return ast.dump(node.args) if isinstance(node, ast.FunctionDef) else node.name


def complete(text: Text) -> bool:
    return all(part.strip() for part in text)


def dynamic_problems(course: Course, warm: Warm, kit: str) -> Iterator[str]:
    """What running the course finds."""
    try:
        yield from _running_problems(course, warm, kit)
    except CourseError as error:  # a finding like the others
        yield str(error)


def _running_problems(course: Course, warm: Warm, kit: str) -> Iterator[str]:
    lane = warm.lane(course, {"lang": "en", "device": "auto", "only": [], "kit": kit})
    inventory = lane.ask({"op": "inventory"}, 60)
    for exercise in course.exercises:
        found = inventory.get(exercise.id, {"points": 0, "titles": {}, "texts": {}})
        if abs(found["points"] - exercise.points) > 1e-6:
            sum_, want = f"{found['points']:g}", f"{exercise.points:g}"
            yield f"tests/hidden/{exercise.id}.py: its checks sum to {sum_} points, not {want}"
        for kind in ("titles", "misconceptions"):
            for name, text in found.get(kind, {}).items():
                if not complete(Text(*text)):
                    yield f"tests/hidden/{exercise.id}.py: {name} needs a docstring in English and Chinese"
    if answer_sheet.asked(course):
        questions = lane.ask({"op": "questions", "variant": COMMON}, EXPERIMENT_SECONDS)
        for path, text in answer_sheet.generated(course, questions).items():
            if not path.is_file() or path.read_text(encoding="utf-8") != text:
                yield f"{path.relative_to(course.root)}: not what the experiments write; run `grader answers --write`"
    ids, kilobytes = course.sources, course.settings.limits.source_kb
    for seed in (secrets.randbelow(1 << 31) for _ in range(SEEDS)):
        solved = Report.from_json(lane.grade(load(course.root / "solutions", ids, kilobytes), "", seed))
        for result in solved.exercises:
            if result.status != "passed" or result.score != result.max_score:
                got = f"{result.score:g} of {result.max_score:g}"
                yield f"solutions/{result.id}.py: {got} at seed {seed}: {result.reason}"
    empty = Report.from_json(lane.grade(load(course.root / "exercises", ids, kilobytes), "", 0))
    for result in empty.exercises:
        if result.score:
            yield f"exercises/{result.id}.py: the stub scores {result.score:g}"


def evidence(course: Course, warm: Warm, kit: str, seeds: int) -> Iterator[judgement.Evidence]:
    """Each exercise's figures: misconceptions under SEEDS seeds, right solutions under `seeds`, all from 1 up."""
    options = {"lang": "en", "device": "cpu", "only": [], "kit": kit}
    lanes: queue.SimpleQueue[Lane] = queue.SimpleQueue()
    jobs = os.cpu_count() or 1
    for _ in range(jobs):
        lanes.put(warm.lane(course, options))

    def gathered(exercise: str) -> judgement.Evidence:
        folder = course.root / judgement.ALTERNATIVES / exercise
        tried = {"replays": list(range(1, SEEDS + 1)), "seeds": list(range(1, seeds + 1))}
        request = {"op": "evidence", "exercise": exercise, "alternatives": str(folder), **tried}
        lane = lanes.get()
        try:
            return judgement.Evidence.from_json(lane.ask(request, EVIDENCE_SECONDS))
        finally:
            lanes.put(lane)

    with ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(gathered, [e.id for e in course.exercises if e.kind == "code"])
