"""MiniMind's attention block as a module that remembers.

In a model the matrices live in a module, so that they can be trained, saved and moved to a GPU. While it writes, the
module can keep the keys and values itself: the first call gets the beginning of the text, each later call only the
tokens that came since. What it returns must be what one call with the whole text would have returned for them.

This is the block of the exercise `minimind_attention`, with nn.Linear layers (they store a weight as [out, in] and
compute x @ weight.T) and a cache of its own. How the cache is kept is your choice: rotated or not, as a list, a tuple
or one growing tensor. It is not part of the state_dict, and each object has its own. You may copy code from your other
file; import nothing from it.
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
    """

    def __init__(self, hidden_size: int, num_heads: int, num_kv_heads: int, theta: float = 1e6) -> None:
        """Make the four layers; the names and the order of the arguments are fixed."""
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
        """
        raise NotImplementedError
