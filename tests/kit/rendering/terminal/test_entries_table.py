"""What `--dry-run` shows: who, when, which files, and all that is odd about them; nobody is left out."""

from __future__ import annotations

import contextlib
import datetime
import json
from collections.abc import Sequence

import pytest
from handed_in import COURSE, OTHER, SOURCE, folder, tree
from screens import on_screen

from grader.intake import Source, Submission, downloads, submission
from grader.intake.entries import Entry
from grader.rendering.terminal import entries_table
from grader.texts import plain


def shown(
    reading: downloads.Reading, lang: str = "en", guessed: bool = False, wanted: Sequence[str] = COURSE.sources
) -> str:
    screen, out = on_screen(lang, width=200)
    entries_table.show(screen, reading, COURSE, wanted, guessed)
    return out.getvalue()


def lines(text: str) -> dict[str, str]:
    """The table's lines, by their first words."""
    return {line.split()[0]: " ".join(line.split()) for line in text.splitlines() if line.strip()}


@pytest.fixture
def reading(tmp_path) -> downloads.Reading:
    folder(tmp_path, "ann", scale=SOURCE, pair="p = 1\n")
    tree(tmp_path, {"Scale (1).py": SOURCE, "notes.txt": ""}, "bob")
    tree(tmp_path, {"scale.py": SOURCE, "old/scale.py": OTHER}, "cem")
    folder(tmp_path, "dee")
    (tmp_path / "notes.txt").touch()
    with contextlib.ExitStack() as held:
        return downloads.read(tmp_path, COURSE, None, None, held)


def test_everybody_is_in_the_table(reading):
    text = shown(reading, guessed=True)
    assert "Read as folder: 4 submissions." in text
    assert "If this is wrong, name the kind of download with --from." in text
    found = lines(text)
    assert found["ann"] == "ann scale.py, pair.py"
    assert found["bob"] == "bob scale.py scale.py is Scale (1).py; not read: notes.txt"
    assert found["cem"].startswith(
        "cem none scale.py and old/scale.py could both be scale.py; hand in one file of that name"
    )
    assert found["dee"] == f"dee none {submission.EMPTY.to('en')}"
    assert "Skipped, because no student could be found for: notes.txt" in text


def test_it_is_about_what_is_to_be_graded(reading):
    found = lines(shown(reading, wanted=["pair"]))
    assert found["ann"] == "ann pair.py"
    assert found["bob"] == "bob none not read: notes.txt"


def test_in_chinese(reading):
    text = shown(reading, "zh")
    assert "submissions" not in text
    assert "hand in" not in text
    assert "ann" in text


def test_time_name_and_remarks():
    when = datetime.datetime(2026, 10, 1, 23, 59, tzinfo=datetime.timezone.utc)
    entry = Entry(
        "s17", (), when, {"name": "Ada Lovelace"}, (plain("handed in twice"),), plain("nothing was handed in")
    )
    text = shown(downloads.Reading("canvas", (entry,)))
    assert "s17 (Ada Lovelace)" in text
    assert "2026-10-01 23:59+00:00" in text
    assert "handed in twice; nothing was handed in" in text


def test_a_name_is_one_line_and_no_markup():
    text = shown(downloads.Reading("folder", (Entry("[red]a\x1b\nb", (), refused=plain("x")),)))
    assert "[red]a??b" in text


def test_a_row_stays_short_whatever_is_missing(tmp_path):
    """A course has fifty exercises; a notebook for one of them does not lack the others."""
    work = {"cell_type": "code", "metadata": {}, "source": SOURCE}
    tree(tmp_path, {"hw.ipynb": json.dumps({"cells": [work], "metadata": {}})}, "ann")
    tree(tmp_path, {"scale.py": SOURCE.encode("utf-16")[1:], "pair.py": b"# \xff"}, "bob")
    with contextlib.ExitStack() as held:
        found = lines(shown(downloads.read(tmp_path, COURSE, None, None, held)))
    assert found["ann"] == "ann scale.py scale.py is hw.ipynb"
    assert found["bob"].count("null bytes") == 1
    assert "pair.py" not in found["bob"], "why nothing counts is said once"


def test_of_many_reasons_the_first_are_shown(monkeypatch):
    bad = {f"e{n}": Source(refused=plain(f"e{n}.py is odd")) for n in range(9)}
    monkeypatch.setattr(Entry, "load", lambda *_: Submission("ann", {**bad, "scale": Source(SOURCE)}))
    found = lines(shown(downloads.Reading("folder", (Entry("ann", ()),)), wanted=[*bad, "scale"]))
    assert found["ann"].endswith("e5.py is odd; +3")
