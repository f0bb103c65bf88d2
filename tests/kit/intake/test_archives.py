"""Zips and tar files are looked through in memory, with bounds; a damaged one is named, whatever else there is."""

from __future__ import annotations

import gzip
import io
import os
import stat
import tarfile
import zipfile
from pathlib import Path

import pytest
from handed_in import OTHER, SOURCE, folder, read, refusal, scale_of, tree, whole_refusal, zipped

from grader.intake import Source, archives

BAD = "s1.zip cannot be unpacked (BadZipFile); make it again, as an ordinary zip"


def packed(*members: tuple[str, bytes | str]) -> bytes:
    """A zip as bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return out.getvalue()


def tarred(path: Path, **files: str) -> Path:
    """A tar file, compressed unless its name ends in .tar."""
    with tarfile.open(path, "w" if path.name.endswith(".tar") else "w:gz") as archive:
        for stem, text in files.items():
            info = tarfile.TarInfo(f"work/{stem}.py")
            info.size = len(text)
            archive.addfile(info, io.BytesIO(text.encode()))
    return path


@pytest.mark.parametrize("inside", ["scale.py", "s1/scale.py", "any folder/scale.py", "a/b/c/scale.py"])
def test_a_zip(tmp_path, inside):
    found = read(zipped(tmp_path, [(inside, SOURCE), ("__MACOSX/._scale.py", b"\0")]))
    assert (found.student, found.refused, found.ignored) == ("s1", None, ())
    path, folder = "" if inside == "scale.py" else inside, inside.rpartition("/")[0]
    assert found.sources == {"scale": Source(SOURCE, path=path, folder=folder), "pair": Source()}


def test_a_zip_with_an_ending_in_capitals(tmp_path):
    assert scale_of(zipped(tmp_path, [("scale.py", SOURCE)], "s1.ZIP")).text == SOURCE


@pytest.mark.parametrize("inside", ["scale.py/x", "notascale.md", "__MACOSX/scale.py", "scale.py/", "tests/scale.py"])
def test_other_places_in_a_zip_do_not_count(tmp_path, inside):
    found = read(zipped(tmp_path, [(inside, SOURCE), ("pair.py", "p = 1\n")]))
    assert found.sources["scale"] == Source()


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_file_twice_in_a_zip(tmp_path):
    path = zipped(tmp_path, [("scale.py", SOURCE), ("scale.py", OTHER)])
    assert refusal(path) == "scale.py is there more than once; hand in one of them"


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_file_twice_but_the_same(tmp_path):
    assert scale_of(zipped(tmp_path, [("scale.py", SOURCE), ("scale.py", SOURCE)])).text == SOURCE


def test_a_zip_in_a_zip_in_a_folder(tmp_path):
    inner = packed(("scale.py", SOURCE))
    found = read(tree(tmp_path, {"mine/week 1.zip": packed(("done/inner.zip", inner)), "pair.py": "p = 1\n"}))
    folder = "mine/week 1.zip/done/inner.zip"
    assert found.sources["scale"] == Source(SOURCE, path=f"{folder}/scale.py", folder=folder)
    assert found.sources["pair"].text == "p = 1\n"


@pytest.mark.parametrize("place", ["s1.zip", "s1/week 1.zip"])
def test_zips_too_deep_in_each_other(tmp_path, place):
    one_more, path = packed(("scale.py", SOURCE)), tmp_path / place
    for _ in range(archives.MAX_NESTED):
        data, one_more = one_more, packed(("in.zip", one_more))
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(data)
    assert scale_of(tmp_path / place.partition("/")[0]).text == SOURCE
    path.write_bytes(one_more)
    said = whole_refusal(tmp_path / place.partition("/")[0])
    assert said.endswith("holds archives in archives, more than 3 deep")


def gzipped_zeros(bytes_: int) -> bytes:
    return gzip.compress(bytes(bytes_))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ending", "data"),
    [
        (".py", b"#" * (7 << 20)), (".ipynb", b"import os\n" * (700 << 10)), (".ipynb", b"{" + b" " * (20 << 20)),
        (".json", b"{" + b" " * (7 << 20)), (".zip", bytes(30 << 20)), (".tgz", gzipped_zeros(65 << 20)),
    ],
)  # fmt: skip
def test_many_files_that_unpack_to_much_are_not_all_unpacked(tmp_path, monkeypatch, ending, data):
    unpacked = []
    for kind in (zipfile.ZipExtFile, gzip.GzipFile):

        def counted(self, n=-1, original=kind.read):
            unpacked.append(len(part := original(self, n)))
            return part

        monkeypatch.setattr(kind, "read", counted)
    found = read(zipped(tmp_path, [("scale.py", SOURCE), *((f"f{n}{ending}", data) for n in range(60))]))
    assert found.sources["scale"].text == SOURCE
    assert sum(unpacked) < 400 << 20


def test_archives_that_are_too_large_together(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "MAX_BYTES", 1 << 20)
    files = {f"{n}.zip": packed((f"{n}.bin", os.urandom(400 << 10))) for n in "abc"}
    found = read(tree(tmp_path, {**files, "z.zip": packed(("scale.py", SOURCE))}))
    assert found.sources["scale"].text == SOURCE  # there is room for it, whatever was refused before
    (said,) = found.troubles.values()
    assert said.to("en") == (
        "c.zip is not read, all archives hold more than 1 MB; leave out data, models, outputs and environments"
    )


@pytest.mark.parametrize("name", ["s1.tar", "s1.tar.gz", "s1.tgz"])
def test_a_tar_file(tmp_path, name):
    found = read(tarred(tmp_path / name, scale=SOURCE))
    assert (found.student, found.sources["scale"].text) == ("s1", SOURCE)


@pytest.mark.parametrize("name", ["s1.rar", "s1.7z", "s1.tar.xz"])
def test_other_archives_are_named(tmp_path, name):
    (tmp_path / name).write_bytes(b"Rar!")
    assert whole_refusal(tmp_path / name) == f"{name} is not a zip; pack your files again, as an ordinary zip"


def test_a_tar_file_that_is_none(tmp_path):
    (tmp_path / "s1.tar.gz").write_bytes(b"\x1f\x8b" + bytes(40))
    assert whole_refusal(tmp_path / "s1.tar.gz").startswith("s1.tar.gz cannot be unpacked (")


def test_a_link_in_a_tar_file(tmp_path):
    with tarfile.open(tmp_path / "s1.tar", "w") as archive:
        link = tarfile.TarInfo("scale.py")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    assert refusal(tmp_path / "s1.tar") == "scale.py is a symbolic link; hand in the file itself"


def test_a_zip_bomb(tmp_path):
    path = zipped(tmp_path, [("scale.py", bytes(64 << 20))])
    assert path.stat().st_size < 1 << 20
    assert refusal(path) == "scale.py is larger than 64 KB; leave out data, models, outputs and environments"


def test_a_tar_bomb(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "MAX_BYTES", 1 << 20)
    path = tarred(tmp_path / "more.tgz", scale="#" * (2 << 20))
    found = read(tree(tmp_path, {"more.tgz": path.read_bytes(), "pair.py": "p = 1\n"}))
    assert found.ignored == ("more.tgz",)
    refused = found.sources["scale"].refused
    assert refused is not None
    why = "more.tgz unpacks to more than 1 MB; leave out data, models, outputs and environments"
    assert refused.to("en") == f"scale.py is missing ({why})"


def test_a_link_in_a_zip(tmp_path):
    info = zipfile.ZipInfo("scale.py")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    assert refusal(zipped(tmp_path, [(info, "/etc/passwd")])) == "scale.py is a symbolic link; hand in the file itself"


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_an_unusual_compression(tmp_path, method):
    with zipfile.ZipFile(tmp_path / "s1.zip", "w", method) as archive:
        archive.writestr("scale.py", SOURCE)
    assert refusal(tmp_path / "s1.zip") == "scale.py is compressed in an unusual way; use an ordinary zip"


def test_an_encrypted_zip(tmp_path):
    path = zipped(tmp_path, [("scale.py", SOURCE)])
    data = bytearray(path.read_bytes())
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + at] |= 1
    path.write_bytes(data)
    assert refusal(path) == "scale.py is encrypted; make a zip without a password"


@pytest.mark.parametrize("data", [b"", b"no zip", b"PK\x03\x04" + bytes(100), b"PK\x05\x06" + b"\xff" * 18])
def test_no_zip_at_all(tmp_path, data):
    path = tmp_path / "s1.zip"
    path.write_bytes(data)
    assert whole_refusal(path) == BAD


def test_a_damaged_zip_in_a_folder(tmp_path):
    """As a platform hands it out: a folder for each person, a zip in it."""
    assert whole_refusal(tree(tmp_path, {"s1.zip": b"PK"})) == BAD


def test_a_damaged_zip_beside_a_right_file(tmp_path):
    """What it holds is not missing, it cannot be read; the file beside it counts."""
    found = read(tree(tmp_path, {"scale.py": SOURCE, "pair.zip": b"PK"}))
    assert found.sources["scale"].text == SOURCE
    refused = found.sources["pair"].refused
    assert refused is not None
    assert refused.to("en") == (
        "pair.py is missing (pair.zip cannot be unpacked (BadZipFile); make it again, as an ordinary zip)"
    )
    assert found.ignored == ("pair.zip",)


def test_a_folder_named_like_a_zip(tmp_path):
    """Some systems unpack a zip to a folder of its name."""
    found = read(folder(tmp_path, "s1.zip", scale=SOURCE))
    assert (found.student, found.sources["scale"].text) == ("s1.zip", SOURCE)


def test_a_zip_that_is_a_link(tmp_path):
    real = zipped(tmp_path, [("scale.py", SOURCE)], "real.zip")
    (tmp_path / "s1.zip").symlink_to(real)
    assert whole_refusal(tmp_path / "s1.zip") == "s1.zip is a symbolic link; hand in the file itself"


def test_a_zip_with_too_many_files(tmp_path, monkeypatch):
    monkeypatch.setattr(archives.tree, "MAX_FILES", 3)
    path = zipped(tmp_path, [(f"{n}.txt", "") for n in range(4)])
    assert whole_refusal(path) == "s1.zip holds more than 3 files; hand in only those that you wrote"


def test_a_zip_that_lists_more_than_can_be_held():
    """zipfile takes a kilobyte for each member before anybody can count them, those that are passed over too."""
    data = packed(*((f".{n}", "") for n in range(5)), ("scale.py", SOURCE))
    (found,) = archives.members("s1.zip", io.BytesIO(data), archives.Budget(listed=6))
    assert found.read(1) == SOURCE.encode()
    with pytest.raises(archives.Refused, match=r"s1\.zip holds more than 5 files"):
        list(archives.members("s1.zip", io.BytesIO(data), archives.Budget(listed=5)))


def test_a_zip_that_is_too_large(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "MAX_BYTES", 1 << 20)
    path = zipped(tmp_path, [("scale.py", os.urandom(2 << 20))])
    assert whole_refusal(path).startswith("s1.zip unpacks to more than 1 MB; leave out data")


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
            assert read(path).student == "s2"


def test_no_damage_of_a_tar_file_escapes(tmp_path):
    good = tarred(tmp_path / "s1.tar", scale=SOURCE).read_bytes()
    path = tmp_path / "s2.tar"
    for at in (*range(512), *range(1024, 1536, 16)):
        path.write_bytes(good[:at] + b"\xff" + good[at + 1 :])
        assert read(path).student == "s2"


def test_names_that_are_long_cost_no_time(tmp_path):
    """Megabytes of names, each looked at once."""
    members = [(f"{i:05}{'a' * 60_000}", "") for i in range(60)]
    assert scale_of(zipped(tmp_path, [*members, ("work/scale.py", SOURCE)])).text == SOURCE


@pytest.mark.parametrize("name", ["s1.rar", "s1.7z", "s1.tar", "s1.zip"])
def test_an_archive_is_known_by_how_it_begins(tmp_path, name):
    """People give a file another ending and hope."""
    (tmp_path / name).write_bytes(packed(("scale.py", SOURCE)))
    assert scale_of(tmp_path / name).text == SOURCE
    tarred(tmp_path / "work.tar.gz", scale=SOURCE).rename(tmp_path / "s2.zip")
    assert scale_of(tmp_path / "s2.zip").text == SOURCE


@pytest.mark.parametrize("begins", [b"Rar!\x1a\7\1\0", b"7z\xbc\xaf\x27\x1c", b"\xfd7zXZ\0"])
def test_another_archive_that_is_called_a_zip(tmp_path, begins):
    (tmp_path / "s1.zip").write_bytes(begins + bytes(100))
    assert whole_refusal(tmp_path / "s1.zip") == "s1.zip is not a zip; pack your files again, as an ordinary zip"


def test_an_environment_in_a_zip_may_hold_any_number_of_files(tmp_path, monkeypatch):
    monkeypatch.setattr(archives.tree, "MAX_FILES", 3)
    there = [("work/scale.py", SOURCE), *((f"work/venv/lib/{n}.py", "") for n in range(9))]
    assert scale_of(zipped(tmp_path, there)).text == SOURCE


LONG = {
    "copies of copies": "scale" + " (1)" * 10_000,
    "copies of copies, in front": "copy of " * 4_000 + "scale",
    "numbers": "scale" + "-1" * 10_000,
    "folders": "d/" * 20_000 + "scale",
}


@pytest.mark.parametrize("name", LONG)
def test_a_name_that_no_disk_would_take_is_cut(tmp_path, name):
    """To take the marks of copies off it one by one took minutes, in the grader's own process."""
    path = zipped(tmp_path, [(f"{LONG[name]}.py", "x = 1")])
    with path.open("rb") as data:
        (found,) = archives.members(path.name, data, archives.Budget())
        assert found.read(1) == b"x = 1"
    assert max(map(len, found.parts)) <= 255
    assert len("/".join(found.parts)) <= 4096
    assert read(path)
