"""What a batch shows while it runs: nobody is left out, and a script can read it."""

from __future__ import annotations

import json

import pytest

from grader.rendering.terminal import batch_progress
from grader.report.summary import NOT_STARTED, OF, Fault, Row
from grader.texts import plain


def row(student: str, status: str = "graded") -> Row:
    remarks = (OF.format(exercise="pair", said=NOT_STARTED), plain("and more"))
    return Row(student, status, None, 3.0, 6.0, {"scale": 3.0}, remarks, "source=1")


OUTCOMES = [row("ann"), row("bob", "rejected"), Fault("eve", "no memory"), row("zoë")]


def test_lines_count_what_came():
    said: list[str] = []
    assert list(batch_progress.lines(iter(OUTCOMES), len(OUTCOMES), said.append)) == OUTCOMES
    (last,) = said
    assert last.startswith("graded 4 of 4: 1 rejected, 1 faults, ")


def test_a_line_from_time_to_time(monkeypatch):
    monkeypatch.setattr(batch_progress, "SECONDS", 0.0)
    said: list[str] = []
    list(batch_progress.lines(iter(OUTCOMES), len(OUTCOMES), said.append))
    assert [line.partition(":")[0] for line in said] == [f"graded {n} of 4" for n in (1, 2, 3, 4)]


def test_a_line_of_json_for_each():
    said: list[str] = []
    assert list(batch_progress.json_lines(iter(OUTCOMES), said.append, "zh")) == OUTCOMES
    found = [json.loads(line) for line in said]
    assert [f["student"] for f in found] == ["ann", "bob", "eve", "zoë"]
    assert found[2] == {"student": "eve", "reason": "no memory"}
    assert "zoë" in said[3]
    assert found[0]["notable"] == f"pair: {NOT_STARTED.to('zh')}; and more"


def test_a_bar_passes_all_outcomes_on(capsys):
    assert list(batch_progress.bar(iter(OUTCOMES), len(OUTCOMES))) == OUTCOMES
    assert "4/4" in capsys.readouterr().err


@pytest.mark.parametrize("show", [batch_progress.lines, batch_progress.bar])
def test_an_empty_batch(show):
    arguments = [iter([]), 0] + ([print] if show is batch_progress.lines else [])
    assert list(show(*arguments)) == []
