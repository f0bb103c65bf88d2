"""`grader docs`: shows the pages for authors and teachers of this version on the terminal."""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import importlib.metadata
import re
import textwrap
from pathlib import Path, PurePath
from typing import Annotated

import grader
from grader.cli import common
from grader.course import nearest
from grader.errors import CourseError, MachineError
from grader.packages import DISTRIBUTION

ENGINE = Path(grader.__path__[0])
DOCUMENTED = (ast.FunctionDef, ast.ClassDef)
FIRST = "authors"  # a page that is there wherever they all are
MEMBERS = re.compile(r"^::: ([\w.]+)\n    options:\n      members: \[(.*)\]$", re.MULTILINE)  # as mkdocstrings reads it
WIDTH = 120  # at most, in columns


@dataclasses.dataclass(frozen=True)
class DocsOptions(common.Options):
    """The options of `grader docs`."""

    page: Annotated[str | None, common.name("PAGE", "the page to show, by its name (default: list them)")]


@common.command(
    "docs", "Show the documentation: the list of its pages, or one of them.", "grader docs writing-an-exercise"
)
def run_docs(options: DocsOptions) -> int:
    pages = installed()
    if options.page is None:
        for name, path in pages.items():
            print(f"{name:<22}{path.read_text(encoding='utf-8').splitlines()[0].removeprefix('# ')}")
        return 0
    name = PurePath(options.page.partition("#")[0]).name.removesuffix(".md")  # as pages link to each other
    if name not in pages:
        raise CourseError(f"there is no page {name!r}{nearest(name, list(pages))}")
    _show(pages[name].read_text(encoding="utf-8"))
    return 0


def _show(page: str) -> None:
    """Print the page; on a terminal through the pager, which may not know colours."""
    from rich.console import Console

    from grader.rendering.terminal import lesson

    console = Console(highlight=False)
    console.width = min(console.width, WIDTH) if console.is_terminal else WIDTH
    with console.pager() if console.is_terminal else contextlib.nullcontext():
        console.print(lesson.prose(MEMBERS.sub(_described, page), hyperlinks=False))


def _described(members: re.Match[str]) -> str:
    """Return these members of a module with their docstrings and their classes' methods, as a block of code.

    The module is read and not imported, since torch need not be installed.
    """
    path = ENGINE.parent.joinpath(*members[1].split(".")).with_suffix(".py")
    tree, lines = ast.parse(path.read_text(encoding="utf-8")), ["```python"]
    known = {node.name: node for node in tree.body if isinstance(node, DOCUMENTED)}
    for member in (known[name] for name in members[2].split(", ")):
        lines += _documented(member)
        for method in member.body if isinstance(member, ast.ClassDef) else ():
            if isinstance(method, ast.FunctionDef) and ast.get_docstring(method) and not method.name.startswith("_"):
                lines += [textwrap.indent(line, "    ") for line in _documented(method)]
    return "\n".join([*lines, "```"])


def _documented(node: ast.FunctionDef | ast.ClassDef) -> list[str]:
    """Return its name, with the arguments of a function, then its docstring and a blank line."""
    arguments = f"({ast.unparse(node.args)})" if isinstance(node, ast.FunctionDef) else ""
    return [f"{node.name}{arguments}", textwrap.indent(ast.get_docstring(node) or "", "    "), ""]


def installed() -> dict[str, Path]:
    """Return the pages by name: those of the running clone, else those that came with the installed engine.

    Raises:
        MachineError: there are none.
    """
    found = sorted((ENGINE.parent / "docs").glob("*.md"))
    if FIRST not in {path.stem for path in found}:
        try:
            files = importlib.metadata.files(DISTRIBUTION) or ()
        except importlib.metadata.PackageNotFoundError:
            files = ()
        found = sorted(Path(str(f.locate())) for f in files if f.match(f"share/doc/{DISTRIBUTION}/*.md"))
    if not found:
        raise MachineError(f"the pages are not in this copy of the grader; `pip install {DISTRIBUTION}` brings them")
    return {path.stem: path for path in found}
