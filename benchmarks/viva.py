"""What `grader viva` makes of a class and of independently written files, and whether its answers are true.

    python benchmarks/viva.py [FOLDER ...]      from the root of the repository

Without a folder: examples/class, 100 right files of tests/kit/alternatives and 100 wrong ones of tests/kit/wrong.

Prints for each source how many got five questions, the processor time of a student (all processes together), how the
kinds are spread, and how often simple guesses from the form of the options are right. Every answer that can be is found
anew without the kit: the changed lines are put into the file as the sheet shows them, the call is read off the sheet
and made in this process, an input of which only the shape is told is drawn anew.
"""

import collections
import contextlib
import io
import os
import random
import re
import sys
import time
import types
import warnings
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import torch

from grader.batch import ForkServer, environment, kit_version
from grader.course import course as courses
from grader.intake import Source, Submission, load
from grader.report.oral_exam import Sheet
from grader.sandbox.processes import RunOptions
from grader.viva import SERVICE, AskSheet

QUESTIONS, SEED, FILES = 5, 7, 100
SECTION = re.compile(r"^# --- (\w+)\n", re.MULTILINE)
SHAPED = re.compile(r"(?:\b[A-Za-z_]\w* )?(\[[\d, ]*\]) ((?:b?float|bool|int)\d*)")


def main(folders: list[str]) -> None:
    course = courses.load(ROOT)
    sources = {f: [load(p, course) for p in sorted(Path(f).iterdir()) if p.name[0] != "."] for f in folders}
    if not folders:
        sources["examples/class"] = [load(p, course) for p in sorted((ROOT / "examples/class").iterdir())]
        sources["right files"] = drawn(right_files(course))
        sources["wrong files"] = drawn(wrong_files(course))
    with contextlib.closing(ForkServer(environment(), True)) as server:
        options = RunOptions("cpu", (), kit_version())
        process = server.grading_process(course, options, service=SERVICE)
        for name, submissions in sources.items():
            measured(name, submissions, process)


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


def drawn(submissions):
    found = list(submissions)
    return random.Random(SEED).sample(found, min(FILES, len(found)))


def measured(name: str, submissions: list[Submission], process) -> None:
    sheets, costs = [], []
    for submission in submissions:
        before = processor_seconds()
        sheets.append(process.ask(AskSheet(submission, SEED, QUESTIONS), Sheet, 300.0))
        costs.append(processor_seconds() - before)
        if len(sheets[-1].questions) < QUESTIONS:
            why = "; ".join(f"{u.exercise}: {u.reason.en}" for u in sheets[-1].unasked)
            print(f"  {submission.student}: {len(sheets[-1].questions)} questions; {why}", flush=True)
    full = sum(len(s.questions) == QUESTIONS for s in sheets)
    costs.sort()
    print(f"{name}: {full} of {len(sheets)} got {QUESTIONS} questions")
    middle, most = costs[len(costs) // 2], costs[-1]
    print(f"  processor seconds a student: median {middle:.2f}, most {most:.2f}, sum {sum(costs):.0f}")
    print(f"  kinds: {dict(collections.Counter(q.kind for s in sheets for q in s.questions))}")
    guesses(sheets)
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = [(s, q, again(s, q)) for s in sheets for q in s.questions]
    for sheet, question, true in found:
        if true is False:
            print(f"  another answer: {sheet.student}, {question.exercise}: {question.text.en} {question.right}")
    told = collections.Counter(true for _, _, true in found)
    print(f"  answers found anew: {told[True]} the same, {told[False]} another, {told[None]} cannot be", flush=True)


def guesses(sheets: list[Sheet]) -> None:
    """How often a rule that looks at the options only is right, among those of which one is."""
    single = [q for s in sheets for q in s.questions if q.single]
    rules = {
        "first": lambda texts: texts[0],
        "last": lambda texts: texts[-1],
        "longest": lambda texts: max(texts, key=len),
        "shortest": lambda texts: min(texts, key=len),
        "error": lambda texts: next((t for t in texts if t.startswith("an error")), None),
    }
    for rule, pick in rules.items():
        hits = sum(
            next(o for o in q.options if o.right).text.en == pick([o.text.en for o in q.options]) for q in single
        )
        print(f"  guess the {rule}: {hits / max(len(single), 1):.0%} of {len(single)}", end=";")
    several = [q for s in sheets for q in s.questions if not q.single]
    rights = collections.Counter(len(q.right) for q in several)
    print(f"\n  right ones where several may be: {dict(sorted(rights.items()))}")


def again(sheet: Sheet, question) -> bool | None:
    """Whether the answer comes out again; None where the sheet does not say enough to try."""
    before = "\n".join(sheet.code[question.exercise])
    try:
        if question.kind in ("change", "why"):
            after = changed(sheet.code[question.exercise], question.change)
            return all(differs(before, after, o.text.en) == o.right for o in question.options)
        if question.kind == "result":
            after, call = changed(sheet.code[question.exercise], question.change), in_text(question.text.en)
            return said(ran(after, call), not SHAPED.search(call)) == next(
                o.text.en for o in question.options if o.right
            )
        if question.kind == "predict":
            name, line = re.search(r"does `(\w+)` have after line (\d+)", question.text.en).groups()
            shape = seen(sheet.code[question.exercise], int(line), name, in_text(question.text.en))
            return str(shape) == next(o.text.en for o in question.options if o.right)
    except (SyntaxError, Unreadable):
        return None
    return None


class Unreadable(Exception):
    """A call that the sheet tells too little of."""


def changed(lines, change) -> str:
    gone = [line.number for line in change if line.sign == "-"]
    new = [line.text for line in change if line.sign == "+"]
    return "\n".join([*lines[: gone[0] - 1], *new, *lines[gone[-1] :]])


def in_text(text: str) -> str:
    return re.search(r"(?:give for |^)(\w+\(.*\))(?:\?| is called)", text).group(1)


def differs(before: str, after: str, call: str) -> bool:
    torch.manual_seed(0)
    one = ran(before, call)
    torch.manual_seed(0)
    other = ran(after, call)
    if isinstance(one, Exception) or isinstance(other, Exception):
        return type(one).__name__ != type(other).__name__
    ours, theirs = leaves(one), leaves(other)
    return len(ours) != len(theirs) or not all(map(close, ours, theirs))


def close(one, other) -> bool:
    if not isinstance(one, torch.Tensor):
        return one == other
    same = isinstance(other, torch.Tensor) and one.shape == other.shape and one.dtype == other.dtype
    return same and torch.allclose(one.double(), other.double(), rtol=1e-3, atol=1e-4, equal_nan=True)


def ran(source: str, call: str, **names):
    """What the call gives, or the exception."""
    if "called with" in call or "device" in call:
        raise Unreadable
    module = types.ModuleType("file")
    sys.modules["file"] = module
    vars(module).update(names)
    written = SHAPED.sub(lambda m: f"made({m[1]}, '{m[2]}')", call)
    about = {"tensor": torch.tensor, "made": made, "inf": float("inf"), "nan": float("nan"), **vars(torch)}
    asked = compile(written, "call", "eval")
    try:
        exec(compile(source, "file.py", "exec"), vars(module))
        return eval(asked, {**about, **vars(module)})
    except Exception as error:
        return error


def made(shape: list[int], dtype: str) -> torch.Tensor:
    kind = getattr(torch, dtype)
    return torch.rand(shape) < 0.6 if kind is torch.bool else torch.randn(shape).to(kind)


def seen(lines, number: int, name: str, call: str) -> list[int]:
    """The shape of a variable after a line: a line that notes it is put there."""
    line = lines[number - 1]
    indent = line[: len(line) - len(line.lstrip())]
    if line.strip().startswith(("return", "if", "for", "while", "with")) or line.count("(") != line.count(")"):
        raise Unreadable
    noted: list[list[int]] = []
    source = [*lines[:number], f"{indent}noted.append(list({name}.shape))", *lines[number:]]
    ran("\n".join(source), call, noted=noted)
    if not noted:
        raise Unreadable
    return noted[0]


def said(value, full: bool) -> str:
    """As a sheet writes a result, with entries where the input has them too."""
    if isinstance(value, Exception):
        return f"an error, {type(value).__name__}"
    parts = [said_leaf(leaf, full) for leaf in leaves(value)]
    return " and ".join([*parts[:6], *(["..."] if len(parts) > 6 else [])])


def said_leaf(leaf, full: bool) -> str:
    if not isinstance(leaf, torch.Tensor):
        return f"{leaf:.4g}" if isinstance(leaf, float) else repr(leaf)
    if not (full and 0 < leaf.numel() <= 12):
        return f"shape {list(leaf.shape)}, {str(leaf.dtype).removeprefix('torch.')}"
    return re.sub(r"-?[\d.]+(?:e[+-]\d+)?", lambda m: short(float(m[0]) + 0.0), str(leaf.tolist()))


def short(number: float) -> str:
    text = f"{number:.3g}"
    return f"{number:.0f}" if "e+0" in text and abs(number) < 1e6 else text


def leaves(value) -> list:
    if isinstance(value, tuple | list):
        return [leaf for item in value for leaf in leaves(item)]
    return [leaf for item in value.values() for leaf in leaves(item)] if isinstance(value, dict) else [value]


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
    main(sys.argv[1:])
    print(f"{time.monotonic() - started:.0f} s in all")
