"""What a teacher's test asserts, as what a check does: read with `ast`, never run.

Where a test compares a result with a value, the check compares the student's result with the solution's, and the
solution's with the value. Any other assertion about a result stays as it is and becomes what the check expects.
"""

from __future__ import annotations

import ast
import copy
import dataclasses
from collections.abc import Sequence
from typing import Any

from grader.authoring.pytest_files import Function, PytestFile
from grader.texts import one_line

# Names of the tolerances and what they are where nothing is said; None: what is usual for a check.
CLOSE: dict[str, tuple[str, str, tuple[float, float] | None]] = {
    "pytest.approx": ("rel", "abs", (1e-6, 1e-12)),
    "numpy.allclose": ("rtol", "atol", (1e-5, 1e-8)),
    "numpy.isclose": ("rtol", "atol", (1e-5, 1e-8)),
    "torch.allclose": ("rtol", "atol", (1e-5, 1e-8)),
    "math.isclose": ("rel_tol", "abs_tol", (1e-9, 0.0)),
    "numpy.testing.assert_allclose": ("rtol", "atol", (1e-7, 0.0)),
    "torch.testing.assert_close": ("rtol", "atol", None),
    "numpy.array_equal": ("", "", None),
    "torch.equal": ("", "", None),
    "numpy.testing.assert_array_equal": ("", "", None),
    "numpy.testing.assert_equal": ("", "", None),
}
AS_EXPRESSION = {
    "numpy.testing.assert_allclose": "np.allclose", "numpy.testing.assert_array_equal": "np.array_equal",
    "numpy.testing.assert_equal": "np.array_equal",
}  # fmt: skip
STATEMENTS = ast.Assert | ast.Expr
COMPOUND = ast.For | ast.If | ast.With


class Untranslatable(Exception):
    """Why a test cannot become a check."""


@dataclasses.dataclass
class Check:
    """A test, translated: the student's module, the check's name, title and lines, and what it calls and allows."""

    name: str
    title: str
    modules: set[str] = dataclasses.field(default_factory=set)
    body: list[ast.stmt] = dataclasses.field(default_factory=list)
    fixtures: set[str] = dataclasses.field(default_factory=set)
    calls: list[tuple[str, ast.Call]] = dataclasses.field(default_factory=list)
    allowed: dict[str, tuple[float, float]] = dataclasses.field(default_factory=dict)

    @property
    def module(self) -> str:
        return next(iter(self.modules))


class Body:
    """Translates the statements of one test."""

    def __init__(self, file: PytestFile, test: Function, check: Check) -> None:
        self._file, self._check = file, check
        self._results: dict[str, ast.Call] = {}
        asserted = [
            getattr(n, "test", None) or getattr(n, "value", n) for n in ast.walk(test) if isinstance(n, STATEMENTS)
        ]
        compared = {id(side) for node in asserted if node for side in self._sides(node)}
        loads = [n for n in ast.walk(test) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)]
        self._seen_otherwise = {n.id for n in loads if id(n) not in compared}

    def statements(self, found: Sequence[ast.stmt]) -> list[ast.stmt]:
        return [new for s in found for new in self._statement(s)]

    def _statement(self, s: ast.stmt) -> list[ast.stmt]:
        if isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant):
            return []
        if self._file.is_import_of_student(s):
            return []
        if isinstance(s, ast.Assert):
            return self._asserted(s, s.test, s.msg)
        if isinstance(s, ast.Expr) and isinstance(s.value, ast.Call) and self._close(s.value):
            return self._asserted(s, s.value, None)
        if isinstance(s, ast.With) and self._raises(s.items[0].context_expr):
            return self._refused(s)
        if isinstance(s, COMPOUND):
            return [self._compound(s)]
        if not self._file.mentions(s):
            return [s]
        if isinstance(s, ast.Assign):
            return self._assigned(s)
        raise Untranslatable(f"line {s.lineno}: cannot tell what `{_said(s)}` asserts")

    def _compound(self, s: ast.For | ast.If | ast.With) -> ast.stmt:
        head = s.items if isinstance(s, ast.With) else [s.iter] if isinstance(s, ast.For) else [s.test]
        if any(map(self._file.mentions, head)):
            raise Untranslatable(f"line {s.lineno}: `{_said(s)}` depends on what the student's code returns")
        new = copy.copy(s)
        new.body = self.statements(s.body) or [ast.Pass()]
        if isinstance(new, ast.For | ast.If):
            new.orelse = self.statements(new.orelse)
        return new

    def _assigned(self, s: ast.Assign) -> list[ast.stmt]:
        """A result that is only compared with values is the solution's; any other is the student's."""
        call, name = self._call(s.value), s.targets[0].id if isinstance(s.targets[0], ast.Name) else ""
        if call and name and len(s.targets) == 1 and name not in self._seen_otherwise:
            self._results[name] = call
            of_solution = ast.Assign(s.targets, self._put(call, "reference"), lineno=s.lineno)
            return [ast.Expr(self._put(call, "matches_reference")), of_solution]
        return [ast.Assign(s.targets, self._put(s.value, "student"), lineno=s.lineno)]

    def _asserted(self, s: ast.stmt, test: ast.expr, msg: ast.expr | None) -> list[ast.stmt]:
        for side in self._sides(test):
            call = self._results.get(side.id) if isinstance(side, ast.Name) else self._call(side)
            if call is None:
                continue
            self._allow(call, test)
            first = [] if isinstance(side, ast.Name) else [ast.Expr(self._put(call, "matches_reference"))]
            proof = self._put(s, "reference")
            if isinstance(proof, ast.Assert):
                proof.msg = ast.Constant(f"the solution fails: {_said(test)}")
            return [*first, proof]
        return [self._expected(s, test, msg)]

    def _expected(self, s: ast.stmt, test: ast.expr, msg: ast.expr | None) -> ast.stmt:
        if not isinstance(s, ast.Assert):
            assert isinstance(test, ast.Call)
            name = self._file.called(test.func)
            if name not in AS_EXPRESSION:
                raise Untranslatable(f"line {s.lineno}: `{_said(s)}` compares something other than a result")
            given = {k.arg for k in test.keywords} | {*("rtol", "atol")[: len(test.args) - 2]}
            usual = zip(("rtol", "atol"), CLOSE[name][2] or (), strict=False)
            more = [ast.keyword(k, ast.Constant(v)) for k, v in usual if k not in given]
            function = ast.parse(AS_EXPRESSION[name], mode="eval").body
            test = ast.Call(function, test.args, [*(k for k in test.keywords if k.arg in ("rtol", "atol")), *more])
        said = msg or ast.Constant(f"`{_said(s)}` does not hold".replace("`assert ", "`"))
        self._check.fixtures.add("expect")
        return ast.Expr(ast.Call(ast.Name("expect", ast.Load()), [self._put(test, "student"), said], []))

    def _refused(self, s: ast.With) -> list[ast.stmt]:
        raises = s.items[0].context_expr
        assert isinstance(raises, ast.Call)
        wanted = ast.unparse(raises.args[0]) if raises.args else "nothing"
        if wanted != "ValueError":
            raise Untranslatable(f"line {s.lineno}: expects {wanted}; a check asks for ValueError alone")
        if s.items[0].optional_vars:
            raise Untranslatable(f"line {s.lineno}: looks at the exception itself")
        *before, last = s.body
        call = self._call(last.value) if isinstance(last, ast.Expr | ast.Assign) else None
        if call is None or any(map(self._file.mentions, before)):
            raise Untranslatable(f"line {s.lineno}: what should raise is not one call of the student's code")
        return [*before, ast.Expr(self._put(call, "raises_value_error"))]

    def _raises(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Call) and self._file.called(node.func) == "pytest.raises"

    def _close(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Call) and self._file.called(node.func) in CLOSE

    def _call(self, node: ast.AST) -> ast.Call | None:
        """The node, where it is a call of the student's code with values that do not come from there."""
        if not isinstance(node, ast.Call) or not self._file.student(node.func):
            return None
        given = [*node.args, *(k.value for k in node.keywords)]
        return None if any(map(self._file.mentions, given)) else node

    def _sides(self, node: ast.AST) -> list[Any]:
        """What a comparison compares, where one side is a result by itself and the other a value: the result."""
        pair: list[ast.expr] = []
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], ast.Eq | ast.Is):
            pair = [node.left, node.comparators[0]]
        elif isinstance(node, ast.Call) and self._close(node) and len(node.args) >= 2:
            pair = node.args[:2]
        of_student = [p for p in pair if self._file.mentions(p)]
        if len(of_student) == 1:
            return of_student if self._call(of_student[0]) else []
        return [] if of_student else [p for p in pair if isinstance(p, ast.Name)]

    def _allow(self, call: ast.Call, test: ast.expr) -> None:
        """Note what the comparison allows; the widest of a function's counts."""
        closes = [n for n in ast.walk(test) if isinstance(n, ast.Call) and self._close(n)]
        function = self._named(call)[1]
        for close in closes:
            relative, absolute, usual = CLOSE[self._file.called(close.func)]
            behind = 1 if relative == "rel" else 2
            given: dict[str | None, ast.expr] = dict(zip((relative, absolute), close.args[behind:], strict=False))
            given |= {k.arg: k.value for k in close.keywords}
            if usual is None and not {relative, absolute} <= {*given}:
                continue
            values = [
                _number(given[k]) if k in given else v
                for k, v in zip((relative, absolute), usual or (0, 0), strict=True)
            ]
            before = self._check.allowed.get(function, (0.0, 0.0))
            self._check.allowed[function] = max(values[0], before[0]), max(values[1], before[1])

    def _named(self, call: ast.Call) -> tuple[str, str]:
        named = self._file.student(call.func)
        assert named
        return named

    def _put(self, node: Any, fixture: str) -> Any:
        """A copy in which `fixture` makes the student's calls."""
        return _Calls(self._file, self._check, fixture).visit(copy.deepcopy(node))


class _Calls(ast.NodeTransformer):
    """`f(x)` becomes `student.f(x)`."""

    def __init__(self, file: PytestFile, check: Check, fixture: str) -> None:
        self._file, self._check, self._fixture = file, check, fixture

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if named := self._file.student(node.func):
            module, function = named
            if function[:1].isupper():
                raise Untranslatable(f"makes an object of the student's class {function}; see `made` in the docs")
            self._check.modules.add(module)
            self._check.fixtures.add(self._fixture)
            self._check.calls.append((function, node))
            node.func = ast.Attribute(ast.Name(self._fixture, ast.Load()), function, ast.Load())
            node.args = [self.visit(a) for a in node.args]
            node.keywords = [self.visit(k) for k in node.keywords]
            return node
        return self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if named := self._file.student(node):
            raise Untranslatable(f"hands {named[1]} itself over, or uses it without calling it")
        return node


def _number(node: ast.expr) -> float:
    try:
        return float(ast.literal_eval(node))
    except (ValueError, TypeError) as error:
        raise Untranslatable(f"allows `{_said(node)}`, which is not a number written out") from error


def _said(node: ast.AST) -> str:
    return one_line(ast.unparse(node).splitlines()[0], 100)
