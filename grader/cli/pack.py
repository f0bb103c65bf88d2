"""`grader pack`: makes the zip to hand in, and lists its content."""

from __future__ import annotations

import contextlib
import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from grader.cli import common
from grader.course import Course, file_name
from grader.course import course as courses
from grader.errors import CourseError
from grader.intake import Submission, encode, load
from grader.report import Report, redact
from grader.texts import translated

if TYPE_CHECKING:
    from grader.rendering.terminal import Screen

OPEN = translated("{count} questions have no answer yet")
UNREAD = translated("{count} answers cannot be marked as they stand; fix them and pack again:")


@dataclasses.dataclass(frozen=True)
class PackOptions(common.FolderOptions):
    """The options of `grader pack`."""

    to: Annotated[Path | None, common.option("the zip to write (default: hand-in.zip)", "FILE")]


@common.command("pack", "Make the zip to hand in, and list what is in it.", "grader pack")
def run_pack(options: PackOptions) -> int:
    from grader.authoring import zipped

    course = courses.find(options.course)
    folder = options.folder(course)
    to = options.to or Path("hand-in.zip")
    found = load(folder, course)
    if found.refused and not found.sources:
        raise CourseError(f"{folder}: {found.refused.to(options.lang)}")
    refused = {s: source.refused for s, source in found.sources.items() if source.refused}
    for reason in refused.values():
        print(f"✘ {reason.to(options.lang)}")
    if refused:
        raise CourseError("nothing was packed: fix these files first")
    there = {file_name(s): source for s, source in found.sources.items() if source.text is not None}
    packed = {name: encode(source.text or "") for name, source in there.items() if not source.number}
    packed |= {name: encode(text) for name, text in found.files.items() if name not in packed}
    for book in sorted({source.path for source in there.values() if source.number}):  # as it is, with all its cells
        packed[book] = next(path for path in sorted(folder.rglob("*")) if path.name == book).read_bytes()
    show = common.screen(options.lang)
    for source in found.sources:
        name = file_name(source)
        if name not in there:
            show.line(translated("- {name}: not there").format(name=name).to(options.lang), "yellow")
            continue
        place = f"  ← {there[name].path}" if there[name].path else ""
        show.line(f"✔ {name:<32} {len((there[name].text or '').encode()) / 1024:.1f} KB{place}")
    if found.ignored:
        names = ", ".join(found.ignored)
        said = translated("left out, since nothing reads them: {names}").format(names=names)
        show.line(said.to(options.lang), "dim")
    if course.visible_only:
        look_at_sheet(options, course, found, show)
    try:
        to.write_bytes(zipped(packed.items()))
    except OSError as error:
        raise CourseError(f"--to {to}: cannot be written: {error.strerror}; choose another file") from error
    count = len(packed)
    done = translated("{file}: {count} files. Hand in this zip.").format(file=to, count=count)
    show.line(done.to(options.lang))
    return 0


def look_at_sheet(options: PackOptions, course: Course, found: Submission, show: Screen) -> None:
    """Name the answers on a student's sheet without the required form; a copy knows the forms and no answer."""
    asked = [e.id for e in course.exercises if e.kind == "questions"]
    if not any(found.sources[course.exercise(id).source].text for id in asked):
        return
    with contextlib.closing(common.start_fork_server(options.course)) as fork_server:
        process = fork_server.grading_process(course, options.on_cpu(asked))
        report = redact(Report.from_json(process.grade(found, "", 0)), course.settings.feedback)
    checks = [check for exercise in report.exercises for check in exercise.checks]
    if broken := [c for c in checks if c.failed and not c.blank]:
        show.say(UNREAD, "yellow", count=len(broken))
        for check in broken:
            show.line(f"{check.id}: {check.reason.to(options.lang)}", "yellow", indent=2)
    if blank := sum(c.blank for c in checks):
        show.say(OPEN, "dim", count=blank)
