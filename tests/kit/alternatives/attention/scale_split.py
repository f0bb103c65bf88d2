"""Half of the scale on each side, as fused kernels do."""


def scaled_dot_product_attention(q, k, v, mask=None):
    root = q.shape[-1] ** -0.25
    scores = (q * root) @ (k * root).mT
    if mask is not None:
        scores = scores.masked_fill(mask.logical_not(), -1e4)
    w = scores.softmax(-1)
    return w @ v, w
