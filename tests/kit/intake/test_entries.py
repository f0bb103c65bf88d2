"""A folder of submissions: a folder, an archive or a file for each student; nobody twice, nothing passed over."""

from __future__ import annotations

import contextlib
import tarfile
from pathlib import Path

import pytest
from handed_in import COURSE, SOURCE, folder, tree, zipped

from grader.errors import CourseError
from grader.intake import downloads
from grader.intake.entries import Entry, listing, plain


@pytest.fixture
def held():
    with contextlib.ExitStack() as stack:
        yield stack


def entries(path: Path, held: contextlib.ExitStack) -> tuple[list[Entry], list[str]]:
    return plain(listing(path, held), COURSE)


def students(path: Path, held: contextlib.ExitStack) -> list[str]:
    return [e.student for e in entries(path, held)[0]]


def test_entries_are_folders_archives_and_single_files(tmp_path, held):
    for name in ("s2", "s1", ".git", "__MACOSX"):
        (tmp_path / name).mkdir()
    zipped(tmp_path, [], "s3.zip")
    for name in ("s4.tar.gz", "s5.ipynb", "s6.py", "notes.txt", "s7.rar", ".DS_Store"):
        (tmp_path / name).touch()
    assert students(tmp_path, held) == ["s1", "s2", "s3", "s4", "s5", "s6", "s7"]
    assert entries(tmp_path, held)[1] == ["notes.txt"]


def test_who_is_called_as_nobodys_work_is_hands_in_all_the_same(tmp_path, held):
    for name, file in (
        ("env", "scale.py"),
        ("Site-Packages", "work.ipynb"),
        ("venv", "pyvenv.cfg"),
        ("__MACOSX", "._s.zip"),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / file).touch()
    assert students(tmp_path, held) == ["Site-Packages", "env"]


def test_a_folder_with_exercises_is_one_entry(tmp_path, held):
    path = folder(tmp_path, scale=SOURCE)
    (entry,) = entries(path, held)[0]
    assert (entry.student, entry.places) == ("s1", (path,))


@pytest.mark.parametrize("beside", [{"ann/scale.py": SOURCE, "bob/scale.py": SOURCE}, {"ann.zip": b"", "bob.zip": b""}])
def test_a_file_of_the_course_among_a_class_does_not_make_it_one_submission(tmp_path, held, beside):
    path = tree(tmp_path, {"scale.py": SOURCE, **beside})
    with pytest.raises(CourseError, match=r"holds scale.py, as one .* ann.* bob.* If it is a class, move scale.py"):
        entries(path, held)
    (path / "scale.py").unlink()
    tree(tmp_path, {"exercises/scale.py": SOURCE})
    with pytest.raises(CourseError, match=r"holds exercises, as one .* ann.* bob.* If it is a class, move exercises"):
        entries(path, held)
    (path / "course.yaml").touch()
    assert students(path, held) == ["s1"]  # a copy of the course


def test_an_older_version_beside_ones_own_is_no_class(tmp_path, held):
    path = tree(tmp_path, {"scale.py": SOURCE, "old/scale.py": SOURCE, "data/x.csv": b"", "more.zip": b""})
    assert students(path, held) == ["s1"]


def test_a_folder_around_a_class_is_passed_over(tmp_path, held):
    class_of = {f"{name}/scale.py": f"# {name}\n{SOURCE}" for name in ("ann", "bob")}
    tree(tmp_path, {f"hw1/hw1/{path}": text for path, text in class_of.items()})
    assert [e.student for e in downloads.read(tmp_path / "s1", COURSE, None, None, held).entries] == ["ann", "bob"]
    assert [e.student for e in downloads.read(tmp_path / "s1", COURSE, "folder", None, held).entries] == ["hw1"]


def test_sections_of_a_class_are_graded_one_at_a_time(tmp_path, held):
    path = tree(tmp_path, {f"sec{i}/{name}/scale.py": f"# {name}\n{SOURCE}" for i in (1, 2) for name in ("ann", "bob")})
    with pytest.raises(CourseError, match="sec1, sec2 hold the work of several students each"):
        entries(path, held)
    tree(tmp_path, {"cem/scale.py": SOURCE})  # one who is none
    assert students(path, held) == ["cem", "sec1", "sec2"]


def test_students_with_two_archives_each_are_no_sections(tmp_path, held):
    path = tree(tmp_path, {f"{who}/part{i}.zip": b"" for who in ("ann", "bob") for i in (1, 2)})
    assert students(path, held) == ["ann", "bob"]


def test_sections_in_archives_are_graded_one_at_a_time(tmp_path, held):
    path = tree(tmp_path, {"cem/notes.txt": ""})
    for sec, names in (("sec1", ("ann", "bob")), ("sec2", ("dan", "eva"))):
        zipped(path, [(f"{name}/scale.py", f"# {name}\n{SOURCE}") for name in names], f"{sec}.zip")
    assert students(path, held) == ["cem", "sec1", "sec2"]  # one who is none
    (path / "cem/notes.txt").unlink()
    (path / "cem").rmdir()
    with pytest.raises(CourseError, match=r"sec1.zip, sec2.zip hold the work of several students each"):
        entries(path, held)
    packed = [(sec, (path / sec).read_bytes()) for sec in ("sec1.zip", "sec2.zip")]
    with pytest.raises(CourseError, match="several students each"):
        entries(zipped(tmp_path, packed, "all.zip"), held)
    one = zipped(tmp_path, packed[:1], "one.zip")
    assert [e.student for e in downloads.read(one, COURSE, None, None, held).entries] == ["ann", "bob"]


@pytest.mark.parametrize(
    "files",
    [
        {f"submitted/{name}/core/core.ipynb": "{}" for name in ("ann", "bob")},
        {f"Submitted files/{name}/Homework/Version 1/scale.py": SOURCE for name in ("ann", "bob")},
        {f"Section 1/{name}/hw.zip": b"" for name in ("ann", "bob")},
    ],
)
def test_a_folder_around_a_class_is_passed_over_however_deep_the_work_lies(tmp_path, held, files):
    tree(tmp_path, files)
    assert [e.student for e in downloads.read(tmp_path / "s1", COURSE, None, None, held).entries] == ["ann", "bob"]


@pytest.mark.parametrize("mode", ["w", "w:gz"])
def test_a_tar_file_of_everybody(tmp_path, held, mode):
    path = tree(tmp_path, {f"{name}/scale.py": f"# {name}\n{SOURCE}" for name in ("ann", "bob")})
    with tarfile.open(tmp_path / "class.tar.gz", mode) as archive:
        archive.add(path, "class")
    found = downloads.read(tmp_path / "class.tar.gz", COURSE, None, None, held).entries
    assert [e.load(COURSE).sources["scale"].text for e in found] == [f"# {name}\n{SOURCE}" for name in ("ann", "bob")]


@pytest.mark.parametrize(
    "name", ["{who} - {file}", "{who}_{file}", "HW_{who}_attempt_2026-11-20_{file}", "Pair_{who}_{file}"]
)
def test_files_with_one_persons_name_are_one_submission(tmp_path, held, name):
    names = [name.format(who=who, file=file) for who in ("Ann Lee", "Bob") for file in ("scale.py", "pair.py")]
    path = tree(tmp_path, dict.fromkeys(names, SOURCE))
    found, _ = entries(path, held)
    start = name[: name.index("_{file}") if "_{file}" in name else name.index(" - ")]
    assert [e.student for e in found] == [start.format(who=who) for who in ("Ann Lee", "Bob")]
    assert all(set(e.load(COURSE).sources) >= {"scale", "pair"} for e in found)


@pytest.mark.parametrize("name", ["{} - scale.py", "scale_{}.py", "{}scale.py", "{} - Copy of scale.py"])
def test_one_file_of_each_has_its_person_s_name(tmp_path, held, name):
    files = {name.format(who): SOURCE for who in ("张三", "李四")}
    assert set(students(tree(tmp_path, files), held)) == {"张三", "李四"}
    files["cem.py"] = SOURCE  # then not everybody's file says what it is
    assert "cem" in students(path := tree(tmp_path, files, "s2"), held)
    assert "张三" not in students(path, held)


def test_a_copy_of_a_file_is_the_same_person_s(tmp_path, held):
    files = {"Bob - Copy of scale.py": SOURCE, "Bob - pair.py": "def pair(x): ...", "Ann - scale.py": SOURCE}
    assert students(tree(tmp_path, files), held) == ["Ann", "Bob"]


def test_one_student_with_folders_is_no_class(tmp_path, held):
    tree(tmp_path, {"ann/one/scale.py": SOURCE, "ann/two/pair.py": "def pair(x): ..."})
    assert [e.student for e in downloads.read(tmp_path / "s1", COURSE, None, None, held).entries] == ["ann"]


@pytest.mark.parametrize("files", [{"exercises/scale.py": SOURCE}, {"course.yaml": "x", "work/scale.py": SOURCE}])
def test_a_copy_of_the_course_is_one_entry(tmp_path, held, files):
    assert students(tree(tmp_path, files), held) == ["s1"]


def test_one_persons_zip_is_one_entry(tmp_path, held):
    path = zipped(tmp_path, [("work/scale.py", SOURCE), ("work/notes.txt", "")])
    (entry,) = entries(path, held)[0]
    assert (entry.student, entry.load(COURSE).sources["scale"].text) == ("s1", SOURCE)


def test_a_zip_of_everybody(tmp_path, held):
    """A folder around them all is passed over."""
    inner = zipped(tmp_path, [("scale.py", SOURCE)], "inner.zip").read_bytes()
    members = [("class/ann/scale.py", SOURCE), ("class/bob/done/scale.py", SOURCE), ("class/cem.zip", inner)]
    found, others = entries(
        zipped(tmp_path, [*members, ("class/grades.csv", ""), ("class/dan.zip", "PK")], "all.zip"), held
    )
    texts = {e.student: s.text if (s := e.load(COURSE).sources.get("scale")) else None for e in found}
    assert texts == {"ann": SOURCE, "bob": SOURCE, "cem": SOURCE, "dan": None}
    assert others == ["grades.csv"]


def test_a_single_file_is_one_entry(tmp_path, held):
    (entry,) = entries(folder(tmp_path, scale=SOURCE) / "scale.py", held)[0]
    assert entry.load(COURSE).sources["scale"].text == SOURCE


def test_two_submissions_of_one_student(tmp_path, held):
    """Grading both would leave the report of whichever came last; the others are graded all the same."""
    folder(tmp_path, scale=SOURCE)
    zipped(tmp_path, [("scale.py", SOURCE)])
    folder(tmp_path, "s2", scale=SOURCE)
    both, other = entries(tmp_path, held)[0]
    refused = both.load(COURSE).refused
    assert refused is not None
    assert refused.to("en") == "s1 and s1.zip belong to one student; keep one of them"
    assert refused.to("zh") != refused.to("en")
    assert other.load(COURSE).sources["scale"].text == SOURCE


def test_a_link_is_an_entry_that_is_refused(tmp_path, held):
    (tmp_path / "class").mkdir()
    (tmp_path / "class" / "s9").symlink_to(folder(tmp_path, scale=SOURCE))
    (entry,) = entries(tmp_path / "class", held)[0]
    refused = entry.load(COURSE).refused
    assert refused is not None
    assert (entry.student, refused.to("en")) == ("s9", "s9 is a symbolic link; hand in the file itself")


def test_nothing_to_grade(tmp_path, held):
    with pytest.raises(CourseError, match="no submissions; it should hold a folder, .zip or .ipynb for each student"):
        downloads.read(tmp_path, COURSE, None, None, held)


@pytest.mark.parametrize(
    ("name", "said"), [("missing", "is not there; name a folder"), ("a.txt", "cannot be taken for submissions; name a")]
)
def test_no_folder(tmp_path, held, name, said):
    (tmp_path / "a.txt").touch()
    with pytest.raises(CourseError) as error:
        listing(tmp_path / name, held)
    assert str(error.value).startswith(f"{tmp_path / name} {said}")


def test_a_damaged_download(tmp_path, held):
    (tmp_path / "all.zip").write_bytes(b"PK")
    with pytest.raises(CourseError) as error:
        listing(tmp_path / "all.zip", held)
    said = "all.zip cannot be unpacked (BadZipFile); make it again, as an ordinary zip"
    assert str(error.value) == f"{tmp_path / 'all.zip'}: {said}"
