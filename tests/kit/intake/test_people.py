"""Who is who: entries under the names of the class list, each person once, nobody taken for somebody else."""

from __future__ import annotations

import contextlib
import datetime
from pathlib import Path

import pytest
from handed_in import COURSE, SOURCE, tree, zipped

from grader.intake import Entry, downloads, people, roster
from grader.report import ClassList

NOON = datetime.datetime(2026, 3, 1, 12, tzinfo=datetime.timezone.utc)


def listed(*lines: dict[str, str], key: str = "student") -> ClassList:
    return ClassList("/list.csv", tuple(lines[0]), key, lines)


def entry(student: str, when: datetime.datetime | None = None, **person: str) -> Entry:
    return Entry(student, (Path(student),), when, person)


def names(entries: list[Entry], listed: ClassList) -> list[str]:
    return [e.student for e in people.known(entries, listed).entries]


IDS = {
    "Canvas": ("ID", "101", "ID", "101"),
    "Moodle": ("Identifier", "20001", "Identifier", "Participant 20001"),
    "Gradescope, by number": ("SID", "U17", "SID", "u17"),
    "Gradescope, in a list of Moodle's": ("SID", "U17", "ID number", "U17"),
    "Gradescope, in a list of Canvas's": ("SID", "U17", "SIS User ID", "U17"),
    "Gradescope, by address": ("Email", "Ada@x.y", "Email address", "ada@X.y"),
    "GitHub Classroom": ("username", "ada-l", "github_username", "Ada-L"),
}


@pytest.mark.parametrize("case", IDS)
def test_the_platforms_id_finds_the_line(case):
    known_as, value, column, listed_as = IDS[case]
    known = listed({"student": "ada", column: listed_as}, {"student": "alan", column: "other"})
    assert names([entry("x_1", **{known_as: value}), entry("y_2", **{known_as: "nobody"})], known) == ["ada", "y_2"]


@pytest.mark.parametrize("name", ["Ada Lovelace", "Lovelace, Ada", "lovelaceada", "adalovelace", "LOVELACE ADA"])
@pytest.mark.parametrize("column", ["Full name", "Name", "name", "Student"])
def test_a_name_in_whatever_order_finds_the_line(name, column):
    known = listed({"student": "ada", column: "Ada Lovelace"}, {"student": "alan", column: "Turing, Alan"})
    assert names([entry("x_1", name=name), entry("y_2", name="Alan Turing")], known) == ["ada", "alan"]


def test_names_in_two_columns():
    known = listed({"student": "wei", "first_name": "伟", "last_name": "王"})
    assert names([entry("x_1", name="王伟")], known) == ["wei"]


def test_what_it_is_called_finds_the_line_last():
    known = listed({"student": "Ada@uni.edu", "ID": "101"}, {"student": "101", "ID": "102"})
    assert names([entry("ada"), entry("102x", ID="102")], known) == ["Ada@uni.edu", "101"]


def test_two_people_of_one_name_are_not_guessed_apart():
    known = listed({"student": "wei1", "Full name": "Wei Wang"}, {"student": "wei2", "Full name": "Wei Wang"})
    assert names([entry("Wei Wang_1", name="Wei Wang"), entry("Wei Wang_2", name="Wei Wang")], known) == [
        "Wei Wang_1", "Wei Wang_2",
    ]  # fmt: skip


def test_a_name_of_the_list_is_one_line():
    assert names([entry("x", ID="1")], listed({"student": "a\x1b\nb", "ID": "1"})) == [r"a\x1b\nb"]


def test_of_several_submissions_the_last_counts():
    known = listed({"student": "ada", "ID": "1"})
    first, last = entry("x_1", NOON, ID="1"), entry("x_2", NOON + datetime.timedelta(1), ID="1")
    (found,) = people.known([last, first], known).entries
    assert (found.student, found.places) == ("ada", last.places)
    assert [text.to("en") for text in found.remarks] == ["1 earlier submissions; the last one counts"]


def test_where_nobody_knows_which_came_last_both_are_named():
    known = listed({"student": "ada", "ID": "1"})
    (found,) = people.known([entry("x_1", ID="1"), entry("x_2", NOON, ID="1")], known).entries
    assert found.refused is not None
    assert (found.student, found.places) == ("ada", ())
    assert found.refused.to("en") == "x_1 and x_2 belong to one student; keep one of them"


@pytest.mark.parametrize("form", ["folder", "zip"])
def test_one_person_twice_in_a_download(tmp_path, form):
    (tmp_path / "list.csv").write_text("student,Full name\nada,Ada Lovelace\n")
    files = {f"Ada Lovelace_{n}_assignsubmission_file_/scale.py": SOURCE for n in (1, 2)}
    path = zipped(tmp_path, list(files.items()), "hw.zip") if form == "zip" else tree(tmp_path, files, "hw")
    with contextlib.ExitStack() as held:
        (found,) = downloads.read(path, COURSE, None, roster.read(tmp_path / "list.csv"), held).entries
    refused = found.load(COURSE).refused
    assert refused is not None
    assert refused.to("en") == "Ada Lovelace_1 and Ada Lovelace_2 belong to one student; keep one of them"
