"""Answers that are letters of options: one, several, or all in an order."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from typing import Any

from grader.catalogues import ENGLISH, Signs
from grader.questions import parts, word_lists
from grader.questions.answer_forms import Form, Said
from grader.questions.numbers import LONGEST, Unreadable
from grader.questions.parts import Parts
from grader.questions.word_lists import folded
from grader.sandbox.processes import Fields
from grader.texts import Text, sentence, translated

LONGEST_CHOICE = 2_000  # characters
LAYERS = 3  # of words around letters, that are taken off
NOT_A_LETTER = translated("{got} is not one of the choices {known}")
ONE_ONLY = translated("choose exactly one of {known}")
ALL_ONCE = translated("put each of {known} in the order, once")

_BOX = re.compile(r"\[\s*[xX]?\s*\]|[☐☑☒]")  # may be checked or not
_ARROW, _HYPHEN = re.compile(r"[-=]>|[→⇒]"), re.compile(r"\s*[-–—]+>?\s*")


@dataclasses.dataclass(frozen=True)
class Choice(Form):
    """Letters of options, each with its text.

    `many`: all right ones and no other; `ordered`: all of them, in the right order.
    """

    options: Mapping[str, Said]
    many: bool = False
    ordered: bool = False

    def read(self, given: Any, signs: Signs = ENGLISH) -> tuple[str, ...]:
        known = ", ".join(self.options)
        letters = self._letters(given)
        single = not (self.many or self.ordered)
        if letters is None and (_joined(given).strip(" ,，") or not single):
            got = word_lists.stranger(_joined(given)[:LONGEST_CHOICE], self.choices())[:LONGEST]
            raise Unreadable(NOT_A_LETTER.format(got=got, known=known))
        if single and (letters is None or len(set(letters)) != 1 or len(letters) > 2):  # `b (the keys)` says b twice
            raise Unreadable(ONE_ONLY.format(known=known))
        assert letters is not None
        if self.ordered and sorted(letters) != sorted(self.options):
            raise Unreadable(ALL_ONCE.format(known=known))
        return tuple(letters) if self.ordered else tuple(sorted(set(letters)))

    def _listed(self, text: str) -> list[str] | None:
        """Return the options that a text lists in this form; an order may be given by ranks, arrows and hyphens."""
        lists: tuple[str, ...]
        if self.ordered:
            found = word_lists.ranked(text, self.choices()) or word_lists.explained(text, self.choices())
            lists = (text, _HYPHEN.sub(",", text))
        else:
            found = word_lists.judged(text, self.choices())
            found = found if found is not None else word_lists.explained(text, self.choices())
            told = re.match(r"\W*(\w+)\s*[:：]\s*\S", text)  # `a: b, c` says nothing clear; `a, b -> a` takes back
            unclear = _ARROW.search(text) or _BOX.search(text) or (told and told[1].lower() in self.options)
            lists = () if unclear else (text,)
        for each in lists if found is None else ():
            found = found or word_lists.listed(each, self.choices())
        return found

    def _letters(self, given: Any, layers: int = LAYERS) -> list[str] | None:
        """Return the options that an answer names, in its order; None if it says something else."""
        if isinstance(given, Mapping):
            if self.ordered:
                return self._listed(", ".join(f"{key}: {value}" for key, value in given.items()))
            return word_lists.yes_and_no(given, self.choices())
        if isinstance(given, list):
            each = [self._letters(item) for item in given]
            return None if None in each else [letter for letters in each if letters for letter in letters]
        text = "\n".join(filter(None, (" ".join(line.split()) for line in str(given).split("\n"))))
        if len(text) > LONGEST_CHOICE:
            return [] if word_lists.option(text.split()[0], self.choices()) else None
        if self.many and (text in word_lists.NONE or folded(text) in word_lists.NONE):
            return []
        if one := word_lists.option(text, self.choices()):
            return [one]
        if self.many and folded(text) in word_lists.ALL:
            return list(self.options)
        found = self._listed(text)
        if found is not None or not layers:
            return found
        shorter = word_lists.unsaid(text, self.choices())
        return None if shorter == text else self._letters(shorter, layers - 1)

    def right(self, answer: tuple[str, ...], key: Any) -> bool:
        wanted = _names(key)
        return answer == (wanted if self.ordered else tuple(sorted(wanted)))

    def parts(self, answer: tuple[str, ...], key: Any) -> Parts:
        wanted = _names(key)
        if self.ordered:
            return parts.of_order(answer, wanted)
        if self.many:
            cells = [parts.ChoicePart(option in answer, option in wanted) for option in self.options]
            return parts.of_words([cells], parts.OPTIONS)
        return super().parts(answer, key)

    def shared(self, answer: tuple[str, ...], wrong: Any, key: Any) -> int:
        if self.ordered:
            return super().shared(answer, wrong, key)
        slips = {*_names(wrong)} ^ {*_names(key)}  # options too many, and options left out
        return len(slips) if slips <= {*answer} ^ {*_names(key)} else 0

    def write(self, key: Any) -> Any:
        if isinstance(key, str):
            return key
        return list(key) if self.ordered else sorted(key) or "none"

    def fields(self) -> Fields:
        return Fields("choice", many=self.many, ordered=self.ordered)

    def about(self) -> Text:
        if self.ordered:
            return translated("all letters, in order: [b, a, ..]")
        if self.many:
            return translated("all letters that apply: [a, c], or none")
        if any(len(name) > 1 for name in self.options):
            return translated("one of the words")
        return translated("one letter")

    def choices(self) -> Mapping[str, Text]:
        return {name: sentence(said) for name, said in self.options.items()}

    def bare(self, options: Mapping[str, Text]) -> Form:
        return dataclasses.replace(
            self, options={name: text if text.values else text.key for name, text in options.items()}
        )


def _names(key: Any) -> tuple[str, ...]:
    return (key,) if isinstance(key, str) else tuple(key)


def _joined(given: Any) -> str:
    if not isinstance(given, Mapping | list):
        return str(given)
    return " ".join(map(str, given.items() if isinstance(given, Mapping) else given))
