"""A class of notebooks: `nbgrader autograde` as shipped, with our preprocessors, and `grader grade --nbgrader`.

    python benchmarks/notebooks.py [--students 30] [--without shipped]

As shipped, each exercise has one hidden test cell that runs the very same checks (`same_checks.py`). The other two take
the course that `grader release --format nbgrader` writes, in which each failed check costs its points (`charge: each`).
Seconds and processor time are of one run each, start-up and gradebook included. It ends with an error unless all three
gradebooks hold the same scores. Needs the extra `nbgrader`.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import bench
import ways

from grader.intake.notebooks import work_cell


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--students", type=int, default=30)
    options.add_argument("--without", action="append", default=[], choices=["shipped", "preprocessors"])
    given = options.parse_args()
    os.environ["OMP_NUM_THREADS"] = "1"
    bench.adopt()
    os.environ["PATH"] = f"{ways.BIN}{os.pathsep}{os.environ['PATH']}"  # nbgrader calls alembic
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        bench.hand_in(folder / "all", -(-given.students // 12))
        submissions = folder / "class"
        submissions.mkdir()
        for path in sorted((folder / "all").iterdir(), key=lambda p: p.name.rpartition("_")[::-1])[: given.students]:
            path.rename(submissions / path.name)
        print(f"{given.students} notebooks; {os.cpu_count()} cores; load before: {os.getloadavg()[0]:.1f}", flush=True)
        ours = charging_each(folder / "course")
        costs, scores = {}, {}
        if "shipped" not in given.without:
            ways.release(submissions, folder)
            costs["shipped"], found = bench.measured(lambda: ways.nbgrader(submissions, folder), watched=False)
            scores["shipped"] = found()
        for way in ("preprocessors", "grader grade"):
            if way not in given.without:
                course = release(ours, submissions, folder / way.replace(" ", "_"))
                run = autograded(course) if way == "preprocessors" else by_grader_grade(ours, course)
                costs[way], _ = bench.measured(run, watched=False)
                scores[way] = stored(course, submissions)
    print("| way | s | s each | shipped / it | processor s |\n|---|---|---|---|---|")
    for way, cost in costs.items():
        ratio = f"{costs['shipped'].seconds / cost.seconds:.1f}" if "shipped" in costs else ""
        each = cost.seconds / given.students
        print(f"| {way} | {cost.seconds:.1f} | {each:.3f} | {ratio} | {cost.processor:.1f} |")
    first = next(iter(scores.values()))
    for way, scored in scores.items():
        for student, marks in first.items():
            wrong = {e: (m, scored[student][e]) for e, m in marks.items() if abs(m - scored[student][e]) > 0.001}
            if wrong:
                sys.exit(f"{way}: {student} has other scores: {wrong}")
    print("All gradebooks hold the same scores.")


def charging_each(folder: Path) -> Path:
    """Our course, in which a slip costs every check that fails because of it, as it does in nbgrader's own cells."""
    folder.mkdir()
    for path in ways.ROOT.iterdir():
        (folder / path.name).symlink_to(path)
    settings = (ways.ROOT / "course.yaml").read_text(encoding="utf-8")
    (folder / "course.yaml").unlink()
    (folder / "course.yaml").write_text(f"{settings}\ncharge: each\n", encoding="utf-8")
    return folder


def release(ours: Path, submissions: Path, course: Path) -> Path:
    """Our nbgrader course of the six core exercises, with what was handed in."""
    import nbformat

    ways.quiet([ways.BIN / "grader", "release", "--format", "nbgrader", "--to", course], ours)
    with open(course / "nbgrader_config.py", "a", encoding="utf-8") as settings:
        settings.write(f"c.BehindTheWall.seed = {ways.SEED}\n")
    ways.quiet([ways.BIN / "nbgrader", "generate_assignment", "core", "--log-level", "ERROR"], course)
    released = nbformat.read(next((course / "release" / "core").glob("*.ipynb")), as_version=4)
    name = next((course / "release" / "core").glob("*.ipynb")).name
    for path in submissions.iterdir():
        files = {work_cell(exercise): path / f"{exercise}.py" for exercise in ways.CORE}
        for cell in released.cells:
            file = files.get(cell.metadata.get("nbgrader", {}).get("grade_id", ""))
            if file:
                cell.source = file.read_text(encoding="utf-8") if file.is_file() else ""
        handed_in = course / "submitted" / path.name / "core"
        handed_in.mkdir(parents=True)
        nbformat.write(released, handed_in / name)
    return course


def autograded(course: Path) -> Callable[[], None]:
    """`nbgrader autograde` with the configuration that the release wrote."""
    command = [ways.BIN / "nbgrader", "autograde", "core", "--create", "--log-level", "ERROR"]
    return lambda: ways.quiet(command, course)


def by_grader_grade(ours: Path, course: Path) -> Callable[[], None]:
    """`grader grade --nbgrader`."""
    command = [ways.BIN / "grader", "grade", course / "submitted", "--nbgrader", course, "--assignment", "core"]
    command += ["--add-students", "--out", course.parent / "results", "--quiet"]
    return lambda: ways.quiet(command, ours)


def stored(course: Path, submissions: Path) -> ways.Scores:
    """The scores in the gradebook."""
    from nbgrader.api import Gradebook

    notebook = next((course / "release" / "core").glob("*.ipynb")).stem
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as book:
        found = {p.name: book.find_submission_notebook(notebook, "core", p.name) for p in submissions.iterdir()}
        return {s: {g.name: g.auto_score for g in n.grades if g.name in ways.CORE} for s, n in found.items()}


if __name__ == "__main__":
    main()
