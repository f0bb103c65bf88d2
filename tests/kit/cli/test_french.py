"""A course in French with three texts of the kit translated, and German beside it without a catalogue."""

from __future__ import annotations

import shutil
import sys

import pytest
from support import TOY

from grader import catalogues
from grader.texts import Text

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")
FRENCH = TOY.with_name("toy_french")
SHEET = """\
questions:
  huitieme: 0,125
  produit: 1 050 624
  liste: 0,5; 0,25; 0,125
  tableau:
    petit: {x: "1,5", y: "2,5"}
    grand: 10,5; 11,5
"""


@pytest.fixture(autouse=True)
def forgotten(monkeypatch):
    """The catalogues of the course, after the test."""
    for known in ("_files", "_known", "_written"):
        monkeypatch.setattr(catalogues, known, getattr(catalogues, known).copy())


@pytest.fixture
def work(tmp_path):
    folder = tmp_path / "exercises"
    shutil.copytree(FRENCH / "exercises", folder)
    (folder / "moyenne.py").write_text("def moyenne(x, w):\n    return x.mean()\n", encoding="utf-8")
    (folder / "answers.yaml").write_text(SHEET, encoding="utf-8")
    return folder


def test_lint_and_doctor_say_how_much_is_translated(grader):
    most = f"{len(catalogues.of_the_kit()):,}"
    rest = "the rest is shown in English, `grader lint --catalogue {} prints it"
    told = [
        f"French: 3 of {most} texts of the grader; {rest.format('fr`')}",
        f"German: 0 of {most} texts of the grader; {rest.format('de`')}",
    ]
    code, out, err = grader("lint", course=FRENCH)
    *problems, french, german, last = out.splitlines()
    assert (code, err, [french, german], last) == (1, "", told, "2 exercises, 1 problems")
    assert problems[0].startswith("languages/de.po: 13 of 13 sentences of the course are not translated, such as 'Mé")
    assert grader("doctor", course=FRENCH)[1].splitlines()[-3:-1] == told


def test_numbers_are_read_and_written_as_in_french(grader, work, tmp_path):
    page = tmp_path / "page.html"
    code, out, err = grader("check", "--dir", work, "--lang", "fr", "--html", page, course=FRENCH)
    assert (code, err) == (1, "")
    assert "questions          6 / 6 " in out
    assert "7,5 points sur 8,5.\n" in out
    shown = page.read_text(encoding="utf-8")
    assert '<html lang="fr" data-lang="fr">' in shown
    assert '<span class="score">1,5 / 2,5</span>' in shown
    assert '<span class="fr" lang="fr">Exercices</span><span class="de" lang="en">Exercises</span>' in shown
    assert '<span lang="en">What probably happened</span>' in shown
    assert 'lang="de">Deutsch</button>' in shown


def test_german_without_a_catalogue(grader, work):
    code, out, err = grader("check", "questions", "--dir", work, "--lang", "de", course=FRENCH)
    assert (code, err) == (0, "")
    assert "Que vaut un huitième ?" in out


def test_a_language_that_there_is_not_is_a_sentence(grader, tmp_path):
    shutil.copytree(FRENCH, tmp_path / "course")
    path = tmp_path / "course" / "course.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("[fr, de]", "[fr, xq]"), encoding="utf-8")
    said = "grader: course.yaml:2: languages cannot be 'xq'; write codes, such as fr or pt-BR\n"
    assert grader("lint", course=tmp_path / "course") == (2, "", said)


@pytest.mark.parametrize(("count", "said"), [(0, "0 point"), (1, "1 point"), (1.5, "1,5 point"), (2, "2 points")])
def test_plurals_are_those_of_the_language(count, said):
    """Its catalogue names no plural forms."""
    catalogues.take(FRENCH, "fr")
    text = Text("{count:g} point", plural="{count:g} points").format(count=count)
    assert text.to("fr") == said


def test_a_sentence_in_english_has_english_numbers():
    catalogues.take(FRENCH, "fr")
    english = Text("{mistake} It is charged once: {points:g} points.").format(mistake=Text("Non."), points=1.5)
    assert english.to("fr").endswith("1.5 points.")
