"""`make mutants`: each solution, changed in one place, must fail its hidden suite.

cosmic-ray and mutmut say where a change can be made and make it; both, because one knows operators and numbers, the
other arguments and keywords. Where a solution of one line offers little to change, right solutions of other kinds are
changed too. What passes all the same is listed in mutants.yaml: with a reason under `equivalent`,
where someone has seen that no check could or should tell, else under `survived`. Mutants that cannot be imported are
left out; one that hangs or dies is killed.
"""

from __future__ import annotations

import ast
import difflib
import multiprocessing
import resource
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cosmic_ray.mutating
import cosmic_ray.plugins
import torch
import yaml
from mutmut.mutation.file_mutation import create_mutations, deep_replace

from grader.authoring import judgement
from grader.course import Course
from grader.course import course as courses
from grader.sandbox.worker import load
from grader.suites.local import LocalTarget
from grader.suites.runner import Suites

SEED = 1
SECONDS = 20.0
MEMORY = 6 << 30
FEWEST = 20


def changed(course: Course, exercise: str) -> dict[str, str]:
    """The mutants of the solution; while they are fewer than FEWEST, those of one alternative after the other too."""
    alternatives = sorted((course.root / judgement.ALTERNATIVES / exercise).glob("*.py"))
    found: dict[str, str] = {}
    for path in (course.solution(exercise), *alternatives):
        if len(found) < FEWEST:
            found |= mutants(path.read_text(encoding="utf-8"), exercise)
    return found


def mutants(source: str, name: str) -> dict[str, str]:
    """Each changed source that means something else, by the change: "line before -> line after"."""
    found: dict[str, str] = {}
    seen = {_meaning(source)}
    for changed in [*_by_cosmic_ray(source), *_by_mutmut(source, name)]:
        meaning = _meaning(changed)
        if meaning is not None and meaning not in seen:
            seen.add(meaning)
            found[_change(source, changed)] = changed
    return found


def _by_cosmic_ray(source: str) -> Iterator[str]:
    for name in sorted(cosmic_ray.plugins.operator_names()):
        try:
            operator = cosmic_ray.plugins.get_operator(name)()
        except TypeError:
            continue  # one that wants to be told which variable to replace
        position = 0
        while (changed := cosmic_ray.mutating.mutate_code(source, operator, position)) is not None:
            yield changed
            position += 1


def _by_mutmut(source: str, name: str) -> Iterator[str]:
    module, mutations, *_ = create_mutations(name, source)
    for mutation in mutations:
        yield deep_replace(module, mutation.original_node, mutation.mutated_node).code


def _meaning(source: str) -> str | None:
    try:
        return ast.dump(ast.parse(source))
    except SyntaxError:
        return None


def _change(source: str, changed: str) -> str:
    lines = difflib.ndiff(source.splitlines(), changed.splitlines())
    sides: dict[str, list[str]] = {"-": [], "+": []}
    for line in lines:
        if line[0] in sides:
            sides[line[0]].append(" ".join(line[2:].partition("  #")[0].split()))
    return " ; ".join(sides["-"]) + " -> " + " ; ".join(sides["+"])


def passes(suites: Suites, exercise: str, source: str) -> bool | None:
    """Whether no check finds anything; None if the source cannot be imported. In a process of its own."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_judge, args=(suites, exercise, source, theirs), daemon=True)
    process.start()
    theirs.close()
    try:
        verdict: bool | None = ours.recv() if ours.poll(SECONDS) else False
    except EOFError:
        verdict = False
    process.kill()
    process.join()
    return verdict


def _judge(suites: Suites, exercise: str, source: str, out: Any) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    try:
        functions = load(source, exercise)
    except Exception:
        out.send(None)
        return
    out.send(all(r.verdict in ("passed", "skipped") for r in suites.run(exercise, LocalTarget(functions), SEED)))


def main(only: list[str]) -> int:
    """All exercises, or those of `only`; what is known of the others stays."""
    torch.set_num_threads(1)
    course = courses.load(Path(__file__).resolve().parents[2])
    path = course.root / judgement.MUTANTS
    before = yaml.safe_load(path.read_text(encoding="utf-8")) if path.is_file() else {}
    ids = [e.id for e in course.exercises if e.kind == "code"]
    result: dict[str, Any] = {i: before[i] for i in ids if i in before}
    for exercise in only or ids:
        suites = Suites({exercise: course.suite(exercise)}, {exercise: course.solution(exercise)})
        list(suites.run(exercise, LocalTarget(suites[exercise].reference), SEED))  # what all forks will share
        verdicts = {change: passes(suites, exercise, source) for change, source in changed(course, exercise).items()}
        alive = [change for change, verdict in verdicts.items() if verdict]
        reasons = {m["mutant"]: m["reason"] for m in before.get(exercise, {}).get("equivalent", [])}
        result[exercise] = {
            "killed": sum(verdict is False for verdict in verdicts.values()),
            "equivalent": [{"mutant": change, "reason": reasons[change]} for change in alive if change in reasons],
            "survived": [change for change in alive if change not in reasons],
        }
        print(
            exercise, {key: found if isinstance(found, int) else len(found) for key, found in result[exercise].items()}
        )
        for change in result[exercise]["survived"]:
            print("  survived:", change)
    result = {i: result[i] for i in ids if i in result}
    written = yaml.safe_dump(result, sort_keys=False, allow_unicode=True, width=1000)
    path.write_text("# Written by `make mutants`; only the reasons are by hand.\n" + written, encoding="utf-8")
    return 1 if any(found["survived"] for found in result.values()) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
