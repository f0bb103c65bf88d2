import pandas as pd
import pytest
from pandas.testing import assert_frame_equal, assert_series_equal
from tables import add_tax, by_day, fill, totals


@pytest.fixture
def orders():
    return pd.DataFrame({"city": ["Lyon", "Bergen", "Lyon"], "price": [1.5, 9.0, 2.0], "n": [1, 2, 3]})


def test_totals(orders):
    want = pd.DataFrame({"total": [9.0, 3.5]}, index=pd.Index(["Bergen", "Lyon"], name="city"))
    assert_frame_equal(totals(orders), want)


def test_totals_order(orders):
    assert list(totals(orders).index) == ["Bergen", "Lyon"]


def test_tax(orders):
    add_tax(orders, rate=0.5)
    assert orders["tax"].tolist() == [0.75, 4.5, 1.0]


def test_fill():
    assert_series_equal(fill(pd.Series([1.0, None, 3.0], name="price")), pd.Series([1.0, 2.0, 3.0], name="price"))


def test_days():
    days = pd.to_datetime(["2026-01-01", "2026-01-02", "2026-01-01"])
    assert by_day(pd.DataFrame({"day": days, "kind": pd.Categorical(["a", "b", "a"])})).tolist() == [2, 1]


def test_csv(tmp_path, orders):
    orders.to_csv(tmp_path / "a.csv", index=False)
    assert len(totals(pd.read_csv(tmp_path / "a.csv"))) == 2
