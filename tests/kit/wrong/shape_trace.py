"""Wrong files for shape_trace, each a whole submission as somebody might hand it in."""
# --- no_refusal_and_keys_not_narrower
def trace(B, T, d, h, h_kv=None):
    if h_kv is None:
        h_kv = h
    dh = d // h
    return {
        "x": (B, T, d), "q": (B, T, d), "k": (B, T, d), "v": (B, T, d),
        "q_heads": (B, h, T, dh), "k_heads": (B, h_kv, T, dh), "v_heads": (B, h_kv, T, dh),
        "k_repeated": (B, h, T, dh), "v_repeated": (B, h, T, dh),
        "scores": (B, h, T, T), "weights": (B, h, T, T), "heads": (B, h, T, dh),
        "merged": (B, T, d), "output": (B, T, d),
    }
# --- tokens_before_heads
def trace(B, T, d, h, h_kv=None):
    if h_kv is None:
        h_kv = h
    if d % h or h % h_kv:
        raise ValueError("sizes do not fit")
    dh = d // h
    return {
        "x": (B, T, d), "q": (B, T, d), "k": (B, T, h_kv * dh), "v": (B, T, h_kv * dh),
        "q_heads": (B, T, h, dh), "k_heads": (B, T, h_kv, dh), "v_heads": (B, T, h_kv, dh),
        "k_repeated": (B, T, h, dh), "v_repeated": (B, T, h, dh),
        "scores": (B, h, T, T), "weights": (B, h, T, T), "heads": (B, T, h, dh),
        "merged": (B, T, d), "output": (B, T, d),
    }
# --- head_size_from_the_key_heads
def trace(B, T, d, h, h_kv=None):
    if h_kv is None:
        h_kv = h
    if d % h or h % h_kv:
        raise ValueError("sizes do not fit")
    dh, dkv = d // h, d // h_kv
    return {
        "x": (B, T, d), "q": (B, T, d), "k": (B, T, d), "v": (B, T, d),
        "q_heads": (B, h, T, dh), "k_heads": (B, h_kv, T, dkv), "v_heads": (B, h_kv, T, dkv),
        "k_repeated": (B, h, T, dh), "v_repeated": (B, h, T, dh),
        "scores": (B, h, T, T), "weights": (B, h, T, T), "heads": (B, h, T, dh),
        "merged": (B, T, d), "output": (B, T, d),
    }
# --- scores_of_channels_and_no_refusal
def trace(B, T, d, h, h_kv=None):
    h_kv = h_kv or h
    dh = d // h
    return {
        "x": (B, T, d), "q": (B, T, d), "k": (B, T, h_kv * dh), "v": (B, T, h_kv * dh),
        "q_heads": (B, h, T, dh), "k_heads": (B, h_kv, T, dh), "v_heads": (B, h_kv, T, dh),
        "k_repeated": (B, h, T, dh), "v_repeated": (B, h, T, dh),
        "scores": (B, h, dh, dh), "weights": (B, h, dh, dh), "heads": (B, h, T, dh),
        "merged": (B, T, d), "output": (B, T, d),
    }
# --- scores_not_for_each_head
def trace(B, T, d, h, h_kv=None):
    if h_kv is None:
        h_kv = h
    if d % h or h % h_kv:
        raise ValueError("sizes do not fit")
    dh = d // h
    return {
        "x": (B, T, d), "q": (B, T, d), "k": (B, T, h_kv * dh), "v": (B, T, h_kv * dh),
        "q_heads": (B, h, T, dh), "k_heads": (B, h_kv, T, dh), "v_heads": (B, h_kv, T, dh),
        "k_repeated": (B, h, T, dh), "v_repeated": (B, h, T, dh),
        "scores": (B, T, T), "weights": (B, T, T), "heads": (B, h, T, dh),
        "merged": (B, T, d), "output": (B, T, d),
    }
# --- scores_of_the_key_heads
def trace(B, T, d, h, h_kv=None):
    if h_kv is None:
        h_kv = h
    if d % h or h % h_kv:
        raise ValueError("sizes do not fit")
    dh = d // h
    return {
        "x": (B, T, d), "q": (B, T, d), "k": (B, T, h_kv * dh), "v": (B, T, h_kv * dh),
        "q_heads": (B, h, T, dh), "k_heads": (B, h_kv, T, dh), "v_heads": (B, h_kv, T, dh),
        "k_repeated": (B, h, T, dh), "v_repeated": (B, h, T, dh),
        "scores": (B, h_kv, T, T), "weights": (B, h_kv, T, T), "heads": (B, h_kv, T, dh),
        "merged": (B, T, h_kv * dh), "output": (B, T, d),
    }
# --- names_missing
def trace(B, T, d, h, h_kv=None):
    if h_kv is None:
        h_kv = h
    if d % h or h % h_kv:
        raise ValueError("sizes do not fit")
    dh = d // h
    return {
        "x": (B, T, d), "q": (B, T, d), "k": (B, T, h_kv * dh), "v": (B, T, h_kv * dh),
        "q_heads": (B, h, T, dh), "k_heads": (B, h_kv, T, dh), "v_heads": (B, h_kv, T, dh),
        "scores": (B, h, T, T), "weights": (B, h, T, T), "heads": (B, h, T, dh),
        "merged": (B, T, d), "output": (B, T, d),
    }
# --- repeated_too_often
def trace(B, T, d, h, h_kv=None):
    if h_kv is None:
        h_kv = h
    if d % h or h % h_kv:
        raise ValueError("sizes do not fit")
    dh = d // h
    return {
        "x": (B, T, d), "q": (B, T, d), "k": (B, T, h_kv * dh), "v": (B, T, h_kv * dh),
        "q_heads": (B, h, T, dh), "k_heads": (B, h_kv, T, dh), "v_heads": (B, h_kv, T, dh),
        "k_repeated": (B, h * h_kv, T, dh), "v_repeated": (B, h * h_kv, T, dh),
        "scores": (B, h, T, T), "weights": (B, h, T, T), "heads": (B, h, T, dh),
        "merged": (B, T, d), "output": (B, T, d),
    }
# --- kv_default_one
def trace(B, T, d, h, h_kv=None):
    if h_kv is None:
        h_kv = 1
    if d % h or h % h_kv:
        raise ValueError("sizes do not fit")
    dh = d // h
    return {
        "x": (B, T, d), "q": (B, T, d), "k": (B, T, h_kv * dh), "v": (B, T, h_kv * dh),
        "q_heads": (B, h, T, dh), "k_heads": (B, h_kv, T, dh), "v_heads": (B, h_kv, T, dh),
        "k_repeated": (B, h, T, dh), "v_repeated": (B, h, T, dh),
        "scores": (B, h, T, T), "weights": (B, h, T, T), "heads": (B, h, T, dh),
        "merged": (B, T, d), "output": (B, T, d),
    }
# --- refuses_only_d
def trace(B, T, d, h, h_kv=None):
    if h_kv is None:
        h_kv = h
    if d % h:
        raise ValueError("sizes do not fit")
    dh = d // h
    return {
        "x": (B, T, d), "q": (B, T, d), "k": (B, T, h_kv * dh), "v": (B, T, h_kv * dh),
        "q_heads": (B, h, T, dh), "k_heads": (B, h_kv, T, dh), "v_heads": (B, h_kv, T, dh),
        "k_repeated": (B, h, T, dh), "v_repeated": (B, h, T, dh),
        "scores": (B, h, T, T), "weights": (B, h, T, T), "heads": (B, h, T, dh),
        "merged": (B, T, d), "output": (B, T, d),
    }
# --- refuses_other_than_one_group_size
def trace(B, T, d, h, h_kv=None):
    if h_kv is None:
        h_kv = h
    if d % h or d % h_kv:
        raise ValueError("sizes do not fit")
    dh = d // h
    return {
        "x": (B, T, d), "q": (B, T, d), "k": (B, T, h_kv * dh), "v": (B, T, h_kv * dh),
        "q_heads": (B, h, T, dh), "k_heads": (B, h_kv, T, dh), "v_heads": (B, h_kv, T, dh),
        "k_repeated": (B, h, T, dh), "v_repeated": (B, h, T, dh),
        "scores": (B, h, T, T), "weights": (B, h, T, T), "heads": (B, h, T, dh),
        "merged": (B, T, d), "output": (B, T, d),
    }
# --- asserts
def trace(B, T, d, h, h_kv=None):
    if h_kv is None:
        h_kv = h
    assert d % h == 0 and h % h_kv == 0
    dh = d // h
    return {
        "x": (B, T, d), "q": (B, T, d), "k": (B, T, h_kv * dh), "v": (B, T, h_kv * dh),
        "q_heads": (B, h, T, dh), "k_heads": (B, h_kv, T, dh), "v_heads": (B, h_kv, T, dh),
        "k_repeated": (B, h, T, dh), "v_repeated": (B, h, T, dh),
        "scores": (B, h, T, T), "weights": (B, h, T, T), "heads": (B, h, T, dh),
        "merged": (B, T, d), "output": (B, T, d),
    }
# --- one_dict_for_all_calls
steps = {}


def trace(B, T, d, h, h_kv=None):
    if h_kv is None:
        h_kv = h
    if d % h or h % h_kv:
        raise ValueError("sizes do not fit")
    dh = d // h
    for name in ("x", "q", "merged", "output"):
        steps[name] = (B, T, d)
    for name in ("k", "v"):
        steps[name] = (B, T, h_kv * dh)
        steps[name + "_heads"] = (B, h_kv, T, dh)
        steps[name + "_repeated"] = (B, h, T, dh)
    for name in ("q_heads", "heads"):
        steps[name] = (B, h, T, dh)
    for name in ("scores", "weights"):
        steps[name] = (B, h, T, T)
    return steps
# --- output_of_one_head
def trace(B, T, d, h, h_kv=None):
    if h_kv is None:
        h_kv = h
    if d % h or h % h_kv:
        raise ValueError("sizes do not fit")
    dh = d // h
    return {
        "x": (B, T, d), "q": (B, T, d), "k": (B, T, h_kv * dh), "v": (B, T, h_kv * dh),
        "q_heads": (B, h, T, dh), "k_heads": (B, h_kv, T, dh), "v_heads": (B, h_kv, T, dh),
        "k_repeated": (B, h, T, dh), "v_repeated": (B, h, T, dh),
        "scores": (B, h, T, T), "weights": (B, h, T, T), "heads": (B, h, T, dh),
        "merged": (B, T, d), "output": (B, T, dh),
    }
# --- keys_transposed
def trace(B, T, d, h, h_kv=None):
    if h_kv is None:
        h_kv = h
    if d % h or h % h_kv:
        raise ValueError("sizes do not fit")
    dh = d // h
    return {
        "x": (B, T, d), "q": (B, T, d), "k": (B, T, h_kv * dh), "v": (B, T, h_kv * dh),
        "q_heads": (B, h, T, dh), "k_heads": (B, h_kv, dh, T), "v_heads": (B, h_kv, T, dh),
        "k_repeated": (B, h, dh, T), "v_repeated": (B, h, T, dh),
        "scores": (B, h, T, T), "weights": (B, h, T, T), "heads": (B, h, T, dh),
        "merged": (B, T, d), "output": (B, T, d),
    }
# --- not_repeated
def trace(B, T, d, h, h_kv=None):
    if h_kv is None:
        h_kv = h
    if d % h or h % h_kv:
        raise ValueError("sizes do not fit")
    dh = d // h
    return {
        "x": (B, T, d), "q": (B, T, d), "k": (B, T, h_kv * dh), "v": (B, T, h_kv * dh),
        "q_heads": (B, h, T, dh), "k_heads": (B, h_kv, T, dh), "v_heads": (B, h_kv, T, dh),
        "k_repeated": (B, h_kv, T, dh), "v_repeated": (B, h_kv, T, dh),
        "scores": (B, h, T, T), "weights": (B, h, T, T), "heads": (B, h, T, dh),
        "merged": (B, T, d), "output": (B, T, d),
    }
# --- argument_renamed
def trace(batch, tokens, d, heads, kv_heads=None):
    kv_heads = heads if kv_heads is None else kv_heads
    if d % heads or heads % kv_heads:
        raise ValueError("sizes do not fit")
    dh = d // heads
    q, kv = (batch, heads, tokens, dh), (batch, kv_heads, tokens, dh)
    x, narrow, square = (batch, tokens, d), (batch, tokens, kv_heads * dh), (batch, heads, tokens, tokens)
    return dict(
        x=x, q=x, k=narrow, v=narrow, q_heads=q, k_heads=kv, v_heads=kv, k_repeated=q, v_repeated=q,
        scores=square, weights=square, heads=q, merged=x, output=x,
    )


# --- keys_as_wide_as_queries
# slip: k and v keep all d channels, although there are fewer key and value heads
Shape = tuple[int, ...]


def trace(B: int, T: int, d: int, h: int, h_kv: int | None = None) -> dict[str, Shape]:
    if h_kv is None:
        h_kv = h
    if d % h:
        raise ValueError("d % h")
    if h % h_kv:
        raise ValueError("h % h_kv")
    dh = d // h
    shapes = {}
    shapes["x"] = shapes["q"] = (B, T, d)
    shapes["k"] = shapes["v"] = (B, T, d)
    shapes["q_heads"] = (B, h, T, dh)
    shapes["k_heads"] = shapes["v_heads"] = (B, h_kv, T, dh)
    shapes["k_repeated"] = shapes["v_repeated"] = (B, h, T, dh)
    shapes["scores"] = shapes["weights"] = (B, h, T, T)
    shapes["heads"] = (B, h, T, dh)
    shapes["merged"] = (B, T, d)
    shapes["output"] = (B, T, d)
    return shapes


# --- two_slips_1
def trace(B, T, d, h, h_kv=None):
    if h_kv is None:
        h_kv = h
    if d % h:
        raise ValueError("does not divide")
    dh = d // h
    kv = h_kv * dh
    shapes = {}
    shapes["x"] = (B, T, d)
    shapes["q"] = (B, T, d)
    shapes["k"] = shapes["v"] = (B, T, kv)
    shapes["q_heads"] = (B, T, h, dh)
    shapes["k_heads"] = shapes["v_heads"] = (B, T, h_kv, dh)
    shapes["k_repeated"] = shapes["v_repeated"] = (B, h, T, dh)
    shapes["scores"] = shapes["weights"] = (B, h, T, T)
    shapes["heads"] = (B, h, T, dh)
    shapes["merged"] = (B, T, d)
    shapes["output"] = (B, T, d)
    return shapes
