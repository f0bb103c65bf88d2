"""The shape of every step of attention, from the sizes alone."""

Shape = tuple[int, ...]


def trace(B: int, T: int, d: int, h: int, h_kv: int | None = None) -> dict[str, Shape]:
    """Shapes of grouped-query attention (Ainslie et al. 2023); with h_kv = h, of multi-head attention.

    Args:
        B: examples.
        T: tokens.
        d: channels.
        h: query heads.
        h_kv: key and value heads; None: h.

    Returns:
        The steps x, q, k, v, q_heads, k_heads, v_heads, k_repeated, v_repeated, scores, weights, heads, merged and
        output with their shapes.

    Raises:
        ValueError: d is not divisible by h, or h is not divisible by h_kv.
    """
    h_kv = h if h_kv is None else h_kv
    if d % h or h % h_kv:
        raise ValueError(f"{d} channels, {h} query heads and {h_kv} key and value heads do not divide")
    dh = d // h
    return {
        "x": (B, T, d),
        "q": (B, T, d),
        "k": (B, T, h_kv * dh),
        "v": (B, T, h_kv * dh),
        "q_heads": (B, h, T, dh),
        "k_heads": (B, h_kv, T, dh),
        "v_heads": (B, h_kv, T, dh),
        "k_repeated": (B, h, T, dh),
        "v_repeated": (B, h, T, dh),
        "scores": (B, h, T, T),
        "weights": (B, h, T, T),
        "heads": (B, h, T, dh),
        "merged": (B, T, d),
        "output": (B, T, d),
    }
