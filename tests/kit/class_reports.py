"""A class of four reports, made up: one right, two wrong in the same way, one rejected."""

from __future__ import annotations

import re
from pathlib import Path

from grader.intake import Source, Submission
from grader.report.report import Check, Diagnosis, Environment, ExerciseReport, Picture, Report, total
from grader.texts import Text, plain

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>&lt;b&gt;\u2028{{7*7}}\"'><!--"
ENVIRONMENT = Environment("kit", "3.11", "2.13", {"cpu": plain("ran"), "cuda": plain("no CUDA device")}, ("landlock",))
ADDS = "The factor is added instead of multiplied."  # the toy course's own words for scale/adds_instead
TITLE = "Every entry is multiplied by the factor."
DUE, CAME = [[0.1, 0.2, 0.7], [1.0, 0.0, -2.5]], [[0.1, 0.5, 0.7], ["nan", 0.0, "inf"]]
PICTURE = Picture(plain("the result"), [2, 3], DUE, CAME)
OFF_BY = Text("{part} is off by up to {difference} ({wrong} of {total} entries)").format(
    part=Text("the result"), difference="2", wrong=1, total=3
)
OFF = Text("{call}: {problem}").format(call="scale(x [3] float32)", problem=OFF_BY)


def check(id: str, verdict: str = "passed", reason: Text | str = "", title: str = TITLE, **more) -> Check:
    points = 1.0 if verdict == "passed" else 0.0
    return Check(**{"id": id, "title": plain(title), "verdict": verdict, "points": points, "max_points": 1.0,
                    "reason": text(reason), "seconds": 0.01, **more})  # fmt: skip


def text(said: Text | str) -> Text:
    return plain(said) if isinstance(said, str) else said


def right(id: str) -> ExerciseReport:
    return ExerciseReport(id, "passed", None, 2.0, 2.0, (check("test_values[cpu-float32]"), check("test_zero[cpu]")))


def wrong(id: str, reason: Text | str = OFF, **more) -> ExerciseReport:
    checks = (check("test_values[cpu-float32]", "failed", reason, **more), check("test_zero[cpu]"))
    found = (Diagnosis("scale/adds_instead", plain(ADDS), ("test_values[cpu-float32]",)),)
    return ExerciseReport(id, "failed", text(reason), 1.0, 2.0, checks, found, "printed")


def missing(id: str) -> ExerciseReport:
    return ExerciseReport(id, "missing", plain(f"{id}.py is missing"), 0.0, 2.0)


def report(student: str, *exercises: ExerciseReport, reason: str = "", **more) -> Report:
    score, most = (total(getattr(e, name) for e in exercises) for name in ("score", "max_score"))
    values = {"student": student, "status": "graded", "reason": None, "score": score, "max_score": most}
    values |= {"fingerprint": "source=1 suites=2", "environment": ENVIRONMENT, "exercises": exercises}
    values |= {"reason": plain(reason)} if reason else {}
    return Report(**values | more)


SMALL = (
    report("ann", right("scale"), right("pair")),
    report("bob", wrong("scale", picture=PICTURE), right("pair")),
    report("cem", wrong("scale"), missing("pair")),
    report("dee", status="rejected", reason="dee.zip is no readable zip file"),
)


def text_of(page: str) -> str:
    """What a page says, without tags, styles and scripts."""
    return " ".join(re.sub(r"<[^>]+>", " ", re.sub(r"(?s)<(style|script).*?</\1>", " ", page)).split())


def results_folder(folder: Path, *reports: Report) -> Path:
    """A RESULTS folder that holds the reports, as r0000.json, r0001.json, ..."""
    (folder / "reports").mkdir(exist_ok=True)
    for number, one in enumerate(reports):
        (folder / "reports" / f"r{number:04}.json").write_text(one.to_json(), encoding="utf-8")
    return folder


LONG = """def scale(x, factor=2.0):
    if factor == 0:
        raise ValueError("zero")
    rows = x.shape[0]
    wide = x.reshape(rows, -1)
    out = wide.clone()
    for row in range(rows):
        out[row] = wide[row] * factor
    return out.reshape(x.shape)
"""
STUB = "def scale(x, factor=2.0):\n    raise NotImplementedError\n"


def submissions(**sources: str) -> list[Submission]:
    return [Submission(name, {"scale": Source(text)}) for name, text in sources.items()]
