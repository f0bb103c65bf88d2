"""Copies one behind the other along time, then cut into heads."""


def repeat_kv(x, n_rep):
    B, H_kv, T, Dh = x.shape
    return x.repeat(1, 1, n_rep, 1).view(B, H_kv * n_rep, T, Dh)


def grouped_query_attention(q, k, v, mask=None):
    H, Dh = q.shape[1], q.shape[3]
    if H % k.shape[1]:
        raise ValueError("H % H_kv != 0")
    k = repeat_kv(k, H // k.shape[1])
    v = repeat_kv(v, H // v.shape[1])
    w = q.matmul(k.transpose(-2, -1)).mul(Dh**-0.5)
    w = w if mask is None else w.masked_fill(~mask, float("-inf"))
    w = w.softmax(-1)
    return w.matmul(v), w
