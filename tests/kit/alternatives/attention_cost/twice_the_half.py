def attention_cost(n, d_head, n_heads, n_layers, bytes=2):
    """The diagonal, and what lies above and below it."""
    tables = n_layers * n_heads
    scores = tables * n + 2 * tables * (n * (n - 1) // 2)
    return scores, sum([scores] * bytes)
