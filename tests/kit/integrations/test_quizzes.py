"""Concept questions in Moodle's and Canvas's files: each is there, its key earns all, what is wrong does not."""

from __future__ import annotations

import itertools
import re
import sys
import zipfile

import pytest
from commands import Borrowed
from quiz import HALF, PAPER
from quiz_files import Asked, canvas, joined, moodle
from support import ROOT, questions_of

from grader.cli import common, main
from grader.course import course as courses
from grader.integrations import quizzes
from grader.sandbox.processes import DescribedQuestion, Fields
from grader.texts import Text

LANGUAGES = ("en", "zh")
HOSTILE = 'a < b & c > d "]]>" `x < y` \x07'


def read(format: str, content: bytes) -> dict[str, Asked]:
    """The questions by their names; of a name that occurs again only the first."""
    if format == "moodle-xml":
        found = moodle(content)[0]
    else:
        found = [q for entries in canvas(content).values() for q in joined([qs[0] for _, qs in entries])]
    names = [q.name for q in found]
    assert len({*names}) == len(names)
    return {q.name: q for q in found}


def flat(value) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [v for inner in (value.values() if isinstance(value, dict) else value) for v in flat(inner)]


def labels(question: DescribedQuestion) -> list[str]:
    return [", ".join(cell) for cell in itertools.product(question.fields.rows, question.fields.columns)]


def share(question: DescribedQuestion, asked: Asked, answer, lang: str) -> float:
    """What an answer, as it stands on a sheet, earns of the points there."""
    fields, said = question.fields, {letter: re.sub("`", "", text.to(lang)) for letter, text in question.options}
    if asked.fields:
        return asked.of_numbers([float(value) for value in flat(answer)])
    if fields.ordered:
        return asked.of_pairs({f"{letter}: {said[letter]}": str(n) for n, letter in enumerate(answer, 1)})
    if fields.kind == "table":
        words = {letter: text if len(letter) > 1 else f"{letter}: {text}" for letter, text in said.items()}
        return asked.of_pairs(dict(zip(labels(question), [words[v] for v in flat(answer)], strict=True)))
    return asked.of_choice([f"{letter} {said[letter]}" for letter in flat(answer) if letter != "none"])


def one_off(question: DescribedQuestion):
    """Answers with one thing wrong: another letter, word or place, a number beyond what the course lets pass."""
    fields, key, letters = question.fields, question.key, [letter for letter, _ in question.options]
    if fields.ordered:
        yield key[::-1]
    elif fields.kind == "choice" and not fields.many:
        yield from (letter for letter in letters if letter != key)
    elif fields.kind == "choice":
        yield from ([letter] for letter in letters if letter not in key)
        yield [letter for letter in letters if letter not in key]
    else:
        values = flat(key)
        for n, value in enumerate(values):
            step = 1.1 * 10.0**-fields.decimals if fields.decimals else 1
            others = [w for w in letters if w != value] or [str(float(value) + step), str(float(value) - step)]
            for other in others:
                yield [*values[:n], other, *values[n + 1 :]]


def check(question: DescribedQuestion, asked: Asked, lang: str, format: str) -> None:
    fields = question.fields
    assert question.text.to(lang).replace("`", "") in asked.text
    if question.rubric or question.example:
        assert asked.kind == "essay"
        told = asked.rubric or asked.told
        assert all(line.to(lang) in told for line in question.rubric)
        return
    assert asked.kind != "essay"
    assert share(question, asked, question.key, lang) == pytest.approx(1, abs=1e-4)
    alone = fields.kind in ("choice", "number") and not fields.ordered
    most = 0 if alone else 1 - 0.9 / len(flat(question.key))
    for answer in one_off(question):
        assert share(question, asked, answer, lang) <= most, answer
    for answer, why in question.wrong_answers:
        assert share(question, asked, answer, lang) <= (0.9 if fields.many else most), answer
        assert why.to(lang).replace("`", "") in asked.told
    for caption, rows in question.shown:
        assert caption.to(lang).replace("`", "") in asked.told
        assert all(cell.replace("`", "") in asked.told for row in rows for cell in row)
    if asked.fields and fields.decimals:
        step = 10.0**-fields.decimals  # rounded and cut off is right
        for sign in (1, -1):
            near = [str(float(value) + sign * step) for value in flat(question.key)]
            assert share(question, asked, near, lang) == pytest.approx(1, abs=1e-4)


@pytest.fixture(scope="module")
def course():
    return courses.load(ROOT)


@pytest.fixture(scope="module")
def questions(course):
    """All questions of the course, by exercise."""
    yield from questions_of(course)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("format", ["moodle-xml", "qti"])
def test_the_course_s_questions_arrive(course, questions, format, lang):
    sections = quizzes.sections(course.settings.units, [questions], lang)
    writer = quizzes.moodle_xml if format == "moodle-xml" else quizzes.qti
    found = read(format, writer.write("Attention/All", sections))
    expected = {f"{section}/{q.name}": q for section, asked in questions.items() for q in asked}
    assert found.keys() == expected.keys()
    assert len(expected) > 140
    for name, question in expected.items():
        check(question, found[name], lang, format)
    lost = {said.values["question"] for s in sections for versions in s.questions for said in writer.lost(versions[0])}
    for name, question in expected.items():
        kept = found[name].points == pytest.approx(question.points, abs=1e-4)
        assert name in lost or (kept and found[name].kind != "matching" and not question.example)


def described(fields: Fields, key, options=(), **more) -> DescribedQuestion:
    kept = {"points": 1.5, "rubric": (), "example": False, "shown": (), "wrong_answers": (), "text": Text(HOSTILE)}
    return DescribedQuestion(
        name="q", about=Text("one"), form="", options=options, blank=None, key=key, fields=fields, **(kept | more)
    )


@pytest.fixture
def one(toy_copy):
    """`one(format, question)`: the question as the system has it, and the sentences on it."""
    with (toy_copy / "course.yaml").open("a", encoding="utf-8") as settings:
        settings.write("      - {id: quiz, title: Questions, points: 12, kind: questions}\n")
    units = courses.load(toy_copy).settings.units

    def write(format, question, lang="en"):
        sections = quizzes.sections(units, [{"quiz": [question]}], lang)
        writer = quizzes.moodle_xml if format == "moodle-xml" else quizzes.qti
        (found,) = read(format, writer.write("Toy", sections)).values()
        return found, [said.to(lang) for said in writer.lost(sections[0].questions[0][0])]

    return write


@pytest.mark.parametrize("format", ["moodle-xml", "qti"])
def test_what_is_markup_elsewhere_is_text(one, format):
    options = (("a", Text(HOSTILE)), ("b", Text("<script>{2:NUMERICAL:=1:0}</script>")))
    asked, lost = one(format, described(Fields("choice"), "a", options))
    assert 'a < b & c > d "]]>" x < y' in asked.text
    assert [*asked.options] == ['a a < b & c > d "]]>" x < y ', "b <script>{2:NUMERICAL:=1:0}</script>"]
    assert lost == []
    rows = Fields("table", rows=("<r>", "&"), columns=("c",), cell="choice")
    asked, _ = one(format, described(rows, {"<r>": {"c": "a"}, "&": {"c": "b"}}, options))
    assert set(asked.pairs) == {"<r>, c", "&, c"}
    grid = Fields("table", rows=("<r>", "&"), columns=("c",), cell="number")
    asked, _ = one(format, described(grid, {"<r>": {"c": "1"}, "&": {"c": "-2"}}))
    assert [field[:2] for field in asked.fields] == [(1, 0), (-2, 0)]


@pytest.mark.parametrize("format", ["moodle-xml", "qti"])
def test_formulas_are_mathjax_s(one, format):
    asked, _ = one(format, described(Fields("number"), "1", text=Text("Is $x^2 < 4$? `$y$` costs $5 or $6.")))
    assert r"Is \(x^2 < 4\)? $y$ costs $5 or $6." in asked.text


@pytest.mark.parametrize("format", ["moodle-xml", "qti"])
@pytest.mark.parametrize(
    ("fields", "key", "example"),
    [
        (Fields("choice", many=True), "none", False),  # where nothing is to be ticked Moodle and Canvas see no key
        (Fields("number"), "inf", False),
        (Fields("text"), "anything", False),
        (Fields("table", rows=("upper",), columns=("left",), cell="text"), {"upper": {"left": ["a"]}}, False),
        (Fields("numbers", (2,)), ["1", "2"], True),
    ],
)
def test_a_person_grades_what_they_cannot_ask(one, format, fields, key, example):
    options = (("a", Text("this")), ("b", Text("that"))) if fields.many or fields.rows else ()
    asked, lost = one(format, described(fields, key, options, example=example))
    assert asked.kind == "essay"
    assert asked.points == 1.5
    for shown in (*fields.rows, *fields.columns, *(text.key for _, text in options)):
        assert shown in asked.text
    assert all(value in asked.told for value in flat(key))
    (said,) = lost
    assert said.startswith("quiz/q: many answers are right" if example else "quiz/q: no question there takes such")


def test_points_of_several_numbers(one):
    asked, lost = one("moodle-xml", described(Fields("numbers", (2,)), ["1", "2"], points=2))
    assert (asked.points, lost) == (2, [])
    asked, lost = one("moodle-xml", described(Fields("numbers", (2,), whole=True), ["1", "2"]))
    assert asked.points == 2
    assert lost == [
        "quiz/q: its numbers count together here, and one by one there",
        "quiz/q: Moodle gives 2 points for its numbers; set its maximum mark in the quiz to 1.5",
    ]
    asked, lost = one("qti", described(Fields("numbers", (2,)), ["1", "2"]))
    assert asked.points == 1.5
    assert lost == ["quiz/q: it becomes 2 questions, one for each number, of 0.75 points each"]


@pytest.mark.parametrize("format", ["moodle-xml", "qti"])
def test_an_exact_number_is_exact_but_for_floating_point(one, format):
    asked, lost = one(format, described(Fields("number"), "0.30000000000000004"))
    assert (asked.of_numbers([0.3]), asked.of_numbers([0.3000001]), lost) == (1, 0, [])
    asked, _ = one(format, described(Fields("number"), "-617558016"))
    assert (asked.of_numbers([-617558016]), asked.of_numbers([-617558017])) == (1, 0)


@pytest.fixture
def toy(toy_copy, fork_server, monkeypatch, capsys):
    """`toy("--format", "qti", ...)` releases a toy course with one question of each form: exit code, output, errors."""
    with (toy_copy / "course.yaml").open("a", encoding="utf-8") as settings:
        settings.write("  - id: asked\n    title: Asked / 问题\n    exercises:\n")
        settings.write("      - {id: quiz, title: Questions, points: 12, kind: questions}\n")
    for name, text in {"solutions/half.py": HALF, "tests/hidden/quiz.py": PAPER}.items():
        (toy_copy / name).write_text(text, encoding="utf-8")
    for folder in ("solutions", "exercises"):
        (toy_copy / folder / "answers.yaml").touch()
    monkeypatch.setattr(common, "start_fork_server", lambda course=None, confined=True: Borrowed(fork_server))

    def run(*arguments):
        code = main([*map(str, ("release", *arguments)), "--course", str(toy_copy)])
        return code, *capsys.readouterr()

    run.course = toy_copy
    return run


@pytest.mark.parametrize(
    ("lang", "answer", "warning"), [("en", "Answer", "do not give it to students"), ("zh", "答案", "请勿发给学生")]
)
@pytest.mark.parametrize(("format", "file"), [("moodle-xml", "questions.xml"), ("qti", "questions.zip")])
def test_the_command_writes_every_form(toy, tmp_path, format, file, lang, answer, warning):
    code, out, err = toy("--format", format, "--to", tmp_path / "out", "--lang", lang)
    assert (code, err) == (0, "")
    assert warning in out.splitlines()[-1]
    found = read(format, (tmp_path / "out" / file).read_bytes())
    names = ("a_third", "one", "some", "order", "matrix", "table", "construct", "drawn", "essay")
    assert [*found] == [f"quiz/{name}" for name in names]
    assert answer in found["quiz/one"].told
    assert found["quiz/a_third"].of_numbers([0.333]) == 1
    assert found["quiz/a_third"].of_numbers([0.331]) == 0
    assert found["quiz/matrix"].of_numbers([1, 0.25, 0.125, 3]) == 0.75
    assert found["quiz/order"].of_pairs({"a: yes": "2", "b: no": "3", "c: perhaps": "1"}) == 1
    assert found["quiz/some"].of_choice(["a yes", "c perhaps"]) == pytest.approx(1)
    for name in ("order", "table", "construct"):
        assert any(line.startswith(f"quiz/{name}") for line in out.splitlines())
    again = toy("--format", format, "--to", tmp_path / "out", "--lang", lang)
    assert again == (code, out, err)  # the same content


def test_moodle_s_categories_are_the_course_s_parts(toy, tmp_path):
    toy("--format", "moodle-xml", "--to", tmp_path)
    _, places = moodle((tmp_path / "questions.xml").read_bytes())
    assert [*places] == ["$course$/top/A toy course/Asked // 问题/Questions"]


@pytest.mark.parametrize("format", ["moodle-xml", "qti"])
def test_numbers_that_vary_are_drawn_there(toy, tmp_path, format):
    with (toy.course / "course.yaml").open("a", encoding="utf-8") as settings:
        settings.write("variants: student\n")
    code, _, err = toy("--format", format, "--to", tmp_path)
    assert (code, err) == (0, "")
    if format == "moodle-xml":
        _, places = moodle((tmp_path / "questions.xml").read_bytes())
        varying = {
            place.rpartition("/")[2]: len(names) for place, names in places.items() if len({*names}) < len(names)
        }
        assert varying == {"drawn": 10}
    else:
        (entries,) = canvas((tmp_path / "questions.zip").read_bytes()).values()
        assert [(count, len(qs)) for count, qs in entries if count] == [(1, 10)]
        assert len({q.text for _, qs in entries for q in qs if q.name == "quiz/drawn"}) == 10


@pytest.mark.parametrize("format", ["moodle-xml", "qti"])
def test_bad_input_is_one_sentence(toy, tmp_path, format):
    def refused(*arguments) -> str:
        code, out, err = toy("--format", format, *arguments)
        assert (code, out) == (2, "")
        assert err.count("\n") == 1
        return err.removeprefix("grader: ").strip()

    (tmp_path / "file").touch()
    assert refused("--to", tmp_path / "file") == f"{tmp_path / 'file'} is a file; --to names a folder"
    assert refused("--to", tmp_path, "--unit", "basics") == "unit 'basics' has no concept questions"
    assert refused("--to", tmp_path, "--unit", "askd") == "there is no unit 'askd'; did you mean 'asked'?"
    inside = toy.course / "exercises" / "more"
    assert refused("--to", inside) == f"{inside} is what students get, and this holds the answers; choose another --to"
    (tmp_path / "copy" / "tests" / "visible").mkdir(parents=True)
    assert "what students get" in refused("--to", tmp_path / "copy")
    name = "questions.xml" if format == "moodle-xml" else "questions.zip"
    (tmp_path / name).write_text("mine")
    assert f"{tmp_path / name} is there already and differs; nothing was written." in refused("--to", tmp_path)
    assert toy("--format", format, "--to", tmp_path, "--force")[0] == 0
    settings = (toy.course / "course.yaml").read_text(encoding="utf-8").partition("  - id: asked")[0]
    (toy.course / "course.yaml").write_text(settings, encoding="utf-8")
    assert refused("--to", tmp_path) == "this course has no concept questions"


def test_the_zip_is_the_same_for_the_same_questions(toy, tmp_path):
    for folder in ("one", "two"):
        toy("--format", "qti", "--to", tmp_path / folder)
    assert (tmp_path / "one/questions.zip").read_bytes() == (tmp_path / "two/questions.zip").read_bytes()
    assert "imsmanifest.xml" in zipfile.ZipFile(tmp_path / "one/questions.zip").namelist()
