"""MiniMind's attention block as a module that remembers.

In a model the matrices live in a module, so that they can be trained, saved and moved to a GPU. While it writes, the
module can keep the keys and values itself: the first call gets the beginning of the text, each later call only the
tokens that came since. What it returns must be what one call with the whole text would have returned for them.

This is the block of the exercise `minimind_attention`, with nn.Linear layers (they store a weight as [out, in] and
compute x @ weight.T) and a cache of its own. How the cache is kept is your choice: rotated or not, as a list, a tuple
or one growing tensor. It is not part of the state_dict, and each object has its own. You may copy code from your other
file; import nothing from it.

会记忆的模块：MiniMind 的注意力块。

在模型里，矩阵放在模块中，以便训练、保存和搬到 GPU 上。生成文本时，模块可以自己保存键和值：
第一次调用得到文本的开头，之后每次只得到新增的词元。返回的结果必须与一次给出整段文本时这些词元的结果相同。

这就是练习 `minimind_attention` 中的注意力块，换成了 nn.Linear 层（权重按 [out, in] 存储，计算 x @ weight.T），
并带有自己的缓存。缓存怎么存由你决定：旋转与否，用列表、元组还是一个不断增长的张量都可以。
它不属于 state_dict，而且每个对象各有一份。可以从你的另一个文件里复制代码，但不要从它导入。
"""

from torch import Tensor, nn


class MiniMindAttention(nn.Module):
    """Causal grouped-query self-attention with RoPE that can go on with a text.

    Its parameters are those of four layers without bias, and its state_dict has exactly these keys: q_proj.weight
    [C, C], k_proj.weight and v_proj.weight [H_kv * Dh, C], o_proj.weight [C, C], with Dh = C / H, an even number.
    Whatever else is kept, tables of cosines or the cache, stays out of it: register_buffer(..., persistent=False).

    Args:
        hidden_size: channels of a token, C.
        num_heads: query heads H.
        num_kv_heads: key and value heads H_kv; query head h uses key and value head h // (H / H_kv).
        theta: base of the RoPE frequencies; channel i of a head is paired with channel i + Dh/2.

    Raises:
        ValueError: C is not a multiple of H, or H not of H_kv; when the module is made.

    Example, with block = MiniMindAttention(2, 1, 1), all four weights the identity:
        block(tensor([[[1., 0.], [0., 1.]]])) -> [[[1.0000, 0.0000], [0.2138, 0.7862]]]
        block(tensor([[[1., 1.]]]), True)     -> [[[0.6290, 0.9453]]]   the third token of the same text
        block(tensor([[[1., 1.]]]))           -> [[[1.0000, 1.0000]]]   the first token of another text

    能够续写的因果分组查询自注意力，带 RoPE。

    它的参数是四个无偏置线性层的参数，state_dict 恰好有这些键：q_proj.weight [C, C]、k_proj.weight 和 v_proj.weight
    [H_kv * Dh, C]、o_proj.weight [C, C]，其中 Dh = C / H，为偶数。其他保存的东西（余弦表、缓存）都不进入 state_dict：
    用 register_buffer(..., persistent=False)。

    参数：
        hidden_size：一个词元的通道数 C。
        num_heads：查询头数 H。
        num_kv_heads：键值头数 H_kv；查询头 h 使用第 h // (H / H_kv) 个键值头。
        theta：RoPE 频率的底数；一个头的第 i 个通道与第 i + Dh/2 个通道配对。

    异常：
        ValueError：C 不是 H 的整数倍，或 H 不是 H_kv 的整数倍；在创建模块时抛出。

    示例见上文英文部分。
    """

    def __init__(self, hidden_size: int, num_heads: int, num_kv_heads: int, theta: float = 1e6) -> None:
        """Make the four layers; the names and the order of the arguments are fixed.

        创建四个线性层；参数的名称和次序是固定的。
        """
        super().__init__()
        raise NotImplementedError

    def forward(self, x: Tensor, continued: bool = False) -> Tensor:
        """Let the new tokens attend to themselves and to what came before them.

        Args:
            x: tokens [B, T, C].
            continued: False: x begins a new text at position 0, and what was kept of the last one is dropped. True: x
                goes on with the text of the calls before, all of the same B (on a new object it begins one).

        Returns:
            The outputs of the T new tokens [B, T, C], in the dtype and on the device of x. Gradients flow to x and to
            all weights, in training mode and in eval mode alike; whether they also reach earlier calls, through what
            was kept of them, is your choice.

        让新的词元关注它们自己以及它们之前的内容。

        参数：
            x：各个词元 [B, T, C]。
            continued：False 表示 x 从位置 0 开始一段新文本，之前保存的内容作废。True 表示 x 接着前几次调用的文本，
                B 不变（对新建的对象，就是开始一段文本）。

        返回：
            T 个新词元的输出 [B, T, C]，dtype 和设备与 x 相同。梯度传回 x 和所有权重，训练模式与 eval 模式都一样；
            是否还通过保存的内容传回之前的调用，由你决定。
        """
        raise NotImplementedError
