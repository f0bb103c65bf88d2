"""Repair job: a real bug, chunked prefill.

A long prompt need not come in one go: it can be fed in chunks, each with the cache that the ones before left behind.
The code below does that in the manner of MiniMind in December 2025. In one go it is right. Token by token it is right
as well, so the model chats without a hitch. Fed in chunks of three tokens it either stops with an error (flash=False)
or returns numbers that look fine and are wrong (flash=True). Nothing but the handling of later chunks is at fault; the
projections, RoPE, the cache and its layout are right.

Read the code first. Who may see whom when 3 queries meet 3 cached keys and their own 3? Draw the mask, then compare it
with the two that the code uses; the documentation of F.scaled_dot_product_attention says how it lines up is_causal.
Delete the line with NotImplementedError, watch the checks fail, and fix both ways. How is up to you: a mask for both,
scores by hand everywhere, anything that is right. This file stands alone: import nothing from the other exercises.
"""

import math

import torch
import torch.nn.functional as F
from torch import Tensor

Past = tuple[Tensor, Tensor]


def rotate(x: Tensor, start: int, theta: float) -> Tensor:
    """RoPE for x [B, T, H, Dh] at the positions start, start + 1, ...; this function is right."""
    half = x.shape[3] // 2
    frequency = theta ** (-torch.arange(half, device=x.device).float() / half)  # [Dh/2]
    position = torch.arange(start, start + x.shape[1], device=x.device).float()  # [T]
    angle = torch.outer(position, frequency).unsqueeze(1)  # [T, 1, Dh/2]
    cos, sin = angle.cos(), angle.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)


def prefill(
    x: Tensor,
    W: list[Tensor],
    num_heads: int,
    num_kv_heads: int,
    past: Past | None = None,
    flash: bool = True,
    theta: float = 1e6,
) -> tuple[Tensor, Past]:
    """Attend causally from the tokens of one chunk to themselves and to everything before them.

    Args:
        x: the tokens of the chunk [B, T, C].
        W: the matrices W_Q [C, C], W_K and W_V [C, H_kv * Dh], W_O [C, C], used as x @ W.
        num_heads: query heads H, a multiple of H_kv.
        num_kv_heads: key and value heads H_kv.
        past: what the call for the chunk before returned: rotated keys and values, each [B, T_past, H_kv, Dh] (tokens
            before heads, as MiniMind keeps them). None: this is the first chunk.
        flash: True: PyTorch's fused attention does the work. False: scores and softmax by hand. The results agree.
        theta: base of the RoPE frequencies.

    Returns:
        (output, past): the outputs [B, T, C], the same as in one pass over the whole text; and the rotated keys and
        values of all tokens so far, each [B, T_past + T, H_kv, Dh], oldest first. Same dtype and device as x; inputs
        are not changed; gradients flow from the output to x and W (whether they reach `past` too is your choice).

    Example, one head of two channels, with e = eye(2):
        x = tensor([[[1., 0.], [0., 1.], [1., 1.]]])
        prefill(x, [e, e, e, e], 1, 1)[0] -> [[[1.0000, 0.0000], [0.2138, 0.7862], [0.6290, 0.9453]]]
        The first token alone, then the other two with its past, must give the same three outputs. As it stands, the
        code gives [1.0000, 0.0000] and [0.1285, 0.8715] for these two, and an error with flash=False.
    """
    raise NotImplementedError  # delete this line, then fix what follows
    B, T, C = x.shape
    q = (x @ W[0]).view(B, T, num_heads, -1)
    k = (x @ W[1]).view(B, T, num_kv_heads, -1)
    v = (x @ W[2]).view(B, T, num_kv_heads, -1)
    start = past[0].shape[1] if past is not None else 0
    q, k = rotate(q, start, theta), rotate(k, start, theta)
    if past is not None:
        k = torch.cat([past[0], k], dim=1)
        v = torch.cat([past[1], v], dim=1)
    past = (k, v)
    n_rep = num_heads // num_kv_heads
    q = q.transpose(1, 2)
    k = k.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    v = v.repeat_interleave(n_rep, dim=2).transpose(1, 2)
    if flash and T > 1:
        heads = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    else:
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        scores = scores + torch.full((T, T), float("-inf"), device=x.device).triu(1)
        heads = scores.softmax(dim=-1).to(q.dtype) @ v
    return heads.transpose(1, 2).reshape(B, T, C) @ W[3], past
