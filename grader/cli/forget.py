"""`grader forget`: everything that a results folder holds about one student is deleted."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from grader import atomic_write
from grader.cli import common
from grader.cli.common import option
from grader.cli.report import called
from grader.course import course as courses
from grader.desk import written_anew
from grader.errors import CourseError, MachineError
from grader.report import class_tally, graded_with, record, results
from grader.report.report import report_name
from grader.texts import one_line

EXAMPLE = "grader forget results --student s04_dina --dry-run\ngrader forget results --student s04_dina"
OF_A_STUDENT = ("reports/{}.json", "pages/{}.html", "earlier/{}.json", f"earlier/{{}}{results.EDITED}")


@dataclasses.dataclass(frozen=True)
class ForgetOptions(common.Options):
    """The options of `grader forget`."""

    results: Annotated[Path, common.name("RESULTS", "the folder that `grader grade` wrote")]
    student: Annotated[str | None, option("the student to forget: id, name or e-mail", "WHO")]
    dry_run: Annotated[bool, option("show what would be deleted, and delete nothing")]


@common.command("forget", "Delete all that a results folder holds about one student.", EXAMPLE)
def run_forget(options: ForgetOptions) -> int:
    course, folder = courses.find(options.course), options.results
    reports = common.reports_in(folder)
    if not options.student:
        raise CourseError("--student names the one to forget")
    graded = graded_with.read(folder)
    known = {report.student for _, report in class_tally.reports(reports) if not isinstance(report, str)}
    listed = {line[graded.class_list.key] for line in graded.class_list.lines} if graded.class_list else set[str]()
    student = called(options.student, {*known, *graded.handed, *listed}, graded.people, folder)
    name = report_name(student).removesuffix(".json")
    files = [path for path in (folder / each.format(name) for each in OF_A_STUDENT) if path.exists()]
    words = {student, graded.people.get(student, {}).get("name", "") or student}
    for path in files:
        print(f"{'would delete' if options.dry_run else 'deleted'} {path}")
    if not options.dry_run:

        def delete(_: Path) -> None:
            graded_with.write(folder, graded.forgetting(student))
            record.forget(folder, student)
            faults = [fault for fault in results.faults(folder) if fault.student != student]
            atomic_write.write_data(folder / results.FAULTS, faults)
            (folder / results.REGRADE).unlink(missing_ok=True)
            for path in files:
                path.unlink(missing_ok=True)

        written_anew(folder, course, options.lang, put=delete)
        print(f"nothing about {one_line(student)} is left in {record.FILE}, summary and page")
    for path in naming(folder, words):
        print(f"{path} may still name {one_line(student)}: write it again, or delete it")
    print("What was handed in lies outside this folder: delete it too, or the next `grader grade` grades it again.")
    return 0


def naming(folder: Path, words: set[str]) -> Iterator[Path]:
    """The files of a RESULTS folder that people make from it, such as tables and packages, and that hold these words;
    archives, which are not opened, always count.

    Raises MachineError where one cannot be read.
    """
    ours = {"reports", "pages", "earlier", record.FILE, "summary.csv", "index.html", results.FAULTS, results.REGRADE}
    made = (path for entry in sorted(folder.iterdir()) if entry.name not in ours for path in (entry, *entry.rglob("*")))
    for path in made:
        try:
            if path.is_file() and (path.suffix == ".zip" or any(word.encode() in path.read_bytes() for word in words)):
                yield path
        except OSError as error:
            raise MachineError(f"{path}: cannot be read: {error.strerror}") from error
