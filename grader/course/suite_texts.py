"""What hidden suites say to students, in every language: their catalogues, and for pages what their source says.

Nothing of a suite is run here, and nothing here needs torch.
"""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import warnings
from collections.abc import Mapping
from pathlib import Path

import yaml

from grader import catalogues
from grader.course.course import Course
from grader.course.strict_yaml import composed
from grader.errors import CourseError
from grader.texts import LANGUAGES, Text, both, translated

LAW_TITLES: dict[str, Text] = {  # of the checks that a suite can take ready-made, see `grader.suites.laws`
    "device": translated("Whatever is made on the way is made on the device of the inputs."),
    "inputs_unchanged": translated("What is passed in is left as it was: tensors, lists and dicts."),
    "memory_layout": translated(
        "The layout of the inputs in memory does not matter: transposed, sliced and expanded tensors work as well."
    ),
    "gradient": translated("Gradients flow back to the inputs as the formula says."),
    "remembers_nothing": translated(
        "Nothing is remembered: a call gives the same result whatever was called before, and earlier results stay."
    ),
    "keywords": translated("Every argument can be passed by its name."),
    "train_and_eval": translated("Training mode and evaluation mode give the same result."),
    "lengths": translated("Lengths around 16, 32, 64 and 128 are no special case."),
    "refuses_when_made": translated("Wrong sizes are refused with a ValueError when the object is made."),
}


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
            beside = catalogue(course.suite(exercise.id))
            explanations.update({f"{exercise.id}/{name}": text for name, text in beside.items()})
    return SuiteTexts(titles, explanations, course.settings.languages)


def _statements(course: Course, exercise: str) -> list[ast.stmt]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of an author's escapes; whoever runs the suite sees them
            return ast.parse(course.suite(exercise).read_text(encoding="utf-8")).body
    except (OSError, ValueError, SyntaxError):
        return []


def catalogue(suite: Path) -> dict[str, Text]:
    """The texts beside a suite by name, `softmax.yaml` beside `softmax.py`; none where there is no such file.

    A line for each name and language: `global_max.en: "One maximum of the whole tensor is subtracted from every row."`

    Raises:
        CourseError: a line is not of this form, or says the same name in the same language twice.
    """
    path = suite.with_suffix(".yaml")
    try:
        node = composed(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise CourseError(f"{path}: {' '.join(str(error).split())}; is a text in quotes missing one?") from error
    if node is not None and not isinstance(node, yaml.MappingNode):
        raise CourseError(f'{path}:1: should hold lines of the form `name.language: "text"`')
    found: dict[str, dict[str, str]] = {}
    for key, value in node.value if node else []:
        name, _, lang = str(key.value).rpartition(".")
        if not name or lang not in catalogues.languages() or not isinstance(value, yaml.ScalarNode):
            raise CourseError(f'{path}:{key.start_mark.line + 1}: not `name.language: "text"` but {key.value!r}')
        if lang in found.setdefault(name, {}):
            raise CourseError(f"{path}:{key.start_mark.line + 1}: {key.value!r} is there twice")
        found[name][lang] = str(value.value)
    return {name: Text.of(texts) for name, texts in found.items()}
