"""The student's copy works on its own and gives nothing away, nor do its forms for GitHub and Gradescope."""

from __future__ import annotations

import datetime
import io
import json
import os
import shlex
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import yaml

from grader.course import course as courses
from grader.intake import load

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[3]
GRADER = [sys.executable, "-m", "grader"]
UNITS = ("core", "I")
NO_EXAMPLE = {  # no call is small enough to show, or what is called is an object
    "softmax_inverse", "score_stats", "norm_detective", "counterexample", "mha_module", "minimind_module", "int8_cache",
    "tiny_lm",
}  # fmt: skip


def run(*arguments: object, cwd: Path, **more: object) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(cwd if (cwd / "grader").is_dir() else ROOT)}
    command = [*GRADER, *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=300, **more)


@pytest.fixture(scope="module")
def teacher(run_here):
    """`teacher("release", ...)` is a command of a teacher or a student on the course itself, not on a copy of it."""
    return lambda *arguments: run_here(*arguments, "--course", ROOT)


@pytest.fixture(scope="module")
def released(teacher, tmp_path_factory):
    """Each format, for two units; and the whole course as a kit."""
    made = {"whole": tmp_path_factory.mktemp("whole")}
    assert teacher("release", "--format", "kit", "--to", made["whole"]).returncode == 0
    for form in ("kit", "github", "classroom50", "gradescope"):
        to = made[form] = tmp_path_factory.mktemp(form)
        units = [word for unit in UNITS for word in ("--unit", unit)]
        done = teacher("release", "--format", form, "--to", to, *units)
        assert done.returncode == 0, done.stderr
    return made


@pytest.fixture
def kit(released, tmp_path):
    """A copy of one's own of the student's copy."""
    shutil.copytree(released["kit"], tmp_path / "kit", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path / "kit"


@pytest.mark.parametrize("form", ["kit", "github", "classroom50"])
def test_nothing_is_given_away(released, form):
    """No line of a solution or of a hidden suite, other than what anyone would write, is in what students get."""
    text = "\n".join(
        p.read_text(encoding="utf-8") for p in released[form].rglob("*") if p.suffix in (".py", ".yaml", ".md")
    )
    ours = [*(ROOT / "solutions").glob("*"), *(ROOT / "tests" / "hidden").glob("*.py")]
    stubs = "\n".join(p.read_text(encoding="utf-8") for p in (ROOT / "exercises").glob("*"))
    for path in (p for p in ours if p.is_file()):
        for line in path.read_text(encoding="utf-8").splitlines():
            telling = "misconception" in line or line.strip().startswith(("return ", "weights", "scores", "golden."))
            if telling and len(line.strip()) > 30 and line not in stubs:
                assert line not in text, f"{path.name}: {line}"
    assert not list(released[form].rglob("solutions")) + list(released[form].rglob("hidden"))


def test_its_catalogue_says_nothing_of_mistakes_or_checks(released):
    """It has what the copy itself says; the course's has what hidden suites say too, and where."""
    (path,) = released["whole"].glob("languages/*.po")
    text, whole = path.read_text(encoding="utf-8"), (ROOT / "languages" / "zh.po").read_text(encoding="utf-8")
    for hidden in ("The scores are not scaled. Divide by", "is read the wrong way round. Here True", "tests/hidden"):
        assert hidden in whole
        assert hidden not in text
    for said in ("Scaled dot-product attention", "Softmax along any dimension", "What weights does softmax give them"):
        assert said in text


def test_right_solutions_pass_the_visible_examples(released):
    code = [e.id for e in courses.load(ROOT).exercises if e.kind == "code"]
    done = run("check", *code, "--dir", ROOT / "solutions", "--json", cwd=released["whole"])
    report = json.loads(done.stdout)
    assert done.returncode == 0, done.stderr
    assert {e["id"] for e in report["exercises"] if e["status"] == "waiting"} == NO_EXAMPLE
    assert {e["status"] for e in report["exercises"]} == {"passed", "waiting"}
    assert report["score"] == report["max_score"] >= 300


def test_stubs_pass_none(kit):
    done = run("check", "--json", cwd=kit)
    report = json.loads(done.stdout)
    assert report["score"] == 0
    assert done.returncode == 1


def test_the_learner_is_told_that_there_is_more(kit):
    assert "visible examples only" in run("check", "softmax", cwd=kit).stdout
    assert "以上只是可见示例" in run("check", "softmax", "--lang", "zh", cwd=kit).stdout


def test_a_wrong_softmax_is_shown_in_the_copy(kit):
    (kit / "exercises" / "softmax.py").write_text("def softmax(x, dim=-1):\n    return x.exp() / x.exp().sum()\n")
    done = run("check", "softmax", cwd=kit)
    assert done.returncode == 1
    assert "off by up to" in done.stdout
    assert "none of the known mistakes" not in done.stdout  # the copy knows none


def test_the_copy_holds_the_units_asked_for(kit):
    course = courses.load(kit)
    assert tuple(u.id for u in course.settings.units) == UNITS
    assert (kit / "exercises" / "answers.yaml").is_file()
    assert "questions_a" not in (kit / "exercises" / "answers.yaml").read_text(encoding="utf-8")


def test_release_twice_is_harmless_and_keeps_changed_files(released, teacher):
    kit = released["kit"]
    again = ["release", "--format", "kit", "--to", kit, "--unit", "core", "--unit", "I"]
    assert teacher(*again).returncode == 0
    stub = kit / "exercises" / "softmax.py"
    before = stub.read_text(encoding="utf-8")
    stub.write_text("mine", encoding="utf-8")
    refused = teacher(*again)
    assert refused.returncode == 2
    assert "softmax.py is there already and differs" in refused.stderr
    assert stub.read_text(encoding="utf-8") == "mine"
    stub.write_text(before, encoding="utf-8")


def test_the_workflow_checks_and_shows_a_summary(released, tmp_path):
    """Its own last two commands, run here: a table in Markdown in which nothing of a student's is markup."""
    repository = tmp_path / "repository"
    shutil.copytree(released["github"], repository)
    workflow = yaml.safe_load((repository / ".github/workflows/check.yml").read_text(encoding="utf-8"))
    steps = {step["name"]: step.get("run", "") for step in workflow["jobs"]["check"]["steps"]}
    wrong = "def softmax(x, dim=-1):\n    raise KeyError('<img src=x> | `a` \\n::stop-commands::x')\n"
    (repository / "exercises" / "softmax.py").write_text(wrong)
    environment = {**os.environ, "PYTHONPATH": str(repository), "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md")}
    python = shlex.quote(sys.executable)
    commands = {"grader": f"{python} -m grader", "python": python}
    for name in ("Check", "Show"):
        first, rest = steps[name].split(" ", 1)
        line = f"{commands[first]} {rest}"
        subprocess.run(["bash", "-ec", line], cwd=repository, env=environment, check=True, timeout=300)
    rows = (tmp_path / "summary.md").read_text(encoding="utf-8").splitlines()
    softmax = next(row for row in rows if row.startswith("| ✘ softmax"))
    assert len(softmax.replace("\\|", "").split("|")) == 5
    assert "KeyError" in softmax
    assert not {"<", "`", "::"} & set(softmax)
    assert len(rows) == 4 + len(courses.load(repository).exercises)


@pytest.mark.parametrize("layout", [".", "exercises", "work/attention"])
def test_classroom50_gets_its_result(released, tmp_path, layout):
    """The bundle in its folder, run as the runner runs it: in the student's checkout, whatever its layout."""
    bundle = tmp_path / "CS1" / "autograders" / "attention"
    shutil.copytree(released["classroom50"], bundle)
    checkout = tmp_path / "checkout"
    work = checkout / layout
    work.mkdir(parents=True)
    (checkout / "README.md").write_text("# mine")
    shutil.copy(ROOT / "solutions" / "softmax.py", work)
    facts = {"CLASSROOM": "CS1", "ASSIGNMENT": "attention", "SUBMISSION_TAG": "submission-3", "USERNAME": "ann"}
    facts |= {"COMMIT_URL": "https://c", "RELEASE_URL": "https://l", "REVIEW_URL": "https://v"}
    environment = {**os.environ, **facts, "GRADER_PYTHON": sys.executable, "PYTHONPATH": str(bundle / "kit")}
    script = [sys.executable, str(bundle / "autograder.py")]
    done = subprocess.run(script, cwd=checkout, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    result = json.loads((checkout / "result.json").read_text(encoding="utf-8"))
    assert {key: result[key] for key in ("schema", "classroom", "assignment", "submission", "commit", "review")} == {
        "schema": "classroom50/result/v1", "classroom": "CS1", "assignment": "attention", "submission": "submission-3",
        "commit": "https://c", "review": "https://v",
    }  # fmt: skip
    assert datetime.datetime.strptime(result["datetime"], "%Y-%m-%dT%H:%M:%SZ")
    tests = {test["test-name"]: test for test in result["tests"]}
    assert tests["softmax"]["passed"]
    assert tests["softmax"]["score"] == tests["softmax"]["max-score"] == result["score"] == 10
    assert {type(test[key]) for test in result["tests"] for key in ("score", "max-score")} == {int}
    assert "softmax" in (checkout / "release-body.md").read_text(encoding="utf-8")


def test_classroom50_hears_of_a_fault_of_the_machine(released, tmp_path):
    shutil.copytree(released["classroom50"], tmp_path / "bundle")
    (tmp_path / "bundle" / "kit" / "course.yaml").write_text("nonsense")
    environment = {**os.environ, "GRADER_PYTHON": sys.executable, "PYTHONPATH": str(tmp_path / "bundle" / "kit")}
    script = [sys.executable, str(tmp_path / "bundle" / "autograder.py")]
    done = subprocess.run(script, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode not in (0, 1)
    assert not (tmp_path / "result.json").exists()


@pytest.fixture
def gradescope(released, tmp_path):
    """The folder layout in which Gradescope runs an autograder."""
    root = tmp_path / "autograder"
    archive = zipfile.ZipFile(released["gradescope"] / "autograder.zip")
    archive.extractall(root / "source")
    for script in ("setup.sh", "run_autograder"):
        assert archive.getinfo(script).external_attr >> 16 & 0o111
        (root / "source" / script).chmod(0o755)
    (root / "submission").mkdir()
    return root


def autograde(root: Path) -> subprocess.CompletedProcess[str]:
    """`run_autograder` with this environment's Python in the place of the one that setup.sh would install."""
    grader = root / "grader.sh"
    grader.write_text(f'#!/bin/sh\nPYTHONPATH="{root / "source"}" exec "{sys.executable}" -m grader "$@"\n')
    grader.chmod(0o755)
    environment = {**os.environ, "GRADER": str(grader)}
    script = [str(root / "source" / "run_autograder"), str(root)]
    return subprocess.run(script, env=environment, capture_output=True, text=True, timeout=300)


def test_gradescope_gets_a_test_for_each_exercise(gradescope):
    shutil.copy(ROOT / "solutions" / "softmax.py", gradescope / "submission")
    shutil.copy(ROOT / "exercises" / "attention.py", gradescope / "submission")
    done = autograde(gradescope)
    assert done.returncode == 0, done.stderr
    results = json.loads((gradescope / "results" / "results.json").read_text(encoding="utf-8"))
    names = [t["name"] for t in results["tests"]]
    assert len(names) == len(set(names)) == len(courses.load(gradescope / "source").exercises)
    assert sum(t["score"] for t in results["tests"]) == pytest.approx(10)
    assert all(t["score"] <= t["max_score"] for t in results["tests"])


def test_gradescope_gets_a_zero_with_its_reason(gradescope):
    (gradescope / "submission" / "essay.txt").write_text("the wrong file")
    done = autograde(gradescope)
    assert done.returncode == 0, done.stderr
    results = json.loads((gradescope / "results" / "results.json").read_text(encoding="utf-8"))
    assert results["score"] == 0
    assert "essay.txt" in results["output"]


def test_gradescope_hears_of_a_fault_and_not_of_a_zero(gradescope):
    (gradescope / "source" / "course.yaml").write_text("nonsense")
    shutil.copy(ROOT / "solutions" / "softmax.py", gradescope / "submission")
    assert autograde(gradescope).returncode != 0
    assert not (gradescope / "results" / "results.json").exists()


def test_pack_says_what_is_in_the_zip(teacher, tmp_path):
    work = tmp_path / "work"
    work.mkdir()
    (work / "softmax.py").write_text("def softmax(x, dim=-1): ...\n")
    (work / "notes.txt").write_text("mine")
    done = teacher("pack", "--dir", work, "--to", tmp_path / "mine.zip")
    assert done.returncode == 0, done.stderr
    assert "softmax.py" in done.stdout
    assert "attention.py: not there" in done.stdout
    assert "left out, since nothing reads them: notes.txt" in done.stdout
    with zipfile.ZipFile(io.BytesIO((tmp_path / "mine.zip").read_bytes())) as archive:
        assert archive.namelist() == ["softmax.py"]
    handed_in = load(tmp_path / "mine.zip", courses.load(ROOT), ["softmax"])
    assert handed_in.sources["softmax"].text == "def softmax(x, dim=-1): ...\n"


def test_pack_takes_a_file_under_the_name_that_a_browser_gave_it(teacher, tmp_path):
    (tmp_path / "softmax (1).py").write_text("def softmax(x, dim=-1): ...\n")
    done = teacher("pack", "--dir", tmp_path, "--to", tmp_path / "mine.zip")
    assert done.returncode == 0, done.stderr
    assert "← softmax (1).py" in done.stdout
    with zipfile.ZipFile(tmp_path / "mine.zip") as archive:
        assert archive.namelist() == ["softmax.py"]


def test_pack_keeps_the_encoding_that_a_file_declares(teacher, tmp_path):
    source = "# coding: gbk\n# 双语\ndef softmax(x, dim=-1): ...\n".encode("gbk")
    (tmp_path / "softmax.py").write_bytes(source)
    done = teacher("pack", "--dir", tmp_path, "--to", tmp_path / "mine.zip")
    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile(tmp_path / "mine.zip") as archive:
        assert archive.read("softmax.py") == source


BAD = {"too large": b"#" * 300_000, "not text": b"\0\1", "latin": b"# -*- coding: utf-7 -*-\n"}


@pytest.mark.parametrize("case", BAD)
def test_pack_refuses_what_would_be_rejected(teacher, tmp_path, case):
    (tmp_path / "softmax.py").write_bytes(BAD[case])
    done = teacher("pack", "--dir", tmp_path, "--to", tmp_path / "mine.zip")
    assert done.returncode == 2
    assert "softmax.py" in done.stdout
    assert "nothing was packed" in done.stderr
    assert not (tmp_path / "mine.zip").exists()


def test_pack_of_nothing(teacher, tmp_path):
    done = teacher("pack", "--dir", tmp_path)
    assert done.returncode == 2
    assert "there is no file in it" in done.stderr
    assert "no such folder" in teacher("pack", "--dir", tmp_path / "nowhere").stderr
