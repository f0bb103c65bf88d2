"""The attention block of MiniMind, complete.

Everything so far comes together here, in the order in which a small language model of today does it:

    1. project the tokens to queries, keys and values, and split these into heads;
    2. rotate queries and keys to their positions (RoPE), values not;
    3. put the new keys and values behind those in the cache;
    4. let each group of query heads share a key and value head;
    5. attend, causally: a token sees itself and everything before it, cached tokens included;
    6. merge the heads and mix them with the output projection.

The cache makes this more than a sum of its parts. A text may come in one go or in pieces; the outputs must be the same.
So the first new token does not stand at position 0 but behind the cached ones, and there are more keys than queries.

This is MiniMind of December 2025: no biases, no dropout here, and no normalisation of queries and keys, which a later
version adds. The file stands alone: import nothing from the other exercises.
"""

from torch import Tensor

Cache = tuple[Tensor, Tensor]


def minimind_attention(
    x: Tensor, W: list[Tensor], num_heads: int, num_kv_heads: int, theta: float = 1e6, cache: Cache | None = None
) -> tuple[Tensor, Cache]:
    """Attend from the new tokens to themselves and to everything before them.

    Args:
        x: the new tokens [B, T, C].
        W: the matrices W_Q [C, C], W_K and W_V [C, H_kv * Dh], W_O [C, C], used as x @ W. Dh = C / H, an even number.
            Head i of the queries is made by the columns i * Dh to (i + 1) * Dh - 1 of W_Q; likewise for W_K and W_V.
        num_heads: query heads H.
        num_kv_heads: key and value heads H_kv; query head h uses key and value head h // (H / H_kv).
        theta: base of the RoPE frequencies. Channel i of a head is paired with channel i + Dh/2; the pair rotates by
            theta^(-2i / Dh) radians a position: (x1, x2) -> (x1 cos a - x2 sin a, x2 cos a + x1 sin a).
        cache: what an earlier call returned: keys, already rotated, and values of the T_past tokens before x, each
            [B, H_kv, T_past, Dh]. None: x is the beginning of the text.

    Returns:
        (output, cache): the output [B, T, C], and the keys (rotated) and values of all tokens so far, each
        [B, H_kv, T_past + T, Dh], oldest first, for the next call. All in the dtype and on the device of x; angles are
        computed in float32 at least. The inputs, the old cache too, are not changed; gradients flow from the output.

    Raises:
        ValueError: H is not a multiple of H_kv.

    Example, one head of two channels, with e = eye(2):
        x = tensor([[[1., 0.], [0., 1.], [1., 1.]]])
        minimind_attention(x, [e, e, e, e], 1, 1)[0]
            -> [[[1.0000, 0.0000], [0.2138, 0.7862], [0.6290, 0.9453]]]
        The tokens 0 and 1 first, then token 2 with the cache that came back, give the same three outputs.
    """
    raise NotImplementedError
