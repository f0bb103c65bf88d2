"""Questions about one's own code on the terminal, one after another, each with what the run gave."""

from __future__ import annotations

from typing import TextIO

from grader.rendering.terminal.screen import Screen
from grader.report.oral_exam import LETTERS, OralQuestion, OralSheet, letters
from grader.texts import NOTHING, translated

HEADING = translated("Question {number} of {count}: {text}")
ONE = translated("One of these; a guess is right 1 time in {times:.0f}. Your answer (a letter):")
SOME = translated("At least one and not all; a guess is right 1 time in {times:.0f}. Your answer (letters):")
AGAIN_ONE = translated("That is not one of the letters. Type one, such as b; Ctrl-D leaves the rest unanswered.")
AGAIN = translated("Those are not letters of options. Type them, such as a, c; Ctrl-D leaves the rest unanswered.")
RIGHT = translated("Right.")
WRONG = translated("Not quite: {letters}.")
SCORE = translated("{right} of {count} right; guessing gives {chance:.1f} on average. Seed {seed}.")
NOT_ASKED = translated("{exercise}: nothing to ask: {reason}")
OPTION = translated("{sign} {letter}) {text}")


def posed(screen: Screen, asked: OralQuestion, number: int, count: int, lines: TextIO) -> bool:
    """Ask a question, take the letters that are typed and say what the run gave; whether it was answered right."""
    screen.line("")
    screen.say(HEADING.format(number=number, count=count, text=asked.text), "bold")
    for line in asked.change:
        screen.line(f"  {line.sign} {line.number:>3}  {line.text}", "red" if line.sign == "-" else "green")
    options = list(zip(LETTERS, asked.options, strict=False))
    for letter, option in options:
        screen.say_at(2, OPTION.format(sign=" ", letter=letter, text=option.text))
    screen.say((ONE if asked.single else SOME).format(times=1 / asked.chance), "dim")
    given = answer(screen, asked, lines)
    said = RIGHT if given == asked.right else WRONG.format(letters=", ".join(asked.right))
    screen.say(said, "green" if said is RIGHT else "red")
    for letter, option in options:
        if option.proof != NOTHING:
            sign = "✔" if option.right else "·"
            screen.say_at(2, OPTION.format(sign=sign, letter=letter, text=option.proof), "dim")
    return given == asked.right


def answer(screen: Screen, asked: OralQuestion, lines: TextIO) -> tuple[str, ...]:
    """The letters that are typed; asked for until they are letters of options. At the end of the input nothing."""
    while line := lines.readline():
        given = letters(line, LETTERS[: len(asked.options)])
        if given and not (asked.single and len(given) > 1):
            return given
        screen.say(AGAIN_ONE if asked.single else AGAIN, "yellow")
    return ()


def summary(screen: Screen, sheet: OralSheet, right: int) -> None:
    """Print how many answers were right, and which exercises nothing could be asked about."""
    for silent in sheet.unasked:
        screen.say(NOT_ASKED.format(exercise=silent.exercise or "-", reason=silent.reason), "yellow")
    if count := len(sheet.questions):
        screen.line("")
        screen.say(SCORE.format(right=right, count=count, chance=sheet.chance, seed=sheet.seed))
