"""Decode with a cache of keys and values.

At inference a language model is autoregressive: it writes one token after another, each from all before it. For the
next one it needs the keys and values of those, but they do not change any more: in causal attention nothing that comes
later reaches back. So they are computed once and kept. A step then costs one row of scores instead of a whole square of
them. The prompt comes first, in one chunk or in several (prefill), then single tokens follow (decode).

However the text is cut, the outputs must be those of one pass over all of it. Four things have to be right together: a
new token's position goes on where the cache ends; the new keys go behind the old ones; the causal mask belongs to the
bottom right, since the queries are the last positions; and what is kept are the H_kv heads, before they are repeated.

The block is that of the exercise `minimind_attention`; you may copy your code from there. This file stands alone:
import nothing from the other exercises.
"""

from torch import Tensor

Cache = tuple[Tensor, Tensor]


def kv_decode(
    x: Tensor, W: list[Tensor], num_heads: int, num_kv_heads: int, chunks: list[int], theta: float = 1e6
) -> tuple[Tensor, Cache]:
    """Feed a text to causal grouped-query attention chunk by chunk.

    Args:
        x: the text, tokens [B, T, C].
        W: the matrices W_Q [C, C], W_K and W_V [C, H_kv * Dh], W_O [C, C], used as x @ W. Dh = C / H, an even number.
        num_heads: query heads H, a multiple of H_kv.
        num_kv_heads: key and value heads H_kv; query head h uses key and value head h // (H / H_kv).
        chunks: how many tokens come at a time: [1, 1, 1], [3], [2, 1], ... Every chunk sees the cache of those before.
        theta: base of the RoPE frequencies; channel i of a head is paired with channel i + Dh/2.

    Returns:
        (output, cache): the outputs of all tokens [B, T, C], the same for every way to cut the text; and the keys and
        values kept at the end, each [B, H_kv, T, Dh]. Whether keys are kept rotated or not, and in which order, is your
        choice. All in the dtype and on the device of x, which is not changed; gradients flow from the output.
        While chunks are short, no tensor of T * T entries may be made on the way: no square of scores, no square mask.

    Raises:
        ValueError: the chunks do not add up to T, or one is below 1.

    Example, one head of two channels, with e = eye(2):
        x = tensor([[[1., 0.], [0., 1.], [1., 1.]]])
        kv_decode(x, [e, e, e, e], 1, 1, [2, 1])[0] -> [[[1.0000, 0.0000], [0.2138, 0.7862], [0.6290, 0.9453]]]
        kv_decode(x, [e, e, e, e], 1, 1, [1, 1, 1])[0] and kv_decode(x, [e, e, e, e], 1, 1, [3])[0] -> the same
    """
    raise NotImplementedError
