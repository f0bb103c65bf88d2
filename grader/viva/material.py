"""The facts about one file before anything is asked: its results, the expected ones, and the effects of changes."""

from __future__ import annotations

import dataclasses
import random
import re
from collections.abc import Callable, Iterator, Sequence

from grader.report.oral_exam import CodeLine, Kind, Option, OralQuestion
from grader.sandbox.processes import Edit
from grader.suites import Call, LocalTarget, Outcome, Suite, Suites
from grader.texts import NOTHING, Text, WithReason, clean
from grader.viva import wording
from grader.viva.inputs import Small
from grader.viva.runs import Code, Results, meant, same

MOST_MUTANTS = 24
A_LINE = 3  # mutants
OPTIONS = 4  # of a question
SMALLEST = 8  # inputs of which some are shown
TRIES = 2  # choices of them in which each place can be the right one
LONGEST = 60  # characters of a change that is named in a question
_DTYPE = re.compile(r",? ?(?:dtype=)?b?float\d+")


class NothingToAsk(WithReason):
    """No question can be made about a file, and why."""


@dataclasses.dataclass(frozen=True)
class Draft:
    """A question, and what makes sure of its answer once more before it is asked."""

    question: OralQuestion
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
        """Return True if the file gives a result other than the expected one; None if that is not certain."""
        return _differ(self.results[index], self.due[index])

    def said(self, index: int, outcome: Outcome | None) -> Text:
        """A result for an input: with entries where the input's are told too."""
        assert outcome is not None
        return wording.result(outcome, self.inputs[index].full)

    def result(self, index: int) -> Text:
        """Return in words what the file gives for an input for which that is certain."""
        return self.said(index, self.results[index])

    def question(
        self, kind: Kind, text: Text, options: Sequence[Option], lines: tuple[CodeLine, ...] = (), single: bool = False
    ) -> OralQuestion:
        """A question about this file."""
        return OralQuestion(kind, self.exercise, text, lines, tuple(options), single)

    def few(self, ours: Sequence[int], theirs: Sequence[int]) -> Iterator[list[int]]:
        """Choices of small inputs, the smallest first: one of ours or none, the others of theirs, of inputs that differ
        in the dtype alone one, and none larger or smaller than all of the other sort if that leaves enough."""
        parts = []
        for part in (ours, theirs):
            shown = {_DTYPE.sub("", self.inputs[i].words.to("en")): i for i in self.rng.sample(part, len(part))}
            parts.append(sorted(shown.values()))
        if not all(parts):
            return
        sizes = [[self.inputs[i].size for i in part] for part in parts]
        least, most = max(map(min, sizes)), min(map(max, sizes))
        for n, part in enumerate(parts):
            between = [i for i in part if least <= self.inputs[i].size <= most]
            parts[n] = (part if len(between) < OPTIONS - 1 else between)[:SMALLEST]
        for right in (1, 1, 1, 0) * TRIES:
            if len(parts[1]) >= (others := OPTIONS - 1 - right):
                yield sorted([*self.rng.sample(parts[0], right), *self.rng.sample(parts[1], others)])

    def options(self, chosen: Sequence[int], right: Sequence[bool], proof: Callable[[int], Text]) -> list[Option]:
        """These inputs, and none of them."""
        shown = [Option(self.inputs[i].words, r, proof(i)) for i, r in zip(chosen, right, strict=True)]
        return [*shown, Option(wording.NONE, not any(right), NOTHING)]

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
            results = [*map(meant, self.code.tried(self.calls, edit))]
            changed = tuple(map(_differ, results, self.results))
            yield Mutant(edit, results, changed)

    def again(self, mutant: Mutant, chosen: Sequence[int]) -> bool:
        """Return True if a second run, in a fresh process and in reverse, gives the same for these inputs.

        For inputs whose numbers are not shown, the change must have the same effect on other numbers too.
        """
        backwards = list(reversed(chosen))
        results = self.code.tried([self.inputs[i].call for i in backwards], mutant.edit)
        if not all(same(r, mutant.results[i]) for i, r in zip(backwards, results, strict=True)):
            return False
        open_ones = [i for i in chosen if self.inputs[i].other]
        before, after = self.others(open_ones), self.others(open_ones, mutant.edit)
        return list(map(_differ, before, after)) == [mutant.changed[i] for i in open_ones]

    def others(self, chosen: Sequence[int], edit: Edit | None = None) -> Results:
        """Return what the file, or a changed copy, gives for these inputs with other numbers."""
        calls = [other for i in chosen if (other := self.inputs[i].other)]
        return (self.code.tried(calls, edit) if edit else self.code.results(calls)) if calls else []


def gathered(exercise: str, suites: Suites, code: Code, inputs: Sequence[Small], rng: random.Random) -> Material:
    """Run the file on every input, twice in fresh processes, the second time the other way round.

    Raises:
        LoadFailed: it cannot be imported, or makes a call that is forbidden.
        NothingToAsk: nobody has written the function.
    """
    calls = [i.call for i in inputs]
    first = code.results(calls)
    if not_begun(first):
        raise NothingToAsk(wording.NOT_BEGUN)
    second = list(reversed(code.results(list(reversed(calls)))))
    sure: Results = [meant(a) if same(a, b) else None for a, b in zip(first, second, strict=True)]
    right = LocalTarget(suites[exercise].reference)
    due: Results = [right.call(call) for call in calls]
    return Material(exercise, suites, code, inputs, sure, due, rng)


def change(source: str, edit: Edit) -> tuple[CodeLine, ...]:
    """The lines of the file that a change takes away and those that it puts there."""
    after = edit.applied(source)
    first, last = source.count("\n", 0, edit.start), source.count("\n", 0, edit.end)
    grown = last + edit.text.count("\n") - source.count("\n", edit.start, edit.end)
    old, new = lines(source)[first : last + 1], lines(after)[first : grown + 1]
    gone = [CodeLine("-", first + i + 1, text) for i, text in enumerate(old)]
    return (*gone, *(CodeLine("+", first + i + 1, text) for i, text in enumerate(new)))


def named(source: str, edit: Edit) -> Text:
    """The change in words: "Without `keepdim=True` in line 12"."""
    first, last = (source.count("\n", 0, place) + 1 for place in (edit.start, edit.end))
    if edit.kind == "line":
        return (wording.WITHOUT_LINES if last > first else wording.WITHOUT_LINE).format(line=first, last=last)
    assigned = re.search(r"\w+=\Z", source[max(0, edit.start - LONGEST) : edit.start])
    name = assigned.group() if assigned else ""
    old, new = (clean(" ".join(text.split()), 300) for text in (source[edit.start : edit.end], edit.text))
    for gone in (old.removeprefix(new), old.removesuffix(new)):
        if gone != old or not new:
            return _short(wording.WITHOUT.format(line=first, code=gone.strip(" ,")), first)
    return _short(wording.INSTEAD.format(line=first, old=name + old, new=name + new), first)


def _short(text: Text, line: int) -> Text:
    return text if len(text.to("en")) <= LONGEST else wording.AS_SHOWN.format(line=line)


def lines(source: str) -> list[str]:
    """Lines that can be shown, whatever a stranger put into them."""
    return [clean(line.rstrip("\r"), 300) for line in source.split("\n")]


def _differ(one: Outcome | None, other: Outcome | None) -> bool | None:
    """Return True if two results certainly differ, False if they certainly agree, else None."""
    agree = same(one, other)
    return None if agree is None else not agree


def not_begun(results: Sequence[Outcome | None]) -> bool:
    """Return True if every answer is a NotImplementedError, so nobody has written the function."""
    raised = [r.raised for r in results if r is not None]
    return bool(raised) and all(e is not None and e.types[0] == "NotImplementedError" for e in raised)
