"""Wrong files for gqa_budget, each a whole submission as somebody might hand it in."""


# --- no_refusal_and_w_o_missing
def gqa_budget(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    head_dim = hidden_size // num_heads
    kv = num_kv_heads * head_dim
    parameters = hidden_size * hidden_size + 2 * hidden_size * kv
    return parameters, 2 * kv * bytes_per_number


# --- no_refusal_and_one_cache
def gqa_budget(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    head_dim = hidden_size // num_heads
    kv = num_kv_heads * head_dim
    parameters = 2 * hidden_size * hidden_size + 2 * hidden_size * kv
    return parameters, kv * bytes_per_number


# --- all_square
def gqa_budget(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    if min(hidden_size, num_heads, num_kv_heads, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    if hidden_size % num_heads or num_heads % num_kv_heads:
        raise ValueError("does not divide")
    head_dim = hidden_size // num_heads
    kv = num_kv_heads * head_dim
    parameters = 4 * hidden_size**2
    return parameters, 2 * kv * bytes_per_number


# --- all_narrow
def gqa_budget(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    if min(hidden_size, num_heads, num_kv_heads, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    if hidden_size % num_heads or num_heads % num_kv_heads:
        raise ValueError("does not divide")
    head_dim = hidden_size // num_heads
    kv = num_kv_heads * head_dim
    parameters = 4 * hidden_size * kv
    return parameters, 2 * kv * bytes_per_number


# --- three_matrices
def gqa_budget(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    if min(hidden_size, num_heads, num_kv_heads, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    if hidden_size % num_heads or num_heads % num_kv_heads:
        raise ValueError("does not divide")
    head_dim = hidden_size // num_heads
    kv = num_kv_heads * head_dim
    parameters = hidden_size * hidden_size + 2 * hidden_size * kv
    return parameters, 2 * kv * bytes_per_number


# --- w_o_narrow
def gqa_budget(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    if min(hidden_size, num_heads, num_kv_heads, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    if hidden_size % num_heads or num_heads % num_kv_heads:
        raise ValueError("does not divide")
    head_dim = hidden_size // num_heads
    kv = num_kv_heads * head_dim
    parameters = hidden_size * hidden_size + 2 * hidden_size * kv + kv * hidden_size
    return parameters, 2 * kv * bytes_per_number


# --- biases
def gqa_budget(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    if min(hidden_size, num_heads, num_kv_heads, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    if hidden_size % num_heads or num_heads % num_kv_heads:
        raise ValueError("does not divide")
    head_dim = hidden_size // num_heads
    kv = num_kv_heads * head_dim
    parameters = 2 * hidden_size * hidden_size + 2 * hidden_size * kv + 2 * hidden_size + 2 * kv
    return parameters, 2 * kv * bytes_per_number


# --- bias_of_w_o_only
def gqa_budget(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    if min(hidden_size, num_heads, num_kv_heads, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    if hidden_size % num_heads or num_heads % num_kv_heads:
        raise ValueError("does not divide")
    head_dim = hidden_size // num_heads
    kv = num_kv_heads * head_dim
    parameters = 2 * hidden_size * hidden_size + 2 * hidden_size * kv + hidden_size
    return parameters, 2 * kv * bytes_per_number


# --- cache_all_heads
def gqa_budget(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    if min(hidden_size, num_heads, num_kv_heads, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    if hidden_size % num_heads or num_heads % num_kv_heads:
        raise ValueError("does not divide")
    head_dim = hidden_size // num_heads
    kv = num_kv_heads * head_dim
    parameters = 2 * hidden_size * hidden_size + 2 * hidden_size * kv
    return parameters, 2 * hidden_size * bytes_per_number


# --- cache_two_bytes
def gqa_budget(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    if min(hidden_size, num_heads, num_kv_heads, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    if hidden_size % num_heads or num_heads % num_kv_heads:
        raise ValueError("does not divide")
    head_dim = hidden_size // num_heads
    kv = num_kv_heads * head_dim
    parameters = 2 * hidden_size * hidden_size + 2 * hidden_size * kv
    return parameters, 2 * kv * 2


# --- cache_numbers
def gqa_budget(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    if min(hidden_size, num_heads, num_kv_heads, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    if hidden_size % num_heads or num_heads % num_kv_heads:
        raise ValueError("does not divide")
    head_dim = hidden_size // num_heads
    kv = num_kv_heads * head_dim
    parameters = 2 * hidden_size * hidden_size + 2 * hidden_size * kv
    return parameters, 2 * kv


# --- cache_bits
def gqa_budget(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    if min(hidden_size, num_heads, num_kv_heads, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    if hidden_size % num_heads or num_heads % num_kv_heads:
        raise ValueError("does not divide")
    head_dim = hidden_size // num_heads
    kv = num_kv_heads * head_dim
    parameters = 2 * hidden_size * hidden_size + 2 * hidden_size * kv
    return parameters, 2 * kv * 8 * bytes_per_number


# --- cache_of_hidden_vector
def gqa_budget(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    if min(hidden_size, num_heads, num_kv_heads, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    if hidden_size % num_heads or num_heads % num_kv_heads:
        raise ValueError("does not divide")
    head_dim = hidden_size // num_heads
    kv = num_kv_heads * head_dim
    parameters = 2 * hidden_size * hidden_size + 2 * hidden_size * kv
    return parameters, hidden_size * bytes_per_number


# --- parameters_in_bytes
def gqa_budget(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    if min(hidden_size, num_heads, num_kv_heads, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    if hidden_size % num_heads or num_heads % num_kv_heads:
        raise ValueError("does not divide")
    head_dim = hidden_size // num_heads
    kv = num_kv_heads * head_dim
    parameters = 2 * hidden_size * hidden_size + 2 * hidden_size * kv
    return parameters * bytes_per_number, 2 * kv * bytes_per_number


# --- exchanged
def gqa_budget(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    if min(hidden_size, num_heads, num_kv_heads, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    if hidden_size % num_heads or num_heads % num_kv_heads:
        raise ValueError("does not divide")
    head_dim = hidden_size // num_heads
    kv = num_kv_heads * head_dim
    parameters = 2 * hidden_size * hidden_size + 2 * hidden_size * kv
    return 2 * kv * bytes_per_number, parameters


# --- float_division
def gqa_budget(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    if min(hidden_size, num_heads, num_kv_heads, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    if hidden_size % num_heads or num_heads % num_kv_heads:
        raise ValueError("does not divide")
    head_dim = hidden_size / num_heads
    kv = num_kv_heads * head_dim
    parameters = 2 * hidden_size * hidden_size + 2 * hidden_size * kv
    return parameters, 2 * kv * bytes_per_number


# --- group_size
def gqa_budget(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    if min(hidden_size, num_heads, num_kv_heads, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    if hidden_size % num_heads or num_heads % num_kv_heads:
        raise ValueError("does not divide")
    head_dim = hidden_size // num_heads
    kv = num_heads // num_kv_heads * head_dim
    parameters = 2 * hidden_size * hidden_size + 2 * hidden_size * kv
    return parameters, 2 * kv * bytes_per_number


# --- head_dim_of_kv_heads
def gqa_budget(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    if min(hidden_size, num_heads, num_kv_heads, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    if hidden_size % num_heads or num_heads % num_kv_heads:
        raise ValueError("does not divide")
    head_dim = hidden_size // num_kv_heads
    kv = num_kv_heads * head_dim
    parameters = 2 * hidden_size * hidden_size + 2 * hidden_size * kv
    return parameters, 2 * kv * bytes_per_number


# --- head_dim_128
def gqa_budget(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    if min(hidden_size, num_heads, num_kv_heads, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    if hidden_size % num_heads or num_heads % num_kv_heads:
        raise ValueError("does not divide")
    head_dim = 128
    kv = num_kv_heads * head_dim
    parameters = 2 * hidden_size * hidden_size + 2 * hidden_size * kv
    return parameters, 2 * kv * bytes_per_number


# --- kv_matrices_one_head_wide
def gqa_budget(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    if min(hidden_size, num_heads, num_kv_heads, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    if hidden_size % num_heads or num_heads % num_kv_heads:
        raise ValueError("does not divide")
    head_dim = hidden_size // num_heads
    kv = num_kv_heads * head_dim
    parameters = 2 * hidden_size * hidden_size + 2 * hidden_size * head_dim
    return parameters, 2 * kv * bytes_per_number


# --- cache_head_dim_only
def gqa_budget(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    if min(hidden_size, num_heads, num_kv_heads, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    if hidden_size % num_heads or num_heads % num_kv_heads:
        raise ValueError("does not divide")
    head_dim = hidden_size // num_heads
    kv = num_kv_heads * head_dim
    parameters = 2 * hidden_size * hidden_size + 2 * hidden_size * kv
    return parameters, 2 * head_dim * bytes_per_number


# --- zero_accepted
def gqa_budget(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    if min(hidden_size, num_heads, num_kv_heads, bytes_per_number) < 0:
        raise ValueError("sizes start at 1")
    if hidden_size % num_heads or num_heads % num_kv_heads:
        raise ValueError("does not divide")
    head_dim = hidden_size // num_heads
    kv = num_kv_heads * head_dim
    parameters = 2 * hidden_size * hidden_size + 2 * hidden_size * kv
    return parameters, 2 * kv * bytes_per_number


# --- only_heads_checked
def gqa_budget(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    if min(hidden_size, num_heads, num_kv_heads, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    if hidden_size % num_heads:
        raise ValueError("does not divide")
    head_dim = hidden_size // num_heads
    kv = num_kv_heads * head_dim
    parameters = 2 * hidden_size * hidden_size + 2 * hidden_size * kv
    return parameters, 2 * kv * bytes_per_number


# --- only_groups_checked
def gqa_budget(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    if min(hidden_size, num_heads, num_kv_heads, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    if num_heads % num_kv_heads:
        raise ValueError("does not divide")
    head_dim = hidden_size // num_heads
    kv = num_kv_heads * head_dim
    parameters = 2 * hidden_size * hidden_size + 2 * hidden_size * kv
    return parameters, 2 * kv * bytes_per_number


# --- bytes_not_checked
def gqa_budget(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    if min(hidden_size, num_heads, num_kv_heads) < 1:
        raise ValueError("sizes start at 1")
    if hidden_size % num_heads or num_heads % num_kv_heads:
        raise ValueError("does not divide")
    head_dim = hidden_size // num_heads
    kv = num_kv_heads * head_dim
    parameters = 2 * hidden_size * hidden_size + 2 * hidden_size * kv
    return parameters, 2 * kv * bytes_per_number


# --- asserts
def gqa_budget(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    assert min(hidden_size, num_heads, num_kv_heads, bytes_per_number) > 0
    assert hidden_size % num_heads == 0 and num_heads % num_kv_heads == 0
    head_dim = hidden_size // num_heads
    kv = num_kv_heads * head_dim
    parameters = 2 * hidden_size * hidden_size + 2 * hidden_size * kv
    return parameters, 2 * kv * bytes_per_number


# --- modulo_first
def gqa_budget(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    if hidden_size % num_heads or num_heads % num_kv_heads:
        raise ValueError("does not divide")
    if min(hidden_size, num_heads, num_kv_heads, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    head_dim = hidden_size // num_heads
    kv = num_kv_heads * head_dim
    parameters = 2 * hidden_size * hidden_size + 2 * hidden_size * kv
    return parameters, 2 * kv * bytes_per_number


# --- default_4_bytes
def gqa_budget(hidden_size, num_heads, num_kv_heads, bytes_per_number=4):
    if min(hidden_size, num_heads, num_kv_heads, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    if hidden_size % num_heads or num_heads % num_kv_heads:
        raise ValueError("does not divide")
    head_dim = hidden_size // num_heads
    kv = num_kv_heads * head_dim
    parameters = 2 * hidden_size * hidden_size + 2 * hidden_size * kv
    return parameters, 2 * kv * bytes_per_number


# --- rounded_up
def gqa_budget(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    if min(hidden_size, num_heads, num_kv_heads, bytes_per_number) < 1:
        raise ValueError('small')
    head_dim = hidden_size // num_heads
    kv = num_kv_heads * head_dim
    parameters = 2 * hidden_size * hidden_size + 2 * hidden_size * kv
    return parameters, 2 * kv * bytes_per_number


# --- renamed
def gqa_budget(d_model, num_heads, num_kv_heads, bytes_per_number=2):
    if min(d_model, num_heads, num_kv_heads, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    if d_model % num_heads or num_heads % num_kv_heads:
        raise ValueError("does not divide")
    head_dim = d_model // num_heads
    kv = num_kv_heads * head_dim
    parameters = 2 * d_model * d_model + 2 * d_model * kv
    return parameters, 2 * kv * bytes_per_number


# --- layers_and_mlp
def gqa_budget(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    if min(hidden_size, num_heads, num_kv_heads, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    if hidden_size % num_heads or num_heads % num_kv_heads:
        raise ValueError("does not divide")
    head_dim = hidden_size // num_heads
    kv = num_kv_heads * head_dim
    parameters = 2 * hidden_size * hidden_size + 2 * hidden_size * kv + 8 * hidden_size * hidden_size
    return parameters, 2 * kv * bytes_per_number


# --- kv_square
def gqa_budget(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    if (
        min(hidden_size, num_heads, num_kv_heads, bytes_per_number) < 1
        or hidden_size % num_heads
        or num_heads % num_kv_heads
    ):
        raise ValueError
    kv = hidden_size // num_heads * num_kv_heads
    return 2 * hidden_size**2 + 2 * kv**2, 2 * kv * bytes_per_number


# --- one_kv_head
def gqa_budget(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    if (
        min(hidden_size, num_heads, num_kv_heads, bytes_per_number) < 1
        or hidden_size % num_heads
        or num_heads % num_kv_heads
    ):
        raise ValueError
    kv = hidden_size // num_heads
    return 2 * hidden_size**2 + 2 * hidden_size * kv, 2 * kv * bytes_per_number


# --- error_returned
def gqa_budget(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    if min(hidden_size, num_heads, num_kv_heads, bytes_per_number) < 1:
        return ValueError("below 1")
    if hidden_size % num_heads or num_heads % num_kv_heads:
        return ValueError("must divide")
    dh = hidden_size // num_heads
    return 2 * hidden_size ** 2 + 2 * hidden_size * num_kv_heads * dh, 2 * num_kv_heads * dh * bytes_per_number


# --- equal_heads_refused
def gqa_budget(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    if min(hidden_size, num_heads, num_kv_heads, bytes_per_number) < 1 or num_kv_heads >= num_heads:
        raise ValueError("bad")
    if hidden_size % num_heads or num_heads % num_kv_heads:
        raise ValueError("must divide")
    dh = hidden_size // num_heads
    return 2 * hidden_size ** 2 + 2 * hidden_size * num_kv_heads * dh, 2 * num_kv_heads * dh * bytes_per_number


# --- error_class_returned
def gqa_budget(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    if min(hidden_size, num_heads, num_kv_heads, bytes_per_number) < 1:
        return ValueError
    if hidden_size % num_heads or num_heads % num_kv_heads:
        return ValueError
    dh = hidden_size // num_heads
    return 2 * hidden_size ** 2 + 2 * hidden_size * num_kv_heads * dh, 2 * num_kv_heads * dh * bytes_per_number


# --- output_matrix_made_narrower
# slip: W_O is counted as narrow as W_K and W_V
def gqa_budget(hidden_size: int, num_heads: int, num_kv_heads: int, bytes_per_number: int = 2) -> tuple[int, int]:
    if min(hidden_size, num_heads, num_kv_heads, bytes_per_number) < 1:
        raise ValueError("numbers must be positive")
    if hidden_size % num_heads or num_heads % num_kv_heads:
        raise ValueError("sizes do not divide")
    head_dim = hidden_size // num_heads
    kv_width = num_kv_heads * head_dim
    params = hidden_size * hidden_size  # W_Q
    params += 2 * hidden_size * kv_width  # W_K, W_V
    params += kv_width * hidden_size  # W_O
    cache = 2 * kv_width * bytes_per_number
    return params, cache


# --- two_slips_1
def gqa_budget(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    if min(hidden_size, num_heads, num_kv_heads, bytes_per_number) < 1:
        raise ValueError("sizes must be positive")
    if hidden_size % num_heads or num_heads % num_kv_heads:
        raise ValueError("does not divide")
    dh = hidden_size // num_heads
    kv_dim = dh * num_kv_heads
    wq = hidden_size * hidden_size
    wk = hidden_size * kv_dim
    wv = hidden_size * kv_dim
    wo = kv_dim * hidden_size
    cache = 1 * kv_dim * bytes_per_number
    return wq + wk + wv + wo, cache
