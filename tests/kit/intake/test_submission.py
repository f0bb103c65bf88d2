"""A folder or zip is read once and strictly; every refusal tells the student what to change."""

from __future__ import annotations

import codecs
import json
import os
import stat
import zipfile
from pathlib import Path

import pytest

from grader.errors import CourseError
from grader.intake import files
from grader.intake.submission import Source, Submission, entries, load, load_entry, strays

IDS = ["scale", "pair"]
KB = 64
SOURCE = "def scale(x):\n    return x\n"


def folder(tmp_path: Path, **files: bytes | str) -> Path:
    path = tmp_path / "s1"
    path.mkdir()
    for name, data in files.items():
        (path / f"{name}.py").write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def scale_of(path: Path) -> Source:
    return load(path, IDS, KB).sources["scale"]


def refusal(path: Path) -> str:
    source = scale_of(path)
    assert source.text is None
    assert source.refused is not None
    assert source.refused.zh != source.refused.en
    return source.refused.en


def test_a_folder(tmp_path):
    found = load(folder(tmp_path, scale=SOURCE, other="ignored"), IDS, KB)
    assert (found.student, found.refused) == ("s1", None)
    assert found.sources == {"scale": Source(SOURCE), "pair": Source()}


def test_the_current_folder_has_its_own_name(tmp_path, monkeypatch):
    monkeypatch.chdir(folder(tmp_path, scale=SOURCE))
    assert load(Path("."), IDS, KB).student == "s1"


TAKEN = {
    "UTF-8": "# 双语\n".encode(),
    "UTF-8 with a BOM": codecs.BOM_UTF8 + "# 双语\n".encode(),
    "CRLF": "# 双语\r\nx = 1\r\n".encode(),
    "a coding line": "# -*- coding: utf-8 -*-\n# 双语\n".encode(),
    "vim's coding line": b"#!/usr/bin/python\n# vim: set fileencoding=UTF8 :\n",
    "GBK": "# coding: gbk\n# 双语\n".encode("gbk"),
    "GB2312 on line 2": "#\n# coding=GB2312\n# 双语\n".encode("gb2312"),
    "GB18030": "# coding: gb18030\n# 双语 🙂\n".encode("gb18030"),
    "Latin-1": "# coding: iso_8859-1\n# é\n".encode("latin-1"),
    "ASCII": b"# coding: us-ascii\n",
    "a coding line too late": b"#\n#\n# coding: utf-7\n",
    "tabs and form feeds": b"def f():\n\tpass\n\x0c\n",
    "empty": b"",
}


@pytest.mark.parametrize("case", TAKEN)
def test_encodings_that_are_taken(tmp_path, case):
    text = scale_of(folder(tmp_path, scale=TAKEN[case])).text
    assert text is not None
    assert not text.startswith("\ufeff")
    if "双语".encode() in TAKEN[case] or "GB" in case:
        assert "双语" in text


REFUSED = {
    "UTF-7": (b"# coding: utf-7\n+AGEAYgBj-\n", "scale.py declares the encoding utf-7; save it as UTF-8"),
    "UTF-7 on line 2": (b"#!x\n# coding=utf_7\n", "scale.py declares the encoding utf_7"),
    "an unknown codec": (b"# coding: rot13\n", "scale.py declares the encoding rot13"),
    "a long codec": (b"# coding: " + b"z" * 500 + b"\n", "scale.py declares the encoding " + "z" * 40 + ";"),
    "not UTF-8": ("# 双语\n".encode("gbk"), "scale.py is not valid utf-8; save it as UTF-8"),
    "not what it declares": ("# coding: ascii\n# 双语\n".encode(), "scale.py is not valid ascii"),
    "a lone surrogate": (b"# \xed\xa0\x80\n", "scale.py is not valid utf-8"),
    "UTF-16": ("x = 1\n".encode("utf-16"), "scale.py"),
    "null bytes": (b"x = 1\0\n", "scale.py contains null bytes; is it a Python file?"),
    "too large": (b"#" * (KB * 1024 + 1), "scale.py is larger than 64 KB"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_encodings_and_sizes_that_are_refused(tmp_path, case):
    data, message = REFUSED[case]
    assert refusal(folder(tmp_path, scale=data)).startswith(message)


def test_exactly_as_large_as_allowed(tmp_path):
    assert scale_of(folder(tmp_path, scale=b"#" * (KB * 1024))).text is not None


def test_one_bad_file_does_not_refuse_the_others(tmp_path):
    found = load(folder(tmp_path, scale=b"\0", pair="p = 1\n"), IDS, KB)
    assert found.refused is None
    assert found.sources["pair"].text == "p = 1\n"


def test_a_link_to_a_file(tmp_path):
    secret = tmp_path / "secret.py"
    secret.write_text("secret = 1\n")
    path = folder(tmp_path)
    (path / "scale.py").symlink_to(secret)
    assert refusal(path) == "scale.py is a symbolic link; hand in the file itself"


def test_a_dangling_link(tmp_path):
    path = folder(tmp_path)
    (path / "scale.py").symlink_to("nowhere")
    assert refusal(path) == "scale.py is a symbolic link; hand in the file itself"


def test_a_link_to_a_folder(tmp_path):
    other = folder(tmp_path, scale=SOURCE)
    link = tmp_path / "s2"
    link.symlink_to(other)
    found = load(link, IDS, KB)
    assert found.student == "s2", "a link must not pass for the student it points to"
    assert found.refused is not None
    assert found.refused.en == "s2 is a symbolic link; hand in the file itself"


def test_a_hard_link(tmp_path):
    """It could be another student's file."""
    path = folder(tmp_path, other=SOURCE)
    os.link(path / "other.py", path / "scale.py")
    assert refusal(path) == "scale.py is a hard link to another file; hand in a copy"


def test_a_pipe_does_not_block(tmp_path):
    path = folder(tmp_path)
    os.mkfifo(path / "scale.py")
    assert refusal(path) == "scale.py is not a regular file"


def test_a_folder_named_like_a_file(tmp_path):
    path = folder(tmp_path)
    (path / "scale.py").mkdir()
    assert refusal(path) == "scale.py is not a regular file"


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_file_without_permission(tmp_path):
    path = folder(tmp_path, scale=SOURCE)
    (path / "scale.py").chmod(0)
    assert refusal(path) == "scale.py cannot be read (Permission denied)"


def test_a_file_that_fails_to_open(tmp_path, monkeypatch):
    def fail(*_):
        raise OSError(5, "Input/output error")

    path = folder(tmp_path, scale=SOURCE)
    monkeypatch.setattr(files.os, "open", fail)
    assert refusal(path) == "scale.py cannot be read (Input/output error)"


def zipped(tmp_path: Path, members: list[tuple[str | zipfile.ZipInfo, bytes | str]], name: str = "s1.zip") -> Path:
    path = tmp_path / name
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, data in members:
            archive.writestr(member, data)
    return path


@pytest.mark.parametrize("inside", ["scale.py", "s1/scale.py", "any folder/scale.py"])
def test_a_zip(tmp_path, inside):
    found = load(zipped(tmp_path, [(inside, SOURCE), ("__MACOSX/._scale.py", b"\0")]), IDS, KB)
    assert (found.student, found.refused) == ("s1", None)
    assert found.sources == {"scale": Source(SOURCE), "pair": Source()}


def test_a_zip_with_an_ending_in_capitals(tmp_path):
    assert load(zipped(tmp_path, [("scale.py", SOURCE)], "s1.ZIP"), IDS, KB).sources["scale"].text == SOURCE


@pytest.mark.parametrize("inside", ["a/b/scale.py", "../scale.py/x", "notscale.py", "__MACOSX/scale.py", "scale.py/"])
def test_other_places_in_a_zip_do_not_count(tmp_path, inside):
    assert load(zipped(tmp_path, [(inside, SOURCE)]), IDS, KB).sources["scale"] == Source()


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("names", [("scale.py", "scale.py"), ("a/scale.py", "b/scale.py"), ("scale.py", "a/scale.py")])
def test_a_file_twice_in_a_zip(tmp_path, names):
    assert refusal(zipped(tmp_path, [(n, SOURCE) for n in names])) == "scale.py is in the zip more than once"


def test_a_zip_bomb(tmp_path):
    path = zipped(tmp_path, [("scale.py", bytes(64 << 20))])
    assert path.stat().st_size < 1 << 20
    assert refusal(path) == "scale.py is larger than 64 KB"


def test_a_link_in_a_zip(tmp_path):
    info = zipfile.ZipInfo("scale.py")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    assert refusal(zipped(tmp_path, [(info, "/etc/passwd")])) == "scale.py is a symbolic link; hand in the file itself"


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_an_unusual_compression(tmp_path, method):
    with zipfile.ZipFile(tmp_path / "s1.zip", "w", method) as archive:
        archive.writestr("scale.py", SOURCE)
    assert refusal(tmp_path / "s1.zip") == "scale.py is compressed in an unusual way; use an ordinary zip"


def test_files_that_nothing_reads_are_named(tmp_path):
    """`scale (1).py` is what a browser makes of a second download."""
    path = folder(tmp_path, scale=SOURCE, torch="x = 1\n")
    for name in ("scale (1).py", "answers.yaml", ".DS_Store", "__pycache__", "a\x1b[31m.py"):
        (path / name).touch()
    assert load(path, IDS, KB).ignored == ("a[31m.py", "scale (1).py", "torch.py")
    members = [("s1/scale.py", SOURCE), ("s1/scale (1).py", ""), ("__MACOSX/._scale.py", ""), ("s1/answers.yaml", "")]
    assert load(zipped(tmp_path, members), IDS, KB).ignored == ("scale (1).py",)


def test_only_some_of_the_files_that_nothing_reads_are_named(tmp_path):
    path = folder(tmp_path, **{f"extra{n}": "" for n in range(20)})
    found = load(path, IDS, KB).ignored
    assert (len(found), found[-1]) == (9, "+12")


def test_an_encrypted_zip(tmp_path):
    path = zipped(tmp_path, [("scale.py", SOURCE)])
    data = bytearray(path.read_bytes())
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + at] |= 1
    path.write_bytes(data)
    assert refusal(path) == "scale.py is encrypted"


def whole_refusal(path: Path) -> str:
    found = load(path, IDS, KB)
    assert found.sources == {}
    assert found.refused is not None
    return found.refused.en


@pytest.mark.parametrize("data", [b"", b"no zip", b"PK\x03\x04" + bytes(100), b"PK\x05\x06" + b"\xff" * 18])
def test_no_zip_at_all(tmp_path, data):
    path = tmp_path / "s1.zip"
    path.write_bytes(data)
    assert whole_refusal(path) == "s1.zip is no readable zip file (BadZipFile)"


def test_a_zip_that_is_a_folder(tmp_path):
    (tmp_path / "s1.zip").mkdir()
    assert whole_refusal(tmp_path / "s1.zip") == "s1.zip is not a regular file"


def test_a_zip_that_is_a_link(tmp_path):
    real = zipped(tmp_path, [("scale.py", SOURCE)], "real.zip")
    (tmp_path / "s1.zip").symlink_to(real)
    assert whole_refusal(tmp_path / "s1.zip") == "s1.zip is not a regular file"


def test_a_zip_with_too_many_files(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "MAX_ENTRIES", 3)
    path = zipped(tmp_path, [(f"{n}.txt", "") for n in range(4)])
    assert whole_refusal(path) == "more than 3 files"


def test_a_zip_that_is_too_large(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "MAX_ZIP_BYTES", 2048)
    path = zipped(tmp_path, [("scale.py", os.urandom(4096))])
    assert whole_refusal(path) == "s1.zip is larger than 2 KB"


def test_a_damaged_stream(tmp_path):
    path = zipped(tmp_path, [("scale.py", os.urandom(2000).hex())])
    data = bytearray(path.read_bytes())
    data[60:160] = b"\xff" * 100
    path.write_bytes(data)
    assert refusal(path).startswith("scale.py cannot be read (")


def test_no_damage_escapes(tmp_path):
    """Whatever byte of a zip is changed, reading it ends in a text, a refusal or a missing file."""
    good = zipped(tmp_path, [("scale.py", SOURCE * 20)]).read_bytes()
    path = tmp_path / "s2.zip"
    for at in range(len(good)):
        for value in (0, 0xFF):
            path.write_bytes(good[:at] + bytes([value]) + good[at + 1 :])
            assert load(path, IDS, KB).student == "s2"


def test_json_and_back(tmp_path):
    found = load(folder(tmp_path, scale=SOURCE, pair=b"\0"), IDS, KB)
    assert Submission.from_json(json.loads(json.dumps(found.to_json()))) == found
    refused = load(tmp_path / "none.zip", IDS, KB)
    assert Submission.from_json(json.loads(json.dumps(refused.to_json()))) == refused


def test_the_fingerprint_follows_sources_and_context():
    first = Submission("s1", {"scale": Source("a")})
    assert first.fingerprint({"course": "c"}) == Submission("s1", {"scale": Source("a")}).fingerprint({"course": "c"})
    others = [
        Submission("s1", {"scale": Source("b")}).fingerprint({"course": "c"}),
        Submission("s1", {"scale": Source()}).fingerprint({"course": "c"}),
        Submission("s1", {"scale": Source("a"), "pair": Source("a")}).fingerprint({"course": "c"}),
        Submission("s2", {"scale": Source("a")}).fingerprint({"course": "c"}),
        first.fingerprint({"course": "d"}),
    ]
    assert len({first.fingerprint({"course": "c"}), *others}) == 6


def test_entries_are_folders_and_zips(tmp_path):
    for name in ("s2", "s1", ".git", "__MACOSX"):
        (tmp_path / name).mkdir()
    zipped(tmp_path, [], "s3.zip")
    (tmp_path / "notes.txt").touch()
    assert [p.name for p in entries(tmp_path, IDS)] == ["s1", "s2", "s3.zip"]


def test_a_folder_with_exercises_is_one_entry(tmp_path):
    path = folder(tmp_path, scale=SOURCE)
    assert entries(path, IDS) == [path]


def test_nothing_to_grade(tmp_path):
    with pytest.raises(CourseError, match="no submissions; it should hold a folder, .zip or .ipynb for each student"):
        entries(tmp_path, IDS)


@pytest.mark.parametrize("name", ["missing", "a file"])
def test_no_folder(tmp_path, name):
    (tmp_path / "a file").touch()
    with pytest.raises(CourseError, match="cannot be listed"):
        entries(tmp_path / name, IDS)


def test_two_hand_ins_of_one_student(tmp_path):
    """Grading both would leave the report of whichever came last; the others are graded all the same."""
    folder(tmp_path, scale=SOURCE)
    zipped(tmp_path, [("scale.py", SOURCE)])
    (entry,) = entries(tmp_path, IDS)
    refused = load_entry(entry, IDS, 256).refused
    assert refused is not None
    assert refused.en == "s1 and s1.zip are of one student; keep one of them"


def test_what_is_no_hand_in_is_named(tmp_path):
    folder(tmp_path, scale=SOURCE)
    (tmp_path / "s2.rar").touch()
    assert strays(tmp_path, entries(tmp_path, IDS)) == ["s2.rar"]
