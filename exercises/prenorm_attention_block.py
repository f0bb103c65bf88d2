"""The attention block of a language model: normalise, attend, add.

A model is a stack of blocks, and each one improves the tokens a little instead of replacing them:

    h      = RMSNorm(x)                                          calm numbers for the work
    update = softmax(h W_Q (h W_K)^T / sqrt(Dh)) h W_V W_O       what the tokens have to tell each other
    output = x + update                                          the old token, plus what it learned

The sum is the residual connection. It carries the raw x, not the normalised one, past everything: even if attention
does nothing at all (W_O = 0), the token arrives untouched, and so does its gradient. That the normalisation sits inside
the detour, in front of attention, is called pre-norm; it makes the update independent of how large x is.

Here there is one head, RMSNorm has no weight and eps = 1e-6, and the mask is True where a query may attend. Softmax may
be borrowed from PyTorch; fused attention may not. This file stands alone: write the normalisation here as well.
"""

from torch import Tensor


def prenorm_attention_block(x: Tensor, W: list[Tensor], mask: Tensor | None = None) -> Tensor:
    """x + Attention(RMSNorm(x)) W_O, with one head.

    Args:
        x: tokens [..., T, D]; any leading dimensions, or none. Entries up to 1,000 in size, also in float16.
        W: the matrices W_Q [D, Dh], W_K [D, Dh], W_V [D, Dv] and W_O [Dv, D], each used as h @ W.
        mask: bool with 2 or more dimensions, broadcastable to [..., T, T]; True = this query may attend to this key.
            Each row has a True. None: every token sees every token.

    Returns:
        [..., T, D] in the dtype and on the device of x. A hidden key has a weight below 1e-6, also in float16. The
        inputs are not changed; gradients flow to x and to all matrices.

    Example, with x = tensor([[1., 0.], [0., 1.], [1., 1.]]) and E = torch.eye(2):
        prenorm_attention_block(x, [E, E, E, E])     -> [[2.0899, 0.5277], [0.5277, 2.0899], [1.8333, 1.8333]]
        prenorm_attention_block(x, [E, E, E, E], mask=torch.ones(3, 3, dtype=torch.bool).tril())
                                                     -> [[2.4142, 0.0000], [0.2766, 2.1376], [1.8333, 1.8333]]
        prenorm_attention_block(x, [E, E, E, 0 * E]) -> x
    """
    raise NotImplementedError
