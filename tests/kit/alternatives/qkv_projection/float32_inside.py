def project(x, w):
    return x.float().matmul(w.float()).to(x.dtype)


def qkv_projection(x, w_q, w_k, w_v):
    return project(x, w_q), project(x, w_k), project(x, w_v)
