"""Wrong files for attention_param_count, each a whole submission as somebody might hand it in."""
# --- no_refusal_and_d_model_squared
def attention_param_count(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
    return 4 * d_model * d_model * n_layers
# --- three_matrices
def attention_param_count(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
    if n_kv_heads is None:
        n_kv_heads = n_heads
    if n_heads % n_kv_heads:
        raise ValueError("heads")
    total = d_model * n_heads * d_head + 2 * d_model * n_kv_heads * d_head
    if bias:
        total += n_heads * d_head + 2 * n_kv_heads * d_head
    return total * n_layers
# --- groups_ignored
def attention_param_count(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
    if n_kv_heads is not None and n_heads % n_kv_heads:
        raise ValueError("heads")
    total = 4 * d_model * n_heads * d_head
    if bias:
        total += 3 * n_heads * d_head + d_model
    return total * n_layers
# --- output_bias_of_the_heads
def attention_param_count(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
    kv = n_heads if n_kv_heads is None else n_kv_heads
    if n_heads % kv:
        raise ValueError("heads")
    total = 2 * d_model * n_heads * d_head + 2 * d_model * kv * d_head
    if bias:
        total += 2 * n_heads * d_head + 2 * kv * d_head
    return total * n_layers
# --- four_biases_of_d_model
def attention_param_count(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
    kv = n_heads if n_kv_heads is None else n_kv_heads
    if n_heads % kv:
        raise ValueError("heads")
    total = 2 * d_model * n_heads * d_head + 2 * d_model * kv * d_head
    if bias:
        total += 4 * d_model
    return total * n_layers
# --- biases_once_for_all_layers
def attention_param_count(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
    kv = n_heads if n_kv_heads is None else n_kv_heads
    if n_heads % kv:
        raise ValueError("heads")
    total = (2 * d_model * n_heads * d_head + 2 * d_model * kv * d_head) * n_layers
    if bias:
        total += n_heads * d_head + 2 * kv * d_head + d_model
    return total
# --- layers_forgotten_and_no_refusal
def attention_param_count(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
    kv = n_kv_heads or n_heads
    total = 2 * d_model * n_heads * d_head + 2 * d_model * kv * d_head
    if bias:
        total += n_heads * d_head + 2 * kv * d_head + d_model
    return total
# --- bias_always
def attention_param_count(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
    kv = n_heads if n_kv_heads is None else n_kv_heads
    if n_heads % kv:
        raise ValueError("heads")
    total = 2 * d_model * n_heads * d_head + 2 * d_model * kv * d_head
    total += n_heads * d_head + 2 * kv * d_head + d_model
    return total * n_layers
# --- bias_never
def attention_param_count(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
    kv = n_heads if n_kv_heads is None else n_kv_heads
    if n_heads % kv:
        raise ValueError("heads")
    return (2 * d_model * n_heads * d_head + 2 * d_model * kv * d_head) * n_layers
# --- one_kv_head_by_default
def attention_param_count(d_model, n_heads, d_head, n_layers, n_kv_heads=1, bias=False):
    kv = n_kv_heads or 1
    if n_heads % kv:
        raise ValueError("heads")
    total = 2 * d_model * n_heads * d_head + 2 * d_model * kv * d_head
    if bias:
        total += n_heads * d_head + 2 * kv * d_head + d_model
    return total * n_layers
# --- only_keys_grouped
def attention_param_count(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
    kv = n_heads if n_kv_heads is None else n_kv_heads
    if n_heads % kv:
        raise ValueError("heads")
    total = 3 * d_model * n_heads * d_head + d_model * kv * d_head
    if bias:
        total += 2 * n_heads * d_head + kv * d_head + d_model
    return total * n_layers
# --- output_square
def attention_param_count(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
    kv = n_heads if n_kv_heads is None else n_kv_heads
    if n_heads % kv:
        raise ValueError("heads")
    total = d_model * n_heads * d_head + 2 * d_model * kv * d_head + d_model * d_model
    if bias:
        total += n_heads * d_head + 2 * kv * d_head + d_model
    return total * n_layers
# --- head_size_recomputed
def attention_param_count(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
    kv = n_heads if n_kv_heads is None else n_kv_heads
    if n_heads % kv:
        raise ValueError("heads")
    d_head = d_model // n_heads
    total = 2 * d_model * n_heads * d_head + 2 * d_model * kv * d_head
    if bias:
        total += n_heads * d_head + 2 * kv * d_head + d_model
    return total * n_layers
# --- requires_heads_to_fill_the_model
def attention_param_count(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
    if n_heads * d_head != d_model:
        raise ValueError("n_heads * d_head must be d_model")
    kv = n_heads if n_kv_heads is None else n_kv_heads
    if n_heads % kv:
        raise ValueError("heads")
    total = 2 * d_model * n_heads * d_head + 2 * d_model * kv * d_head
    if bias:
        total += n_heads * d_head + 2 * kv * d_head + d_model
    return total * n_layers
# --- refuses_the_other_way_round
def attention_param_count(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
    kv = n_heads if n_kv_heads is None else n_kv_heads
    if kv > n_heads:
        raise ValueError("too many key and value heads")
    total = 2 * d_model * n_heads * d_head + 2 * d_model * kv * d_head
    if bias:
        total += n_heads * d_head + 2 * kv * d_head + d_model
    return total * n_layers
# --- feed_forward_too
def attention_param_count(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
    kv = n_heads if n_kv_heads is None else n_kv_heads
    if n_heads % kv:
        raise ValueError("heads")
    total = 2 * d_model * n_heads * d_head + 2 * d_model * kv * d_head + 8 * d_model * d_model
    if bias:
        total += n_heads * d_head + 2 * kv * d_head + d_model
    return total * n_layers
# --- counted_in_float32
import torch


def attention_param_count(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
    kv = n_heads if n_kv_heads is None else n_kv_heads
    if n_heads % kv:
        raise ValueError("heads")
    total = torch.tensor(float(d_model)) * (2 * n_heads * d_head + 2 * kv * d_head)
    if bias:
        total = total + n_heads * d_head + 2 * kv * d_head + d_model
    return int(total * n_layers)
# --- asserts
def attention_param_count(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
    kv = n_heads if n_kv_heads is None else n_kv_heads
    assert n_heads % kv == 0
    total = 2 * d_model * n_heads * d_head + 2 * d_model * kv * d_head
    if bias:
        total += n_heads * d_head + 2 * kv * d_head + d_model
    return total * n_layers
# --- argument_renamed
def attention_param_count(d_model, n_heads, d_head, layers, kv_heads=None, use_bias=False):
    kv = n_heads if kv_heads is None else kv_heads
    if n_heads % kv:
        raise ValueError("heads")
    total = 2 * d_model * n_heads * d_head + 2 * d_model * kv * d_head
    if use_bias:
        total += n_heads * d_head + 2 * kv * d_head + d_model
    return total * layers
# --- one_head_counted
def attention_param_count(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
    kv = n_heads if n_kv_heads is None else n_kv_heads
    if n_heads % kv:
        raise ValueError("heads")
    total = 4 * d_model * d_head
    if bias:
        total += 3 * d_head + d_model
    return total * n_layers


# --- four
def attention_param_count(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
    if n_kv_heads is None:
        n_kv_heads = n_heads
    if n_heads % n_kv_heads:
        raise ValueError("heads")
    q, kv = n_heads * d_head, n_kv_heads * d_head
    total = 4 * d_model * q
    if bias:
        total += q + 2 * kv + d_model
    return n_layers * total


# --- no_wo
def attention_param_count(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
    if n_kv_heads is None:
        n_kv_heads = n_heads
    if n_heads % n_kv_heads:
        raise ValueError("heads")
    q, kv = n_heads * d_head, n_kv_heads * d_head
    total = d_model * q +  2 * d_model * kv
    if bias:
        total += q + 2 * kv + d_model
    return n_layers * total


# --- kv1
def attention_param_count(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
    if n_kv_heads is None:
        n_kv_heads = n_heads
    if n_heads % n_kv_heads:
        raise ValueError("heads")
    q, kv = n_heads * d_head, n_kv_heads * d_head
    total = 2 * d_model * q + d_model * kv
    if bias:
        total += q + 2 * kv + d_model
    return n_layers * total


# --- four_d2
def attention_param_count(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
    kv = n_heads if n_kv_heads is None else n_kv_heads
    if n_heads % kv: raise ValueError
    return n_layers * (4 * d_model ** 2 + (4 * d_model if bias else 0))


# --- bias_4inner
def attention_param_count(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
    kv = n_heads if n_kv_heads is None else n_kv_heads
    if n_heads % kv: raise ValueError
    q, k = n_heads * d_head, kv * d_head
    return n_layers * (2 * d_model * q + 2 * d_model * k + (4 * q if bias else 0))


# --- bias_default
def attention_param_count(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=True):
    kv = n_heads if n_kv_heads is None else n_kv_heads
    if n_heads % kv: raise ValueError
    q, k = n_heads * d_head, kv * d_head
    return n_layers * (2 * d_model * q + 2 * d_model * k + (q + 2 * k + d_model if bias else 0))


# --- bias_per_head_o
def attention_param_count(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
    kv = n_heads if n_kv_heads is None else n_kv_heads
    if n_heads % kv: raise ValueError
    q, k = n_heads * d_head, kv * d_head
    return n_layers * (2 * d_model * q + 2 * d_model * k + (q + 2 * k + n_heads * d_model if bias else 0))


# --- kv_all_group
def attention_param_count(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
    r = 1 if n_kv_heads is None else n_kv_heads
    if n_heads % r: raise ValueError
    q, k = n_heads * d_head, n_heads // r * d_head
    return n_layers * (2 * d_model * q + 2 * d_model * k + (q + 2 * k + d_model if bias else 0))


# --- requires_divisible_d
def attention_param_count(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
    kv = n_heads if n_kv_heads is None else n_kv_heads
    if n_heads % kv: raise ValueError
    if n_heads * d_head != d_model: raise ValueError("d_head must be d_model / n_heads")
    q, k = n_heads * d_head, kv * d_head
    return n_layers * (2 * d_model * q + 2 * d_model * k + (q + 2 * k + d_model if bias else 0))


# --- condition_swapped
def attention_param_count(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
    kv = n_heads if n_kv_heads is None else n_kv_heads
    if kv % n_heads: raise ValueError
    q, k = n_heads * d_head, kv * d_head
    return n_layers * (2 * d_model * q + 2 * d_model * k + (q + 2 * k + d_model if bias else 0))


# --- qkv_bias_only
def attention_param_count(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
    kv = n_heads if n_kv_heads is None else n_kv_heads
    if n_heads % kv: raise ValueError
    return n_layers * d_model * d_head * (2 * n_heads + 2 * kv) + (4 if bias else 0)


# --- float_div
def attention_param_count(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
    kv = n_heads if n_kv_heads is None else n_kv_heads
    g = n_heads / kv
    if g != int(g): raise ValueError
    q = n_heads * d_head
    return n_layers * (2 * d_model * q + 2 * d_model * q / g / g + (q + 2 * q / g + d_model if bias else 0))


# --- query_and_output_square
def attention_param_count(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
    if n_kv_heads is None:
        n_kv_heads = n_heads
    if n_heads % n_kv_heads != 0:
        raise ValueError("")
    total = 2 * d_model * d_model + 2 * d_model * n_kv_heads * d_head
    if bias:
        total += 2 * d_model + 2 * n_kv_heads * d_head
    return total * n_layers


# --- other_widths_refused
def attention_param_count(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
    if n_heads * d_head != d_model:
        raise ValueError("d_model must be n_heads * d_head")
    if n_kv_heads is None:
        n_kv_heads = n_heads
    if n_heads % n_kv_heads != 0:
        raise ValueError("")
    total = 2 * d_model * n_heads * d_head + 2 * d_model * n_kv_heads * d_head
    if bias:
        total += n_heads * d_head + 2 * n_kv_heads * d_head + d_model
    return total * n_layers


# --- layers_times_one_matrix
def attention_param_count(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
    kv = n_kv_heads or n_heads
    if n_heads % kv:
        raise ValueError
    q = d_model * n_heads * d_head
    k = d_model * kv * d_head
    b = (n_heads + 2 * kv) * d_head + d_model if bias else 0
    return q + 2 * k + q * n_layers + b


# --- biases_all_of_model_width
# slip: each bias is counted with d_model numbers, though those of W_Q, W_K and W_V have one for each of their own output channels
def attention_param_count(
    d_model: int, n_heads: int, d_head: int, n_layers: int, n_kv_heads: int | None = None, bias: bool = False
) -> int:
    kv = n_heads if n_kv_heads is None else n_kv_heads
    if n_heads % kv != 0:
        raise ValueError("n_heads must be divisible by n_kv_heads")
    q_size = d_model * n_heads * d_head
    kv_size = d_model * kv * d_head
    total = 2 * q_size + 2 * kv_size
    if bias:
        total += 4 * d_model
    return total * n_layers


# --- two_slips_1
def attention_param_count(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
    if n_kv_heads is None:
        n_kv_heads = n_heads
    if n_heads % n_kv_heads:
        raise ValueError("n_heads must be divisible by n_kv_heads")
    inner = d_model
    query_and_out = 2 * d_model * inner
    key_and_value = 2 * d_model * n_kv_heads * d_head
    count = n_layers * (query_and_out + key_and_value)
    if bias:
        b = n_heads * d_head + 2 * n_kv_heads * d_head + d_model
        count += b
    return count
