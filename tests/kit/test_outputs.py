"""Every output gets the same nasty texts, by every way that a stranger has into it: each stays a line of plain text."""

from __future__ import annotations

import contextlib
import csv
import html.parser
import io
import json
import os
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from outputs import outputs

from grader.intake import downloads
from grader.report import Report
from grader.report.summary import Fault
from grader.texts import one_line

FAKE = "FAKE"  # what begins a line that a stranger would like to write
NASTY = {
    "escape codes": "\x1b[2J\x1b[31mred\x07 \x9b1m",
    "new lines": f"\n{FAKE}  6 / 6\r{FAKE}\x0b{FAKE}\x0c{FAKE}",
    "lines of other alphabets": f"a\u2028{FAKE}\u2029{FAKE}\x85{FAKE}\x1c{FAKE}",
    "a log on GitHub": "\n::stop-commands::x\r\n::error file=x::y\n::add-mask::6",
    "a command to GitHub": "::stop-commands::x",
    "an old command to GitHub": " ##[error]x",
    "HTML": "<script>FAKE()</script><img src=x onerror=FAKE()>\"'><a href='javascript:FAKE()'>&lt;b&gt;",
    "XML": "]]><!-- <![CDATA[ &#0; </testcase>",
    "Markdown": "| a | **b** | `c` ![p](https://x.example/p.png) [l](https://x.example) # h ~~~ ``` $x$",
    "a template": "{{7*7}} {% raw %} {0} {x} %s %(a)s",
    "formulas": "=HYPERLINK(1)",
    "formulas within": "a;=cmd|'/c'!A1\t@SUM(1),+1+1",
    "right to left": "\u202egnp.exe\u2066x\u200f",
    "no text": "\ud800 \udfff \x00 \ufffe \uffff",
    "much": "A" * 20_000,
}
EVERYTHING = " ".join(NASTY.values())


def code(text: str) -> str:
    """A file that raises, prints, names classes and returns this text: the first two lines print and raise it."""
    return (
        f"T = {text!r}\ndef scale(x, factor=2.0):\n    import sys\n"
        "    sys.stdout.write(T.encode('utf-8', 'surrogatepass').decode('utf-8', 'replace'))\n"
        "    sys.stderr.buffer.write(T.encode('utf-8', 'surrogatepass'))\n"
        "    import linecache; linecache.cache['scale.py'] = (9, None, [T] * 20, 'scale.py')\n"
        "    if x.dim() == 1 and x.dtype.itemsize == 4: raise ValueError(T)\n"
        "    if x.dtype.itemsize == 8: return type(T.replace(chr(0), ''), (), {})()\n"
        "    raise type(T.replace(chr(0), '').encode('utf-8', 'replace').decode(), (Exception,), {})(T)\n"
        f"def pair(x):\n    return {{{text!r}: x}}\n"
    )


def handed_in(folder: Path, text: str) -> Path:
    """Submissions whose folders, files and contents carry this text wherever a stranger can put one."""
    text = text if text.lstrip().startswith(("::", "##[")) else f"n{text}"  # any name may begin a line, no part of one
    name = os.fsdecode(text.replace("/", "_").replace("\0", "").encode("utf-8", "replace"))[:50]
    mine = folder / name / f"deep {name}"
    mine.mkdir(parents=True)
    source = code(text).encode("utf-8", "surrogatepass")
    (mine / "scale.py").write_bytes(source)
    (mine / "pair.py").write_bytes(source)
    (folder / name / f"{name}.txt").write_text("a file that nothing reads", encoding="utf-8")
    (folder / "ann").mkdir()
    (folder / "ann" / "scale.py").write_text(f"raise KeyError({text!r})\n", encoding="utf-8")
    (folder / "ann" / "pair.py").write_text(f"x = = {text!r}\n", encoding="utf-8")
    (folder / f"{name} b.zip").write_bytes(b"no zip")
    return folder


@pytest.fixture(scope="module")
def shown(process, toy, tmp_path_factory):
    """Every output, for each nasty text; by way of names of students and files, messages, prints, faults."""

    def run(text: str) -> dict[str, str]:
        folder = handed_in(tmp_path_factory.mktemp("submissions"), text)
        with contextlib.ExitStack() as held:
            entries = downloads.read(folder, toy, None, None, held).entries
            given = [Report.from_json(process.grade(entry.load(toy), "", 1)) for entry in entries]
        assert [r.status for r in given].count("graded") == 2
        names = [entry.student for entry in entries]
        return outputs(given, [Fault(n, one_line(text)) for n in names], toy, tmp_path_factory.mktemp("nasty"))

    made: dict[str, dict[str, str]] = {}

    def of(which: str) -> dict[str, str]:
        if which not in made:
            made[which] = run(NASTY.get(which, EVERYTHING))
        return made[which]

    return of


KINDS = [*NASTY, "all of them"]


@pytest.mark.parametrize("which", KINDS)
def test_it_is_plain_text(shown, which):
    for name, text in shown(which).items():
        odd = {c for c in text if not (c.isprintable() or c in "\n\t\r")}
        assert not odd, (name, odd)
        assert not set(text) & set("\u202e\u2066\u200f"), name
        assert text.encode(), name


@pytest.mark.parametrize("which", KINDS)
def test_it_begins_no_line(shown, which):
    """Of a terminal, a log, a table or a notebook; and it cannot give commands to the runner of a build."""
    for name, text in shown(which).items():
        if name.startswith(("page", "notebook, HTML", "class page")):
            continue  # what was printed keeps its lines there
        for line in re.split(r"[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]", text):
            assert not line.strip(" |").startswith((FAKE, "::", "##[")), (name, line[:200])


@pytest.mark.parametrize("which", KINDS)
def test_files_for_machines_can_be_read(shown, which):
    for name, text in shown(which).items():
        if name.endswith(".xml"):
            ElementTree.fromstring(text)
        elif name.endswith(".json") or name.startswith(("report", "Classroom", "graded notebook")):
            json.loads(text)
        elif name.endswith(".csv") or name == "summary":
            rows = list(csv.reader(io.StringIO(text, newline="")))
            assert len({len(row) for row in rows}) == 1, name
            for cell in (cell for row in rows for cell in row):
                assert not re.search(r"^[=+@\t\r]|[;,\t]\s*[=@]", cell), (name, cell[:100])


class Tags(html.parser.HTMLParser):
    """What a browser would take for markup, scripts of ours apart."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.found += [
            tag,
            *(f"{name}={value}" for name, value in attributes if name.startswith(("on", "href", "src"))),
        ]


@pytest.mark.parametrize("which", ["HTML", "a template", "all of them"])
def test_no_page_takes_it_for_markup(shown, which):
    pages = {name: text for name, text in shown(which).items() if name.startswith(("page", "class", "notebook, HTML"))}
    assert len(pages) == 7
    for name, text in pages.items():
        tags = Tags()
        tags.feed(text)
        assert "img" not in tags.found, name
        assert not [t for t in tags.found if re.match(r"on|(href|src)=(?!#|data:)", t)], name
        assert "<script>FAKE" not in text, name
        assert not re.search(r"\b49\b", re.sub(r"<(style|script).*?</\1>", "", text, flags=re.S)) or "7*7" in text


@pytest.mark.parametrize("which", ["Markdown", "HTML", "all of them"])
def test_the_summary_on_github_takes_it_for_no_markup(shown, which):
    for name, text in shown(which).items():
        if name.startswith("summary on GitHub"):
            table = [line for line in text.splitlines() if line.startswith("|")]
            assert {line.count("|") for line in table} == {4}
            assert not re.search(r"[<`]|\]\(|!\[", "".join(table)), table


@pytest.mark.parametrize("which", ["much", "all of them"])
def test_it_is_not_long(shown, which):
    for name, text in shown(which).items():
        assert "A" * 9000 not in text, name
        assert name == "class page" or len(text) < 400_000, (name, len(text))
