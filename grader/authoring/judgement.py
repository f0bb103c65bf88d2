"""How good the suites' judgement is: the figures of each exercise as data, and the page that publishes them."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import re
from collections.abc import Sequence
from pathlib import Path

import yaml

import grader
from grader.course import Course
from grader.errors import CourseError

PAGE = Path("docs/judgement.md")
ALTERNATIVES = Path("tests/kit/alternatives")
MUTANTS = Path("tests/kit/mutants.yaml")
BEGIN, END = "<!-- figures: {} -->", "<!-- end of figures -->"
_BLOCK = re.compile(r"<!-- figures: ?(\w*) ?-->.*?<!-- end of figures -->", re.DOTALL)


@dataclasses.dataclass(frozen=True)
class Caught:
    """One misconception, tried as a submission.

    checks: how many checks caught it, at the first seed as all that follows.
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
class Evidence:
    """What was tried on one exercise's suite, under how many seeds.

    slips: the ready-made mistakes that got full marks. flips: what was judged differently at different seeds.
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
    """What `make mutants` found for one exercise."""

    killed: int = 0
    equivalent: int = 0
    survived: int = 0


def mutants(course: Course) -> dict[str, Mutants]:
    """The stored result of `make mutants`, by exercise.

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


def digest(course: Course) -> str:
    """A hash over all that the figures follow from: suites, solutions, alternatives, mutants and the diagnosis."""
    ids = [e.id for e in course.exercises if e.kind == "code"]
    files = [path for i in ids for path in (course.suite(i), course.solution(i))]
    files += [path for i in ids for path in sorted((course.root / ALTERNATIVES / i).glob("*.py"))]
    files += [p for room in ("diagnosis", "suites") for p in sorted(Path(grader.__path__[0], room).glob("*.py"))]
    files += [*course.beside_suites(), course.root / MUTANTS]
    total = hashlib.sha256()
    for path in files:
        content = path.read_bytes() if path.is_file() else b""
        total.update(path.name.encode() + b"\0" + hashlib.sha256(content).digest())
    return total.hexdigest()


def published(course: Course) -> str | None:
    """The hash that the page's figures were made from; None if there are none."""
    page = course.root / PAGE
    found = _BLOCK.search(page.read_text(encoding="utf-8")) if page.is_file() else None
    return found[1] if found else None


def publish(course: Course, evidence: Sequence[Evidence], made_from: str) -> Path:
    """Write the figures into the page, between its two marks; what people wrote around them stays.

    made_from: the `digest` from before they were measured.

    Raises:
        CourseError: the page has lost its marks.
    """
    page = course.root / PAGE
    block = figures(course, evidence, made_from)
    text = page.read_text(encoding="utf-8") if page.is_file() else "# Judgement\n\n" + BEGIN.format("") + END + "\n"
    text, count = _BLOCK.subn(lambda _: block, text)
    if count != 1:
        raise CourseError(f"{page}: needs the marks {BEGIN.format('')!r} and {END!r}, once each")
    page.parent.mkdir(exist_ok=True)
    page.write_text(text, encoding="utf-8")
    return page


def figures(course: Course, evidence: Sequence[Evidence], made_from: str) -> str:
    """The tables, between the marks."""
    known = mutants(course)
    head = (
        "exercise", "checks", "misconceptions", "caught by two checks or more", "named alone", "named with its twin",
        "named wrongly", "not named", "mutants", "killed", "equivalent", "alternatives", "full marks", "seeds",
    )  # fmt: skip
    rows = [_row(e, known.get(e.exercise, Mutants())) for e in evidence]
    total = ["all", *(str(sum(int(row[i]) for row in rows)) for i in range(1, 13)), ""]
    lines = [BEGIN.format(made_from), "", *table([head, *rows, total]), ""]
    for e in evidence:
        summary = f"<details><summary>{e.exercise}: each misconception, each right solution</summary>"
        lines += [summary, "", *misconception_table(e), "", *_alternatives(e), "", "</details>", ""]
    return "\n".join([*lines, END])


def _row(e: Evidence, m: Mutants) -> list[str]:
    named = [c.named for c in e.misconceptions]
    full = sum(not a.failed for a in e.alternatives)
    counts = [
        e.checks, len(named), sum(c.checks > 1 for c in e.misconceptions),
        *(named.count(kind) for kind in ("alone", "pair", "other", "none")),
        m.killed + m.equivalent + m.survived, m.killed, m.equivalent, len(e.alternatives), full,
    ]  # fmt: skip
    return [e.exercise, *map(str, counts), str(e.seeds)]


def misconception_table(e: Evidence) -> list[str]:
    """How many checks catch each misconception, and what the diagnosis says."""
    rows = [("misconception", f"caught by (of {e.checks})", "diagnosis")]
    rows += [(f"`{c.name}`", str(c.checks), _verdict(c)) for c in e.misconceptions]
    return table(rows)


def _verdict(c: Caught) -> str:
    others = ", ".join(f"`{name}`" for name in c.beside)
    return {
        "alone": "named",
        "pair": f"named, together with {others}",
        "other": f"**named wrongly**: {others}",
        "none": "not named" + (f"; sometimes {others}" if others else ""),
    }[c.named]


def _alternatives(e: Evidence) -> list[str]:
    full = [a.name for a in e.alternatives if not a.failed]
    lines = [f"Right solutions with full marks at every seed: {', '.join(full) or 'none'}."]
    lines += [f"**{a.name}** fails at seeds {', '.join(map(str, a.failed))}." for a in e.alternatives if a.failed]
    return lines


def table(rows: Sequence[Sequence[str]]) -> list[str]:
    """A Markdown table; the first row is its head."""
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return [lines[0], "|" + "---|" * len(rows[0]), *lines[1:]]


def holes(evidence: Sequence[Evidence]) -> list[str]:
    """What the suites do not ask yet: ready-made slips that get full marks, checks that decide at some seeds only."""
    found = []
    for e in evidence:
        suite = f"tests/hidden/{e.exercise}.py"
        found += [f"{suite}: {slip} gets full marks; catch it, or name it in LETS_PASS" for slip in e.slips]
        found += [f"{suite}: {f.check} finds {f.name} at some seeds only" for f in e.flips]
    return found


def weak_points(evidence: Sequence[Evidence]) -> list[str]:
    """What falls short of the promise: caught, never a wrong name, full marks for right work."""
    found = []
    for e in evidence:
        suite = f"tests/hidden/{e.exercise}.py"
        found += [f"{suite}: {c.name} is caught by no check" for c in e.misconceptions if not c.checks]
        found += [f"{suite}: {c.name} is {_verdict(c)}" for c in e.misconceptions if c.named in ("other", "none")]
        found += [
            f"{ALTERNATIVES}/{e.exercise}/{a.name}.py: no full marks at seeds {json.dumps(a.failed[:5])}"
            for a in e.alternatives
            if a.failed
        ]
    return found
