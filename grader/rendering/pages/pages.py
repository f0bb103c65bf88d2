"""Pages from templates: one self-contained file each, no network, nothing of a stranger's taken for markup."""

from __future__ import annotations

import base64
import functools
import hashlib
import importlib.resources
import json
import re
from collections.abc import Callable, Sequence
from typing import Any

import jinja2
from jinja2.runtime import Context
from markupsafe import Markup, escape
from pygments.lexers import PythonLexer
from pygments.token import Comment, Keyword, Number, String

from grader.course import Course, total
from grader.rendering.pages import steps_view, student_view
from grader.rendering.pages.lateness import Lateness
from grader.report import STATUS, Report, redact
from grader.report.oral_exam import LETTERS, OralSheet
from grader.sandbox.processes import ShownSteps
from grader.texts import LANGUAGES, NOTHING, Text, called, name, translated

_CODE = re.compile("`([^`]+)`")
MOST_COLOURED = 20_000  # characters of one file: a stranger's text is cut into tokens here
COLOURS = ((Comment, "c"), (String, "s"), (Keyword, "k"), (Number, "m"))


def student_page(
    report: Report, course: Course | None, lang: str, person: str = "", level: str = "", late: Lateness | None = None
) -> str:  # fmt: skip
    """One report as a whole page, in the languages of the course with a switch; `lang` is the one it opens in.

    Args:
        person: whose work it is, if that is more than the report knows.
        level: of feedback, that of the course unless it says so.
        late: what lateness leaves of the points.

    Raises:
        ValueError: the report is damaged, for example a picture whose rows differ in length.
    """
    languages = course.settings.languages if course else LANGUAGES
    shown = redact(report, level or (course.settings.feedback if course else "full"))
    values = _student(shown, course, person) | {"late": late}
    return page("student.html", ("base.css",), ("switches.js",), lang, languages, **values)


def fragment(report: Report, lang: str, course: Course | None = None) -> str:
    """One report as a `<div>` with its own styles and without scripts, in one language, for notebooks.

    Raises:
        ValueError: as for `student_page`.
    """
    shown = _environment().get_template("fragment.html")
    values = _student(report, course)
    return shown.render(t=functools.partial(_one, lang), lang=lang, css=asset("base.css"), **values)


def steps_fragment(shown: ShownSteps, view: str, languages: Sequence[str]) -> Markup:
    """The steps of a call as a `<div>` for a page with the styles of `base.css`, in all languages of that page.

    Args:
        view: how the course wants a wrong result of the exercise seen.
        languages: those that the page can show; `_switched` hides all but one of them.
    """
    values = {
        "lines": steps_view.lines(shown),
        "inputs": steps_view.inputs(shown),
        "results": steps_view.results(shown, view),
    }
    more = steps_view.MORE.format(count=shown.more) if shown.more else NOTHING
    told = {"t": functools.partial(_each, languages), "lang": languages[0]}
    template = _environment().get_template("steps.html")
    return Markup(template.render(shown=shown, note=steps_view.remark(shown), more=more, **values, **told))


def essays_page(groups: Sequence[Any], course: Course, lang: str) -> str:
    """Answers in sentences to read, question by question: name, what was asked, the entries."""
    title, languages = course.settings.title, course.settings.languages
    return page("essays.html", ("base.css",), ("switches.js",), lang, languages, groups=groups, course=title)


def viva_page(sheets: Sequence[OralSheet], course: Course, lang: str, answers: bool) -> str:
    """Oral exams to print, a student a page; with `answers` for the examiner."""
    return page(
        "viva.html", ("base.css",), ("switches.js",), lang, course.settings.languages, course=course.settings.title,
        sheets=sheets, answers=answers, coloured=coloured, letters=LETTERS,
    )  # fmt: skip


def coloured(lines: Sequence[str]) -> list[Markup]:
    """Each line with its keywords, texts, numbers and comments in colour; nothing of it is markup."""
    text = "\n".join(lines)
    if len(text) > MOST_COLOURED:
        return [escape(line) for line in lines]
    found = [Markup("")]
    for kind, piece in PythonLexer(stripnl=False, ensurenl=False).get_tokens(text):
        name = next((name for of, name in COLOURS if kind in of), "")
        for i, part in enumerate(piece.split("\n")):
            if i:
                found.append(Markup(""))
            shown = escape(part)
            found[-1] += Markup('<i class="{}">{}</i>').format(name, shown) if name and part else shown
    return found if len(found) == len(lines) else [escape(line) for line in lines]


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


def part(template: str, macro: str, languages: Sequence[str], *values: Any) -> Markup:
    """Return what one macro of a template makes of the values, in these languages; the page opens in the first."""
    told = {"t": functools.partial(_each, languages), "lang": languages[0]}
    return Markup(getattr(_environment().get_template(template).make_module(told), macro)(*values))


def page(
    template: str, styles: Sequence[str], scripts: Sequence[str], lang: str, languages: Sequence[str],
    served: bool = False, own_script: str = "", forms: bool = False, **values: Any,
) -> str:  # fmt: skip
    """A whole page of the template: its styles and scripts inside it, and nothing else may run or load.

    Args:
        lang: the language that it opens in.
        languages: those that one can switch to.
        own_script: what the course adds to the scripts.
        served: whether it comes from a server of ours, whose scripts and answers it may load.
        forms: whether it sends forms to that server.
    """
    languages = shown_in(lang, languages)
    css, script = (Markup("\n").join(map(asset, names)) for names in (styles, scripts))
    script += Markup(own_script)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    own = " 'self'" if served else ""
    policy = f"default-src 'none'; script-src 'sha256-{digest}'{own}; style-src 'unsafe-inline'; base-uri 'none'"
    policy += f"; connect-src 'self'; form-action '{'self' if forms else 'none'}'" if served else ""
    shown = _environment().get_template(template)
    frame = {"lang": lang, "languages": languages, "css": css + _switched(languages), "script": script}
    return shown.render(t=functools.partial(_each, languages), policy=policy, **frame, **values)


def shown_in(lang: str, languages: Sequence[str]) -> Sequence[str]:
    """The languages of a page: those of the course, and the one that was asked for."""
    return languages if lang in languages else (*languages, lang)


def _switched(languages: Sequence[str]) -> Markup:
    """The style by which a page shows one of its languages."""
    rule = Markup(':root[data-lang="{}"] .ak .{} {{ display: none; }}\n')
    return Markup("").join(rule.format(lang, other) for lang in languages for other in languages if other != lang)


def _student(report: Report, course: Course | None, person: str = "") -> dict[str, Any]:
    try:
        shown = student_view.blocks(report, course)
    except (TypeError, AttributeError) as error:
        raise ValueError(f"a damaged report: {error}") from error
    grouped = student_view.by_unit({b.exercise.id: b for b in shown}, course)
    return {
        "report": report,
        "blocks": shown,
        "parts_of": grouped,
        "person": person or report.student,
        "first": student_view.first_to_mend([b for _, part in grouped for b in part]),
        "late": None,
        "course": course.settings.title if course else NOTHING,
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
    found.globals.update(_=translated, status=STATUS, name_of=name, called=called, total=total)
    found.globals.update(captions=student_view.CAPTIONS, class_captions=student_view.OF_A_CLASS)
    found.globals.update(lesson_captions=student_view.OF_A_LESSON, step_captions=steps_view.CAPTIONS)
    found.filters.update(g=_number("{value:g}"), short=_number("{value:.3g}"))
    return found


def _number(place: str) -> Callable[[Context, Any], Any]:
    """A filter that writes a number as the languages of the page do."""

    @jinja2.pass_context
    def written(context: Context, value: Any) -> Any:
        return context["t"](Text(place, {"value": value}))

    return written


def _each(languages: Sequence[str], text: Text | str) -> Markup | str:
    """All languages, of which the page shows one; what exists in one language only is shown in all."""
    if len(languages) == 1 or not isinstance(text, Text):
        return _one(languages[0], text)
    if len(set(map(text.to, languages))) == 1:
        other = next((lang for lang in languages if text.said_in(lang) != lang), None)
        return _one(other, text) if other else str(text.to(languages[0]))
    span = Markup('<span class="{}" lang="{}">{}</span>')
    return Markup("").join(span.format(lang, text.said_in(lang), _coded(lang, text)) for lang in languages)


def _one(lang: str, text: Text | str) -> Markup | str:
    """The text in one language, and where it is said in another, this is marked."""
    if not isinstance(text, Text):
        return str(text)
    shown, said = _coded(lang, text), text.said_in(lang)
    return shown if said == lang else Markup('<span lang="{}">{}</span>').format(said, shown)


def _coded(lang: str, text: Text) -> Markup:
    """The text with `code` set as such in what our own authors wrote."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text.to(lang)))))
