"""The attention block of MiniMind, complete.

Everything so far comes together here, in the order in which a small language model of today does it:

    1. project the tokens to queries, keys and values, and split these into heads;
    2. turn queries and keys to their positions (RoPE), values not;
    3. put the new keys and values behind those in the cache;
    4. let each group of query heads share a key and value head;
    5. attend, causally: a token sees itself and everything before it, cached tokens included;
    6. merge the heads and mix them with the output projection.

The cache makes this more than a sum of its parts. A text may come in one go or in pieces; the outputs must be the same.
So the first new token does not stand at position 0 but behind the cached ones, and there are more keys than queries.

This is MiniMind of December 2025: no biases, no dropout here, and no normalisation of queries and keys, which a later
version adds. The file stands alone: import nothing from the other exercises.

完整的 MiniMind 注意力块。

前面学到的一切在这里汇合，次序与今天的小型语言模型相同：

    1. 把词元投影成查询、键和值，并拆分成多个头；
    2. 把查询和键旋转到各自的位置（RoPE），值不旋转；
    3. 把新的键和值接在缓存中已有的后面；
    4. 每组查询头共用一个键值头；
    5. 计算因果注意力：每个词元能看见自己和它之前的一切，包括缓存中的词元；
    6. 合并各头，再用输出投影把它们混合起来。

有了缓存，这就不只是各部分的简单相加。文本可以一次给完，也可以分段给，输出必须相同。
因此第一个新词元不在位置 0，而是排在缓存的词元之后；键的个数也多于查询。

这里是 2025 年 12 月的 MiniMind：没有偏置，这里也没有 dropout，也没有后来版本加上的对查询和键的归一化。
本文件应独立完成，不要从其他练习导入。
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
        theta: base of the RoPE frequencies. Channel i of a head is paired with channel i + Dh/2, and the pair turns by
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

    让新的词元关注它们自己以及它们之前的一切。

    参数：
        x：新的词元 [B, T, C]。
        W：矩阵 W_Q [C, C]、W_K 和 W_V [C, H_kv * Dh]、W_O [C, C]，都按 x @ W 使用。Dh = C / H，为偶数。
            W_Q 的第 i * Dh 到 (i + 1) * Dh - 1 列产生第 i 个查询头；W_K 和 W_V 同理。
        num_heads：查询头数 H。
        num_kv_heads：键值头数 H_kv；查询头 h 使用第 h // (H / H_kv) 个键值头。
        theta：RoPE 频率的底数。一个头的第 i 个通道与第 i + Dh/2 个通道配对，这一对每个位置转过 theta^(-2i / Dh) 弧度：
            (x1, x2) -> (x1 cos a - x2 sin a, x2 cos a + x1 sin a)。
        cache：先前某次调用返回的缓存：x 之前 T_past 个词元的键（已旋转）和值，各为 [B, H_kv, T_past, Dh]。
            None 表示 x 是文本的开头。

    返回：
        (output, cache)：输出 [B, T, C]；以及到目前为止所有词元的键（已旋转）和值，各为
        [B, H_kv, T_past + T, Dh]，旧的在前，供下一次调用使用。dtype 和设备都与 x 相同；角度至少以 float32 计算。
        输入（包括旧的缓存）不被修改；梯度从输出传回。

    异常：
        ValueError：H 不是 H_kv 的整数倍。

    示例见上文英文部分。
    """
    raise NotImplementedError
