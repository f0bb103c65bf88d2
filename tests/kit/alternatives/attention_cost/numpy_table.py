import numpy as np


def attention_cost(n, d_head, n_heads, n_layers, bytes=2):
    """A table of bytes that takes no memory."""
    q = np.broadcast_to(np.int8(0), (n_layers, n_heads, n, d_head))
    scores = np.broadcast_to(np.int8(0), q.shape[:-1] + (q.shape[-2],))
    return [scores.size, bytes * scores.size]
