"""Arrays of one number, stretched to any size without memory."""
import numpy as np


def empty(*shape):
    return np.broadcast_to(np.float32(0), shape)


def dot(a, b):
    """The shape of a @ b."""
    assert a.shape[-1] == b.shape[-2]
    return empty(*np.broadcast_shapes(a.shape[:-2], b.shape[:-2]), a.shape[-2], b.shape[-1])


def trace(B, T, d, h, h_kv=None):
    h_kv = h_kv or h
    if d % h or h % h_kv:
        raise ValueError("sizes do not divide")
    n, c = h // h_kv, d // h
    x = empty(B, T, d)
    q, k, v = dot(x, empty(d, d)), dot(x, empty(d, h_kv * c)), dot(x, empty(d, h_kv * c))
    steps = {"x": x, "q": q, "k": k, "v": v}
    steps["q_heads"] = empty(B, T, h, c).transpose(0, 2, 1, 3)
    for name in "kv":
        kept = empty(B, T, h_kv, c).transpose(0, 2, 1, 3)
        steps[name + "_heads"] = kept
        B_, H_, T_, C_ = kept.shape
        steps[name + "_repeated"] = empty(B_, H_ * n, T_, C_)
    steps["scores"] = dot(steps["q_heads"], steps["k_repeated"].transpose(0, 1, 3, 2))
    steps["weights"] = empty(*steps["scores"].shape)
    steps["heads"] = dot(steps["weights"], steps["v_repeated"])
    b, n_, t, c_ = steps["heads"].shape
    steps["merged"] = empty(b, t, n_ * c_)
    steps["output"] = dot(steps["merged"], empty(d, d))
    return {name: a.shape for name, a in steps.items()}
