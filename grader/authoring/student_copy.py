"""Makes the files for students and other systems: the student's copy, its repositories, platforms' autograders."""

from __future__ import annotations

import importlib.metadata
import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import grader
from grader import catalogues, packages
from grader.authoring import answer_sheets, visible_examples
from grader.course import COMMON, DRAWINGS, GENERATE, SHEET, Course, Unit, class_settings, file_name, stub_languages
from grader.sandbox.processes import DescribedQuestion, ExampleCall
from grader.texts import Text

ENGINE = Path(grader.__path__[0])
TORCH = "https://download.pytorch.org/whl/cpu"
TEXTS = Path(__file__).with_name("kit")
DATE = (2020, 1, 1, 0, 0, 0)  # of every file in a zip: the same content makes the same zip
Files = Iterator[tuple[str, bytes]]
Examples = Mapping[str, Sequence[ExampleCall]]
Questions = Mapping[str, Sequence[DescribedQuestion]]
Lessons = Mapping[str, Mapping[str, str]]


def student_copy(
    course: Course, units: Sequence[Unit], lang: str, examples: Examples, questions: Questions, lessons: Lessons
) -> Files:
    """Return stubs, answer sheet, visible examples, built lessons, the engine; no hidden suite and no solution."""
    ids = [e.id for unit in units for e in unit.exercises]
    yield from _settings(course, units)
    kept = {key for text in said(course, units, questions) for key in text.sentences()}
    kept |= {key for key, _ in catalogues.of_the_kit()}  # which a course may translate into a language of its own
    for path in course.catalogues():
        yield path.relative_to(course.root).as_posix(), catalogues.only(path, kept)
    for exercise in (course.exercise(i) for i in ids):
        if exercise.kind == "questions":
            suite = visible_examples.questions_source(exercise.id, questions[exercise.id])
        else:
            stub, shown = course.stub(exercise.id).read_text(encoding="utf-8"), examples.get(exercise.id, ())
            yield f"exercises/{exercise.id}.py", stub_languages.in_language(stub, lang).encode()
            suite = visible_examples.suite_source(exercise, stub, shown, course.settings.arrays)
        yield f"tests/visible/{exercise.id}.py", suite.encode()
    asked = {i: questions[i] for i in ids if i in questions}
    if asked:
        yield f"exercises/{file_name(SHEET)}", answer_sheets.blank_sheet(course, asked, COMMON, lang).encode()
    for id, texts in lessons.items():
        for language, text in texts.items():
            yield course.lesson(id, language).relative_to(course.root).as_posix(), text.encode()
    for name in (DRAWINGS, GENERATE):
        if lessons and (script := course.script(name)):
            yield name, script.encode()
    yield from _engine(course, set())
    yield ".gitignore", _filled("gitignore.txt").encode()
    first, arrays = ids[0], _installed(course)
    absent = [] if any(lessons.values()) else ["grader lesson"]
    absent += [] if any(course.exercise(i).hints for i in ids) else ["grader hint"]
    facts = {"exercise": first, "arrays": arrays}
    said_there = [f"# {course.settings.title.to(lang)}", *(Text(part).to(lang) for part in readme_parts())]
    lines = (_with("\n\n".join(said_there), **facts) + "\n").splitlines(keepends=True)
    yield "README.md", "".join(line for line in lines if not any(a in line for a in absent)).encode()


def said(course: Course, units: Sequence[Unit], questions: Questions) -> Iterator[Text]:
    """Yield the course's sentences for whoever has a copy: none of a hidden suite, a known mistake or an answer."""
    settings = course.settings
    yield from (settings.title, *(unit.title for unit in units), *(stage.title for stage in settings.path))
    for exercise in (e for unit in units for e in unit.exercises):
        yield from (exercise.title, *exercise.hints)
        if exercise.kind != "questions" and course.stub(exercise.id).is_file():
            yield from map(Text, stub_languages.docstrings(course.stub(exercise.id).read_text(encoding="utf-8")))
        for question in questions.get(exercise.id, ()):
            yield from (question.text, *(text for _, text in question.options))


def readme_parts() -> list[str]:
    """Return the parts of a student's README below its title, in the form in which catalogues have them."""
    return (TEXTS / "README.md").read_text(encoding="utf-8").strip().split("\n\n")[1:]


def github(course: Course, copy: Files) -> Files:
    """Return the student's copy as a repository that checks itself on each push and shows the result in its summary."""
    yield from copy
    yield ".github/workflows/check.yml", _filled("check.yml", arrays=_installed(course)).encode()
    yield ".github/markdown_report.py", _filled("markdown_report.py").encode()


def classroom50(course: Course, copy: Files) -> Files:
    """Return the bundle of a Classroom 50 autograder: the student's copy in `kit/`, the script for result.json."""
    for path, content in copy:
        yield f"kit/{path}", content
    for name in ("autograder.py", "markdown_report.py"):
        yield name, _filled(name, arrays=_installed(course)).encode()


def gradescope(course: Course, units: Sequence[Unit]) -> bytes:
    """Return the zip that Gradescope takes as an autograder: the whole course, and the two scripts that it calls."""
    files = dict(_engine(course, {"pages"}))  # it grades
    files |= dict(_settings(course, units))
    for unit in units:
        for e in unit.exercises:
            for path in (course.stub(e.id), course.solution(e.id), course.suite(e.id)):
                files[path.relative_to(course.root).as_posix()] = path.read_bytes()
    for path in (*course.catalogues(), *course.beside_suites()):
        files[path.relative_to(course.root).as_posix()] = path.read_bytes()
    needed = {e.id for e in course.described}
    for path in sorted((course.root / "solutions").glob("*.py")):  # experiments may use any of them
        if path.stem in needed:
            files[f"solutions/{path.name}"] = path.read_bytes()
    for name in ("setup.sh", "run_autograder", "GRADESCOPE.md"):
        files[name] = _filled(name, arrays=_installed(course)).encode()
    return zipped(files.items(), executable=("setup.sh", "run_autograder"))


def zipped(files: Iterable[tuple[str, bytes]], executable: Sequence[str] = ()) -> bytes:
    """Return a zip with these files, the same for the same content."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in sorted(files):
            info = zipfile.ZipInfo(name, DATE)
            info.external_attr = (0o100755 if name in executable else 0o100644) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, content)
    return out.getvalue()


def _settings(course: Course, units: Sequence[Unit]) -> Files:
    """Return course.yaml, and class.yaml, which limits the course to these units if it describes more."""
    yield "course.yaml", (course.root / "course.yaml").read_bytes()
    exercises = [e for unit in units for e in unit.exercises]
    if course.class_file() or len(exercises) < len(course.described):
        yield class_settings.FILE, class_settings.written(exercises, course.described).encode()


def _engine(course: Course, extras: set[str]) -> Files:
    """Return the package and its requirements: these extras, the course's arrays, its packages as installed here."""
    for path in sorted(p for p in ENGINE.rglob("*") if p.is_file() and "__pycache__" not in p.parts):
        yield f"grader/{path.relative_to(ENGINE).as_posix()}", path.read_bytes()
    extras = extras | ({"torch"} if course.settings.arrays == "torch" else set())
    wanted = [n for r in importlib.metadata.requires(packages.DISTRIBUTION) or [] if (n := _needed(r, extras))]
    wanted += [f"{name}=={version}" for name, version in packages.versions(course.settings.packages).items()]
    engine, requires = packages.DISTRIBUTION, ", ".join(f"'{r}'" for r in wanted)
    facts = {"engine": engine, "version": importlib.metadata.version(engine), "requires": requires}
    yield "pyproject.toml", _filled("pyproject.txt", **facts).encode()


def _needed(requirement: str, extras: set[str]) -> str | None:
    """Return the requirement, if it belongs to all installations or to these extras."""
    extra = re.search(r"""extra == ["'](\w+)""", requirement)
    if extra is None:
        return requirement
    return requirement.partition(";")[0] if extra[1] in extras else None


def _installed(course: Course) -> str:
    """Return what pip installs before the engine; torch from the index without the parts for a GPU."""
    return "numpy" if course.settings.arrays == "numpy" else f"torch numpy --index-url {TORCH}"


def _filled(name: str, **values: str) -> str:
    """Return one of the kit's texts with `@key@` replaced."""
    return _with((TEXTS / name).read_text(encoding="utf-8"), **values)


def _with(text: str, **values: str) -> str:
    for key, value in values.items():
        text = text.replace(f"@{key}@", value)
    return text
