"""The record of a class: what people gave, who gave it and when, taken over from folders that older kits wrote."""

from __future__ import annotations

import concurrent.futures
import contextlib
import sqlite3
from pathlib import Path

import pytest

from grader.errors import CourseError, MachineError
from grader.report import Decision, GradedWith, Mark, Marks, essays, graded_with, oral_exam, record
from grader.report.oral_exam import Answered, Oral

MARKS = Marks({"ann": {"quiz/essay": Mark(1.5, "a gap", "3f")}}, {"quiz": 4.0}, "salt")
ORAL = Oral({"ann": (Answered(1, "scale", "Which line?", 1.0, 1.0, ""),)})
WITH = GradedWith(exercises=("scale",))


def lines(results: Path, columns: str) -> list[tuple[object, ...]]:
    with contextlib.closing(sqlite3.connect(results / record.FILE)) as database:
        return database.execute(f"SELECT {columns} FROM given ORDER BY number").fetchall()


def test_all_that_people_gave_is_in_one_file(tmp_path):
    essays.keep(tmp_path, MARKS)
    oral_exam.keep(tmp_path, ORAL)
    graded_with.write(tmp_path, WITH)
    record.add(tmp_path, Decision("scale", "a slip", "ann", points=3.0))
    assert [path.name for path in tmp_path.iterdir()] == [record.FILE]
    assert (essays.read(tmp_path), oral_exam.read(tmp_path), graded_with.read(tmp_path)) == (MARKS, ORAL, WITH)
    assert [d.points for d in record.read(tmp_path).holding] == [3.0]


def test_only_what_differs_is_written_and_nothing_is_lost(tmp_path):
    essays.keep(tmp_path, MARKS)
    before = lines(tmp_path, "number")
    essays.keep(tmp_path, MARKS)
    assert lines(tmp_path, "number") == before
    essays.keep(tmp_path, Marks({}, MARKS.worth, MARKS.salt))
    assert essays.read(tmp_path).marks == {}
    *_, (student, place, value, at, who) = lines(tmp_path, "student, place, value, at, who")
    assert (student, place, value) == ("ann", "quiz/essay", None)
    assert at
    assert who
    assert len(lines(tmp_path, "number")) == len(before) + 1


def test_a_folder_of_an_older_kit_is_taken_over(tmp_path):
    (tmp_path / "essays.json").write_text(
        '{"marks": {"ann": {"quiz/essay": {"points": 1.5, "comment": "a gap", "answer": "3f"}}},'
        ' "worth": {"quiz": 4}, "salt": "salt"}'
    )
    (tmp_path / "viva.json").write_text(
        '{"answered": {"ann": [{"question": 1, "exercise": "scale", "text": "Which line?", "points": 1, "most": 1,'
        ' "comment": ""}]}}'
    )
    (tmp_path / "graded_with.json").write_text('{"exercises": ["scale"]}')
    found = essays.read(tmp_path), oral_exam.read(tmp_path), graded_with.read(tmp_path)
    assert found == (MARKS, ORAL, WITH)
    assert not (tmp_path / record.FILE).exists()  # to read changes nothing
    essays.keep(tmp_path, found[0])
    oral_exam.keep(tmp_path, found[1])
    graded_with.write(tmp_path, found[2])
    assert [path.name for path in tmp_path.iterdir()] == [record.FILE]
    assert (essays.read(tmp_path), oral_exam.read(tmp_path), graded_with.read(tmp_path)) == found


def test_a_record_of_decisions_alone_is_taken_over(tmp_path):
    with contextlib.closing(sqlite3.connect(tmp_path / record.FILE)) as database, database:
        database.execute(record.STEPS[0])
        database.execute("PRAGMA user_version = 1")
        database.execute("INSERT INTO decisions VALUES (1, 't', 'me', 'ann', 'scale', '', 3, 'a slip', NULL)")
    essays.keep(tmp_path, MARKS)
    assert [d.reason for d in record.read(tmp_path).holding] == ["a slip"]
    assert essays.read(tmp_path) == MARKS


def test_many_may_write_at_once(tmp_path):
    def decide(number: int) -> None:
        record.add(tmp_path, Decision("scale", "a slip", f"student{number}", points=1.0))

    with concurrent.futures.ThreadPoolExecutor(8) as threads:
        list(threads.map(decide, range(40)))
    assert len(record.read(tmp_path).holding) == 40


def test_a_value_that_makes_no_sense_is_named(tmp_path):
    essays.keep(tmp_path, MARKS)
    with contextlib.closing(sqlite3.connect(tmp_path / record.FILE)) as database, database:
        database.execute("UPDATE given SET value = '3' WHERE student = 'ann'")
    with pytest.raises(MachineError, match=r"record.sqlite: essays cannot be read: .*; nothing was changed"):
        essays.read(tmp_path)


def test_a_newer_record_is_left_alone(tmp_path):
    essays.keep(tmp_path, MARKS)
    with contextlib.closing(sqlite3.connect(tmp_path / record.FILE)) as database:
        database.execute("PRAGMA user_version = 99")
    for write in (essays.keep, oral_exam.keep):
        with pytest.raises(CourseError, match="a newer version of the kit wrote it"):
            write(tmp_path, MARKS if write is essays.keep else ORAL)
