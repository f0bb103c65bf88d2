"""A class's sheets as a table: what comes back into the reports is what the sheets asked."""

from __future__ import annotations

import csv
import io

import pytest

from grader.report.oral_exam import CodeLine, Option, OralQuestion, OralSheet
from grader.texts import plain
from grader.viva import points_table

LINES = ("scores = scores.masked_fill(~mask, -math.inf)", "-x, '-math.inf'", "=HYPERLINK(1); @x", "x[..., -1] + y, +z")


def sheet(student: str, *changed: str) -> OralSheet:
    change = tuple(CodeLine("-" if n % 2 else "+", n, text) for n, text in enumerate(changed))
    options = tuple(Option(plain(text), text == "yes", plain("")) for text in ("yes", "no"))
    question = OralQuestion("change", "scale", plain("What changes with ~mask, -inf?"), change, options, True)
    return OralSheet(student, 1, (question,), {}, ())


@pytest.mark.parametrize("student", ["ann", "=1+1", "a;@b, -c", "'quoted'"])
def test_questions_and_comments_come_back_as_they_were(tmp_path, student):
    (row,) = csv.DictReader(io.StringIO(points_table.table([sheet(student, *LINES)], "en")))
    row |= {"points": "0.5", "comment": "'t was nearly right"}
    out = io.StringIO()
    writer = csv.DictWriter(out, row, delimiter=";")
    writer.writeheader()
    writer.writerow(row)
    (tmp_path / "viva.csv").write_text(out.getvalue(), encoding="utf-8")
    (answered,) = points_table.taken(tmp_path / "viva.csv", [student])[student]
    said = [f"{'-' if n % 2 else '+'} {text}" for n, text in enumerate(LINES)]
    assert answered.text == " | ".join(["What changes with ~mask, -inf?", *said])
    assert (answered.points, answered.comment) == (0.5, "'t was nearly right")
