"""Submissions made to hurt whoever opens them, through `grader grade`: each ends in one report saying what is wrong."""

from __future__ import annotations

import contextlib
import csv
import hashlib
import io
import os
import re
import shutil
import socket
import stat
import subprocess
import sys
import time
import warnings
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from support import TOY, solution

from grader.intake.tree import student_id
from grader.report import Report, Results, defused, in_words

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="strangers' submissions are graded on Linux")

RIGHT = solution("scale")
SECRET = "SECRET-4f1b"
PLANTED = ("conftest.py", "torch.py", "sitecustomize.py", "usercustomize.py", "evil.pth", "pytest.ini")
Make = Callable[[Path], None]


def file(data: bytes | str, name: str = "scale.py") -> Make:
    def make(folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        (folder / name).write_bytes(data.encode() if isinstance(data, str) else data)

    return make


def at_scale(make: Callable[[Path], Any]) -> Make:
    """A folder in which `make` puts something at `scale.py`."""

    def both(folder: Path) -> None:
        folder.mkdir()
        make(folder / "scale.py")

    return both


def sparse(path: Path) -> None:
    path.touch()
    os.truncate(path, 10 << 30)


def sock(path: Path) -> None:
    here = os.getcwd()
    os.chdir(path.parent)  # the name of a socket is short
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path.name)
    os.chdir(here)


def planted(folder: Path) -> None:
    folder.mkdir()
    for name in PLANTED:
        (folder / name).write_text("raise SystemExit('planted')\n")
    (folder / "scale.py").write_text(RIGHT)
    (folder / "__pycache__").mkdir()


def zipped(*members: tuple[Any, bytes | str], method: int = zipfile.ZIP_DEFLATED) -> Make:
    def make(path: Path) -> None:
        with zipfile.ZipFile(path, "w", method) as archive, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # duplicates
            for name, data in members:
                archive.writestr(name, data, compress_type=method)

    return make


def link_member() -> tuple[zipfile.ZipInfo, str]:
    info = zipfile.ZipInfo("scale.py")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return info, "/etc/passwd"


def crowded(path: Path) -> None:
    """A zip whose list of members is 400,000 long."""
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("scale.py", RIGHT)
    data = path.read_bytes()
    start = data.index(b"PK\x01\x02")
    end = data.index(b"PK\x05\x06")
    many = data[start:end] * 400_000
    tail = b"PK\x05\x06" + bytes(4) + b"\xff\xff" * 2 + len(many).to_bytes(4, "little") + start.to_bytes(4, "little")
    path.write_bytes(data[:start] + many + tail + bytes(2))


@dataclass(frozen=True)
class Case:
    """A submission: how to make it, the score of `scale`, and a word of the reason."""

    make: Make
    score: float
    reason: str = ""


OF_4 = 4.0
FILES = {
    "a link": Case(at_scale(lambda p: p.symlink_to(p.parents[2] / "course/solutions/scale.py")), 0, "symbolic link"),
    "a dangling link": Case(at_scale(lambda p: p.symlink_to("/nowhere")), 0, "symbolic link"),
    "a link to a device": Case(at_scale(lambda p: p.symlink_to("/dev/zero")), 0, "symbolic link"),
    "a hard link": Case(at_scale(lambda p: os.link(p.parents[2] / "course/gradebook.csv", p)), 0, "hard link"),
    "a pipe": Case(at_scale(os.mkfifo), 0, "not a regular file"),
    "a socket": Case(at_scale(sock), 0, "not a regular file"),
    "a folder as a file": Case(at_scale(Path.mkdir), 0, "there is no file in it"),
    "ten gigabytes": Case(at_scale(sparse), 0, "larger than 64 KB"),
    "too large": Case(file(RIGHT + "#" * 65536), 0, "larger than 64 KB"),
    "not UTF-8": Case(file(b"x = '\xff\xfe'\n"), 0, "not valid utf-8"),
    "UTF-16": Case(file(RIGHT.encode("utf-16")), OF_4),
    "UTF-16 without its mark": Case(file(RIGHT.encode("utf-16-le")), 0, "null bytes"),
    "null bytes": Case(file(RIGHT + "\0"), 0, "null bytes"),
    "another encoding": Case(file("# coding: utf-7\n" + RIGHT), 0, "utf-7"),
    "an odd encoding": Case(file(b"# coding: \x1b[31m<b>\n" + RIGHT.encode()), OF_4),
    "a byte order mark": Case(file(b"\xef\xbb\xbf" + RIGHT.encode()), OF_4),
    "CRLF": Case(file(RIGHT.replace("\n", "\r\n")), OF_4),
    "GBK": Case(file(("# -*- coding: gbk -*-\n# 缩放\n" + RIGHT).encode("gbk")), OF_4),
    "nothing in it": Case(file(""), 0, "does not define scale"),
    "an empty folder": Case(Path.mkdir, 0, "there is no file in it"),
    "deeply nested": Case(file("x = " + "(" * 9000 + ")" * 9000), 0, "scale.py"),
    "planted": Case(planted, OF_4, "ignored"),
    "many files": Case(lambda p: [file("", f"{i}.txt")(p) for i in range(300)] and file(RIGHT)(p), OF_4, "+288"),
    "odd names": Case(lambda p: file("", "\x1b[2J\u202e=cmd().py")(p) or file(RIGHT)(p), OF_4, "[2J=cmd().py"),
}
ZIPS = {
    "right": Case(zipped(("scale.py", RIGHT)), OF_4),
    "in a folder": Case(zipped(("mine/scale.py", RIGHT), ("mine/", "")), OF_4),
    "upwards": Case(zipped(("../scale.py", RIGHT), ("../../course/planted.py", "x")), OF_4, "course/planted.py"),
    "upwards twice": Case(zipped(("../scale.py", RIGHT), ("../../course/solutions/scale.py", "x")), 0, "could both be"),
    "absolute": Case(zipped(("/scale.py", RIGHT), ("/etc/cron.d/x", "x")), OF_4, "ignored"),
    "backslashes": Case(zipped(("..\\..\\scale.py", RIGHT), ("C:\\scale.py", RIGHT)), OF_4),
    "twice": Case(zipped(("scale.py", RIGHT), ("scale.py", "x")), 0, "more than once"),
    "two cases": Case(zipped(("scale.py", RIGHT), ("Scale.py", "x = 1")), 0, "Scale.py and scale.py could both be"),
    "an empty one too": Case(zipped(("scale.py", RIGHT), ("Scale.py", ""), ("SCALE.PY", "")), OF_4, "SCALE.PY"),
    "a link": Case(zipped(link_member()), 0, "symbolic link"),
    "a bomb": Case(zipped(("scale.py", bytes(50 << 20))), 0, "larger than 64 KB"),
    "many bombs": Case(zipped(("scale.py", RIGHT), *((f"{i}.bin", bytes(20 << 20)) for i in range(5))), OF_4),
    "bzip2": Case(zipped(("scale.py", bytes(5 << 20)), method=zipfile.ZIP_BZIP2), 0, "compressed in an unusual way"),
    "lzma": Case(zipped(("scale.py", bytes(5 << 20)), method=zipfile.ZIP_LZMA), 0, "compressed in an unusual way"),
    "a long list": Case(crowded, 0, "holds more than 100000 files"),
    "too many files": Case(zipped(*((f"{i}", "") for i in range(10_001))), 0, "more than 10000 files"),
    "empty": Case(lambda p: p.touch(), 0, "cannot be unpacked (BadZipFile)"),
    "no zip": Case(lambda p: p.write_bytes(b"PK" + os.urandom(1000)) and None, 0, "cannot be unpacked (BadZipFile)"),
    "a pipe": Case(os.mkfifo, 0, "not a regular file"),
    "a link out": Case(lambda p: p.symlink_to("/etc/passwd"), 0, "symbolic link"),
    "planted": Case(zipped(("scale.py", RIGHT), *((n, "raise SystemExit") for n in PLANTED)), OF_4, "ignored"),
    "an empty zip in it": Case(zipped(("scale.py", RIGHT), ("more.zip", b"PK\x05\x06" + bytes(18))), OF_4),
    "a broken zip in it": Case(zipped(("scale.py", RIGHT), ("more.zip", b"PK")), OF_4, "more.zip cannot be unpacked"),
}
WHOLE = {
    "elsewhere": Case(lambda p: p.symlink_to(p.parent.parent / "course" / "solutions"), 0, "symbolic link"),
    "nowhere": Case(lambda p: p.symlink_to("/nowhere"), 0, "symbolic link"),
    "a folder.zip": Case(Path.mkdir, 0, "there is no file in it"),
}
IDS = [
    "=cmd|' calc'!A0", "+1", "-rf", "@SUM(A1)", "\t=1", " =1", "＝1", "<script>alert(1)<_script>", "\x1b[31mred\x1b[0m",
    "\u202egnp.exe", "\x9b31m", "\u2028line", "new\nline", "carriage\rreturn", "a" * 240, "CON", "nul.txt", "trailing.",
    "trailing ", "%s {0} {student}", 'quote"and,comma;', "[red]markup[bold]", "名字", "id-" + "0" * 24, "$(id)", "`id`",
]  # fmt: skip


@dataclass
class Graded:
    """What one run left: reports by student, the files, the summary, what was printed, how much memory it took."""

    reports: dict[str, dict[str, Any]]
    results: Path
    rows: list[list[str]]
    said: str
    entries: list[Path]
    code: int
    memory_mb: int
    seconds: float


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graded]:
    """All submissions in one folder, graded by the command line as a program of its own."""
    base = tmp_path_factory.mktemp("intake")
    course, submissions, results = base / "course", base / "submissions", base / "results"
    shutil.copytree(TOY, course, ignore=shutil.ignore_patterns("__pycache__"))
    (course / "gradebook.csv").write_text(SECRET)
    submissions.mkdir()
    for name, case in {**FILES, **WHOLE}.items():
        case.make(submissions / name)
    for name, case in ZIPS.items():
        case.make(submissions / f"zip {name}.zip")
    for name in (*IDS, os.fsdecode(b"bytes\xff\xfe"), os.fsdecode(b"bytes\xfe\xff")):
        file(RIGHT)(submissions / name)
    if os.geteuid() == 0:
        at_scale(lambda p: os.mknod(p, 0o666 | stat.S_IFCHR, os.makedev(1, 5)))(submissions / "a device")
    started = time.monotonic()
    command = [sys.executable, "-m", "grader", "grade", submissions, "--out", results, "--course", course]
    program = subprocess.Popen(
        [*map(os.fspath, command), "--seed", "1", "--lang", "en"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        env={**os.environ, "COLUMNS": "180"},
    )  # fmt: skip
    assert program.stdout
    said = program.stdout.read().decode()
    _, status, usage = os.wait4(program.pid, 0)
    program.returncode = os.waitstatus_to_exitcode(status)
    program.stdout.close()
    texts = [p.read_text(encoding="utf-8") for p in (results / "reports").iterdir()]
    reports = {r["student"]: r for r in (in_words(Report.from_json(text), "en") for text in texts)}
    rows = list(csv.reader(io.StringIO((results / "summary.csv").read_text(encoding="utf-8"))))
    entries = list(submissions.iterdir())
    seconds = time.monotonic() - started
    yield Graded(reports, results, rows, said, entries, program.returncode, usage.ru_maxrss >> 10, seconds)
    shutil.rmtree(submissions)  # ten gigabytes, if only in name


def everything_said(report: dict[str, Any]) -> str:
    return " ".join(str(t) for t in (report["reason"], *(e["reason"] for e in report["exercises"])))


CASES = {**FILES, **WHOLE, **{f"zip {name}": case for name, case in ZIPS.items()}}


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_a_hand_in_ends_in_one_report(graded: Graded, name: str) -> None:
    report = graded.reports[name]
    assert report["exercises"][0]["score"] == CASES[name].score, everything_said(report)
    assert CASES[name].reason in everything_said(report)


def test_a_device(graded: Graded) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can make a device")
    assert graded.reports["a device"]["exercises"][0]["reason"] == "scale.py is not a regular file"


def test_what_was_planted_is_named(graded: Graded) -> None:
    for student in ("planted", "zip planted"):
        assert graded.reports[student]["status"] == "graded"
        assert graded.reports[student]["reason"] == (
            "ignored, since only the exercises' files are read: conftest.py, evil.pth, pytest.ini, sitecustomize.py, "
            "torch.py, usercustomize.py"
        )


def test_the_batch_is_complete(graded: Graded) -> None:
    assert graded.code == 1, graded.said[-3000:]
    assert len(graded.reports) == len(graded.rows) - 1 == len(graded.entries)
    assert set(graded.reports) == set(map(student_id, graded.entries))
    unusable = [defused(student) for student, report in graded.reports.items() if report["status"] == "rejected"]
    used = len(graded.entries) - len(unusable)
    assert f"{used} graded, 0 not graded, {len(unusable)} rejected" in graded.said
    assert [row[0] for row in graded.rows[1 : 1 + len(unusable)]] == sorted(unusable)


def test_it_takes_neither_memory_nor_time(graded: Graded) -> None:
    assert graded.memory_mb < 2500  # of ten gigabytes; torch takes more where pages are larger and more runs at once
    assert graded.seconds < 90


def test_ids_are_data(graded: Graded) -> None:
    """No id becomes a path, a formula, a terminal escape or a second line."""
    files = list(graded.results.rglob("*"))
    assert {f.parent for f in files} == {graded.results, graded.results / "reports"}
    assert all(
        re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]*\.json", f.name) for f in (graded.results / "reports").iterdir()
    )
    assert not {f.name.lower() for f in files} & {"con.json", "nul.txt.json"}
    for row in graded.rows:
        assert len(row) == len(graded.rows[0])
        for cell in row:
            assert cell.isprintable()
            assert not cell.lstrip().startswith(("=", "+", "-", "@", "＝")), cell
    assert all(c == "\n" or c.isprintable() for c in graded.said)
    assert all(student.isprintable() for student in graded.reports)


def test_ids_that_look_alike_stay_apart(graded: Graded) -> None:
    assert r"bytes\udcff\udcfe" in graded.reports
    assert r"bytes\udcfe\udcff" in graded.reports
    other = "id-" + hashlib.sha256(b"a b").hexdigest()[:24]
    with contextlib.closing(Results(graded.results)) as results:
        assert results.path(other) != results.path("a b")


def test_nothing_is_read_through_a_hand_in(graded: Graded) -> None:
    texts = graded.said + "".join(f.read_text(errors="replace") for f in graded.results.rglob("*") if f.is_file())
    assert SECRET not in texts
