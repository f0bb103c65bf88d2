"""Values of pandas and scipy, taken apart to be sent between processes and compared part by part.

This works only in a process that was started for a course with these packages, see `packages`; in any other process no
value is one of theirs. A value becomes a tree of tuples, lists, texts, numbers and arrays. The functions that build a
value from a tree trust nothing: whatever `apart` would not have written raises BadValue.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from grader.arrays import Numpy
from grader.errors import BadValue
from grader.packages import asked

MOST_TEXTS = 1 << 20  # in one array
MOST_TEXT_BYTES = 1 << 26  # of an array of numpy's, whose entries are all as long as the longest
MOST_LINES = 1 << 20  # rows, and columns, of a sparse matrix
MOST_ROWS = 1 << 24  # that an index counts
TEXTS = "numpy texts"
OPTIONAL = ("bottleneck", "numexpr", "pyarrow")
"""What pandas uses where it happens to be installed: dtypes and rounding must not depend on the machine."""
USUAL = ("fft", "integrate", "interpolate", "linalg", "optimize", "sparse.csgraph", "sparse.linalg", "spatial")
RARE = ("cluster", "io", "ndimage", "signal", "stats")
"""Modules of scipy that take long to import: a worker has those that its file mentions."""


def _imported(name: str) -> Any:
    return importlib.import_module(name) if name.partition(".")[0] in asked() else None


if "pandas" in asked():
    for _name in OPTIONAL:
        sys.modules.setdefault(_name, None)  # type: ignore[arg-type] # None: Python refuses to import it, as documented
for _module in USUAL:
    _imported(f"scipy.{_module}")
pd, sparse = _imported("pandas"), _imported("scipy.sparse")


class NoParts(Exception):
    """A value cannot be taken apart; the message gives its kind and the reason."""


def kind(value: Any) -> str:
    """`pandas.DataFrame`, `pandas.Series`, `pandas.Index` or `scipy.sparse`; "" for any other value."""
    return next((name for name, (kinds, _, _) in KINDS.items() if isinstance(value, kinds)), "") if KINDS else ""


def apart(value: Any) -> tuple[Any, ...]:
    """Return the tree that stands for a value of one of these kinds. Raises NoParts."""
    return KINDS[kind(value)][1](value)


def together(name: str, tree: Any) -> Any:
    """Return the value of this kind that the tree stands for, an array of texts for TEXTS. Raises BadValue."""
    try:
        return numpy_texts(*tree) if name == TEXTS else KINDS[name][2](*tree)
    except Exception as error:  # whatever pandas and scipy make of nonsense
        raise BadValue(f"no {name[:40]!r}: {type(error).__name__}") from error


def plain(value: Any) -> Any:
    """Return a timestamp or time span of pandas as numpy's; None for any other value."""
    if pd is None or not isinstance(value, pd.Timestamp | pd.Timedelta | type(pd.NaT)):
        return None
    return None if getattr(value, "tzinfo", None) else value.to_numpy()


def of_texts(values: Numpy) -> tuple[list[int], Numpy, Numpy]:
    """Take an array of texts apart: return its shape, the length of each text in bytes (-1 if it is missing), all
    bytes.
    """
    found = [None if v is None else str(v).encode("utf-8", "replace") for v in values.ravel().tolist()]
    lengths = np.array([-1 if t is None else len(t) for t in found], dtype=np.int32)
    return list(values.shape), lengths, np.frombuffer(b"".join(filter(None, found)), np.uint8)


def texts(shape: Any, lengths: Any, content: Any) -> Numpy:
    """Return the array of objects that `of_texts` took apart. Raises ValueError."""
    sizes, data = _checked(lengths, "int32"), _checked(content, "uint8").tobytes()
    ends = np.cumsum(np.maximum(sizes, 0, dtype=np.int64))
    if len(sizes) > MOST_TEXTS or (sizes < -1).any() or (int(ends[-1]) if len(ends) else 0) != len(data):
        raise ValueError("texts that are not there")
    known: dict[bytes, str] = {}
    found: Numpy = np.empty(len(sizes), dtype=object)
    for number, (size, end) in enumerate(zip(sizes.tolist(), ends.tolist(), strict=True)):
        piece = data[end - max(size, 0) : end]
        found[number] = None if size < 0 else known.get(piece) or known.setdefault(piece, piece.decode())
    return found.reshape([int(n) for n in shape])


def numpy_texts(shape: Any, lengths: Any, content: Any) -> Numpy:
    """Return the same array as numpy's own texts; none of them may be missing."""
    found = texts(shape, lengths, content)
    longest = max(map(len, found.ravel().tolist()), default=0)
    if longest * found.size * 4 > MOST_TEXT_BYTES:
        raise ValueError("texts that are too long")
    return found.astype(f"U{longest or 1}")


def _checked(array: Any, *dtypes: str) -> Numpy:
    """Return an array of one dimension, in memory of its own; its dtype must be one of these, if any are named."""
    if not isinstance(array, np.ndarray) or array.ndim != 1 or (dtypes and array.dtype.name not in dtypes):
        raise ValueError("an array of another kind")
    return array.copy()


# --- columns: a dtype and what holds the entries


def _of_column(values: Any, where: str = "it") -> tuple[Any, ...]:
    """Take apart a column, or the labels of an index; NoParts calls it `where`."""
    dtype = values.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        categories = _of_column(dtype.categories, f"{where} has categories of which one")
        return "category", np.asarray(pd.Categorical(values).codes), categories, bool(dtype.ordered)
    if isinstance(dtype, pd.StringDtype) or str(dtype) == "object":
        missing, entries = np.asarray(pd.isna(values)), np.asarray(values, dtype=object)
        strange = next((v for v, none in zip(entries, missing, strict=True) if not none and type(v) is not str), None)
        if len(entries) > MOST_TEXTS:
            raise NoParts(f"{where} holds more than {MOST_TEXTS:,} texts")
        if strange is not None:
            raise NoParts(f"{where} is of dtype object and holds {type(strange).__name__}, where only texts cross")
        return str(dtype), *of_texts(np.where(missing, _NONE, entries))
    if _is_nullable(dtype):
        return str(dtype), *filled(values)
    if isinstance(dtype, np.dtype) and dtype.kind in "biufcmM" and dtype.itemsize <= (16 if dtype.kind == "c" else 8):
        return dtype.name, np.asarray(values)
    raise NoParts(f"{where} is of dtype {dtype}, which does not cross")


def _column(dtype: Any, *held: Any) -> Any:
    """Put a column together again, without the labels of its rows."""
    if dtype == "category":
        codes, categories, ordered = held
        labels = pd.Index(_column(*categories))
        return pd.Series(pd.Categorical.from_codes(_checked(codes), labels, ordered=ordered is True))
    if dtype in ("object", "str", "string"):
        return pd.Series(_checked(texts(*held), "object"), dtype=dtype)
    if len(held) == 2:
        missing, entries = _checked(held[0], "bool"), _checked(held[1])
        names = {"b": "BooleanArray", "f": "FloatingArray"}
        return pd.Series(getattr(pd.arrays, names.get(entries.dtype.kind, "IntegerArray"))(entries, missing))
    return pd.Series(_checked(*held, dtype))


def _is_nullable(dtype: Any) -> bool:
    """Return True for pandas' nullable dtypes of whole numbers, numbers and booleans, such as `Int64`."""
    return not isinstance(dtype, np.dtype) and str(dtype).lower() in _NUMBERS


def filled(values: Any) -> tuple[Numpy, Numpy]:
    """Return a mask of the missing entries, and the entries with 0 or an empty text in their place."""
    missing, dtype = np.asarray(pd.isna(values)), values.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        return filled(pd.Series(np.asarray(values)))
    if isinstance(dtype, pd.StringDtype) or str(dtype) == "object":
        return missing, np.where(missing, "", np.asarray(values, dtype=object))
    if _is_nullable(dtype):
        return missing, pd.array(values).to_numpy(dtype.numpy_dtype, na_value=dtype.numpy_dtype.type(0))
    entries = np.array(values)
    entries[missing] = entries.dtype.type(0, "s") if dtype.kind in "mM" else 0
    return missing, entries


_NONE = np.array(None)
_NUMBERS = {f"{kind}{bits}" for kind in ("int", "uint", "float") for bits in (8, 16, 32, 64)} | {"boolean"}

# --- tables


def _of_label(label: Any) -> Any:
    """Take a label or a name apart, which must be plain data. Raises NoParts."""
    label = label.item() if isinstance(label, np.generic) else label
    if isinstance(label, tuple):
        return tuple(map(_of_label, label))
    if label is not None and type(label) not in (str, int, float, bool):
        raise NoParts(f"a label of it is of type {type(label).__name__}, which does not cross")
    return label


def _of_index(index: Any) -> tuple[Any, ...]:
    names = [_of_label(name) for name in index.names]
    if isinstance(index, pd.MultiIndex):
        levels = [index.get_level_values(n) for n in range(index.nlevels)]
        return "levels", [_of_column(level, "a level of its index") for level in levels], names
    if isinstance(index, pd.RangeIndex):
        if len(index) > MOST_ROWS:
            raise NoParts(f"one of more than {MOST_ROWS:,} rows does not cross")
        return "range", [index.start, index.stop, index.step], names
    if str(index.dtype) == "object" and any(type(label) is not str for label in index):
        return "labels", [_of_label(label) for label in index], names
    return "index", _of_column(index, "its index"), names


def _index(form: Any, held: Any, names: Any) -> Any:
    if form == "range" and len(found := pd.RangeIndex(*map(int, held))) <= MOST_ROWS:
        return found.set_names(names)
    if form == "labels":
        return pd.Index([_of_label(label) for label in held], dtype=object, tupleize_cols=False).set_names(names)
    if form == "levels":
        return pd.MultiIndex.from_arrays([_column(*level) for level in held], names=list(names))
    if form != "index":
        raise ValueError("no index")
    return pd.Index(_column(*held)).set_names(names)


def _of_series(series: Any) -> tuple[Any, ...]:
    return _of_index(series.index), _of_column(series), _of_label(series.name)


def _series(index: Any, column: Any, name: Any) -> Any:
    found = _column(*column).set_axis(_index(*index))
    found.name = name
    return found


def _of_frame(frame: Any) -> tuple[Any, ...]:
    columns = [_of_column(frame.iloc[:, n], f"column {label!r}") for n, label in enumerate(frame.columns)]
    return _of_index(frame.columns), _of_index(frame.index), columns


def _frame(labels: Any, index: Any, columns: Any) -> Any:
    rows, names = _index(*index), _index(*labels)
    frame = pd.DataFrame({n: _column(*column).set_axis(rows) for n, column in enumerate(columns)}, index=rows)
    frame.columns = names
    return frame


# --- sparse matrices


def _of_sparse(matrix: Any) -> tuple[Any, ...]:
    name = f"{matrix.format}_{'array' if isinstance(matrix, sparse.sparray) else 'matrix'}"
    if len(matrix.shape) != 2 or max(matrix.shape) > MOST_LINES or matrix.dtype.kind not in "biufc":
        raise NoParts(f"one of shape {matrix.shape} and dtype {matrix.dtype} does not cross")
    if matrix.format not in _FORMATS:
        raise NoParts(f"one in the format {matrix.format} does not cross; .tocsr() makes one that does")
    if matrix.format in ("csr", "csc", "bsr"):
        held = int(matrix.indptr[-1])  # there may be room for more
        return name, list(matrix.shape), [matrix.data[:held], matrix.indices[:held], matrix.indptr]
    if matrix.format == "dia":
        return name, list(matrix.shape), [matrix.data, matrix.offsets]
    triples = matrix.tocoo()
    return name, list(matrix.shape), [triples.data, *triples.coords]


def _sparse(name: Any, shape: Any, held: Any) -> Any:
    form, _, family = name.partition("_")
    wanted = getattr(sparse, f"{form}_{family}") if form in _FORMATS and family in ("array", "matrix") else None
    lines, arrays = tuple(int(n) for n in shape), [np.array(array) for array in held]
    if wanted is None or len(lines) != 2 or not all(0 <= n <= MOST_LINES for n in lines):
        raise ValueError("no matrix")
    if any(array.dtype.kind != "i" for array in arrays[1:]) or arrays[0].dtype.kind not in "biufc":
        raise ValueError("no numbers")
    if form in ("csr", "csc", "bsr"):
        _check_compressed(lines[::-1] if form == "csc" else lines, *arrays)
        found = wanted(tuple(arrays), shape=lines)
    elif form == "dia":
        found = wanted(tuple(arrays), shape=lines)
    else:
        triples = sparse.coo_array if family == "array" else sparse.coo_matrix
        found = triples((arrays[0], tuple(arrays[1:])), shape=lines).asformat(form)
    return found


def _check_compressed(lines: tuple[int, ...], data: Numpy, places: Numpy, starts: Numpy) -> None:
    """Raise ValueError if parts of a compressed matrix point outside of it; scipy does not check everything."""
    across, along = (n // size for n, size in zip(lines, data.shape[1:] or (1, 1), strict=True))
    if (data.ndim == 3 and lines != (across * data.shape[1], along * data.shape[2])) or len(data) != len(places):
        raise ValueError("blocks that do not fit")
    if len(starts) != across + 1 or starts[0] != 0 or starts[-1] != len(places) or (np.diff(starts) < 0).any():
        raise ValueError("lines that do not fit")
    if len(places) and not 0 <= places.min() <= places.max() < along:
        raise ValueError("a place outside")


_FORMATS = ("csr", "csc", "bsr", "dia", "coo", "lil")
KINDS: dict[str, tuple[Any, Callable[[Any], tuple[Any, ...]], Callable[..., Any]]] = {}
if pd is not None:
    KINDS["pandas.DataFrame"] = (pd.DataFrame, _of_frame, _frame)
    KINDS["pandas.Series"] = (pd.Series, _of_series, _series)
    KINDS["pandas.Index"] = (pd.Index, _of_index, _index)
if sparse is not None:
    KINDS["scipy.sparse"] = ((sparse.sparray, sparse.spmatrix), _of_sparse, _sparse)
