from torch import einsum


def multi_head_attention(x, W, biases, num_heads, mask=None):
    """A key bias moves all scores of a query alike, so softmax does not see it: it is not added."""
    if x.shape[-1] % num_heads:
        raise ValueError("D is not a multiple of num_heads")
    cut = lambda t: t.unflatten(-1, (num_heads, x.shape[-1] // num_heads))
    q, k, v = cut(x @ W[0] + biases[0]), cut(x @ W[1]), cut(x @ W[2] + biases[2])
    scores = einsum("bihd,bjhd->bhij", q, k) / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return einsum("bhij,bjhd->bihd", scores.softmax(-1), v).flatten(2) @ W[3] + biases[3]
