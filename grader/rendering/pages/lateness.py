"""The lateness of a student, as the pages tell it: the points that count, and why."""

from __future__ import annotations

import dataclasses

from grader.course import Charged, Course, LatePenalty, hours
from grader.course.late_penalty import Scores
from grader.texts import Text, plain, translated

LATE = translated("handed in {when}, {hours} h after it was due ({due}), which costs {percent} % of the points")
EXTENDED = translated(
    "handed in {when}, {hours} h after the extension had ended ({due}), which costs {percent} % of the points"
)
OF_A_UNIT = translated("{unit}: {why}")


@dataclasses.dataclass(frozen=True)
class Lateness:
    """The points that count, and why they are others: a sentence for each unit that was late."""

    counts: float
    why: tuple[Text, ...]


def lateness(student: str, scores: Scores, course: Course, penalty: LatePenalty) -> Lateness | None:
    """Return what the page tells one student, None if nothing was late."""
    late = penalty.charged(student, scores)
    if not late:
        return None
    titles = {u.id: u.title for u in course.settings.units}
    said = [_why(charged) for charged in late.values()]
    if len(titles) > 1 and len(set(said)) > 1:
        units = (titles.get(unit, plain(unit)) for unit in late)
        said = [OF_A_UNIT.format(unit=unit, why=why) for unit, why in zip(units, said, strict=True)]
    counts, _ = penalty(student, scores)
    return Lateness(counts, tuple(dict.fromkeys(said)))


def _why(charged: Charged) -> Text:
    sentence = EXTENDED if charged.extended else LATE
    when, due = (moment.isoformat(" ", "minutes") for moment in (charged.handed_in, charged.due))
    percent = f"{100 * (1 - charged.factor):g}"
    return sentence.format(when=when, due=due, hours=hours(charged.seconds), percent=percent)
