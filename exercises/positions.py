"""Where a token stands: two more ways than RoPE.

Attention without positions sees a set: exchange two tokens, and the outputs are exchanged, nothing else. So the order
has to be told. RoPE rotates queries and keys; two other ways are simpler, and older models use them.

A table of sines is added to the tokens before the first layer. Each pair of channels is the hand of a clock: the first
goes round in about 6 tokens, the last takes tens of thousands. Moving on by k tokens turns every hand by an angle that
depends on k only, so that distances can be read from the table.

ALiBi tells the tokens nothing. It takes from each score a penalty that grows with the distance of the key, head by head
with another slope: one head looks at what is near, another far back. Later keys are hidden, so that the bias is the
causal mask as well. It needs no table and knows no longest text.

This file stands alone: import nothing from the other exercises.
"""

import torch
from torch import Tensor


def sinusoidal_positions(
    length: int, channels: int, base: float = 10000.0, device: torch.device | str | None = None
) -> Tensor:
    """Build the table of sines and cosines that is added to the tokens.

    Row p, channels 2i and 2i + 1, for i = 0 ... channels / 2 - 1:

        table[p, 2i]     = sin(p / base^(2i / channels))
        table[p, 2i + 1] = cos(p / base^(2i / channels))

    Args:
        length: number of positions T; they count from 0.
        channels: channels D of a token, an even number.
        base: how slowly the last pair turns.
        device: the device to build the table on; torch's default if it is None.

    Returns:
        Tensor [length, channels], dtype float32.

    Raises:
        ValueError: length is below 1, or channels is odd or below 2.

    Example:
        sinusoidal_positions(2, 4) -> [[0.0000, 1.0000, 0.0000, 1.0000], [0.8415, 0.5403, 0.0100, 0.9999]]
    """
    raise NotImplementedError


def alibi_bias(
    num_heads: int, q_len: int, kv_len: int | None = None, device: torch.device | str | None = None
) -> Tensor:
    """Build ALiBi's bias, which is added to the scaled scores before softmax.

    The queries are the last q_len of kv_len positions. A key that lies n tokens before the query gets -slope * n, the
    query's own position 0, and a later key -inf. Head h of H, counted from 1, has the slope 2^(-8 h / H).

    Args:
        num_heads: number of heads H, a power of 2.
        q_len: number of queries T_q, 1 or more.
        kv_len: number of keys T_kv, at least q_len; q_len if it is None.
        device: the device to build the bias on; torch's default if it is None.

    Returns:
        Tensor [num_heads, q_len, kv_len], dtype float32.

    Raises:
        ValueError: num_heads is not a power of 2 (1, 2, 4, ...), q_len is below 1, or kv_len is below q_len.

    Example:
        alibi_bias(2, 3)     -> [[[ 0.0000,    -inf,    -inf],
                                  [-0.0625,  0.0000,    -inf],
                                  [-0.1250, -0.0625,  0.0000]],
                                 [[ 0.0000,    -inf,    -inf],
                                  [-0.0039,  0.0000,    -inf],
                                  [-0.0078, -0.0039,  0.0000]]]
        alibi_bias(1, 1, 3)  -> [[[-0.0078, -0.0039, 0.0000]]]
    """
    raise NotImplementedError
