"""Reports of format 1, which held sentences in one language: read, and written for programs that want sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from grader.report.report import Check, ExerciseReport, Report

TEXTS = {"title", "reason", "message", "name", "values"}


def upgraded(report: Mapping[str, Any]) -> dict[str, Any]:
    """The builtins of a report of format 1 as those of format 2: each sentence is its own key. Whether one holds values
    nobody can tell, so that below full feedback what is wrong is not said.
    """
    exercises = {name: [_raised(e) for e in report.get(name, ())] for name in ("exercises", "marks")}
    raised = {**report, "format": 2, **exercises}
    devices = {name: _text(state) for name, state in report["environment"]["devices"].items()}
    return _said(raised) | {"environment": {**report["environment"], "devices": devices}}


def _raised(exercise: Mapping[str, Any]) -> dict[str, Any]:
    checks = [_check_raised(c) for c in exercise["checks"]]
    diagnoses, remarks = [_said(d, "message") for d in exercise["diagnoses"]], exercise.get("remarks", ())
    parts = {"checks": checks, "diagnoses": diagnoses, "remarks": [_text(r) for r in remarks]}
    return _said(exercise, "reason" if exercise["status"] == "failed" else "") | parts


def _check_raised(check: Mapping[str, Any]) -> dict[str, Any]:
    open_to_all = check["verdict"] == "skipped" or check.get("graded", False)
    picture = {"picture": _said(check["picture"])} if check.get("picture") else {}
    return _said(check, "" if open_to_all else "reason") | picture


def _said(part: Mapping[str, Any], withheld: str = "") -> dict[str, Any]:
    """The part with its sentences as texts; the one that is withheld is said at full feedback only."""
    return {
        key: _text(value, key == withheld) if key in TEXTS and value is not None else value
        for key, value in part.items()
    }


def _text(sentence: str, withheld: bool = False) -> dict[str, str]:
    return {"key": sentence} | ({"hint": ""} if withheld else {})


def in_words(report: Report, lang: str) -> dict[str, Any]:
    """A report with sentences in one language, in the fields of format 1."""
    said: dict[str, Any] = msgspec.json.decode(report.to_json())
    said |= {"format": 1, "reason": report.reason.to(lang) if report.reason else None}
    said["environment"]["devices"] = {name: state.to(lang) for name, state in report.environment.devices.items()}
    for part, exercises in (("exercises", report.exercises), ("marks", report.marks)):
        if part in said:
            said[part] = [_exercise(e, b, lang) for e, b in zip(exercises, said[part], strict=True)]
    return said


def _exercise(exercise: ExerciseReport, said: dict[str, Any], lang: str) -> dict[str, Any]:
    checks = [_check(c, b, lang) for c, b in zip(exercise.checks, said["checks"], strict=True)]
    diagnoses = [
        {**b, "message": d.message.to(lang)} for d, b in zip(exercise.diagnoses, said["diagnoses"], strict=True)
    ]
    texts: dict[str, Any] = {"reason": exercise.reason.to(lang) if exercise.reason else None}
    if exercise.remarks:
        texts["remarks"] = [r.to(lang) for r in exercise.remarks]
    if exercise.decided:
        texts["decided"] = {**said["decided"], "said": [t.to(lang) for t in exercise.decided.said]}
    return said | texts | {"checks": checks, "diagnoses": diagnoses}


def _check(check: Check, said: dict[str, Any], lang: str) -> dict[str, Any]:
    values = said.pop("values", None) and "\n" + check.values.to(lang)
    said |= {"title": check.title.to(lang), "reason": check.reason.to(lang) + (values or ""), "seconds": check.seconds}
    if check.picture:
        said["picture"] = {**said["picture"], "name": check.picture.name.to(lang)}
    return said
