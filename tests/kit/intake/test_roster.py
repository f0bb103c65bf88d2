"""A class list as any platform or spreadsheet writes it; nobody in it is lost silently."""

from __future__ import annotations

import pytest

from grader.errors import CourseError
from grader.intake import roster
from grader.intake.roster import Matches
from grader.report import ClassList

ROWS = (("Student", "ID", "SIS Login ID"), ("Lovelace, Ada", "101", "ada"), ("Müller, 王伟", "102", "wang"))


def write(path, text: str):
    path.write_text(text, encoding="utf-8")
    return path


def test_names_match_exactly_or_but_for_capitals_and_domain():
    lines = tuple({"Email": e} for e in ("Ann@uni.edu", "bob@uni.edu", "BOB@other.edu", "cem@uni.edu"))
    listed = ClassList("/list.csv", ("Email",), "Email", lines)
    found = roster.match(listed, ["ann", "bob", "cem@uni.edu", "CEM", "dee"])
    assert found.lines == {"ann": lines[0]}
    assert found.absent == ("bob@uni.edu", "BOB@other.edu")
    assert found.key == "Email"


def test_what_the_platform_called_somebody_finds_the_line_first():
    lines = tuple({"ID": i, "SIS Login ID": n} for i, n in (("101", "ada"), ("102", "alan")))
    people = {"lovelaceada_101": {"ID": "101"}, "102": {"ID": "101x"}}
    found = roster.match(ClassList("/list.csv", ("ID", "SIS Login ID"), "ID", lines), list(people), people)
    assert found == Matches({"lovelaceada_101": lines[0], "102": lines[1]}, (), "ID")


ROSTERS = {
    "no such file": (None, None, "cannot be read: "),
    "nobody told apart": ("Section\nA\nA\nA\n", None, "list.csv:1: none of the columns says something else of every"),
    "no such column": ("student\nann\n", "Matrikel", "list.csv:1: no column 'Matrikel'; it has student. --key names"),
    "twice": ("student,x\nann,1\nbob,2\nann,3\n", None, "list.csv:4: student 'ann' was already on line 2"),
    "empty": ("", None, "list.csv:1: none of the columns"),
}


@pytest.mark.parametrize("case", ROSTERS)
def test_a_class_list_that_cannot_be_used_is_explained(tmp_path, case):
    text, key, message = ROSTERS[case]
    path = tmp_path / "list.csv"
    if text is not None:
        write(path, text)
    with pytest.raises(CourseError) as error:
        roster.read(path, key)
    assert message in str(error.value)


def test_a_class_list_that_is_no_text(tmp_path):
    (tmp_path / "list.csv").write_bytes(b"student\n\x81\n")
    with pytest.raises(CourseError, match="it should be CSV in UTF-8"):
        roster.read(tmp_path / "list.csv")


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "gb18030"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_whatever_program_wrote_it(tmp_path, delimiter, encoding, newline):
    text = newline.join(delimiter.join(f'"{cell}"' for cell in row) for row in ROWS)
    bom = "\ufeff" if encoding == "utf-16-be" else ""
    (tmp_path / "list.csv").write_bytes((bom + text).encode(encoding))
    found = roster.read(tmp_path / "list.csv")
    assert found.columns == ROWS[0]
    assert found.key == "SIS Login ID"
    assert [tuple(line.values()) for line in found.lines] == list(ROWS[1:])


@pytest.mark.parametrize("name", ["Müller", "Noël", "Göß", "Çağ"[:2], "José Núñez"])
def test_what_western_windows_writes(tmp_path, name):
    (tmp_path / "list.csv").write_bytes(f"student;Name\ns1;{name}\ns2;Åström\n".encode("cp1252"))
    assert [line["Name"] for line in roster.read(tmp_path / "list.csv").lines] == [name, "Åström"]


def test_a_name_over_two_lines_is_one_cell(tmp_path):
    found = roster.read(write(tmp_path / "list.csv", 'student,Note\nann,"one\ntwo"\nbob,x\n'))
    assert [line["student"] for line in found.lines] == ["ann", "bob"]


def test_the_first_column_that_tells_everybody_apart(tmp_path):
    """Moodle leaves `ID number` empty for most, Canvas `SIS Login ID`."""
    text = "Identifier,Full name,ID number,Email address\nParticipant 7,Ada,,ada@uni.edu\nParticipant 8,Alan,17,\n"
    assert roster.read(write(tmp_path / "list.csv", text)).key == "ID number"
    more = "".join(f"Participant {n},N{n},,n{n}@uni.edu\n" for n in range(10, 20))
    assert roster.read(write(tmp_path / "list.csv", text + more)).key == "Email address"


def test_lines_of_nobody_are_left_out(tmp_path):
    text = 'Student,ID\n    Points Possible,\n"Lovelace, Ada",101\n"Student, Test",999\n,,\n\n'
    assert [line["ID"] for line in roster.read(write(tmp_path / "list.csv", text)).lines] == ["101"]


def test_short_and_long_lines(tmp_path):
    found = roster.read(write(tmp_path / "list.csv", "student,Name,Section\nann\nbob,Bob,1,2,3\n"))
    assert [dict(line) for line in found.lines] == [
        {"student": "ann", "Name": "", "Section": ""},
        {"student": "bob", "Name": "Bob", "Section": "1"},
    ]
