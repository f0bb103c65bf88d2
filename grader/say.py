"""What a check tells the student: sentences built from shapes, dtypes and differences."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import torch

from grader import wire
from grader.excerpt import Compared
from grader.target import Raised
from grader.words import Text, plain

FOR_CALL = Text("{call}: {problem}", "{call}:{problem}")
NOT_STARTED = Text(
    "not started: the function still raises NotImplementedError", "尚未开始：函数仍抛出 NotImplementedError"
)
RAISES = Text("raises {type}{where}: {message}", "抛出 {type}{where}:{message}")
RAISES_BARE = Text("raises {type}{where}", "抛出 {type}{where}")
ON_LINE = Text(" on line {line}", "（第 {line} 行）")
EXITS = Text(
    "ends the program ({type}{where}) instead of returning a value", "没有返回值，而是结束了程序({type}{where})"
)
AT_IMPORT = Text("while the file was imported: {reason}", "导入文件时：{reason}")
SYNTAX = Text(
    "{type} in {file}, line {line}, column {column}: {message}", "{file} 第 {line} 行第 {column} 列有 {type}:{message}"
)
CANNOT_IMPORT = Text("the file cannot be imported: it {problem}", "文件无法导入：{problem}")
NOT_DEFINED = Text("{file} does not define {wanted}; it defines {found}", "{file} 没有定义 {wanted}；它定义了 {found}")
NOTHING = Text("nothing", "（无）")
NO_MEMORY = Text("runs out of memory{where}", "内存不足{where}")
NO_THREAD = Text("starts more threads than allowed{where}", "启动的线程数超过限制{where}")
NO_FILE = Text("opens more files than allowed{where}", "打开的文件数超过限制{where}")
TOO_DEEP = Text("calls itself too deeply{where}", "递归调用过深{where}")
CANNOT_CROSS = Text("returns a value that cannot be taken: {message}", "返回的值无法接收：{message}")
BLOCKED = Text(
    "tries something that the sandbox does not allow{where}: {message}", "试图进行沙箱不允许的操作{where}:{message}"
)
NO_GRADIENT = Text("no gradient reaches {name}", "梯度没有传到 {name}")
WRONG_GRADIENT = Text("the gradient of {name} is off by {difference}", "{name} 的梯度相差 {difference}")
CHANGED = Text("changes its input {names} in place", "就地修改了输入 {names}")
NO_ERROR = Text("returns a value where ValueError is due", "应当抛出 ValueError，却返回了值")
OTHER_ERROR = Text("{problem}, where ValueError is due", "{problem}；此处应当抛出 ValueError")
NOT_FOLLOWED = Text(
    "not checked without a GPU: this code cannot be followed on a pretended one",
    "没有 GPU 时无法检查：模拟的设备无法执行这段代码",
)
THE_RESULT = Text("the result", "结果")
RESULT_NUMBER = Text("result {number}", "第 {number} 个结果")
DIFFERS = Text(
    "{part} is off by up to {difference} ({wrong} of {total} entries; at {where} it is {got}, expected {want})",
    "{part}最多相差 {difference}（共 {total} 个元素，错 {wrong} 个；位置 {where} 处为 {got}，应为 {want}）",
)
IS_NAN = Text(
    "{part} holds NaN ({wrong} of {total} entries are wrong; at {where} expected {want})",
    "{part}含有 NaN（共 {total} 个元素，错 {wrong} 个；位置 {where} 处应为 {want}）",
)
WRONG_VALUE = Text("{part} is {got}, expected {want}", "{part}为 {got}，应为 {want}")
ON_OBJECT = Text("{new} called with {turns}", "{new} 以 {turns} 调用")
INPUTS = Text("input:\n{inputs}", "输入：\n{inputs}")
VALUES = Text("input:\n{inputs}\nexpected:\n{want}\ngot:\n{got}", "输入：\n{inputs}\n期望：\n{want}\n得到：\n{got}")
SHOWN_ELEMENTS = 48
SHOWN_TURNS = 3


def call(function: str, arguments: Mapping[str, Any]) -> Text:
    """`softmax(x [2, 3, 5] float32, dim=1)`."""
    return plain(f"{function}({', '.join(f'{name}{_argument(value)}' for name, value in arguments.items())})")


def on_object(new: Text, turns: Sequence[Mapping[str, Any]]) -> Text:
    """`Block(8, 2) called with (x [2, 3, 8] float32), then with (x [2, 1, 8] float32)`."""
    said = [f"({', '.join(f'{name}{_argument(value)}' for name, value in turn.items())})" for turn in turns]
    more = f" ... ({len(said)} calls)" if len(said) > SHOWN_TURNS else ""
    return ON_OBJECT.format(new=new, turns=", ".join(said[:SHOWN_TURNS]) + more)


def _argument(value: Any) -> str:
    if isinstance(value, torch.Tensor):
        return f" {list(value.shape)} {short(value.dtype)}"
    return f"={_literal(value)}"


def _literal(value: Any) -> str:
    if isinstance(value, torch.Tensor):
        return f"{list(value.shape)} {short(value.dtype)}"
    if isinstance(value, list | tuple):
        inside = ", ".join(map(_literal, value))
        return f"[{inside}]" if isinstance(value, list) else f"({inside})"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{k!r}: {_literal(v)}' for k, v in value.items())}}}"
    return str(value) if isinstance(value, torch.device) else repr(value)


def short(dtype: torch.dtype) -> str:
    """`float32`."""
    return str(dtype).removeprefix("torch.")


BREACHES = (
    (("PermissionError", "BlockingIOError"), (), BLOCKED),
    (("MemoryError",), (), NO_MEMORY),
    (("RuntimeError",), ("can't allocate memory", "not enough memory"), NO_MEMORY),
    (("RuntimeError",), ("can't start new thread",), NO_THREAD),
    (("OSError",), ("[Errno 24]",), NO_FILE),
    (("RecursionError",), (), TOO_DEEP),
    (("BadValue",), (), CANNOT_CROSS),
)  # exception names, words of which the message holds one, what to say


def blocked(error: Raised) -> bool:
    """Whether the sandbox refused what the code tried."""
    return error.types[0] == "PermissionError"


def raised(error: Raised) -> Text:
    """An exception of the student's in a sentence."""
    where = ON_LINE.format(line=error.line) if error.line else plain("")
    if "NotImplementedError" in error.types and error.types[0] == "NotImplementedError":
        return NOT_STARTED
    if error.types[0] in ("SystemExit", "KeyboardInterrupt", "GeneratorExit"):
        return EXITS.format(type=error.types[0], where=where)
    message = " ".join(error.message.split())[:300]
    for names, words, sentence in BREACHES:
        if error.types[0] in names and (not words or any(w in message for w in words)):
            return sentence.format(where=where, message=message)
    return (RAISES if message else RAISES_BARE).format(type=error.types[0], where=where, message=message)


def import_failed(error: Raised, file: str) -> Text:
    """Why a file cannot be imported: a syntax error with its place, or an exception."""
    if "SyntaxError" in error.types:
        where = {"line": error.line or "?", "column": error.column or "?"}
        return SYNTAX.format(type=error.types[0], file=file, message=error.message[:300], **where)
    return CANNOT_IMPORT.format(problem=raised(error))


def kind(value: Any) -> str:
    """What a value is, in a word."""
    if isinstance(value, wire.Opaque):
        return value.type
    return "torch.Tensor" if isinstance(value, torch.Tensor) else type(value).__name__


def number(value: torch.Tensor | float) -> str:
    """Three digits."""
    return f"{float(value):.3g}"


def differs(compared: Compared) -> Text:
    """The largest difference, how many entries are wrong, and the worst of them."""
    part, actual, expected, right = compared
    difference = (actual.double() - expected).abs()
    wrong = difference.masked_fill(right, -1.0).nan_to_num(nan=float("inf"), posinf=float("inf"))
    where = (wrong == wrong.max()).nonzero()[0].tolist()  # torch.unravel_index would import sympy
    got, want = actual[tuple(where)].item(), expected[tuple(where)].item()
    facts = {"part": part, "where": where, "total": right.numel(), "wrong": int((~right).sum())}
    if actual.dtype.is_floating_point and bool(actual.isnan().any()):
        return IS_NAN.format(want=number(want), **facts)
    if actual.dtype is torch.bool:
        return DIFFERS.format(difference=1, got=bool(got), want=bool(want), **facts)
    one, other = apart(got, want)
    return DIFFERS.format(difference=number(wrong.max()), got=one, want=other, **facts)


def apart(one: float, other: float) -> tuple[str, str]:
    """Two numbers with as many digits as it takes to tell them apart, three at least."""
    for digits in range(3, 17):
        a, b = f"{one:.{digits}g}", f"{other:.{digits}g}"
        if a != b:
            break
    return a, b


def values(inputs: Sequence[torch.Tensor], compared: Compared, pictured: bool) -> Text | None:
    """Inputs, and unless they are pictured expected and actual values, where they are few enough to read."""
    if compared.actual.numel() > SHOWN_ELEMENTS or sum(t.numel() for t in inputs) > 2 * SHOWN_ELEMENTS:
        return None
    shown = "\n".join(_table(t) for t in inputs) or "-"
    if pictured:
        return INPUTS.format(inputs=shown)
    return VALUES.format(inputs=shown, want=_table(compared.expected), got=_table(compared.actual))


def _table(tensor: torch.Tensor) -> str:
    plain_tensor = tensor.detach().cpu()
    text = str(plain_tensor.double() if plain_tensor.is_floating_point() else plain_tensor)
    return re.sub(r", dtype=torch\.\w+", "", text).removeprefix("tensor(").removesuffix(")").replace("\n       ", "\n")
