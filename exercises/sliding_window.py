"""Sliding-window attention: look back a little way only.

With a causal mask the last of T tokens sees T keys, and the whole text costs about T * T / 2 scores. If every token
sees only the last w positions, its own included, the cost grows with T * w, and the cache never needs more than w keys.
The past is not lost: what a token saw is in its output, so after two layers a token hears from 2 (w - 1) positions
back, after L layers from L (w - 1).

A window of 3 over 6 tokens lets these be seen: 1 + 2 + 3 + 3 + 3 + 3 = 15 of 36 pairs. As with the causal mask, the
queries are the last positions when there are more keys than queries. This file stands alone: import nothing from the
other exercises.
"""

import torch
from torch import Tensor


def sliding_window_mask(
    q_len: int, window: int, kv_len: int | None = None, device: torch.device | str | None = None
) -> Tensor:
    """Build the mask that lets every query attend to the last `window` positions up to and including its own.

    Args:
        q_len: number of queries; they are the last q_len of the kv_len positions.
        window: how many positions a query sees, its own included, 1 or more.
        kv_len: number of all keys; the same as q_len if it is None.
        device: the device to build the mask on; torch's default if it is None.

    Returns:
        Tensor [q_len, kv_len], dtype bool: True ("may attend") where 0 <= (i + kv_len - q_len) - j < window.

    Raises:
        ValueError: window or a length is below 1, or kv_len is smaller than q_len.

    Example:
        sliding_window_mask(4, 2)               sliding_window_mask(2, 3, kv_len=5)
        [[ True, False, False, False],          [[False,  True,  True,  True, False],
         [ True,  True, False, False],           [False, False,  True,  True,  True]]
         [False,  True,  True, False],
         [False, False,  True,  True]]
    """
    raise NotImplementedError


def sliding_window_attention(q: Tensor, k: Tensor, v: Tensor, window: int) -> Tensor:
    """Scaled dot-product attention under the sliding-window mask.

    Args:
        q: queries [..., T_q, Dh], the last T_q of T_kv positions.
        k: keys [..., T_kv, Dh], T_kv >= T_q.
        v: values [..., T_kv, Dv].
        window: how many positions a query sees, its own included, 1 or more.

    Returns:
        Output [..., T_q, Dv], in the dtype and on the device of q. A hidden key has no influence, however large its
        score. The inputs are not changed; gradients flow back to q, k and v.

    Example:
        x = tensor([[1., 0.], [0., 1.], [1., 1.]])
        sliding_window_attention(x, x, x, 2) -> [[1.0000, 0.0000], [0.3302, 0.6698], [0.6698, 1.0000]]
    """
    raise NotImplementedError
