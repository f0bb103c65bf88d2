"""`grader translate`: the exercise files in another language, with all that was written in them, there and back."""

from __future__ import annotations

import json
import shutil
import sys

import pytest
from support import solution

from grader.authoring import new_course

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")

QUIZ = '''
from grader.questions import Number, Written, question

@question(1, Number(2))
def share(lab):
    """Which share is it?"""
    return 0.25

@question(3, Written(("says why",)))
def essay(lab):
    """Explain it."""
'''
IN_CHINESE = {
    "Multiply a tensor by a factor.": "把张量乘以一个因子。", "Which share is it?": "它占多大的比例？",
    "Explain it.": "请解释。", "Some questions": "几个问题", "says why": "说明原因",
}  # fmt: skip
ANSWERED = """\
  share: 0.25  # I am not sure

  # mine
"""
ESSAY = """\
  essay: |
    First.

    # Second: and this is no comment
    share: no answer
"""


@pytest.fixture
def course(toy_copy, grader):
    """The toy course with an answer sheet."""
    with open(toy_copy / "course.yaml", "a", encoding="utf-8") as file:
        file.write("      - {id: quiz, title: Some questions, points: 4, kind: questions}\n")
    (toy_copy / "tests" / "hidden" / "quiz.py").write_text(QUIZ, encoding="utf-8")
    with open(toy_copy / "languages" / "zh.po", "a", encoding="utf-8") as catalogue:
        known = (toy_copy / "languages" / "zh.po").read_text(encoding="utf-8")
        for said, chinese in IN_CHINESE.items():
            if f'"{said}"' not in known:
                catalogue.write(f'\nmsgid "{said}"\nmsgstr "{chinese}"\n')
    for name in ("exercises", "solutions"):
        (toy_copy / name / "answers.yaml").touch()
    assert grader("answers", "--write", course=toy_copy)[0] == 0
    return toy_copy


@pytest.fixture
def begun(course):
    """Its folder of exercises, worked on: code, answers and remarks of one's own."""
    folder = course / "exercises"
    edit(folder / "scale.py", "raise NotImplementedError", 'said = """Multiply a tensor by a factor."""\n    return x')
    edit(folder / "answers.yaml", "  share:\n", ANSWERED)
    edit(folder / "answers.yaml", "  essay:\n", ESSAY)
    return folder


def edit(path, before, after):
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after, 1), encoding="utf-8")


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.glob("*.*")}


def test_there_and_back_nothing_is_lost(grader, course, begun):
    before = contents(begun)
    said = f"{begun} 中有 3 个文件换成了这种语言；你写的内容都保留着\n"
    assert grader("translate", "--lang", "zh", course=course) == (0, said, "")
    code, sheet = ((begun / name).read_text(encoding="utf-8") for name in ("scale.py", "answers.yaml"))
    assert code.startswith('"""把张量乘以一个因子。"""\n')
    assert 'said = """Multiply a tensor by a factor."""\n    return x' in code
    assert "  # (1) 它占多大的比例？\n" in sheet
    assert ANSWERED in sheet
    assert ESSAY in sheet
    assert "Explain" not in sheet
    assert grader("translate", "--lang", "zh", course=course)[1] == f"{begun} 中的文件已经是这种语言\n"
    assert grader("translate", "--lang", "en", course=course)[0] == 0
    assert contents(begun) == before


def test_verdicts_are_the_same_in_either(grader, course, begun):
    def verdicts():
        found = json.loads(grader("check", "--json", "--seed", 1, "--lang", "en", course=course)[1])
        return [(c["id"], c["verdict"], c["reason"]) for e in found["exercises"] for c in e["checks"]]

    english = verdicts()
    grader("translate", "--lang", "zh", course=course)
    assert verdicts() == english


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_files_of_windows(grader, course, begun, mark):
    for path in begun.glob("*.*"):
        path.write_bytes(mark + path.read_bytes().replace(b"\n", b"\r\n"))
    before = contents(begun)
    grader("translate", "--lang", "zh", course=course)
    after = contents(begun)
    assert all(content.count(b"\n") == content.count(b"\r\n") for content in after.values())
    assert all(content.startswith(mark) for content in after.values())
    assert "它占多大的比例？" in after["answers.yaml"].decode()
    grader("translate", "--lang", "en", course=course)
    assert contents(begun) == before


def test_what_cannot_be_translated_is_named_and_left_alone(grader, course, begun):
    (begun / "scale.py").write_text("def (", encoding="utf-8")
    (begun / "answers.yaml").write_bytes("quiz:\n  share: 0.25 # 四分之一\n".encode("gb18030"))
    before = contents(begun)
    code, out, err = grader("translate", "--lang", "zh", course=course)
    assert (code, err) == (1, "")
    first, second, last = out.splitlines()
    assert first.startswith(f"{begun / 'scale.py'}：保持原样，因为它还不是可用的 Python 代码：")
    assert second.startswith(f"{begun / 'answers.yaml'}：保持原样，因为无法读取：")
    assert last.startswith(f"{begun} 中有 1 个文件换成了这种语言")
    after = contents(begun)
    assert {name for name in before if before[name] != after[name]} == {"pair.py"}


def test_a_sheet_that_was_rearranged(grader, course, begun):
    """Only the kit's own comments change; what is not as it wrote it stays, whatever it is."""
    edit(begun / "answers.yaml", "  share: 0.25", "  share: [0.25")
    edit(begun / "answers.yaml", "(3) Explain it.", "(3) Explain it, please.")
    grader("translate", "--lang", "zh", course=course)
    sheet = (begun / "answers.yaml").read_text(encoding="utf-8")
    assert "  # (1) 它占多大的比例？\n" in sheet
    assert "  share: [0.25  # I am not sure\n" in sheet
    assert "(3) Explain it, please." in sheet
    assert ESSAY in sheet


def test_a_course_without_questions(grader, toy_copy):
    before = contents(toy_copy / "exercises")
    assert grader("translate", "--lang", "zh", course=toy_copy)[0] == 0
    assert contents(toy_copy / "exercises") != before
    grader("translate", "--lang", "en", course=toy_copy)
    assert contents(toy_copy / "exercises") == before


def test_a_course_without_translations(grader, tmp_path):
    course = tmp_path / "spread"
    new_course.write(course, new_course.files("Spread"))
    before = (course / "exercises" / "spread.py").read_bytes()
    assert grader("translate", "--lang", "zh", course=course)[0] == 0
    assert (course / "exercises" / "spread.py").read_bytes() == before
    assert "--lang: invalid choice: 'fr'" in grader("translate", "--lang", "fr", course=course)[2]


def test_a_copy_of_a_student(grader, course, tmp_path):
    copies = {lang: tmp_path / lang for lang in ("en", "zh")}
    for lang, copy in copies.items():
        code, _, err = grader("release", "--format", "kit", "--to", copy, "--lang", lang, course=course)
        assert (code, err) == (0, "")
    english, chinese = (contents(copy / "exercises") for copy in copies.values())
    assert chinese["scale.py"].decode().startswith('"""把张量乘以一个因子。"""\n')
    assert "它占多大的比例？" in chinese["answers.yaml"].decode()
    assert grader("translate", "--lang", "zh", course=copies["en"])[0] == 0
    assert contents(copies["en"] / "exercises") == chinese
    assert grader("translate", "--lang", "en", course=copies["zh"])[0] == 0
    assert contents(copies["zh"] / "exercises") == english


def test_an_untouched_stub_in_chinese_is_no_work(grader, course, tmp_path):
    grader("release", "--format", "kit", "--to", tmp_path / "kit", "--lang", "zh", course=course)
    hand_in = tmp_path / "class" / "ann"
    shutil.copytree(tmp_path / "kit" / "exercises", hand_in)
    (hand_in / "scale (1).py").write_text(solution("scale"), encoding="utf-8")
    code, out, err = grader("check", "--dir", hand_in, course=course)
    assert (code, err) == (1, "")
    assert "✔ scale              4 / 4" in out
    assert "· pair               0 / 2    Two results at once" in out
