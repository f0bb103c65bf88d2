"""Derive the answers of an oral exam anew: a plain Python process that knows torch and the printed sheet, not the kit.

Reads from standard input a JSON list of questions, each {code, change, kind, text, options, solution}: the lines of the
student's file, [sign, number, line] of the change, the words as printed, the source of a right solution. Writes the
list of the letters that are right for each, null where the sheet does not say enough.
"""

import contextlib
import inspect
import io
import itertools
import json
import math
import re
import subprocess
import sys
import types
import warnings
import zlib

import numpy as np
import torch

SHAPED = re.compile(r"(?:(?P<name>\b[A-Za-z_]\w*) )?(?:(?P<count>\d+) x )?(?P<shape>\[[\d, ]*\])(?P<dtype> b?float\d+)")
DEFAULT = re.compile(r"(\b[A-Za-z_]\w* \[[\d, ]*\])(?! b?(?:float|int|bool))")
SPREADS = (1.0, 3.0)  # of the numbers that are drawn where only shapes are told
NONE = "none of these"
SEED = 1706  # from which the sandbox starts the global generators before each call


def right(question):
    """The letters of the right options."""
    before, options = "\n".join(question["code"]), question["options"]
    after = changed(question["code"], question["change"]) if question["change"] else question["solution"]
    match question["kind"]:
        case "input" | "wrong":
            told = [option != NONE and differ(before, after, option) for option in options]
            told = [not any(told) if option == NONE else told[i] for i, option in enumerate(options)]
        case "result":
            call = re.search(r"what does (.*) give\?", question["text"])[1]
            value = ran(after, call)
            told = [says(option, value) for option in options]
        case "predict":
            call, name, line = re.search(r"For (.*): .* `(\w+)` after line (\d+)", question["text"]).groups()
            told = [option == str(list(seen(before, call)[name, int(line)][-1].shape)) for option in options]
        case "trace":
            call, name = re.search(r"For (.*): .* `([^`]*)` has ", question["text"]).groups()
            one, other = seen(before, call), seen(before, call, name)
            told = [not same(after_line(one, option), after_line(other, option)) for option in options]
    return [letter for letter, is_right in zip("abcdefghij", told, strict=False) if is_right]


def changed(lines, change):
    gone = [number for sign, number, _ in change if sign == "-"]
    return "\n".join([*lines[: gone[0] - 1], *(text for sign, _, text in change if sign == "+"), *lines[gone[-1] :]])


def differ(before, after, call):
    """Whether two sources give other results for a call; whatever is drawn, where only shapes are told."""
    found = {not same(ran(before, call, spread), ran(after, call, spread)) for spread in SPREADS}
    assert len(found) == 1, f"{call}: it depends on the numbers"
    return found.pop()


def same(one, other):
    if isinstance(one, Exception) or isinstance(other, Exception):
        return type(one) is type(other)
    if isinstance(one, torch.Tensor) and isinstance(other, torch.Tensor):
        alike = one.shape == other.shape and one.dtype == other.dtype
        return alike and near(one.detach().double(), other.detach().double(), one.dtype.itemsize == 2)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, float) and isinstance(other, float):
        return one == other or abs(one - other) <= 1e-3 * abs(one) or (one != one and other != other)
    return type(one) is type(other) and one == other


def near(one, other, half):
    """Whether two tensors are the same but for rounding, measured by the largest entry."""
    finite = one.isfinite()
    special, others = (t[~t.isfinite()].nan_to_num(0.5) for t in (one, other))
    if not torch.equal(finite, other.isfinite()) or not torch.equal(special, others):
        return False
    one, other = one[finite], other[finite]
    return one.numel() == 0 or bool((one - other).abs().max() <= (0.05 if half else 1e-3) * one.abs().max())


def says(option, value):
    """Whether an option, as printed, tells of this value."""
    shape = r"shape (\[[\d, ]*\])( (?:b?float|u?int|bool)\d*)?"
    text = re.sub(shape, lambda m: f"of({m[1]}, '{(m[2] or ' float32').strip()}')", option)
    names = {"inf": float("inf"), "nan": float("nan"), "of": lambda shape, dtype: (Shape, shape, dtype)}
    return told(eval(text.replace("...", "Ellipsis"), names), value)


class Shape:
    """Marks what the sheet tells of a tensor too large to be written."""


def last_digit(value):
    """What the last of the three digits counts that a sheet writes of a number."""
    return 10.0 ** (math.floor(math.log10(abs(value))) - 2) if value and math.isfinite(value) else 0.0


def told(said, value):
    if isinstance(said, tuple) and said[:1] == (Shape,):
        return isinstance(value, torch.Tensor) and said[1:] == (list(value.shape), str(value.dtype).split(".")[1])
    if isinstance(value, torch.Tensor):
        value = value.tolist()
    if isinstance(said, set):
        return True  # a dict that is cut off
    if isinstance(said, dict) and isinstance(value, dict):
        return said.keys() == value.keys() and all(told(said[key], value[key]) for key in said)
    if isinstance(said, list | tuple) and isinstance(value, list | tuple):
        short = [*said[:-1]] if said[-1:] in ([...], (...,)) else said
        fits = len(short) == len(value) if short is said else len(short) < len(value)
        return fits and all(map(told, short, value))  # a list counts as the tuple that is asked for
    if isinstance(said, bool) != isinstance(value, bool):
        return False
    if isinstance(said, int | float) and isinstance(value, int | float):
        return said == value or (isinstance(value, float) and abs(said - value) <= 0.51 * last_digit(value))
    return said == value


def ran(source, call, spread=1.0, other=None, trace=None):
    """What the call gives, or the exception; `other` names the input that gets other values."""
    torch.manual_seed(SEED)
    np.random.seed(SEED)
    module = types.ModuleType("student")
    sys.modules["student"] = module
    draw = Draw(spread)
    text = DEFAULT.sub(r"\1 float32", call.replace("device=cpu", "device='cpu'"))
    about = {name: value for name, value in vars(torch).items() if isinstance(value, torch.dtype)}
    about |= {"torch": torch, "inf": float("inf"), "nan": float("nan"), "tensor": torch.tensor, "made": draw}
    maker, _, given = SHAPED.sub(_made, text).partition(" called with ")
    try:
        exec(compile(source, "student.py", "exec"), vars(module))
        about |= vars(module)
        if given:
            function = eval(maker, about)
            function.load_state_dict({k: draw([*v.shape], k) for k, v in function.state_dict().items()})
        else:
            name, arguments = maker.split("(", 1)
            function, given = about[name], f"({arguments}"
        args, kwargs = eval(f"(lambda *a, **k: (a, k)){given}", about)
        for value in (v for v in kwargs.values() if isinstance(v, torch.Tensor) and v.is_floating_point()):
            function = function.to(value.dtype) if isinstance(function, torch.nn.Module) else function
        bound = bound_to(function, args, kwargs)
        if other:
            altered(function, bound.arguments, other)
        sys.settrace(trace)
        return function(*bound.args, **bound.kwargs)
    except Exception as error:
        return error
    finally:
        sys.settrace(None)


def bound_to(function, args, kwargs):
    """The arguments under the student's names, which need not be those on the sheet: the order is the same."""
    signature = inspect.signature(function)
    known = kwargs.keys() <= signature.parameters.keys()
    return signature.bind(*args, **kwargs) if known else signature.bind(*args, *kwargs.values())


def _made(match):
    dtype, shape = match["dtype"].strip(), match["shape"]
    one = f"made({shape}, '{match['name']}').to({dtype})"
    several = f"[made({shape}, str(i)).to({dtype}) for i in range({match['count']})]" if match["count"] else one
    return f"{match['name']}={several}" if match["name"] and not match["count"] else several


class Draw:
    """Numbers that follow from the name of an input, so that two runs get the same."""

    def __init__(self, spread):
        self.spread, self.often = spread, itertools.count()

    def __call__(self, shape, name):
        seed = zlib.crc32(name.encode()) + (next(self.often) if name == "None" else 0)
        return self.spread * torch.randn(shape, generator=torch.Generator().manual_seed(seed))


def altered(function, arguments, name):
    """Give the input of this name (`v`, `W[2]`, `w_v.weight`) other values; of a mask the last entry."""
    state = function.state_dict() if isinstance(function, torch.nn.Module) else {}
    first, *path = re.findall(r"[^\[\].]+", name)
    if name in state:
        value = state[name]
    else:
        value = arguments[first]
        for step in path:
            value = value[int(step) if step.isdigit() else step]
    with torch.no_grad():
        if value.is_floating_point():
            value.mul_(0.5).add_(torch.linspace(-0.7, 1.9, value.numel(), dtype=value.dtype).reshape(value.shape))
        else:
            last = tuple(n - 1 for n in value.shape)
            value[last] = ~value[last] if value.dtype is torch.bool else value[last] + 1


def after_line(values, option):
    """What a variable was, wherever it was bound or after the line that is named."""
    name, line = re.fullmatch(r"`(\w+)`(?:, line (\d+))?", option).groups()
    return [v for (n, at), found in values.items() if n == name and line in (None, str(at)) for v in found]


def seen(source, call, other=None):
    """Of each variable and line the values that it had there, after the line."""
    found, before = {}, {}

    def trace(frame, event, argument):
        if frame.f_code.co_filename != "student.py":
            return None
        if event != "call":
            for name, value in frame.f_locals.items():
                if isinstance(value, torch.Tensor):
                    found.setdefault((name, before[frame]), []).append(value.clone())
        before[frame] = frame.f_lineno
        return trace

    result = ran(source, call, other=other, trace=trace)
    assert not isinstance(result, Exception), result
    return found


def rederived(asked, solutions):
    """The right letters of each question of (sheet, question), None where they cannot be told, and why: by a process of
    its own that is told what is printed."""
    told = [
        {
            "code": sheet.code[question.exercise],
            "change": [[line.sign, line.number, line.text] for line in question.change],
            "kind": question.kind,
            "text": question.text.to("en"),
            "options": [option.text.to("en") for option in question.options],
            "solution": (solutions / f"{question.exercise}.py").read_text(encoding="utf-8"),
        }
        for sheet, question in asked
    ]
    command = [sys.executable, "-I", __file__]
    done = subprocess.run(command, input=json.dumps(told), capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    return found["answers"], found["errors"]


def main():
    torch.set_num_threads(1)
    answers, errors = [], []
    for question in json.load(sys.stdin):
        try:
            with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings(action="ignore"):
                answers.append(right(question))
        except (AssertionError, SyntaxError, KeyError, NameError, TypeError, AttributeError, ValueError) as error:
            answers.append(None)
            errors.append(f"{question['kind']}: {question['text']}: {type(error).__name__}: {error}")
    json.dump({"answers": answers, "errors": errors}, sys.stdout)


if __name__ == "__main__":
    main()
