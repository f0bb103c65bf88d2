"""Rotary position embedding (RoPE): tell attention where tokens stand by rotating queries and keys.

Attention itself does not know the order of tokens. RoPE takes the channels of a query or key in pairs, each pair a
point in the plane, and turns it by an angle that grows with the token's position. The score of two rotated vectors then
depends on how far apart their tokens are. Values are not rotated. Here, as in Llama and MiniMind, channel i is paired
with channel i + head_dim/2: the two halves of a vector hold the two coordinates of the points.

旋转位置编码（RoPE）：通过旋转查询和键，让注意力知道词元的位置。

注意力本身不知道词元的先后。RoPE 把查询或键的通道两两配对，每一对看作平面上的一个点，并旋转一个随位置增大的角度。
这样，两个旋转后的向量的分数就取决于两个词元相距多远。值不旋转。这里与 Llama、MiniMind 相同，
第 i 个通道与第 i + head_dim/2 个通道配对：向量的前后两半分别是这些点的两个坐标。
"""

import torch
from torch import Tensor


def rope_cos_sin(
    head_dim: int, max_len: int, theta: float = 10000.0, device: torch.device | str | None = None
) -> tuple[Tensor, Tensor]:
    """Tabulate the cosine and the sine of every pair's angle at the positions 0 to max_len - 1.

    Pair i = 0 ... head_dim/2 - 1 turns by theta^(-2i / head_dim) radians a position. A row of a table holds one entry
    for each pair, i = 0, 1, 2, ..., and then all of them once more, since both channels of a pair turn by the same
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

    列出位置 0 到 max_len - 1 上每一对通道的角度的余弦和正弦。

    第 i 对（i = 0 …… head_dim/2 - 1）每前进一个位置转过 theta^(-2i / head_dim) 弧度。表的一行先依次给出各对
    i = 0, 1, 2…… 的值，然后原样再给一遍，因为一对中的两个通道转过相同的角度。

    参数：
        head_dim：每个头的通道数 Dh，偶数。
        max_len：位置的个数。
        theta：频率的底数；MiniMind 用 1e6。
        device：在哪个设备上建表；为 None 时用 torch 的默认设备。

    返回：
        (cos, sin)，两个形状为 [max_len, head_dim] 的张量，总是 float32，计算精度也不低于 float32。

    异常：
        ValueError：head_dim 为奇数。

    示例：
        head_dim = 8：频率为 [1, 0.1, 0.01, 0.001]；theta=1e6 时为 [1, 0.031623, 0.001, 0.000032]。
        cos[1] 和 sin[1] 见上。
    """
    raise NotImplementedError


def rotate_half(x: Tensor) -> Tensor:
    """Turn every pair of channels by a quarter turn.

    Args:
        x: Tensor [..., Dh] with Dh even and one or more dimensions before it. Its halves, x1 = channels 0 ... Dh/2 - 1
            and x2 = the rest, hold the two coordinates.

    Returns:
        Tensor [..., Dh] of the same dtype, on the same device: -x2 followed by x1.

    Example:
        rotate_half([[1, 2, 3, 4, 5, 6]]) = [[-4, -5, -6, 1, 2, 3]]

    把每一对通道旋转四分之一圈。

    参数：
        x：张量 [..., Dh]，Dh 为偶数，前面有一维或更多维。它的两半 x1（第 0 到第 Dh/2 - 1 个通道）和 x2（其余通道）
            分别是两个坐标。

    返回：
        形状为 [..., Dh] 的张量，dtype 和设备不变：先是 -x2，后是 x1。

    示例：
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

    把查询和键旋转到各自的位置：x 变为 x * cos + rotate_half(x) * sin。

    参数：
        q：查询 [B, H, T, Dh]，任意浮点 dtype。
        k：键 [B, H_kv, T, Dh]，dtype 与 q 相同；H_kv 可以与 H 不同。
        cos：float32 [T, Dh]，rope_cos_sin 中与这 T 个词元的位置对应的各行。不一定从第 0 行开始：
            解码时，这里的第一个词元在文本中位置靠后。
        sin：同上。

    返回：
        （旋转后的 q，旋转后的 k），形状、dtype 和设备分别与 q、k 相同。不修改输入。

    示例：
        位置 1 处的 q = [1, 0]（B = H = T = 1，Dh = 2）变为 [cos 1, sin 1] = [0.5403, 0.8415]；在位置 0 处保持不变。
    """
    raise NotImplementedError
