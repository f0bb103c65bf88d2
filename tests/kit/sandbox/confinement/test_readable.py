"""What a worker may read: Python without what was installed into it, torch and numpy with what they require."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import sys
from pathlib import Path

import pytest
from confined import PACKAGES

from grader.sandbox.confinement import readable

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is Linux only")


def beneath(path: str) -> bool:
    return any(Path(path).is_relative_to(allowed) for allowed in readable.default_readable())


@pytest.mark.parametrize("name", ["torch", "numpy", "sympy", "mpmath", "typing_extensions"])
def test_torch_and_what_it_requires_can_be_read(name):
    found = importlib.metadata.distribution(name)
    file = next(f for f in found.files if f.suffix == ".py" and f.parts[0] != "..")
    assert beneath(os.path.realpath(found.locate_file(file)))


@pytest.mark.parametrize("name", ["pytest", "msgspec", "rich", "pyyaml"])
def test_what_is_installed_beside_them_cannot(name):
    found = importlib.metadata.distribution(name)
    assert not [f for f in found.files if f.suffix == ".py" and beneath(os.path.realpath(found.locate_file(f)))]


def test_the_standard_library_can_be_read_and_its_packages_cannot():
    assert beneath(os.path.realpath(os.__file__))
    assert beneath(os.path.realpath(importlib.util.__file__))
    folders = readable.package_folders()
    assert os.path.realpath(PACKAGES) in folders
    assert not set(folders) & set(readable.default_readable())


def test_folders_of_packages_are_left_out_wherever_they_lie(tmp_path):
    for place in ("lib/python3/site-packages/secret", "lib/python3/json", "lib/tools"):
        (tmp_path / place).mkdir(parents=True)
    (tmp_path / "lib/python3/os.py").touch()
    (tmp_path / "lib/python3/link.py").symlink_to(tmp_path / "lib/python3/site-packages/secret")
    (tmp_path / "lib/out").symlink_to("/etc")
    hidden = [str(tmp_path / "lib/python3/site-packages")]
    found = {os.path.relpath(p, tmp_path) for p in readable.without_packages(str(tmp_path / "lib"), hidden)}
    assert found == {"lib/python3/json", "lib/python3/os.py", "lib/tools"}
    assert list(readable.without_packages(str(tmp_path / "lib/tools"), hidden)) == [str(tmp_path / "lib/tools")]


def test_a_package_that_does_not_say_what_it_consists_of_brings_its_folder(tmp_path, monkeypatch):
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "__init__.py").touch()
    monkeypatch.syspath_prepend(str(tmp_path))
    assert list(readable.packages(["odd"])) == [str(tmp_path)]
    (tmp_path / "odd-1.dist-info").mkdir()
    (tmp_path / "odd-1.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: odd\nVersion: 1\n")
    assert list(readable.packages(["odd"])) == [str(tmp_path)]
    (tmp_path / "odd-1.dist-info" / "RECORD").write_text("odd/__init__.py,,\n../../bin/odd,,\n__pycache__/x.pyc,,\n")
    assert list(readable.packages(["odd"])) == [str(tmp_path / "odd")]
