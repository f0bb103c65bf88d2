"""A teacher's test as a check, with its parameters as loops; or why it cannot be one."""

from __future__ import annotations

import ast
import copy

from grader.authoring.pytest_bodies import Body, Check, Untranslatable
from grader.authoring.pytest_files import Function, PytestFile
from grader.texts import one_line


def translated_test(file: PytestFile, test: Function, inside: ast.ClassDef | None) -> Check:
    """The check. Raises Untranslatable."""
    written = (ast.get_docstring(test) or "").split("\n\n")[0].strip()
    words = test.name.removeprefix("test").strip("_").replace("_", " ")
    check = Check(test.name, one_line(written, 200) or f"{words[:1].upper()}{words[1:]}.")
    _refuse_surroundings(file, test, inside)
    loops = [_loop(file, d) for d in reversed(test.decorator_list) if _is_parametrize(d)]
    asked = [a.arg for a in test.args.args if a.arg != "self" and not any(a.arg in names for names, _ in loops)]
    data = [ast.Assign([ast.Name(name, ast.Store())], _given(file, name), lineno=test.lineno) for name in asked]
    body = [*data, *Body(file, test, check).statements(test.body)]
    for names, values in loops:
        head = f"for {', '.join(names)} in {values}: pass"
        loop = ast.parse(head).body[0]
        assert isinstance(loop, ast.For)
        loop.body = body
        body = [loop]
    check.body = body
    if not check.modules:
        raise Untranslatable("asserts nothing about a function of a student's module")
    if len(check.modules) > 1:
        raise Untranslatable(f"calls functions of {' and '.join(sorted(check.modules))}; a check calls those of one")
    return check


def _given(file: PytestFile, name: str, around: tuple[str, ...] = ()) -> ast.expr:
    """A call of what the suite keeps of a fixture, which must do no more than return data."""
    fixture = file.fixtures.get(name)
    if fixture is None or name in around:
        raise Untranslatable(f"uses the fixture {name}, which a check does not have; put its lines into the test")
    if name in file.tainted:
        raise Untranslatable(f"its fixture {name} calls the student's code; put its lines into the test")
    options = {k.arg for d in fixture.decorator_list if isinstance(d, ast.Call) for k in d.keywords}
    if options - {"scope"} or any(isinstance(n, ast.Yield | ast.YieldFrom) for n in ast.walk(fixture)):
        raise Untranslatable(f"its fixture {name} does more than return data; put its lines into the test")
    given = [_given(file, a.arg, (*around, name)) for a in fixture.args.args]
    return ast.Call(ast.Name(f"given_{name}", ast.Load()), given, [])


def _refuse_surroundings(file: PytestFile, test: Function, inside: ast.ClassDef | None) -> None:
    if isinstance(test, ast.AsyncFunctionDef):
        raise Untranslatable("is asynchronous")
    if inside and inside.bases:
        raise Untranslatable(f"is a method of the unittest class {inside.name}; write it as a function with assert")
    if inside and any(
        not isinstance(s, Function) or not s.name.startswith("test") for s in inside.body[_doc(inside) :]
    ):
        raise Untranslatable(f"its class {inside.name} sets something up; put those lines into the test")
    for decorator in (d for d in test.decorator_list if not _is_parametrize(d)):
        said = ast.unparse(decorator)
        if not said.startswith("pytest.mark.") or said.startswith(("pytest.mark.skip", "pytest.mark.xfail")):
            raise Untranslatable(f"is decorated with @{one_line(said, 60)}")
    for node in ast.walk(test):
        if isinstance(node, ast.Name) and node.id in file.tainted:
            raise Untranslatable(f"uses {node.id}, which calls the student's code outside of a test")
    if any(isinstance(s, Function) and "autouse=True" in ast.unparse(s).partition("def ")[0] for s in file.tree.body):
        raise Untranslatable("a fixture of its file is for every test; put its lines into the test")


def _doc(node: ast.ClassDef) -> int:
    return 1 if ast.get_docstring(node) else 0


def _is_parametrize(decorator: ast.expr) -> bool:
    return ast.unparse(decorator).startswith("pytest.mark.parametrize(")


def _loop(file: PytestFile, decorator: ast.expr) -> tuple[list[str], str]:
    """The names and the values of a `parametrize`."""
    assert isinstance(decorator, ast.Call)
    if len(decorator.args) != 2 or {k.arg for k in decorator.keywords} - {"ids"} or file.mentions(decorator):
        raise Untranslatable("is parametrized in an unusual way; names and values alone can be translated")
    try:
        said = ast.literal_eval(decorator.args[0])
    except ValueError as error:
        raise Untranslatable("is parametrized by names that are not written out") from error
    names = [n.strip() for n in (said.split(",") if isinstance(said, str) else said)]
    values = _Params(file, len(names)).visit(copy.deepcopy(decorator.args[1]))
    return names, ast.unparse(values)


class _Params(ast.NodeTransformer):
    """`pytest.param(1, 2, id="a")` becomes `(1, 2)`."""

    def __init__(self, file: PytestFile, names: int) -> None:
        self._file, self._names = file, names

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if self._file.called(node.func) != "pytest.param":
            return node
        if any(k.arg != "id" for k in node.keywords):
            raise Untranslatable("has a parameter with marks")
        return node.args[0] if self._names == 1 else ast.Tuple(node.args, ast.Load())
