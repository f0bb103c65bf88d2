"""One grading is read in every language and at every level of feedback, reports of an older kit too."""

from __future__ import annotations

import csv
import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from grader.report import Report, in_words
from grader.report.feedback import LEVELS

CHINESE = re.compile(r"[\u4e00-\u9fff]")
OLD = Path(__file__).parents[1] / "report" / "format_1"
POINTS = ("score", "max_score", "points", "max_points", "verdict", "status")


def points(data: Any) -> Any:
    """All that counts in a report, in its order."""
    if isinstance(data, list):
        return [points(item) for item in data]
    if not isinstance(data, dict):
        return None
    return [(k, v if k in POINTS else points(v)) for k, v in data.items() if k in (*POINTS, "exercises", "checks")]


def held(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (folder / "reports").iterdir()}


@pytest.fixture
def read(grader, tmp_path):
    """`read(results, level, lang)`: each report in words, the pages and the exports."""

    def run(results: Path, level: str, lang: str, **more) -> tuple[dict[str, Any], dict[str, str]]:
        out, shown = tmp_path / f"{results.name}-{level}-{lang}", ("--feedback", level, "--lang", lang)
        assert grader("report", results, "--json", out, *shown, **more)[0] == 0
        assert grader("report", results, "--pages", *shown, **more)[0] == 0
        for to in ("csv", "gradescope", "junit"):
            assert grader("export", results, "--to", to, "--out", out / to, *shown, **more)[0] in (0, 1)
        files = [*results.glob("*.html"), *(results / "pages").iterdir(), *(p for p in out.rglob("*") if p.is_file())]
        said = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in out.glob("*.json")}
        return said, {path.name: path.read_text(encoding="utf-8") for path in files}

    return run


@pytest.fixture
def exam(grader, students, toy_copy, tmp_path):
    """A class, graded while its course told verdicts only."""
    course = toy_copy / "course.yaml"
    course.write_text(f"feedback: verdict\n{course.read_text(encoding='utf-8')}", encoding="utf-8")
    grader("grade", students, "--out", tmp_path / "results", "--lang", "en", course=toy_copy)
    return tmp_path / "results"


def test_a_class_that_was_graded_once_is_read_in_two_languages_and_at_three_levels(exam, read, toy_copy):
    before = held(exam)
    found = {
        (lang, level): read(exam, level, lang, course=toy_copy)[0] for lang in ("en", "zh") for level in LEVELS
    }  # fmt: skip
    assert held(exam) == before
    graded = {name.removesuffix(".json"): points(json.loads(text)) for name, text in before.items()}
    for said in found.values():
        assert {name: points(report) for name, report in said.items()} == graded
    for (lang, _), said in found.items():
        assert bool(CHINESE.search(json.dumps(said, ensure_ascii=False))) == (lang == "zh")
    bob = {key: said["bob"]["exercises"][0] for key, said in found.items()}
    assert {key for key, scale in bob.items() if scale["diagnoses"]} == {k for k in bob if k[1] != "verdict"}
    for lang, word in (("en", "\ninput:"), ("zh", "\n输入")):
        shown = {key for key, scale in bob.items() if any(word in check["reason"] for check in scale["checks"])}
        assert shown == {(lang, "full")}
    assert found["zh", "full"]["bob"]["exercises"][0]["diagnoses"][0]["message"] == "加上了因子,而不是乘以因子。"
    for lang in ("en", "zh"):
        assert bob[lang, "verdict"]["reason"] is None
        assert all(not check["reason"] for check in bob[lang, "verdict"]["checks"])


def test_an_exam_is_released_without_grading(exam, read, toy_copy):
    hidden, released = (read(exam, level, "en", course=toy_copy)[1] for level in ("verdict", "full"))
    told = r"at \[\d\] it is"
    assert {name for name, text in released.items() if re.search(told, text)} >= {"bob.json", "bob.html", "bob.xml"}
    assert {name for name, text in hidden.items() if re.search(told, text)} == set()


def scores(name: str) -> list[float]:
    data = json.loads((OLD / f"{name}.json").read_text(encoding="utf-8"))
    return [data["score"], *(e["score"] for e in data["exercises"])]


@pytest.mark.parametrize(("name", "lang"), [("ann", "en"), ("bob", "zh")])
def test_a_report_of_format_1_says_what_it_said(name, lang):
    """In the language that its sentences were written in."""
    data = json.loads((OLD / f"{name}.json").read_text(encoding="utf-8"))
    report = Report.from_json(json.dumps(data))
    if lang == "zh":  # the names of states were English in every report
        data["environment"]["devices"] = {"cpu": "已运行", "cuda": "没有 CUDA 设备"}
    assert json.loads(json.dumps(in_words(report, lang))) == data
    assert Report.from_json(report.to_json()) == report


@pytest.mark.parametrize("level", LEVELS)
def test_reports_of_format_1_are_shown_and_exported_with_their_points(read, tmp_path, level):
    results = tmp_path / "results"
    shutil.copytree(OLD, results / "reports")
    said, files = read(results, level, "en")
    assert {name: [r["score"], *(e["score"] for e in r["exercises"])] for name, r in said.items()} == {
        name: scores(name) for name in ("ann", "bob")
    }
    lines = {line["student"]: line for line in csv.DictReader(files["grades.csv"].lstrip("\ufeff").splitlines())}
    assert {who: [float(line[c]) for c in ("score", "scale", "pair")] for who, line in lines.items()} == {
        name: scores(name) for name in ("ann", "bob")
    }
    told = {name for name, text in files.items() if "is off by up to" in text}
    assert told == ({"ann.json", "ann.html", "ann.xml", "index.html"} if level == "full" else set())


BROKEN = {
    "a newer format": ('"format": 1', '"format": 3', "a report of format 3, which a newer version of the kit wrote"),
    "an unknown verdict": ('"verdict": "failed"', '"verdict": "odd"', r"not a report: Invalid enum value 'odd' - at"),
    "half a report": ('"exercises"', '"exercise', "not a report: "),
}


@pytest.mark.parametrize("case", BROKEN)
def test_what_is_no_report_is_named_in_one_sentence(grader, tmp_path, case):
    was, becomes, why = BROKEN[case]
    (tmp_path / "reports").mkdir()
    path = tmp_path / "reports" / "ann.json"
    path.write_text((OLD / "ann.json").read_text(encoding="utf-8").replace(was, becomes), encoding="utf-8")
    code, out, error = grader("report", tmp_path, "--student", "ann")
    assert (code, out) == (2, "")
    assert len(error.splitlines()) == 1
    code, out, error = grader("report", tmp_path, "--json", tmp_path / "json")
    assert (code, out) == (1, f"wrote 0 files in {tmp_path / 'json'}\n")
    assert len(error.splitlines()) == 1
    code, _, error = grader("report", path)
    assert code == 2
    assert f"{path}: cannot be shown: " in error
    assert why in error
    code, out, _ = grader("report", tmp_path)
    assert code == 1
    assert "ann.json" in (tmp_path / "index.html").read_text(encoding="utf-8")
    code, out, _ = grader("export", tmp_path, "--to", "csv")
    assert code == 1
    assert f"1 no report, so left out: ann.json: {why}" in out
