def gqa_budget(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    try:
        ok = hidden_size % num_heads == 0 and num_heads % num_kv_heads == 0
    except ZeroDivisionError as e:
        raise ValueError("zero heads") from e
    if not ok:
        raise ValueError("not divisible")
    if hidden_size < 1 or num_heads < 1 or num_kv_heads < 1 or bytes_per_number < 1:
        raise ValueError("too small")
    Dh = hidden_size // num_heads
    W_Q = hidden_size * num_heads * Dh
    W_K = W_V = hidden_size * num_kv_heads * Dh
    W_O = num_heads * Dh * hidden_size
    cache = (num_kv_heads * Dh) * 2 * bytes_per_number
    return W_Q + W_K + W_V + W_O, cache
