"""`grader report`: a class as a page, one student as a page."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader import console
from grader.errors import CourseError

if TYPE_CHECKING:
    from grader.course import Course
    from grader.report import Report
    from grader.similar import Findings
    from grader.suite_texts import SuiteTexts


def add(commands: Any) -> None:
    """Describe the command to the parser."""
    report = console.command(commands, "report", run_report, "show a class or a student as a page")
    report.add_argument("results", type=Path, metavar="RESULTS", help="what `grader grade` wrote, or a report in it")
    report.add_argument("--student", metavar="ID", help="only this student's page")
    report.add_argument("--pages", action="store_true", help="a page for each student too, in RESULTS/pages")
    report.add_argument("--submissions", type=Path, metavar="DIR", help="look for hand-ins in DIR that are alike")
    report.add_argument("--out", type=Path, metavar="FILE", help="where the page of one student goes")


def run_report(options: argparse.Namespace) -> int:
    from grader import course as courses
    from grader import page_class, suite_texts, tally

    course = courses.find(options.course)
    texts = suite_texts.read(course)
    if options.out and (options.pages or not (options.results.is_file() or options.student)):
        raise CourseError("--out names the page of one student; use it with --student or a report")
    if options.results.is_file():
        print(f"wrote {student_page(options.results, options.out, course, texts, options.lang)}")
        return 0
    folder = options.results / "reports"
    if not folder.is_dir():
        raise CourseError(f"{options.results}: no folder reports in it; name the --out folder of `grader grade`")
    names = [name for name, found in tally.reports(folder) if wanted(found, options)]
    if options.student is not None and not names:
        raise CourseError(f"{options.results}: no report of {options.student!r}; --student names one who was graded")
    pages = [student_page(folder / f"{name}.json", options.out, course, texts, options.lang) for name in names]
    if options.student is not None:
        print(f"wrote {pages[0]}")
        return 0
    if pages:
        print(f"wrote {len(pages)} pages in {options.results / page_class.PAGES}")
    findings = alike(options.submissions, course) if options.submissions else None
    print(f"wrote {page_class.write(options.results, course, texts, options.lang, findings)}")
    return 0


def wanted(found: Report | str, options: argparse.Namespace) -> bool:
    """Whether this report gets a page of its own."""
    if isinstance(found, str):
        return False
    return found.student == options.student if options.student is not None else bool(options.pages)


def student_page(path: Path, out: Path | None, course: Course, texts: SuiteTexts, lang: str) -> Path:
    """Write the page of the report in `path`; where it went."""
    from grader import disk, html, page_class
    from grader.report import Report

    try:
        page = html.student_page(Report.from_json(path.read_text(encoding="utf-8")), course, lang, texts)
    except (OSError, ValueError) as error:
        raise CourseError(f"{path}: cannot be shown: {error}; it should be a report that `grader` wrote") from error
    folder = path.parent.parent / page_class.PAGES if path.parent.name == "reports" else path.parent
    target = out or folder / f"{path.stem}.html"
    disk.write(target, page)
    return target


def alike(folder: Path, course: Course) -> Findings:
    """Compare the hand-ins of a class with each other."""
    from grader import similar
    from grader.submission import entries, load_entry

    ids = [e.id for e in course.exercises if e.kind == "code"]
    limit = course.settings.limits.source_kb
    submissions = (load_entry(path, course.sources, limit) for path in entries(folder, course.sources))
    stubs = {i: course.stub(i).read_text(encoding="utf-8") for i in ids if course.stub(i).is_file()}
    solutions = {i: course.solution(i).read_text(encoding="utf-8") for i in ids if course.solution(i).is_file()}
    return similar.find(submissions, stubs, solutions)
