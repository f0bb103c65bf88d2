"""Decode with a cache of keys and values.

A model writes one token after another. To write the next one it needs the keys and values of all before, but those do
not change any more: in causal attention nothing that comes later reaches back. So they are computed once and kept. A
step then costs one row of scores instead of a whole square of them. The prompt comes first, in one chunk or in several
(prefill), then single tokens follow.

However the text is cut, the outputs must be those of one pass over all of it. Four things have to be right together: a
new token's position goes on where the cache ends; the new keys go behind the old ones; the causal mask belongs to the
bottom right, since the queries are the last positions; and what is kept are the H_kv heads, before they are repeated.

The block is that of the exercise `minimind_attention`; you may copy your code from there. This file stands alone:
import nothing from the other exercises.

用键值缓存解码。

模型一个词元接一个词元地写。写下一个词元需要前面所有词元的键和值，而这些已经不会再变：
因果注意力中，后面的内容影响不到前面。所以它们只需计算一次，然后保存起来。这样每一步只要一行分数，
而不是整整一个方阵。提示词先进来，可以是一段，也可以分成几段（预填充），然后是一个个单独的词元。

无论文本怎样切分，输出都必须与一次处理整段文本时相同。有四件事要同时做对：新词元的位置要接着缓存往后数；
新的键要放在旧的后面；查询是最后的几个位置，因此因果掩码按右下角对齐；保存的是重复之前的 H_kv 个头。

注意力块与练习 `minimind_attention` 中的相同，可以从那里复制自己的代码。本文件应独立完成，不要从其他练习导入。
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
        values kept at the end, each [B, H_kv, T, Dh]. Whether keys are kept turned or not, and in which order, is your
        choice. All in the dtype and on the device of x, which is not changed; gradients flow from the output.
        While chunks are short, no tensor of T * T entries may be made on the way: no square of scores, no square mask.

    Raises:
        ValueError: the chunks do not add up to T, or one is below 1.

    Example, one head of two channels, with e = eye(2):
        x = tensor([[[1., 0.], [0., 1.], [1., 1.]]])
        kv_decode(x, [e, e, e, e], 1, 1, [2, 1])[0] -> [[[1.0000, 0.0000], [0.2138, 0.7862], [0.6290, 0.9453]]]
        kv_decode(x, [e, e, e, e], 1, 1, [1, 1, 1])[0] and kv_decode(x, [e, e, e, e], 1, 1, [3])[0] -> the same

    把一段文本逐段送入因果分组查询注意力。

    参数：
        x：文本，各个词元 [B, T, C]。
        W：矩阵 W_Q [C, C]、W_K 和 W_V [C, H_kv * Dh]、W_O [C, C]，都按 x @ W 使用。Dh = C / H，为偶数。
        num_heads：查询头数 H，是 H_kv 的整数倍。
        num_kv_heads：键值头数 H_kv；查询头 h 使用第 h // (H / H_kv) 个键值头。
        chunks：每次进来多少个词元：[1, 1, 1]、[3]、[2, 1]……每一段都能看见之前各段留下的缓存。
        theta：RoPE 频率的底数；一个头的第 i 个通道与第 i + Dh/2 个通道配对。

    返回：
        (output, cache)：所有词元的输出 [B, T, C]，无论怎样切分都相同；以及最后保存的键和值，各为 [B, H_kv, T, Dh]。
        键存的是旋转之前还是之后的、按什么次序，由你决定。dtype 和设备都与 x 相同；x 不被修改；梯度从输出传回。
        各段很短时，途中不得产生有 T * T 个元素的张量：不能有整个分数方阵，也不能有整个掩码方阵。

    异常：
        ValueError：各段之和不等于 T，或某一段小于 1。

    示例见上文英文部分。
    """
    raise NotImplementedError
