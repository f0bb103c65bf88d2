"""`grader pack`: the zip to hand in, and what is in it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from grader import console
from grader.errors import CourseError


def add(commands: Any) -> None:
    """Describe the command to the parser."""
    pack = console.command(commands, "pack", run_pack, "make the zip to hand in and say what is in it")
    pack.add_argument("--dir", type=Path, metavar="DIR", help="the folder with your files (default: exercises)")
    pack.add_argument("--to", type=Path, metavar="FILE", help="the zip (default: hand-in.zip)")


def run_pack(options: argparse.Namespace) -> int:
    from grader import course as courses
    from grader.course import file_name
    from grader.kits import zipped
    from grader.submission import load
    from grader.words import Text

    course = courses.find(options.course)
    folder = options.dir or course.root / "exercises"
    to = options.to or Path("hand-in.zip")
    if not folder.is_dir():
        raise CourseError(f"{folder}: no such folder; --dir names the folder with your exercise files")
    found = load(folder, course.sources, course.settings.limits.source_kb)
    if found.refused:
        raise CourseError(f"{folder}: {found.refused.to(options.lang)}")
    refused = {s: source.refused for s, source in found.sources.items() if source.refused}
    for reason in refused.values():
        print(f"✘ {reason.to(options.lang)}")
    if refused:
        raise CourseError("nothing was packed: mend these files first")
    there = [file_name(s) for s, source in found.sources.items() if source.text is not None]
    packed = {name: (folder / name).read_bytes() for name in there}
    if not packed:
        raise CourseError(f"{folder}: none of the course's files is here; nothing was packed")
    show = console.screen(options.lang)
    for source in found.sources:
        name = file_name(source)
        if name not in packed:
            show.line(Text(f"- {name}: not there", f"- {name}：没有这个文件").to(options.lang), "yellow")
            continue
        show.line(f"✔ {name:<32} {len(packed[name]) / 1024:.1f} KB")
    if found.ignored:
        names = ", ".join(found.ignored)
        said = Text(f"left out, since nothing reads them: {names}", f"未打包（不会读取）：{names}")
        show.line(said.to(options.lang), "dim")
    to.write_bytes(zipped(packed.items()))
    count = len(packed)
    done = Text(f"{to}: {count} files. Hand in this zip.", f"{to}：共 {count} 个文件。请提交这个 zip。")
    show.line(done.to(options.lang))
    return 0
