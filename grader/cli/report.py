"""`grader report`: a class as a page, one student as a page."""

from __future__ import annotations

import contextlib
import dataclasses
import difflib
import json
import sys
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from grader import atomic_write
from grader.cli import common
from grader.cli.common import option
from grader.cli.graded_with import read_batch
from grader.course import Course, LatePenalty
from grader.course import course as courses
from grader.errors import CourseError
from grader.report import LEVELS, Batch, Report, class_tally, graded_with, in_words, redact
from grader.report.report import report_name
from grader.texts import one_line

if TYPE_CHECKING:
    from grader.intake.similarity import Similarities
    from grader.integrations.feedback import Feedback


Person = Mapping[str, str]
PACKAGES = ("moodle", "folder")
GIVE_BACK = "write the students' pages to give back: as a zip for Moodle, or a folder for each with a table"


@dataclasses.dataclass(frozen=True)
class ReportOptions(common.Options):
    """The options of `grader report`."""

    results: Annotated[Path, common.name("RESULTS", "what `grader grade` wrote, or one report in it")]
    student: Annotated[str | None, option("write only this student's page; by id, name or e-mail", "WHO")]
    pages: Annotated[bool, option("also write a page for each student, in RESULTS/pages")]
    package: Annotated[str | None, option(GIVE_BACK, choices=PACKAGES)]
    submissions: Annotated[Path | None, option("look for copied work among the submissions in DIR", "DIR")]
    against: Annotated[
        tuple[Path, ...], option("compare with the submissions of an earlier term too; may be repeated", "DIR")
    ]
    out: Annotated[Path | None, option("the file for the page of one student", "FILE")]
    json: Annotated[Path | None, option("write each report to DIR as JSON with sentences", "DIR")]
    feedback: Annotated[str | None, option("the level of detail (default: as in course.yaml)", choices=LEVELS)]

    def level(self, course: Course) -> str:
        """Return how much of the reports is shown."""
        return self.feedback or course.settings.feedback


@common.command("report", "Write the page of a class or of one student.", "grader report results --student s04_dina")
def run_report(options: ReportOptions) -> int:
    from grader.rendering.pages import class_page

    course = courses.find(options.course)
    if options.package and (options.results.is_file() or options.student):
        raise CourseError("--package is for a whole class, not for one student or one report")
    if options.against and not options.submissions:
        raise CourseError("--against adds the submissions of an earlier term; name this term's in --submissions")
    if options.out and (options.pages or not (options.results.is_file() or options.student)):
        raise CourseError("--out names the page of one student; use it with --student or a report")
    if options.results.is_file():
        shown = shown_there(options.results.parent.parent, course, options)
        print(f"wrote {student_page(options.results, options.out, shown)}")
        return 0
    folder = common.reports_in(options.results)
    shown = shown_there(options.results, course, options)
    if options.json:
        count, damaged = in_sentences(folder, options.json, options.lang, shown.level)
        print(f"wrote {count} files in {options.json}")
        return left_out(folder, damaged)
    found = class_tally.read(folder, shown.level)
    students = {student.row.student: student.file for student in found.students}
    if options.student is not None:
        name = report_name(options.student).removesuffix(".json")
        if f"{name}.json" not in dict(found.damaged):
            name = students[called(options.student, students, shown.people, options.results)]
        print(f"wrote {student_page(folder / f'{name}.json', options.out, shown)}")
        return 0
    if options.pages:
        pages = [student_page(folder / f"{name}.json", None, shown) for name in students.values()]
        print(f"wrote {len(pages)} pages in {options.results / class_page.PAGES}")
    if options.package:
        print(packed(options, students, folder, shown))
    findings = alike(options.submissions, options.against, course, options.results) if options.submissions else None
    print(f"wrote {class_page.write(options.results, course, options.lang, found, findings)}")
    return left_out(folder, found.damaged)


def left_out(folder: Path, damaged: Sequence[tuple[str, str]]) -> int:
    """Say on the error output which reports cannot be read, and why; the exit code, 1 where there are some."""
    for name, why in damaged:
        print(f"{folder / name}: left out, since it cannot be read: {why}", file=sys.stderr)
    return 1 if damaged else 0


def called(
    wanted: str, students: Collection[str], people: Mapping[str, Person], folder: Path, what: str = "report"
) -> str:
    """Return the student with this id, else the only one to whom the platform or the class list gives this name.

    Raises:
        CourseError: no student has this name, or several have it.
    """
    from grader.intake.matching import name_keys

    if wanted in students:
        return wanted
    keys = {s: name_keys(s).union(*map(name_keys, people.get(s, {}).values())) for s in students}
    found = [s for s, theirs in keys.items() if theirs & name_keys(wanted)]
    if len(found) == 1:
        return found[0]
    known = {key: s for s, theirs in keys.items() for key in theirs}
    near = found or [known[key] for key in difflib.get_close_matches(wanted.lower(), known)]
    meant = " or ".join(map(repr, dict.fromkeys(near)))
    remedy = f"did you mean {meant}?" if near else f"--student names one whose {what} is there"
    raise CourseError(f"{folder}: {f'several {what}s' if found else f'no {what}'} of {wanted!r}; {remedy}")


def in_sentences(folder: Path, to: Path, lang: str, level: str) -> tuple[int, list[tuple[str, str]]]:
    """Write each report of a folder with sentences, for programs; how many, and which are none, and why."""
    count, damaged = 0, list[tuple[str, str]]()
    for name, found in class_tally.reports(folder):
        if isinstance(found, str):
            damaged.append((f"{name}.json", found))
            continue
        said = in_words(redact(found, level), lang)
        to.mkdir(parents=True, exist_ok=True)
        atomic_write.write(to / f"{name}.json", json.dumps(said, ensure_ascii=False, indent=1))
        count += 1
    return count, damaged


@dataclasses.dataclass(frozen=True)
class Shown:
    """The values that all student pages of a RESULTS folder share; `level` is how much of a report they show."""

    course: Course
    lang: str
    level: str
    people: Mapping[str, Person]
    penalty: LatePenalty


def shown_there(folder: Path, course: Course, options: ReportOptions) -> Shown:
    """Return what all pages of a RESULTS folder share, with its students' names and the penalty for lateness."""
    graded = graded_with.read(folder)
    return Shown(course, options.lang, options.level(course), graded.people, graded.penalty(course))


def student_page(path: Path, out: Path | None, shown: Shown) -> Path:
    """Write the page of the report in `path`; where it went."""
    from grader.rendering.pages import class_page

    folder = path.parent.parent / class_page.PAGES if path.parent.name == "reports" else path.parent
    target = out or folder / f"{path.stem}.html"
    atomic_write.write(target, page_of(path, shown)[1])
    return target


def page_of(path: Path, shown: Shown) -> Feedback:
    """Return what a student gets of the report in `path`: file name, page, points, maximum. Raises CourseError."""
    from grader.rendering.pages import pages as html
    from grader.rendering.pages.lateness import lateness

    try:
        report = Report.from_json(path.read_text(encoding="utf-8"))
        name, scores = shown.people.get(report.student, {}).get("name", ""), {e.id: e.score for e in report.exercises}
        late = lateness(report.student, scores, shown.course, shown.penalty)
        page = html.student_page(report, shown.course, shown.lang, name, shown.level, late)
    except (OSError, ValueError) as error:
        raise CourseError(f"{path}: cannot be shown: {error}; it should be a report that `grader` wrote") from error
    return path.stem, page, shown.penalty(report.student, scores)[0], report.max_score


def packed(options: ReportOptions, students: Mapping[str, str], reports: Path, shown: Shown) -> str:
    """Write the pages of these students, each with the name of its report, to give back; what to say of it."""
    from grader.integrations import feedback

    pages = ((student, page_of(reports / f"{name}.json", shown)) for student, name in students.items())
    if options.package == "moodle":
        target = options.results / feedback.MOODLE
        content, unknown = feedback.moodle(pages, shown.people)
        atomic_write.write(target, content)
        left = f"; without a number of Moodle's, so left out: {', '.join(map(one_line, unknown))}" if unknown else ""
        return f"wrote {target}, {len(students) - len(unknown)} pages{left}"
    target = options.results / "feedback"
    for name, text in feedback.folder(pages, shown.people):
        atomic_write.write(target / name, text)
    return f"wrote {len(students)} folders in {target}, and {target / feedback.TABLE}"


def alike(folder: Path, against: Sequence[Path], course: Course, results: Path) -> Similarities:
    """Compare the submissions of a class with each other, under the names of the class list that was graded with, and
    with those of earlier terms, each under the name of its folder. Raises CourseError.
    """
    from grader.intake import similarity

    ids = [e.id for e in course.exercises if e.kind == "code"]
    stubs = {i: course.stub(i).read_text(encoding="utf-8") for i in ids if course.stub(i).is_file()}
    solutions = {i: course.solution(i).read_text(encoding="utf-8") for i in ids if course.solution(i).is_file()}
    with contextlib.ExitStack() as held:
        graded = graded_with.read(results)
        read = read_batch(graded.told(folder), course, graded.class_list, held).entries
        earlier = (
            dataclasses.replace(entry, student=f"{term.name}/{entry.student}").load(course)
            for term in against
            for entry in read_batch(Batch(str(term.resolve())), course, None, held).entries
        )
        return similarity.find((entry.load(course) for entry in read), stubs, solutions, earlier)
