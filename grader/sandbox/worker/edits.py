"""Finds single changes of a student's source that change its meaning; it is parsed, never run."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from grader.sandbox.processes.worker_messages import LONGEST_EDIT, MOST_EDITS, Edit, EditKind, Edits, FindEdits
from grader.sandbox.worker.notebook_code import readable

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_COMPARED: dict[type[ast.cmpop], str] = {ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">"}
_SIGNS: dict[type[ast.cmpop], str] = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
_OPERATORS = (ast.Sub, ast.Div, ast.Mult, ast.Add)
_UNARY = (ast.Invert, ast.Not)
_Span = tuple[EditKind, int, int, str]


def find(asked: FindEdits) -> Edits:
    """Return the possible changes inside functions, in the order of the source.

    Raises:
        SyntaxError: the source is not Python; also if the parser cannot take it (RecursionError, MemoryError).
    """
    return Edits(tuple(_EditFinder(asked.source).found()[:MOST_EDITS]))


class _EditFinder:
    def __init__(self, source: str) -> None:
        self._source = source
        lines = [*_LINE.finditer(source)]
        self._starts, self._lines = [line.start() for line in lines], [line.group() for line in lines]
        self._prompts = [0] * len(self._lines)
        self._body = self._statements()
        self._modules = {
            (a.asname or a.name).partition(".")[0]
            for node in self._body
            if isinstance(node, ast.Import | ast.ImportFrom)
            for a in node.names
        }

    def _statements(self) -> list[ast.stmt]:
        """Return the statements of the source, also of a paste: prompts stay before the lines."""
        text, body = readable(self._source)
        if text is self._source:
            return body
        for number, line in enumerate(text.split("\n")):
            whole = self._lines[number].rstrip("\r\n")
            self._prompts[number] = len(whole) - len(line) if line and whole.endswith(line) else 0
        return body

    def found(self) -> list[Edit]:
        """Return every edit once."""
        spans: dict[_Span, None] = {}
        nodes = (node for statement in self._body for node in ast.walk(statement))
        for function in (node for node in nodes if isinstance(node, ast.FunctionDef)):
            for default in (*function.args.defaults, *function.args.kw_defaults):
                if default is not None:
                    spans.update(dict.fromkeys(self._number(default)))
            for statement in _working(function.body):
                spans.update(dict.fromkeys(self._statement(statement)))
        edits = [Edit(*span) for span in sorted(spans, key=lambda s: (s[1], s[2]))]
        return [e for e in edits if len(e.text) <= LONGEST_EDIT and self._source[e.start : e.end] != e.text]

    def _statement(self, statement: ast.stmt) -> Iterator[_Span]:
        """Yield the removal of a statement, and the changes within it."""
        again = isinstance(statement, ast.Assign) and _assigns_again(statement)
        guards = isinstance(statement, ast.If) and not statement.orelse and len(statement.body) == 1
        if again or guards or isinstance(statement, ast.AugAssign | ast.Expr):
            start, end = self._place(statement)
            comment = re.compile(r"[ \t]*#[^\r\n]*").match(self._source, end)  # which says what is not there any more
            yield "line", start, comment.end() if comment else end, "pass"
        for node in _inside(statement):
            yield from self._expression(node)

    def _expression(self, node: ast.expr) -> Iterator[_Span]:
        match node:
            case ast.BinOp(left=left, op=op, right=right):
                if isinstance(op, _OPERATORS):
                    yield ("drop", *self._place(node), self._operand(node))
                if isinstance(op, ast.MatMult | ast.Sub | ast.Div):
                    yield self._exchanged(left, right, bound=True)
            case ast.UnaryOp(op=op, operand=operand) if isinstance(op, _UNARY):
                yield ("drop", *self._place(node), self._text(operand))
            case ast.Compare(ops=[op], left=left, comparators=[right]) if type(op) in _COMPARED:
                between = self._place(left)[1], self._place(right)[0]
                said = self._source[slice(*between)].replace(_SIGNS[type(op)], _COMPARED[type(op)])
                yield ("compare", *between, said)
            case ast.Call():
                yield from self._call(node)
            case ast.Attribute(value=value, attr="T" | "mT"):
                yield ("drop", *self._place(node), self._text(value))
            case ast.List(elts=[one, other]) | ast.Tuple(elts=[one, other]):
                if isinstance(getattr(node, "ctx", None), ast.Load):
                    yield self._exchanged(one, other)
        yield from self._number(node)

    def _call(self, node: ast.Call) -> Iterator[_Span]:
        """Yield the call left out, its named arguments left out, its other arguments in another order."""
        of_module = isinstance(node.func, ast.Attribute) and _root(node.func) in self._modules
        plain = not any(isinstance(a, ast.Starred) for a in node.args)
        if isinstance(node.func, ast.Attribute) and not of_module:
            yield ("drop", *self._place(node), self._text(node.func.value))
        elif of_module and plain and len(node.args) == 1:
            yield ("drop", *self._place(node), self._text(node.args[0]))
        for keyword in node.keywords:
            start, end = self._place(keyword)
            between = re.search(r",\s{,99}\Z", self._source[max(0, start - 100) : start])
            if keyword.arg and between:
                yield "drop", start - len(between.group()), end, ""
        if plain:
            for one, other in zip(node.args, node.args[1:], strict=False):
                yield self._exchanged(one, other)

    def _number(self, node: ast.expr) -> Iterator[_Span]:
        """Yield another number for a small one, 0 for an infinite one."""
        if _infinite(node):
            yield ("number", *self._place(node), "0.0")
        value = _literal(node)
        if type(value) is int and abs(value) <= 4:
            for other in {-1: ("0", "-2"), -2: ("-1", "0"), 0: ("1", "-1"), 1: ("0", "2"), 2: ("1", "3")}.get(
                value, ()
            ):
                yield ("number", *self._place(node), other)
        elif type(value) is float and abs(value) < 10:
            yield ("number", *self._place(node), "1.0" if value != 1.0 else "2.0")

    def _exchanged(self, one: ast.expr, other: ast.expr, bound: bool = False) -> _Span:
        (start, middle), (second, end) = self._place(one), self._place(other)
        return "order", start, end, self._text(other, bound) + self._source[middle:second] + self._text(one, bound)

    def _operand(self, node: ast.BinOp) -> str:
        """Return the left operand with its parentheses, which are not part of it in the tree."""
        start, end = self._place(node)[0], self._place(node.left)[1]
        closed = re.match(r"[\s)]*\)", self._source[end : self._place(node.right)[0]])
        return self._source[start : end + (closed.end() if closed else 0)]

    def _text(self, node: ast.expr, bound: bool = True) -> str:
        """Return the text of an expression for use elsewhere; `bound`: beside an operator or a dot."""
        text = self._source[slice(*self._place(node))]
        loose = isinstance(
            node, ast.BinOp | ast.BoolOp | ast.Compare | ast.IfExp | ast.Lambda | ast.NamedExpr | ast.UnaryOp
        )
        return f"({text})" if loose and bound else text

    def _place(self, node: ast.expr | ast.stmt | ast.keyword) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._at(node.lineno, node.col_offset), self._at(node.end_lineno, node.end_col_offset)

    def _at(self, line: int, column: int) -> int:
        """Return the index of the character at a line and a column in bytes."""
        prompt = self._prompts[line - 1]
        said = self._lines[line - 1][prompt:].encode()[:column]
        return self._starts[line - 1] + prompt + len(said.decode("utf-8", "ignore"))


def _working(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of a function, those of its blocks too; inner functions are separate functions."""
    for statement in body:
        if isinstance(statement, ast.FunctionDef | ast.ClassDef | ast.Raise | ast.Assert | ast.Import | ast.ImportFrom):
            continue
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            continue  # a docstring
        yield statement
        for block in ("body", "orelse", "finalbody"):
            yield from _working(getattr(statement, block, []))


def _inside(statement: ast.stmt) -> Iterator[ast.expr]:
    """Yield the expressions of a statement, without those of its blocks, its targets and its annotations."""
    left: list[ast.AST] = [
        value
        for name, value in ast.iter_fields(statement)
        if isinstance(value, ast.expr) and name not in ("target", "annotation")
    ]
    while left:
        node = left.pop()
        if isinstance(node, ast.expr):
            yield node
        if not isinstance(node, ast.Lambda | ast.JoinedStr) and _literal(node) is None:
            left.extend(ast.iter_child_nodes(node))


def _assigns_again(statement: ast.Assign) -> bool:
    """Return True if a name gets a new value made of its old one: without the line it keeps the old one."""
    names = {t.id for t in statement.targets if isinstance(t, ast.Name)}
    return any(isinstance(n, ast.Name) and n.id in names for n in ast.walk(statement.value)) or any(
        isinstance(t, ast.Subscript) for t in statement.targets
    )


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _literal(node: ast.AST) -> object:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = _literal(node.operand)
        return -value if isinstance(value, int | float) and not isinstance(value, bool) else None
    return node.value if isinstance(node, ast.Constant) else None


def _infinite(node: ast.expr) -> bool:
    """Return True for `-math.inf`, `-float("inf")`, `float("-inf")` and -1e9, which absorb any sum."""
    inner = node.operand if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) else None
    value = _literal(node)
    if isinstance(inner, ast.Attribute):
        return inner.attr in ("inf", "infty")
    called = inner if isinstance(inner, ast.Call) else node
    if isinstance(called, ast.Call) and _root(called.func) == "float" and len(called.args) == 1:
        argument = called.args[0]
        sign = "" if called is inner else "-"
        return isinstance(argument, ast.Constant) and str(argument.value).lower() in (f"{sign}inf", f"{sign}infinity")
    return type(value) in (int, float) and value <= -1000  # type: ignore[operator] # a number
