"""RMSNorm: give every vector the same length, keep its direction.

Deep networks multiply and add all day, and the numbers drift: too large, too small. Before each attention and each
feed-forward layer, Llama-like models therefore bring every token's vector to the same size. The measure is the root
mean square, the size of a typical entry:

    rms(x) = sqrt((x_1^2 + ... + x_D^2) / D)
    y_i = x_i / sqrt(rms(x)^2 + eps) * weight_i

eps keeps a vector of zeros from being divided by 0, and the weight, if there is one, is learned: it lets the network
stretch single channels again. LayerNorm would subtract the mean as well; RMSNorm leaves it where it is.

Mind the squares: in float16 everything above 65,504 is infinite, so an entry of 300 is harmless and its square is not.
PyTorch's own RMSNorm is not allowed here. This file stands alone: import nothing from other exercises.
"""

from torch import Tensor


def rms_norm(x: Tensor, weight: Tensor | None = None, eps: float = 1e-6) -> Tensor:
    """Divide each vector by its root mean square, then stretch its channels.

    Args:
        x: vectors [..., D] of any float dtype. Each one, along the last dimension, is normalised by itself.
        weight: a factor for each channel [D]; its dtype may be wider than that of x. None: no factors.
        eps: what is added to the mean of the squares, inside the root.

    Returns:
        [..., D] in the dtype and on the device of x, also if weight has a wider dtype. Entries up to 60,000 are no
        problem in float16. x and weight are not changed; gradients flow to both.

    Example:
        rms_norm(tensor([2.5, 1.3, 3.7, 0.8]))               -> [1.0595, 0.5510, 1.5681, 0.3390]   (rms 2.3596)
        rms_norm(tensor([3., -4.]), weight=tensor([1., 10.])) -> [0.8485, -11.3137]
        rms_norm(tensor([0., 0.]))                            -> [0.0000, 0.0000]
    """
    raise NotImplementedError
