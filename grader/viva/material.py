"""What is found out about one file before anything is asked: its results, what is due, what changes of it do."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from grader.report.oral_exam import Kind, Line, Option, Question
from grader.sandbox.processes import Edit
from grader.suites import Call, LocalTarget, Outcome, Suite, Suites
from grader.texts import Text, clean
from grader.viva import wording
from grader.viva.inputs import Small
from grader.viva.runs import Code, Results, same

MOST_MUTANTS = 14
A_LINE = 2  # mutants
OPTIONS = 4  # of a question
T = TypeVar("T")


@dataclasses.dataclass(frozen=True)
class Draft:
    """A question, and what makes sure of its answer once more before it is asked."""

    question: Question
    confirmed: Callable[[], bool] = lambda: True


@dataclasses.dataclass(frozen=True)
class Mutant:
    """The file with one change: what it gives for each input, and whether that differs from what the file gives."""

    edit: Edit
    results: Results
    changed: tuple[bool | None, ...]


@dataclasses.dataclass
class Material:
    """One file of one student; everything by the index of an input in `inputs`."""

    exercise: str
    suites: Suites
    code: Code
    inputs: Sequence[Small]
    results: Results
    due: Results
    rng: random.Random

    @property
    def suite(self) -> Suite:
        """The exercise's."""
        return self.suites[self.exercise]

    @property
    def calls(self) -> list[Call]:
        return [i.call for i in self.inputs]

    @property
    def lines(self) -> tuple[str, ...]:
        """The source as it can be shown."""
        return tuple(lines(self.code.source.rstrip()))

    def certain(self) -> list[int]:
        """The inputs to which the file gives the same answer every time."""
        return [i for i, result in enumerate(self.results) if result is not None]

    def wrong(self, index: int) -> bool | None:
        """Whether the file gives something else than what is asked for."""
        return _differ(self.results[index], self.due[index])

    def said(self, index: int, outcome: Outcome | None) -> Text:
        """A result for an input: with entries where the input's are told too."""
        assert outcome is not None
        return wording.result(outcome, self.inputs[index].full)

    def result(self, index: int) -> Text:
        """What the file gives for an input for which that is certain."""
        return self.said(index, self.results[index])

    def question(
        self, kind: Kind, text: Text, options: Sequence[Option], lines: tuple[Line, ...] = (), single: bool = False
    ) -> Question:
        """A question about this file."""
        return Question(kind, self.exercise, text, lines, tuple(options), single)

    def mixed(self, right: Sequence[T], others: Sequence[T], most: int = OPTIONS) -> list[T]:
        """`most` things in an order of chance, some of either sort, as many of each as chance says; maybe none."""
        counts = [n for n in range(1, most) if n <= len(right) and most - n <= len(others)]
        count = self.rng.choice(counts) if counts else 0
        chosen = [*self.rng.sample(right, count), *self.rng.sample(others, most - count)] if counts else []
        self.rng.shuffle(chosen)
        return chosen

    def mutants(self) -> Iterator[Mutant]:
        """Changed copies, in an order of chance; no line more often than A_LINE times."""
        edits = list(self.code.edits())
        self.rng.shuffle(edits)
        often: dict[int, int] = {}
        tried = 0
        for edit in edits:
            at = self.code.source.count("\n", 0, edit.start)
            often[at] = often.get(at, 0) + 1
            if often[at] > A_LINE or tried == MOST_MUTANTS:
                continue
            tried += 1
            results = self.code.tried(self.calls, edit)
            changed = tuple(map(_differ, results, self.results))
            yield Mutant(edit, results, changed)

    def again(self, mutant: Mutant, chosen: Sequence[int]) -> bool:
        """Whether a second run, in a fresh process and the other way round, gives the same for these inputs; with other
        numbers too, where nobody is told which."""
        backwards = list(reversed(chosen))
        results = self.code.tried([self.inputs[i].call for i in backwards], mutant.edit)
        if not all(same(r, mutant.results[i]) for i, r in zip(backwards, results, strict=True)):
            return False
        open_ones = [i for i in chosen if self.inputs[i].other]
        before, after = self.others(open_ones), self.others(open_ones, mutant.edit)
        return list(map(_differ, before, after)) == [mutant.changed[i] for i in open_ones]

    def others(self, chosen: Sequence[int], edit: Edit | None = None) -> Results:
        """What the file, or a changed copy, gives for these inputs with other numbers."""
        calls = [other for i in chosen if (other := self.inputs[i].other)]
        return (self.code.tried(calls, edit) if edit else self.code.results(calls)) if calls else []


def gathered(exercise: str, suites: Suites, code: Code, inputs: Sequence[Small], rng: random.Random) -> Material:
    """Run the file on every input, twice in fresh processes, the second time the other way round.

    Raises:
        LoadFailed: it cannot be imported, or makes a call that is forbidden.
    """
    calls = [i.call for i in inputs]
    first = code.results(calls)
    second = list(reversed(code.results(list(reversed(calls)))))
    sure: Results = [a if same(a, b) else None for a, b in zip(first, second, strict=True)]
    right = LocalTarget(suites[exercise].reference)
    due: Results = [right.call(call) for call in calls]
    return Material(exercise, suites, code, inputs, sure, due, rng)


def change(source: str, edit: Edit) -> tuple[Line, ...]:
    """The lines of the file that a change takes away and those that it puts there."""
    after = edit.applied(source)
    first, last = source.count("\n", 0, edit.start), source.count("\n", 0, edit.end)
    grown = last + edit.text.count("\n") - source.count("\n", edit.start, edit.end)
    old, new = lines(source)[first : last + 1], lines(after)[first : grown + 1]
    gone = [Line("-", first + i + 1, text) for i, text in enumerate(old)]
    return (*gone, *(Line("+", first + i + 1, text) for i, text in enumerate(new)))


def lines(source: str) -> list[str]:
    """Lines that can be shown, whatever a stranger put into them."""
    return [clean(line.rstrip("\r"), 300) for line in source.split("\n")]


def _differ(one: Outcome | None, other: Outcome | None) -> bool | None:
    """Whether two results are surely others; None where that is not certain."""
    agree = same(one, other)
    return None if agree is None else not agree


def not_begun(results: Sequence[Outcome | None]) -> bool:
    """Whether every answer is that nobody has written the function."""
    raised = [r.raised for r in results if r is not None]
    return bool(raised) and all(e is not None and e.types[0] == "NotImplementedError" for e in raised)
