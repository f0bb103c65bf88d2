"""Pages from templates: one self-contained file each, no network, nothing of a stranger's taken for markup."""

from __future__ import annotations

import base64
import functools
import hashlib
import importlib.resources
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

import jinja2
from markupsafe import Markup, escape

from grader.course import Course, SuiteTexts
from grader.rendering.pages import oral, student_view, wording
from grader.report import Report
from grader.report.oral_exam import LETTERS, Sheet
from grader.texts import LANGUAGES, Text

NO_TEXTS = SuiteTexts({}, {})
_CODE = re.compile("`([^`]+)`")


def student_page(
    report: Report, course: Course | None, lang: str, texts: SuiteTexts = NO_TEXTS, person: str = "",
    other: Report | None = None,
) -> str:  # fmt: skip
    """One report as a whole page, in both languages with a switch; `lang` is the one it opens in.

    Args:
        person: whose work it is, if that is more than the report knows.
        other: the same report in the other language; without it the reasons are in one only.

    Raises:
        ValueError: the report is damaged, for example a picture whose rows differ in length.
    """
    return page("student.html", ("base.css",), ("switches.js",), lang, **_student(report, course, texts, person, other))


def fragment(report: Report, lang: str, course: Course | None = None, texts: SuiteTexts = NO_TEXTS) -> str:
    """One report as a `<div>` with its own styles and without scripts, in one language, for notebooks.

    Raises:
        ValueError: as for `student_page`.
    """
    shown = _environment().get_template("fragment.html")
    return shown.render(
        t=functools.partial(_one, lang), lang=lang, css=asset("base.css"), **_student(report, course, texts)
    )


def class_page(view: Mapping[str, Any], data: Mapping[str, Any], lang: str) -> str:
    """The page of a class: `view` fills the template, `data` is what the page's script draws from."""
    styles, scripts = ("base.css", "class.css"), ("switches.js", "class.js")
    return page("class.html", styles, scripts, lang, data=embedded(data), **view)


def essays_page(groups: Sequence[Any], title: Text, lang: str) -> str:
    """Answers in sentences to read, question by question: name, what was asked, the entries."""
    return page("essays.html", ("base.css",), ("switches.js",), lang, groups=groups, course=title)


def viva_page(sheets: Sequence[Sheet], title: Text, lang: str, answers: bool) -> str:
    """Oral exams to print, a student a page; with `answers` for the examiner."""
    values = {"sheets": sheets, "course": title, "answers": answers, "coloured": oral.coloured, "letters": LETTERS}
    return page("viva.html", ("base.css",), ("switches.js",), lang, **values)


def embedded(data: Any) -> Markup:
    """JSON that may stand inside a script element: nothing in it ends that element or begins a comment."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return Markup(text)


@functools.cache
def asset(name: str) -> Markup:
    """A style sheet or script of ours, as it is."""
    return Markup((importlib.resources.files("grader.rendering.pages") / "assets" / name).read_text(encoding="utf-8"))


def part(template: str, macro: str, *values: Any) -> Markup:
    """What one macro of a template makes of the values."""
    return Markup(getattr(_environment().get_template(template).make_module({"t": _both}), macro)(*values))


def page(template: str, styles: Sequence[str], scripts: Sequence[str], lang: str, **values: Any) -> str:
    """A whole page of the template: its styles and scripts inside it, and nothing else may run or load."""
    css, script = (Markup("\n").join(map(asset, names)) for names in (styles, scripts))
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; base-uri 'none'"
    shown = _environment().get_template(template)
    return shown.render(t=_both, lang=lang, css=css, script=script, policy=policy, **values)


def _student(
    report: Report, course: Course | None, texts: SuiteTexts, person: str = "", other: Report | None = None
) -> dict[str, Any]:
    try:
        shown = student_view.blocks(report, course, texts, other)
    except (TypeError, AttributeError) as error:
        raise ValueError(f"a damaged report: {error}") from error
    grouped = student_view.parts(shown, course)
    return {
        "report": report,
        "blocks": shown,
        "parts_of": grouped,
        "person": person or report.student,
        "both": other is not None,
        "first": student_view.first_to_mend([b for part in grouped for b in part.blocks]),
        "said": student_view.language(report),
        "course": course.settings.title if course else "",
    }


@functools.cache
def _environment() -> jinja2.Environment:
    found = jinja2.Environment(
        loader=jinja2.PackageLoader("grader.rendering.pages", "assets"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.globals.update(w=wording.STUDENT, c=wording.CLASS, e=wording.ESSAYS, v=wording.VIVA, status=wording.STATUS)
    found.filters.update(g=lambda value: f"{value:g}", short=lambda value: f"{value:.3g}")
    return found


def _both(text: Text | str) -> Markup | str:
    """All languages, of which the page shows one; what exists in one language only is shown in all."""
    if not isinstance(text, Text) or len(set(map(text.to, LANGUAGES))) == 1:
        return str(text.to(LANGUAGES[0]) if isinstance(text, Text) else text)
    span = Markup('<span class="{0}" lang="{0}">{1}</span>')
    return Markup("").join(span.format(lang, _one(lang, text)) for lang in LANGUAGES)


def _one(lang: str, text: Text | str) -> Markup | str:
    """The text in one language, with `code` set as such in what our own authors wrote."""
    if not isinstance(text, Text):
        return str(text)
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text.to(lang)))))
