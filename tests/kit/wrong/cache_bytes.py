"""Wrong submissions for cache_bytes, written from the statement, without the suite in view."""

# --- without_values
def kv_bytes(num_layers, num_kv_heads, head_dim, bytes_per_number=2):
    if min(num_layers, num_kv_heads, head_dim, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    return num_layers * num_kv_heads * head_dim * bytes_per_number


def mla_bytes(num_layers, latent_dim, rope_dim, bytes_per_number=2):
    if min(num_layers, latent_dim, bytes_per_number) < 1 or rope_dim < 0:
        raise ValueError("sizes start at 1")
    return num_layers * (latent_dim + rope_dim) * bytes_per_number


def step_cost(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number=2):
    if min(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    if kv_len < q_len or num_heads % num_kv_heads:
        raise ValueError("does not fit")
    flops = 4 * num_heads * q_len * kv_len * head_dim
    cache = 2 * num_kv_heads * kv_len * head_dim
    moved = 2 * num_heads * q_len * head_dim
    return flops, (cache + moved) * bytes_per_number


def overtaking_length(d_model, d_ff, num_heads, head_dim, mlp_matrices=2):
    if min(d_model, d_ff, num_heads, head_dim, mlp_matrices) < 1:
        raise ValueError("sizes start at 1")
    return mlp_matrices * d_model * d_ff // (2 * num_heads * head_dim) + 1


# --- without_layers
def kv_bytes(num_layers, num_kv_heads, head_dim, bytes_per_number=2):
    if min(num_layers, num_kv_heads, head_dim, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    return 2 * num_kv_heads * head_dim * bytes_per_number


def mla_bytes(num_layers, latent_dim, rope_dim, bytes_per_number=2):
    if min(num_layers, latent_dim, bytes_per_number) < 1 or rope_dim < 0:
        raise ValueError("sizes start at 1")
    return num_layers * (latent_dim + rope_dim) * bytes_per_number


def step_cost(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number=2):
    if min(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    if kv_len < q_len or num_heads % num_kv_heads:
        raise ValueError("does not fit")
    flops = 4 * num_heads * q_len * kv_len * head_dim
    cache = 2 * num_kv_heads * kv_len * head_dim
    moved = 2 * num_heads * q_len * head_dim
    return flops, (cache + moved) * bytes_per_number


def overtaking_length(d_model, d_ff, num_heads, head_dim, mlp_matrices=2):
    if min(d_model, d_ff, num_heads, head_dim, mlp_matrices) < 1:
        raise ValueError("sizes start at 1")
    return mlp_matrices * d_model * d_ff // (2 * num_heads * head_dim) + 1


# --- float16_only
def kv_bytes(num_layers, num_kv_heads, head_dim, bytes_per_number=2):
    if min(num_layers, num_kv_heads, head_dim, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    return 2 * num_layers * num_kv_heads * head_dim * 2


def mla_bytes(num_layers, latent_dim, rope_dim, bytes_per_number=2):
    if min(num_layers, latent_dim, bytes_per_number) < 1 or rope_dim < 0:
        raise ValueError("sizes start at 1")
    return num_layers * (latent_dim + rope_dim) * bytes_per_number


def step_cost(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number=2):
    if min(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    if kv_len < q_len or num_heads % num_kv_heads:
        raise ValueError("does not fit")
    flops = 4 * num_heads * q_len * kv_len * head_dim
    cache = 2 * num_kv_heads * kv_len * head_dim
    moved = 2 * num_heads * q_len * head_dim
    return flops, (cache + moved) * bytes_per_number


def overtaking_length(d_model, d_ff, num_heads, head_dim, mlp_matrices=2):
    if min(d_model, d_ff, num_heads, head_dim, mlp_matrices) < 1:
        raise ValueError("sizes start at 1")
    return mlp_matrices * d_model * d_ff // (2 * num_heads * head_dim) + 1


# --- zero_layers
def kv_bytes(num_layers, num_kv_heads, head_dim, bytes_per_number=2):
    return 2 * num_layers * num_kv_heads * head_dim * bytes_per_number


def mla_bytes(num_layers, latent_dim, rope_dim, bytes_per_number=2):
    if min(num_layers, latent_dim, bytes_per_number) < 1 or rope_dim < 0:
        raise ValueError("sizes start at 1")
    return num_layers * (latent_dim + rope_dim) * bytes_per_number


def step_cost(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number=2):
    if min(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    if kv_len < q_len or num_heads % num_kv_heads:
        raise ValueError("does not fit")
    flops = 4 * num_heads * q_len * kv_len * head_dim
    cache = 2 * num_kv_heads * kv_len * head_dim
    moved = 2 * num_heads * q_len * head_dim
    return flops, (cache + moved) * bytes_per_number


def overtaking_length(d_model, d_ff, num_heads, head_dim, mlp_matrices=2):
    if min(d_model, d_ff, num_heads, head_dim, mlp_matrices) < 1:
        raise ValueError("sizes start at 1")
    return mlp_matrices * d_model * d_ff // (2 * num_heads * head_dim) + 1


# --- two_latents
def kv_bytes(num_layers, num_kv_heads, head_dim, bytes_per_number=2):
    if min(num_layers, num_kv_heads, head_dim, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    return 2 * num_layers * num_kv_heads * head_dim * bytes_per_number


def mla_bytes(num_layers, latent_dim, rope_dim, bytes_per_number=2):
    if min(num_layers, latent_dim, bytes_per_number) < 1 or rope_dim < 0:
        raise ValueError("sizes start at 1")
    return num_layers * (2 * latent_dim + rope_dim) * bytes_per_number


def step_cost(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number=2):
    if min(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    if kv_len < q_len or num_heads % num_kv_heads:
        raise ValueError("does not fit")
    flops = 4 * num_heads * q_len * kv_len * head_dim
    cache = 2 * num_kv_heads * kv_len * head_dim
    moved = 2 * num_heads * q_len * head_dim
    return flops, (cache + moved) * bytes_per_number


def overtaking_length(d_model, d_ff, num_heads, head_dim, mlp_matrices=2):
    if min(d_model, d_ff, num_heads, head_dim, mlp_matrices) < 1:
        raise ValueError("sizes start at 1")
    return mlp_matrices * d_model * d_ff // (2 * num_heads * head_dim) + 1


# --- keys_and_values
def kv_bytes(num_layers, num_kv_heads, head_dim, bytes_per_number=2):
    if min(num_layers, num_kv_heads, head_dim, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    return 2 * num_layers * num_kv_heads * head_dim * bytes_per_number


def mla_bytes(num_layers, latent_dim, rope_dim, bytes_per_number=2):
    if min(num_layers, latent_dim, bytes_per_number) < 1 or rope_dim < 0:
        raise ValueError("sizes start at 1")
    return 2 * num_layers * (latent_dim + rope_dim) * bytes_per_number


def step_cost(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number=2):
    if min(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    if kv_len < q_len or num_heads % num_kv_heads:
        raise ValueError("does not fit")
    flops = 4 * num_heads * q_len * kv_len * head_dim
    cache = 2 * num_kv_heads * kv_len * head_dim
    moved = 2 * num_heads * q_len * head_dim
    return flops, (cache + moved) * bytes_per_number


def overtaking_length(d_model, d_ff, num_heads, head_dim, mlp_matrices=2):
    if min(d_model, d_ff, num_heads, head_dim, mlp_matrices) < 1:
        raise ValueError("sizes start at 1")
    return mlp_matrices * d_model * d_ff // (2 * num_heads * head_dim) + 1


# --- no_rope_part
def kv_bytes(num_layers, num_kv_heads, head_dim, bytes_per_number=2):
    if min(num_layers, num_kv_heads, head_dim, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    return 2 * num_layers * num_kv_heads * head_dim * bytes_per_number


def mla_bytes(num_layers, latent_dim, rope_dim, bytes_per_number=2):
    if min(num_layers, latent_dim, bytes_per_number) < 1 or rope_dim < 0:
        raise ValueError("sizes start at 1")
    return num_layers * latent_dim * bytes_per_number


def step_cost(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number=2):
    if min(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    if kv_len < q_len or num_heads % num_kv_heads:
        raise ValueError("does not fit")
    flops = 4 * num_heads * q_len * kv_len * head_dim
    cache = 2 * num_kv_heads * kv_len * head_dim
    moved = 2 * num_heads * q_len * head_dim
    return flops, (cache + moved) * bytes_per_number


def overtaking_length(d_model, d_ff, num_heads, head_dim, mlp_matrices=2):
    if min(d_model, d_ff, num_heads, head_dim, mlp_matrices) < 1:
        raise ValueError("sizes start at 1")
    return mlp_matrices * d_model * d_ff // (2 * num_heads * head_dim) + 1


# --- rope_dim_zero_refused
def kv_bytes(num_layers, num_kv_heads, head_dim, bytes_per_number=2):
    if min(num_layers, num_kv_heads, head_dim, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    return 2 * num_layers * num_kv_heads * head_dim * bytes_per_number


def mla_bytes(num_layers, latent_dim, rope_dim, bytes_per_number=2):
    if min(num_layers, latent_dim, bytes_per_number) < 1 or rope_dim < 1:
        raise ValueError("sizes start at 1")
    return num_layers * (latent_dim + rope_dim) * bytes_per_number


def step_cost(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number=2):
    if min(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    if kv_len < q_len or num_heads % num_kv_heads:
        raise ValueError("does not fit")
    flops = 4 * num_heads * q_len * kv_len * head_dim
    cache = 2 * num_kv_heads * kv_len * head_dim
    moved = 2 * num_heads * q_len * head_dim
    return flops, (cache + moved) * bytes_per_number


def overtaking_length(d_model, d_ff, num_heads, head_dim, mlp_matrices=2):
    if min(d_model, d_ff, num_heads, head_dim, mlp_matrices) < 1:
        raise ValueError("sizes start at 1")
    return mlp_matrices * d_model * d_ff // (2 * num_heads * head_dim) + 1


# --- multiplies_only
def kv_bytes(num_layers, num_kv_heads, head_dim, bytes_per_number=2):
    if min(num_layers, num_kv_heads, head_dim, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    return 2 * num_layers * num_kv_heads * head_dim * bytes_per_number


def mla_bytes(num_layers, latent_dim, rope_dim, bytes_per_number=2):
    if min(num_layers, latent_dim, bytes_per_number) < 1 or rope_dim < 0:
        raise ValueError("sizes start at 1")
    return num_layers * (latent_dim + rope_dim) * bytes_per_number


def step_cost(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number=2):
    if min(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    if kv_len < q_len or num_heads % num_kv_heads:
        raise ValueError("does not fit")
    flops = 2 * num_heads * q_len * kv_len * head_dim
    cache = 2 * num_kv_heads * kv_len * head_dim
    moved = 2 * num_heads * q_len * head_dim
    return flops, (cache + moved) * bytes_per_number


def overtaking_length(d_model, d_ff, num_heads, head_dim, mlp_matrices=2):
    if min(d_model, d_ff, num_heads, head_dim, mlp_matrices) < 1:
        raise ValueError("sizes start at 1")
    return mlp_matrices * d_model * d_ff // (2 * num_heads * head_dim) + 1


# --- half_for_the_mask
def kv_bytes(num_layers, num_kv_heads, head_dim, bytes_per_number=2):
    if min(num_layers, num_kv_heads, head_dim, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    return 2 * num_layers * num_kv_heads * head_dim * bytes_per_number


def mla_bytes(num_layers, latent_dim, rope_dim, bytes_per_number=2):
    if min(num_layers, latent_dim, bytes_per_number) < 1 or rope_dim < 0:
        raise ValueError("sizes start at 1")
    return num_layers * (latent_dim + rope_dim) * bytes_per_number


def step_cost(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number=2):
    if min(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    if kv_len < q_len or num_heads % num_kv_heads:
        raise ValueError("does not fit")
    flops = 2 * num_heads * q_len * (2 * kv_len - q_len + 1) * head_dim
    cache = 2 * num_kv_heads * kv_len * head_dim
    moved = 2 * num_heads * q_len * head_dim
    return flops, (cache + moved) * bytes_per_number


def overtaking_length(d_model, d_ff, num_heads, head_dim, mlp_matrices=2):
    if min(d_model, d_ff, num_heads, head_dim, mlp_matrices) < 1:
        raise ValueError("sizes start at 1")
    return mlp_matrices * d_model * d_ff // (2 * num_heads * head_dim) + 1


# --- flops_with_kv_heads
def kv_bytes(num_layers, num_kv_heads, head_dim, bytes_per_number=2):
    if min(num_layers, num_kv_heads, head_dim, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    return 2 * num_layers * num_kv_heads * head_dim * bytes_per_number


def mla_bytes(num_layers, latent_dim, rope_dim, bytes_per_number=2):
    if min(num_layers, latent_dim, bytes_per_number) < 1 or rope_dim < 0:
        raise ValueError("sizes start at 1")
    return num_layers * (latent_dim + rope_dim) * bytes_per_number


def step_cost(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number=2):
    if min(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    if kv_len < q_len or num_heads % num_kv_heads:
        raise ValueError("does not fit")
    flops = 4 * num_kv_heads * q_len * kv_len * head_dim
    cache = 2 * num_kv_heads * kv_len * head_dim
    moved = 2 * num_heads * q_len * head_dim
    return flops, (cache + moved) * bytes_per_number


def overtaking_length(d_model, d_ff, num_heads, head_dim, mlp_matrices=2):
    if min(d_model, d_ff, num_heads, head_dim, mlp_matrices) < 1:
        raise ValueError("sizes start at 1")
    return mlp_matrices * d_model * d_ff // (2 * num_heads * head_dim) + 1


# --- repeated_keys_read
def kv_bytes(num_layers, num_kv_heads, head_dim, bytes_per_number=2):
    if min(num_layers, num_kv_heads, head_dim, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    return 2 * num_layers * num_kv_heads * head_dim * bytes_per_number


def mla_bytes(num_layers, latent_dim, rope_dim, bytes_per_number=2):
    if min(num_layers, latent_dim, bytes_per_number) < 1 or rope_dim < 0:
        raise ValueError("sizes start at 1")
    return num_layers * (latent_dim + rope_dim) * bytes_per_number


def step_cost(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number=2):
    if min(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    if kv_len < q_len or num_heads % num_kv_heads:
        raise ValueError("does not fit")
    flops = 4 * num_heads * q_len * kv_len * head_dim
    cache = 2 * num_heads * kv_len * head_dim
    moved = 2 * num_heads * q_len * head_dim
    return flops, (cache + moved) * bytes_per_number


def overtaking_length(d_model, d_ff, num_heads, head_dim, mlp_matrices=2):
    if min(d_model, d_ff, num_heads, head_dim, mlp_matrices) < 1:
        raise ValueError("sizes start at 1")
    return mlp_matrices * d_model * d_ff // (2 * num_heads * head_dim) + 1


# --- scores_written
def kv_bytes(num_layers, num_kv_heads, head_dim, bytes_per_number=2):
    if min(num_layers, num_kv_heads, head_dim, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    return 2 * num_layers * num_kv_heads * head_dim * bytes_per_number


def mla_bytes(num_layers, latent_dim, rope_dim, bytes_per_number=2):
    if min(num_layers, latent_dim, bytes_per_number) < 1 or rope_dim < 0:
        raise ValueError("sizes start at 1")
    return num_layers * (latent_dim + rope_dim) * bytes_per_number


def step_cost(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number=2):
    if min(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    if kv_len < q_len or num_heads % num_kv_heads:
        raise ValueError("does not fit")
    flops = 4 * num_heads * q_len * kv_len * head_dim
    cache = 2 * num_kv_heads * kv_len * head_dim
    moved = 2 * num_heads * q_len * head_dim
    return flops, (cache + moved + num_heads * q_len * kv_len) * bytes_per_number


def overtaking_length(d_model, d_ff, num_heads, head_dim, mlp_matrices=2):
    if min(d_model, d_ff, num_heads, head_dim, mlp_matrices) < 1:
        raise ValueError("sizes start at 1")
    return mlp_matrices * d_model * d_ff // (2 * num_heads * head_dim) + 1


# --- output_forgotten
def kv_bytes(num_layers, num_kv_heads, head_dim, bytes_per_number=2):
    if min(num_layers, num_kv_heads, head_dim, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    return 2 * num_layers * num_kv_heads * head_dim * bytes_per_number


def mla_bytes(num_layers, latent_dim, rope_dim, bytes_per_number=2):
    if min(num_layers, latent_dim, bytes_per_number) < 1 or rope_dim < 0:
        raise ValueError("sizes start at 1")
    return num_layers * (latent_dim + rope_dim) * bytes_per_number


def step_cost(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number=2):
    if min(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    if kv_len < q_len or num_heads % num_kv_heads:
        raise ValueError("does not fit")
    flops = 4 * num_heads * q_len * kv_len * head_dim
    cache = 2 * num_kv_heads * kv_len * head_dim
    moved = num_heads * q_len * head_dim
    return flops, (cache + moved) * bytes_per_number


def overtaking_length(d_model, d_ff, num_heads, head_dim, mlp_matrices=2):
    if min(d_model, d_ff, num_heads, head_dim, mlp_matrices) < 1:
        raise ValueError("sizes start at 1")
    return mlp_matrices * d_model * d_ff // (2 * num_heads * head_dim) + 1


# --- dict
def kv_bytes(num_layers, num_kv_heads, head_dim, bytes_per_number=2):
    if min(num_layers, num_kv_heads, head_dim, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    return 2 * num_layers * num_kv_heads * head_dim * bytes_per_number


def mla_bytes(num_layers, latent_dim, rope_dim, bytes_per_number=2):
    if min(num_layers, latent_dim, bytes_per_number) < 1 or rope_dim < 0:
        raise ValueError("sizes start at 1")
    return num_layers * (latent_dim + rope_dim) * bytes_per_number


def step_cost(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number=2):
    if min(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    if kv_len < q_len or num_heads % num_kv_heads:
        raise ValueError("does not fit")
    flops = 4 * num_heads * q_len * kv_len * head_dim
    cache = 2 * num_kv_heads * kv_len * head_dim
    moved = 2 * num_heads * q_len * head_dim
    return {"flops": flops, "bytes": (cache + moved) * bytes_per_number}


def overtaking_length(d_model, d_ff, num_heads, head_dim, mlp_matrices=2):
    if min(d_model, d_ff, num_heads, head_dim, mlp_matrices) < 1:
        raise ValueError("sizes start at 1")
    return mlp_matrices * d_model * d_ff // (2 * num_heads * head_dim) + 1


# --- intensity
def kv_bytes(num_layers, num_kv_heads, head_dim, bytes_per_number=2):
    if min(num_layers, num_kv_heads, head_dim, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    return 2 * num_layers * num_kv_heads * head_dim * bytes_per_number


def mla_bytes(num_layers, latent_dim, rope_dim, bytes_per_number=2):
    if min(num_layers, latent_dim, bytes_per_number) < 1 or rope_dim < 0:
        raise ValueError("sizes start at 1")
    return num_layers * (latent_dim + rope_dim) * bytes_per_number


def step_cost(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number=2):
    if min(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    if kv_len < q_len or num_heads % num_kv_heads:
        raise ValueError("does not fit")
    flops = 4 * num_heads * q_len * kv_len * head_dim
    cache = 2 * num_kv_heads * kv_len * head_dim
    moved = 2 * num_heads * q_len * head_dim
    return flops / ((cache + moved) * bytes_per_number)


def overtaking_length(d_model, d_ff, num_heads, head_dim, mlp_matrices=2):
    if min(d_model, d_ff, num_heads, head_dim, mlp_matrices) < 1:
        raise ValueError("sizes start at 1")
    return mlp_matrices * d_model * d_ff // (2 * num_heads * head_dim) + 1


# --- old_and_new_apart
def kv_bytes(num_layers, num_kv_heads, head_dim, bytes_per_number=2):
    if min(num_layers, num_kv_heads, head_dim, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    return 2 * num_layers * num_kv_heads * head_dim * bytes_per_number


def mla_bytes(num_layers, latent_dim, rope_dim, bytes_per_number=2):
    if min(num_layers, latent_dim, bytes_per_number) < 1 or rope_dim < 0:
        raise ValueError("sizes start at 1")
    return num_layers * (latent_dim + rope_dim) * bytes_per_number


def step_cost(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number=2):
    if min(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    if kv_len < q_len or num_heads % num_kv_heads:
        raise ValueError("does not fit")
    flops = 4 * num_heads * q_len * kv_len * head_dim
    cache = 2 * num_kv_heads * (kv_len + q_len) * head_dim
    moved = 2 * num_heads * q_len * head_dim
    return flops, (cache + moved) * bytes_per_number


def overtaking_length(d_model, d_ff, num_heads, head_dim, mlp_matrices=2):
    if min(d_model, d_ff, num_heads, head_dim, mlp_matrices) < 1:
        raise ValueError("sizes start at 1")
    return mlp_matrices * d_model * d_ff // (2 * num_heads * head_dim) + 1


# --- fewer_keys_let_through
def kv_bytes(num_layers, num_kv_heads, head_dim, bytes_per_number=2):
    if min(num_layers, num_kv_heads, head_dim, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    return 2 * num_layers * num_kv_heads * head_dim * bytes_per_number


def mla_bytes(num_layers, latent_dim, rope_dim, bytes_per_number=2):
    if min(num_layers, latent_dim, bytes_per_number) < 1 or rope_dim < 0:
        raise ValueError("sizes start at 1")
    return num_layers * (latent_dim + rope_dim) * bytes_per_number


def step_cost(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number=2):
    if min(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    if num_heads % num_kv_heads:
        raise ValueError("does not fit")
    flops = 4 * num_heads * q_len * kv_len * head_dim
    cache = 2 * num_kv_heads * kv_len * head_dim
    moved = 2 * num_heads * q_len * head_dim
    return flops, (cache + moved) * bytes_per_number


def overtaking_length(d_model, d_ff, num_heads, head_dim, mlp_matrices=2):
    if min(d_model, d_ff, num_heads, head_dim, mlp_matrices) < 1:
        raise ValueError("sizes start at 1")
    return mlp_matrices * d_model * d_ff // (2 * num_heads * head_dim) + 1


# --- without_the_one
def kv_bytes(num_layers, num_kv_heads, head_dim, bytes_per_number=2):
    if min(num_layers, num_kv_heads, head_dim, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    return 2 * num_layers * num_kv_heads * head_dim * bytes_per_number


def mla_bytes(num_layers, latent_dim, rope_dim, bytes_per_number=2):
    if min(num_layers, latent_dim, bytes_per_number) < 1 or rope_dim < 0:
        raise ValueError("sizes start at 1")
    return num_layers * (latent_dim + rope_dim) * bytes_per_number


def step_cost(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number=2):
    if min(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    if kv_len < q_len or num_heads % num_kv_heads:
        raise ValueError("does not fit")
    flops = 4 * num_heads * q_len * kv_len * head_dim
    cache = 2 * num_kv_heads * kv_len * head_dim
    moved = 2 * num_heads * q_len * head_dim
    return flops, (cache + moved) * bytes_per_number


def overtaking_length(d_model, d_ff, num_heads, head_dim, mlp_matrices=2):
    if min(d_model, d_ff, num_heads, head_dim, mlp_matrices) < 1:
        raise ValueError("sizes start at 1")
    return mlp_matrices * d_model * d_ff // (2 * num_heads * head_dim)


# --- divided_by_four
def kv_bytes(num_layers, num_kv_heads, head_dim, bytes_per_number=2):
    if min(num_layers, num_kv_heads, head_dim, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    return 2 * num_layers * num_kv_heads * head_dim * bytes_per_number


def mla_bytes(num_layers, latent_dim, rope_dim, bytes_per_number=2):
    if min(num_layers, latent_dim, bytes_per_number) < 1 or rope_dim < 0:
        raise ValueError("sizes start at 1")
    return num_layers * (latent_dim + rope_dim) * bytes_per_number


def step_cost(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number=2):
    if min(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    if kv_len < q_len or num_heads % num_kv_heads:
        raise ValueError("does not fit")
    flops = 4 * num_heads * q_len * kv_len * head_dim
    cache = 2 * num_kv_heads * kv_len * head_dim
    moved = 2 * num_heads * q_len * head_dim
    return flops, (cache + moved) * bytes_per_number


def overtaking_length(d_model, d_ff, num_heads, head_dim, mlp_matrices=2):
    if min(d_model, d_ff, num_heads, head_dim, mlp_matrices) < 1:
        raise ValueError("sizes start at 1")
    return mlp_matrices * d_model * d_ff // (4 * num_heads * head_dim) + 1


# --- d_model_for_both
def kv_bytes(num_layers, num_kv_heads, head_dim, bytes_per_number=2):
    if min(num_layers, num_kv_heads, head_dim, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    return 2 * num_layers * num_kv_heads * head_dim * bytes_per_number


def mla_bytes(num_layers, latent_dim, rope_dim, bytes_per_number=2):
    if min(num_layers, latent_dim, bytes_per_number) < 1 or rope_dim < 0:
        raise ValueError("sizes start at 1")
    return num_layers * (latent_dim + rope_dim) * bytes_per_number


def step_cost(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number=2):
    if min(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    if kv_len < q_len or num_heads % num_kv_heads:
        raise ValueError("does not fit")
    flops = 4 * num_heads * q_len * kv_len * head_dim
    cache = 2 * num_kv_heads * kv_len * head_dim
    moved = 2 * num_heads * q_len * head_dim
    return flops, (cache + moved) * bytes_per_number


def overtaking_length(d_model, d_ff, num_heads, head_dim, mlp_matrices=2):
    if min(d_model, d_ff, num_heads, head_dim, mlp_matrices) < 1:
        raise ValueError("sizes start at 1")
    return mlp_matrices * d_model * d_ff // (2 * d_model) + 1


# --- rounded_up
def kv_bytes(num_layers, num_kv_heads, head_dim, bytes_per_number=2):
    if min(num_layers, num_kv_heads, head_dim, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    return 2 * num_layers * num_kv_heads * head_dim * bytes_per_number


def mla_bytes(num_layers, latent_dim, rope_dim, bytes_per_number=2):
    if min(num_layers, latent_dim, bytes_per_number) < 1 or rope_dim < 0:
        raise ValueError("sizes start at 1")
    return num_layers * (latent_dim + rope_dim) * bytes_per_number


def step_cost(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number=2):
    if min(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    if kv_len < q_len or num_heads % num_kv_heads:
        raise ValueError("does not fit")
    flops = 4 * num_heads * q_len * kv_len * head_dim
    cache = 2 * num_kv_heads * kv_len * head_dim
    moved = 2 * num_heads * q_len * head_dim
    return flops, (cache + moved) * bytes_per_number


def overtaking_length(d_model, d_ff, num_heads, head_dim, mlp_matrices=2):
    if min(d_model, d_ff, num_heads, head_dim, mlp_matrices) < 1:
        raise ValueError("sizes start at 1")
    import math

    return math.ceil(mlp_matrices * d_model * d_ff / (2 * num_heads * head_dim))


# --- with_the_projections
def kv_bytes(num_layers, num_kv_heads, head_dim, bytes_per_number=2):
    if min(num_layers, num_kv_heads, head_dim, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    return 2 * num_layers * num_kv_heads * head_dim * bytes_per_number


def mla_bytes(num_layers, latent_dim, rope_dim, bytes_per_number=2):
    if min(num_layers, latent_dim, bytes_per_number) < 1 or rope_dim < 0:
        raise ValueError("sizes start at 1")
    return num_layers * (latent_dim + rope_dim) * bytes_per_number


def step_cost(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number=2):
    if min(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    if kv_len < q_len or num_heads % num_kv_heads:
        raise ValueError("does not fit")
    flops = 4 * num_heads * q_len * kv_len * head_dim
    cache = 2 * num_kv_heads * kv_len * head_dim
    moved = 2 * num_heads * q_len * head_dim
    return flops, (cache + moved) * bytes_per_number


def overtaking_length(d_model, d_ff, num_heads, head_dim, mlp_matrices=2):
    if min(d_model, d_ff, num_heads, head_dim, mlp_matrices) < 1:
        raise ValueError("sizes start at 1")
    return (mlp_matrices * d_model * d_ff - 4 * d_model * d_model) // (2 * num_heads * head_dim) + 1


# --- two_matrices
def kv_bytes(num_layers, num_kv_heads, head_dim, bytes_per_number=2):
    if min(num_layers, num_kv_heads, head_dim, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    return 2 * num_layers * num_kv_heads * head_dim * bytes_per_number


def mla_bytes(num_layers, latent_dim, rope_dim, bytes_per_number=2):
    if min(num_layers, latent_dim, bytes_per_number) < 1 or rope_dim < 0:
        raise ValueError("sizes start at 1")
    return num_layers * (latent_dim + rope_dim) * bytes_per_number


def step_cost(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number=2):
    if min(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    if kv_len < q_len or num_heads % num_kv_heads:
        raise ValueError("does not fit")
    flops = 4 * num_heads * q_len * kv_len * head_dim
    cache = 2 * num_kv_heads * kv_len * head_dim
    moved = 2 * num_heads * q_len * head_dim
    return flops, (cache + moved) * bytes_per_number


def overtaking_length(d_model, d_ff, num_heads, head_dim, mlp_matrices=2):
    if min(d_model, d_ff, num_heads, head_dim, mlp_matrices) < 1:
        raise ValueError("sizes start at 1")
    return 2 * d_model * d_ff // (2 * num_heads * head_dim) + 1


# --- step_scores_stored
def kv_bytes(num_layers, num_kv_heads, head_dim, bytes_per_number=2):
    if min(num_layers, num_kv_heads, head_dim, bytes_per_number) < 1:
        raise ValueError("below 1")
    return 2 * num_layers * num_kv_heads * head_dim * bytes_per_number
def mla_bytes(num_layers, latent_dim, rope_dim, bytes_per_number=2):
    if min(num_layers, latent_dim, bytes_per_number) < 1 or rope_dim < 0:
        raise ValueError("below 1")
    return num_layers * (latent_dim + rope_dim) * bytes_per_number
def step_cost(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number=2):
    if min(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number) < 1:
        raise ValueError("below 1")
    if kv_len < q_len or num_heads % num_kv_heads:
        raise ValueError("sizes")
    flops = 2 * 2 * q_len * kv_len * num_heads * head_dim
    numbers = 2 * q_len * num_heads * head_dim + 2 * kv_len * num_kv_heads * head_dim
    numbers += q_len * kv_len * num_heads
    return flops, numbers * bytes_per_number
def overtaking_length(d_model, d_ff, num_heads, head_dim, mlp_matrices=2):
    if min(d_model, d_ff, num_heads, head_dim, mlp_matrices) < 1:
        raise ValueError("below 1")
    mlp = 2 * mlp_matrices * d_model * d_ff
    return mlp // (4 * num_heads * head_dim) + 1


# --- step_bytes_fixed
def kv_bytes(num_layers, num_kv_heads, head_dim, bytes_per_number=2):
    if min(num_layers, num_kv_heads, head_dim, bytes_per_number) < 1:
        raise ValueError("below 1")
    return 2 * num_layers * num_kv_heads * head_dim * bytes_per_number
def mla_bytes(num_layers, latent_dim, rope_dim, bytes_per_number=2):
    if min(num_layers, latent_dim, bytes_per_number) < 1 or rope_dim < 0:
        raise ValueError("below 1")
    return num_layers * (latent_dim + rope_dim) * bytes_per_number
def step_cost(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number=2):
    if min(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number) < 1:
        raise ValueError("below 1")
    if kv_len < q_len or num_heads % num_kv_heads:
        raise ValueError("sizes")
    flops = 2 * 2 * q_len * kv_len * num_heads * head_dim
    numbers = 2 * q_len * num_heads * head_dim + 2 * kv_len * num_kv_heads * head_dim
    return flops, numbers * 2
def overtaking_length(d_model, d_ff, num_heads, head_dim, mlp_matrices=2):
    if min(d_model, d_ff, num_heads, head_dim, mlp_matrices) < 1:
        raise ValueError("below 1")
    mlp = 2 * mlp_matrices * d_model * d_ff
    return mlp // (4 * num_heads * head_dim) + 1


# --- overtake_float
def kv_bytes(num_layers, num_kv_heads, head_dim, bytes_per_number=2):
    if min(num_layers, num_kv_heads, head_dim, bytes_per_number) < 1:
        raise ValueError("below 1")
    return 2 * num_layers * num_kv_heads * head_dim * bytes_per_number
def mla_bytes(num_layers, latent_dim, rope_dim, bytes_per_number=2):
    if min(num_layers, latent_dim, bytes_per_number) < 1 or rope_dim < 0:
        raise ValueError("below 1")
    return num_layers * (latent_dim + rope_dim) * bytes_per_number
def step_cost(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number=2):
    if min(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number) < 1:
        raise ValueError("below 1")
    if kv_len < q_len or num_heads % num_kv_heads:
        raise ValueError("sizes")
    flops = 2 * 2 * q_len * kv_len * num_heads * head_dim
    numbers = 2 * q_len * num_heads * head_dim + 2 * kv_len * num_kv_heads * head_dim
    return flops, numbers * bytes_per_number
def overtaking_length(d_model, d_ff, num_heads, head_dim, mlp_matrices=2):
    if min(d_model, d_ff, num_heads, head_dim, mlp_matrices) < 1:
        raise ValueError("below 1")
    mlp = 2 * mlp_matrices * d_model * d_ff
    import math
    return math.ceil(mlp / (4 * num_heads * head_dim))


# --- as_much_counts_as_more
# slip: overtaking_length gives the length at which attention takes as much as the MLP (rounded up), not the first at which it takes more
import math


def _positive(*numbers):
    if min(numbers) < 1:
        raise ValueError("must be 1 or more")


def kv_bytes(num_layers: int, num_kv_heads: int, head_dim: int, bytes_per_number: int = 2) -> int:
    _positive(num_layers, num_kv_heads, head_dim, bytes_per_number)
    return 2 * num_layers * num_kv_heads * head_dim * bytes_per_number


def mla_bytes(num_layers: int, latent_dim: int, rope_dim: int, bytes_per_number: int = 2) -> int:
    _positive(num_layers, latent_dim, bytes_per_number)
    if rope_dim < 0:
        raise ValueError("rope_dim")
    return num_layers * (latent_dim + rope_dim) * bytes_per_number


def step_cost(
    q_len: int, kv_len: int, num_heads: int, num_kv_heads: int, head_dim: int, bytes_per_number: int = 2
) -> tuple[int, int]:
    _positive(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number)
    if kv_len < q_len or num_heads % num_kv_heads:
        raise ValueError("kv_len or heads")
    flops = 2 * (2 * q_len * kv_len * num_heads * head_dim)
    numbers = 2 * q_len * num_heads * head_dim + 2 * kv_len * num_kv_heads * head_dim
    return flops, numbers * bytes_per_number


def overtaking_length(d_model: int, d_ff: int, num_heads: int, head_dim: int, mlp_matrices: int = 2) -> int:
    _positive(d_model, d_ff, num_heads, head_dim, mlp_matrices)
    mlp = 2 * mlp_matrices * d_model * d_ff
    per_key = 4 * num_heads * head_dim
    return math.ceil(mlp / per_key)


# --- two_slips_1
def check(**sizes):
    for name, size in sizes.items():
        if size < 1:
            raise ValueError(f"{name} must be positive")


def kv_bytes(num_layers, num_kv_heads, head_dim, bytes_per_number=2):
    check(a=num_layers, b=num_kv_heads, c=head_dim, d=bytes_per_number)
    per_layer = num_kv_heads * head_dim * 2
    return per_layer * num_layers * bytes_per_number


def mla_bytes(num_layers, latent_dim, rope_dim, bytes_per_number=2):
    check(a=num_layers, b=latent_dim, d=bytes_per_number)
    if rope_dim < 0:
        raise ValueError("rope_dim must not be negative")
    per_layer = 2 * latent_dim + rope_dim
    return per_layer * num_layers * bytes_per_number


def step_cost(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number=2):
    check(a=q_len, b=kv_len, c=num_heads, d=num_kv_heads, e=head_dim, f=bytes_per_number)
    if kv_len < q_len:
        raise ValueError("cache shorter than the queries")
    if num_heads % num_kv_heads != 0:
        raise ValueError("heads do not divide")
    qk = 2 * q_len * kv_len * head_dim * num_heads
    av = 2 * q_len * kv_len * head_dim * num_heads
    queries = output = q_len * num_heads * head_dim
    keys = values = kv_len * num_heads * head_dim
    return qk + av, (queries + keys + values + output) * bytes_per_number


def overtaking_length(d_model, d_ff, num_heads, head_dim, mlp_matrices=2):
    check(a=d_model, b=d_ff, c=num_heads, d=head_dim, e=mlp_matrices)
    n = mlp_matrices * d_model * d_ff // (2 * num_heads * head_dim)
    return n + 1
