"""Every command of the pages runs: here, on a class of two, in another test, or it is listed below with the reason.

What a page names stands for what is there.
"""

from __future__ import annotations

import re
import shlex
import shutil
import sys

import pytest
from quiz import HALF, PAPER
from support import ROOT, TOY, course_on_the_page, solution

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")]

PAGES = ("README.md", *(f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md"))))
SECOND = ROOT / "examples" / "courses" / "numerical_methods"
FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PROGRAMS = "dask|grader|helm|jupyter|kubectl|make|nbgrader|pip|py|python3|source"
COMMAND = re.compile(rf"(\$ )?(venv/bin/|\.\./venv/bin/)?({PROGRAMS}|\.venv\S+|cd) ?")
MEANT = {"RESULTS": "results", "SHEETS": "sheets", "CLASS": "class", "softmax": "scale", "attention": "pair"}
HERE = {
    "README.md": 6, "docs/assessment.md": 4, "docs/data-protection.md": 2, "docs/learners.md": 8,
    "docs/report-format.md": 1, "docs/reports.md": 14, "docs/teachers.md": 6, "docs/viva.md": 3,
}  # fmt: skip
ELSEWHERE = {  # what a page says, the test that does it, and by which words in it
    "make setup": ("test_install.py", '"make", "setup"'),
    "grader study": ("studying.py", '"study"'),
    "grader watch": ("learner/test_watch.py", "watch"),
    "grader generate": ("cli/test_generate.py", '"generate"'),
    "grader doctor": ("cli/test_doctor.py", '"doctor"'),
    "grader release --format nbgrader --to course": ("classroom.py", '"release", "--format", "nbgrader"'),
    "nbgrader generate_assignment core": ("classroom.py", 'nbgrader("generate_assignment", UNIT'),
    "nbgrader autograde core": ("integrations/nbgrader/test_course.py", 'nbgrader("autograde", UNIT'),
    "nbgrader generate_feedback core": ("integrations/nbgrader/test_course.py", 'nbgrader("generate_feedback", UNIT'),
    "nbgrader export": ("integrations/nbgrader/test_course.py", 'nbgrader("export"'),
    "grader grade course/submitted --nbgrader course --assignment core --out results": (
        "integrations/nbgrader/test_course.py", '"--nbgrader"',
    ),
    "grader lint --catalogue fr": ("cli/test_languages.py", '"lint", "--catalogue", "de"'),
    "grader check --json": ("authoring/test_student_copy.py", '"--json"'),
    "dask scheduler": ("batch/test_cluster.py", '"scheduler", *places'),
    "dask worker": ("batch/test_cluster.py", '"worker", "--scheduler-file"'),
    "grader grade submissions --out results --cluster": ("batch/test_cluster.py", '"--cluster", str(scheduler)'),
    "pytest tests/hidden/softmax.py": ("test_pytest_plugin.py", "--student"),
    "pytest tests/hidden -k": ("test_pytest_plugin.py", '"tests/hidden'),
    "grader start": ("test_wheel.py", '"start"'),
    "pip install --find-links dist attention-kit": ("test_wheel.py", '"--dry-run", "attention-kit"'),
    "venv/bin/pip install": ("test_wheel.py", '"install", "--quiet"'),
    "venv/bin/grader new my_course": ("test_wheel.py", '"new", "course"'),
    "../venv/bin/grader lint": ("test_wheel.py", '"lint", folder=tmp_path / "course"'),
}  # fmt: skip
NOT_RUN = {
    "make demo": "installs everything; `.ci/run` does it from a fresh clone",
    "make test": "runs this test",
    "make study": "installs as `make setup` does, then `grader study`, whose tests are in tests/kit/study",
    "source .venv/bin/activate": "changes a person's shell",
    "py -m venv .venv": "Windows",
    ".venv\\Scripts\\activate": "Windows",
    "pip install --constraint": "downloads hundreds of megabytes; `.ci/run` does it from a fresh clone",
    "python3 -m venv": "Python's own",
    "pip wheel": "downloads hundreds of megabytes",
    "pip install --no-index": "needs what `pip wheel` has downloaded",
    "cd ": "the shell's own",
    "jupyter lab": "a server that runs until it is stopped; test_browser.py clicks through its pages",
    "helm ": "needs a Kubernetes cluster",
    "kubectl ": "needs a Kubernetes cluster",
    "grader viva softmax": "asks, and waits for answers; test_viva.py answers",
}  # fmt: skip
ENTRY = "      - {id: quiz, title: Questions, points: 12, kind: questions}\n"


def written(page: str) -> list[str]:
    """The commands of a page's blocks, without comments."""
    text = (ROOT / page).read_text(encoding="utf-8").replace("\\\n", "")
    blocks = [block for language, block in FENCED.findall(text) if not language and COMMAND.match(block)]
    lines = [line for block in blocks for line in block.splitlines()]
    lines = [line.removeprefix("$ ") for line in lines if COMMAND.match(line) and not line.startswith("grader:")]
    return [line.partition("  #")[0].strip() for line in lines]


def run_elsewhere(line: str) -> bool:
    return any(line == known or (line + " ").startswith(f"{known.strip()} ") for known in (*ELSEWHERE, *NOT_RUN))


def commands(page: str) -> list[str]:
    """What to run of a page: one line for each of the formats that a line lists, with names of what is there."""
    lines = [line for line in written(page) if not run_elsewhere(line) and "examples/class" not in line]
    lines = [re.sub(r" \[[^]]*\]", "", line) for line in lines]
    meant = [re.sub(r"\b[A-Za-z]+\b", lambda word: MEANT.get(word[0], word[0]), line) for line in lines]
    return [" ".join([*line.split()[:-1], last]) for line in meant for last in line.split()[-1].split("|")]


@pytest.fixture
def a_class(tmp_path, monkeypatch):
    """A course with concept questions, and two students' work."""
    root = tmp_path / "toy"
    shutil.copytree(TOY, root, ignore=shutil.ignore_patterns("__pycache__", "results"))
    with (root / "course.yaml").open("a", encoding="utf-8") as settings:
        settings.write(ENTRY)
    for name, text in {"solutions/half.py": HALF, "tests/hidden/quiz.py": PAPER}.items():
        (root / name).write_text(text, encoding="utf-8")
    for folder in ("solutions", "exercises"):
        (root / folder / "answers.yaml").touch()
    for student in ("s04_dina", "s05_emil"):
        (tmp_path / "class" / student).mkdir(parents=True)
        (tmp_path / "class" / student / "scale.py").write_text(solution("scale"), encoding="utf-8")
        (tmp_path / "class" / student / "pair.py").write_text(solution("pair"), encoding="utf-8")
        (tmp_path / "class" / student / "answers.yaml").write_text("quiz:\n  essay: Because.\n", encoding="utf-8")
    shutil.make_archive(str(tmp_path / "submissions"), "zip", tmp_path / "class")
    (tmp_path / "class.csv").write_text("student\ns04_dina\ns05_emil\n")
    monkeypatch.chdir(tmp_path)
    return root


def test_every_command_is_run_or_says_why_not():
    lines = {page: commands(page) for page in PAGES}
    assert {page: len(found) for page, found in lines.items() if found} == HERE
    said = [line for page in PAGES for line in written(page)]
    stale = [known for known in (*ELSEWHERE, *NOT_RUN) if not any((line + " ").startswith(known) for line in said)]
    assert stale == [], "no page has these any more"


@pytest.mark.parametrize("line", ELSEWHERE)
def test_another_test_runs_it(line):
    file, words = ELSEWHERE[line]
    assert words in (ROOT / "tests" / "kit" / file).read_text(encoding="utf-8")


@pytest.mark.parametrize("page", HERE)
def test_the_blocks_run(grader, a_class, page):
    found = commands(page)
    if page in ("docs/data-protection.md", "docs/report-format.md", "docs/reports.md", "docs/viva.md"):
        found = ["grader grade class --out results", *found]
    for line in found:
        code, out, err = grader(*shlex.split(line)[1:], course=a_class)
        assert code in (0, 1), f"{line}\n{out}{err}"
        assert "grader: " not in err, line


def test_the_mistake_that_the_readme_shows_is_told(grader, monkeypatch):
    monkeypatch.chdir(ROOT)
    line = next(line for line in written("README.md") if "examples/class" in line)
    _, out, _ = grader(*shlex.split(line)[1:], course=ROOT)
    block = next(block for _, block in FENCED.findall((ROOT / "README.md").read_text("utf-8")) if line in block)
    for shown in block.partition("\n")[2].split("\n ...\n"):
        assert " ".join(shown.split()) in " ".join(out.split())


def test_the_table_for_teachers_is_what_the_sample_class_gets(grader, monkeypatch, tmp_path):
    monkeypatch.setenv("COLUMNS", "160")
    monkeypatch.chdir(ROOT)
    page = "docs/teachers.md"
    line = next(line for line in written(page) if "examples/class" in line).replace("results", str(tmp_path))
    _, out, _ = grader(*shlex.split(line)[1:], course=ROOT)
    shown = re.findall(r"^ s\d\d_.*$|^\d+ graded.*?(?=; isolation)", (ROOT / page).read_text("utf-8"), re.MULTILINE)
    assert len(shown) == 7
    assert [row for row in shown if not any(said.startswith(row.rstrip()) for said in out.splitlines())] == []


@pytest.mark.parametrize(
    ("title", "page"), [("For authors", "authors"), ("Functions as arguments", "writing-an-exercise")]
)
def test_the_course_on_a_page_for_authors_is_sound(grader, tmp_path, title, page):
    course_on_the_page(title, tmp_path, page)
    assert grader("lint", course=tmp_path) == (0, "1 exercises, 0 problems\n", "")


def test_the_blocks_of_the_second_course_run(grader, monkeypatch, tmp_path):
    shutil.copytree(SECOND, tmp_path / "course", ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.chdir(tmp_path)
    found = written((SECOND / "README.md").relative_to(ROOT).as_posix())
    assert [line.split()[1] for line in found] == ["check", "watch", "hint"]
    for line in found:
        if not run_elsewhere(line):
            code, out, err = grader(*shlex.split(line)[1:], course=tmp_path / "course")
            assert (code, err) in ((0, ""), (1, "")), f"{line}\n{out}{err}"
