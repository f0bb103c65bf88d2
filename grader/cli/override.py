"""`grader override`: a teacher's decisions about points, for one student or for all who made a mistake."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from grader.cli import common
from grader.cli.common import option
from grader.cli.report import called, left_out
from grader.course import Course
from grader.course import course as courses
from grader.desk import Effect, moved, sensible, written_anew
from grader.errors import CourseError
from grader.report import Decision, Record, Report, class_tally, decisions, graded_with, record
from grader.report.report import report_name
from grader.texts import one_line

EXAMPLE = """\
grader override results --student s04_dina --exercise EXERCISE --points 8 --reason "right but for its name"
grader override results --exercise EXERCISE --mistake adds_instead --points 2 --reason "a slip" --dry-run
grader override results --exercise EXERCISE --check test_values --reason "The sheet did not ask for it."
grader override results --undo 1
grader override results"""
NAMED = 40  # lines of what changes


@dataclasses.dataclass(frozen=True)
class OverrideOptions(common.Options):
    """The options of `grader override`."""

    results: Annotated[Path, common.name("RESULTS", "the folder that `grader grade` wrote")]
    student: Annotated[str | None, option("the student whose points change: id, name or e-mail", "WHO")]
    exercise: Annotated[str | None, option("the exercise whose points change", "ID")]
    mistake: Annotated[str | None, option("the mistake whose cost changes for all who made it", "ID")]
    check: Annotated[str | None, option("the check that counts for nobody any more", "ID")]
    group: Annotated[str | None, option("those who fail alike; --mistake names it, --reason explains it", "ID")]
    points: Annotated[
        float | None, option("the points to give, or to take off; without it, the reason is a comment", "N")
    ]
    reason: Annotated[str | None, option("the reason, which students read too", "TEXT")]
    undo: Annotated[int | None, option("take back the decision with this number", "NUMBER")]
    by: Annotated[str | None, option("the person who decides (default: your user name)", "NAME")]
    dry_run: Annotated[bool, option("show what would change, and change nothing")]


@common.command(
    "override",
    "Decide about points: of one student, of a mistake, of a check; without options, list what was decided.",
    EXAMPLE,
)
def run_override(options: OverrideOptions) -> int:
    course = courses.find(options.course)
    folder = common.reports_in(options.results)
    found = list(class_tally.reports(folder))
    reports = [report for _, report in found if isinstance(report, Report)]
    before = record.read(options.results)
    decision = wanted(options, course, reports)
    if decision is None:
        listed(before, reports)
        list_unnamed(course, reports)
    else:
        decide(options, course, Effect.of(sensible(decision, reports, before), reports, before))
    return left_out(folder, [(f"{name}.json", report) for name, report in found if isinstance(report, str)])


def wanted(options: OverrideOptions, course: Course, reports: Sequence[Report]) -> Decision | None:
    """Return the decision that the options ask for, or None. Raises CourseError if the options make no sense."""
    about = (options.student, options.mistake, options.check, options.group)
    given = (*about, options.exercise, options.points, options.reason)
    if options.undo is not None:
        if any(value is not None for value in given):
            raise CourseError("--undo stands alone; it takes back what was decided")
        return Decision("", "", undoes=options.undo, who=options.by or "")
    if all(value is None for value in given):
        return None
    if options.group is not None and options.mistake is None:
        raise CourseError("missing --mistake: what is it called? --reason says it in a sentence that students read")
    if sum(value is not None for value in about) - (options.group is not None) != 1:
        raise CourseError("name one of --student, --mistake and --check: whose points, or what all have in common")
    if options.exercise is None or not (options.reason or "").strip():
        missing = "--exercise: which exercise is it about?" if options.exercise is None else "--reason: why? It is kept"
        raise CourseError(f"missing {missing}")
    if options.check is not None and options.points is not None:
        raise CourseError("--points: a check that is taken out gives nobody points")
    if options.mistake is not None and options.group is None and options.points is None:
        raise CourseError("missing --points: what does the mistake cost?")
    student = ""
    if options.student is not None:
        people = graded_with.read(options.results).people
        student = called(options.student, [r.student for r in reports], people, options.results)
    return Decision(
        course.exercise(options.exercise).id, str(options.reason), student, options.mistake or "", options.points,
        who=options.by or "", without=options.check or "", alike=options.group or "",
    )  # fmt: skip


def decide(options: OverrideOptions, course: Course, effect: Effect) -> None:
    """Show what changes, and with --dry-run no more; else write it down and put it into reports, summary and page."""
    from grader.rendering.pages.class_page import PAGES

    changed = effect.changed
    for old, new in changed[:NAMED]:
        parts = ", ".join(f"{id} {before:g} -> {after:g}" for id, before, after in moved(old, new))
        print(f"{one_line(old.student)}: {parts}; in all {old.score:g} -> {new.score:g} of {new.max_score:g}")
    if len(changed) > NAMED:
        print(f"and {len(changed) - NAMED} more")
    if options.dry_run:
        print(f"{len(changed)} reports would change; nothing was changed")
        return
    written_anew(options.results, course, options.lang, [old for old, _ in changed], effect.put)
    last = effect.number + len(effect.decided) - 1
    numbers = f"decision {last}" if last == effect.number else f"decisions {effect.number} and {last}"
    print(f"{numbers}: {len(changed)} reports changed; reports, summary and page are new")
    pages = [(options.results / PAGES / report_name(old.student)).with_suffix(".html") for old, _ in changed]
    if older := sum(page.exists() for page in pages):
        print(f"{older} pages of students are older; `grader report {options.results} --pages` writes them again")


def listed(before: Record, reports: Sequence[Report]) -> None:
    """Print all decisions, the oldest first, and which of them hold."""
    holding = {d.number for d in before.holding}
    for line in before.lines:
        if line.undoes:
            what = f"undoes {line.undoes}"
        elif line.without:
            what = f"takes {line.without} out of {line.exercise}"
        elif line.alike:
            what = f"calls group {line.alike} of {line.exercise} {line.mistake}"
        elif line.points is None:
            what = f"comment on {line.exercise} of {one_line(line.student)}"
        elif line.student:
            what = f"{line.exercise} of {one_line(line.student)}: {line.points:g} points"
        else:
            theirs = [e for r in reports for e in r.exercises if e.id == line.exercise]
            made = sum(decisions.charged(e, line.mistake) is not None for e in theirs)
            what = f"{line.mistake} costs {line.points:g} points; {made} made it"
        state = "" if line.undoes or line.number in holding else " (no longer holds)"
        said = f": {one_line(line.reason)}" if line.reason else ""
        print(f"{line.number}. {line.at} {one_line(line.who)} {what}{state}{said}")
    if not before.lines:
        print("nothing was decided so far")


def list_unnamed(course: Course, reports: Sequence[Report]) -> None:
    """Print who fails in the same way where no mistake is named, the most first."""
    code = {e.id for e in course.exercises if e.kind != "questions"}
    groups: dict[tuple[str, str], list[str]] = {}
    for report in reports:
        for e in report.exercises:
            if e.id in code and decisions.unnamed(e):
                groups.setdefault((e.id, decisions.likeness(e)), []).append(report.student)
    several = sorted((g for g in groups.items() if len(g[1]) > 1), key=lambda g: (-len(g[1]), g[0]))
    for (exercise, group), students in several[:NAMED]:
        named = ", ".join(map(one_line, students[:5])) + (", ..." if len(students) > 5 else "")
        print(f"{len(students)} fail {exercise} alike, and nothing names the mistake: --group {group} ({named})")
