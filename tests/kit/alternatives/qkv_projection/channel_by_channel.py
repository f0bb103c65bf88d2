def project(x, w):
    total = x[..., :1] * w[0]
    for c in range(1, w.shape[0]):
        total = total + x[..., c : c + 1] * w[c]
    return total


class Projection:
    def __call__(self, x, w_q, w_k, w_v):
        return project(x, w_q), project(x, w_k), project(x, w_v)


qkv_projection = Projection()
