"""Runs for `nbgrader autograde` in place of a kernel: reads submissions safely, grades them, stores scores.

`grader release --format nbgrader` names both classes in nbgrader_config.py. One fork server serves all notebooks that
this process grades, be it the command or the server of the formgrader.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nbconvert.exporters import NotebookExporter
from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Integer, Unicode

from grader.batch import kit_version, language
from grader.course import course as courses
from grader.intake import NOTEBOOK, read_notebooks
from grader.integrations import kept_process
from grader.integrations.nbgrader import gradebook, graded_notebook
from grader.report import Report, redact, seeds
from grader.sandbox.processes import RunOptions


class SubmittedNotebook(NotebookExporter):
    """Reads a submission whatever is wrong with it: nbgrader gets the released cells, so that nothing stops it."""

    def from_filename(self, filename: str, resources: Any = None, **kw: Any) -> Any:
        """Return the notebook as `graded_notebook.mended` makes it, through the preprocessors."""
        path, facts = Path(filename), resources["nbgrader"]
        with Gradebook(facts["db_url"]) as book:
            sheet = gradebook.sheet(book, facts["assignment"], facts["notebook"])
        found = read_notebooks(path.parent, [path.name])[0]
        nb = graded_notebook.mended(found, sheet.cells, self.config.BehindTheWall.get("lang", "en"))
        return self.from_notebook_node(nb, resources=resources, **kw)


class BehindTheWall(NbGraderPreprocessor):
    """Grades a notebook's exercises from their cells' source. No kernel starts; nothing else of it runs."""

    course = Unicode("", help="the folder that holds the course.yaml").tag(config=True)
    lang = Unicode("en", help="the language of reasons and comments, one of the course's").tag(config=True)
    device = Unicode("auto", help="auto, cpu or cuda").tag(config=True)
    seed = Integer(None, allow_none=True, help="draw all inputs from this seed; a new one each time if None").tag(
        config=True
    )

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        """Put the outputs into the grade cells, the scores and comments into the gradebook.

        Raises:
            CourseError: the course or its configuration is wrong.
            MachineError: this machine cannot build the sandbox, or failed.
        """
        facts = resources["nbgrader"]
        assignment, student, name = facts["assignment"], facts["student"], facts["notebook"]
        converter: Any = self.parent.parent  # the exporter's
        dirs = converter.coursedir
        folder = Path(dirs.format_path(dirs.submitted_directory, student, assignment))
        found = read_notebooks(folder, [name + NOTEBOOK])[0]
        course = courses.find(Path(self.course))
        language(self.lang, course.settings.languages)
        with Gradebook(facts["db_url"], dirs.course_id) as book:
            sheet = gradebook.sheet(book, assignment, name)
            submission = gradebook.submission([sheet], [found], student, course)
            seed = seeds.new() if self.seed is None else self.seed
            pool = kept_process.pool(course, RunOptions(self.device, (), kit_version()), strangers=True)
            report = redact(Report.from_json(pool.grade(submission, "", seed)), course.settings.feedback)
            graded = graded_notebook.graded(report, found, sheet.cells, self.lang)
            gradebook.record(book, assignment, student, name, graded, again=False)
        return graded.nb, resources
