"""Concept questions: their experiments derive the key, and a sheet's answers are marked against it."""

from __future__ import annotations

import dataclasses
import difflib
import functools
import importlib.util
import itertools
import pprint
import re
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from grader import catalogues
from grader.course import COMMON, rounded, shared_out, total
from grader.errors import CourseError
from grader.questions.answer_forms import Written
from grader.questions.judging import Judged, judged, named, readable
from grader.questions.lab import Lab, Question, Solved, WrongAnswer
from grader.questions.numbers import TypedNumber
from grader.questions.word_lists import meant
from grader.report import NOT_ANSWERED, report
from grader.sandbox.processes import DescribedQuestion
from grader.suites import CheckResult, load_solution, open_package
from grader.texts import Text, clean, translated

MISSPELT = translated("not answered; the sheet has {found!r}, is that meant?")
BY_A_PERSON = translated("a person grades this")
NOTHING_WRITTEN = re.compile(r"[?？~_.…·*/\\—–-]*|null|n/?a|todo|tbd|\?+", re.IGNORECASE)  # left open
MOST_DRAWS = 50  # of a variant's numbers
LONGEST_TEXT = 20_000  # characters
MOST_UNKNOWN = 50  # keys of a section that may be misspelt
UNDAMAGED: Mapping[str, Text] = MappingProxyType({})


class Paper:
    """The questions of one exercise.

    Args:
        path: the file that holds them.
        solutions: the folder of the solutions that experiments run.
        kind: the arrays of the course.
        lang: the language in which it is written, which decides how numbers are written.
        points: the points of all its questions together; by default the sum of theirs.

    Raises:
        CourseError: the file cannot be imported; an experiment fails, when its key is asked for.
    """

    def __init__(
        self, path: Path, solutions: Path, kind: str = "torch", lang: str = "en", points: float | None = None
    ) -> None:
        self._path, self._kind, self._signs = path, kind, catalogues.signs(lang)
        asked = [q for q in vars(_module(path)).values() if isinstance(q, Question)]
        worth = shared_out({q.name: q.points for q in asked}, points)
        self.questions = [dataclasses.replace(q, points=worth[q.name]) for q in asked]
        self._solution = functools.cache(lambda exercise: load_solution(solutions / f"{exercise}.py"))
        self._solved: dict[tuple[str, str], Solved] = {}

    def solved(self, question: Question, variant: str = COMMON) -> Solved:
        """Return the experiment's result; it runs once, or once for each variant if numbers are drawn."""
        for known in ("", variant):
            if (question.name, known) in self._solved:
                return self._solved[question.name, known]
        try:
            lab, key = self._experiment(question, variant)
            text = question.doc.format(**lab.facts) if lab.facts else question.doc
        except Exception as error:
            raise CourseError(f"{self._path.name}: {question.name}: {type(error).__name__}: {error}") from error
        found = Solved(question, text, key, tuple(lab.wrong_answers), tuple(lab.shown), lab.varies, lab.facts)
        self._solved[question.name, variant if lab.varies else ""] = found
        return found

    def _experiment(self, question: Question, variant: str) -> tuple[Lab, Any]:
        """Return the lab after the experiment, and the key; drawn again if a slip would be right with these numbers."""
        form = question.form
        for attempt in range(MOST_DRAWS):
            lab = Lab(self._solution, variant, question.name, attempt, self._kind)
            key = question.experiment(lab) if question.experiment else None
            if not any(form.right(form.read(form.write(slip.value)), key) for slip in lab.wrong_answers):
                return lab, key
            if not lab.varies:
                break
        raise ValueError("a wrong answer that is expected is right")

    def text(self, question: Question, variant: str = COMMON) -> Text:
        """Return the question's text; its experiment runs only if that provides a part of it."""
        return self.solved(question, variant).text if "{" in question.doc.key else question.doc

    def titles(self) -> dict[str, Text]:
        """Return the text of each question."""
        return {q.name: self.text(q) for q in self.questions}

    def described(self, variant: str) -> list[DescribedQuestion]:
        """Return each question with its key and evidence."""
        return [_described(self.solved(q, variant)) for q in self.questions]

    @property
    def automatic(self) -> float:
        """Return the points that need no person."""
        return total(q.points for q in self.questions if not isinstance(q.form, Written))

    def all_with(self, verdict: report.Verdict, reason: Text) -> list[CheckResult]:
        """Return every question with the same verdict."""
        return [_result(q, self.text(q), verdict, reason, of_file=True) for q in self.questions]

    @property
    def prose(self) -> list[str]:
        """Return the names of the questions answered in sentences."""
        return [q.name for q in self.questions if isinstance(q.form, Written)]

    def mark(
        self, section: Any, variant: str = COMMON, damaged: Mapping[str, Text] = UNDAMAGED, other: Text | None = None
    ) -> list[tuple[CheckResult, WrongAnswer | None]]:
        """Return each question's verdict on its answer in `section`, and the slip that explains a wrong one.

        The experiment of a question that nobody answered does not run.

        Args:
            section: the answers by the questions' names.
            variant: the student whose numbers are used.
            damaged: the reasons why answers cannot be read as they stand, by the questions' names.
            other: the sentence for a sheet with another student's numbers.
        """
        answers = section if isinstance(section, Mapping) else {}
        return [self._marked(q, variant, answers, damaged.get(q.name), other) for q in self.questions]

    def read(self, section: Mapping[str, Any], variant: str) -> dict[str, Any]:
        """Return the answers that can be marked, as data in which answers of the same meaning are equal."""
        found = {}
        for question in self.questions:
            given = meant(section.get(question.name))
            if not isinstance(question.form, Written) and not _blank(given):
                answer = readable(question.form, given, self.text(question, variant), self._signs)
                if answer is not None:  # else it is told, and tells nothing
                    found[question.name] = _as_data(answer)
        return found

    def _marked(
        self, question: Question, variant: str, answers: Mapping[str, Any], damage: Text | None, other: Text | None
    ) -> tuple[CheckResult, WrongAnswer | None]:
        text, given, started = self.text(question, variant), answers.get(question.name), time.perf_counter()
        if isinstance(question.form, Written):
            return _written(question, text, given), None
        given = meant(given)
        if not _blank(given):
            found = judged(self.solved(question, variant), given, damage, self._kind, self._signs)
        elif damage and not given:
            found = Judged("failed", damage)
        else:  # a question mark is not YAML, and no answer
            found = Judged("failed", self._unanswered(question.name, answers))
        wrong = found.verdict == "failed" and found.reason != NOT_ANSWERED
        if wrong and other and self.solved(question, variant).varies:
            found = Judged("failed", other)
        seconds = time.perf_counter() - started
        return _result(question, text, found.verdict, found.reason, found.share, seconds=seconds), found.known

    def _unanswered(self, name: str, answers: Mapping[str, Any]) -> Text:
        known = {q.name for q in self.questions}
        unknown = (k for k in answers if k not in known and len(k) <= 2 * len(name))
        close = difflib.get_close_matches(name, itertools.islice(unknown, MOST_UNKNOWN), n=1)
        return MISSPELT.format(found=close[0][:60]) if close else NOT_ANSWERED


def _written(question: Question, text: Text, given: Any) -> CheckResult:
    """Return the result of an answer in sentences: it waits for a person, if there is an answer."""
    answer = "\n".join(map(str, given)) if isinstance(given, list) else str(given or "")
    if _blank(answer):
        return _result(question, text, "skipped", NOT_ANSWERED)
    return _result(question, text, "skipped", BY_A_PERSON, answer=clean(answer, LONGEST_TEXT))


def _described(solved: Solved) -> DescribedQuestion:
    question, form = solved.question, solved.question.form
    key = None if solved.key is None else form.write(solved.key)  # of one that is only asked
    options = {name: text.format(**solved.facts) if solved.facts else text for name, text in form.choices().items()}
    return DescribedQuestion(
        question.name, question.points, solved.text, form.about(), pprint.pformat(form.bare(options), width=110),
        tuple(options.items()), form.lines if isinstance(form, Written) else (),
        form.blank(), form.example.key or None if isinstance(form, Written) else key,
        question.accepts is not None,
        tuple((s.caption, s.rows) for s in solved.shown),
        tuple((form.write(w.value), named(form, w.message)) for w in solved.wrong_answers),
        form.fields(),
    )  # fmt: skip


def _as_data(answer: Any) -> Any:
    """Return an answer that was read, for JSON; equal numbers are written alike."""
    if isinstance(answer, TypedNumber):
        return str(answer.value) if answer.exact is None else "{:x}/{:x}".format(*answer.exact.as_integer_ratio())
    return list(map(_as_data, answer)) if isinstance(answer, list | tuple) else answer


def _blank(given: Any) -> bool:
    if isinstance(given, Mapping):
        return all(map(_blank, given.values()))
    if isinstance(given, Sequence) and not isinstance(given, str):
        return all(map(_blank, given))
    return given is None or NOTHING_WRITTEN.fullmatch(str(given).strip()) is not None


def _result(
    question: Question, text: Text, verdict: report.Verdict, reason: Text, share: float = 0.0, **more: Any
) -> CheckResult:
    attempted = reason != NOT_ANSWERED
    waits = verdict == "skipped" and attempted
    return CheckResult(
        id=question.name, title=text, verdict=verdict, points=rounded(question.points * share),
        max_points=question.points, reason=reason, attempted=attempted, waits=waits,
        blank=not attempted, in_part=0 < share < 1, **more,
    )  # fmt: skip


def _module(path: Path) -> Any:
    name = f"hidden.{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise CourseError(f"{path}: no such file of questions")
    open_package(path.parent)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise CourseError(f"{path}: {type(error).__name__}: {error}") from error
    return module
