"""The texts beside a suite, `softmax.yaml` beside `softmax.py`: a line for each name and language.

global_max.en: "One maximum of the whole tensor is subtracted from every row."
global_max.zh: "所有行都减去了整个张量的最大值。"
"""

from __future__ import annotations

from pathlib import Path

import yaml

from grader import catalogues
from grader.course.strict_yaml import composed
from grader.errors import CourseError
from grader.texts import Text


def read(suite: Path) -> dict[str, Text]:
    """The texts by name; none where there is no catalogue.

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
