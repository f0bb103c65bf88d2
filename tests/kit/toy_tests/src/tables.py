"""Orders of a shop."""

import pandas as pd


def totals(orders: pd.DataFrame) -> pd.DataFrame:
    """The total price for each city, the largest first."""
    found = orders.groupby("city").agg(total=("price", "sum"))
    return found.sort_values("total", ascending=False)


def add_tax(orders: pd.DataFrame, rate: float = 0.1) -> None:
    """Add the column tax, in place."""
    orders["tax"] = orders["price"] * rate


def fill(prices: pd.Series) -> pd.Series:
    """Missing prices are the mean."""
    return prices.fillna(prices.mean())


def by_day(orders: pd.DataFrame) -> pd.Series:
    """The number of orders of each day."""
    return orders.groupby("day").size()
