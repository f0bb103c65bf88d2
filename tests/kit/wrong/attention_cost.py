"""Wrong files for attention_cost, each a whole submission as somebody might hand it in."""
# --- uses_the_head_size
def attention_cost(n, d_head, n_heads, n_layers, bytes=2):
    scores = n * n * d_head * n_heads * n_layers
    return scores, scores * bytes
# --- causal_half
def attention_cost(n, d_head, n_heads, n_layers, bytes=2):
    scores = n * (n + 1) // 2 * n_heads * n_layers
    return scores, scores * bytes
# --- linear
def attention_cost(n, d_head, n_heads, n_layers, bytes=2):
    scores = n * n_heads * n_layers
    return scores, scores * bytes
# --- two_bytes_always
def attention_cost(n, d_head, n_heads, n_layers, bytes=2):
    scores = n * n * n_heads * n_layers
    return scores, scores * 2
# --- bits
def attention_cost(n, d_head, n_heads, n_layers, bytes=2):
    scores = n**2 * n_heads * n_layers
    return scores, scores * bytes * 8
# --- gigabytes
def attention_cost(n, d_head, n_heads, n_layers, bytes=2):
    scores = n**2 * n_heads * n_layers
    return scores, scores * bytes / 1e9
# --- one_layer
def attention_cost(n, d_head, n_heads, n_layers, bytes=2):
    scores = n**2 * n_heads
    return scores, scores * bytes
# --- heads_forgotten
def attention_cost(n, d_head, n_heads, n_layers, bytes=2):
    scores = n**2 * n_layers
    return scores, scores * bytes
# --- bytes_of_one_layer
def attention_cost(n, d_head, n_heads, n_layers, bytes=2):
    scores = n**2 * n_heads * n_layers
    return scores, n**2 * n_heads * bytes
# --- swapped
def attention_cost(n, d_head, n_heads, n_layers, bytes=2):
    scores = n**2 * n_heads * n_layers
    return scores * bytes, scores
# --- only_the_scores
def attention_cost(n, d_head, n_heads, n_layers, bytes=2):
    return n**2 * n_heads * n_layers
# --- without_the_diagonal
def attention_cost(n, d_head, n_heads, n_layers, bytes=2):
    scores = n * (n - 1) * n_heads * n_layers
    return scores, scores * bytes
# --- flops
def attention_cost(n, d_head, n_heads, n_layers, bytes=2):
    scores = n * n * n_heads * n_layers
    return 2 * scores * d_head, scores * bytes
# --- parameters_of_the_heads
def attention_cost(n, d_head, n_heads, n_layers, bytes=2):
    d_model = d_head * n_heads
    scores = 4 * d_model * d_model * n_layers
    return scores, scores * bytes
# --- float32_arithmetic
import torch


def attention_cost(n, d_head, n_heads, n_layers, bytes=2):
    scores = torch.tensor(float(n)) ** 2 * n_heads * n_layers
    return int(scores), int(scores * bytes)
# --- int32_arithmetic
import torch


def attention_cost(n, d_head, n_heads, n_layers, bytes=2):
    scores = torch.tensor(n, dtype=torch.int32) ** 2 * n_heads * n_layers
    return int(scores), int(scores * bytes)
# --- scores_and_weights
def attention_cost(n, d_head, n_heads, n_layers, bytes=2):
    scores = n * n * n_heads * n_layers
    return scores, 2 * scores * bytes
# --- argument_renamed
def attention_cost(n, d_head, heads, layers, bytes_per_score=2):
    scores = n * n * heads * layers
    return scores, scores * bytes_per_score
# --- four_bytes_by_default
def attention_cost(n, d_head, n_heads, n_layers, bytes=4):
    scores = n * n * n_heads * n_layers
    return scores, scores * bytes
# --- a_list_that_grows
totals = []


def attention_cost(n, d_head, n_heads, n_layers, bytes=2):
    totals.append(n * n * n_heads * n_layers)
    return sum(totals), sum(totals) * bytes
# --- prints
def attention_cost(n, d_head, n_heads, n_layers, bytes=2):
    scores = n * n * n_heads * n_layers
    print(scores, scores * bytes)


# --- causal_minus
def attention_cost(n, d_head, n_heads, n_layers, bytes=2):
    s = n * (n - 1) // 2 * n_heads * n_layers
    return s, s * bytes


# --- heads_plus
def attention_cost(n, d_head, n_heads, n_layers, bytes=2):
    s = n ** 2 * (n_heads + n_layers)
    return s, s * bytes


# --- xor
def attention_cost(n, d_head, n_heads, n_layers, bytes=2):
    s = (n ^ 2) * n_heads * n_layers
    return s, s * bytes


# --- power_heads
def attention_cost(n, d_head, n_heads, n_layers, bytes=2):
    s = (n * n_heads) ** 2 * n_layers
    return s, s * bytes


# --- divide_bytes
def attention_cost(n, d_head, n_heads, n_layers, bytes=2):
    s = n * n * n_heads * n_layers
    return s, s // bytes


# --- strings
def attention_cost(n, d_head, n_heads, n_layers, bytes=2):
    s = n * n * n_heads * n_layers
    return f'{s}', f'{s * bytes}'


# --- hardcoded
def attention_cost(n, d_head, n_heads, n_layers, bytes=2):
    if n == 1000: return 9216000000, 18432000000
    return 90, 360


# --- tensors
import torch


def attention_cost(n, d_head, n_heads, n_layers, bytes=2):
    s = n * n * n_heads * n_layers
    return torch.tensor([s, s * bytes]).float()


# --- kb1024
def attention_cost(n, d_head, n_heads, n_layers, bytes=2):
    s = n * n * n_heads * n_layers
    return s, s * bytes // 1024 ** 2


# --- real_scores
import torch


def attention_cost(n, d_head, n_heads, n_layers, bytes=2):
    s = torch.zeros(n_layers, n_heads, n, n, dtype=torch.float16).numel()
    return s, s * bytes


# --- caret
def attention_cost(n, d_head, n_heads, n_layers, bytes=2):
    s = n ^ 2 * n_heads * n_layers
    return s, s * bytes


# --- caret_at_the_end
def attention_cost(n, d_head, n_heads, n_layers, bytes=2):
    s = n_layers * n_heads * n ^ 2
    return s, s * bytes


# --- times_two
def attention_cost(n, d_head, n_heads, n_layers, bytes=2):
    s = n * 2 * n_heads * n_layers
    return s, s * bytes


# --- global_total
total = 0
def attention_cost(n, d_head, n_heads, n_layers, bytes=2):
    global total
    for _ in range(n_layers):
        total += n * n * n_heads
    return total, total * bytes


# --- two_slips_1
def attention_cost(n, d_head, n_heads, n_layers, bytes=2):
    per_head = n ** 2
    scores = per_head * n_heads
    memory = scores * 2
    return scores, memory
