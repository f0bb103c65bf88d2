"""What hidden suites say to students, read from their source without running them: in every language, for pages."""

from __future__ import annotations

import ast
import dataclasses
import warnings
from collections.abc import Mapping

from grader.course import Course
from grader.words import LANGUAGES, Text, both


@dataclasses.dataclass(frozen=True)
class SuiteTexts:
    """Titles of checks by (exercise, function) and explanations of misconceptions by `exercise/name`."""

    titles: Mapping[tuple[str, str], Text]
    explanations: Mapping[str, Text]

    def title(self, exercise: str, check: str, said: str) -> Text | str:
        """The title that a report gives as `said`, in all languages if the suite still says the same."""
        return _either(self.titles.get((exercise, check.partition("[")[0])), said)

    def explanation(self, misconception: str, said: str) -> Text | str:
        """The explanation that a report gives as `said`, in all languages if the suite still says the same."""
        return _either(self.explanations.get(misconception), said)


def read(course: Course) -> SuiteTexts:
    """The texts of a course's suites; none of a suite that is not there, as in a student's copy."""
    titles: dict[tuple[str, str], Text] = {}
    explanations: dict[str, Text] = {}
    for exercise in course.exercises:
        for function in _functions(course, exercise.id):
            text = both(ast.get_docstring(function))
            if function.name.startswith("test_"):
                titles[exercise.id, function.name] = text
            else:
                explanations[f"{exercise.id}/{function.name}"] = text
    return SuiteTexts(titles, explanations)


def _functions(course: Course, exercise: str) -> list[ast.FunctionDef]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of an author's escapes; whoever runs the suite sees them
            tree = ast.parse(course.suite(exercise).read_text(encoding="utf-8"))
    except (OSError, ValueError, SyntaxError):
        return []
    return [node for node in tree.body if isinstance(node, ast.FunctionDef)]


def _either(known: Text | None, said: str) -> Text | str:
    return known if known and said in known and all(known.to(lang) for lang in LANGUAGES) else said
