"""A built lesson: Markdown with formulas between dollar signs, and drawings as fenced blocks of JSON.

Terminal and pages take the same text apart here: prose, and between it matrices, wrong results, bars
and what a reader can move.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec

from grader.errors import CourseError
from grader.report import Cell, Picture
from grader.texts import NOTHING

FENCE = "drawing"
FORMULA = re.compile(r"\$\$(.+?)\$\$|\$(.+?)\$", re.DOTALL)  # on a line of its own, or in one
_DRAWING = re.compile(rf"^```{FENCE}\n(.*?)\n```$", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^## (.+)$", re.MULTILINE)


class Matrix(msgspec.Struct, frozen=True, tag="matrix"):
    """A matrix of the reference's, as a heat map."""

    caption: str
    rows: list[list[Cell]]

    @property
    def picture(self) -> Picture:
        """The matrix as a picture in which nothing is wrong."""
        return Picture(NOTHING, [len(self.rows), len(self.rows[0])], self.rows, self.rows)


class Mistake(msgspec.Struct, frozen=True, tag="mistake"):
    """The picture of what a known mistake makes of the reference's result; the caption names the mistake."""

    caption: str
    name: str
    picture: Picture
    view: str = "matrix"


class Bars(msgspec.Struct, frozen=True, tag="bars"):
    """Numbers from 0 up as bars, each with its label."""

    caption: str
    bars: list[tuple[str, float]]


class Control(msgspec.Struct, frozen=True):
    """Something that a reader moves through values in rising order; a box to tick where they are 0 and 1."""

    name: str
    label: str
    start: float
    values: list[float]


class Explorable(msgspec.Struct, frozen=True, tag="explore"):
    """A drawing that a reader moves; the script of the pages knows how each kind is drawn.

    look_for: what to try and what to see. words: what stands in the drawing, and `says`, the sentence with a place for
    each number. data: what is drawn and does not move. still: the drawing where nothing moves.
    """

    kind: str
    caption: str
    look_for: str
    controls: list[Control]
    words: dict[str, str]
    data: dict[str, list[float]] = {}
    still: Matrix | Bars | None = None


Drawing = Matrix | Mistake | Bars | Explorable


def written(drawing: Drawing) -> str:
    """The drawing as it stands in a built lesson."""
    return f"```{FENCE}\n{msgspec.json.encode(drawing).decode()}\n```"


def read(body: str) -> Drawing:
    """The drawing in the body of a fence.

    Raises:
        CourseError: it is not a drawing.
    """
    try:
        found: Drawing = msgspec.json.decode(body, type=Drawing)
    except msgspec.MsgspecError as error:
        raise CourseError(f"a lesson holds a drawing that cannot be read: {error}") from error
    return found


def parts(markdown: str) -> Iterator[str | Drawing]:
    """Prose and drawings in turn."""
    for number, piece in enumerate(_DRAWING.split(markdown)):
        if number % 2:
            yield read(piece)
        elif piece.strip():
            yield piece.strip("\n")


def sections(markdown: str) -> Sequence[tuple[str, str]]:
    """(heading, prose) of each section, without its drawings."""
    pieces = _HEADING.split(_DRAWING.sub("", markdown))
    return list(zip(pieces[1::2], pieces[2::2], strict=True))
