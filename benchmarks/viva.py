"""What `grader viva` makes of a class and of independent files: are the answers true, can they be guessed?

    python benchmarks/viva.py [--files 100] [--questions 5] [FOLDER ...]      from the root of the repository

Without a folder: examples/class, and files drawn from tests/kit/alternatives and tests/kit/wrong.

Prints for each source how many students got all questions, the processor time of a student (all processes together),
and how many answers the second runner of tests/kit finds again, which knows the printed sheet and not the kit. Then,
for each kind, the words of a question, and how often the rules of form that are right most often are right.
"""

import argparse
import collections
import contextlib
import os
import random
import re
import statistics
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "kit")]

from second_runner import rederived

from grader.batch import ForkServer, environment, kit_version
from grader.course import course as courses
from grader.intake import Source, Submission, load
from grader.report.oral_exam import OralSheet
from grader.sandbox.processes import RunOptions
from grader.viva import ASK
from grader.viva.form import hits

SEED = 7
SECTION = re.compile(r"^# --- (\w+)\n", re.MULTILINE)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=100, help="the number of right files, and of wrong ones")
    parser.add_argument("--questions", type=int, default=5)
    parser.add_argument("folders", nargs="*")
    options = parser.parse_args()
    course = courses.load(ROOT)
    folders = options.folders or ["examples/class"]
    sources = {f: [load(p, course) for p in sorted((ROOT / f).iterdir()) if p.name[0] != "."] for f in folders}
    if not options.folders:
        sources["right files"] = drawn(right_files(course), options.files)
        sources["wrong files"] = drawn(wrong_files(course), options.files)
    found = []
    with contextlib.closing(ForkServer(environment(), True)) as server:
        process = server.grading_process(course, RunOptions("cpu", (), kit_version()))
        for name, submissions in sources.items():
            found += measured(name, submissions, process, options.questions, course)
    for kind in sorted({q.kind for q in found}):
        formed(kind, [q for q in found if q.kind == kind])


def right_files(course):
    """Each alternative as a submission of that one file."""
    for exercise in (e for e in course.exercises if e.kind == "code"):
        for path in sorted((ROOT / "tests/kit/alternatives" / exercise.id).glob("*.py")):
            text = path.read_text(encoding="utf-8")
            yield Submission(f"{exercise.id}-{path.stem}", {exercise.source: Source(text)})


def wrong_files(course):
    for exercise in (e for e in course.exercises if e.kind == "code"):
        path = ROOT / "tests/kit/wrong" / f"{exercise.id}.py"
        if path.is_file():
            _, *parts = SECTION.split(path.read_text(encoding="utf-8"))
            for name, text in zip(parts[::2], parts[1::2], strict=True):
                yield Submission(f"{exercise.id}-{name}", {exercise.source: Source(text)})


def drawn(submissions, count):
    found = list(submissions)
    return random.Random(SEED).sample(found, min(count, len(found)))


def measured(name: str, submissions: list[Submission], process, count: int, course) -> list:
    """Prints what the sheets of one source are like; the questions."""
    sheets, costs = [], []
    for submission in submissions:
        before = processor_seconds()
        sheets.append(process.ask(ASK, OralSheet, 300.0, submission, SEED, count))
        costs.append(processor_seconds() - before)
        if len(sheets[-1].questions) < min(count, 5):
            why = "; ".join(f"{u.exercise}: {u.reason}" for u in sheets[-1].unasked)
            print(f"  {submission.student}: {len(sheets[-1].questions)} questions; {why}", flush=True)
    full = sum(len(s.questions) == count for s in sheets)
    costs.sort()
    print(f"{name}: {full} of {len(sheets)} got {count} questions")
    middle, most = costs[len(costs) // 2], costs[-1]
    print(f"  processor seconds a student: median {middle:.2f}, most {most:.2f}, sum {sum(costs):.0f}")
    asked = [(s, q) for s in sheets for q in s.questions]
    answers, errors = rederived(asked, course.root / "solutions")
    told = collections.Counter()
    for (sheet, question), answer in zip(asked, answers, strict=True):
        told[answer if answer is None else answer == list(question.right)] += 1
        if answer not in (None, list(question.right)):
            print(f"  another answer: {sheet.student}: {question.text} {question.right}, not {answer}")
    print("", *errors, sep="\n  ")
    print(f"  answers found again: {told[True]} the same, {told[False]} another, {told[None]} cannot be", flush=True)
    return [q for _, q in asked]


def formed(kind: str, asked: list) -> None:
    """Prints how long the questions of a kind are, and how often the best rules of form are right."""
    words = [sum(map(words_in, [q.text.to("en"), *(o.text.to("en") for o in q.options)])) for q in asked]
    chance = statistics.fmean(q.chance for q in asked)
    told = [hits(q) for q in asked]
    rules = {rule for found in told for rule in found}
    rates = {rule: statistics.fmean(found.get(rule, 0.0) for found in told) for rule in rules}
    best = sorted(rates.items(), key=lambda r: (-r[1], r[0]))[:5]
    said = ", ".join(f"{rule} {rate:.0%}" for rule, rate in best)
    print(f"{kind}: {len(asked)}; words: median {statistics.median(words):.0f}, most {max(words)}", end="; ")
    print(f"chance {chance:.0%}; {said}")


def words_in(text: str) -> int:
    """Pieces between spaces that have a letter."""
    return sum(any(c.isalpha() for c in piece) for piece in text.split())


def processor_seconds() -> float:
    """Of all processes that this one has started, those that have ended too."""
    found = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with contextlib.suppress(OSError):
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
                found[int(folder.name)] = int(fields[1]), sum(map(int, fields[11:15]))
    total, todo = 0, [os.getpid()]
    while todo:
        below = [pid for pid, (parent, _) in found.items() if parent in todo]
        total += sum(found[pid][1] for pid in below)
        todo = below
    return total / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    started = time.monotonic()
    main()
    print(f"{time.monotonic() - started:.0f} s in all")
