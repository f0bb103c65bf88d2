"""Reports to the terminal, for learners and for instructors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text as Styled

from grader.course import Course, Exercise
from grader.report import Check, ExerciseReport, Report
from grader.summary import NOT_STARTED, Fault, Row, reasons, started
from grader.words import Text

SIGNS = {"passed": ("✔", "green"), "failed": ("✘", "red"), "skipped": ("-", "dim"), "missing": ("·", "dim")}
SUMMARY = Text("{score:g} of {most:g} points.", "共 {most:g} 分，已得 {score:g} 分。")
ALL_DONE = Text("Everything passes. Well done!", "全部通过，做得好!")
NEXT_START = Text("Next: open {file} and start with {title}.", "下一步：打开 {file}，开始做「{title}」。")
NEXT_FIX = Text(
    "Next: `grader check {id}` shows every check of {title}.",
    "下一步：`grader check {id}` 可查看「{title}」的每项检查。",
)
NEXT_EDIT = Text(
    "Next: edit {file} and run `grader check {id}` again.", "下一步：修改 {file}，再次运行 `grader check {id}`。"
)
PRINTED = Text("your code printed:", "你的代码输出了：")
COLUMNS = Text("student|total|what stood out", "学生|总分|值得注意")
NOT_GRADED = Text("not graded: {reason}", "未能评分：{reason}")
MORE_ROWS = Text("... and {count} more in summary.csv", "……还有 {count} 名学生，见 summary.csv")
MOST_ROWS = 200
CHANGED = Text("{count} scores changed:", "有 {count} 个分数发生变化：")
UNCHANGED = Text("no score changed", "没有分数发生变化")


class Screen:
    """Where and in which language to print."""

    def __init__(self, lang: str, console: Console) -> None:
        self._lang = lang
        self._console = console

    def say(self, text: Text, style: str = "", **values: object) -> None:
        self.line(text.format(**values).to(self._lang), style)

    def line(self, text: str, style: str = "", indent: int = 0) -> None:
        """Print a line as it is; nothing in it is taken for markup."""
        for part in text.splitlines() or [""]:
            self._console.print(Styled(" " * indent + part, style=style), soft_wrap=True)

    def overview(self, report: Report, course: Course) -> None:
        """Each exercise in a line or two, then what to do next."""
        self.line(f"{course.settings.title.to(self._lang)} · {device(report)}", "bold")
        for exercise in report.exercises:
            self._exercise(exercise, course.exercise(exercise.id))
        self._last_line(report, course, NEXT_FIX)

    def details(self, report: Report, course: Course) -> None:
        """Every check of the exercises, then what to do next."""
        for exercise in report.exercises:
            self._exercise(exercise, course.exercise(exercise.id))
            for check in exercise.checks:
                self._check(check)
            if exercise.stdout:
                self.say(PRINTED, "dim")
                self.line(exercise.stdout, "dim", indent=2)
        self._last_line(report, course, NEXT_EDIT)

    def _exercise(self, exercise: ExerciseReport, known: Exercise) -> None:
        sign, style = SIGNS.get(exercise.status, SIGNS["failed"]) if started(exercise) else SIGNS["missing"]
        title = known.title.to(self._lang)
        self.line(f"{sign} {exercise.id:<14} {exercise.score:>5g} / {exercise.max_score:g}   {title}", style)
        if not started(exercise):
            self.line(NOT_STARTED.to(self._lang), "dim", indent=4)
        elif exercise.reason:
            self._why(exercise)
        for diagnosis in exercise.diagnoses:
            self.line("→ " + diagnosis.message, "yellow", indent=4)

    def _why(self, exercise: ExerciseReport) -> None:
        broken = [c for c in exercise.checks if c.verdict not in ("passed", "skipped")]
        chief = next((c for c in broken if exercise.reason and c.reason.startswith(exercise.reason)), None)
        if chief:
            self.line(f"{chief.title}  ({len(exercise.checks) - len(broken)}/{len(exercise.checks)})", indent=4)
        self.line(exercise.reason or "", indent=4)

    def _check(self, check: Check) -> None:
        sign, style = SIGNS.get(check.verdict, SIGNS["failed"])
        label = check.id.partition("[")[2].rstrip("]")
        self.line(f"{sign} {check.points:>4g} / {check.max_points:<4g} {check.title}  [{label}]", style, indent=2)
        if check.verdict != "passed" and check.reason:
            self.line(check.reason, indent=16)

    def _last_line(self, report: Report, course: Course, fix: Text) -> None:
        self.line("")
        self.say(SUMMARY, "bold", score=report.score, most=report.max_score)
        broken = [e for e in report.exercises if e.status != "passed"]
        if not broken:
            self.say(ALL_DONE, "green")
            return
        begun = [e for e in broken if started(e) and e.status != "missing"]
        first = (begun or broken)[0]
        title = course.exercise(first.id).title
        self.say(fix if begun else NEXT_START, id=first.id, title=title, file=f"exercises/{first.id}.py")

    def class_table(self, outcomes: Iterable[Row | Fault], exercises: Sequence[str]) -> None:
        """A line a student: score by exercise, total, what stood out; then what could not be graded."""
        student, sum_, notable = COLUMNS.to(self._lang).split("|")
        ordered = sorted(outcomes, key=lambda o: o.student)
        headings = [student, *exercises, sum_]
        table = Table(box=SIMPLE_HEAD, pad_edge=False)
        for index, heading in enumerate(headings):
            table.add_column(heading, justify="right" if index else "left", no_wrap=True)
        table.add_column(notable, no_wrap=True)
        used = max((len(shown(o.student)) for o in ordered), default=0) + sum(max(len(h), 5) + 2 for h in headings) + 9
        rows = [o for o in ordered if isinstance(o, Row)]
        for row in rows[:MOST_ROWS]:
            scores = [f"{row.scores[e]:g}" if e in row.scores else "" for e in exercises]
            notes = Styled(row.notable)
            notes.truncate(max(self._console.width - used, 20), overflow="ellipsis")
            table.add_row(*map(Styled, [shown(row.student), *scores, f"{row.score:g} / {row.max_score:g}"]), notes)
        self._console.print(table)
        if len(rows) > MOST_ROWS:
            self.say(MORE_ROWS, count=len(rows) - MOST_ROWS)
        for outcome in ordered:
            if isinstance(outcome, Fault):
                reason = NOT_GRADED.format(reason=outcome.reason).to(self._lang)
                self.line(f"{shown(outcome.student)}: {reason}", "red")

    def changes(self, before: Mapping[str, Row], outcomes: Iterable[Row | Fault]) -> None:
        """Whose score a regrade changed, and what was different."""
        if not before:
            return
        pairs = [(before[o.student], o) for o in outcomes if isinstance(o, Row) and o.student in before]
        changed = [(old, new) for old, new in pairs if (old.score, old.max_score) != (new.score, new.max_score)]
        self.say(CHANGED if changed else UNCHANGED, count=len(changed))
        for old, new in sorted(changed, key=lambda pair: pair[0].student):
            scores = f"{old.score:g} / {old.max_score:g} → {new.score:g} / {new.max_score:g}"
            self.line(f"{shown(new.student)}: {scores} ({', '.join(reasons(old, new))})", indent=2)


def device(report: Report) -> str:
    """`cpu`, `cuda`, and why others did not run."""
    return ", ".join(f"{name}: {state}" for name, state in report.environment.devices.items())


def shown(student: str) -> str:
    """A student id as it may be printed: no control characters."""
    return "".join(c if c.isprintable() else "?" for c in student)
