"""Reads and writes reports of format 1, which hold sentences in one language, for programs that want sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from grader.texts import Text

if TYPE_CHECKING:
    from grader.report.report import Report

TEXTS = {"title", "reason", "message", "name", "values"}


def upgraded(report: Mapping[str, Any]) -> dict[str, Any]:
    """Convert the builtins of a report of format 1 to format 2: each sentence is its own key. It is not known whether a
    sentence holds values, so reasons are hidden below full feedback.
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
    """Return the part with its sentences as texts; the withheld one shows at full feedback only."""
    return {
        key: _text(value, key == withheld) if key in TEXTS and value is not None else value
        for key, value in part.items()
    }


def _text(sentence: str, withheld: bool = False) -> dict[str, str]:
    return {"key": sentence} | ({"hint": ""} if withheld else {})


def in_words(report: Report, lang: str) -> dict[str, Any]:
    """Return a report with sentences in one language, in the fields of format 1."""
    said: dict[str, Any] = _in_words(report, msgspec.json.decode(report.to_json()), lang)
    return said | {"format": 1}


def _in_words(part: Any, built: Any, lang: str) -> Any:
    """Turn the texts in the builtins of a report's part into sentences; a check has its values after its reason."""
    if isinstance(part, Text):
        return part.to(lang)
    if isinstance(part, list | tuple):
        return [_in_words(p, b, lang) for p, b in zip(part, built, strict=True)]
    if isinstance(part, dict):
        return {name: _in_words(p, built[name], lang) for name, p in part.items()}
    if not isinstance(part, msgspec.Struct):
        return built
    parts = {name: getattr(part, name, None) for name in built}
    said = {name: _in_words(p, built[name], lang) for name, p in parts.items()}
    if "verdict" in said:
        check: Any = part
        said.pop("values", None)
        values = f"\n{check.values.to(lang)}" if check.values else ""
        said |= {"reason": check.reason.to(lang) + values, "seconds": check.seconds}
    return said
