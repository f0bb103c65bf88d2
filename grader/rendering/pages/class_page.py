"""A class as a page: how it went, what was misunderstood and what to say about it, who stands where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from grader import atomic_write
from grader.course import IN_TIME, Course, LatePenalty, total
from grader.intake.similarity import Similarities
from grader.rendering.pages import pages as html
from grader.rendering.pages import student_view
from grader.rendering.pages.lateness import lateness
from grader.report import STATUS, ClassMistake, ClassTally, Fault, Regrade, Row, class_tally, graded_with, in_parts
from grader.report import results as aftermath
from grader.report.class_tally import Result, StudentResults
from grader.texts import NOTHING, Text, translated

STYLES, SCRIPTS = ("base.css", "class.css"), ("switches.js", "class.js")
BINS = 10
NAMED = 12  # students by name, before "and 19 more"
OPEN_MISTAKES = 6
MOST_CHECKS = 10
MOST_BROKEN = 3
PAGES = "pages"  # below RESULTS, where students have pages of their own
STATES = ("passed", "failed", "unstarted", "missing", "rejected", "waiting")  # class.js knows their numbers
SCRIPT = {  # what class.js says
    "search": translated("Find a student"),
    "unit": translated("Unit"),
    "all_units": translated("all units"),
    "exercise": translated("Exercise"),
    "any_exercise": translated("any exercise"),
    "state": translated("State"),
    "any_state": translated("any state"),
    "mistake": translated("Misconception"),
    "any_mistake": translated("any"),
    "clear": translated("Clear"),
    "student": translated("Student"),
    "total": translated("Total"),
    "counts": translated("Counts"),
    "that_count": translated("Points that count:"),
    "stood_out": translated("What stood out"),
    "shown": translated("{shown} of {all} students"),
    "between": translated("{from} to {to} % of the points"),
    "previous": translated("Previous"),
    "next": translated("Next"),
    "page": translated("Page {page} of {pages}"),
    "none": translated("No student matches."),
    "close": translated("Close"),
    "report": translated("the whole report"),
    "data": translated("as JSON"),
    "failed_checks": translated("{count} checks fail"),
    "all_passed": translated("all passed"),
    "matrix": translated("Points of each student in each exercise"),
}


def write(
    results: Path, course: Course, lang: str, found: ClassTally | None = None, findings: Similarities | None = None
) -> Path:
    """Write RESULTS/index.html from the reports in RESULTS and return its path.

    Args:
        found: what there is to show of the reports, what the course's feedback shows unless it is given.
        findings: which submissions are alike, None where nobody looked.

    Raises:
        MachineError: a file cannot be read or written.
    """
    found = found or class_tally.read(results / "reports", course.settings.feedback)
    pages = {path.stem for path in (results / PAGES).glob("*.html")}
    view = overview(found, course, aftermath.faults(results), aftermath.regrade(results), findings)
    path = results / "index.html"
    languages = html.shown_in(lang, course.settings.languages)
    late = graded_with.read(results).penalty(course)
    data = html.embedded(matrix(found, course, pages, languages, late))
    atomic_write.write(path, html.page("class.html", STYLES, SCRIPTS, lang, languages, data=data, **view))
    return path


def overview(
    found: ClassTally, course: Course, faults: Sequence[Fault], regrade: Regrade | None, findings: Similarities | None
) -> dict[str, Any]:
    """Return the values for the template, without the table of students, which the page's script draws."""
    rows = [s.row for s in found.students]
    graded = [row for row in rows if row.status == "graded"]
    counts = class_tally.bins([row.share for row in graded], BINS)
    shown = {id: _exercise(found, course, id) for id in _ids(found, course)}
    return {
        "course": course.settings.title,
        "graded": len(graded),
        "faults": faults,
        "damaged": found.damaged,
        "rejected": [row for row in rows if row.unusable],
        "quartiles": class_tally.spread([row.score for row in graded]),
        "max_score": max((row.max_score for row in rows), default=0.0),
        "full": sum(row.share == 1 for row in graded),
        "bins": [(count, count / max(*counts, 1)) for count in counts],
        "by_unit": [_part(title, exercises) for title, exercises in student_view.by_unit(shown, course)],
        "mistakes": [_mistake(m, found, course) for m in found.ranked()],
        "hardest": found.hardest(MOST_CHECKS),
        "slowest": found.slowest(MOST_CHECKS),
        "regrade": regrade,
        "remarks": {row.student: row.remarks for row in rows},
        "findings": findings,
        "named": NAMED,
        "open_mistakes": _shown_first([len(m.students) for m in found.ranked()]),
    }


def _shown_first(counts: Sequence[int]) -> int:
    """Return how many mistakes show at once: each hidden one is rarer than all of them, unless too many tie."""
    if len(counts) <= OPEN_MISTAKES:
        return len(counts)
    least = counts[OPEN_MISTAKES - 1]
    frequent, as_frequent = sum(c > least for c in counts), sum(c >= least for c in counts)
    return frequent if as_frequent > 2 * OPEN_MISTAKES and frequent else as_frequent


def matrix(
    found: ClassTally, course: Course, pages: Collection[str], languages: Sequence[str], penalty: LatePenalty = IN_TIME
) -> dict[str, Any]:
    """Return the data of the table that the script draws. A text is a list: one in each language, or one for all.

    Args:
        pages: the reports, by file name without ending, that have a page of their own.
        penalty: what lateness leaves of the points.
    """

    def told(text: Text) -> list[str]:
        said = [text.to(lang) for lang in languages]
        return said if len({*said}) > 1 else said[:1]

    ids = _ids(found, course)
    strings, checks, results = _Numbers(), _Numbers(), _Numbers()
    mistakes = {m.id: n for n, m in enumerate(found.ranked())}

    def result(id: str, given: Result) -> tuple[Any, ...]:
        short = (STATES.index(given.status), given.score, given.max_score)
        if given.status in ("passed", "waiting"):
            return short
        failed = dict.fromkeys(checks[id, in_parts(check)[0]] for check in given.failed)
        reason = strings[given.reason or NOTHING]
        return (*short, reason, tuple(mistakes[m] for m in given.mistakes), tuple(failed))

    def per_exercise(s: StudentResults) -> list[int | None]:
        return [results[result(id, s.results[id])] if id in s.results else None for id in ids]

    def late(row: Row) -> list[Any] | None:
        found = lateness(row.student, row.scores, course, penalty)
        return [found.counts, [told(why) for why in found.why]] if found else None

    students = [
        [row.student, s.file, int(s.file in pages), int(row.unusable), strings[row.reason or NOTHING],
         [strings[remark] for remark in row.remarks], row.score, row.max_score, per_exercise(s), late(row)]
        for s, row in ((s, s.row) for s in found.students)
    ]  # fmt: skip
    facts = {(f.exercise, f.function): f for f in found.checks.values()}
    return {
        "languages": list(languages),
        "words": {key: told(text) for key, text in SCRIPT.items()},
        "states": [told(STATUS[state]) for state in STATES],
        "exercises": [[id, told(student_view.title(course, id)), found.exercises[id]] for id in ids],
        "units": [
            [told(unit.title), [ids.index(e.id) for e in unit.exercises if e.id in ids]]
            for unit in course.settings.units
        ],
        "mistakes": [[m.id, told(m.message)] for m in found.ranked()],
        "checks": [told(facts[key].title) for key in checks],
        "strings": [told(text) for text in strings],
        "results": list(results),
        "students": students,
    }


class _Numbers(dict[Any, int]):
    """Numbers things in the order in which they are first asked for."""

    def __missing__(self, key: Any) -> int:
        self[key] = len(self)
        return self[key]


def _ids(found: ClassTally, course: Course) -> list[str]:
    """The exercises that were graded, in teaching order."""
    known = [e.id for e in course.exercises if e.id in found.exercises]
    return [*known, *(id for id in found.exercises if id not in known)]


def _part(title: Text, exercises: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Exercises under one title, with whether anyone has begun one of them."""
    return {
        "title": title,
        "exercises": exercises,
        "average": total(e["average"] for e in exercises),
        "max_score": total(e["max_score"] for e in exercises),
        "begun": any(state not in ("missing", "unstarted") for e in exercises for state, _, _ in e["states"]),
    }


def _exercise(found: ClassTally, course: Course, id: str) -> dict[str, Any]:
    results = [s.results[id] for s in found.students if id in s.results]
    states = Counter(r.status for r in results)
    average = sum(r.score for r in results) / len(results)
    return {
        "id": id,
        "title": student_view.title(course, id),
        "average": average,
        "max_score": found.exercises[id],
        "states": [(state, states[state], states[state] / len(results)) for state in STATES if states[state]],
    }


def _mistake(mistake: ClassMistake, found: ClassTally, course: Course) -> dict[str, Any]:
    counts = Counter[str]()
    for check, count in mistake.checks.items():
        name = in_parts(check)[0]
        counts[name] = max(counts[name], count)
    facts = {f.function: f for f in found.checks.values() if f.exercise == mistake.exercise}
    view = student_view.view(course, mistake.exercise)
    return {
        "id": mistake.id,
        "text": mistake.message,
        "exercise": student_view.title(course, mistake.exercise),
        "students": mistake.students,
        "breaks": [facts[name].title for name, _ in counts.most_common(MOST_BROKEN) if name in facts],
        "example": mistake.example,
        "picture": student_view.pictured(mistake.picture, view) if mistake.picture else None,
    }
