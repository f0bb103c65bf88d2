"""What somebody who knows nothing gets by handing in sheet after sheet, and by reading what each is told.

    .venv/bin/python benchmarks/guesser.py [--rounds 10] [--guessers 5]

In the first rounds letters, words and orders are guessed, and numbers are those of people who are wrong (which the
questions foresee). A guesser reads what the course's `feedback` shows of a wrong answer: numbers in it are answers to
try, an option whose words stand in it is taken in or left out, a cell that is named gets another word, `root` or
`logarithm` is done to the number that was wrong. Points are shown at every level: what earned most so far is changed in
one place at a time. Nothing is answered twice alike. Each level starts from the same guesses.
"""

from __future__ import annotations

import argparse
import itertools
import math
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from grader.course import Course
from grader.course import course as courses
from grader.questions import Choice, Number, Paper, Question, Table, Written
from grader.questions.judging import NOT_RIGHT
from grader.report.feedback import hinted

LEVELS = ("full", "hints", "verdict")
DONE = {
    "root": math.sqrt,
    "logarithm": math.log,
    "exponential": math.exp,
    "square": lambda x: x * x,
    "half": lambda x: x / 2,
}
WORDS = re.compile(r"[a-z]{4,}")


class Guesser:
    """Answers one question, round after round."""

    def __init__(self, question: Question, plausible: list[Any], rng: random.Random) -> None:
        self._form, self._rng = question.form, rng
        self._tried: set[str] = set()
        self._next = [*plausible] if plausible else []
        rng.shuffle(self._next)
        self._last: Any = None
        self._best: Any = None
        self.share = 0.0  # of the points, that the best answer so far has earned

    def answer(self) -> Any:
        """An answer that was not given yet, or the last one where there is none left."""
        for given in itertools.chain(self._drawn_first(), itertools.islice(self._drawn(), 500)):
            if repr(given) not in self._tried:
                self._tried.add(repr(given))
                self._last = given
                break
        return self._last

    def _drawn_first(self) -> Iterator[Any]:
        while self._next:
            yield self._next.pop(0)

    def _drawn(self) -> Iterator[Any]:
        """Answers by chance; for numbers nothing but what was foreseen or read."""
        form, rng = self._form, self._rng
        options = list(form.choices())
        while options:
            if self._best is not None:
                yield self._changed(form)
            elif isinstance(form, Table):
                yield {row: {column: rng.choice(options) for column in form.columns} for row in form.rows}
            else:
                assert isinstance(form, Choice)
                letters = rng.sample(list(form.options), len(form.options))
                count = len(letters) if form.ordered else rng.randint(0, len(letters)) if form.many else 1
                yield letters if form.ordered else sorted(letters[:count]) or "none" if form.many else letters[0]

    def _changed(self, form: Choice | Table) -> Any:
        """The best answer so far, changed in one place."""
        best, rng = self._best, self._rng
        if isinstance(form, Table):
            row, column = rng.choice(form.rows), rng.choice(form.columns)
            return {**best, row: {**best[row], column: rng.choice(list(form.choices()))}}
        if form.ordered:
            i, j = sorted(rng.sample(range(len(best)), 2))
            return [*best[:i], best[j], *best[i + 1 : j], best[i], *best[j + 1 :]]
        return sorted({*(() if best == "none" else best)} ^ {rng.choice(list(form.options))}) or "none"

    def read(self, said: str, share: float) -> None:
        """Take what was said of the last answer, and what it earned, into the next one."""
        form, last = self._form, self._last
        if share > self.share:
            self._best, self.share = last, share
        if isinstance(form, Number):
            numbers = re.findall(r"-?\d+(?:\.\d+)?(?:/\d+)?", said)
            done = [does for word, does in DONE.items() if word in said]
            with_value = re.fullmatch(r"-?\d+(\.\d+)?", str(last))
            more = [repr(does(float(last))) for does in done if with_value and float(last) > 0]
            self._next = more + numbers + self._next
        elif isinstance(form, Choice) and form.many and not isinstance(last, str):
            meant = self._meant(said)
            self._next = ([sorted({*last} ^ {meant}) or "none"] if meant else []) + self._next
        elif isinstance(form, Choice) and not form.ordered and (meant := self._meant(said)):
            self._next = [meant, *self._next]
        elif isinstance(form, Table) and (cell := re.search(r"row (.+), column (\w+)", said)):
            others = [o for o in form.choices() if o != str(last.get(cell[1], {}).get(cell[2]))]
            self._next = [
                {**last, cell[1]: {**last[cell[1]], cell[2]: o}} for o in others if cell[1] in last
            ] + self._next

    def _meant(self, said: str) -> str | None:
        """The option that shares most words with a sentence."""
        heard = set(WORDS.findall(said.lower()))
        shared = {n: len(heard & set(WORDS.findall(t.to("en").lower()))) for n, t in self._form.choices().items()}
        best = max(shared, key=lambda n: shared[n], default=None)
        return best if best and shared[best] else None


def points(course: Course, papers: dict[str, Paper], level: str, rounds: int, seed: int) -> list[float]:
    """The points after each round, of a course with this feedback."""
    totals = [0.0] * rounds
    for id, paper in papers.items():
        for question in paper.questions:
            if isinstance(question.form, Written):
                continue
            slips = paper.solved(question).wrong_answers if not question.form.choices() else ()
            foreseen = [question.form.write(slip.value) for slip in slips]
            guesser = Guesser(question, foreseen, random.Random(f"{seed} {id} {question.name}"))
            for number in range(rounds):
                given = {question.name: guesser.answer()}
                result, mistake = next(m for m in paper.mark(given) if m[0].id == question.name)
                more = result.points - question.points * guesser.share
                totals[number:] = [total + max(0.0, more) for total in totals[number:]]
                if result.verdict == "passed":
                    break
                said = [result.reason, *([mistake.message] if mistake else [])]
                shown = {"full": said, "hints": [hinted(t) for t in said], "verdict": [NOT_RIGHT]}[level]
                guesser.read(" ".join(text.to("en") for text in shown), result.points / question.points)
    return totals


def main() -> None:
    """Print a line for each level."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--guessers", type=int, default=5)
    options = parser.parse_args()
    course = courses.find(Path(__file__).parent)
    ids = [e.id for e in course.exercises if e.kind == "questions"]
    papers = {id: Paper(course.suite(id), course.root / "solutions") for id in ids}
    most = sum(paper.automatic for paper in papers.values())
    for level in LEVELS:
        found = [points(course, papers, level, options.rounds, seed) for seed in range(options.guessers)]
        mean = [sum(totals) / len(found) for totals in zip(*found, strict=True)]
        said = ", ".join(
            f"{n + 1}: {mean[n]:.1f}" for n in sorted({0, 2, options.rounds - 1} & set(range(options.rounds)))
        )
        print(f"{level:8} of {most:g} points after round {said}")


if __name__ == "__main__":
    main()
