def trace(B, T, d, h, h_kv=None):
    if h_kv is None:
        h_kv = h
    for whole, part in ((d, h), (h, h_kv)):
        if whole % part != 0:
            raise ValueError(f"{whole} is not a multiple of {part}")
    c = d // h
    out = {}
    for step in ("x", "q", "merged", "output"):
        out[step] = [B, T, d]
    for step in "kv":
        out[step] = [B, T, c * h_kv]
        out[step + "_heads"] = [B, h_kv, T, c]
        out[step + "_repeated"] = [B, h, T, c]
    out["q_heads"] = out["heads"] = [B, h, T, c]
    out["scores"] = out["weights"] = [B, h, T, T]
    return out
