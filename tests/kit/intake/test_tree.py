"""A folder is read once and strictly: no link, pipe or device, nothing too large, deep or numerous."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from handed_in import KB, SOURCE, folder, read, refusal, scale_of, tree, whole_refusal

from grader.intake import tree as trees


def test_exactly_as_large_as_allowed(tmp_path):
    assert scale_of(folder(tmp_path, scale=b"#" * (KB * 1024))).text is not None


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
    assert read(link).student == "s2", "a link must not pass for the student it points to"
    assert whole_refusal(link) == "s2 is a symbolic link; hand in the file itself"


def test_a_link_to_a_folder_inside(tmp_path):
    elsewhere = folder(tmp_path, "s2", scale=SOURCE)
    (folder(tmp_path, pair="p = 1\n") / "mine").symlink_to(elsewhere)
    found = read(tmp_path / "s1")
    assert found.sources["scale"].text is None
    assert found.ignored == ("mine",)


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
    """Nothing in it is named scale.py, and its own name counts for nothing."""
    path = tree(tmp_path, {"scale.py/notes.txt": "", "pair.py": "p = 1\n"})
    assert scale_of(path).text is None
    assert read(path).ignored == ("scale.py/notes.txt",)


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_file_without_permission(tmp_path):
    path = folder(tmp_path, scale=SOURCE)
    (path / "scale.py").chmod(0)
    assert refusal(path) == "scale.py cannot be read (Permission denied)"


def test_a_file_that_fails_to_open(tmp_path, monkeypatch):
    path = folder(tmp_path, scale=SOURCE)
    opened = os.open

    def fail(name, *more, **options):
        if str(name).endswith("scale.py"):
            raise OSError(5, "Input/output error")
        return opened(name, *more, **options)

    monkeypatch.setattr(trees.os, "open", fail)
    monkeypatch.setattr(trees.os, "supports_dir_fd", {*os.supports_dir_fd, fail})
    assert refusal(path) == "scale.py cannot be read (Input/output error)"


def test_a_folder_with_too_many_files(tmp_path, monkeypatch):
    monkeypatch.setattr(trees, "MAX_FILES", 3)
    path = folder(tmp_path, **{f"f{n}": "" for n in range(4)})
    assert whole_refusal(path) == "s1 holds more than 3 files; hand in only those that you wrote"


def test_folders_that_are_too_deep(tmp_path):
    path = tmp_path / "s1"
    path.joinpath(*["d"] * (trees.MAX_DEPTH + 1)).mkdir(parents=True)
    assert whole_refusal(path) == f"s1 has folders more than {trees.MAX_DEPTH} deep"


LEFT_BY_TOOLS = (
    ".DS_Store", "._scale.py", "__MACOSX/scale.py", "__pycache__/scale.cpython-311.pyc", ".git/scale.py",
    ".ipynb_checkpoints/scale.py", "Thumbs.db", "desktop.ini", ".venv/scale.py", "venv/lib/scale.py", "~$notes.docx",
    ".idea/scale.py", ".vscode/settings.json",
)  # fmt: skip


@pytest.mark.parametrize("left", LEFT_BY_TOOLS)
def test_what_tools_leave_behind_is_passed_over(tmp_path, left):
    found = read(tree(tmp_path, {"scale.py": SOURCE, left: "x = 1\n"}))
    assert (found.sources["scale"].text, found.ignored) == (SOURCE, ())


def test_the_folder_is_not_changed(tmp_path):
    path = tree(tmp_path, {"scale.py": SOURCE, "a/b.zip": b"PK"})
    before = {p: (p.stat().st_mtime_ns, p.stat().st_size) for p in path.rglob("*")}
    read(path)
    assert {p: (p.stat().st_mtime_ns, p.stat().st_size) for p in Path(path).rglob("*")} == before
