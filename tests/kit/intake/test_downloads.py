"""What platforms hand out becomes entries: who, when, which files; what is not understood is named."""

from __future__ import annotations

import contextlib
import datetime
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from handed_in import COURSE, OTHER, SOURCE, tree, zipped
from platforms import PLATFORMS

from grader.errors import CourseError
from grader.intake import Entry, downloads, roster, submission

BEIJING = datetime.timezone(datetime.timedelta(hours=8))


@pytest.fixture
def held() -> Iterator[contextlib.ExitStack]:
    with contextlib.ExitStack() as stack:
        yield stack


@pytest.fixture
def read(held):
    """`read(path)` is what is found there; `people` is the text of a class list."""

    def run(path: Path, format: str | None = None, people: str | None = None) -> downloads.Reading:
        listed = None
        if people is not None:
            (path.parent / "list.csv").write_text(people, encoding="utf-8")
            listed = roster.read(path.parent / "list.csv")
        return downloads.read(path, COURSE, format, listed, held)

    return run


def work(entry: Entry) -> str | None:
    """What is found for the exercise `scale`."""
    source = entry.load(COURSE).sources.get("scale")
    return source.text if source else None


def by_student(reading: downloads.Reading) -> dict[str, Entry]:
    assert len({e.student for e in reading.entries}) == len(reading.entries)
    return {e.student: e for e in reading.entries}


def said(entry: Entry) -> str:
    return "; ".join(text.to("en") for text in (*entry.remarks, *filter(None, [entry.refused])))


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("form", ["folder", "zip"])
def test_each_platform_is_recognised(tmp_path, read, platform, form):
    path = tmp_path / "week-1-submissions"
    PLATFORMS[platform](path)
    if form == "zip":
        path = Path(shutil.make_archive(str(path), "zip", tmp_path, path.name))
    clones_in_a_zip = (platform, form) == ("github", "zip")  # without .git to know them by
    assert read(path).format == ("folder" if clones_in_a_zip else platform)


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("around", ["around", "around/twice"])
def test_a_folder_around_a_download_is_passed_over(tmp_path, read, platform, around):
    """Windows unpacks a download to a folder of its name in a folder of its name."""
    PLATFORMS[platform](tmp_path / around / "week-1-submissions")
    for roster_of_the_fixture in (tmp_path / around).glob("*.csv"):
        roster_of_the_fixture.unlink()
    found = read(tmp_path / "around")
    assert found.format == platform
    assert len(found.entries) == len(read(tmp_path / around / "week-1-submissions").entries)
    assert read(tmp_path / "around", platform).format == platform


@pytest.mark.parametrize("platform", ["canvas", "moodle", "gradescope"])
def test_a_download_may_lie_in_a_folder_still_packed(tmp_path, read, platform):
    PLATFORMS[platform](tmp_path / "class")
    (tmp_path / "downloads").mkdir()
    shutil.make_archive(str(tmp_path / "downloads" / "all"), "zip", tmp_path / "class")
    assert read(tmp_path / "downloads").format == platform


@pytest.mark.parametrize("path", ["ann/scale.py", "ann/week 1/scale.py", "ann/work.zip", "ann.zip"])
def test_one_students_folder_is_no_folder_around(tmp_path, read, path):
    data = zipped(tmp_path, [("scale.py", SOURCE)]).read_bytes() if path.endswith(".zip") else SOURCE
    found = read(tree(tmp_path, {path: data}, "class"))
    assert [(e.student, work(e)) for e in found.entries] == [("ann", SOURCE)]


def test_a_plain_folder_is_no_platforms(tmp_path, read):
    found = read(tree(tmp_path, {"ann/scale.py": SOURCE, "bob_2/scale.py": SOURCE, "notes.txt": ""}, "class"))
    assert found.format == "folder"
    assert [e.student for e in found.entries] == ["ann", "bob_2"]
    assert found.others == ("notes.txt",)
    assert not found.doubtful


@pytest.mark.parametrize("format", ["canvas", "moodle", "brightspace", "blackboard"])
def test_a_download_of_another_kind_is_told(tmp_path, read, format):
    path = tree(tmp_path, {"ann/scale.py": SOURCE, "bob/scale.py": SOURCE}, "class")
    with pytest.raises(CourseError, match=f"no name in it looks like a download of {format}"):
        read(path, format)


def test_one_clone_among_zips_is_no_class_of_clones(tmp_path, read):
    path = tree(tmp_path, {"ann/scale.py": SOURCE, "ann/.git/HEAD": "x"}, "class")
    for name in ("bob.zip", "cem.zip"):
        zipped(path, [("scale.py", SOURCE)], name)
    assert set(by_student(read(path))) == {"ann", "bob", "cem"}


# Canvas --------------------------------------------------------------------------------------------------------------


def test_canvas_of_two_attachments_the_last_counts(tmp_path, read):
    files = {
        "lovelaceada_101_9002_scale-1.py": SOURCE, "lovelaceada_101_9001_scale.py": OTHER,
        "lovelaceada_101_9003_pair.py": "p = 1\n", "turingalan_LATE_102_9004_scale.py": SOURCE,
    }  # fmt: skip
    found = by_student(read(tree(tmp_path, files, "hw")))
    assert work(found["lovelaceada_101"]) == SOURCE
    assert said(found["lovelaceada_101"]) == "1 earlier submissions; the last one counts"
    assert (
        said(found["turingalan_102"]) == "Canvas marks it late without saying by how much; give the time with --times"
    )


def test_canvas_with_hidden_names(tmp_path, read):
    files = {"anon_x7Gf2_9001_scale.py": SOURCE, "anon_LATE_81936_9002_scale.py": SOURCE, "anon_x7Gf2_9003_pair.py": ""}
    assert set(by_student(read(tree(tmp_path, files, "hw")))) == {"anon_x7Gf2", "anon_81936"}


def test_canvas_names_of_groups_and_of_any_script(tmp_path, read):
    files = {
        "team_red_11_9001_scale.py": SOURCE,
        "王伟_12_9002_scale.py": SOURCE,
        "x_13_9003_a_b_scale.py": SOURCE,
    }
    found = by_student(read(tree(tmp_path, files, "hw")))
    assert {student: work(entry) for student, entry in found.items()} == dict.fromkeys(
        ("team_red_11", "王伟_12", "x_13"), SOURCE
    )


def test_canvas_only_a_text(tmp_path, read):
    files = {"lovelaceada_101_text.html": "<p>", "turingalan_102_9001_scale.py": SOURCE, "a_103_9002_scale.py": SOURCE}
    entry = by_student(read(tree(tmp_path, files, "hw")))["lovelaceada_101"]
    assert said(entry) == "a text typed into Canvas; not read"
    refused = entry.load(COURSE).refused
    assert refused is not None
    assert refused == submission.EMPTY


def test_canvas_finds_its_people_by_id_and_by_name(tmp_path, read):
    files = {"lovelaceada_101_9001_scale.py": SOURCE, "wangwei_999_9002_scale.py": SOURCE, "x_7_9003_scale.py": SOURCE}
    people = 'Student;ID;SIS Login ID\n"Lovelace, Ada";101;ada\n"Wang, Wei";102;wei\n'
    found = by_student(read(tree(tmp_path, files, "hw"), people=people))
    assert set(found) == {"ada", "wei", "x_7"}
    assert found["ada"].person["Student"] == "Lovelace, Ada"


# Moodle --------------------------------------------------------------------------------------------------------------

WORKSHEET = "Identifier,Full name,Email address,Last modified (submission)\n"


@pytest.mark.parametrize("form", ["{0}_assignsubmission_file_/{1}", "{0}_assignsubmission_file/{1}",
                                  "{0}_assignsubmission_file_{1}"])  # fmt: skip
def test_moodle_in_folders_and_without(tmp_path, read, form):
    files = {form.format("Ada Lovelace_20001", n): t for n, t in (("scale.py", SOURCE), ("pair.py", "p = 1\n"))}
    files |= {form.format("José García_20002", "scale.py"): OTHER}
    files |= {"Ada Lovelace_20001_assignsubmission_onlinetext_/onlinetext.html": "<p>"}
    found = by_student(read(tree(tmp_path, files, "hw")))
    assert {student: work(entry) for student, entry in found.items()} == {
        "Ada Lovelace_20001": SOURCE, "José García_20002": OTHER,
    }  # fmt: skip
    assert said(found["Ada Lovelace_20001"]) == "a text typed into Moodle; not read"
    assert found["Ada Lovelace_20001"].load(COURSE).sources["pair"].text == "p = 1\n"


def test_moodle_with_hidden_names(tmp_path, read):
    files = {f"Participant_{n}_assignsubmission_file_/scale.py": SOURCE for n in (20001, 20002)}
    sheet = "Identifier,Last modified (submission)\nParticipant 20001,-\nParticipant 20002,-\nParticipant 20003,-\n"
    found = by_student(read(tree(tmp_path, files, "hw"), people=sheet))
    assert set(found) == {"Participant 20001", "Participant 20002"}


def test_moodle_times_come_from_the_worksheet(tmp_path, read):
    files = {f"N{n}_{n}_assignsubmission_file_/scale.py": SOURCE for n in (1, 2, 3)}
    sheet = WORKSHEET + 'Participant 1,N1,a@x.y,"Sunday, 1 March 2026, 11:58 PM"\n'
    sheet += 'Participant 2,N2,b@x.y,"domingo, 1 de marzo de 2026, 23:58"\nParticipant 3,N3,c@x.y,-\n'
    found = by_student(read(tree(tmp_path, files, "hw"), people=sheet))
    assert found["a@x.y"].when == datetime.datetime(2026, 3, 1, 23, 58)
    assert found["b@x.y"].when is None
    assert "domingo, 1 de marzo de 2026, 23:58, which is not a time that can be read; give it with --times" in said(
        found["b@x.y"]
    )
    assert said(found["c@x.y"]) == ""


def test_moodle_nobody_hands_in_for_another_by_a_files_name(tmp_path, read):
    files = {"Ada Lovelace_20001_assignsubmission_file_scale.py": SOURCE}
    files |= {"Eve_20004_assignsubmission_file_Ada Lovelace_20001_assignsubmission_file_scale.py": OTHER}
    found = by_student(read(tree(tmp_path, files, "hw")))
    assert {student: work(entry) for student, entry in found.items()} == {
        "Ada Lovelace_20001": SOURCE,
        "Eve_20004": OTHER,
    }


def test_moodle_nobody_hands_in_for_another_by_a_name(tmp_path, read):
    files = {
        f"Ada_20001_assignsubmission_file_{more}/scale.py": SOURCE for more in ("", " _20004_assignsubmission_file_")
    }
    found = by_student(read(tree(tmp_path, files, "hw")))
    assert set(found) == {"Ada_20001", "Ada_20001_assignsubmission_file_ _20004"}


# Gradescope ----------------------------------------------------------------------------------------------------------


def metadata(**submissions: str) -> str:
    return "\n".join(f"{key}:\n{text}" for key, text in submissions.items())


ADA = (
    "  :submitters:\n  - :name: Ada\n    :sid: '17'\n    :email: ada@x.y\n  :created_at: 2026-03-01 12:00:00.5 +08:00\n"
)
ALAN = "  :submitters:\n  - :name: Alan\n    :email: alan@x.y\n  :created_at: '2026-03-02T12:00:00+08:00'\n"


def test_gradescope_who_when_and_what(tmp_path, read):
    files = {
        "submission_metadata.yml": metadata(submission_1=ADA, submission_2=ALAN, submission_3=ADA.replace("17", "19")),
        "submission_1/scale.py": SOURCE, "submission_2/done/scale.py": OTHER, "submission_9/scale.py": "",
        "notes.txt": "",
    }  # fmt: skip
    reading = read(tree(tmp_path, files, "assignment_1_export"))
    found = by_student(reading)
    assert {student: work(entry) for student, entry in found.items()} == {"17": SOURCE, "alan@x.y": OTHER, "19": None}
    assert found["17"].when == datetime.datetime(2026, 3, 1, 12, 0, 0, 500_000, BEIJING)
    assert found["alan@x.y"].when == datetime.datetime(2026, 3, 2, 12, 0, tzinfo=BEIJING)
    assert said(found["19"]) == "nothing was handed in"
    assert reading.others == ("notes.txt", "submission_9")
    assert reading.doubtful


def test_gradescope_of_several_submissions_the_last_counts(tmp_path, read):
    later = ADA.replace("03-01", "03-02")
    files = {
        "submission_metadata.yml": metadata(submission_1=later, submission_2=ADA),
        "submission_1/scale.py": SOURCE, "submission_2/scale.py": OTHER,
    }  # fmt: skip
    (entry,) = read(tree(tmp_path, files, "export")).entries
    assert work(entry) == SOURCE
    assert said(entry) == "1 earlier submissions; the last one counts"


def test_gradescope_a_group_is_each_of_its_people(tmp_path, read):
    pair = ADA.replace("  :created_at", "  - :name: Alan\n    :sid: '18'\n    :email: alan@x.y\n  :created_at")
    files = {"submission_metadata.yml": metadata(submission_1=pair), "submission_1/scale.py": SOURCE}
    found = by_student(read(tree(tmp_path, files, "export")))
    together = SOURCE, "handed in by 2 people together"
    assert {s: (work(e), said(e)) for s, e in found.items()} == {"17": together, "18": together}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- a\n", "it should be a mapping from submission_<id> to facts"),
        ("a: [", "cannot be read"),
        ("- " * 100_000, "cannot be read: more than 100 lists and mappings lie within each other"),
    ],
)
def test_gradescope_metadata_that_is_none(tmp_path, read, text, message):
    with pytest.raises(CourseError, match=message):
        read(tree(tmp_path, {"submission_metadata.yml": text, "submission_1/scale.py": SOURCE}, "export"))


def test_gradescope_without_metadata(tmp_path, read):
    with pytest.raises(CourseError, match=r"no submission_metadata\.yml in it; a Gradescope export has one beside"):
        read(tree(tmp_path, {"submission_1/scale.py": SOURCE}, "export"), "gradescope")


def test_gradescope_metadata_runs_nothing(tmp_path, read):
    evil = "submission_1: !!python/object/apply:os.system ['touch /tmp/was_run']\n"
    with pytest.raises(CourseError, match="cannot be read"):
        read(tree(tmp_path, {"submission_metadata.yml": evil, "submission_1/scale.py": SOURCE}, "export"))


def test_gradescope_metadata_of_one_person_s_own_is_no_export(tmp_path, read):
    """Somebody who is graded alone does not choose under whose name."""
    tree(tmp_path, {"submission_metadata.yml": metadata(submission_1=ALAN), "scale.py": SOURCE}, "class/ada")
    reading = read(tmp_path / "class")
    assert (reading.format, {s: work(e) for s, e in by_student(reading).items()}) == ("folder", {"ada": SOURCE})


# GitHub --------------------------------------------------------------------------------------------------------------


def clones(tmp_path: Path, *names: str) -> Path:
    return tree(tmp_path, {f"{n}/{f}": SOURCE for n in names for f in ("scale.py", ".git/HEAD", "README.md")}, "clones")


def test_github_names_end_in_the_user(tmp_path, read):
    found = by_student(read(clones(tmp_path, "ml-2026-week-1-ada", "ml-2026-week-1-alan-t", "ml-2026-week-1-Grace")))
    assert {s: work(e) for s, e in found.items()} == dict.fromkeys(("ada", "alan-t", "grace"), SOURCE)


def test_github_a_class_list_tells_where_a_user_begins(tmp_path, read):
    people = "identifier,github_username,github_id,name\n17,1-Ada,1,Ada\n18,alan-t,2,Alan\n19,t,3,Tim\n"
    found = by_student(read(clones(tmp_path, "week-1-ada", "week-alan-t", "week-t"), people=people))
    assert set(found) == {"17", "18", "19"}


def test_github_nobody_hands_in_for_another_by_a_user_that_ends_like_theirs(tmp_path, read):
    people = "identifier,github_username\n17,ada\n18,bob\n19,t\n"
    found = by_student(
        read(clones(tmp_path, "week-1-ada", "week-1-x-ada", "week-1-bob", "week-1-alan-t"), people=people)
    )
    assert set(found) == {"17", "18", "x-ada", "alan-t"}


def test_github_the_roster_of_classroom_50(tmp_path, read):
    people = "username,first_name,last_name,email,section,github_id\nada,Ada,Lovelace,ada@x.y,A,1\n"
    (entry,) = read(clones(tmp_path, "ml-week-1-ada"), people=people).entries
    assert (entry.student, entry.person["email"]) == ("ada", "ada@x.y")


def test_github_classroom_puts_a_folder_around_them(tmp_path, read):
    inner = clones(tmp_path, "week-1-ada", "week-1-alan")
    (tmp_path / "download").mkdir()
    inner.rename(tmp_path / "download" / "week-1-submissions")
    assert set(by_student(read(tmp_path / "download"))) == {"ada", "alan"}
