"""The table as a sum of outer products, one for each channel."""

from functools import reduce
from operator import add


def attention_scores(q, k):
    return reduce(add, (x.unsqueeze(-1) * y.unsqueeze(-2) for x, y in zip(q.unbind(-1), k.unbind(-1), strict=True)))
