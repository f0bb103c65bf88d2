"""A learner's views between two attempts: the progress, one exercise's verdict, its hints, the solution."""

from __future__ import annotations

from rich.cells import cell_len

from grader.course import Course, Exercise, Unit, file_name
from grader.learner.progress import Standings, builds_on
from grader.rendering.terminal import ALL_DONE, BY_HAND, SIGNS, Screen, bar, padded
from grader.report import ExerciseReport
from grader.texts import translated

NEXT = translated("Next: {title} ({file})")
ALSO = translated("Also open: {others}")
AFTER = translated("  (after {others})")
MINUTES = translated("{minutes} min")
BUILDS_ON = translated("after {units}")
TODAY = translated("  (new today)")
NEW_TODAY = translated("New today: {titles}")
PRINTED_ELSEWHERE = translated("Lines printed in other calls: {count}")
PRINTED_LINES = translated("Lines that your code printed: {count}")
MOST_PRINTED, LEAST_PRINTED = 12, 3  # lines
LOST = ("timeout", "crashed")  # verdicts of calls that cannot be made again to see what they print
SHORT = 6  # columns of the shortest bar
WIDE = 78  # columns that a unit's whole line needs
TO_ANSWER = translated("Open {file}, answer below `{id}:`, save.")
CHECKS = translated("{passed} of {all} checks pass.")
TO_BEGIN = translated("Open {file}, write the function, save.")
HINT = translated("Hint {number} of {all}")
MORE_HINTS = translated("Ask again for the next one if you need it.")
LAST_HINT = translated("That was the last hint.")
NO_HINTS = translated("There are no hints for {title}. `grader check {id}` says what is wrong and shows values.")
ALL_PASS = translated("Everything passes.")
ASK_RESET = translated(
    "Put the untouched {file} back? What it holds now is kept as a backup. y = yes, any other key = no"
)
ALL_OF_IT = translated("It holds {others} too.")
NO_SOLUTION = translated("This copy holds no solution of {id}.")
ANSWERS = translated("`grader answers {id}` shows the answers and what proves them.")
SOLUTION = translated("One solution; yours may differ and be as good.")


def reached(screen: Screen, course: Course, standings: Standings) -> None:
    """Show in one line where the learner is in the whole course."""
    points, most = standings.points_of(course.exercises)
    words = screen.words(standings.in_words())
    title = screen.words(course.settings.title) + "  "
    left = screen.size[0] - cell_len(title + words) - 2
    if left < SHORT:  # the title is what can be spared
        title, left = "", screen.size[0] - cell_len(words) - 2
    screen.row(f"{title}{bar(points / (most or 1), min(left, 20))}  {words}", "bold")


def progress(screen: Screen, course: Course, standings: Standings, files: str, whole: bool = False) -> None:
    """Show each unit of the path with a bar; the exercises of the next unit, or of all; then what can be done next.

    Args:
        files: the learner's name for the folder of exercise files.
        whole: True to show the exercises of every unit.
    """
    reached(screen, course, standings)
    ready = standings.open_now()[:1]
    screen.line("")
    for unit in course.path:
        unit_row(screen, course, unit, standings)
        if whole or len(course.path) == 1 or set(ready) & {*unit.exercises}:
            for exercise in unit.exercises:
                exercise_row(screen, course, exercise, standings)
    screen.line("")
    if titles := [e.title.to(screen.lang) for e in course.steps if e.id in standings.new_today()]:
        screen.say(NEW_TODAY, "green", titles=", ".join(titles))
    upcoming(screen, standings, files)


def unit_row(
    screen: Screen, course: Course, unit: Unit, standings: Standings, style: str = "bold", lead: str = ""
) -> None:
    """Show a unit in one line: bar, points, its usual time, the units that it builds on."""
    points, most = standings.points_of(unit.exercises)
    widest = max(cell_len(screen.words(u.title)) for u in course.path)
    narrow = screen.size[0] < WIDE
    shown = f"{points:g} / {most:g}"
    line = (
        f"{lead}{padded(screen.words(unit.title), widest)} {bar(points / (most or 1), 6 if narrow else 12)} {shown:<11}"
    )
    minutes = screen.words(MINUTES, minutes=unit.minutes) if unit.minutes else ""
    before = ", ".join(map(str, builds_on(course, unit)))
    after = screen.words(BUILDS_ON, units=before) if before and not narrow else ""
    digits = len(str(len(course.path)))
    number = f"{course.path.index(unit) + 1:<{digits}} " if len(course.path) > 1 else ""
    screen.row(f"{number}{line} {padded(minutes, 9)}{after}".rstrip(), style)


def exercise_row(screen: Screen, course: Course, exercise: Exercise, standings: Standings, style: str = "") -> None:
    """Show an exercise in one line: its best points, whether it passed today, what it comes after."""
    widest = max(len(e.id) for e in course.exercises)
    best = standings.best_points(exercise)
    by_hand = standings.is_by_hand(exercise)
    status = "passed" if standings.passed(exercise.id) else "failed" if best else "missing"
    sign, colour = SIGNS["skipped" if by_hand else status]
    missing = [a for a in exercise.after if not standings.passed(a)]
    after = screen.words(AFTER, others=", ".join(missing)) if missing and status != "passed" else ""
    today = screen.words(TODAY) if exercise.id in standings.new_today() else ""
    note = screen.words(BY_HAND) if by_hand else after or today
    line = f"{sign} {exercise.id:<{widest}} {best:>5g} / {exercise.points:<4g} {screen.words(exercise.title)}{note}"
    screen.row(line, style or colour, indent=2)


def upcoming(screen: Screen, standings: Standings, files: str) -> None:
    """Show what can be done next."""
    ready = standings.open_now()
    if not ready:
        screen.say(ALL_DONE, "green")
        return
    screen.say(NEXT, "bold", title=ready[0].title, file=f"{files}/{file_name(ready[0].source)}")
    if others := [e.id for e in ready[1:6]]:
        screen.say(ALSO, "dim", others=", ".join(others))


def printed(screen: Screen, report: ExerciseReport, room: int | None = None) -> None:
    """Show the output of the call that the verdict quotes, or how much others printed.

    Args:
        room: the lines that the verdict itself leaves.
    """
    chief = report.chief_check
    lost = report.failed and (chief is None or chief.verdict in LOST)
    if report.printed or (report.stdout and lost):
        screen.printed(report, MOST_PRINTED if room is None else max(min(room - 2, MOST_PRINTED), LEAST_PRINTED))
    elif report.stdout:
        screen.say(PRINTED_ELSEWHERE if chief else PRINTED_LINES, "dim", count=len(report.stdout.splitlines()))


def verdict(screen: Screen, report: ExerciseReport, exercise: Exercise, file: str) -> None:
    """Show one exercise after a save: the recognised mistake, the first failure, a picture of it."""
    if not report.started:
        screen.say_at(4, TO_ANSWER if exercise.kind == "questions" else TO_BEGIN, "dim", file=file, id=exercise.id)
        return
    screen.why(report)
    if broken := report.failed:
        chief = report.chief_check
        if chief is None:  # else it says so itself
            screen.say_at(4, CHECKS, "dim", passed=len(report.checks) - len(broken), all=len(report.checks))
        else:
            screen.picture(chief, indent=4, view=exercise.view)
        screen.mistakes(report, behind_chief=False)
    elif report.done and report.score == report.max_score > 0:
        screen.say_at(4, ALL_PASS, "green")


def hints(screen: Screen, exercise: Exercise, shown: int) -> None:
    """Show the first `shown` hints of an exercise."""
    if not exercise.hints:
        screen.say(NO_HINTS, id=exercise.id, title=exercise.title)
        return
    for number, hint in enumerate(exercise.hints[:shown], 1):
        if number > 1:
            screen.line("")
        screen.say(HINT, "bold yellow", number=number, all=len(exercise.hints))
        screen.line(screen.words(hint), indent=2)
    screen.line("")
    screen.say(MORE_HINTS if shown < len(exercise.hints) else LAST_HINT, "dim")


def ask_reset(screen: Screen, course: Course, exercise: Exercise) -> None:
    """Ask whether to reset the file of this exercise, and say what else it holds."""
    screen.say(ASK_RESET, "bold", file=file_name(exercise.source))
    if others := [e.id for e in course.exercises if e.source == exercise.source and e != exercise]:
        screen.say(ALL_OF_IT, others=", ".join(others))


def solution(screen: Screen, course: Course, exercise: Exercise) -> None:
    """Show the solution of an exercise, if the course folder holds it; a sheet holds other questions' answers too."""
    if exercise.kind == "questions":
        screen.say(ANSWERS, id=exercise.id)
        return
    try:
        source = course.solution(exercise.id).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        screen.say(NO_SOLUTION, id=exercise.id)
        return
    screen.line(f"{exercise.id}: {screen.words(exercise.title)}", "bold")
    screen.say(SOLUTION, "dim")
    screen.line("")
    screen.code(source)
