"""The ways to grade that `bench.py` compares. Each takes submissions and says what every exercise of each scored.

    python benchmarks/ways.py process|fork|pytest SUBMISSIONS SCORES      one way, as a process of its own

`nbgrader` and `ours` are the commands that people run. All draw the same inputs: the seed is fixed.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
BIN = Path(sys.executable).parent
CORE = ("softmax", "attention", "causal_mask", "heads", "rope", "gqa")
SEED = 7
Scores = dict[str, dict[str, float]]


def ours(submissions: Path, folder: Path, *options: str) -> Callable[[], Scores]:
    """`grader grade` with all layers; what it wrote."""
    out = Path(tempfile.mkdtemp(dir=folder))
    chosen = [word for exercise in CORE for word in ("--exercise", exercise)]
    command = [BIN / "grader", "grade", submissions, "--out", out, "--quiet", "--seed", str(SEED), *chosen, *options]
    subprocess.run(command, cwd=ROOT, check=True)

    def scores() -> Scores:
        reports = [json.loads(path.read_text(encoding="utf-8")) for path in (out / "reports").glob("*.json")]
        return {r["student"]: {e["id"]: passed(e["checks"]) for e in r["exercises"]} for r in reports}

    return scores


def passed(checks: list[dict[str, Any]]) -> float:
    """The points of the checks that pass: the other ways charge every failed check, ours charges a slip once."""
    return sum(check["max_points"] for check in checks if check["verdict"] == "passed")


def here(way: str, submissions: Path, folder: Path) -> Callable[[], Scores]:
    """A way of this file, in a process of its own."""
    file = folder / f"{way}.json"
    quiet([sys.executable, __file__, way, submissions, file], ROOT)  # students print
    return lambda: json.loads(file.read_text(encoding="utf-8"))


def quiet(command: list[object], folder: Path) -> None:
    """Run a command; what it prints is shown only if it fails."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{command}: {done.stdout}\n{done.stderr}")


def nbgrader(submissions: Path, folder: Path) -> Callable[[], Scores]:
    """`nbgrader autograde`, on a course that `release` has made."""
    quiet([BIN / "nbgrader", "autograde", "core", "--force", "--log-level", "ERROR"], folder / "nbgrader")

    def scores() -> Scores:
        from nbgrader.api import Gradebook

        with Gradebook(f"sqlite:///{folder / 'nbgrader' / 'gradebook.db'}") as book:
            notebooks = [book.find_submission_notebook("core", "core", path.name) for path in submissions.iterdir()]
            return {n.student.id: {g.name: g.auto_score for g in n.grades} for n in notebooks}

    return scores


def release(submissions: Path, folder: Path) -> None:
    """An nbgrader course: a cell to write in and a hidden test cell for each exercise; and what was handed in."""
    import nbformat
    from nbformat.v4 import new_code_cell, new_notebook

    course = folder / "nbgrader"
    (course / "source" / "core").mkdir(parents=True)
    (course / "nbgrader_config.py").write_text("c = get_config()\nc.CourseDirectory.course_id = 'bench'\n")
    cells = [new_code_cell("import torch\ntorch.set_num_threads(1)")]
    for exercise in CORE:
        both = {"schema_version": 3, "task": False}
        work = {"grade": False, "solution": True, "locked": False, "grade_id": f"work_{exercise}", **both}
        cells.append(new_code_cell("### BEGIN SOLUTION\n### END SOLUTION", metadata={"nbgrader": work}))
        test = {"grade": True, "solution": False, "locked": True, "grade_id": exercise, "points": 10, **both}
        call = f"from same_checks import Checks\nscore = Checks({exercise!r}).score(globals())"
        hidden = f"### BEGIN HIDDEN TESTS\n{call}\n### END HIDDEN TESTS\nscore"
        tests = f"import sys\nsys.path.insert(0, {str(HERE)!r})\n{hidden}"
        cells.append(new_code_cell(tests, metadata={"nbgrader": test}))
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    nbformat.write(new_notebook(cells=cells, metadata=kernel), course / "source" / "core" / "core.ipynb")
    quiet([BIN / "nbgrader", "generate_assignment", "core", "--log-level", "ERROR"], course)
    released = nbformat.read(course / "release" / "core" / "core.ipynb", as_version=4)
    for path in submissions.iterdir():
        for cell in released.cells:
            name = cell.metadata.get("nbgrader", {}).get("grade_id", "")
            file = path / f"{name.removeprefix('work_')}.py"
            if name.startswith("work_"):
                cell.source = file.read_text(encoding="utf-8") if file.is_file() else ""
        handed_in = course / "submitted" / path.name / "core"
        handed_in.mkdir(parents=True)
        nbformat.write(released, handed_in / "core.ipynb")


def one_pytest_each(submissions: Path) -> Scores:
    """A process of pytest for each submission, as a shell loop would do it."""
    scores: Scores = {}
    options = ["-q", "--tb=short", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir", ROOT / "tests"]
    options += ["--noconftest", "--import-mode=importlib", "-o", "python_files=*.py", "-p", "same_checks"]
    suites = [ROOT / "tests" / "hidden" / f"{exercise}.py" for exercise in CORE]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "scores.json")
        given = {"PYTHONPATH": str(HERE), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "SCORES": str(file)}
        for path in sorted(submissions.iterdir()):
            command = [sys.executable, "-m", "pytest", *options, *suites]
            environment = {**os.environ, **given, "SUBMISSION": str(path)}
            subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=False)
            scores[path.name] = json.loads(file.read_text(encoding="utf-8"))
    return scores


def with_torch_loaded(submissions: Path, apart: bool) -> Scores:
    """Direct calls; what is expected is computed once. `apart`: in a fork for each submission, else all in here."""
    import gc

    from same_checks import Checks, functions_of

    checks = {exercise: Checks(exercise) for exercise in CORE}
    for known in checks.values():
        known.rehearse()

    def one(path: Path) -> dict[str, float]:
        files = {exercise: path / f"{exercise}.py" for exercise in CORE}
        sources = {e: f.read_text(encoding="utf-8") if f.is_file() else "" for e, f in files.items()}
        return {e: checks[e].score(functions_of(source, e)) for e, source in sources.items()}

    def one_in_a_fork(path: Path) -> dict[str, float]:
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            os.write(write, json.dumps(one(path)).encode())
            os._exit(0)
        os.close(write)
        with open(read, "rb") as pipe:
            found: dict[str, float] = json.loads(pipe.read())
        os.waitpid(child, 0)
        return found

    gc.freeze()
    return {path.name: one_in_a_fork(path) if apart else one(path) for path in sorted(submissions.iterdir())}


if __name__ == "__main__":
    way, submissions, file = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    found = one_pytest_each(submissions) if way == "pytest" else with_torch_loaded(submissions, way == "fork")
    file.write_text(json.dumps(found), encoding="utf-8")
