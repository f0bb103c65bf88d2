"""Writes values as Python text from which a suite makes them again: numbers, arrays, tables, functions of tests."""

from __future__ import annotations

import ast
import inspect
import itertools
import math
import sys
import types
from typing import Any

import numpy as np

from grader.authoring import recipes
from grader.authoring.written_functions import definition, renamed

MOST = 2_000
"""Entries of an array that is written out."""
LONG = 80  # characters of an argument that gets a name
WHOLE = 1 << 63
NAME = "\0"  # stands for the name in a definition
SOLUTION = "__of_the_solution__"
"""What marks a function of the solution."""
TAKEN = {"np", "pd", "torch", "scipy", "points", "tolerance", "exact", "KNOWN"}  # names of a suite's own
DEEPEST = 12
NAMES = {"builtins": "", "math": "math.", "operator": "operator.", "numpy": "np.", "torch": "torch."}


class Unwritable(Exception):
    """A part of a value cannot be written; the message is a noun: "a Mock"."""


def called(value: Any) -> str:
    """Return a value's type as a sentence names it: "a generator", "a Fraction"."""
    kind = type(value).__name__
    return f"{'an' if kind[0] in 'aeiouAEIOU' else 'a'} {kind}"


class LiteralWriter:
    """Writes values as expressions over `np`, `torch`, `pd` and `scipy`.

    before: definitions that must stand above, by name: functions, and what these use. imports: lines for those.
    """

    def __init__(self) -> None:
        self.before: dict[str, str] = {}
        self.imports = set[str]()

    def text(self, value: Any, depth: int = 0) -> str:
        """Return the expression. Raises Unwritable."""
        if depth > DEEPEST:
            raise Unwritable("a value that is nested too deeply")
        if value is None or type(value) in (bool, str):
            return repr(value)
        if type(value) is int and abs(value) < WHOLE:
            return repr(value)
        if type(value) is float:
            return repr(value) if math.isfinite(value) else f"{'-' if value < 0 else ''}np.{str(value).lstrip('-')}"
        if type(value) is complex:
            return f"complex({self.text(value.real)}, {self.text(value.imag)})"
        if isinstance(value, np.ndarray | np.generic):
            return self._numpy(value)
        if isinstance(value, list | tuple | dict):
            return self._tree(value, depth + 1)
        packages = {"torch": self._torch, "pandas": self._pandas, "scipy.sparse": self._sparse}  # "" for other values
        for package, written in packages.items():
            if package in sys.modules and (found := written(sys.modules[package], value)):
                return found
        if callable(value):
            return self._function(value)
        if isinstance(value, np.random.Generator):
            seed: Any = getattr(value.bit_generator.seed_seq, "entropy", None)
            if value.bit_generator.state == np.random.default_rng(seed).bit_generator.state:
                return f"np.random.default_rng({seed})"
            raise Unwritable("a generator of random numbers that has been drawn from, or has no seed")
        raise Unwritable(called(value))

    def argument(self, name: str, value: Any) -> str:
        """Return the expression; a long one gets a name of its own above. Raises Unwritable."""
        said = self.text(value)
        return said if len(said) <= LONG else self._defined(name.upper(), f"{NAME} = {said}")

    def _tree(self, value: Any, depth: int) -> str:
        if type(value) not in (list, tuple, dict):
            raise Unwritable(called(value))
        if isinstance(value, dict):
            if not all(type(key) in (str, int) for key in value):
                raise Unwritable("a dict with keys that are neither texts nor whole numbers")
            return f"{{{', '.join(f'{k!r}: {self.text(v, depth)}' for k, v in value.items())}}}"
        items = [self.text(item, depth) for item in value]
        return f"[{', '.join(items)}]" if isinstance(value, list) else f"({', '.join(items)}{',' * (len(items) == 1)})"

    def _numpy(self, value: Any) -> str:
        if value.dtype.kind not in "biufcUmM" or value.dtype.names:
            raise Unwritable(f"an array of dtype {value.dtype}")
        array = np.asarray(value)
        if made := recipes.of_array(array):
            return made
        if array.size > MOST:
            raise Unwritable(f"an array of {array.size:,} entries, where at most {MOST:,} are written out")
        if array.dtype.kind in "mM":
            held, dtype = array.astype(str if array.dtype.kind == "M" else np.int64).tolist(), str(array.dtype)
        else:
            short = array.dtype.name in ("float16", "float32")
            held, dtype = (array.astype(str).astype(float) if short else array).tolist(), array.dtype.name
        said = self._tree(held, 1) if isinstance(held, list) else self.text(held)
        usual = array.size and np.array(held).dtype == array.dtype
        return f"np.array({said})" if usual or array.dtype.kind == "U" else f"np.array({said}, dtype={dtype!r})"

    def _sparse(self, module: Any, value: Any) -> str:
        if not isinstance(value, module.sparray | module.spmatrix):
            return ""
        self.imports.add("import scipy.sparse")
        family = "array" if isinstance(value, module.sparray) else "matrix"
        return f"scipy.sparse.{value.format}_{family}({self._numpy(value.toarray())})"

    def _torch(self, torch: Any, value: Any) -> str:
        if isinstance(value, torch.dtype | torch.device):
            return f"{value}" if isinstance(value, torch.dtype) else f"torch.device({str(value)!r})"
        if isinstance(value, torch.Generator):
            seed = value.initial_seed()
            if torch.equal(torch.Generator().manual_seed(seed).get_state(), value.get_state()):
                return f"torch.Generator().manual_seed({seed})"
            raise Unwritable("a torch.Generator that has been drawn from")
        if not isinstance(value, torch.Tensor):
            return ""
        plain = value.detach()
        found = recipes.of_tensor(torch, plain)
        if not found and (plain.layout is not torch.strided or not plain.is_cpu or plain.numel() > MOST):
            raise Unwritable(f"a tensor of {plain.numel():,} entries, where at most {MOST:,} are written out")
        whole = plain.dtype in (torch.float64, torch.complex128) or not plain.is_floating_point()
        held = plain.tolist() if whole else plain.float().numpy().astype(str).astype(float).tolist()
        said = self._tree(held, 1) if isinstance(held, list) else self.text(held)
        dtype = "" if torch.tensor(held).dtype == plain.dtype else f", dtype={plain.dtype}"
        return f"{found or f'torch.tensor({said}{dtype})'}{'.requires_grad_()' if value.requires_grad else ''}"

    def _pandas(self, pd: Any, value: Any) -> str:
        if isinstance(value, pd.DataFrame):
            labels = [*value.columns]
            named = len({*labels}) == len(labels) and all(type(label) is str for label in labels)
            columns = [self._column(pd, value.iloc[:, n]) for n in range(len(labels))]
            held = zip(labels if named else range(len(labels)), columns, strict=True)
            said = f"pd.DataFrame({{{', '.join(f'{k!r}: {c}' for k, c in held)}}}{self._rows(pd, value)})"
            return said if named else f"{said}.set_axis({self._index(pd, value.columns)}, axis=1)"
        if isinstance(value, pd.Series):
            name = f", name={self.text(value.name)}" if value.name is not None else ""
            return f"pd.Series({self._column(pd, value)}{self._rows(pd, value)}{name})"
        if isinstance(value, pd.Index):
            return self._index(pd, value)
        if isinstance(value, pd.Timestamp | pd.Timedelta) and getattr(value, "tzinfo", None) is None:
            return f"pd.{type(value).__name__}({str(value)!r})"
        return ""

    def _rows(self, pd: Any, value: Any) -> str:
        usual = isinstance(value.index, pd.RangeIndex) and value.index.equals(pd.RangeIndex(len(value)))
        return "" if usual and value.index.name is None else f", index={self._index(pd, value.index)}"

    def _index(self, pd: Any, index: Any) -> str:
        names = f".set_names({self.text(list(index.names))})" if any(n is not None for n in index.names) else ""
        if isinstance(index, pd.RangeIndex):
            return f"pd.RangeIndex({index.start}, {index.stop}, {index.step}){names}"
        if isinstance(index, pd.MultiIndex):
            levels = [self._column(pd, index.get_level_values(n)) for n in range(index.nlevels)]
            return f"pd.MultiIndex.from_arrays([{', '.join(levels)}]){names}"
        return f"pd.Index({self._column(pd, index)}){names}"

    def _column(self, pd: Any, column: Any) -> str:
        dtype = column.dtype
        if len(column) > MOST:
            raise Unwritable(f"a table of {len(column):,} rows, where at most {MOST:,} are written out")
        if isinstance(dtype, pd.CategoricalDtype):
            codes, labels = np.asarray(pd.Categorical(column).codes), self._index(pd, dtype.categories)
            return f"pd.Categorical.from_codes({self._numpy(codes)}, {labels}, ordered={bool(dtype.ordered)})"
        if isinstance(dtype, np.dtype) and dtype.kind != "O":
            return self._numpy(np.asarray(column))
        held = [None if pd.isna(v) else v.item() if isinstance(v, np.generic) else v for v in column]
        if strange := next((v for v in held if v is not None and type(v) not in (bool, int, float, str)), None):
            raise Unwritable(f"a column that holds {called(strange)}")
        usual = pd.Series(held).dtype == dtype
        return self.text(held) if usual else f"pd.array({self.text(held)}, dtype={str(dtype)!r})"

    def _function(self, value: Any) -> str:
        """Return a library's function by its name, a function of the tests by its source."""
        name = getattr(value, "__name__", "")
        for module, prefix in NAMES.items():
            if name and module in sys.modules and getattr(sys.modules[module], name, None) is value:
                self.imports |= {f"import {module}"} if module in ("math", "operator") else set()
                return f"{prefix}{name}"
        if not isinstance(value, types.FunctionType):
            raise Unwritable(called(value))
        if hasattr(value, SOLUTION):
            raise Unwritable(f"{name}, a function of the solution itself")
        node = definition(value.__code__)
        if node is None:
            raise Unwritable(f"a function whose source cannot be told, {name}")
        self._close(value, node)
        if isinstance(node, ast.Lambda):
            return f"({ast.unparse(node)})"
        node.decorator_list = []
        return self._defined(name, renamed(node, name, NAME))

    def _close(self, value: types.FunctionType, node: ast.Lambda | ast.FunctionDef) -> None:
        """Define what a function uses of its surroundings."""
        node.args.defaults = [_expression(self.text(v)) for v in value.__defaults__ or ()]
        node.args.kw_defaults = [
            _expression(self.text((value.__kwdefaults__ or {})[a.arg])) if d else None
            for a, d in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
        ]
        uses = inspect.getclosurevars(value)
        for name, used in {**uses.globals, **uses.nonlocals}.items():
            if isinstance(used, types.ModuleType):
                self.imports.add(f"import {used.__name__}" + (f" as {name}" if name != used.__name__ else ""))
            if used is value or isinstance(used, types.ModuleType):
                continue
            said = self.text(used)
            renamed(node, name, said if said in self.before else self._defined(name, f"{NAME} = {said}"))

    def _defined(self, name: str, said: str) -> str:
        """Return the name for this definition, in it NAME; another name if it is taken."""
        names = itertools.chain([name], (f"{name}_{n}" for n in itertools.count(2)))
        definitions = ((n, said.replace(NAME, n)) for n in names if n not in TAKEN)
        return next(n for n, text in definitions if self.before.setdefault(n, text) == text)


def _expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body
