"""Class lists in any language, groups, attempts: people are found by what is in the columns."""

from __future__ import annotations

import contextlib
import csv
from pathlib import Path

import pytest
from handed_in import COURSE, OTHER, SOURCE, tree

from grader.errors import CourseError
from grader.intake import downloads, roster

PEOPLE = (  # first name, last name, login, number
    ("Ada", "Lovelace", "ada", "1001"), ("Jörg", "Müller", "jmueller", "1002"), ("伟", "王", "wangw", "1003"),
    ("José", "García Núñez", "jgarcia", "1004"), ("Never", "There", "nthere", "1005"),
)  # fmt: skip
HERE = PEOPLE[:4]
LOGINS = {login for _, _, login, _ in HERE}


def table(path: Path, rows: list[list[str]], delimiter: str = ",") -> Path:
    with open(path, "w", newline="", encoding="utf-8-sig") as file:
        csv.writer(file, delimiter=delimiter).writerows(rows)
    return path


def read(path: Path, people: Path | None = None, **told) -> downloads.Reading:
    with contextlib.ExitStack() as held:
        listed = roster.read(people) if people else None
        return downloads.read(path, COURSE, None, listed, held, **told)


def said(reading: downloads.Reading) -> dict[str, list[str]]:
    return {e.student: [text.to("en") for text in e.remarks] for e in reading.entries}


MOODLE = {
    "German": ("Teilnehmer/in", ["ID", "Vollständiger Name", "ID-Nummer", "E-Mail-Adresse", "Status", "Bewertung",
               "Bestwertung", "Zuletzt geändert (Abgabe)"], "Donnerstag, 1. Oktober 2026, 23:58"),
    "Chinese": ("参与者 ", ["编号", "全名", "学号", "电子邮件地址", "状态", "成绩", "最高分", "最后修改（提交）"],
                "2026年10月1日 星期四 23:58"),
    "Russian": ("Участник ", ["Идентификатор", "Полное имя", "Индивидуальный номер", "Адрес электронной почты",
                "Состояние", "Оценка", "Максимальная оценка", "Последнее изменение (ответа)"], "1 October 2026, 23:58"),
}  # fmt: skip


@pytest.mark.parametrize("language", MOODLE)
def test_moodles_worksheet_in_any_language(tmp_path, language):
    word, heading, time = MOODLE[language]
    rows = [[f"{word}2{n}", f"{f} {s}", "", f"{u}@uni.edu", "x", "", "6,00", time] for f, s, u, n in PEOPLE]
    listed = table(tmp_path / "list.csv", [heading, *rows])
    files = {f"{f} {s}_2{n}_assignsubmission_file_/scale.py": SOURCE for f, s, _, n in HERE}
    files["Eve Dropper_29999_assignsubmission_file_/scale.py"] = SOURCE
    reading = read(tree(tmp_path, files, "hw"), listed)
    assert {e.student for e in reading.entries} == {f"{u}@uni.edu" for u in LOGINS} | {"Eve Dropper_29999"}
    assert reading.known is not None
    assert list(reading.known.absent) == ["nthere@uni.edu"]
    assert list(reading.known.strangers) == ["Eve Dropper_29999"]
    when = {e.when.isoformat() for e in reading.entries if e.when}
    assert when == {"2026-10-01T23:58:00"}
    assert [text.to("en") for text in roster.told(reading.known.taken, len(reading.entries))] == [
        f"Column “{heading[0]}” of the class list holds the numbers of participants: 4 of 5 found by it."
    ]


CANVAS = {
    "German": (["Student/in", "ID", "SIS-Benutzer-ID", "SIS-Anmelde-ID", "Abschnitt"], "    Mögliche Punkte"),
    "Chinese": (["学生", "ID", "SIS 用户 ID", "SIS 登录 ID", "班级"], "    满分"),
    "English": (["Student", "ID", "SIS User ID", "SIS Login ID", "Section"], "    Points Possible"),
}


@pytest.mark.parametrize("language", CANVAS)
@pytest.mark.parametrize("numbers", ["fit", "are others"])
def test_canvass_gradebook_in_any_language(tmp_path, language, numbers):
    heading, possible = CANVAS[language]
    rows = [[f"{s}, {f}", n, f"M{n}", u, "A"] for f, s, u, n in PEOPLE]
    test = ["Student, Test", "99", "", "a" * 40, "A"]
    listed = table(tmp_path / "list.csv", [heading, [possible, "", "", "", ""], *rows, test], ";")
    more = 0 if numbers == "fit" else 7000
    files = {f"{(s + f).lower().replace(' ', '')}_{int(n) + more}_9{n}_scale.py": SOURCE for f, s, _, n in HERE}
    reading = read(tree(tmp_path, files, "hw"), listed)
    assert {e.student for e in reading.entries} == LOGINS
    assert reading.known is not None
    assert list(reading.known.absent) == ["nthere"]
    assert roster.read(listed).possible == possible.strip()


@pytest.mark.parametrize("called", ["{u}", "{u}@uni.edu", "{n}", "0{n}", "{f} {s}", "{s}_{f}", "{s}{f}", "{s}, {f}"])
@pytest.mark.parametrize("heading", [["学号", "姓", "名", "邮箱"], ["Matrikelnummer", "Nachname", "Vorname", "Mail"]])
def test_folders_are_found_by_whatever_they_are_called(tmp_path, called, heading):
    rows = [[n, s, f, f"{u}@uni.edu"] for f, s, u, n in PEOPLE]
    files = {f"{called.format(f=f, s=s, u=u, n=n)}/scale.py": SOURCE for f, s, u, n in HERE}
    reading = read(tree(tmp_path, files, "hw"), table(tmp_path / "list.csv", [heading, *rows]))
    assert reading.known is not None
    assert (len(reading.known.absent), list(reading.known.strangers)) == (1, [])
    lines = {e.person[heading[0]] for e in reading.entries}
    assert lines == {n for _, _, _, n in HERE}


def test_points_are_nobodys_number(tmp_path):
    """Somebody's number stands among another's points by chance."""
    rows = [[u, str(10 + k)] for k, (_, _, u, _) in enumerate(PEOPLE)]
    listed = table(tmp_path / "list.csv", [["Anmeldename", "Punkte"], *rows])
    files = {f"{u}/scale.py": SOURCE for u in LOGINS} | {"12/scale.py": SOURCE}
    reading = read(tree(tmp_path, files, "hw"), listed)
    assert reading.known is not None
    assert {e.student for e in reading.entries} == LOGINS | {"12"}
    assert list(reading.known.strangers) == ["12"]


def test_nobody_without_a_number_is_dropped_from_a_list(tmp_path):
    listed = table(tmp_path / "list.csv", [["ID number", "Email"], ["1", "a@x.y"], ["", "b@x.y"], ["3", "c@x.y"]])
    found = roster.read(listed)
    assert roster.called(found, found.lines) == ["1", "b@x.y", "3"]


def test_a_key_that_somebody_chose_is_what_people_are_called(tmp_path):
    listed = table(tmp_path / "list.csv", [["学号", "邮箱"], *([n, f"{u}@uni.edu"] for _, _, u, n in PEOPLE)])
    path = tree(tmp_path, {f"{n}/scale.py": SOURCE for _, _, _, n in HERE}, "hw")
    with contextlib.ExitStack() as held:
        found = downloads.read(path, COURSE, None, roster.read(listed, "邮箱"), held)
    assert {e.student for e in found.entries} == {f"{u}@uni.edu" for u in LOGINS}


def test_a_name_takes_no_line_from_whom_it_is_by_number(tmp_path):
    rows = [["Student/in", "ID"], *([f"{s}, {f}", n] for f, s, _, n in PEOPLE)]
    files = {"lovelaceada_1001_9001_scale.py": SOURCE, "lovelaceada_6666_9002_scale.py": OTHER}
    reading = read(tree(tmp_path, files, "hw"), table(tmp_path / "list.csv", rows))
    assert {e.student: e.refused for e in reading.entries} == {"1001": None, "lovelaceada_6666": None}


def test_lines_above_and_below_the_people_of_canvas(tmp_path):
    rows = [
        ["Student/in", "ID", "Abschnitt", "HA (7)"], ["", "", "", "Manuell"], ["    Mögliche Punkte", "", "", "6"],
        ["Lovelace, Ada", "1001", "A", ""], ["Turing, Alan", "1002", "A", ""], ["Student, Test", "9", "A", ""],
    ]  # fmt: skip
    found = roster.read(table(tmp_path / "list.csv", rows))
    assert ([line["ID"] for line in found.lines], found.possible) == (["1001", "1002"], "Mögliche Punkte")
    plain = roster.read(table(tmp_path / "plain.csv", [["Name", "Login"], ["Ann", ""], ["Bob", "bob"], ["Cem", "cem"]]))
    assert roster.called(plain, plain.lines) == ["Ann", "bob", "cem"]
    tested = roster.read(table(tmp_path / "t.csv", [rows[0], rows[5], rows[3]]))
    assert ([line["ID"] for line in tested.lines], tested.possible) == (["1001"], "")


# --match -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("heading", [[], [["folder", "login"]], [["提交", "学号"]]])
def test_a_table_says_whose_each_is(tmp_path, heading):
    files = {f"hw1__{n}__x/scale.py": SOURCE for _, _, _, n in HERE}
    match = table(tmp_path / "m.csv", [*heading, *([u, f"hw1__{n}__x"] for _, _, u, n in HERE)])
    assert {e.student for e in read(tree(tmp_path, files, "hw"), match=str(match)).entries} == LOGINS


def test_a_regular_expression_says_whose_each_is(tmp_path):
    files = {f"hw1__{n}__x/scale.py": SOURCE for _, _, _, n in HERE}
    listed = table(tmp_path / "list.csv", [["登录名", "学号"], *([u, n] for _, _, u, n in PEOPLE)])
    path = tree(tmp_path, files, "hw")
    assert {e.student for e in read(path, match=r"__(\d+)__").entries} == {n for _, _, _, n in HERE}
    assert {e.student for e in read(path, listed, match=r"__(\d+)__").entries} == LOGINS


@pytest.mark.parametrize(
    ("match", "message"),
    [("nothing(.)", "fits none of 1 submissions, called like 'ada'"), ("(", "neither a file nor a regular expression"),
     ("ada", "needs one group in parentheses"), ("none.csv", "none.csv: cannot be read")],
)  # fmt: skip
def test_a_match_that_is_none(tmp_path, match, message):
    with pytest.raises(CourseError) as error:
        read(tree(tmp_path, {"ada/scale.py": SOURCE}, "hw"), match=match)
    assert message in str(error.value)


# Groups --------------------------------------------------------------------------------------------------------------

GROUPS = {
    "Canvas's": [["name", "canvas_user_id", "login_id", "group_name"],
                 *([f"{f} {s}", n, u, "Team Red" if n < "1003" else "Team Blue"] for f, s, u, n in HERE)],
    "a line a group": [["组名", "1", "2", "3"], ["Team Red", "ada", "jmueller", ""],
                       ["Team Blue", "wangw", "jgarcia"]],
    "a line a person": [["组", "登录名"], *(["Team Red" if n < "1003" else "Team Blue", u] for _, _, u, n in HERE)],
}  # fmt: skip
TEAMS = {
    "Canvas": {"teamred_1001_9001_scale.py": SOURCE, "teamblue_1004_9002_scale.py": OTHER},
    "Moodle": {"Team Red_20001_assignsubmission_file_/scale.py": SOURCE,
               "Team Blue_20002_assignsubmission_file_/scale.py": OTHER},
    "folders": {"Team Red/scale.py": SOURCE, "Team Blue/scale.py": OTHER},
}  # fmt: skip


@pytest.mark.parametrize("groups", GROUPS)
@pytest.mark.parametrize("platform", TEAMS)
@pytest.mark.parametrize("listed", ["with a class list", "without"])
def test_a_groups_submission_counts_for_all_its_members(tmp_path, groups, platform, listed):
    rows = [["Student/in", "ID", "Anmelde-ID"], *([f"{s}, {f}", n, u] for f, s, u, n in PEOPLE)]
    people = table(tmp_path / "list.csv", rows) if listed == "with a class list" else None
    path = tree(tmp_path, TEAMS[platform], "hw")
    reading = read(path, people, groups=table(tmp_path / "groups.csv", GROUPS[groups]))
    assert said(reading) == {u: ["handed in by 2 people together"] for u in LOGINS}
    work = {e.student: e.load(COURSE).sources["scale"].text for e in reading.entries}
    assert work == {"ada": SOURCE, "jmueller": SOURCE, "wangw": OTHER, "jgarcia": OTHER}


def test_a_group_that_match_names_counts_for_its_members(tmp_path):
    files = {"hw1-Team Red-x/scale.py": SOURCE, "hw1-Team Blue-x/scale.py": OTHER}
    groups = table(tmp_path / "groups.csv", GROUPS["a line a group"])
    found = read(tree(tmp_path, files, "hw"), match="hw1-(.+)-x", groups=groups)
    assert {e.student for e in found.entries} == LOGINS


def test_a_group_that_counts_for_one_is_told(tmp_path):
    people = table(tmp_path / "list.csv", [["Schüler", "ID"], *([f"{s}, {f}", n] for f, s, _, n in PEOPLE)])
    reading = read(tree(tmp_path, TEAMS["Canvas"] | {"lovelaceada_1001_9009_pair.py": ""}, "hw"), people)
    assert ["handed in as teamblue; if that is a group, --groups says for whom it counts"] in said(reading).values()


def test_groups_of_other_people_are_an_error(tmp_path):
    with pytest.raises(CourseError, match="none of its columns"):
        read(tree(tmp_path, {"x/scale.py": SOURCE}, "hw"), groups=table(tmp_path / "g.csv", GROUPS["a line a group"]))


def test_moodles_files_of_one_group_carry_its_name_before_the_members(tmp_path):
    files = {f"Team Red-{f} {s}_2{n}_assignsubmission_file_/scale.py": SOURCE for f, s, _, n in HERE}
    people = table(tmp_path / "list.csv", [["Name", "Login"], *([f"{f} {s}", u] for f, s, u, _ in PEOPLE)])
    assert {e.student for e in read(tree(tmp_path, files, "hw"), people).entries} == LOGINS


# Attempts ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second"),
    [("Oct 1, 2026 1158 PM", "Oct 2, 2026 958 AM"), ("1 October, 2026 11:58 PM", "2 October, 2026 9:58 AM"),
     ("1. Okt. 2026 2358", "2. Okt. 2026 958"), ("2026年10月1日 2358", "2026年10月2日 958")],
)  # fmt: skip
@pytest.mark.parametrize("form", ["/scale.py", " - scale.py"])
def test_brightspace_two_attempts_of_one_person_are_one_person(tmp_path, first, second, form):
    files = {f"{n}-5001 - {f} {s} - {first}{form}": OTHER for f, s, _, n in HERE}
    files |= {f"1001-5001 - Ada Lovelace - {second}{form}": SOURCE, "1009-5001 - Ada Lovelace - " + first + form: OTHER}
    reading = read(tree(tmp_path, files | {"index.html": ""}, "hw"))
    assert (reading.format, reading.others, len(reading.entries)) == ("brightspace", (), 5)
    ada = next(e for e in reading.entries if e.student == "Ada Lovelace_1001")
    assert said(reading)[ada.student] == ["1 earlier submissions; the last one counts"]
    assert ada.load(COURSE).sources["scale"].text == SOURCE


@pytest.mark.parametrize("notes", ["with notes", "without"])
def test_blackboards_notes_are_nobodys_submission(tmp_path, notes):
    files = {f"HW_1_{u}_attempt_2026-10-01-23-58-00_scale.py": OTHER for _, _, u, _ in HERE}
    files |= {"HW_1_ada_attempt_2026-10-02-23-58-00_scale.py": SOURCE}
    if notes == "with notes":
        files |= {
            f"HW_1_{u}_attempt_2026-10-01-23-58-00.txt": f"Name: {f} {s} ({u})\nAssignment: HW_1\n\nComments:\n"
            "def scale(x):\n    return x\n" for f, s, u, _ in HERE
        }  # fmt: skip
    reading = read(tree(tmp_path, files, "gradebook_ML_HW_1"))
    assert (reading.format, reading.others) == ("blackboard", ())
    assert {e.student for e in reading.entries} == LOGINS
    ada = next(e for e in reading.entries if e.student == "ada")
    assert (ada.load(COURSE).sources["scale"].text, said(reading)["ada"]) == (
        SOURCE, ["1 earlier submissions; the last one counts"],
    )  # fmt: skip


def test_blackboard_nobody_hands_in_for_another_by_a_note(tmp_path):
    files = {f"HW_1_{u}_attempt_2026-10-01-23-58-00_scale.py": SOURCE for u in ("ada", "eve")}
    files["HW_1_eve_attempt_2026-10-01-23-58-00.txt"] = "Name: Ada Lovelace (ada)\n"
    files["HW_1_eve_attempt_2026-10-01-23-58-00_HW_1_ada_attempt_2026-10-05-23-58-00_scale.py"] = OTHER
    reading = read(tree(tmp_path, files, "gradebook"))
    assert said(reading) == {"ada": [], "eve": []}
    assert reading.entries[0].load(COURSE).sources["scale"].text == SOURCE


@pytest.mark.parametrize("word", ["Version ", "版本 ", "version_"])
def test_teams_of_several_versions_the_last_counts(tmp_path, word):
    files = {f"Submitted files/{u}/HW 1/{word}{n}/scale.py": OTHER for u in LOGINS for n in (1, 2)}
    files |= {f"Submitted files/{u}/HW 1/{word}10/scale.py": SOURCE for u in LOGINS}
    reading = read(tree(tmp_path, files, "download"))
    assert {e.student for e in reading.entries} == LOGINS
    for entry in reading.entries:
        found = entry.load(COURSE)
        assert found.sources["scale"].text == SOURCE
        assert f"{word}2 came before {word}10; the last one counts" in found.reason().to("en")
