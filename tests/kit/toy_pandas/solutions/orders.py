import pandas as pd


def revenue(orders: pd.DataFrame) -> pd.DataFrame:
    priced = orders.dropna(subset=["price"])
    priced = priced.assign(total=priced["price"] * priced["count"])
    found = priced.groupby("city").agg(total=("total", "sum"), mean=("price", "mean"))
    return found.sort_values("total", ascending=False)


def daily(orders: pd.DataFrame) -> pd.Series:
    return orders.set_index("day")["count"].resample("D").sum()
