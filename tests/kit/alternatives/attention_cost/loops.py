def attention_cost(n, d_head, n_heads, n_layers, bytes=2):
    elements = 0
    for _layer in range(n_layers):
        for _head in range(n_heads):
            elements += n * n
    return elements, elements * bytes
