"""The course checks itself: files and signatures agree, stubs score 0, solutions score full, no text is missing."""

from __future__ import annotations

import ast
import contextlib
import itertools
import os
import secrets
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from grader import catalogues
from grader.authoring import answer_sheets, judgement, mistake_texts, student_copy
from grader.authoring.visible_examples import without_annotations
from grader.batch import AUTHORING, ForkServer, GradingPool, GradingProcess, kit_version
from grader.course import COMMON, Course, Exercise, file_name
from grader.errors import CourseError
from grader.intake import load
from grader.report import Report
from grader.sandbox.processes import DescribedQuestion, RunOptions, Texts
from grader.texts import Text

SEEDS = 2
REMEDY = (
    '; if that is rounding, the suite says how much is right: TOLERANCE = tolerance("f", rtol=...), or an '
    "@error_bound; `grader lint --suggest-bounds` measures it"
)
EXPERIMENT_SECONDS = 600.0  # for all questions
EVIDENCE_SECONDS = 3600.0  # for one exercise
BESIDE = {"exercises": {"answers.yaml"}, "solutions": {"answers.yaml", "ANSWERS.md"}, "tests/hidden": set[str]()}


def static_problems(course: Course) -> Iterator[str]:
    """Yield the problems that reading the files finds."""
    for folder, beside in BESIDE.items():
        described = {_file(folder, e) for e in course.described}
        if folder == "tests/hidden":
            described |= {f"{e.id}.yaml" for e in course.described}  # its texts
        there = {p.name for p in (course.root / folder).glob("*") if p.name not in ("__pycache__", "lib")}
        for stray in sorted(there - described - beside):
            yield f"{folder}/{stray}: belongs to no exercise of course.yaml"
        for name, needed_by in absent(course, folder).items():
            yield f"{folder}/{name}: missing; course.yaml has an exercise {needed_by!r}"
    for exercise in course.exercises:
        suite = f"tests/hidden/{exercise.id}.py"
        yield from _suite_problems(suite, _read(course.root / suite))
        if exercise.kind == "questions":
            continue
        stub, solution = course.stub(exercise.id), course.solution(exercise.id)
        if stub.is_file() and solution.is_file():
            yield from _signature_problems(course, exercise, _read(stub), _read(solution))


def absent(course: Course, folder: str) -> dict[str, str]:
    """Return the files that this folder lacks, in order, each with the first exercise that needs it."""
    needed = {_file(folder, e): e.id for e in reversed(course.exercises)}
    return {name: id for name, id in sorted(needed.items()) if not (course.root / folder / name).exists()}


def _suite_problems(file: str, suite: ast.Module | str) -> Iterator[str]:
    """Yield lines of a suite that Python runs without an effect; errors of syntax are found when it is imported."""
    first = dict[str, int]()
    for node in () if isinstance(suite, str) else suite.body:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            said = "what this line makes is thrown away; give it a name, LAWS for laws.all, that of a check with test_"
            yield f"{file}:{node.lineno}: {said}"
        named = [node] if isinstance(node, ast.FunctionDef) else node.targets if isinstance(node, ast.Assign) else []
        for name in (n.name if isinstance(n, ast.FunctionDef) else ast.unparse(n) for n in named):
            if name in first and (name.startswith("test_") or "laws.all(" in ast.unparse(node)):
                yield f"{file}:{node.lineno}: {name} takes the place of that of line {first[name]}; rename one of them"
            first.setdefault(name, node.lineno)


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
    if not ast.get_docstring(stub):
        yield f"exercises/{exercise.id}.py:1: the file needs a docstring that says what is to be done"
    stubs, solved = _definitions(stub), _definitions(solution)
    for name in exercise.functions:
        for folder, found in (("exercises", stubs), ("solutions", solved)):
            if name not in found:
                yield f"{folder}/{exercise.id}.py: does not define {name}, which course.yaml lists"
        if name in stubs and name in solved:
            if _signature(stubs[name]) != _signature(solved[name]):
                said = f"{_signature(stubs[name])} has another signature than the solution's"
                yield f"exercises/{exercise.id}.py:{stubs[name].lineno}: {said} {_signature(solved[name])}"
            if not ast.get_docstring(stubs[name]):
                yield f"exercises/{exercise.id}.py:{stubs[name].lineno}: {name} needs a docstring"


def _definitions(module: ast.Module) -> dict[str, ast.FunctionDef | ast.ClassDef]:
    return {n.name: n for n in module.body if isinstance(n, ast.FunctionDef | ast.ClassDef)}


def _signature(node: ast.FunctionDef | ast.ClassDef) -> str:
    """Return the signature as callers use it: annotations make no difference."""
    if isinstance(node, ast.ClassDef):
        return node.name
    return f"{node.name}({ast.unparse(without_annotations(node.args))})"


def dynamic_problems(course: Course, fork_server: ForkServer) -> Iterator[str]:
    """Yield the problems that running the course finds, if all files are there to be run."""
    if any(absent(course, folder) for folder in BESIDE):
        return
    try:
        with _spread(course, fork_server) as (pool, threads):
            yield from _running_problems(course, pool, threads)
    except CourseError as error:  # a finding like the others
        yield str(error)


@contextlib.contextmanager
def _spread(
    course: Course, fork_server: ForkServer, device: str = "auto"
) -> Iterator[tuple[GradingPool, ThreadPoolExecutor]]:
    """Open a grading process for each core, and as many threads to ask them from."""
    jobs = os.cpu_count() or 1
    pool = GradingPool(fork_server, course, RunOptions(device=device, kit=kit_version()), jobs)
    with contextlib.closing(pool), ThreadPoolExecutor(jobs) as threads:
        yield pool, threads


def _running_problems(course: Course, pool: GradingPool, threads: ThreadPoolExecutor) -> Iterator[str]:
    inventory, questions = pool.ask(_inventory)
    for exercise in course.exercises:
        found = inventory[exercise.id]
        for name, text in (*found.titles.items(), *found.misconceptions.items()):
            if not text:
                place = "in its docstring" if name in found.titles else f"in {exercise.id}.yaml or its docstring"
                place = "" if exercise.kind == "questions" else f", {place}"
                yield f"tests/hidden/{exercise.id}.py: {name} needs a text{place}"
    with_suites = [e.id for e in course.exercises if e.kind != "questions"]
    yield from mistake_texts.problems(course, {id: inventory[id].misconceptions for id in with_suites})
    yield from _untranslated(course, list(_said(course, inventory, questions)))
    if questions:
        for path, written in answer_sheets.generated(course, questions).items():
            if not path.is_file() or path.read_text(encoding="utf-8") != written:
                yield f"{path.relative_to(course.root)}: not what the experiments write; run `grader answers --write`"
    yield from _of_each("flaws", course, pool, threads)
    units = tuple(unit.id for unit in course.settings.units)
    kind = dict[str, dict[str, str]]
    lessons = pool.ask(lambda process: process.ask(f"{AUTHORING}:lessons", kind, EXPERIMENT_SECONDS, units))
    if any(lessons.values()):
        yield from (f"lessons/{unit}.*.md: there is no lesson of this unit" for unit in units if not lessons[unit])
    yield from _wrong_scores(course, pool, threads)


def _of_each(function: str, course: Course, pool: GradingPool, threads: ThreadPoolExecutor) -> Iterator[str]:
    """Yield the sentences that a function of `service` has on each exercise, in the course's order."""

    def said(id: str) -> list[str]:
        return pool.ask(lambda process: process.ask(f"{AUTHORING}:{function}", list[str], EVIDENCE_SECONDS, id))

    ids = [exercise.id for exercise in course.exercises if exercise.kind == "code"]
    return itertools.chain.from_iterable(threads.map(said, ids))


def sentences(course: Course, fork_server: ForkServer) -> list[Text]:
    """Return every sentence of the course that a student reads."""
    process = fork_server.grading_process(course, RunOptions(kit=kit_version()))
    return list(_said(course, *_inventory(process)))


def _inventory(process: GradingProcess) -> tuple[dict[str, Texts], dict[str, list[DescribedQuestion]]]:
    """Return the texts of all exercises, and the questions with their keys."""
    inventory = process.ask(f"{AUTHORING}:texts", dict[str, Texts], 60)
    kind = dict[str, list[DescribedQuestion]]
    return inventory, process.ask(f"{AUTHORING}:questions", kind, EXPERIMENT_SECONDS, COMMON)


def _said(course: Course, inventory: Mapping[str, Texts], questions: student_copy.Questions) -> Iterator[Text]:
    """Yield the sentences of a course's copy, then the names of checks, mistakes and evidence."""
    yield from student_copy.said(course, course.settings.units, questions)
    for texts in inventory.values():
        yield from (*texts.titles.values(), *texts.misconceptions.values())
    for question in itertools.chain.from_iterable(questions.values()):
        yield from (*question.rubric, *(caption for caption, _ in question.shown))
        for _, message in question.wrong_answers:
            yield message
            yield from [Text(message.hint)] if message.hint else []


def lacking(course: Course, said: Sequence[Text], lang: str) -> list[tuple[str, str]]:
    """Return the course's sentences without a translation into this language; each with its plural or ""."""
    own = [(text.key, text.plural) for text in said if text.words]
    return [] if lang == course.settings.languages[0] else catalogues.lacking(lang, own)


def _untranslated(course: Course, said: Sequence[Text]) -> Iterator[str]:
    """Say for each language how many sentences a student would meet in another one, and quote the first of them."""
    size = len({t.key for t in said if t.words})
    for lang in course.settings.languages:
        if found := lacking(course, said, lang):
            shown = " ".join(found[0][0].split())[:60]
            count = f"{len(found)} of {size} sentences of the course"
            remedy = f"`grader lint --catalogue {lang}` prints them"
            yield f"languages/{lang}.po: {count} are not translated, such as {shown!r}; {remedy}"


def _wrong_scores(course: Course, pool: GradingPool, threads: ThreadPoolExecutor) -> Iterator[str]:
    """Yield solutions that do not score full, and stubs that score."""
    said = set[tuple[str, Text | None]]()
    solutions, seeds = load(course.root / "solutions", course), [secrets.randbelow(1 << 31) for _ in range(SEEDS)]

    def proven(seed: int) -> Report:
        by = f"{AUTHORING}:proven"
        return Report.from_json(pool.ask(lambda process: process.grade(solutions, "", seed, by=by)))

    stubs = threads.submit(pool.grade, load(course.root / "exercises", course), "", 0)
    for seed, solved in zip(seeds, threads.map(proven, seeds), strict=True):
        for result in solved.exercises:
            if not result.done or result.score != result.max_score:
                if (result.id, result.reason) in said:  # as under the seed before
                    continue
                said.add((result.id, result.reason))
                got = f"{result.score:g} of {result.max_score:g}"
                chief = result.chief_check
                remedy = REMEDY if chief and chief.picture else ""
                file = _file("solutions", course.exercise(result.id))
                why = result.reason.to("en") if result.reason else result.status
                yield f"solutions/{file}: {got} at seed {seed}: {why}{remedy}"
    for result in Report.from_json(stubs.result()).exercises:
        if result.score:
            yield f"exercises/{_file('exercises', course.exercise(result.id))}: the stub scores {result.score:g}"


def suggested_bounds(course: Course, fork_server: ForkServer) -> Iterator[str]:
    """Measure how far each function's results may be off."""
    with _spread(course, fork_server, "cpu") as (pool, threads):
        yield from _of_each("bounds", course, pool, threads)


def evidence(
    course: Course, fork_server: ForkServer, exercises: Sequence[str], seeds: int
) -> Iterator[judgement.SuiteEvidence]:
    """Yield the figures of these exercises, under the seeds from 1 to `seeds`."""
    asked, tried = f"{AUTHORING}:evidence", [*range(1, seeds + 1)]

    def gathered(exercise: str) -> judgement.SuiteEvidence:
        return pool.ask(lambda process: process.ask(asked, judgement.SuiteEvidence, EVIDENCE_SECONDS, exercise, tried))

    with _spread(course, fork_server, "cpu") as (pool, threads):
        yield from threads.map(gathered, exercises)
