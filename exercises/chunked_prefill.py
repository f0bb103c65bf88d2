"""Repair job: a real bug, chunked prefill.

A long prompt need not come in one go: it can be fed in chunks, each with the cache that the ones before left behind.
The code below does that in the manner of MiniMind in December 2025. In one go it is right. Token by token it is right
as well, so the model chats without a hitch. Fed in chunks of three tokens it either stops with an error (flash=False)
or returns numbers that look fine and are wrong (flash=True). Nothing but the handling of later chunks is at fault; the
projections, RoPE, the cache and its layout are right.

Read the code first. Who may see whom when 3 queries meet 3 cached keys and their own 3? Draw the mask, then compare it
with the two that the code uses; the documentation of F.scaled_dot_product_attention says how it lines up is_causal.
Delete the line with NotImplementedError, watch the checks fail, and mend both ways. How is up to you: a mask for both,
scores by hand everywhere, anything that is right. This file stands alone: import nothing from the other exercises.

修复任务：一个真实的缺陷，分块预填充。

很长的提示词不必一次给完：可以分段送入，每一段都用上之前各段留下的缓存。下面的代码就是这样做的，
写法仿照 2025 年 12 月的 MiniMind。一次给完时它是对的，逐个词元时也是对的，所以模型聊起天来毫无异样。
可是每次送入三个词元时，它要么报错停下（flash=False），要么返回看似正常、其实错误的数（flash=True）。
出错的只是对后续各段的处理；投影、RoPE、缓存及其布局都是对的。

先读代码。当 3 个查询遇到 3 个缓存的键和它们自己的 3 个键时，谁能看见谁？画出掩码，再与代码用的两种掩码比较；
F.scaled_dot_product_attention 的文档说明了 is_causal 如何对齐。删掉含有 NotImplementedError 的那一行，
看看哪些检查不通过，再把两种做法都修好。怎么修由你决定：给两者都配上掩码，处处手工计算分数，只要正确都行。
本文件应独立完成，不要从其他练习导入。
"""

import math

import torch
import torch.nn.functional as F
from torch import Tensor

Past = tuple[Tensor, Tensor]


def rotate(x: Tensor, start: int, theta: float) -> Tensor:
    """RoPE for x [B, T, H, Dh] at the positions start, start + 1, ...; this function is right.

    对 x [B, T, H, Dh] 施加 RoPE，位置为 start、start + 1、……；这个函数没有问题。
    """
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

    一段中的各个词元因果地关注它们自己以及之前的一切。

    参数：
        x：这一段的词元 [B, T, C]。
        W：矩阵 W_Q [C, C]、W_K 和 W_V [C, H_kv * Dh]、W_O [C, C]，都按 x @ W 使用。
        num_heads：查询头数 H，是 H_kv 的整数倍。
        num_kv_heads：键值头数 H_kv。
        past：上一段的调用返回的内容：旋转过的键和值，各为 [B, T_past, H_kv, Dh]
            （词元在头之前，MiniMind 就是这样存的）。None 表示这是第一段。
        flash：True 表示由 PyTorch 的融合注意力完成；False 表示手工计算分数和 softmax。两者结果一致。
        theta：RoPE 频率的底数。

    返回：
        (output, past)：输出 [B, T, C]，与一次处理整段文本时相同；以及到目前为止所有词元旋转过的键和值，
        各为 [B, T_past + T, H_kv, Dh]，旧的在前。dtype 和设备与 x 相同；输入不被修改；
        梯度从输出传回 x 和 W（是否也传到 past，由你决定）。

    示例见上文英文部分。
    """
    raise NotImplementedError  # delete this line, then mend what follows / 删掉这一行，再修好下面的代码
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
