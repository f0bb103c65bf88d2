"""Whole reports, compared by equality: what is found in each kind of submission.

`golden/<case>/submission/` is the submission, `golden/<case>/expected.json` its report. After a change that is
meant to alter reports, write them anew and read the difference before committing it:

    python -m pytest tests/kit/test_golden.py --regenerate
    git diff tests/kit/golden
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from grader.batch.grading_processes import GradingProcess
from grader.intake import load

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")

GOLDEN = Path(__file__).parent / "golden"
CASES = sorted(p.parent.name for p in GOLDEN.glob("*/submission"))
SEED = 7


def stable(text: str) -> dict[str, Any]:
    """The report without what differs from run to run and from machine to machine."""
    report: dict[str, Any] = json.loads(text)
    report["fingerprint"] = report["environment"] = "masked"
    for exercise in report["exercises"]:
        for check in exercise["checks"]:
            del check["seconds"]
    return report


@pytest.mark.parametrize("case", CASES)
def test_report(case, toy, process: GradingProcess, request):
    submission = load(GOLDEN / case / "submission", toy)
    found = stable(process.grade(submission, "", SEED))
    expected = GOLDEN / case / "expected.json"
    if request.config.getoption("--regenerate"):
        expected.write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    assert found == json.loads(expected.read_text(encoding="utf-8"))


def test_every_kind_of_ending_is_there():
    """The cases together show each status, each verdict but `skipped`, and a diagnosis."""
    reports = [json.loads((GOLDEN / case / "expected.json").read_text(encoding="utf-8")) for case in CASES]
    exercises = [e for r in reports for e in r["exercises"]]
    assert {e["status"] for e in exercises} == {"passed", "failed", "rejected", "missing"}
    assert {c["verdict"] for e in exercises for c in e["checks"]} >= {"passed", "failed", "timeout", "crashed"}
    assert {d["misconception"] for e in exercises for d in e["diagnoses"]} >= {"scale/adds_instead", "pair/swapped"}
