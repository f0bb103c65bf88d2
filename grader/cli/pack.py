"""`grader pack`: the zip to hand in, and what is in it."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from grader.cli import common
from grader.errors import CourseError


@dataclasses.dataclass(frozen=True)
class PackOptions(common.FolderOptions):
    """What `grader pack` is asked for."""

    to: Path | None


def add(commands: Any) -> None:
    """Describe the command to the parser."""
    pack = common.command(commands, "pack", PackOptions, run_pack, "make the zip to hand in and say what is in it")
    common.folder_option(pack, "the folder with your files")
    pack.add_argument("--to", type=Path, metavar="FILE", help="the zip (default: hand-in.zip)")


def run_pack(options: PackOptions) -> int:
    from grader.authoring import zipped
    from grader.course import course as courses
    from grader.course import file_name
    from grader.intake import encode, load
    from grader.texts import translated

    course = courses.find(options.course)
    folder = options.folder(course)
    to = options.to or Path("hand-in.zip")
    found = load(folder, course)
    if found.refused:
        raise CourseError(f"{folder}: {found.refused.to(options.lang)}")
    refused = {s: source.refused for s, source in found.sources.items() if source.refused}
    for reason in refused.values():
        print(f"✘ {reason.to(options.lang)}")
    if refused:
        raise CourseError("nothing was packed: mend these files first")
    books = sorted({source.path for source in found.sources.values() if source.number})
    if books:
        raise CourseError(f"{', '.join(books)}: a notebook is handed in as it is; nothing was packed")
    there = {file_name(s): source for s, source in found.sources.items() if source.text is not None}
    packed = {name: encode(source.text or "") for name, source in there.items()}
    show = common.screen(options.lang)
    for source in found.sources:
        name = file_name(source)
        if name not in packed:
            show.line(translated("- {name}: not there").format(name=name).to(options.lang), "yellow")
            continue
        place = f"  ← {there[name].path}" if there[name].path else ""
        show.line(f"✔ {name:<32} {len(packed[name]) / 1024:.1f} KB{place}")
    if found.ignored:
        names = ", ".join(found.ignored)
        said = translated("left out, since nothing reads them: {names}").format(names=names)
        show.line(said.to(options.lang), "dim")
    to.write_bytes(zipped(packed.items()))
    count = len(packed)
    done = translated("{file}: {count} files. Hand in this zip.").format(file=to, count=count)
    show.line(done.to(options.lang))
    return 0
