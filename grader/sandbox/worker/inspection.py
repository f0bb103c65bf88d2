"""Finds what a student's source mentions, defines and needs, and which of it is to run: parsed, never run."""

from __future__ import annotations

import ast
import contextlib
import copy
import functools
import itertools
from collections.abc import Sequence

import msgspec

from grader.sandbox.processes import Inspect, Inspected
from grader.sandbox.worker import dependencies
from grader.sandbox.worker.notebook_code import file, gathered
from grader.sandbox.worker.own_files import Import, ModulePaths, Path
from grader.sandbox.worker.refusals import COMPILERS, beyond
from grader.sandbox.worker.source import Program, RunnableFile

MOST_NAMED = 200  # characters of a file's name


def inspect(asked: Inspect) -> tuple[Inspected, Program]:
    """Return facts about a source, and the statements to run of it and of the student's other files.

    Code that mentions a name of `forbid` and is not needed by the functions in `graded`, such as a comparison with
    torch at the end of the file, is honest work; it is left out of what runs.

    Raises:
        SyntaxError: the source is not Python; also if the parser cannot take it (RecursionError, MemoryError).
    """
    cells, text = tuple[int, ...](), asked.source
    if asked.cells is not None:
        text, body, cells = gathered(asked.source, asked.cells, asked.at, asked.graded)
        runs = body
    else:
        text, body, runs = file(asked.source, asked.graded)
    whole = _Whole(asked)
    main = _File(whole, f"{asked.name}.py", whole.places.folder, text, runs, body)
    graded = frozenset(asked.graded)
    if asked.files:
        whole.reach(main)
        whole.demand(main, graded)
    left, borrowed = whole.forbidden(main, graded)
    runs = [node for node in main.body if node not in left]
    needed = functools.partial(main.kept if asked.cells is None else main.all, graded)
    kept = [node for node in runs if not asked.bare or node in needed()]
    defines = [node.name[:100] for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    said = main.mentioned(runs, COMPILERS) if "compile" in text or "jit" in text else None
    facts = Inspected(borrowed, defines[:100], cells, _loops(kept), said and said[:2])
    others = {path: whole.unit(path, asked.bare) for path in whole.reached}
    less = asked.bare and (len(kept) < len(runs) or any(u.less for u in others.values()))
    program = Program(RunnableFile(main.name, text, kept, needed, len(kept) < len(runs)), whole.places, others)
    return (msgspec.structs.replace(facts, bare=True) if less else facts), program


class _Whole:
    """The files of a submission that the graded one imports, directly or not, and the names asked of each."""

    def __init__(self, asked: Inspect) -> None:
        self.places = ModulePaths(asked.files, asked.folder)
        self.forbid = asked.forbid
        self.reached: set[Path] = set()
        self._files: dict[Path, _File | None] = {}
        self._wanted: dict[Path, frozenset[str]] = {}

    def file(self, path: Path) -> _File | None:
        """Return one of them; None if it is not Python, or only a folder."""
        if path not in self._files:
            text, found = self.places.texts.get(path), None
            with contextlib.suppress(SyntaxError, ValueError, RecursionError, MemoryError):
                body = ast.parse(text).body if text is not None else None
                found = _File(self, "/".join(path), path[:-1], text or "", body, body) if body is not None else None
            self._files[path] = found
        return self._files[path]

    def reach(self, source: _File) -> None:
        """Note all files that any statement imports."""
        todo = [source]
        while todo:
            source = todo.pop()
            new = {i.path for node in source.body for i in source.imports(node)} - self.reached
            self.reached |= {path for path in new if path in self.places.texts}
            todo += [found for path in new if (found := self.file(path))]

    def demand(self, source: _File, names: frozenset[str]) -> None:
        """Note what the statements that these names of a file need import from others."""
        todo = [(source, names)]
        while todo:
            source, names = todo.pop()
            for i in (i for node in source.needed(names) for i in source.imports(node)):
                before, found = self._wanted.get(i.path), self.file(i.path)
                more = (before or frozenset()) | (found.asked(i, source, names) if found else frozenset())
                if found and more != before:
                    todo.append((found, more))
                self._wanted[i.path] = more

    def stands_for(self, path: Path, name: str) -> str | Path:
        """Return what a name in another file stands for; in a package it may be a file."""
        inside = self.places.find([name], [path])
        if inside and not path[-1].endswith(".py"):
            return inside
        source = self.file(self.places.init(path) or path)
        return source.aliases.get(name, name) if source else name

    def forbidden(self, source: _File, names: frozenset[str]) -> tuple[set[ast.stmt], tuple[str, int, str] | None]:
        """Return the statements of a file that use forbidden calls and that these names do not need; and the first that
        they need: the name, the line, and the file if it is another one.
        """
        each = ((n, self._mention(source, n, names, set())) for n in source.body if self.forbid)
        mentions = {n: found for n, found in each if found}
        left = _beside(source, set(mentions), names) if mentions else set()
        found = next((found for n, found in mentions.items() if n not in left), None)
        return left, found and (*found[:2], "" if found[2] == source.name else found[2][:MOST_NAMED])

    def _mention(
        self, source: _File, node: ast.stmt, names: frozenset[str], seen: set[Import]
    ) -> tuple[str, int, str] | None:
        """Return the first forbidden name that `names` of this file need in a statement, or in what it imports."""
        if direct := source.mentioned([node], self.forbid, private=True):
            return direct
        for asked in source.imports(node):
            other = self.file(asked.path)
            if other is None or asked in seen:
                continue
            seen.add(asked)
            wanted = other.asked(asked, source, names)
            needed = other.needed(wanted)
            for inside in (n for n in other.body if n in needed):
                if found := self._mention(other, inside, wanted, seen):
                    return found
        return None

    def unit(self, path: Path, bare: bool) -> RunnableFile:
        """Return the statements of another file that are to run."""
        source = self.file(path)
        if source is None:
            return RunnableFile("/".join(path), self.places.texts[path])
        names = self._wanted.get(path, frozenset())
        left, _ = self.forbidden(source, names)
        runs, needed = [n for n in source.body if n not in left], functools.partial(source.needed, names)
        kept = [n for n in runs if not bare or n in needed()]
        return RunnableFile(source.name, source.text, kept, needed, len(kept) < len(runs))


class _File:
    """One file of a student's: its statements, and the meaning of the names in it."""

    def __init__(
        self, whole: _Whole, name: str, folder: Path, text: str, runs: Sequence[ast.stmt], body: Sequence[ast.stmt]
    ) -> None:
        self.name, self.text = name, text
        self.body = [single for node in runs if not _is_main(node) for single in _singles(node)]
        self._whole, self._folder, self._all = whole, folder, body
        self._imports: dict[ast.stmt, list[Import]] = {}
        self._needed: dict[frozenset[str], set[ast.stmt]] = {}

    @functools.cached_property
    def defined(self) -> frozenset[str]:
        """Return the names that it binds."""
        return frozenset[str]().union(*map(dependencies.defined, self.body))

    def asked(self, by: Import, importer: _File, names: frozenset[str]) -> frozenset[str]:
        """Return the names that an import of this file asks for, if `names` are wanted of the importer."""
        if by.names is None:
            return self.defined
        return by.names | importer.reads | names if "*" in by.names else by.names

    @functools.cached_property
    def reads(self) -> frozenset[str]:
        """Return the names that it uses."""
        return frozenset[str]().union(*map(dependencies.read, self.body))

    def needed(self, names: frozenset[str]) -> set[ast.stmt]:
        """Return the statements that these names need."""
        if names not in self._needed:
            self._needed[names] = dependencies.needed(self.body, names)
        return self._needed[names]

    def kept(self, names: frozenset[str]) -> set[ast.stmt]:
        """Return the needed statements of the graded file; all if it lacks the names, so that the reason shows."""
        return self.needed(names) or {*self.body}

    def all(self, _names: frozenset[str]) -> set[ast.stmt]:
        """Return all statements, as of a notebook: unneeded ones have been left out already."""
        return {*self.body}

    def imports(self, node: ast.stmt) -> list[Import]:
        """Return the imports of a statement from the student's other files."""
        if node not in self._imports:
            found = (n for n in ast.walk(node) if isinstance(n, ast.Import | ast.ImportFrom))
            self._imports[node] = [i for n in found for i in self._whole.places.imports(n, self._folder, self._uses)]
        return self._imports[node]

    def mentioned(
        self, nodes: Sequence[ast.stmt], calls: Sequence[str], private: bool = False
    ) -> tuple[str, int, str] | None:
        """Return the first of these calls, or of torch's private names, in the statements, its line and this file."""
        named = (n for node in nodes for n in ast.walk(node) if isinstance(n, ast.Attribute | ast.Name))
        names = ((self._dotted(n), n.lineno) for n in named)
        found = ((name, line) for name, line in names if name in calls or (private and beyond(name)))
        return next(((name, line, self.name) for name, line in found), None)

    @functools.cached_property
    def _attributes(self) -> dict[str, list[str | None]]:
        """Return the attributes that are taken of each name, None for each other use."""
        found: dict[str, list[str | None]] = {}
        bare = {id(n): n for s in self._all for n in ast.walk(s) if isinstance(n, ast.Name)}
        for node in (n for s in self._all for n in ast.walk(s) if isinstance(n, ast.Attribute)):
            if isinstance(node.value, ast.Name) and bare.pop(id(node.value), False):
                found.setdefault(node.value.id, []).append(node.attr)
        for name in bare.values():
            found.setdefault(name.id, []).append(None)
        return found

    def _uses(self, name: str) -> frozenset[str] | None:
        used = self._attributes.get(name, [])
        return None if None in used else frozenset(a for a in used if a is not None)

    @functools.cached_property
    def aliases(self) -> dict[str, str | Path]:
        """Return what each imported name stands for: a dotted name, or another of the student's files."""
        found: dict[str, str | Path] = {}
        self.__dict__["aliases"] = found  # files may import each other
        for node in (n for statement in self._all for n in ast.walk(statement)):
            if isinstance(node, ast.Import):
                for a in node.names:
                    name = a.name if a.asname else a.name.partition(".")[0]
                    found[a.asname or name] = self._own([name], node) or name
            elif isinstance(node, ast.ImportFrom):
                self._bind(node, found)
        return found

    def _bind(self, node: ast.ImportFrom, found: dict[str, str | Path]) -> None:
        own = self._own([node.module or ""], node)
        for a in node.names:
            if own and a.name == "*":
                found.update(other.aliases if (other := self._whole.file(own)) else {})
            elif inside := self._own([node.module or "", a.name], node):
                found[a.asname or a.name] = inside
            elif own:
                found[a.asname or a.name] = self._whole.stands_for(own, a.name)
            elif node.module:
                found[a.asname or a.name] = f"{node.module}.{a.name}"

    def _own(self, names: Sequence[str], node: ast.Import | ast.ImportFrom) -> Path | None:
        return self._whole.places.module(".".join(filter(None, names)), getattr(node, "level", 0), self._folder)

    def _dotted(self, node: ast.AST) -> str:
        """Return `torch.nn.functional.softmax` for any spelling that an import allows; `?.softmax` for a method."""
        names: list[str] = []
        while isinstance(node, ast.Attribute):
            names.append(node.attr)
            node = node.value
        if isinstance(node, ast.Name):
            base = self.aliases.get(node.id, node.id)
            while isinstance(base, tuple) and names:
                base = self._whole.stands_for(base, names.pop())
            names.append(base if isinstance(base, str) else "")
        elif names:
            names = [names[0], "?"]
        return ".".join(reversed(names))


def _singles(node: ast.stmt) -> list[ast.stmt]:
    """Return `import math, pandas` as two statements: one may be needed, and the other missing."""
    if not isinstance(node, ast.Import | ast.ImportFrom) or len(node.names) == 1 or dependencies.is_future(node):
        return [node]
    each = [copy.copy(node) for _ in node.names]
    for single, name in zip(each, node.names, strict=True):
        single.names = [name]
    return list(each)


def _is_main(node: ast.stmt) -> bool:
    """Return True for `if __name__ == "__main__":`, which never runs here."""
    return isinstance(node, ast.If) and not node.orelse and ast.unparse(node.test) == "__name__ == '__main__'"


def _loops(body: Sequence[ast.stmt]) -> tuple[tuple[int, int, bool], ...]:
    """Return first and last line of each loop, and True for a `while`."""
    found = (n for s in body for n in ast.walk(s) if isinstance(n, ast.While | ast.For))
    return tuple((n.lineno, n.end_lineno or n.lineno, isinstance(n, ast.While)) for n in itertools.islice(found, 200))


def _beside(source: _File, mentions: set[ast.stmt], graded: frozenset[str]) -> set[ast.stmt]:
    """Return those of `mentions` that no graded function needs, and the statements that cannot run without them."""
    body, kept = source.body, source.needed(graded)
    binds, reads = {n: dependencies.bound(n) for n in body}, {n: dependencies.read(n) for n in body}
    left = mentions - kept
    while True:
        gone = set[str]().union(*(binds[n] for n in left)) - set[str]().union(
            *(binds[n] for n in body if n not in left)
        )
        more = {n for n in body if n not in left and n not in kept and reads[n] & gone}
        if not more:
            return left
        left |= more
