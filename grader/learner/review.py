"""Schedules questions to repeat, by FSRS, in `.grader/review.json` of the course folder.

A question enters once it was answered; a wrong answer brings it back sooner. The file holds no answer and no key, and
nothing that grading depends on. Fields of a newer version stay unchanged.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import fsrs
import msgspec
from msgspec import Meta

from grader.course import Course
from grader.learner.progress import KeptFile
from grader.texts import translated

FILE = "review.json"
MOST = 3  # questions of one day
DAMAGED = translated(
    "{file} is damaged ({error}); it was moved to {kept}, and questions that come again are chosen again as you answer"
)
NEWER = translated(
    "{file} was written by a newer version of this kit; no question comes again until you update the kit"
)
NOT_KEPT = translated("when questions come again is not recorded: {file}: {error}")
# Steps of minutes are for packs of cards that are learnt in one sitting; here the shortest interval is a day.
SCHEDULER = fsrs.Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
UTC = datetime.timezone.utc


class ReviewCard(msgspec.Struct, frozen=True):
    """One question as FSRS knows it, in days, and the share of the points that its last answer earned."""

    due: Annotated[datetime.datetime, Meta(tz=True)]
    last_review: Annotated[datetime.datetime, Meta(tz=True)]
    stability: Annotated[float, Meta(gt=0)]
    difficulty: float
    share: float = 0.0


class Review:
    """The questions that were answered in one folder of exercise files."""

    def __init__(self, course: Course, folder: Path) -> None:
        self._course = course
        kind = dict[str, dict[str, dict[str, ReviewCard]]]
        self._file = KeptFile(course, folder, FILE, kind, (DAMAGED, NEWER, NOT_KEPT))
        self.troubles = self._file.troubles
        self._units = {e.id: n for n, unit in enumerate(course.path) for e in unit.exercises}

    def due(
        self, known: Mapping[str, Sequence[str]], today: str, now: datetime.datetime | None = None
    ) -> list[tuple[str, str]]:
        """Return up to three due questions, as (exercise, name): those of earlier units first, then the longest due.

        Args:
            known: the names of the existing questions, by exercise.
            today: an exercise of the unit that is worked on, or the unit's id; its questions do not come again yet.
            now: the moment that counts, with its zone.
        """
        moment = now or datetime.datetime.now(UTC)
        unit = next((n for n, u in enumerate(self._course.path) if u.id == today), self._units.get(today, -1))
        found = [
            (self._units.get(section, len(self._units)), card.due, section, name)
            for section, cards in self._file.mine().items()
            for name, card in cards.items()
            if card.due <= moment and name in known.get(section, ()) and self._units.get(section) != unit
        ]
        return [(section, name) for _, _, section, name in sorted(found)[:MOST]]

    def noted(self, section: str, question: str, share: float, now: datetime.datetime | None = None) -> None:
        """Record an answer to a question and the share of its points that it earned, and schedule the question.

        The same result once more on the same day changes nothing.
        """
        moment = (now or datetime.datetime.now(UTC)).astimezone(UTC)
        old: ReviewCard | None = self._file.mine().get(section, {}).get(question)
        if not old or old.share != share or old.last_review.date() != moment.date():
            card = msgspec.to_builtins(_next(old, share, moment))
            self._file.change(section, lambda cards: cards.update({question: card}))


def _next(old: ReviewCard | None, share: float, moment: datetime.datetime) -> ReviewCard:
    """Return the card after this answer: all right is good, right in part is hard, nothing right is again."""
    known: dict[str, Any] = {"state": fsrs.State.Learning}
    if old:
        known = {"state": fsrs.State.Review, "last_review": old.last_review.astimezone(UTC), "due": old.due}
        known |= {"stability": old.stability, "difficulty": old.difficulty}
    rating = fsrs.Rating.Good if share >= 1 else fsrs.Rating.Hard if share > 0 else fsrs.Rating.Again
    card, _ = SCHEDULER.review_card(fsrs.Card(card_id=1, **known), rating, moment)
    assert card.stability is not None
    assert card.difficulty is not None
    return ReviewCard(card.due, moment, card.stability, card.difficulty, share)
