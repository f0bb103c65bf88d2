"""Values of pandas and scipy that cross and come back: run in a process that was started for both packages."""

from __future__ import annotations

import random

import numpy as np

from grader import arrays, parts, pytree, tables
from grader.sandbox.processes import BadValue
from grader.sandbox.worker import wire

pd, sparse = parts.pd, parts.sparse
TRIES = 4000


def tables_to_cross():
    """Tables, columns and indices of every kind that crosses."""
    days = pd.to_datetime(["2026-02-27", None, "2026-03-01"])
    table = pd.DataFrame(
        {
            "city": ["Bergen", "Xi'an", None],
            "price": [1.5, np.nan, np.inf],
            "count": np.array([1, 2, 3], dtype="int32"),
            "paid": [True, False, True],
            "day": days,
            "took": pd.to_timedelta([1, 2, None], unit="D"),
            "size": pd.Categorical(["S", None, "M"], categories=["S", "M", "L"], ordered=True),
            "note": pd.Series(["x", None, "é"], dtype=object),
            "code": pd.array(["a", None, ""], dtype="string"),
            "rank": pd.array([1, None, 3], dtype="Int64"),
            "seen": pd.array([True, None, False], dtype="boolean"),
            "part": pd.array([0.5, None, 2.0], dtype="Float32"),
            "wave": [1j, 2, 3],
        }
    )
    yield from (
        table,
        table.set_index("city"),
        table.set_index(["count", "day"]),
        table[[]],
        table.iloc[:0],
        table.T.T.index,
    )
    yield from (table["price"], table["city"].rename(None), table.index, table.columns, table.set_index("day").index)
    yield table.groupby(["count", "paid"])["price"].agg(["mean", "sum"])
    yield table.pivot_table(index="count", columns="paid", values="price", aggfunc="sum")
    yield from (pd.DataFrame(), pd.DataFrame({1: [2], "a": [3]}), pd.DataFrame([[1, 2]], columns=["a", "a"]))


def matrices_to_cross():
    """Sparse matrices in every format that crosses, one with an entry that is there twice."""
    dense = np.array([[1.0, 0.0, 2.0], [0.0, 0.0, -3.0]])
    for form in ("csr", "csc", "bsr", "dia", "coo", "lil"):
        yield from (getattr(sparse, f"{form}_{family}")(dense) for family in ("array", "matrix"))
    yield sparse.coo_array(([1, 2], ([0, 0], [1, 1])), shape=(2, 2))
    yield sparse.csr_array((3, 4), dtype="complex64")


def arrays_to_cross():
    """Arrays of texts and of times."""
    yield from (np.array([["a", "bcd"], ["", "é"]]), np.array([], dtype="U3"))
    yield from (np.array(["2026-02-27", "NaT"], "M8[D]"), np.array([[1, -5]], "m8[ms]"))


def crossed(value):
    """The value after it went to another process."""
    encoder = wire.Encoder()
    form = encoder.encode(value)
    assert encoder.opaque == [], encoder.opaque
    return wire.decode(form, bytearray(b"".join(encoder.parts)))


def same(one, other):
    """Raises AssertionError, as pandas tells it."""
    assert type(one) is type(other)
    if isinstance(one, pd.DataFrame):
        pd.testing.assert_frame_equal(one, other)
    elif isinstance(one, pd.Series):
        pd.testing.assert_series_equal(one, other)
    elif isinstance(one, pd.Index):
        pd.testing.assert_index_equal(one, other, exact="equiv")
    else:
        assert one.shape == other.shape
        assert one.dtype == other.dtype or one.dtype.kind == other.dtype.kind == "U"
        assert (
            (one.toarray() == other.toarray()).all()
            if sparse.issparse(one)
            else np.array_equal(one, other) or "NaT" in f"{one}"
        )


def test_each_comes_back_as_it_was():
    for value in (*tables_to_cross(), *matrices_to_cross(), *arrays_to_cross()):
        came = crossed(value)
        same(came, value)
        assert not parts.kind(value) or pytree.equal(came, value)


def test_what_does_not_cross_says_why():
    refused = {
        "pandas.DataFrame: column 'tags' is of dtype object and holds list, where only texts cross": pd.DataFrame(
            {"tags": [[1], []]}
        ),
        "pandas.Series: it is of dtype period[D], which does not cross": pd.Series(pd.period_range("2026", periods=2)),
        "pandas.DataFrame: a label of it is of type Timestamp, which does not cross": pd.DataFrame(
            {"a": [1]}, index=pd.Index([pd.Timestamp("2026")], dtype=object)
        ),
        "scipy.sparse: one in the format dok does not cross; .tocsr() makes one that does": sparse.dok_array((2, 2)),
        "pandas.DataFrame: column 'at' is of dtype datetime64[us, UTC], which does not cross": pd.DataFrame(
            {"at": pd.to_datetime(["2026-02-27"]).tz_localize("UTC")}
        ),
    }
    for said, value in refused.items():
        encoder = wire.Encoder()
        encoder.encode(value)
        assert encoder.opaque == [said]


def test_nonsense_is_refused_and_nothing_else_comes_of_it():
    """What a hostile worker writes is no value, or one that can be compared like any other."""
    chance, refused = random.Random(5), 0
    values = [*tables_to_cross(), *matrices_to_cross(), *arrays_to_cross()]
    for _ in range(TRIES):
        encoder = wire.Encoder()
        form = encoder.encode(chance.choice(values))
        payload = bytearray(b"".join(encoder.parts))
        if not isinstance(form, wire.PartsForm):
            continue
        tree = wire.decode(form.tree, payload)
        for _ in range(chance.choice((1, 1, 2, 5))):
            tree = spoilt(tree, chance)
        kind = form.kind if chance.random() < 0.9 else chance.choice([*parts.KINDS, parts.TEXTS, "os.system"])
        try:
            came = parts.together(kind, tree)
        except BadValue:
            refused += 1
            continue
        assert isinstance(came, np.ndarray) or parts.kind(came)
        for leaf in pytree.leaves(came):
            arrays.exact(leaf)
        assert isinstance(came, np.ndarray) or tables.form(came)
    assert TRIES / 3 < refused < TRIES


def spoilt(tree, chance):
    """The tree with one thing in it exchanged."""
    if isinstance(tree, tuple | list) and tree and chance.random() < 0.85:
        items = [*tree]
        at = chance.randrange(len(items))
        items[at] = spoilt(items[at], chance)
        return type(tree)(items)
    if isinstance(tree, np.ndarray) and tree.size and tree.dtype.kind in "biu" and chance.random() < 0.6:
        found = tree.copy()
        found.reshape(-1)[chance.randrange(found.size)] = np.array(chance.choice([-2, -1, 0, 1, 2, 7, 100])).astype(
            found.dtype
        )
        return found
    others = [
        None, True, -1, 0, 3, 1 << 40, 2.5, "", "object", "category", "str", "range", "levels", "labels", "csr_array",
        (), [], ["a"], [1, 2], (0, 1 << 60, 1), np.arange(3), np.arange(6.0).reshape(2, 3), np.zeros(0, "int32"),
        np.array([200], "uint8"), wire.Opaque("object"), {"a": 1}, 1j,
        np.array(["2026"], "M8[s]"), ("int64", np.arange(3)),
    ]  # fmt: skip
    return chance.choice(others)


if __name__ == "__main__":
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            test()
            print(name)
