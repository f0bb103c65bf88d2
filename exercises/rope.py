"""Rotary position embedding (RoPE): tell attention where tokens stand by rotating queries and keys.

Attention itself does not know the order of tokens. RoPE takes the channels of a query or key in pairs, each pair a
point in the plane, and rotates it by an angle that grows with its position. The score of two rotated vectors then
depends on how far apart their tokens are. Values are not rotated. Here, as in Llama and MiniMind, channel i is paired
with channel i + head_dim/2: the two halves of a vector hold the two coordinates of the points.
"""

import torch
from torch import Tensor


def rope_cos_sin(
    head_dim: int, max_len: int, theta: float = 10000.0, device: torch.device | str | None = None
) -> tuple[Tensor, Tensor]:
    """Tabulate the cosine and the sine of every pair's angle at the positions 0 to max_len - 1.

    Pair i = 0 ... head_dim/2 - 1 rotates by theta^(-2i / head_dim) radians a position. A row of a table holds one entry
    for each pair, i = 0, 1, 2, ..., and then all of them once more, since both channels of a pair rotate by the same
    angle.

    Args:
        head_dim: number of channels Dh of a head, even.
        max_len: number of positions.
        theta: base of the frequencies; 1e6 in MiniMind.
        device: the device to build the tables on; torch's default if it is None.

    Returns:
        (cos, sin), two tensors [max_len, head_dim], always float32 and computed at least that precisely.

    Raises:
        ValueError: head_dim is odd.

    Example:
        head_dim = 8: the frequencies are [1, 0.1, 0.01, 0.001]; with theta=1e6 they are [1, 0.031623, 0.001, 0.000032].
        cos[1] = [0.54030, 0.99500, 0.99995, 1.00000, 0.54030, 0.99500, 0.99995, 1.00000]
        sin[1] = [0.84147, 0.09983, 0.01000, 0.00100, 0.84147, 0.09983, 0.01000, 0.00100]
    """
    raise NotImplementedError


def rotate_half(x: Tensor) -> Tensor:
    """Rotate every pair of channels by a quarter turn.

    Args:
        x: Tensor [..., Dh] with Dh even and one or more dimensions before it. Its halves, x1 = channels 0 ... Dh/2 - 1
            and x2 = the rest, hold the two coordinates.

    Returns:
        Tensor [..., Dh] of the same dtype, on the same device: -x2 followed by x1.

    Example:
        rotate_half([[1, 2, 3, 4, 5, 6]]) = [[-4, -5, -6, 1, 2, 3]]
    """
    raise NotImplementedError


def apply_rotary_pos_emb(q: Tensor, k: Tensor, cos: Tensor, sin: Tensor) -> tuple[Tensor, Tensor]:
    """Rotate queries and keys to their positions: x becomes x * cos + rotate_half(x) * sin.

    Args:
        q: queries [B, H, T, Dh], any float dtype.
        k: keys [B, H_kv, T, Dh], of q's dtype; H_kv may differ from H.
        cos: float32 [T, Dh], the rows of rope_cos_sin for the positions of the T tokens. They need not begin with row
            0: in decoding the first token here is a late one of the text.
        sin: likewise.

    Returns:
        (rotated q, rotated k), in the shapes, dtypes and on the devices of q and k. Neither input is changed.

    Example:
        q = [1, 0] at position 1 (B = H = T = 1, Dh = 2) becomes [cos 1, sin 1] = [0.5403, 0.8415]; at position 0 it
        stays [1, 0].
    """
    raise NotImplementedError
