"""The quadratic wall.

Every token is compared with every token. For a text of n tokens that makes n * n scores, for every head of every
layer. Read a text twice as long, and there are four times as many. This is the wall that all long-context methods push
against: they compute fewer scores (sliding windows, sparse patterns) or never store them all at once (FlashAttention).

How high is the wall? Count the scores of a whole model, and the bytes that it would take to store them all at once.
One of the arguments does not matter. Find out which.
"""


def attention_cost(n: int, d_head: int, n_heads: int, n_layers: int, bytes: int = 2) -> tuple[int, int]:
    """How many scores a model computes for one text, and how many bytes they fill.

    Args:
        n: tokens of the text.
        d_head: channels of a head.
        n_heads: query heads of a layer.
        n_layers: layers.
        bytes: bytes of one score; 2 for float16.

    Returns:
        Two ints: the scores of all heads in all layers, masked ones included, and the bytes of all of them together.
        A list will do as well as a tuple, and so will 90.0 for 90.

    Examples:
        attention_cost(1000, 128, 96, 96)       -> 9216000000, 18432000000     GPT-3: 18.4 GB for a text of 1000 tokens
        attention_cost(3, 64, 2, 5, bytes=4)    -> 90, 360
    """
    raise NotImplementedError
