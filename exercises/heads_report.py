"""What the number of heads changes, and what it does not.

An experiment: make nn.MultiheadAttention with every number of heads that one can think of, run it, and write down what
you see. Guess first! Does a module with more heads have more parameters? Does its output have another shape? Do the
weights that it returns get an extra axis? Most people are wrong about one of the three.

Two things to know: batch_first=True makes it read its input as [B, T, D], as everything in this course does; and called
with average_attn_weights=False it returns the weights of every head instead of their mean.
"""

from typing import Any


def heads_report(embed_dim: int) -> dict[int, dict[str, Any] | None]:
    """What nn.MultiheadAttention(embed_dim, h, batch_first=True) makes of 2 examples of 5 tokens, for each h.

    Args:
        embed_dim: channels of a token, 1 or more.

    Returns:
        A dict with a key for every h from 1 to embed_dim. Its value is None where torch refuses to make the module,
        and otherwise a dict:
            "head_dim"    channels of one head
            "parameters"  how many numbers the module learns, biases included
            "output"      shape of the output, a tuple
            "weights"     shape of the weights that it returns when nothing is said about them
            "per_head"    shape of the weights with average_attn_weights=False
        A list will do as well as a tuple, and so will 3.0 for 3.

    Example: heads_report(3) has the keys 1, 2 and 3. It is None for 2, and for 1
        {"head_dim": 3, "parameters": 48, "output": (2, 5, 3), "weights": (2, 5, 5), "per_head": (2, 1, 5, 5)}
    """
    raise NotImplementedError
