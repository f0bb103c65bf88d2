"""Each mistake in course.yaml is an error that names the line, the wrong word and the nearest right one."""

# ruff: noqa: E501 -- a table with one mistake a line

from __future__ import annotations

import importlib.metadata
import os
from pathlib import Path

import pytest
from support import ROOT

from grader.course import course as courses
from grader.errors import CourseError
from grader.texts import Text

RIGHT = """\
title: A course
feedback: hints
devices: [cpu]
limits:
  call_seconds: 1.5
  memory_mb: 256
units:
  - id: first
    title: First
    exercises:
      - id: one
        title: One
        points: 3
        functions: [f, g]
        forbid: [torch.relu]
      - id: two
        title: Two
        points: 2.5
        functions: [h]
        after: [one]
"""


def write(folder: Path, text: str) -> Path:
    (folder / "course.yaml").write_text(text, encoding="utf-8")
    return folder


def test_a_right_course(tmp_path):
    course = courses.load(write(tmp_path, RIGHT))
    settings = course.settings
    assert settings.title == Text("A course")
    assert (settings.feedback, settings.devices, settings.languages) == ("hints", ("cpu",), ("en", "zh"))
    assert (settings.limits.call_seconds, settings.limits.memory_mb) == (1.5, 256)
    assert settings.limits.source_kb == 256, "what is not given keeps its default"
    one, two = course.exercises
    assert (one.id, one.points, one.functions, one.forbid, one.after) == ("one", 3, ("f", "g"), ("torch.relu",), ())
    assert (two.after, two.points) == (("one",), 2.5)
    assert course.solution("one") == tmp_path.resolve() / "solutions" / "one.py"
    assert course.stub("one").parent.name == "exercises"
    assert course.suite("one").parent.name == "hidden"


# What is replaced by what, and the message that this must give.
MISTAKES = {
    "unknown key": ("feedback:", "feedbak:", "course.yaml:2: unknown key 'feedbak' in the course; did you mean 'feedback'?"),
    "unknown key of a limit": ("memory_mb", "memory", "course.yaml:6: unknown key 'memory' in limits; did you mean 'memory_mb'?"),
    "unknown key of a unit": ("    exercises:", "    exercise:", "course.yaml:10: unknown key 'exercise' in units; did you mean 'exercises'?"),
    "unknown key of an exercise": ("forbid:", "forbidden:", "course.yaml:15: unknown key 'forbidden' in exercises; did you mean 'forbid'?"),
    "a key like no other": ("feedback:", "xyz:", "course.yaml:2: unknown key 'xyz' in the course; known: title, units, syllabus, limits, arrays, devices, feedback, languages, variants"),
    "a key that is a list": ("feedback:", "[a]:", "course.yaml:2: unknown key"),
    "a key twice": ("devices:", "feedback:", "course.yaml:3: 'feedback' is given twice in the course"),
    "text for a number": ("points: 3", "points: three", "course.yaml:13: points must be a number, not 'three'"),
    "truth for a number": ("points: 3", "points: yes", "course.yaml:13: points must be a number, not 'yes'"),
    "fraction for a whole number": ("memory_mb: 256", "memory_mb: 25.6", "course.yaml:6: memory_mb must be a whole number, not '25.6'"),
    "number for a text": ("id: one", "id: 1", "course.yaml:11: id must be a text, not '1'; write \"1\""),
    "date for a text": ("title: One", "title: 2020-13-45", "course.yaml:12: title must be a text, not '2020-13-45'"),
    "a tag of one's own": ("points: 3", "points: !x 3", "course.yaml:13: points must be a number, not '3'"),
    "list for a text": ("feedback: hints", "feedback: [hints]", "course.yaml:2: feedback must be a text"),
    "text for a list": ("functions: [h]", "functions: h", "course.yaml:19: functions must be a list"),
    "a language that the kit has not": (
        "feedback: hints", "feedback: hints\nlanguages: [en, tlh]",
        "course.yaml:3: languages cannot be 'tlh'; write codes, such as fr or pt-BR",
    ),
    "text for a mapping": ("limits:\n  call_seconds: 1.5\n  memory_mb: 256", "limits: 5", "course.yaml:4: limits must be a mapping"),
    "a colon in a text": ("title: A course", "title: Week 1: means", "course.yaml:1: not YAML: mapping values are not allowed here; a text that holds a colon stands between quotes"),
    "list for a title": ("title: A course", "title: [a]", "course.yaml:1: title must be a text"),
    "negative number": ("points: 2.5", "points: -1", "course.yaml:18: points must be above 0 and finite, not -1"),
    "zero": ("call_seconds: 1.5", "call_seconds: 0", "course.yaml:5: call_seconds must be above 0 and finite, not 0"),
    "not a number": ("points: 2.5", "points: .nan", "course.yaml:18: points must be above 0 and finite, not nan"),
    "infinity": ("points: 2.5", "points: .inf", "course.yaml:18: points must be above 0 and finite, not inf"),
    "a text in two languages": (
        "title: Two", "title: {en: Two, zh: 二}",
        "course.yaml:17: title is written in one language, 'en'; its translations stand in languages/zh.po",
    ),
    "a text in two languages, of a course in one": (
        "title: A course", "languages: [en]\ntitle: {en: A course}",
        "course.yaml:2: title is written in one language, 'en'; its translations stand in languages/de.po",
    ),
    "blank text": ("title: Two", "title: ' '", "course.yaml:17: title must not be empty"),
    "no points": ("        points: 3\n", "", "course.yaml:11: exercises has no 'points'"),
    "no title": ("title: A course\n", "", "course.yaml:1: the course has no 'title'"),
    "no units": (RIGHT[RIGHT.index("units") :], "", "course.yaml:1: the course has no 'units'"),
    "empty units": (RIGHT[RIGHT.index("units") :], "units: []", "course.yaml:7: units must not be empty"),
    "no functions": ("functions: [h]", "functions: []", "course.yaml:19: functions must not be empty"),
    "an id twice": ("id: two", "id: one", "course.yaml:16: the id 'one' was already used on line 11"),
    "an id that is no name": ("id: two", "id: ../two", "course.yaml:16: the id '../two' is not a Python name"),
    "an id that is a keyword": ("id: two", "id: class", "course.yaml:16: the id 'class' is not a Python name"),
    "after a later one": ("forbid: [torch.relu]", "after: [two]", "course.yaml:15: 'after' names 'two', which is not an earlier exercise; known: none"),
    "after an unknown one": ("after: [one]", "after: [onne]", "course.yaml:20: 'after' names 'onne', which is not an earlier exercise; did you mean 'one'?"),
    "an unknown choice": ("hints", "hint", "course.yaml:2: feedback cannot be 'hint'; did you mean 'hints'?"),
    "an unknown device": ("[cpu]", "[cpu, cudda]", "course.yaml:3: devices cannot be 'cudda'; did you mean 'cuda'?"),
    "bad YAML": ("units:", "units: [", "course.yaml:"),
    "a tab": ("  call_seconds", "\tcall_seconds", "course.yaml:5: not YAML: found character '\\t' that cannot start any token; indent with spaces"),
    "a control character": ("A course", "A \x01course", "course.yaml: not YAML:"),
    "lists in lists": ("[one]", "[" * 100_000, "course.yaml: not YAML: more than 100 lists and mappings lie within each other"),
    "a list that holds itself": ("after: [one]", "after: &a [*a]", "course.yaml:20:"),
    "a list on top": (RIGHT, "- a\n- b", "course.yaml:1: the course must be a mapping"),
    "a text on top": (RIGHT, "hello", "course.yaml:1: the course must be a mapping"),
    "an empty file": (RIGHT, "", "course.yaml:1: the file is empty; it needs a title and units"),
    "only a comment": (RIGHT, "# nothing\n", "course.yaml:1: the file is empty; it needs a title and units"),
}  # fmt: skip


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_named(tmp_path, mistake):
    old, new, message = MISTAKES[mistake]
    assert RIGHT.count(old) >= 1
    with pytest.raises(CourseError) as caught:
        courses.load(write(tmp_path, RIGHT.replace(old, new, 1)))
    assert str(caught.value).startswith(message)


def test_bad_yaml_names_the_line(tmp_path):
    with pytest.raises(CourseError, match=r"course\.yaml:3: not YAML: "):
        courses.load(write(tmp_path, "title: x\nunits:\n  - ]\n"))


def test_no_utf8(tmp_path):
    (tmp_path / "course.yaml").write_bytes("title: 课".encode("gbk"))
    with pytest.raises(CourseError, match=r"course.yaml: cannot be read: it is not UTF-8; save it as UTF-8"):
        courses.load(tmp_path)


def test_no_file(tmp_path):
    with pytest.raises(CourseError, match=r"course.yaml: cannot be read"):
        courses.load(tmp_path)


def test_the_course_is_found_from_below(tmp_path):
    write(tmp_path, RIGHT)
    below = tmp_path / "exercises" / "deep"
    below.mkdir(parents=True)
    assert courses.find(below).root == tmp_path.resolve()


@pytest.fixture
def from_below(tmp_path, monkeypatch):
    """A course, with the working directory in its folder `work`."""
    write(tmp_path, RIGHT)
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path.resolve()


def test_ones_own_course_is_found_from_the_working_directory(from_below):
    assert courses.find(None).root == from_below
    assert courses.find(None, apart_from=from_below / "work").root == from_below


def test_a_course_within_what_is_graded_must_be_named(from_below):
    for graded in (from_below, from_below.parent):
        with pytest.raises(CourseError, match="lies in what is to be graded.* name yours with --course DIR"):
            courses.find(None, apart_from=graded)
    assert courses.find(from_below, apart_from=from_below).root == from_below


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away")
@pytest.mark.parametrize("name", [".", "course.yaml"])
def test_a_course_of_another_user_must_be_named(from_below, name):
    os.chown(from_below / name, 12345, 12345)
    with pytest.raises(CourseError, match=f"belongs to another user.* say --course {from_below}"):
        courses.find(None)
    assert courses.find(from_below).root == from_below


def test_no_course_anywhere(tmp_path):
    with pytest.raises(
        CourseError, match="no course.yaml in .* or above it; run grader in a course folder or use --course"
    ):
        courses.find(tmp_path)


def test_an_unknown_exercise_and_the_nearest(tmp_path):
    course = courses.load(write(tmp_path, RIGHT))
    assert course.exercise("two").id == "two"
    with pytest.raises(CourseError, match="there is no exercise 'tow'; did you mean 'two'?"):
        course.exercise("tow")
    with pytest.raises(CourseError, match="there is no exercise 'zzz'; known: one, two"):
        course.exercise("zzz")


def test_the_digest_follows_what_scores_depend_on(toy_copy):
    course = courses.load(toy_copy)
    before = course.digests()
    assert course.digests() == before
    course.stub("scale").write_text("# another stub\n")
    assert course.digests() == before, "a stub is no part of any score"
    for path in (course.suite("scale"), course.solution("pair")):
        with open(path, "a", encoding="utf-8") as file:
            file.write("\n# changed\n")
        assert course.digests() != before
        before = course.digests()


def test_the_digest_of_the_course_is_of_its_rules_and_of_nothing_else(toy_copy):
    path = toy_copy / "course.yaml"
    text = path.read_text(encoding="utf-8")
    before = courses.load(toy_copy).digests()
    for old, new in {
        "A toy course": "Another",
        "title: Basics": "title: B",
        "devices": "feedback: hints\ndevices",
    }.items():
        path.write_text(text.replace(old, new), encoding="utf-8")
        assert courses.load(toy_copy).digests() == before, "what is only shown is chosen where somebody reads"
    for old, new in {"points: 4": "points: 5", "call_seconds: 1": "call_seconds: 2", "torch.lerp": "torch.add"}.items():
        path.write_text(text.replace(old, new), encoding="utf-8")
        assert courses.load(toy_copy).digests() != before, new


def test_the_digest_needs_every_file(toy_copy):
    course = courses.load(toy_copy)
    os.unlink(course.solution("pair"))
    with pytest.raises(CourseError, match=r"solutions/pair.py: No such file.*every exercise needs this file"):
        course.digests()


PATH = (
    RIGHT
    + """\
path:
  - title: Begin
    minutes: 30
    exercises: [one]
  - title: Go on
    exercises: [two]
"""
)


def test_a_path_through_the_exercises(tmp_path):
    course = courses.load(write(tmp_path, PATH))
    assert [(u.title.key, u.minutes, [e.id for e in u.exercises]) for u in course.path] == [
        ("Begin", 30, ["one"]), ("Go on", 0, ["two"]),
    ]  # fmt: skip
    assert [e.id for e in course.steps] == [e.id for e in course.exercises]
    without = courses.load(write(tmp_path, RIGHT))
    assert without.path == without.settings.units


WRONG_PATHS = {
    "an unknown exercise": ("[two]", "[tow]", "course.yaml:26: 'path' names 'tow'; did you mean 'two'?"),
    "one twice": ("[two]", "[two, one]", "course.yaml:26: 'path' names 'one' twice"),
    "one too early": (
        "[one]\n  - title: G",
        "[two]\n  - title: G",
        "'two' before 'one', which it comes after",
    ),
    "none of a unit": (PATH[PATH.index("  - title: Go") :], "", "course.yaml:22: 'path' lacks 'two'; it names"),
}


@pytest.mark.parametrize("mistake", WRONG_PATHS)
def test_a_mistake_in_the_path_is_named(tmp_path, mistake):
    old, new, message = WRONG_PATHS[mistake]
    assert old in PATH
    with pytest.raises(CourseError) as caught:
        courses.load(write(tmp_path, PATH.replace(old, new)))
    assert message in str(caught.value)


def test_the_path_of_what_is_shipped(tmp_path):
    """Units that a copy leaves out are gone from its path too."""
    second = "  - id: second\n    title: S\n    exercises:\n      - id: two"
    text = PATH.replace("units:", "syllabus:").replace("      - id: two", second)
    course = courses.load(write(tmp_path, "units: [second]\n" + text))
    assert [(u.title.key, [e.id for e in u.exercises]) for u in course.path] == [("Go on", ["two"])]


MEANT = {
    "exercises/softmax.py": "softmax",
    ".\\exercises\\softmax.py": "softmax",
    "Softmax": "softmax",
    "mha-module": "mha_module",
    "repeat_kv": "gqa",
    "softmax_by_hand": "questions_a",
}


@pytest.mark.parametrize("said", MEANT)
def test_an_exercise_is_found_by_what_people_type(said):
    """Its file, a function of it, one of its questions, another case."""
    course = courses.load(ROOT)
    assert course.exercise(said).id == MEANT[said]
    assert course.chosen([said]) == [MEANT[said]]


def test_the_answer_sheet_stands_for_all_questions():
    course = courses.load(ROOT)
    questions = [e.id for e in course.exercises if e.kind == "questions"]
    assert course.chosen(["exercises/answers.yaml"]) == questions


@pytest.mark.parametrize("said", [".", "./exercises/", "exercises", "All"])
def test_the_folder_stands_for_all(said):
    course = courses.load(ROOT)
    assert course.chosen([said]) == [e.id for e in course.exercises]
    with pytest.raises(CourseError, match="holds several exercises; name one of them: softmax, "):
        course.exercise(said)


def test_a_stage_is_named_by_its_number_as_progress_shows_it(tmp_path):
    assert courses.load(ROOT).chosen(["1"]) == ["softmax", "soft_lookup", "softmax_inverse", "break_softmax"]
    assert courses.load(write(tmp_path, RIGHT)).chosen(["1"]) == ["one", "two"]
    with pytest.raises(CourseError, match="there is no exercise '2'"):
        courses.load(write(tmp_path, RIGHT)).chosen(["2"])


def test_what_could_be_two_is_not_guessed(tmp_path):
    course = courses.load(write(tmp_path, RIGHT.replace("functions: [h]", "functions: [g]")))
    with pytest.raises(CourseError, match="there is no exercise 'g'; known: one, two"):
        course.exercise("g")


@pytest.mark.parametrize("versions", [">=0.0.1", ">=0.0.1,<9"])
def test_a_course_may_name_the_versions_of_the_kit(tmp_path, versions):
    assert courses.load(write(tmp_path, f'kit: "{versions}"\n{RIGHT}')).settings.kit == versions


def test_a_course_for_a_newer_kit_is_refused_before_its_other_lines_are_read(tmp_path):
    with pytest.raises(CourseError) as refused:
        courses.load(write(tmp_path, f'{RIGHT}telepathy: full\nkit: ">=9"\n'))
    version = importlib.metadata.version("numeric-grader")
    line = len(RIGHT.splitlines()) + 2
    said = f"course.yaml:{line}: this course is for numeric-grader >=9, and {version} is installed"
    assert str(refused.value) == said


@pytest.mark.parametrize("said", ["new", "9", "[1]", "{a: 1}"])
def test_what_is_no_version_is_said(tmp_path, said):
    with pytest.raises(CourseError, match=r'course.yaml:1: kit names versions, such as ">=0.2,<1"'):
        courses.load(write(tmp_path, f"kit: {said}\n{RIGHT}"))
