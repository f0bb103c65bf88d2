"""The shapes on the way through attention.

Most mistakes in attention are mistakes of shape, and the worst of them raise no error. Who can write down the shape of
every step before running anything finds them on paper. Follow a batch of B examples of T tokens with d channels through
attention with h query heads and h_kv key and value heads (grouped-query attention; h_kv = h is multi-head attention):

    x           what comes in, batch first
    q, k, v     after the projections; keys and values have h_kv heads only, so k and v may be narrower than q
    q_heads, k_heads, v_heads       split into heads; the tokens come right before the channels of a head
    k_repeated, v_repeated          each key and value head repeated, so that every query head has one beside it
    scores, weights                 before and after softmax, for every head
    heads       the weights times the values, for every head
    merged      the heads of each token side by side again
    output      after the last projection

No tensor is needed for this, and a tensor of GPT-3's size may not fit anywhere: compute with the sizes.
"""

Shape = tuple[int, ...]


def trace(B: int, T: int, d: int, h: int, h_kv: int | None = None) -> dict[str, Shape]:
    """The shape of every step of attention.

    Args:
        B: examples in the batch.
        T: tokens of each example.
        d: channels of a token.
        h: query heads.
        h_kv: key and value heads. None: as many as query heads.

    Returns:
        A dict with the 14 steps named above as keys, and a tuple of sizes for each of them. A list will do as well, and
        so will 3.0 for 3.

    Raises:
        ValueError: d is not divisible by h, or h is not divisible by h_kv.

    Example:
        trace(2, 5, 12, 4, h_kv=2) holds, among others,
            q (2, 5, 12), k (2, 5, 6), q_heads (2, 4, 5, 3), k_heads (2, 2, 5, 3)
    """
    raise NotImplementedError
