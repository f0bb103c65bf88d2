"""A student's other files: where imports look for them, what of each runs, and how they become modules.

They are looked for as Python does on the student's machine: in the folder of the file that is run, in the folders
around it, then wherever else they were handed in. Installed modules come first, and only files that were handed in and
inspected are ever found.
"""

from __future__ import annotations

import ast
import dataclasses
import importlib
import importlib.abc
import importlib.machinery
import sys
import types
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

PACKAGE = "submission"  # what the modules of one are in
_HERE = "<submission>"  # before each folder of `__path__`, so that it is none of this machine's
_INIT = "__init__.py"
Path = tuple[str, ...]


@dataclasses.dataclass(frozen=True)
class Import:
    """The names that a statement imports from a file, "*" among them; all names that it defines if `names` is None.

    `path` is the file, or the folder of a package without one of its own.
    """

    path: Path
    names: frozenset[str] | None


class ModulePaths:
    """The places of a submission's files, seen from the folder of the one that is run."""

    def __init__(self, files: Mapping[str, str], folder: str) -> None:
        self.texts = {tuple(path.split("/")): text for path, text in files.items()}
        folders = {path[:n] for path in self.texts for n in range(len(path))}
        self.folder: Path = tuple(folder.split("/")) if folder else ()
        around = [self.folder[:n] for n in range(len(self.folder), -1, -1)]
        self.roots = [*around, *sorted(folders - {*around}, key=lambda f: (len(f), f))]
        self._folders = folders
        self.outermost: set[str] = set()
        """The modules of the files that an import names first."""
        self.outer: set[str] = set()
        """Packages that are not there, of which a file imports one that is: the folder has another name here."""

    def find(self, names: Sequence[str], roots: Sequence[Path]) -> Path | None:
        """Return the file of a module, or the folder of a package."""
        for root in roots:
            path = (*root, *names)
            if (*path, _INIT) in self.texts:
                return path
            if (file := (*path[:-1], f"{path[-1]}.py")) in self.texts:
                return file
            if path in self._folders:
                return path
        return None

    def init(self, path: Path) -> Path | None:
        """Return the file that runs for a package."""
        return (*path, _INIT) if (*path, _INIT) in self.texts else None

    def module(self, name: str, level: int, importer: Path) -> Path | None:
        """Return the file, or the folder, that an import names; None for an installed module.

        Args:
            level: how many dots stand before the name.
            importer: the folder of the file that imports.
        """
        names = [part for part in name.split(".") if part]
        if level:
            above = len(importer) - level + 1
            return (self.find(names, [importer[:above]]) if names else importer[:above]) if above >= 0 else None
        if not names or is_installed(names[0]):
            return None
        path = self.find(names, self.roots)
        if path is None and len(names) > 1 and self.find(names[:1], self.roots) is None:
            path = self.find(names[-1:], self.roots)
            self.outer |= {".".join(names[:n]) for n in range(1, len(names))} if path else set()
        if path:
            self.outermost.add(names[0])
        return path

    def imports(self, node: ast.AST, importer: Path, uses: Callable[[str], frozenset[str] | None]) -> Iterator[Import]:
        """Yield what an import statement takes from the student's other files.

        Args:
            importer: the folder of the file that holds the statement.
            uses: the attributes that are used of a name in that file; None if that cannot be told.
        """
        if isinstance(node, ast.Import):
            for a in node.names:
                used = uses(a.asname or a.name) if a.asname or "." not in a.name else None
                yield from self._with_packages(self.module(a.name, 0, importer), used)
        elif isinstance(node, ast.ImportFrom):
            outer, names = node.module or "", [a.name for a in node.names]
            inside = [self.module(f"{outer}.{name}", node.level, importer) for name in names]
            for a, path in zip(node.names, inside, strict=True):
                yield from self._with_packages(path, uses(a.asname or a.name))
            yield from self._with_packages(self.module(outer, node.level, importer), frozenset(names))

    def _with_packages(self, path: Path | None, used: frozenset[str] | None) -> Iterator[Import]:
        """Yield the packages around a file first, since they run first."""
        if path:
            around = (self.init(path[:n]) for n in range(len(path)))
            yield from (Import(init, frozenset()) for init in around if init)
            yield Import(self.init(path) or path, used)


def is_installed(name: str) -> bool:
    """Return True if a module of this name exists without the student's files."""
    if name in sys.stdlib_module_names or name in sys.builtin_module_names:
        return True
    held = sys.modules.get(name)
    if held is not None:
        return getattr(held, "__package__", None) != PACKAGE
    spec = importlib.machinery.PathFinder.find_spec(name)
    try:
        with open(spec.origin if spec and spec.origin else "", "rb"):
            return True
    except OSError:  # not there, or nothing that a worker may read
        return False


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Makes modules of the files: each once, in the package `submission`, whatever name imports it."""

    def __init__(
        self, places: ModulePaths, run: Callable[[Path, dict[str, Any]], None], served: Collection[Path]
    ) -> None:
        self._places, self._run, self._served = places, run, served
        self._specs: dict[str, importlib.machinery.ModuleSpec] = {}

    def install(self, main: types.ModuleType) -> None:
        """Let imports find the files; `main` is the module that is run."""
        package = types.ModuleType(PACKAGE)
        package.__path__ = [_folder(root) for root in self._places.roots]
        main.__package__ = package.__package__ = PACKAGE
        sys.modules[PACKAGE] = package
        sys.modules[f"{PACKAGE}.{main.__name__}"] = main
        sys.meta_path.insert(0, self)

    def remove(self) -> None:
        """Let no import find them any more."""
        sys.meta_path[:] = [finder for finder in sys.meta_path if finder is not self]
        for name, module in [*sys.modules.items()]:
            if str(getattr(module, "__package__", "")).partition(".")[0] == PACKAGE:
                del sys.modules[name]

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        outer, _, name = fullname.rpartition(".")
        parent = getattr(sys.modules.get(outer), "__name__", "") if outer else PACKAGE
        asked = outer or fullname in self._places.outermost | self._places.outer
        if not asked or parent.partition(".")[0] != PACKAGE:
            return None
        places = [tuple(p.split("/")[1:]) for p in path or ()] if outer else self._places.roots
        found = self._places.find([name], places)
        own = f"{parent}.{name}"
        if found is None or not any(path[: len(found)] == found for path in self._served):  # none was inspected
            own = PACKAGE if fullname in self._places.outer else ""
        if not own:
            return None
        package = own == PACKAGE or not found or not found[-1].endswith(".py")
        spec = importlib.machinery.ModuleSpec(fullname, self, is_package=package)
        spec.loader_state = found if own == fullname else own
        return spec

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType | None:
        if isinstance(spec.loader_state, tuple):
            return None
        module = sys.modules.get(spec.loader_state) or importlib.import_module(spec.loader_state)
        if module.__spec__:
            self._specs[spec.name] = module.__spec__
        return module

    def exec_module(self, module: types.ModuleType) -> None:
        spec = module.__spec__
        assert spec is not None
        if not isinstance(spec.loader_state, tuple):
            module.__spec__ = self._specs.get(spec.name)
            return
        path: Path = spec.loader_state
        file = self._places.init(path) or path
        if not path[-1].endswith(".py"):
            module.__path__ = [_folder(path)]
        module.__file__ = "/".join(file)
        if file in self._served:
            self._run(file, module.__dict__)


def _folder(path: Path) -> str:
    return "/".join((_HERE, *path))
