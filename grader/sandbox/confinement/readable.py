"""The files that a worker may read: Python's own, and those of torch, numpy and the course's packages."""

from __future__ import annotations

import functools
import glob
import importlib.metadata
import importlib.util
import os
import re
import site
import sys
import sysconfig
from collections.abc import Iterable, Iterator

from grader.packages import asked

NEEDED = ("torch", "numpy", "colorama")  # the last one only where it is there: torch's compiler then imports it
FOLDERS = ("site-packages", "dist-packages")  # where packages are installed
_SYSTEM = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache")
_DATA = ("/usr/share/zoneinfo", "/sys/devices/system/cpu", "/dev/urandom", "/dev/null")


@functools.cache
def default_readable() -> tuple[str, ...]:
    """Return the files and folders that Python, torch and numpy need, and nothing of the course. Imports neither.

    Returns: paths that exist: the standard library and its shared libraries, torch and numpy with what they require
        (of a virtual environment, never the folder around it), the packages that this process was started for likewise,
        the system's shared libraries, the processors' topology, time zones, two devices.
    """
    python = [sysconfig.get_path("stdlib"), *map(sysconfig.get_config_var, ("DESTSHARED", "LIBDIR"))]
    python.append(os.path.join(sys.base_prefix, "lib"))  # a Python that was moved knows its old LIBDIR only
    places = [os.path.realpath(path) for path in (*python, *_SYSTEM, *_DATA) if path]
    folders = package_folders()
    apart = [place for path in dict.fromkeys(places) for place in without_packages(path, folders)]
    found = (*map(os.path.realpath, packages((*NEEDED, *asked()))), *apart)
    return tuple(path for path in dict.fromkeys(found) if os.path.exists(path))


def listable(readable: Iterable[str]) -> list[str]:
    """Return the folders around the readable paths in which imports look for names."""
    looked = {os.path.realpath(sysconfig.get_path("stdlib")), *package_folders()}
    return sorted(looked & {os.path.dirname(path) for path in readable})


def package_folders() -> set[str]:
    """Return all folders of installed packages of this Python and of the system's."""
    patterns = [f"{p}/lib*/python3*/{name}" for p in ("/usr", "/usr/local", sys.base_prefix) for name in FOLDERS]
    known = [*site.getsitepackages(), *sys.path, *(path for p in patterns for path in glob.glob(p))]
    return {os.path.realpath(path) for path in known if os.path.basename(path) in FOLDERS and os.path.isdir(path)}


def without_packages(path: str, folders: Iterable[str]) -> Iterator[str]:
    """Yield the path, or, if folders of installed packages lie in it, the other paths in it."""
    inside = [folder for folder in folders if within(folder, path)]
    if path in inside:
        return
    if not inside:
        yield path
        return
    for entry in sorted(os.scandir(path), key=lambda e: e.name):
        real = os.path.realpath(entry.path)
        if not entry.is_symlink():
            yield from without_packages(entry.path, inside)
        elif real.startswith(path + os.sep) and not any(within(real, folder) for folder in inside):
            yield entry.path


def within(path: str, folder: str) -> bool:
    """Return True if a path is the folder or lies in it."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def packages(names: Iterable[str]) -> Iterator[str]:
    """Yield the files and folders of these distributions and of all that they require.

    A distribution without a list of its files brings the folder into which it was installed.
    """
    todo, known = list(names), set[str]()
    while todo:
        name = re.sub(r"[-_.]+", "-", todo.pop()).lower()
        try:
            found = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            continue
        if name not in known:
            known.add(name)
            yield from _files(found, name)
            todo += [re.split(r"[^\w.-]", r, maxsplit=1)[0] for r in found.requires or () if "extra ==" not in r]
    for name in set(names) - known:  # installed without metadata
        yield from _folders_of(name)


def _files(found: importlib.metadata.Distribution, name: str) -> Iterator[str]:
    record = found.read_text("RECORD")
    if record is None:
        yield from _folders_of(name)
        return
    tops = set(re.findall(r"^[^/,\r\n]+", record, re.MULTILINE))
    yield from (str(found.locate_file(top)) for top in sorted(tops - {"..", "__pycache__"}))


def _folders_of(package: str) -> Iterator[str]:
    """Yield the folders into which a package was installed."""
    spec = importlib.util.find_spec(package)
    yield from (os.path.dirname(place) for place in (spec and spec.submodule_search_locations) or ())
