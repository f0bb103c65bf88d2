"""Multi-head latent attention (MLA): one short vector is cached, and no head's keys are ever made.

Each token leaves a latent, a vector of Dc channels, from which the keys and values of all heads are made by matrices:
k_h = latent W_K,h and v_h = latent W_V,h. A rotation cannot stand between the latent and a key, for it depends on the
position. So positions have a part of their own: one rotated key of Dr channels that all heads share, and for each head
a rotated query. A score is the sum of both products, divided by sqrt(Dh + Dr).

With a cache of latents it would be a waste to make the keys of all tokens and heads again at each step. Brackets help:

    q_h . (latent W_K,h) = (q_h W_K,h^T) . latent

The matrix is absorbed into the query; the latents themselves are the keys of all heads. In the same way the weights mix
latents, and W_V,h comes afterwards. What is rotated comes to these functions rotated already.

This file stands alone: import nothing from the other exercises. PyTorch's softmax may be used.
"""

from torch import Tensor


def mla_expanded(
    q: Tensor, q_rope: Tensor, latent: Tensor, k_rope: Tensor, w_k: Tensor, w_v: Tensor, mask: Tensor | None = None
) -> Tensor:
    """MLA as it is defined: keys and values of each head are made from the latents.

    Args:
        q: queries [B, H, T_q, Dh].
        q_rope: rotated queries [B, H, T_q, Dr].
        latent: [B, T_kv, Dc], for all heads.
        k_rope: rotated keys [B, T_kv, Dr], for all heads.
        w_k: makes keys of latents, [H, Dc, Dh].
        w_v: makes values of latents, [H, Dc, Dv].
        mask: bool, broadcastable to [B, H, T_q, T_kv]; True = may attend; each row has a True. None: all see all.
            A hidden key has no weight, however low the visible scores are.

    Returns:
        [B, H, T_q, Dv], in the dtype and on the device of q. The inputs are not changed; gradients flow back to all.

    Example, one head, with a latent of one channel:
        q = tensor([[[[1., 0.]]]]); q_rope = tensor([[[[1.]]]]); w_k = tensor([[[1., 2.]]]); w_v = tensor([[[10.]]])
        latent = tensor([[[1.], [2.]]]); k_rope = tensor([[[1.], [-1.]]])
        mla_expanded(q, q_rope, latent, k_rope, w_k, w_v) -> [[[[13.5954]]]]
    """
    raise NotImplementedError


def mla_step(
    q: Tensor,
    q_rope: Tensor,
    latent: Tensor,
    k_rope: Tensor,
    w_k: Tensor,
    w_v: Tensor,
    cache: tuple[Tensor, Tensor] | None = None,
) -> tuple[Tensor, tuple[Tensor, Tensor]]:
    """Go on with a text by T new tokens, with absorbed matrices and a cache of latents.

    A new token sees all cached tokens, the new ones before it, and itself.

    Args:
        q: queries of the new tokens [B, H, T, Dh].
        q_rope: their rotated queries [B, H, T, Dr].
        latent: their latents [B, T, Dc].
        k_rope: their rotated keys [B, T, Dr].
        w_k: [H, Dc, Dh].
        w_v: [H, Dc, Dv].
        cache: latents and rotated keys of the earlier tokens, ([B, T_past, Dc], [B, T_past, Dr]). None: there are none.

    Returns:
        (output, cache): [B, H, T, Dv], and latents and rotated keys of all tokens so far, ([B, T_all, Dc],
        [B, T_all, Dr]). Keys and values of heads are not made: memory has no room for [H, T_all, Dh]. The inputs are
        not changed; gradients flow back to all.

    Example, with the tensors of mla_expanded:
        mla_step(q, q_rope, latent[:, 1:], k_rope[:, 1:], w_k, w_v, cache=(latent[:, :1], k_rope[:, :1]))
            -> ([[[[13.5954]]]], (latent, k_rope))
    """
    raise NotImplementedError
