from typing import NamedTuple


class Budget(NamedTuple):
    parameters: int
    bytes: int


class Layer:
    def __init__(self, hidden_size, num_heads, num_kv_heads):
        if hidden_size < 1 or num_heads < 1 or num_kv_heads < 1:
            raise ValueError("a size below 1")
        self.head_dim = hidden_size // num_heads
        if self.head_dim * num_heads != hidden_size or num_heads // num_kv_heads * num_kv_heads != num_heads:
            raise ValueError("cannot be split evenly")
        self.heads = {"q": num_heads, "k": num_kv_heads, "v": num_kv_heads, "o": num_heads}
        self.hidden = hidden_size

    def parameters(self):
        return self.hidden * self.head_dim * sum(self.heads.values())

    def cached(self):
        return self.head_dim * (self.heads["k"] + self.heads["v"])


def gqa_budget(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    layer = Layer(hidden_size, num_heads, num_kv_heads)
    if bytes_per_number < 1:
        raise ValueError("a number takes a byte at least")
    return Budget(parameters=layer.parameters(), bytes=layer.cached() * bytes_per_number)
