def split_heads(x, num_heads):
    B, T, D = x.shape
    if D % num_heads > 0:
        raise ValueError("num_heads does not divide D")
    Dh = D // num_heads
    out = x.new_zeros(B, num_heads, T, Dh)
    for h in range(num_heads):
        for t in range(T):
            out[:, h, t] = x[:, t, h * Dh : h * Dh + Dh]
    return out


def merge_heads(x):
    B, H, T, Dh = x.shape
    out = x.new_empty(B, T, H * Dh)
    for h in range(H):
        out[:, :, h * Dh : (h + 1) * Dh] = x[:, h]
    return out
