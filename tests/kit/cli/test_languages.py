"""A language that the kit does not have: one catalogue beside the course, and the course's own texts in it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from grader import catalogues
from grader.authoring import new_course
from grader.report import Report

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")

CATALOGUE = """\
? "The name of this language, in this language"
: "Deutsch"
? "{score:g} of {most:g} points."
: "{score:g} von {most:g} Punkten."
? "Everything passes. Well done!"
: "Alles ist richtig. Gut gemacht!"
? "Exercises"
: "Aufgaben"
? "Class report"
: "Bericht der Klasse"
? "The code raises {error}"
: ""
? "What is passed in is left as it was: tensors, lists and dicts."
: "Was übergeben wird, bleibt, wie es war."
? "Fill in the functions in `exercises/` and check them as often as you like:"
: "Ergänze die Funktionen in `exercises/` und prüfe sie, so oft du willst:"
? "an exact number"
: "eine genaue Zahl"
"""
EDITS = {
    "course.yaml": [
        ("languages: [en]", "languages: [en, de]"), ("title: \"German\"", "title: {en: Statistics, de: Statistik}"),
        ("title: A first unit", "title: {en: A first unit, de: Die erste Einheit}"),
        ("title: Mean and variance", "title: {en: Mean and variance, de: Mittelwert und Varianz}"),
        ("- What is left of the numbers once their mean is subtracted?",
         "- {en: What is left without the mean?, de: Was bleibt ohne den Mittelwert?}"),
        ("- The variance is the sum of squares of what is left, divided by n - 1.",
         "- {en: Divide the squares by n - 1., de: Teile die Quadrate durch n - 1.}"),
        ("- For [1, 2, 3] it is ((-1)^2 + 0^2 + 1^2) / 2 = 1.", '- {en: "It is 1.", de: "Es ist 1."}'),
        ("title: Questions on the spread", "title: {en: Questions on the spread, de: Fragen zur Streuung}"),
        ("- What happens to the mean, and what to the distances from it?",
         "- {en: What happens to the mean?, de: Was geschieht mit dem Mittelwert?}"),
    ],
    "exercises/spread.py": [
        ("Mean and variance of a sample.", "Mean and variance of a sample.\n\n[de] Mittelwert und Varianz."),
        ("    Example:", "    [de] Der Mittelwert der Zahlen in x\n    und ihre Varianz.\n\n    Example:"),
    ],
    "tests/hidden/spread.py": [
        ("divided by n - 1.", "divided by n - 1.\n\n    [de] Der Mittelwert und die Abweichung davon.\n    "),
        ("the same numbers near 0.", "the same numbers near 0.\n\n    [de] Weit weg von 0.\n    "),
    ],
    "tests/hidden/spread.yaml": [
        ("divides_by_n.en", 'divides_by_n.de: "Hier wird durch n geteilt."\ndivides_by_n.en'),
        ("not_centred.en", 'not_centred.de: "Der Mittelwert fehlt."\nnot_centred.en'),
        ("root.en", 'root.de: "Das ist die Wurzel."\nroot.en'),
        ("in_one_pass.en", 'in_one_pass.de: "Fast alle Ziffern gehen verloren."\nin_one_pass.en'),
        ("changes_input.en", 'changes_input.de: "x selbst wird verändert."\nchanges_input.en'),
    ],
    "tests/hidden/questions.py": [
        ("to every number?", "to every number?\n\n    [de] Wie groß ist die Varianz danach?\n    "),
        ("for the mean moves too.\"", "for the mean moves too.\", de=\"Die Abstände bleiben.\""),
    ],
}  # fmt: skip
BY_N = "mean = x.sum() / len(x)\n    return mean, ((x - mean) ** 2).sum() / len(x)"


def edit(path: Path, before: str, after: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after, 1), encoding="utf-8")


@pytest.fixture
def german(tmp_path, monkeypatch) -> Path:
    """A course in English and German, with a catalogue of its own, which is forgotten after the test."""
    monkeypatch.setattr(catalogues, "_known", {**catalogues._known})
    course = tmp_path / "german"
    new_course.write(course, new_course.files(new_course.title_of(course)))
    for file, changes in EDITS.items():
        for before, after in changes:
            edit(course / file, before, after)
    (course / "languages").mkdir()
    (course / "languages" / "de.yaml").write_text(CATALOGUE, encoding="utf-8")
    return course


def test_lint_asks_for_the_languages_of_the_course(grader, german):
    assert grader("answers", "--write", course=german)[0] == 0
    sheet = (german / "exercises" / "answers.yaml").read_text(encoding="utf-8")
    assert sheet.count("# The answer sheet.") == 1  # which nobody translated
    assert "# Wie groß ist die Varianz danach?\n  # ↓ an exact number / eine genaue Zahl\n" in sheet
    assert grader("lint", course=german) == (0, "2 exercises, 0 problems\n", "")
    edit(german / "exercises" / "spread.py", "[de] Mittelwert und Varianz.", "")
    edit(german / "tests" / "hidden" / "spread.yaml", 'root.de: "Das ist die Wurzel."\n', "")
    code, out, _ = grader("lint", course=german)
    assert code == 1
    assert "exercises/spread.py:1: the docstring needs an English and a [de] paragraph\n" in out
    assert "tests/hidden/spread.py: root needs a text in de, in spread.yaml or its docstring\n" in out


def test_check_hint_and_page_are_in_the_language(grader, german, tmp_path):
    edit(german / "exercises" / "spread.py", "raise NotImplementedError", BY_N)
    page = tmp_path / "page.html"
    code, out, err = grader("check", "--lang", "de", "--html", page, course=german)
    assert (code, err) == (1, "")
    assert "Mittelwert und Varianz" in out
    assert "Hier wird durch n geteilt." in out
    assert " von 5 Punkten." in out
    shown = page.read_text(encoding="utf-8")
    assert '<html lang="de" data-lang="de">' in shown
    assert '<button type="button" data-set="lang" value="de" lang="de">Deutsch</button>' in shown
    assert ':root[data-lang="de"] .ak .en { display: none; }' in shown
    assert '<span class="en" lang="en">Exercises</span><span class="de" lang="de">Aufgaben</span>' in shown
    assert '<span class="de" lang="de">Hier wird durch n geteilt.</span>' in shown
    assert 'lang="zh"' not in shown
    code, out, _ = grader("hint", "spread", "--lang", "de", course=german)
    assert (code, "Was bleibt ohne den Mittelwert?" in out) == (0, True)


def test_a_class_is_graded_in_the_language(grader, german, tmp_path):
    (tmp_path / "class" / "ada").mkdir(parents=True)
    text = (german / "solutions" / "spread.py").read_text(encoding="utf-8")
    (tmp_path / "class" / "ada" / "spread.py").write_text(text.replace("(len(x) - 1)", "len(x)"), encoding="utf-8")
    results = tmp_path / "results"
    assert grader("grade", tmp_path / "class", "--out", results, "--lang", "de", "--quiet", course=german)[0] == 0
    report = Report.from_json((results / "reports" / "ada.json").read_text(encoding="utf-8"))
    titles = [check.title for check in report.exercises[0].checks]
    assert titles[:3] == [
        "Der Mittelwert und die Abweichung davon.", "Weit weg von 0.",
        "Was übergeben wird, bleibt, wie es war.",
    ]  # fmt: skip
    page = (results / "index.html").read_text(encoding="utf-8")
    assert '<span class="de" lang="de">Bericht der Klasse</span>' in page
    assert '"languages":["en","de"]' in page
    assert grader("report", results / "reports" / "ada.json", "--lang", "en", course=german)[0] == 0
    page = (results / "pages" / "ada.html").read_text(encoding="utf-8")
    assert "The reasons were written in Deutsch; graded with --lang en they are in English." in page


def test_students_get_it_in_the_language(grader, german, tmp_path):
    kit = tmp_path / "kit"
    code, _, err = grader("release", "--format", "kit", "--to", kit, course=german)
    assert (code, err) == (0, "")
    readme = (kit / "README.md").read_text(encoding="utf-8")
    assert readme.count("# Statisti") == 2
    assert "\n# Statistik\n\nErgänze die Funktionen" in readme
    assert readme.count("What is checked here") == 1
    assert (kit / "languages" / "de.yaml").read_text(encoding="utf-8") == CATALOGUE
    code, out, err = grader("check", "--lang", "de", "--dir", german / "solutions", course=kit)
    assert (code, err) == (0, ""), out
    assert "Statistik · " in out
    assert "    [de] mean_and_variance(array" in (kit / "tests" / "visible" / "spread.py").read_text(encoding="utf-8")


def test_a_language_that_is_not_there_is_a_sentence(grader, german, monkeypatch):
    said = "grader: --lang: invalid choice: 'fr'; this course is in en and de\n"
    assert grader("check", "--lang", "fr", course=german) == (2, "", said)
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    assert "Was bleibt ohne den Mittelwert?" in grader("hint", "spread", course=german)[1]
    edit(german / "course.yaml", "[en, de]", "[en, de, fr]")
    code, _, err = grader("lint", course=german)
    remedy = "write languages/fr.yaml beside it; `grader lint --catalogue fr` prints the sentences to translate"
    assert (code, err) == (2, f"grader: course.yaml:2: languages cannot be 'fr', which has no catalogue; {remedy}\n")


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        (
            '? "Line {line}"\n: "Zeile {zeile}"\n',
            "'Line {line}': its translation has {zeile}, which the sentence has not",
        ),
        ('? "Exercises"\n: [1]\n', "'Exercises': [1] is not a sentence with its translation"),
        ("- Aufgaben\n", "not a catalogue: it should hold English sentences, each with its translation"),
    ],
)
def test_a_damaged_catalogue_is_a_sentence(grader, german, entry, reason):
    path = german / "languages" / "de.yaml"
    path.write_text(entry, encoding="utf-8")
    assert grader("check", course=german) == (2, "", f"grader: {path}: {reason}\n")


def test_what_is_to_be_translated_is_printed(grader, german):
    code, out, err = grader("lint", "--catalogue", "de", course=german)
    assert (code, err) == (0, "")
    assert '? "{score:g} of {most:g} points."' not in out
    assert '? "The hidden suite"' not in out
    assert out.count("\n: ") > 400
    assert grader("lint", "--catalogue", "zh", course=german) == (0, "", "")
