"""`grader lint`: checks whether the course is sound."""

from __future__ import annotations

import contextlib
import dataclasses
from typing import Annotated

from grader import catalogues
from grader.cli import common
from grader.cli.common import option
from grader.course import course as courses
from grader.errors import CourseError

EVIDENCE = (
    "measure the suites and write docs/judgement.md; changed: only exercises whose files have changed; "
    "of one exercise, print each misconception and each right solution, too"
)
BOUNDS = "only measure how far correct results differ, and suggest tolerances"
CATALOGUE = "print the sentences that are not translated into this language, as a gettext catalogue to fill in"


@dataclasses.dataclass(frozen=True)
class LintOptions(common.Options):
    """The options of `grader lint`."""

    evidence: Annotated[str | None, option(EVIDENCE, "all|changed|EXERCISE", nargs="?", const="all")]
    suggest_bounds: Annotated[bool, option(BOUNDS)]
    seeds: Annotated[int, option("the number of seeds that --evidence tries (default: 5)", "N", default=5)]
    catalogue: Annotated[str | None, option(CATALOGUE, "CODE")]


@common.command("lint", "Check that the course is sound.", "grader lint")
def run_lint(options: LintOptions) -> int:
    with contextlib.closing(common.start_fork_server(options.course)) as fork_server:
        from grader.authoring import judgement, judgement_page, lint

        course = courses.find(options.course)
        if options.catalogue:
            found = lint.lacking(course, lint.sentences(course, fork_server), options.catalogue)
            kits = [] if options.catalogue in catalogues.BUILT_IN else catalogues.of_the_kit()
            print(catalogues.blank(options.catalogue, [*found, *catalogues.lacking(options.catalogue, kits)]), end="")
            return 0
        if options.suggest_bounds:
            print(*lint.suggested_bounds(course, fork_server), sep="\n")
            return 0
        problems = [*lint.static_problems(course), *lint.dynamic_problems(course, fork_server)]
        if options.evidence:
            engine, inputs = judgement.engine(), judgement.inputs(course)
            measured = judgement_page.to_measure(options.evidence, course, inputs)
            figures: list[judgement.SuiteEvidence] = []
            page = judgement_page.publish(course, figures, inputs, engine)
            for one in lint.evidence(course, fork_server, measured, options.seeds):
                figures.append(one)
                judgement_page.publish(course, figures, inputs, engine)  # at once: all take an hour
            problems += [*judgement.weak_points(figures), *judgement.holes(figures)]
            print(f"wrote {page}, exercises measured: {', '.join(measured) or 'none'}")
            if options.evidence not in ("all", "changed"):
                print(*judgement_page.details(figures[0]), sep="\n")
    for problem in problems:
        print(problem)
    for lang in course.settings.languages:
        with contextlib.suppress(CourseError):  # a damaged catalogue is one of the problems
            if said := catalogues.how_much(lang):
                print(said)
    print(f"{len(course.exercises)} exercises, {len(problems)} problems")
    return 1 if problems else 0
