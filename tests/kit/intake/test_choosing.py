"""Which file is which of the course's: by its name, else by the functions in it, never by a guess."""

from __future__ import annotations

import time
import tracemalloc

import pytest
from handed_in import COURSE, KB, OTHER, SOURCE, STUB

from grader.course import course as courses
from grader.intake.choosing import ChosenFile, candidates, choose, meant, named_sources
from grader.intake.tree import File, Refused
from grader.texts import plain

PAIR = "def pair(x):\n    return x, x\n"


def file(path: str, text: bytes | str = SOURCE) -> File:
    data = text if isinstance(text, bytes) else text.encode()
    return File(tuple(path.split("/")), lambda most_kb: data)


def chosen(source: str, *files: File) -> ChosenFile:
    return choose(files, COURSE, ["scale", "pair", "answers"], KB)[source]


def path_of(source: str, *files: File) -> str | None:
    """The path of the file that is chosen; an ambiguity is an error here."""
    found = chosen(source, *files)
    assert found.refused is None, found.refused
    return found.found.path if found.found else None


NAMES = [
    "scale.py", "Scale.py", "SCALE.PY", "scale (1).py", "scale(1).py", "scale_(2).py", "scale-1.py", "scale_1.py",
    "scale copy.py", "scale - Copy.py", "scale - Copy (2).py", "copy of scale.py", "scale [1].py", "scale 副本.py",
    "副本scale.py", "scale - 复制.py", "scale (another copy).py", "scale.py.txt", "scale.py.py", "scale.py (1)",
    "scale.py.txt (1)", "ｓｃａｌｅ.py", "scale .py", "scale-2-1.py", "scale (1) (1).py", "scale.py.",
    "scale。py",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_name_as_systems_change_it(name):
    """The text defines nothing: the name alone tells."""
    assert path_of("scale", file(name, "x = 1")) == name


@pytest.mark.parametrize(
    "name", ["answers.yaml", "Answers.yml", "answers (1).yaml", "answers.yaml.txt", "answers.txt", "answers。yaml"]
)
def test_a_name_of_the_answer_sheet(name):
    assert path_of("answers", file(name, "")) == name


@pytest.mark.parametrize("name", ["scale.md", "scale.java", "answers.py", "scale.yaml", "scale.pyc", "scale.docx"])
def test_a_name_of_another_kind_of_file(name):
    assert path_of("scale", file(name, "x = 1")) is None
    assert path_of("answers", file(name, "x = 1")) is None


ALIKE = [
    "scale_final.py",
    "ada_scale.py",
    "scale-ada-lovelace.py",
    "my scale.py",
    "scale_v2.py",
    "scale_FINAL_final.py",
]


@pytest.mark.parametrize("name", ALIKE)
def test_a_name_with_words_of_ones_own_counts_where_nothing_else_fits(name):
    assert path_of("scale", file(name, "x = 1")) == name
    assert path_of("scale", file(name, OTHER), file("scale.py")) == "scale.py"
    assert path_of("scale", file(name, OTHER), file("Scale (1).py")) == "Scale (1).py"


@pytest.mark.parametrize("name", ["test_scale.py", "scale_test.py", "rescale.py", "scale_pair.py", "tests_of_scale.py"])
def test_a_name_that_means_something_else(name):
    assert path_of("scale", file(name, "x = 1")) is None


def test_the_longest_name_is_meant(toy_copy):
    text = (toy_copy / "course.yaml").read_text(encoding="utf-8").replace("id: pair", "id: scale_pair")
    (toy_copy / "course.yaml").write_text(text, encoding="utf-8")
    for place in ("exercises", "solutions", "tests/hidden"):
        (toy_copy / place / "pair.py").rename(toy_copy / place / "scale_pair.py")
    found = choose([file("scale_pair_final.py", "x = 1")], courses.load(toy_copy), ["scale", "scale_pair"], KB)
    assert [s for s, c in found.items() if c.found] == ["scale_pair"]


def test_a_file_that_no_name_tells_is_known_by_its_functions():
    assert path_of("scale", file("task1.py"), file("task2.py", PAIR)) == "task1.py"
    assert path_of("pair", file("task1.py"), file("task2.py", PAIR)) == "task2.py"


def test_one_file_may_hold_several_exercises():
    whole = file("homework.py", SOURCE + PAIR)
    assert path_of("scale", whole) == path_of("pair", whole) == "homework.py"


def test_a_file_of_another_exercise_is_not_looked_into():
    """pair.py may well have a function scale of its own."""
    assert path_of("scale", file("pair.py", PAIR + SOURCE)) is None
    assert path_of("scale", file("pair.py", PAIR + SOURCE), file("pair-1.py", SOURCE + PAIR)) is None


def test_functions_tell_more_than_words_in_a_name():
    assert path_of("scale", file("scale_helpers.py", "x = 1"), file("task1.py")) == "task1.py"
    assert path_of("scale", file("scale_helpers.py", "x = 1"), file("ada_scale.py")) == "ada_scale.py"


@pytest.mark.parametrize("text", ["    def scale(x): pass", "scale = 1", "def scaled(x): pass", "# def scale(x)", "\0"])
def test_what_defines_nothing(text):
    assert path_of("scale", file("task1.py", text)) is None


def test_of_two_that_fit_neither_is_taken():
    found = chosen("scale", file("a/scale.py"), file("b/Scale (1).py", OTHER))
    assert found.found is None
    assert found.refused is not None
    assert (
        found.refused.to("en") == "a/scale.py and b/Scale (1).py could both be scale.py; hand in one file of that name"
    )
    assert found.refused.to("zh") != found.refused.to("en")


@pytest.mark.parametrize("names", [("scale_a.py", "scale_b.py"), ("task1.py", "task2.py"), ("scale.py", "scale-1.py")])
def test_two_that_fit_alike_are_named_however_they_fit(names):
    found = chosen("scale", *(file(n, t) for n, t in zip(names, (SOURCE, OTHER), strict=True)))
    assert found.refused is not None
    assert found.refused.to("en") == f"{names[0]} and {names[1]} could both be scale.py; hand in one file of that name"


BESIDE = [
    SOURCE, SOURCE.replace("\n", "\r\n"), "\ufeff" + SOURCE, SOURCE + "\n\n", STUB, STUB.replace(b"\n", b"\r\n"), "",
    " \n",
]  # fmt: skip


@pytest.mark.parametrize("beside", BESIDE)
def test_copies_stubs_and_empty_files_do_not_compete(beside):
    for files in ([file("scale.py"), file("old/scale.py", beside)], [file("a/scale.py", beside), file("scale.py")]):
        found = chosen("scale", *files)
        assert found.found is not None
        assert found.found.read(1).removeprefix(b"\xef\xbb\xbf").split() == SOURCE.encode().split()


def test_stubs_alone_are_a_stub():
    assert path_of("scale", file("a/scale.py", STUB), file("b/scale.py", STUB)) == "a/scale.py"


def test_what_a_course_or_a_test_tool_puts_there_is_nobodys_work():
    paths = ["course.yaml", "class.yaml", "README.md", "solutions/scale.py", "grader/x.py", "docs/scale.py",
             "exercises/scale.py", "tests/scale.py", "pyproject.toml", "LICENSE", "answers.md"]  # fmt: skip
    assert [f.path for f in candidates([file(p) for p in paths])] == ["exercises/scale.py"]
    inside = [f"repo/{p}" for p in paths]
    assert [f.path for f in candidates([file(p) for p in inside])] == ["repo/exercises/scale.py"]


def test_without_a_course_around_them_folders_are_the_students_own():
    paths = ["solutions/scale.py", "docs/pair.py"]
    assert [f.path for f in candidates([file(p) for p in paths])] == paths


def test_the_sources_that_names_mean():
    files = [file("Scale (1).py"), file("pair_final.py"), file("answers.yaml")]
    assert named_sources(files, COURSE) == {"scale", "answers"}


def test_a_file_that_cannot_be_read_is_refused_and_not_passed_over():
    def fail(most_kb: int) -> bytes:
        raise Refused(plain("broken"))

    found = chosen("scale", File(("scale.py",), fail), file("b/scale.py"))
    assert found.refused is not None


# what was given out counts only where nothing else fits ---------------------------------------------------------------


@pytest.mark.parametrize("stub", [STUB, STUB.replace(b"\n", b"\r\n"), b"", b"\n"])
@pytest.mark.parametrize("name", ["scale_final.py", "homework.py", "Aufgabe 1.py", "scale.txt", "scale.pyw"])
def test_work_under_any_name_comes_before_a_stub(name, stub):
    assert path_of("scale", file("scale.py", stub), file(name)) == name
    assert path_of("scale", file("scale.py", stub), file(name, "x = 1")) == "scale.py"


@pytest.mark.parametrize("name", ["scale.txt", "scale.pyw", "scale.PYW", "notes on scale.txt"])
def test_code_in_a_file_of_text_is_known_by_its_functions(name):
    assert path_of("scale", file(name)) == name
    assert path_of("scale", file(name, "a scale in words")) is None
    assert path_of("scale", file(name, OTHER), file("scale.py")) == "scale.py"


BLANK = "variant: common\nunit:\n  # what is half of it?\n  one_half:\n\n  both_ends:\n  third: {row: }\n  fourth:\n"
FILLED = "variant: s1\nunit:\n  one_half: 1\n  both_ends: [a]\n  third:\n"


@pytest.fixture
def asking(toy_copy):
    (toy_copy / "exercises" / "answers.yaml").write_text(BLANK)
    return courses.load(toy_copy)


SHEETS = [
    "awnsers.yaml",
    "hw/solution.yml",
    "answers的副本.yaml",
    "Blatt 1.txt",
    "answers.md",
    "answers.json",
    "unit.yaml",
]


@pytest.mark.parametrize("name", SHEETS)
@pytest.mark.parametrize("beside", [None, BLANK, BLANK.replace("# what", "# Was").replace("common", "s1"), ""])
def test_an_answer_sheet_is_known_by_its_questions(asking, name, beside):
    files = [file(name, FILLED), *([file("answers.yaml", beside)] if beside is not None else [])]
    found = choose(files, asking, ["answers"], KB)["answers"].found
    assert found is not None
    assert found.path == name


@pytest.mark.parametrize("text", ["one_half: 1\n", "a: 1\nb: 2\nc: 3\n", "both_ends third fourth\n"])
def test_what_is_no_answer_sheet(asking, text):
    assert choose([file("settings.yaml", text)], asking, ["answers"], KB)["answers"].found is None


def test_two_filled_sheets_are_both_named(asking):
    files = [file("a.yaml", FILLED), file("b.yaml", FILLED.replace("[a]", "[b]"))]
    refused = choose(files, asking, ["answers"], KB)["answers"].refused
    assert refused is not None
    assert refused.to("en") == "a.yaml and b.yaml could both be answers.yaml; hand in one file of that name"


@pytest.mark.parametrize("name", ["Course work.ipynb", "setup.py", "Requirements 2.ipynb", "answers.md"])
def test_a_name_as_of_a_project_may_be_somebodys_work(name):
    assert [f.path for f in candidates([file(name)])] == [name]


@pytest.mark.parametrize(
    ("name", "means"),
    [("scale.docx", ("scale", True)), ("Scale (1).PNG", ("scale", True)), ("ada_scale.v2.pdf", ("scale", False)),
     ("answers.docx", ("answers", True)), ("holiday.jpg", (None, False))],
)  # fmt: skip
def test_what_a_name_means_whatever_kind_of_file_it_is(name, means):
    assert meant(name, COURSE) == means


LONG = ["a" * 64_000, "a " * 32_000, "a:" * 32_000, "a" + " " * 64_000, "'" * 64_000, "def " * 16_000]


@pytest.mark.parametrize("text", LONG)
def test_looking_into_a_file_takes_no_time_whatever_is_in_it(asking, text):
    began = time.process_time()
    choose([file(f"{n}.txt", text) for n in range(20)], asking, ["answers", "scale"], KB)
    assert time.process_time() - began < 3


@pytest.mark.parametrize("name", ["scale" + " (1)" * 60, "copy of " * 28 + "scale", "x" + "_y" * 120])
def test_thousands_of_names_take_no_time_however_long(name):
    files = [file(f"{n}/{n}{name}.py", "") for n in range(3000)]
    begun = time.process_time()
    choose(files, COURSE, ["scale", "pair", "answers"], KB)
    assert time.process_time() - begun < 5


def test_files_of_one_name_are_not_kept_in_memory():
    many = [File((str(n), "scale.py"), lambda _, n=n: b"%d" % n + bytes(KB << 10)) for n in range(100)]
    tracemalloc.start()
    assert chosen("scale", *many).refused
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20 * (KB << 10)
