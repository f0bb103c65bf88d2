"""Writes nbgrader_config.py for a release, and reads it as nbgrader would."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from jupyter_core.paths import jupyter_config_path
from traitlets.config.loader import Config, ConfigFileNotFound, PyFileConfigLoader

from grader.course import Course
from grader.errors import CourseError
from grader.texts import translated

CONFIG = "nbgrader_config.py"
HERE = "grader.integrations.nbgrader.preprocessors.BehindTheWall"
YOUR_CODE = translated("# YOUR CODE HERE")
YOUR_ANSWER = translated("YOUR ANSWER HERE")
_COURSE = """\
c = get_config()  # noqa: F821 -- nbgrader defines it

c.CourseDirectory.course_id = {id}

"""
_GRADING = """\
# Autograding happens in the sandbox: no kernel is started, and of a notebook only the exercises' cells are run,
# each confined. What a grade cell gets is its exercise's share of the points.
c.Autograde.exporter_class = "grader.integrations.nbgrader.preprocessors.SubmittedNotebook"
c.Autograde.autograde_preprocessors = [
    "{here}",
    "nbgrader.preprocessors.AssignLatePenalties",
    "nbgrader.preprocessors.CheckCellMetadata",
]
c.BehindTheWall.course = {course}
c.BehindTheWall.lang = {lang}
c.BehindTheWall.seed = {seed}  # all students get the same inputs; students must not know it

# What stands where students write. The stubs bring their own `raise NotImplementedError`.
c.ClearSolutions.code_stub = {{"python": {code}}}
c.ClearSolutions.text_stub = {text}
"""


def whole(course: Course, lang: str, seed: int) -> str:
    """Return the text of nbgrader_config.py, for the instructor's folder."""
    id = re.sub(r"\W+", "_", course.settings.title.to("en")).strip("_").lower()
    return _COURSE.format(id=repr(id)) + grading(course, lang, seed)


def grading(course: Course, lang: str, seed: int) -> str:
    """Return the part that lets nbgrader grade in the sandbox."""
    texts = {"course": str(course.root), "lang": lang, "code": YOUR_CODE.to(lang), "text": YOUR_ANSWER.to(lang)}
    return _GRADING.format(here=HERE, seed=seed, **{name: repr(text) for name, text in texts.items()})


def configuration(folder: Path) -> Config:
    """Return what nbgrader itself would read: its files in Jupyter's folders, then the course folder's.

    Raises:
        CourseError: one of them cannot be read or run.
    """
    config = Config()
    sys.path.insert(0, str(folder.resolve()))  # as nbgrader does, for plugins that lie there
    for place in (*reversed(jupyter_config_path()), str(folder)):
        try:
            config.merge(PyFileConfigLoader(CONFIG, path=place).load_config())
        except ConfigFileNotFound:
            continue
        except Exception as error:  # it is Python, so it may raise anything
            raise CourseError(f"{place}/{CONFIG}: {type(error).__name__}: {error}") from error
    return config
