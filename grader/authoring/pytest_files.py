"""What a teacher's test file imports, defines and calls: which names are the student's, which the file's own."""

from __future__ import annotations

import ast
import builtins
import copy
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

TOOLS = {"hypothesis", "matplotlib", "numpy", "pandas", "pytest", "scipy", "sklearn", "sympy", "torch"}
Function = ast.FunctionDef | ast.AsyncFunctionDef


class PytestFile:
    """One file of tests. A student's module is one that is neither Python's, nor a usual library, nor beside the tests.

    module_level: the statements that a suite may keep. tainted: what they define by calling the student's code.
    fixtures: by their names; a suite keeps each as a plain function, see `given`.
    """

    def __init__(self, path: Path, tree: ast.Module) -> None:
        self.path, self.tree = path, tree
        self.full: dict[str, str] = {}
        self._modules: dict[str, str] = {}
        self._functions: dict[str, tuple[str, str]] = {}
        self._star = ""
        for node in ast.walk(tree):
            if isinstance(node, ast.Import | ast.ImportFrom):
                self._imported(node)
        self.bound = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        self.bound |= {n.arg for n in ast.walk(tree) if isinstance(n, ast.arg)} | {*self.full, *self._modules}
        self.bound |= {n.name for n in ast.walk(tree) if isinstance(n, Function | ast.ClassDef)}
        own = [s for s in tree.body if not isinstance(s, ast.Expr | ast.If) and not self._is_test(s)]
        self.tainted = {name for s in own if self.mentions(s) for name in names_bound(s)}
        self.fixtures = {s.name: s for s in own if isinstance(s, ast.FunctionDef) and self._fixture(s)}
        kept = (s for s in own if not self.mentions(s) and not self.is_import_of_student(s))
        self.module_level = [given(s) if s in self.fixtures.values() else s for s in kept]

    def student(self, node: ast.AST) -> tuple[str, str] | None:
        """The student's module and function that this expression names."""
        if isinstance(node, ast.Name):
            if self._star and node.id not in self.bound and not hasattr(builtins, node.id):
                return self._star, node.id
            return self._functions.get(node.id)
        if isinstance(node, ast.Attribute) and (module := self._modules.get(ast.unparse(node.value))):
            return module, node.attr
        return None

    def mentions(self, node: ast.AST) -> bool:
        """Whether the student's code is named anywhere in it."""
        return any(self.student(n) for n in ast.walk(node))

    def is_import_of_student(self, node: ast.stmt) -> bool:
        """Whether a statement imports nothing but the student's code."""
        names = {a.asname or a.name for a in node.names} if isinstance(node, ast.Import | ast.ImportFrom) else set()
        return bool(names) and not names & {*self.full}

    def called(self, node: ast.AST) -> str:
        """`numpy.testing.assert_allclose`, whatever the file calls it; "" for what is no such name."""
        if isinstance(node, ast.Name):
            return self.full.get(node.id, node.id)
        if isinstance(node, ast.Attribute) and (of := self.called(node.value)):
            return f"{of}.{node.attr}"
        return ""

    def _imported(self, node: ast.Import | ast.ImportFrom) -> None:
        module = getattr(node, "module", "") or ""
        for alias in node.names:
            whole = f"{module}.{alias.name}".strip(".") if isinstance(node, ast.ImportFrom) else alias.name
            name = alias.asname or alias.name
            if not getattr(node, "level", 0) and self._is_tool(whole):
                self.full[name] = whole
            elif alias.name == "*":
                self._star = module.rpartition(".")[2]
            elif isinstance(node, ast.Import) or self._has_attributes(name):
                self._modules[name] = whole.rpartition(".")[2]
            else:
                self._functions[name] = module.rpartition(".")[2], alias.name

    def _is_tool(self, module: str) -> bool:
        top = module.partition(".")[0]
        return top in TOOLS or top in sys.stdlib_module_names or (self.path.parent / f"{top}.py").is_file()

    def _has_attributes(self, name: str) -> bool:
        values = (n.value for n in ast.walk(self.tree) if isinstance(n, ast.Attribute))
        return any(isinstance(v, ast.Name) and v.id == name for v in values)

    def _fixture(self, node: ast.FunctionDef) -> bool:
        """Whether a function is a fixture."""
        marks = (d.func if isinstance(d, ast.Call) else d for d in node.decorator_list)
        return any(self.called(mark) == "pytest.fixture" for mark in marks)

    def _is_test(self, node: ast.stmt) -> bool:
        return any(node is test or node is inside for test, inside in found_in(self.tree))


def found_in(tree: ast.Module) -> Iterator[tuple[Function, ast.ClassDef | None]]:
    """The test functions and methods, with their class."""
    for node in tree.body:
        inside = node.body if isinstance(node, ast.ClassDef) and is_test_class(node) else [node]
        for function in inside:
            if isinstance(function, Function) and function.name.startswith("test"):
                yield function, node if isinstance(node, ast.ClassDef) else None


def given(fixture: ast.stmt) -> ast.stmt:
    """A fixture as a function that returns its data: `given_data()`."""
    assert isinstance(fixture, ast.FunctionDef)
    function = copy.copy(fixture)
    function.name, function.decorator_list = f"given_{fixture.name}", []
    return function


def is_test_class(node: ast.ClassDef) -> bool:
    """Whether pytest looks for tests in it."""
    return node.name.startswith("Test") or any("TestCase" in ast.unparse(base) for base in node.bases)


def names_bound(node: ast.stmt) -> set[str]:
    """What a statement of a module defines."""
    if isinstance(node, Function | ast.ClassDef):
        return {node.name}
    if isinstance(node, ast.Import | ast.ImportFrom):
        return {(a.asname or a.name).partition(".")[0] for a in node.names}
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


def names_used(nodes: Iterable[ast.AST]) -> set[str]:
    """The names that are read anywhere in these."""
    return {n.id for node in nodes for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}


def needed(statements: Sequence[ast.stmt], by: Iterable[ast.AST]) -> list[ast.stmt]:
    """Those of a module's statements that define what is read, and what they read in turn, in their order."""
    wanted, found = names_used(by), set[int]()
    while new := [s for s in statements if id(s) not in found and names_bound(s) & wanted]:
        found |= {id(s) for s in new}
        wanted |= names_used(new)
    return [s for s in statements if id(s) in found]
