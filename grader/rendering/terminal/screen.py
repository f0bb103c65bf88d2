"""Reports to the terminal, for learners and for instructors."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Iterator, Sequence

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text as Styled

from grader.course import Course, Exercise, file_name
from grader.rendering.terminal import pictures, prints
from grader.report import Check, ExerciseReport, Report, in_parts, total
from grader.texts import NOTHING, Text, translated

SIGNS = {"passed": ("✔", "green"), "failed": ("✘", "red"), "skipped": ("-", "dim"), "missing": ("·", "dim")}
SUMMARY = translated("{score:g} of {most:g} points.")
SUMMARY_LATER = translated("{score:g} of {most:g} points; {later:g} more are given by hand, or later.")
ALL_DONE = translated("Everything passes. Well done!")
ALL_BUT = translated("Nothing is wrong. What is marked by hand, or later, has no points yet: {titles}.")
NEXT_START = translated("Next: open {file} and start with {title}.")
NEXT_FIX = translated("Next: `grader check {id}` shows every check of {title}.")
NEXT_EDIT = translated("Next: edit {file} and run `grader check {id}` again.")
HINT_TOO = translated("`grader hint {id}` gives a hint. ")
WATCH_TOO = translated("`grader watch` checks each time you save.")
BY_HAND = translated("  (waits for a person)")
LATER, UNBEGUN = translated("  (marked when you hand it in)"), translated("  (not started)")
COUNT = translated("({passed} of {all} checks pass)")
PICTURED = translated("{name}, of shape {shape}; wrong entries carry a *")
PICTURE_HEADINGS = translated("expected|got")
PLACES = translated("where each entry belongs: row,column, with the [matrix] in front if it is another one:")
POINTS = translated("pairs of columns as points (angle, distance from 0):")
POINT = translated("row {row}, columns {one}, {other}: expected {due}, got {came}")
AS_ABOVE = translated("the same as above")
PRINTED = translated("your code printed:")
PRINTED_HERE = translated("this call of your code printed:")
PRINTED_MORE = translated("... more lines: {count}")
READABLE, DOT = 100, " · "  # columns of a lesson; between keys


class Screen:
    """A console, and the language to print in."""

    def __init__(self, lang: str, console: Console) -> None:
        self.lang = lang
        self._console = console

    @property
    def live(self) -> bool:
        """True if this is a terminal that can be redrawn."""
        return self._console.is_terminal and not self._console.is_dumb_terminal

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows, as they are now."""
        return self._console.size.width, self._console.size.height

    def table(self, table: Table) -> None:
        """A table of rich's."""
        self._console.print(table)

    @contextlib.contextmanager
    def whole(self, clear: bool) -> Iterator[None]:
        """Write all that is said in the block at once, on an empty terminal if `clear`."""
        with self._console:
            if clear:
                self._console.clear()
            yield

    def side_by_side(self, parts: Sequence[str], style: str = "") -> None:
        """Short parts with dots between them, as many in a line as fit."""
        line = ""
        for part in parts:
            if line and self._console.is_terminal and cell_len(line + DOT + part) > self._console.width:
                self.row(line, style)
                line = ""
            line += (DOT if line else "") + part
        self.row(line, style)

    def captured(self, draw: Callable[[], None]) -> list[str]:
        """The lines that `draw` prints, their colours in them; nothing is shown."""
        with self._console.capture() as held:
            draw()
        return held.get().split("\n")[:-1]

    def paint(self, lines: Sequence[str]) -> None:
        """Show these captured lines and nothing else; the last one may be the terminal's last."""
        with self._console:
            self._console.clear()
            self._console.print(Styled.from_ansi("\n".join(lines)), end="", soft_wrap=True)

    def in_language(self, lang: str) -> Screen:
        """The same screen in another language."""
        return Screen(lang, self._console)

    def words(self, text: Text, **values: object) -> str:
        """A sentence in the language of this screen."""
        return (text.format(**values) if values else text).to(self.lang)

    def say(self, text: Text, style: str = "", **values: object) -> None:
        self.line(self.words(text, **values), style)

    def line(self, text: str, style: str = "", indent: int = 0, hang: int = 0) -> None:
        """Print a line as it is; nothing in it is taken for markup.

        On a terminal what is too long goes on in the next line, `hang` columns further in than the first.
        """
        for part in text.splitlines() or [""]:
            if not self._console.is_terminal:
                self._console.print(Styled(" " * indent + part, style=style), soft_wrap=True)
                continue
            room = max(self._console.width - indent - hang, 20)
            for number, piece in enumerate(prints.broken(part, room, hang)):
                blank = " " * (indent + hang * bool(number))
                self._console.print(Styled(blank + piece.rstrip(), style=style), soft_wrap=True)

    def row(self, text: str, style: str = "", indent: int = 0) -> None:
        """Print one line of a list; on a terminal what is too long is cut."""
        line = " " * indent + text
        if self._console.is_terminal:
            line = prints.cut(line, self._console.width)
        self._console.print(Styled(line, style=style), soft_wrap=True)

    def overview(self, report: Report, course: Course) -> None:
        """Each exercise in a line or two, then what to do next."""
        self.line(f"{course.settings.title.to(self.lang)} · {device(report, self.lang)}", "bold")
        room = max((len(e.id) for e in report.exercises), default=0)
        for exercise in report.exercises:
            self.result(exercise, course.exercise(exercise.id), room, brief=exercise.stub)
        self._last_line(report, course, NEXT_FIX)

    def details(self, report: Report, course: Course) -> None:
        """Every check of the exercises, then what to do next."""
        for exercise in report.exercises:
            self.printed(exercise)
            self.result(exercise, course.exercise(exercise.id))
            self.checks(exercise, course.exercise(exercise.id).view)
        self._last_line(report, course, NEXT_EDIT)

    def result(self, exercise: ExerciseReport, known: Exercise, room: int = 0, brief: bool = False) -> None:
        """One exercise: its score, and unless `brief` the mistake that was recognised and what to look at first.

        Args:
            room: columns for the id.
        """
        self.headline(exercise, known, room, brief)
        if not brief:
            self.why(exercise)
            self.mistakes(exercise, behind_chief=False)
            for remark in exercise.remarks:
                self.line(self.words(remark), "dim", indent=4)

    def headline(self, exercise: ExerciseReport, known: Exercise, room: int = 0, brief: bool = False) -> None:
        """One exercise's score in a line, with the file if it is called otherwise."""
        waits, begun = exercise.status == "waiting", exercise.started and not brief
        status = "skipped" if waits else exercise.status if begun else "missing"
        sign, style = SIGNS.get(status, SIGNS["failed"])
        later = BY_HAND if any(c.answer is not None for c in exercise.checks) else LATER
        note = self.words(later) if waits else "" if begun else self.words(UNBEGUN)
        note += f"  ({exercise.file})" if begun and exercise.file else ""
        score, title = f"{exercise.score:>5g} / {exercise.max_score:<4g}", self.words(known.title)
        line = f"{sign} {exercise.id:<{max(room, 14)}} {score} {title}{note}"
        if not room and self._console.is_terminal and cell_len(line) > self._console.width:
            line = f"{sign} {exercise.id} {score.strip()}  "
            line += prints.cut(title, self._console.width - cell_len(line + note)) + note
        if room:
            self.line(line, style, hang=4)
        else:
            self.row(line, style)

    def why(self, exercise: ExerciseReport) -> None:
        """Print what to look at first, and above it the mistake that was recognised behind it."""
        self.mistakes(exercise, behind_chief=True)
        if not exercise.started or not exercise.reason:
            return
        if (first := exercise.chief_check) and not exercise.broken_file:
            checks = len(exercise.checks)
            count = self.words(COUNT, passed=checks - len(exercise.failed), all=checks)
            self.line(f"{self.words(first.title)}  {count}", indent=4)
        self.line(self.words(exercise.reason), indent=4)

    def mistakes(self, exercise: ExerciseReport, behind_chief: bool) -> None:
        """The mistakes that were recognised behind the check that is shown first, or the others."""
        for diagnosis in exercise.diagnoses:
            if (exercise.chief is None or exercise.chief in diagnosis.checks) == behind_chief:
                self.line("→ " + self.words(exercise.told(diagnosis)), "yellow", indent=4, hang=2)

    def checks(self, exercise: ExerciseReport, view: str = "") -> None:
        """Every check, those that differ only in dtype and have one verdict in one line; why they failed; a picture."""
        told = NOTHING
        for _, same in itertools.groupby(exercise.checks, lambda c: (c.title, c.verdict)):
            group = list(same)
            first = group[0]
            sign, style = SIGNS.get(first.verdict, SIGNS["failed"])
            labels = ", ".join(in_parts(c.id)[1] for c in group)
            score, most = (total(getattr(c, name) for c in group) for name in ("points", "max_points"))
            points = f"{sign} {score:>4g} / {most:<4g}"
            marks = f"  [{labels}]" if labels else ""
            self.line(f"{points} {self.words(first.title)}{marks}", style, indent=2, hang=len(points) + 1)
            if first.verdict != "passed" and first.reason and exercise.started:
                self.line(self.words(AS_ABOVE if first.reason == told else first.reason), indent=16, hang=2)
                told = first.reason
                if first.values:
                    self.line(self.words(first.values), indent=16, hang=2)
                self.picture(first, indent=16, view=view)

    def picture(self, check: Check, indent: int = 0, view: str = "") -> None:
        """Print the expected result beside the actual, if the check holds both; then the `view` the course adds."""
        if (found := check.picture) is None:
            return
        self.line("")
        self.say_at(indent, PICTURED, name=found.name, shape=found.shape)
        due, came = PICTURE_HEADINGS.to(self.lang).split("|")
        coloured = self._console.color_system is not None and not self._console.no_color
        for line in pictures.side_by_side(found, (due, came), self._console.width - indent, coloured):
            line.truncate(self._console.width - indent)
            self._console.print(Styled(" " * indent) + line, soft_wrap=True)
        if view == "places":
            for line in pictures.places(found, self.words(PLACES), self._console.width - indent):
                self.line(line.plain, str(line.style), indent)
        if view == "pairs":
            for number, turned in enumerate(pictures.turned(found)):
                if not number:
                    self.say_at(indent, POINTS, "bold")
                self.say_at(indent, POINT, **turned)
        self.line("")

    def say_at(self, indent: int, text: Text, style: str = "", **values: object) -> None:
        """A sentence that begins further in."""
        self.line(self.words(text, **values), style, indent)

    def printed(self, exercise: ExerciseReport, most: int | None = None, every: bool = False) -> None:
        """Print the output of the call that the verdict quotes; without one, or with `every`, all output of the code.

        Args:
            most: the most lines to show of it.
        """
        quoted = None if every else exercise.printed
        text = quoted.text if quoted else exercise.stdout
        if not text:
            return
        self.say(PRINTED_HERE if quoted else PRINTED, "dim")
        width = self._console.width - 4 if self._console.is_terminal else len(text)
        shown, left = prints.fitted(text, width, most)
        for line in shown:  # with a bar before it: none begins as a line of ours or of a build's log does
            self._console.print(Styled(f"  │ {line}", style="dim"), soft_wrap=True)
        if quoted:
            left += max(quoted.lines - len(text.splitlines()), 0)
        if left:
            self.say_at(2, PRINTED_MORE, "dim", count=left)

    def lesson(self, markdown: str) -> None:
        """A built lesson."""
        from grader.rendering.terminal import lesson  # rich's Markdown is slow to import

        width = min(self._console.width, READABLE)
        coloured = self._console.color_system is not None and not self._console.no_color
        for piece in lesson.shown(markdown, self.lang, width, coloured):
            self._console.print(piece, width=width)

    def code(self, source: str) -> None:
        """Python with its colours."""
        from rich.syntax import Syntax  # slow to import

        self._console.print(Syntax(source, "python", theme="ansi_dark", background_color="default", word_wrap=True))

    def _last_line(self, report: Report, course: Course, fix: Text) -> None:
        self.line("")
        later = total(c.max_points for e in report.exercises for c in e.checks if c.verdict == "skipped")
        self.say(SUMMARY_LATER if later else SUMMARY, "bold", score=report.score, most=report.max_score, later=later)
        place = {e.id: n for n, e in enumerate(course.steps)}
        along = sorted(report.exercises, key=lambda e: place.get(e.id, len(place)))
        broken = [e for e in along if not e.done]
        waiting = [self.words(course.exercise(e.id).title) for e in report.exercises if e.status == "waiting"]
        if not broken:
            self.say(ALL_BUT if waiting else ALL_DONE, "green", titles=", ".join(waiting))
            return
        begun = [e for e in broken if not e.stub and e.status != "missing"]
        open_now = [e for e in broken if not {b.id for b in broken} & {*course.exercise(e.id).after}]
        first = course.exercise([*begun, *open_now, *broken][0].id)
        file = f"exercises/{file_name(first.source)}"
        self.say(fix if begun else NEXT_START, id=first.id, title=first.title, file=file)
        self.line((self.words(HINT_TOO, id=first.id) if first.hints else "") + self.words(WATCH_TOO), "dim")


def device(report: Report, lang: str) -> str:
    """`cpu`, `cuda`, and why others did not run."""
    return ", ".join(f"{name}: {state.to(lang)}" for name, state in report.environment.devices.items())


def printable(student: str) -> str:
    """A student id as it may be printed: no control characters."""
    return "".join(c if c.isprintable() else "?" for c in student)
