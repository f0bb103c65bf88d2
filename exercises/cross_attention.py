"""Cross-attention: one sequence asks, another one answers.

A translator at work looks from the sentence that it writes to the sentence that it translates. The queries come from
the first, x; keys and values come from the second, the context:

    Q = x W_Q         K = context W_K         V = context W_V
    output = softmax(Q K^T / sqrt(Dh)) V

Everything else is attention as you know it. There are as many outputs as queries, one for each token of x, whatever the
length of the context, and the two may have different widths. Nothing here is hidden because of its position: the whole
source sentence is there before the first word of the translation is written. Only its padding has to be masked.

Softmax may be borrowed from PyTorch; fused attention may not. This file stands alone: import nothing from other
exercises.
"""

from torch import Tensor


def cross_attention(
    x: Tensor, context: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, mask: Tensor | None = None
) -> Tensor:
    """Attention from the tokens of x to those of the context.

    Args:
        x: the tokens that ask [B, T_q, D].
        context: the tokens that answer [B, T_kv, Dc].
        w_q: projection to queries [D, Dh], used as x @ w_q.
        w_k: projection to keys [Dc, Dh].
        w_v: projection to values [Dc, Dv].
        mask: bool with 2 or 3 dimensions, broadcastable to [B, T_q, T_kv]; True = this query may attend to this key.
            For padding in the context it is [B, 1, T_kv]. Each row has a True. None: every query sees all of it.

    Returns:
        [B, T_q, Dv] in the dtype and on the device of x. Hidden keys have a weight below 1e-6, also in float16, however
        high their scores; visible scores lie within +-5,000. The inputs are not changed; gradients flow to x, context
        and the three matrices.

    Example, with w_q = w_k = w_v = torch.eye(2):
        x, context = tensor([[[1., 0.]]]), tensor([[[1., 0.], [0., 1.], [1., 1.]]])
        cross_attention(x, context, w_q, w_k, w_v)                                     -> [[[0.8022, 0.5989]]]
        cross_attention(x, context, w_q, w_k, w_v, mask=tensor([[True, False, True]])) -> [[[1.0000, 0.5000]]]
    """
    raise NotImplementedError
