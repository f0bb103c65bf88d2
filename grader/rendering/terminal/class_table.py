"""A class on a terminal: a line a student, and what a regrade changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.table import Table
from rich.text import Text as Styled

from grader.course import IN_TIME, LatePenalty
from grader.rendering.terminal.screen import Screen, printable
from grader.report import Fault, Row, in_order, results, total
from grader.texts import translated

COLUMNS = translated("student|total|what stood out")
COUNTS = translated("Counts")
NOT_GRADED = translated("not graded: {reason}")
MORE_ROWS = translated("... and {count} more in summary.csv")
MOST_ROWS = 200
MOST_NAME = 40  # characters
CHANGED = translated("{count} scores changed:")
UNCHANGED = translated("no score changed")


def class_table(
    screen: Screen, outcomes: Iterable[Row | Fault], columns: Mapping[str, Sequence[str]],
    penalty: LatePenalty = IN_TIME,
) -> None:  # fmt: skip
    """A line a student: the scores of each column's exercises, total, what stood out; then what was not graded.

    Where `penalty` knows when work came, also what lateness leaves of the total.
    """
    student, sum_, notable = COLUMNS.to(screen.lang).split("|")
    given = list(outcomes)
    rows = sorted((o for o in given if isinstance(o, Row)), key=in_order)
    faults = sorted((o for o in given if isinstance(o, Fault)), key=lambda o: o.student)
    headings = [student, *columns, sum_, *([COUNTS.to(screen.lang).lower()] if penalty else [])]
    shown = {o.student: printable(o.student) for o in given}
    names = {s: n if len(n) <= MOST_NAME else n[: MOST_NAME - 1] + "…" for s, n in shown.items()}
    longest = max(map(cell_len, names.values()), default=0)
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for index, heading in enumerate(headings):  # where there is little room, what stood out gives way to who it was
        least = None if index else min(longest, screen.size[0] // 2)
        table.add_column(heading, justify="right" if index else "left", no_wrap=True, min_width=least)
    table.add_column(notable, no_wrap=True)
    used = max(map(len, names.values()), default=0) + sum(max(len(h), 5) + 2 for h in headings) + 9
    for row in rows[:MOST_ROWS]:
        found = ([row.scores[e] for e in ids if e in row.scores] for ids in columns.values())
        scores = [f"{total(scores):g}" if scores else "" for scores in found]
        notes = Styled(row.notable(screen.lang))
        notes.truncate(max(screen.size[0] - used, 20), overflow="ellipsis")
        counts = [f"{penalty(row.student, row.scores)[0]:g}"] if penalty else []
        table.add_row(*map(Styled, [names[row.student], *scores, f"{row.score:g} / {row.max_score:g}", *counts]), notes)
    screen.table(table)
    if len(rows) > MOST_ROWS:
        screen.say(MORE_ROWS, count=len(rows) - MOST_ROWS)
    for fault in faults:
        screen.line(f"{printable(fault.student)}: {screen.words(NOT_GRADED, reason=fault.reason)}", "red")


def changes(screen: Screen, before: Mapping[str, Row], outcomes: Iterable[Row | Fault]) -> None:
    """Print whose score a regrade changed, and what was different."""
    if not before:
        return
    changed = [c for c in results.changes(before, outcomes).changes if c.before != c.after]
    screen.say(CHANGED if changed else UNCHANGED, count=len(changed))
    for change in sorted(changed, key=lambda c: c.student):
        old, new = (f"{score:g} / {most:g}" for score, most in (change.before, change.after))
        screen.line(f"{printable(change.student)}: {old} → {new} ({', '.join(change.why)})", indent=2)
