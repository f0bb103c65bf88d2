"""What one person handed in becomes one submission; every refusal tells the student what to change."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import msgspec
import pytest
from handed_in import COURSE, OTHER, SOURCE, STUB, folder, read, tree, whole_refusal, zipped
from support import solution

from grader.intake.sources import MAX_NAMED, Source, Submission, listed
from grader.intake.submission import load, load_as
from grader.intake.tree import printable, student_id


def test_a_folder(tmp_path):
    found = read(folder(tmp_path, scale=SOURCE, other="ignored"))
    assert (found.student, found.refused, found.ignored) == ("s1", None, ("other.py",))
    assert found.sources == {"scale": Source(SOURCE), "pair": Source()}


def test_a_single_file(tmp_path):
    found = read(folder(tmp_path, scale=SOURCE) / "scale.py")
    assert (found.student, found.sources["scale"]) == ("scale", Source(SOURCE))


def test_a_file_of_any_name_is_read_as_what_it_is_said_to_be(tmp_path):
    other = folder(tmp_path, scale="s = 1\n", pair="p = 1\n").joinpath("我的 作业.txt")
    other.write_text(SOURCE, encoding="utf-8")
    found = load_as(other, COURSE, "scale")
    assert (found.student, found.refused, dict(found.sources)) == ("我的 作业", None, {"scale": Source(SOURCE)})


def test_the_current_folder_has_its_own_name(tmp_path, monkeypatch):
    monkeypatch.chdir(folder(tmp_path, scale=SOURCE))
    assert read(Path(".")).student == "s1"


def test_only_what_is_asked_for_is_looked_for(tmp_path):
    path = folder(tmp_path, scale=SOURCE, pair="p = 1\n")
    found = load(path, COURSE, ["pair"])
    assert (dict(found.sources), found.ignored) == ({"pair": Source("p = 1\n")}, ("scale.py",))


def test_what_is_asked_for_is_missing_where_other_exercises_are(tmp_path):
    found = load(folder(tmp_path, scale=SOURCE), COURSE, ["pair"])
    assert (found.refused, dict(found.sources), found.ignored) == (None, {"pair": Source()}, ("scale.py",))


def test_a_folder_that_is_not_there(tmp_path):
    assert whole_refusal(tmp_path / "gone") == "gone cannot be read (No such file or directory)"


def test_one_bad_file_does_not_refuse_the_others(tmp_path):
    found = read(folder(tmp_path, scale=b"\0", pair="p = 1\n"))
    assert found.refused is None
    assert found.sources["pair"].text == "p = 1\n"


def test_files_that_nothing_reads_are_named(tmp_path):
    path = folder(tmp_path, scale=SOURCE, torch="x = 1\n")
    for name in ("scale (1).py", "answers.yaml", ".DS_Store", "__pycache__", "a\x1b[31m.py"):
        (path / name).touch()
    assert read(path).ignored == ("a[31m.py", "answers.yaml", "scale (1).py", "torch.py")
    members = [("s1/scale.py", SOURCE), ("s1/scale (1).py", ""), ("__MACOSX/._scale.py", "")]
    assert read(zipped(tmp_path, members)).ignored == ("s1/scale (1).py",)


def test_only_some_of_many_files_are_named_in_a_sentence(tmp_path):
    found = read(folder(tmp_path, scale=SOURCE, **{f"extra{n}": "" for n in range(20)}))
    assert len(found.ignored) == 20
    assert listed(found.ignored).endswith(f", +{20 - MAX_NAMED}")


def test_an_empty_folder(tmp_path):
    said = "there is no file in it, not counting hidden ones (.ipynb_checkpoints); hand in the files that you wrote"
    assert whole_refusal(folder(tmp_path)) == said


def test_nothing_that_fits(tmp_path):
    """What was found and what was expected, side by side."""
    assert whole_refusal(tree(tmp_path, {"notes.docx": "x", "work/Main.java": "x"})) == (
        "none of its files is one of the course's: notes.docx, work/Main.java; they should be called scale.py, pair.py"
    )


def test_nothing_that_fits_and_a_damaged_archive(tmp_path):
    assert whole_refusal(tree(tmp_path, {"notes.docx": "x", "work.zip": "x"})) == (
        "none of its files is one of the course's: notes.docx, work.zip; they should be called scale.py, pair.py "
        "(work.zip cannot be unpacked (BadZipFile); make it again, as an ordinary zip)"
    )


def test_there_and_back(tmp_path):
    """As it travels to a grading process."""
    found = read(folder(tmp_path, scale=SOURCE, pair=b"\0"))
    assert msgspec.convert(json.loads(json.dumps(msgspec.to_builtins(found))), Submission) == found
    refused = read(tmp_path / "none.zip")
    assert msgspec.convert(json.loads(json.dumps(msgspec.to_builtins(refused))), Submission) == refused


def test_the_fingerprint_follows_sources_and_context():
    first = Submission("s1", {"scale": Source("a")})
    assert first.fingerprint({"course": "c"}) == Submission("s1", {"scale": Source("a")}).fingerprint({"course": "c"})
    others = [
        Submission("s1", {"scale": Source("b")}).fingerprint({"course": "c"}),
        Submission("s1", {"scale": Source()}).fingerprint({"course": "c"}),
        Submission("s1", {"scale": Source("a"), "pair": Source("a")}).fingerprint({"course": "c"}),
        Submission("s2", {"scale": Source("a")}).fingerprint({"course": "c"}),
        dataclasses.replace(first, ignored=("x.py",)).fingerprint({"course": "c"}),
        first.fingerprint({"course": "d"}),
    ]
    assert len({first.fingerprint({"course": "c"}), *others}) == 7


@pytest.mark.parametrize(
    ("name", "student"),
    [("ada.zip", "ada"), ("ada.tar.gz", "ada"), ("ada.tgz", "ada"), ("ada.love.zip", "ada.love"), ("ada", "ada"),
     ("a\u202eb.zip", r"a\u202eb")],
)  # fmt: skip
def test_who_handed_it_in(name, student):
    assert student_id(Path(name)) == student


def test_what_would_not_print_is_escaped():
    assert printable("a\x1b\n\udcff名") == r"a\x1b\n\udcff名"


# whatever the layout --------------------------------------------------------------------------------------------------

RIGHT, PAIR = solution("scale"), solution("pair")
KIT = {
    "course.yaml": "x", "class.yaml": "hide: []", "README.md": "x", "answers.md": "x",
    "exercises/scale.py": RIGHT, "exercises/pair.py": PAIR,
    "grader/scale.py": "x", "docs/scale.py": "x", "hints/scale.py": "x",
}  # fmt: skip
LAYOUTS = {
    "the files alone": {"scale.py": RIGHT, "pair.py": PAIR},
    "a folder exercises": {"exercises/scale.py": RIGHT, "exercises/pair.py": PAIR},
    "the students' kit": KIT,
    "the students' kit in a folder": {f"attention-kit-main/{name}": data for name, data in KIT.items()},
    "work beside the untouched stubs": {**KIT, "exercises/scale.py": STUB, "scale.py": RIGHT},
    "a clone": {**KIT, ".git/config": "x", ".github/workflows/grade.yml": "x", ".gitignore": "x", "LICENSE": "x"},
    "with tests of one's own": {"scale.py": RIGHT, "pair.py": PAIR, "test_scale.py": "x", "tests/scale.py": "x"},
    "spread over folders": {"week 1/scale.py": RIGHT, "week 2/pair.py": PAIR},
    "names of a second download": {"scale (1).py": RIGHT, "pair(2).py": PAIR},
    "names as Canvas makes them": {"scale-1.py": RIGHT, "pair-12.py": PAIR},
    "names as macOS copies them": {"scale copy.py": RIGHT, "pair copy 2.py": PAIR},
    "names as Windows copies them": {"scale - Copy.py": RIGHT, "pair - 副本.py": PAIR},
    "names in capitals": {"Scale.py": RIGHT, "PAIR.PY": PAIR},
    "names with a second ending": {"scale.py.txt": RIGHT, "pair.py.py": PAIR},
    "names with words of one's own": {"scale_final.py": RIGHT, "ada_pair.py": PAIR},
    "names that say nothing": {"task1.py": RIGHT, "untitled.py": PAIR},
    "the same file twice": {"scale.py": RIGHT, "backup/scale.py": RIGHT, "pair.py": PAIR},
    "with line ends of Windows": {"scale.py": RIGHT.replace("\n", "\r\n"), "pair.py": PAIR.replace("\n", "\r\n")},
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("form", ["folder", "zip", "zip in a folder", "zip in a zip"])
def test_the_work_is_found_whatever_the_layout(tmp_path, layout, form):
    files = LAYOUTS[layout]
    if form == "folder":
        path = tree(tmp_path, files)
    else:
        path = zipped(tmp_path, list(files.items()))
        if form == "zip in a folder":
            path = tree(tmp_path, {"work.zip": path.read_bytes()}, "s2")
        elif form == "zip in a zip":
            path = zipped(tmp_path, [("work.zip", path.read_bytes())], "s2.zip")
    found = read(path)
    texts = {source: (s.text or "").replace("\r\n", "\n") for source, s in found.sources.items()}
    assert texts == {"scale": RIGHT, "pair": PAIR}, found


def test_where_the_work_was_found_is_said(tmp_path):
    found = read(tree(tmp_path, {"week 1/scale (1).py": SOURCE, "pair.py": "p = 1\n"}))
    assert found.sources["scale"].path == "week 1/scale (1).py"
    assert found.sources["pair"].path == ""


def test_of_two_that_fit_neither_counts_and_both_are_named(tmp_path):
    found = read(tree(tmp_path, {"scale.py": SOURCE, "old/scale.py": OTHER, "pair.py": "p = 1\n"}))
    refused = found.sources["scale"].refused
    assert refused is not None
    assert refused.to("en") == "scale.py and old/scale.py could both be scale.py; hand in one file of that name"
    assert found.sources["pair"].text == "p = 1\n"
    assert found.ignored == (), "they are no files of another kind"


# what could not be used is said, and why ------------------------------------------------------------------------------


def said(found: Submission, source: str) -> str:
    refused = found.sources[source].refused
    assert refused is not None
    assert refused.to("zh") != refused.to("en")
    return refused.to("en")


@pytest.mark.parametrize(
    "name", ["scale.docx", "scale (1).pdf", "work/scale.png", "scale.html", "scale_final.rtf", "scale"]
)
def test_a_file_of_another_kind_under_the_exercises_name_is_named(tmp_path, name):
    found = read(tree(tmp_path, {name: b"\0", "pair.py": PAIR}))
    wanted = f"scale.py is missing ({name} is there, but that kind of file is not read: hand the work in as scale.py)"
    assert said(found, "scale") == wanted
    assert found.ignored == (name,)


def test_a_stub_does_not_hide_a_file_of_another_kind(tmp_path):
    stub = (COURSE.root / "exercises/scale.py").read_bytes()
    found = read(tree(tmp_path, {"scale.py": stub, "scale.docx": b"PK", "pair.py": PAIR}))
    assert said(found, "scale") == (
        "scale.py is as it was given out (scale.docx is there, but that kind of file is not read: hand the work in as "
        "scale.py)"
    )
    assert read(tree(tmp_path, {"scale.py": SOURCE}, "s2")).sources["scale"].text == SOURCE


@pytest.mark.parametrize(
    ("data", "kind"),
    [(b"{\\rtf1\\ansi half: 1/2}", "formatted text (RTF)"), (b"PK\3\4", "a zip or a document of an office program")],
)
def test_a_document_is_no_answer_sheet_whatever_it_is_called(tmp_path, data, kind):
    found = load(tree(tmp_path, {"answers.yaml": data, "pair.py": PAIR}), COURSE, ["answers", "pair"])
    wanted = f"answers.yaml is {kind}, whatever it is called; hand in the work itself, saved as plain text"
    assert said(found, "answers") == wanted


def test_files_of_another_kind_alone_are_named_with_what_to_do(tmp_path):
    found = read(tree(tmp_path, {"scale.docx": b"PK", "notes.docx": b"PK"}))
    wanted = (
        "scale.py is missing (scale.docx is there, but that kind of file is not read: hand the work in as scale.py)"
    )
    assert found.refused is not None
    assert found.refused.to("en") == wanted
    assert found.ignored == ("notes.docx", "scale.docx")


def test_where_nothing_can_be_used_the_submission_is_refused(tmp_path):
    found = read(tree(tmp_path, {"scale.py": b"# \xff\n"}))
    assert found.refused is not None
    assert found.refused.to("en") == "scale.py is not valid utf-8; save it as UTF-8"
    assert found.sources["pair"] == Source(), "that it is missing is not its fault"
    beside = read(tree(tmp_path, {"scale.py": b"# \xff\n", "pair.py": PAIR}, "s2"))
    assert beside.refused is None
    assert said(beside, "scale") == "scale.py is not valid utf-8; save it as UTF-8"


@pytest.mark.parametrize("beside", [{"pair.py": PAIR}, {"pair.py": PAIR, "scale.py": STUB}])
@pytest.mark.parametrize(
    ("name", "why"),
    [("rest.zip", "rest.zip cannot be unpacked (BadZipFile); make it again, as an ordinary zip"),
     ("rest.ipynb", "rest.ipynb is not a notebook: it is not JSON (1:1); hand in a copy that Jupyter opens")],
)  # fmt: skip
def test_why_a_file_could_not_be_read_is_said_beside_what_counts(tmp_path, name, why, beside):
    found = read(tree(tmp_path, {**beside, name: b"PK"}))
    assert {n: text.to("en") for n, text in found.troubles.items()} == {name: why}
    assert found.ignored == (name,)
    assert found.sources["pair"].text == PAIR
    if "scale.py" not in beside:
        assert said(found, "scale") == f"scale.py is missing ({why})"


def test_what_is_refused_still_names_the_other_files(tmp_path):
    found = read(tree(tmp_path, {"scale.py": b"# \xff\n", "rest.rar": b"Rar!", "notes.txt": b"", "timestamp.txt": b""}))
    reason = found.reason()
    assert reason is not None
    assert reason.to("en") == (
        "scale.py is not valid utf-8; save it as UTF-8; rest.rar is not a zip; pack your files again, as an ordinary "
        "zip; ignored, since only the exercises' files are read: notes.txt"
    )
    assert reason.to("zh") != reason.to("en")
    assert read(tree(tmp_path, {"scale.py": SOURCE}, "s2")).reason() is None
