"""Hidden suite for orders."""

import numpy as np
import pandas as pd

from grader.suites import laws, misconceptions, points, tolerance

TOLERANCE = tolerance(rtol=1e-9)
CITIES = ("Bergen", "Lyon", "Xi'an")


def orders(make, n, missing=1):
    price = make.uniform(n, low=1.0, high=9.0)
    price[:missing] = np.nan
    return pd.DataFrame(
        {
            "city": [CITIES[i % 3] for i in range(n)],
            "price": price,
            "count": [make.integer(1, 5) for _ in range(n)],
            "day": np.datetime64("2026-02-27") + 3 * np.arange(n).astype("timedelta64[D]"),
        }
    )


def examples(ask, make):
    ask.revenue(orders(make, 7))
    ask.daily(orders(make, 4))


@points(3)
def test_revenue(matches_reference, make):
    """Each city has its total and its mean price, the largest total first."""
    for n in (4, 9):
        matches_reference.revenue(orders(make, n))
    matches_reference.revenue(orders(make, 6, missing=0))


@points(3)
def test_daily(matches_reference, make):
    """Each day from the first to the last has the number of things that were ordered."""
    for n in (2, 5):
        matches_reference.daily(orders(make, n))


test_inputs = laws.inputs_unchanged(1, examples)


def totals(table, by="total", ascending=False):
    table = table.assign(total=table["price"] * table["count"])
    found = table.groupby("city").agg(total=("total", "sum"), mean=("price", "mean"))
    return found.sort_values(by, ascending=ascending)


KNOWN = [
    *misconceptions(
        "revenue",
        missing_is_zero=lambda orders: totals(orders.fillna({"price": 0.0})),
        by_name=lambda orders: totals(orders.dropna(), "city", True),
    ),
    *misconceptions("daily", days_left_out=lambda orders: orders.groupby("day")["count"].sum()),
]
