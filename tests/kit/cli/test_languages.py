"""A language that the kit does not have: one gettext catalogue beside the course, of its texts and of the kit's."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest
from babel.messages import pofile

from grader import catalogues
from grader.authoring import new_course
from grader.report import Report
from grader.texts import Text

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")

HEAD = """\
msgid ""
msgstr ""
"Language: de\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"""
OF_THE_KIT = {
    "The name of this language, in this language": "Deutsch",
    "{score:g} of {most:g} points.": "{score:g} von {most:g} Punkten.",
    "Everything passes. Well done!": "Alles ist richtig. Gut gemacht!",
    "Exercises": "Aufgaben",
    "Class report": "Bericht der Klasse",
    "The code raises {error}": "",
    "The inputs are left unchanged: tensors, lists and dicts.": "Was übergeben wird, bleibt, wie es war.",
    "No state is kept: a call gives the same result whatever was called before, and earlier results stay.":
        "Nichts bleibt zurück.",
    "Fill in the functions in `exercises/` and check them as often as you like:":
        "Ergänze die Funktionen in `exercises/` und prüfe sie, so oft du willst:",
    "an exact number": "eine genaue Zahl",
    "{mistake} It is charged once: {points:g} points.": "{mistake} Das kostet einmal {points:g} Punkte.",
}  # fmt: skip
KITS = [said for said, translation in OF_THE_KIT.items() if translation]
STUB = """\
The mean of the numbers in x [n], n at least 2, and their sample variance, which divides by n - 1.

It is right also for numbers that lie far from 0 and close together. x itself is not changed.

Example:
    mean_and_variance(array([1.0, 2.0, 3.0])) -> (2.0, 1.0)"""
OF_THE_COURSE = {
    "Statistics": "Statistik",
    "A first unit": "Die erste Einheit",
    "Mean and variance": "Mittelwert und Varianz",
    "What is left of the numbers once their mean is subtracted?": "Was bleibt ohne den Mittelwert?",
    "The variance is the sum of squares of what is left, divided by n - 1.": "Teile die Quadrate durch n - 1.",
    "For [1, 2, 3] it is ((-1)^2 + 0^2 + 1^2) / 2 = 1.": "Es ist 1.",
    "Questions on the spread": "Fragen zur Streuung",
    "What happens to the mean, and what to the distances from it?": "Was geschieht mit dem Mittelwert?",
    "Mean and variance of a sample.": "Mittelwert und Varianz einer Stichprobe.",
    STUB: "Der Mittelwert der Zahlen in x\nund ihre Varianz.",
    "The mean, and the mean of the squared distances from it, divided by n - 1.":
        "Der Mittelwert und die Abweichung davon.",
    "Numbers near 1,000,000 have the variance of the same numbers near 0.": "Weit weg von 0.",
    "The squares are divided by n. Their sample variance divides by n - 1.": "Hier wird durch n geteilt.",
    "The numbers are squared as they are. Subtract their mean first.": "Der Mittelwert fehlt.",
    "This is the standard deviation, the square root of what is asked for.": "Das ist die Wurzel.",
    "The square of the mean is subtracted from the mean of squares. Far from 0 both are large and nearly equal, and "
    "hardly a digit of their difference is right. Subtract the mean before you square.":
        "Fast alle Ziffern gehen verloren.",
    "The mean is subtracted from x itself, so the caller's numbers change, and the mean that comes back is 0.":
        "x selbst wird verändert.",
    "A sample has the variance 4. What is its variance after 10 was added to every number?":
        "Wie groß ist die Varianz danach?",
    "Variance before and after": "Varianz davor und danach",
    "The distances from the mean stay as they are, for the mean moves too.": "Die Abstände bleiben.",
}  # fmt: skip
BY_N = "mean = x.sum() / len(x)\n    return mean, ((x - mean) ** 2).sum() / len(x)"


def edit(path: Path, before: str, after: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after, 1), encoding="utf-8")


def entry(said: str, translation: str) -> str:
    quoted = (json.dumps(text, ensure_ascii=False) for text in (said, translation))
    return "\nmsgid {}\nmsgstr {}\n".format(*quoted)


CATALOGUE = HEAD + "".join(entry(*said) for said in {**OF_THE_COURSE, **OF_THE_KIT}.items())


@pytest.fixture
def german(tmp_path, monkeypatch) -> Path:
    """A course in English and German, with a catalogue of its own, which is forgotten after the test."""
    for known in ("_files", "_known"):
        monkeypatch.setattr(catalogues, known, getattr(catalogues, known).copy())
    course = tmp_path / "german"
    new_course.write(course, new_course.files("Statistics"))
    edit(course / "course.yaml", "languages: [en]", "languages: [en, de]")
    (course / "languages").mkdir()
    (course / "languages" / "de.po").write_text(CATALOGUE, encoding="utf-8")
    return course


@pytest.fixture
def catalogue(german) -> Path:
    return german / "languages" / "de.po"


def test_lint_lists_what_is_not_translated(grader, german, catalogue):
    said = "The numbers are squared as they are. Subtract their mean first."
    most = len(catalogues.of_the_kit())
    rest = "the rest is shown in English, `grader lint --catalogue de` prints it"
    kits = f"German: {len(KITS)} of {most:,} texts of the grader; {rest}\n"
    assert grader("lint", course=german) == (0, kits + "2 exercises, 0 problems\n", "")
    edit(catalogue, entry(said, OF_THE_COURSE[said]), "")
    catalogues._known.clear()  # the next command is another process
    count = f"1 of {len(OF_THE_COURSE) + 2} sentences of the course"  # two are of the kit's laws
    course = (
        f"languages/de.po: {count} are not translated, such as {said[:60]!r}; `grader lint --catalogue de` prints them"
    )
    assert grader("lint", course=german) == (1, f"{course}\n{kits}2 exercises, 1 problems\n", "")


def test_what_is_to_be_translated_is_printed(grader, german, catalogue):
    edit(catalogue, entry("Statistics", "Statistik"), "")
    code, printed, err = grader("lint", "--catalogue", "de", course=german)
    assert (code, err) == (0, "")
    assert 'msgid "Statistics"\nmsgstr ""\n' in printed
    assert 'msgid "{score:g} of {most:g} points."' not in printed
    assert "A first unit" not in printed
    assert printed.count("\nmsgid ") > 400
    known, asked = (pofile.read_po(io.BytesIO(text.encode())) for text in (CATALOGUE, printed))
    for message in asked:
        if message.id:
            known.add(message.id, message.id)
    with catalogue.open("wb") as file:
        pofile.write_po(file, known)
    catalogues._known.clear()  # the next command is another process
    assert grader("lint", course=german) == (0, "2 exercises, 0 problems\n", "")
    assert grader("lint", "--catalogue", "de", course=german) == (0, "", "")


def test_a_catalogue_of_a_new_language_begins_with_what_is_printed(grader, german):
    code, printed, err = grader("lint", "--catalogue", "fr", course=german)
    assert (code, err) == (0, "")
    assert '"Language: fr\\n"\n' in printed
    assert all(f'msgid "{said}"\nmsgstr ""\n' in printed for said in ("Statistics", "Exercises"))
    code, printed, _ = grader("lint", "--catalogue", "zh", course=german)
    assert (code, 'msgid "Statistics"' in printed, 'msgid "Exercises"' in printed) == (0, True, False)


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
    assert '<span class="de" lang="de">Hier wird durch n geteilt. Das kostet einmal ' in shown
    assert 'lang="zh"' not in shown
    code, out, _ = grader("hint", "spread", "--lang", "de", course=german)
    assert (code, "Was bleibt ohne den Mittelwert?" in out) == (0, True)


def test_a_class_is_read_in_either_language(grader, german, tmp_path):
    (tmp_path / "class" / "ada").mkdir(parents=True)
    text = (german / "solutions" / "spread.py").read_text(encoding="utf-8")
    (tmp_path / "class" / "ada" / "spread.py").write_text(text.replace("(len(x) - 1)", "len(x)"), encoding="utf-8")
    results, one = tmp_path / "results", tmp_path / "results" / "reports" / "ada.json"
    assert grader("grade", tmp_path / "class", "--out", results, "--lang", "de", "--quiet", course=german)[0] == 0
    report = Report.from_json(one.read_text(encoding="utf-8"))
    titles = [check.title for check in report.exercises[0].checks]
    assert [title.to("de") for title in titles[:3]] == [
        "Der Mittelwert und die Abweichung davon.", "Weit weg von 0.",
        "Was übergeben wird, bleibt, wie es war.",
    ]  # fmt: skip
    assert titles[1] == Text("Numbers near 1,000,000 have the variance of the same numbers near 0.")
    page = (results / "index.html").read_text(encoding="utf-8")
    assert '<html lang="de" data-lang="de">' in page
    assert '<span class="de" lang="de">Bericht der Klasse</span>' in page
    assert '"languages":["en","de"]' in page
    for lang, reason in (("en", "The squares are divided by n."), ("de", "Hier wird durch n geteilt.")):
        assert grader("report", one, "--lang", lang, course=german)[0] == 0
        page = (results / "pages" / "ada.html").read_text(encoding="utf-8")
        assert f'<html lang="{lang}" data-lang="{lang}">' in page
        assert reason in page
        assert grader("report", results, "--json", tmp_path / lang, "--lang", lang, course=german)[0] == 0
        assert reason in (tmp_path / lang / "ada.json").read_text(encoding="utf-8")


def test_students_get_it_in_the_language(grader, german, tmp_path):
    kit = tmp_path / "kit"
    code, _, err = grader("release", "--format", "kit", "--to", kit, "--lang", "de", course=german)
    assert (code, err) == (0, "")
    readme = (kit / "README.md").read_text(encoding="utf-8")
    assert readme.startswith("# Statistik\n\nErgänze die Funktionen")
    assert "Statistics" not in readme
    assert readme.count("What is checked here") == 1  # which nobody translated
    kept, whole = (catalogues.read(root / "languages" / "de.po").sentences for root in (kit, german))
    assert kept.items() <= whole.items()
    assert {"Statistics", "Exercises"} & {*whole} <= {*kept}
    stub = (kit / "exercises" / "spread.py").read_text(encoding="utf-8")
    assert stub.startswith('"""Mittelwert und Varianz einer Stichprobe."""\n')
    assert (
        '    """Der Mittelwert der Zahlen in x\n    und ihre Varianz.\n    """\n    raise NotImplementedError' in stub
    )
    sheet = (kit / "exercises" / "answers.yaml").read_text(encoding="utf-8")
    assert sheet.count("# The answer sheet.") == 1  # as above
    assert "# Fragen zur Streuung\n" in sheet
    assert "# (1) Wie groß ist die Varianz danach?\n  # ↓ eine genaue Zahl\n" in sheet
    code, out, err = grader("check", "--lang", "de", "--dir", german / "solutions", course=kit)
    assert (code, err) == (0, ""), out
    assert "Statistik · " in out


def test_an_answer_sheet_in_the_language(grader, german, tmp_path):
    assert grader("answers", "--sheet", tmp_path / "sheet.yaml", "--lang", "de", course=german)[0] == 0
    sheet = (tmp_path / "sheet.yaml").read_text(encoding="utf-8")
    assert "# (1) Wie groß ist die Varianz danach?\n  # ↓ eine genaue Zahl\n" in sheet


def test_a_language_that_is_not_there_is_a_sentence(grader, german, monkeypatch):
    said = "grader: --lang: invalid choice: 'fr'; this course is in en and de\n"
    assert grader("check", "--lang", "fr", course=german) == (2, "", said)
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    assert "Was bleibt ohne den Mittelwert?" in grader("hint", "spread", course=german)[1]


LINE = 'a line is empty, a # comment, or a text in two quotes, such as msgid "..."'
DAMAGED = [
    (
        entry("Line {line}", "Zeile {zeile}"), 2,
        "'Line {line}': its translation has {zeile}, which the sentence has not",
    ),
    (
        '\nmsgid "{count} line"\nmsgid_plural "{count} lines"\nmsgstr[0] "{count} Zeile"\n', 2,
        "'{count} line' needs 2 plural forms, msgstr[0] and so on",
    ),
    ('? "Exercises"\n: "Aufgaben"\n', 1, f"not a gettext catalogue: {LINE}"),
]  # fmt: skip


@pytest.mark.parametrize(("more", "line", "reason"), DAMAGED, ids=["placeholder", "plural", "no catalogue"])
def test_a_damaged_catalogue_is_a_sentence(grader, german, catalogue, tmp_path, more, line, reason):
    catalogue.write_text(CATALOGUE + more, encoding="utf-8")
    said = f"{catalogue}:{CATALOGUE.count(chr(10)) + line}: {reason}\n"
    assert grader("check", "--lang", "de", course=german) == (2, "", f"grader: {said}")
    code, out, _ = grader("lint", course=german)
    assert (code, said in out) == (1, True)
    (tmp_path / "class" / "ada").mkdir(parents=True)
    (tmp_path / "class" / "ada" / "spread.py").touch()
    grade = ("grade", tmp_path / "class", "--out", tmp_path / "results", "--quiet")  # before anybody is graded
    assert grader(*grade, course=german) == (2, "", f"grader: {said}")
    assert not (tmp_path / "results" / "reports").exists()


def test_a_catalogue_that_is_no_catalogue_at_all_is_a_sentence(grader, german, catalogue):
    catalogue.write_text("- Aufgaben\n", encoding="utf-8")
    said = f"grader: {catalogue}:1: not a gettext catalogue: {LINE}\n"
    assert grader("check", "--lang", "de", course=german) == (2, "", said)
    catalogue.write_text(HEAD.replace("utf-8", "utf-99") + entry("Exercises", "Aufgaben"), encoding="utf-8")
    said = f"grader: {catalogue}: not a gettext catalogue: unknown encoding: utf-99\n"
    assert grader("check", "--lang", "de", course=german) == (2, "", said)
