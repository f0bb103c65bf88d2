"""The full cost times the share that is kept."""

from fractions import Fraction


def gqa_budget(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    if any(n < 1 for n in (hidden_size, num_heads, num_kv_heads, bytes_per_number)):
        raise ValueError
    if hidden_size % num_heads > 0 or num_heads % num_kv_heads > 0:
        raise ValueError("not divisible")
    share = Fraction(num_kv_heads, num_heads)
    return int(2 * hidden_size**2 * (1 + share)), int(2 * hidden_size * bytes_per_number * share)
