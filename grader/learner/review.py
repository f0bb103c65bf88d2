"""Which questions come again and when, by FSRS, kept in `.grader/review.json` of the course folder.

A question enters once it was answered; a wrong answer brings it back sooner. The file holds no answer and no key, and
nothing that grading depends on. What a newer version wrote into it is left alone.
"""

from __future__ import annotations

import datetime
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import fsrs
import msgspec

from grader.course import Course
from grader.learner.progress import FOLDER, free, make
from grader.texts import Text, translated
from grader.whole_files import replace

FILE = "review.json"
FORMAT = 1
MOST = 3  # questions of one day
DAMAGED = translated(
    "{file} is damaged ({error}); it was moved to {kept}, and questions that come again are chosen anew as you answer"
)
NEWER = translated(
    "{file} was written by a newer version of this kit; no question comes again until you update the kit"
)
NOT_KEPT = translated("when questions come again is not recorded: {file}: {error}")
# Steps of minutes are for packs of cards that are learnt in one sitting; here the shortest interval is a day.
SCHEDULER = fsrs.Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
UTC = datetime.timezone.utc


class Card(msgspec.Struct, frozen=True):
    """One question as FSRS knows it, in days, and the share of the points that its last answer earned."""

    due: datetime.datetime
    last_review: datetime.datetime
    stability: float
    difficulty: float
    share: float = 0.0


class _Kept(msgspec.Struct):
    """The file: cards by question, by exercise, by the folder of exercise files."""

    format: int
    folders: dict[str, dict[str, dict[str, Card]]] = {}


class _Head(msgspec.Struct):
    format: int


class Review:
    """The questions that were answered in one folder of exercise files.

    No fault of the file keeps anyone from working: `troubles` says what is the matter with it, and nothing is lost.
    """

    def __init__(self, course: Course, folder: Path) -> None:
        self.troubles: list[Text] = []
        self._course, self._path = course, course.root / FOLDER / FILE
        inside = folder.resolve().is_relative_to(course.root)
        self._work = (folder.resolve().relative_to(course.root) if inside else folder.resolve()).as_posix()
        self._units = {e.id: n for n, unit in enumerate(course.path) for e in unit.exercises}

    def due(
        self, known: Mapping[str, Sequence[str]], today: str, now: datetime.datetime | None = None
    ) -> list[tuple[str, str]]:
        """Up to three questions that are due, as (exercise, name): those of earlier units first, then the longest due.

        Args:
            known: the names of the questions that there are, by exercise.
            today: an exercise of the unit that is worked on, or the unit's id; its questions do not come again yet.
            now: the moment that counts, with its zone.
        """
        moment = now or datetime.datetime.now(UTC)
        unit = next((n for n, u in enumerate(self._course.path) if u.id == today), self._units.get(today, -1))
        found = [
            (self._units.get(section, len(self._units)), card.due, section, name)
            for section, cards in self._mine(self._read()).items()
            for name, card in cards.items()
            if card.due <= moment and name in known.get(section, ()) and self._units.get(section) != unit
        ]
        return [(section, name) for _, _, section, name in sorted(found)[:MOST]]

    def noted(self, section: str, question: str, share: float, now: datetime.datetime | None = None) -> None:
        """Say that a question was answered, and what share of its points that earned: when it comes again follows.

        The same result once more on the same day changes nothing.
        """
        moment = (now or datetime.datetime.now(UTC)).astimezone(UTC)
        kept = self._read()
        cards = kept.folders.setdefault(self._work, {}).setdefault(section, {}) if kept else {}
        old = cards.get(question)
        if kept is None or (old and old.share == share and old.last_review.date() == moment.date()):
            return
        cards[question] = _next(old, share, moment)
        try:
            make(self._path.parent)
            replace(self._path, msgspec.json.format(msgspec.json.encode(kept), indent=1) + b"\n")
        except OSError as error:
            self._trouble(NOT_KEPT.format(file=self._path, error=error.strerror))

    def _mine(self, kept: _Kept | None) -> Mapping[str, Mapping[str, Card]]:
        return kept.folders.get(self._work, {}) if kept else {}

    def _read(self) -> _Kept | None:
        """The file, empty where there is none; None where nothing may be written. A damaged one is moved aside."""
        try:
            content = self._path.read_bytes()
            if msgspec.json.decode(content, type=_Head).format > FORMAT:
                self._trouble(NEWER.format(file=self._path))
                return None
            return _valid(msgspec.json.decode(content, type=_Kept))
        except FileNotFoundError:
            return _Kept(FORMAT)
        except OSError as error:
            self._trouble(NOT_KEPT.format(file=self._path, error=error.strerror))
            return None
        except (ValueError, RecursionError) as error:
            return self._moved_aside(error)

    def _moved_aside(self, error: Exception) -> _Kept | None:
        kept = free(lambda n: self._path.with_name(f"review.damaged-{n}.json"))
        try:
            os.rename(self._path, kept)
        except OSError as refused:
            self._trouble(NOT_KEPT.format(file=self._path, error=refused.strerror))
            return None
        self._trouble(DAMAGED.format(file=self._path, error=error, kept=kept.name))
        return _Kept(FORMAT)

    def _trouble(self, text: Text) -> None:
        if text not in self.troubles:
            self.troubles.append(text)


def _valid(kept: _Kept) -> _Kept:
    """Raises ValueError for what FSRS cannot compute with."""
    cards = [card for sections in kept.folders.values() for found in sections.values() for card in found.values()]
    if kept.format < 1 or not all(c.stability > 0 and c.due.tzinfo and c.last_review.tzinfo for c in cards):
        raise ValueError("not a file of questions that come again")
    return kept


def _next(old: Card | None, share: float, moment: datetime.datetime) -> Card:
    """The card after this answer: all right is good, right in part is hard, nothing right is again."""
    known: dict[str, Any] = {"state": fsrs.State.Learning}
    if old:
        known = {"state": fsrs.State.Review, "last_review": old.last_review.astimezone(UTC), "due": old.due}
        known |= {"stability": old.stability, "difficulty": old.difficulty}
    rating = fsrs.Rating.Good if share >= 1 else fsrs.Rating.Hard if share > 0 else fsrs.Rating.Again
    card, _ = SCHEDULER.review_card(fsrs.Card(card_id=1, **known), rating, moment)
    assert card.stability is not None
    assert card.difficulty is not None
    return Card(card.due, moment, card.stability, card.difficulty, share)
