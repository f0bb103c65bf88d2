"""Orders of a shop: a table with the columns city, price (some are missing), count and day."""

import pandas as pd


def revenue(orders: pd.DataFrame) -> pd.DataFrame:
    """For each city the `total` of price * count and the `mean` price, the largest total first; indexed by city."""
    raise NotImplementedError


def daily(orders: pd.DataFrame) -> pd.Series:
    """How much was ordered on each day from the first to the last, 0 on days without orders; indexed by day."""
    raise NotImplementedError
