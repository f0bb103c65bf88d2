"""The forms of answers on the sheet: how each is read, judged and written.

A student's answer comes as texts, lists and mappings of texts. Reading is generous about form (case, order, spaces,
fractions, units, words of the same meaning), never about content; if two readings differ, it says so.
"""

from __future__ import annotations

import abc
import dataclasses
import operator
from collections.abc import Mapping, Sequence
from typing import Any

from grader.catalogues import ENGLISH, Signs
from grader.questions import number_lists, parts
from grader.questions.numbers import TypedNumber, near, parsed, percent_missing, roughly, written
from grader.questions.parts import Parts
from grader.sandbox.processes import Fields
from grader.texts import Text, plain, sentence, translated

Said = str | Text
TOO_ROUGH = translated("give at least {decimals} decimals")
NOT_EXACT = translated("give the exact number, not rounded")
NO_PERCENT = translated("if this is in percent, write the sign: 25%, or 0.25")
OTHER_ORDER = translated("these are the right numbers, in another order")


class Form(abc.ABC):
    """The form of a question's answer: by default one part, without options and without a secret."""

    @abc.abstractmethod
    def read(self, given: Any, signs: Signs = ENGLISH) -> Any:
        """Return the answer as data; `signs`: how numbers are written in its language. Raises Unreadable."""

    @abc.abstractmethod
    def right(self, answer: Any, key: Any) -> bool:
        """Return True if an answer that was read is the key's."""

    def parts(self, answer: Any, key: Any) -> Parts:
        """Return how many of its parts are right, and what they earn."""
        return parts.whole(self.right(answer, key))

    def shared(self, answer: Any, wrong: Any, key: Any) -> int:
        """Return how many slips a wrong answer consists of, if the answer that was read has them all; else 0."""
        return int(self.right(answer, wrong))

    def doubt(self, answer: Any, key: Any) -> Text | None:
        """Return a sentence on an answer that may differ from the key only in form; else None."""
        return None

    @abc.abstractmethod
    def write(self, key: Any) -> Any:
        """Return the key as one would put it on the sheet: texts, lists and mappings of texts."""

    def blank(self) -> Any:
        """Return the sheet's content before it is filled in."""
        return None

    @abc.abstractmethod
    def about(self) -> Text:
        """Return the sheet's instruction on what to write."""

    @abc.abstractmethod
    def fields(self) -> Fields:
        """Return the input fields of a page for the answer."""

    def choices(self) -> Mapping[str, Text]:
        """Return the options to choose from, if it has any."""
        return {}

    def bare(self, options: Mapping[str, Text]) -> Form:
        """Return the form with these options and without anything that helps to answer."""
        return self


@dataclasses.dataclass(frozen=True)
class Number(Form):
    """One number. `decimals` is how many are asked for; 0 asks for the exact value."""

    decimals: int = 2

    def read(self, given: Any, signs: Signs = ENGLISH) -> TypedNumber:
        return parsed(given, signs, not self.decimals)

    def right(self, answer: TypedNumber, key: float) -> bool:
        return near(answer, _plain_number(key), self.decimals)

    def doubt(self, answer: TypedNumber, key: float) -> Text | None:
        return _doubt([answer], [key], self.decimals)

    def write(self, key: float) -> str:
        return written(float(key), self.decimals)

    def fields(self) -> Fields:
        return Fields("number", decimals=self.decimals)

    def about(self) -> Text:
        if not self.decimals:
            return translated("an exact number")
        return translated("a number with at least {decimals} decimals").format(decimals=self.decimals)


@dataclasses.dataclass(frozen=True)
class Numbers(Form):
    """Numbers of a fixed shape, row by row: a vector (n,) or a matrix (rows, columns).

    whole: right or wrong as a whole, for numbers that are easily guessed one by one.
    """

    shape: tuple[int, ...]
    decimals: int = 2
    whole: bool = False

    def read(self, given: Any, signs: Signs = ENGLISH) -> list[TypedNumber]:
        return number_lists.read(given, self.shape, not self.decimals, signs)

    def right(self, answer: Sequence[TypedNumber], key: Any) -> bool:
        wanted = _numbers(key)
        return len(answer) == len(wanted) and all(
            near(a, k, self.decimals) for a, k in zip(answer, wanted, strict=True)
        )

    def parts(self, answer: Sequence[TypedNumber], key: Any) -> Parts:
        if self.whole:
            return super().parts(answer, key)
        return parts.of_numbers([near(a, k, self.decimals) for a, k in zip(answer, _numbers(key), strict=True)])

    def shared(self, answer: Sequence[TypedNumber], wrong: Any, key: Any) -> int:
        entries = zip(answer, self.read(self.write(wrong)), _numbers(wrong), _numbers(key), strict=True)
        slips = [near(a, w, self.decimals) for a, g, w, k in entries if not near(g, k, self.decimals)]
        return len(slips) if all(slips) else 0

    def doubt(self, answer: Sequence[TypedNumber], key: Any) -> Text | None:
        wanted = _numbers(key)
        if doubt := _doubt(answer, wanted, self.decimals):
            return doubt
        exchanged = len(set(wanted)) == len(wanted) and self.right(
            sorted(answer, key=operator.attrgetter("value")), sorted(wanted)
        )
        return OTHER_ORDER if exchanged else None

    def write(self, key: Any) -> Any:
        texts = [written(float(value), self.decimals) for value in _numbers(key)]
        if len(self.shape) == 1:
            return texts
        return [texts[i : i + self.shape[1]] for i in range(0, len(texts), self.shape[1])]

    def fields(self) -> Fields:
        return Fields("numbers", self.shape, decimals=self.decimals, whole=self.whole)

    def about(self) -> Text:
        size = " x ".join(map(str, self.shape))
        rows = plain("") if len(self.shape) == 1 else translated(", as [[..], [..]]")
        if not self.decimals:
            return translated("{size} exact numbers{rows}").format(size=size, rows=rows)
        said = translated("{size} numbers with at least {decimals} decimals{rows}")
        return said.format(size=size, decimals=self.decimals, rows=rows)


@dataclasses.dataclass(frozen=True)
class Written(Form):
    """A text that a person grades by the lines of a rubric; `model` is an answer that gets all points."""

    rubric: tuple[Said, ...]
    model: Said = ""

    @property
    def lines(self) -> tuple[Text, ...]:
        """Return the lines of the rubric."""
        return tuple(map(sentence, self.rubric))

    @property
    def example(self) -> Text:
        """Return the model answer."""
        return sentence(self.model)

    def read(self, given: Any, signs: Signs = ENGLISH) -> Any:
        return given

    def right(self, answer: Any, key: Any) -> bool:
        raise NotImplementedError("a person grades this")

    def write(self, key: Any) -> Any:
        return key

    def fields(self) -> Fields:
        return Fields("written")

    def about(self) -> Text:
        return translated("a few sentences of your own; a person grades them")

    def bare(self, options: Mapping[str, Text]) -> Form:
        return Written(())


def _doubt(answer: Sequence[TypedNumber], key: Sequence[float], decimals: int) -> Text | None:
    wrong = [(a, k) for a, k in zip(answer, key, strict=True) if not near(a, _plain_number(k), decimals)]
    if unsure := next((a.unsure for a, _ in wrong if a.unsure), None):
        return unsure
    if not wrong:
        return None
    if set.intersection(*(roughly(a, float(k), decimals) for a, k in wrong)):
        return TOO_ROUGH.format(decimals=decimals) if decimals else NOT_EXACT
    return NO_PERCENT if decimals and all(percent_missing(a, float(k), decimals) for a, k in wrong) else None


def _plain_number(key: Any) -> Any:
    """Return a key as Python's number: a whole number as an int, not rounded to a float."""
    return key.item() if hasattr(key, "item") else key


def _numbers(key: Any) -> list[Any]:
    """Return the numbers of a key: a tensor, an array or nested lists."""
    flat = key.flatten().tolist() if hasattr(key, "flatten") else key
    return [_plain_number(v) for item in flat for v in (_numbers(item) if isinstance(item, Sequence) else [item])]
