"""The display of a batch that runs: a live bar, plain lines, JSON lines, or nothing."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator

import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from grader.report import Fault, Row

Stream = Iterator[Row | Fault]
Say = Callable[[str], None]
SECONDS = 10.0


class BatchCounts:
    """The progress of a batch in numbers."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.done = self.faults = self.rejected = 0
        self._started = time.monotonic()

    def add(self, outcome: Row | Fault) -> None:
        self.done += 1
        self.faults += isinstance(outcome, Fault)
        self.rejected += isinstance(outcome, Row) and outcome.status == "rejected"

    def rate(self) -> float:
        """Submissions a second, since the start."""
        return self.done / max(time.monotonic() - self._started, 1e-9)

    def line(self) -> str:
        left = (self.total - self.done) / self.rate()
        notes = f"{self.rejected} rejected, {self.faults} faults, {self.rate():.1f} a second, {left:.0f} s left"
        return f"graded {self.done} of {self.total}: {notes}"


def bar(stream: Stream, total: int) -> Stream:
    """A live line on the terminal."""
    counts = BatchCounts(total)
    notes = TextColumn("{task.fields[notes]}")
    columns = (TextColumn("grading"), BarColumn(), MofNCompleteColumn(), notes, TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as shown:
        task = shown.add_task("grading", total=total, notes="")
        for outcome in stream:
            counts.add(outcome)
            notes_now = f"{counts.rejected} rejected, {counts.faults} faults, {counts.rate():.1f}/s"
            shown.update(task, advance=1, notes=notes_now)
            yield outcome


def lines(stream: Stream, total: int, say: Say) -> Stream:
    """A line every ten seconds and one at the end."""
    counts = BatchCounts(total)
    said = time.monotonic()
    for outcome in stream:
        counts.add(outcome)
        yield outcome
        if counts.done == total or time.monotonic() - said >= SECONDS:
            said = time.monotonic()
            say(counts.line())


def json_lines(stream: Stream, say: Say, lang: str) -> Stream:
    """Each outcome as a JSON object on a line of its own, for scripts."""
    for outcome in stream:
        facts = msgspec.to_builtins(outcome)
        if isinstance(outcome, Row):
            facts |= {"reason": outcome.reason and outcome.reason.to(lang), "notable": outcome.notable(lang)}
            del facts["remarks"]
        say(json.dumps(facts, ensure_ascii=False))
        yield outcome
