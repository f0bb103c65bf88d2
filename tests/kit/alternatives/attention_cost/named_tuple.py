import math
from typing import NamedTuple


class Cost(NamedTuple):
    elements: int
    bytes: int


def attention_cost(n, d_head, n_heads, n_layers, bytes=2):
    count = math.prod((n, n, n_heads, n_layers))
    return Cost(count, bytes=count * bytes)
