class _Model:
    def __init__(self, heads, layers):
        self.tables = heads * layers

    def scores(self, n):
        return self.tables * n ** 2


def attention_cost(n: int, d_head: int, n_heads: int, n_layers: int, bytes: int = 2) -> tuple[int, int]:
    count = _Model(n_heads, n_layers).scores(n)
    bits = 8 * bytes * count
    return count, bits // 8
