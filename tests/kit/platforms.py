"""A class of thirty as Canvas, Moodle, Gradescope and GitHub hand it out, with the class list that each exports.

Every person hands in something else; `expected` says what must come of it.
"""

from __future__ import annotations

import csv
import dataclasses
import io
import json
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import yaml
from support import TOY, solution

RIGHT = {f"{id}.py": solution(id).encode() for id in ("scale", "pair")}
STUBS = {f"{id}.py": (TOY / "exercises" / f"{id}.py").read_bytes() for id in ("scale", "pair")}
SCALE, PAIR = RIGHT["scale.py"], RIGHT["pair.py"]
WRONG = b"def scale(x, factor=2.0):\n    return x + factor\n"
DUE = "due: 2026-03-01T23:59+08:00\nlate: {percent_a_day: 10}\n"
Files = Mapping[str, bytes]


@dataclasses.dataclass(frozen=True)
class Person:
    """Somebody, as class lists know them."""

    login: str
    first: str
    last: str
    number: int

    @property
    def name(self) -> str:
        return f"{self.first} {self.last}"

    @property
    def email(self) -> str:
        return f"{self.login}@uni.edu"


@dataclasses.dataclass(frozen=True)
class HandIn:
    """What somebody uploads, and what must come of it: the score, or None where nothing of it can be used."""

    files: Files
    score: float | None = 6.0
    reason: str = ""
    late: bool = False


def zipped(files: Files) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def tarred(files: Files) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def notebook(files: Files) -> bytes:
    cells = [
        {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": text.decode()}
        for text in files.values()
    ]
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}).encode()


KIT = {"kit/course.yaml": b"x", "kit/README.md": b"x", "kit/grader/scale.py": b"x",
       **{f"kit/exercises/{name}": data for name, data in RIGHT.items()}}  # fmt: skip
RENAMED = {
    "in capitals": {"Scale.py": SCALE, "PAIR.py": PAIR},
    "a browser's": {"scale (1).py": SCALE, "pair (2).py": PAIR},
    "a platform's": {"scale-1.py": SCALE, "pair-2.py": PAIR},
    "a text editor's": {"scale.py.txt": SCALE, "pair.py.txt": PAIR},
    "final": {"scale_final.py": SCALE, "my_pair.py": PAIR},
    "one file": {"homework.py": SCALE + b"\n\n" + PAIR},
    "a zip": {"work.zip": zipped(RIGHT)},
    "the kit": {"attention-kit.zip": zipped(KIT)},
    "the kit with stubs": {"attention-kit.zip": zipped({**KIT, "kit/exercises/scale.py": STUBS["scale.py"]}), **RIGHT},
    "a zip in a zip": {"all.zip": zipped({"work.zip": zipped(RIGHT)})},
    "a tar file": {"work.tar.gz": tarred(RIGHT)},
    "GBK and CRLF": {"scale.py": "# coding: gbk\n# 缩放\n".encode("gbk") + SCALE,
                     "pair.py": b"\xef\xbb\xbf" + PAIR.replace(b"\n", b"\r\n")},
    "a notebook": {"unit.ipynb": notebook(RIGHT)},
    "beside other things": {**RIGHT, "report.pdf": b"%PDF", "~$notes.docx": b"x", ".DS_Store": b"x"},
}  # fmt: skip
TWO = {"a.zip": zipped({"scale.py": SCALE}), "b.zip": zipped({"scale.py": WRONG}), "pair.py": PAIR}
HAND_INS = (
    *(HandIn(RIGHT) for _ in range(6)),
    *(HandIn(files) for files in RENAMED.values()),
    HandIn(RIGHT, late=True),
    HandIn({"scale.py": WRONG, "pair.py": PAIR}, 3.9),
    HandIn({"scale.py": SCALE}, 4.0, "pair.py is missing"),
    HandIn(STUBS, 0.0),
    HandIn(TWO, 2.0, "a.zip/scale.py and b.zip/scale.py could both be scale.py; hand in one file of that name"),
    HandIn({"scale.py": SCALE, "pair.zip": b"PK"}, 4.0, "pair.zip cannot be unpacked (BadZipFile)"),
    HandIn({"work.zip": b"PK\x03\x04 cut off"}, None, "work.zip cannot be unpacked (BadZipFile)"),
    HandIn(
        {"work.zip": zipped({})},
        None,
        "there is no file in it, not counting hidden ones (.ipynb_checkpoints); hand in the files that you wrote",
    ),
    HandIn({"essay.docx": b"x"}, None, "essay.docx; they should be called scale.py, pair.py"),
    HandIn({}, None, "nothing was handed in"),
)
NAMES = (
    "Ada Lovelace", "Alan Turing", "Grace Hopper", "伟 王", "芳 李", "Zoë Müller", "José Núñez García", "Wei Wang",
    "Wei Wang", "Anne-Marie O'Neil", "Søren Åström", "Chloé D'Arc", "Ян Иванов", "Marie Curie", "Emmy Noether",
    "Sofia Kowalewska", "Kurt Gödel", "Karen Spärck Jones", "Barbara Liskov", "Edsger Dijkstra", "Donald Knuth",
    "Frances Allen", "John McCarthy", "Radia Perlman", "Tim Lee", "Ken Thompson", "Dennis Ritchie", "Katherine Johnson",
    "Margaret Hamilton", "Hedy Lamarr",
)  # fmt: skip
PEOPLE = tuple(
    Person(f"s{n:03}", first, last, 101 + n) for n, (first, _, last) in enumerate(name.partition(" ") for name in NAMES)
)
CLASS = dict(zip(PEOPLE, HAND_INS, strict=True))
Writer = Callable[[Path], Path]  # writes the download into a folder and returns the class list


def put(folder: Path, files: Files) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)


def table(path: Path, rows: list[list[str]], delimiter: str = ",", encoding: str = "utf-8") -> Path:
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator="\r\n").writerows(rows)
    path.write_bytes(out.getvalue().encode(encoding))
    return path


def canvas(folder: Path) -> Path:
    """Files beside each other; who hands in nothing is not there."""
    attachment = 9000
    for person, hand_in in CLASS.items():
        name = "".join(c for c in f"{person.last}{person.first}".lower() if c.isalnum())
        late = "LATE_" if hand_in.late else ""
        for file, data in hand_in.files.items():
            attachment += 1
            put(folder, {f"{name}_{late}{person.number}_{attachment}_{file}": data})
    put(folder, {"lovelaceada_101_text.html": b"<p>see the files</p>", "rubric.pdf": b"x"})
    rows = [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "HW 1 (77)"],
        ["    Points Possible", *[""] * 5],
    ]
    rows += [[f"{p.last}, {p.first}", str(p.number), f"U{p.number}", p.login, "A", ""] for p in PEOPLE]
    rows += [["Student, Test", "999", "", "abcdef", "A", ""]]
    return table(folder.parent / "canvas.csv", rows, ";", "utf-8-sig")


def moodle(folder: Path) -> Path:
    """A folder for each, in the older and the newer form; who hands in nothing typed a text."""
    rows = [["Identifier", "Full name", "ID number", "Email address", "Status", "Grade", "Maximum grade",
             "Grade can be changed", "Last modified (submission)", "Feedback comments"]]  # fmt: skip
    for person, hand_in in CLASS.items():
        number = person.number + 20_000
        ending = "_" if number % 2 else ""
        if hand_in.files:
            put(folder / f"{person.name}_{number}_assignsubmission_file{ending}", hand_in.files)
        else:
            put(folder / f"{person.name}_{number}_assignsubmission_onlinetext{ending}", {"onlinetext.html": b"sorry"})
        when = "Tuesday, 3 March 2026, 12:00 PM" if hand_in.late else "Sunday, 1 March 2026, 11:58 PM"
        rows.append([f"Participant {number}", person.name, person.login, person.email, "Submitted", "", "6.00", "Yes",
                     when if hand_in.files else "-", ""])  # fmt: skip
    return table(folder.parent / "moodle.csv", rows, "\t", "utf-16")


def gradescope(folder: Path) -> Path:
    """A folder for each submission, and who and when in one file; somebody submitted twice."""
    metadata = {}
    for number, (person, hand_in) in enumerate(CLASS.items(), 1):
        facts = {":submitters": [{":name": person.name, ":sid": person.login, ":email": person.email}]}
        day = "2026-03-03 12:00:00" if hand_in.late else "2026-03-01 12:00:00"
        metadata[f"submission_{number}"] = facts | {":created_at": f"{day}.123456000 +08:00", ":score": 0.0}
        if hand_in.files:
            put(folder / f"submission_{number}", hand_in.files)
    again = {**metadata["submission_1"], ":created_at": "2026-02-28 12:00:00.000000000 +08:00"}
    put(folder / "submission_77", {"scale.py": WRONG})
    text = yaml.safe_dump({**metadata, "submission_77": again}, allow_unicode=True, sort_keys=False)
    put(folder, {"submission_metadata.yml": text.replace("'", "").encode()})  # times are times in YAML too
    rows = [["First Name", "Last Name", "SID", "Email", "Sections"]]
    rows += [[p.first, p.last, p.login, p.email, "A"] for p in PEOPLE]
    return table(folder.parent / "gradescope.csv", rows)


def github(folder: Path) -> Path:
    """A clone for each, the file names as Git keeps them; who hands in nothing never pushed."""
    for person, hand_in in CLASS.items():
        clone = folder / f"week-1-{person.login}"
        put(clone / ".git", {"HEAD": b"ref: refs/heads/main\n", "scale.py": b"x"})
        put(clone, {"README.md": b"# week 1\n", ".gitignore": b"", **hand_in.files})
    rows = [["identifier", "github_username", "github_id", "name"]]
    rows += [[p.login, p.login.upper(), str(p.number), p.name] for p in PEOPLE]
    return table(folder.parent / "classroom_roster.csv", rows)


PLATFORMS: Mapping[str, Writer] = {"canvas": canvas, "moodle": moodle, "gradescope": gradescope, "github": github}
