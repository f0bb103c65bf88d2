"""Exponentials in float32, the division in the input's dtype."""


def softmax(x, dim=-1):
    shifted = x.float() - x.float().amax(dim, keepdim=True)
    e = shifted.exp().type_as(x)
    return e / e.sum(dim, keepdim=True)
