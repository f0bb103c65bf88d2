"""What hidden suites say to students, read from their source without running them: in every language, for pages."""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import warnings
from collections.abc import Mapping

from grader.course import catalogue
from grader.course.course import Course
from grader.course.law_titles import LAW_TITLES
from grader.errors import CourseError
from grader.texts import LANGUAGES, Text, both


@dataclasses.dataclass(frozen=True)
class SuiteTexts:
    """Titles of checks by (exercise, function) and explanations of misconceptions by `exercise/name`."""

    titles: Mapping[tuple[str, str], Text]
    explanations: Mapping[str, Text]
    languages: tuple[str, ...] = LANGUAGES

    def title(self, exercise: str, check: str, said: str) -> Text | str:
        """The title that a report gives as `said`, in all languages if the suite still says the same."""
        return self._either(self.titles.get((exercise, check.partition("[")[0])), said)

    def explanation(self, misconception: str, said: str) -> Text | str:
        """The explanation that a report gives as `said`, in all languages if the suite still says the same."""
        return self._either(self.explanations.get(misconception), said)

    def _either(self, known: Text | None, said: str) -> Text | str:
        return known if known and said in known.sentences and not known.missing(self.languages) else said


def read(course: Course) -> SuiteTexts:
    """The texts of a course's suites; none of a suite that is not there, as in a student's copy."""
    titles: dict[tuple[str, str], Text] = {}
    explanations: dict[str, Text] = {}
    for exercise in course.exercises:
        for node in _statements(course, exercise.id):
            match node:
                case ast.FunctionDef(name=name) if name.startswith("test_"):
                    titles[exercise.id, name] = both(ast.get_docstring(node))
                case ast.FunctionDef(name=name):
                    explanations[f"{exercise.id}/{name}"] = both(ast.get_docstring(node))
                case ast.Assign(
                    targets=[ast.Name(name)], value=ast.Call(func=ast.Attribute(ast.Name("laws"), law))
                ) if law in LAW_TITLES:
                    titles[exercise.id, name] = LAW_TITLES[law]
        with contextlib.suppress(CourseError):  # whoever runs the suite sees it
            beside = catalogue.read(course.suite(exercise.id))
            explanations.update({f"{exercise.id}/{name}": text for name, text in beside.items()})
    return SuiteTexts(titles, explanations, course.settings.languages)


def _statements(course: Course, exercise: str) -> list[ast.stmt]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of an author's escapes; whoever runs the suite sees them
            return ast.parse(course.suite(exercise).read_text(encoding="utf-8")).body
    except (OSError, ValueError, SyntaxError):
        return []
