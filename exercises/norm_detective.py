"""Which normalisation is in the box?

Five functions are all called "normalising" by somebody. A box holds one of them and applies it to each row of what you
put in. You cannot open it; you may send in up to three vectors of your choice, look at what comes out, and have to say
which one it is.

    softmax     e^(x_i) / (e^(x_1) + ... + e^(x_D))
    sigmoid     1 / (1 + e^(-x_i))
    l2          x_i / sqrt(x_1^2 + ... + x_D^2)
    rmsnorm     x_i / sqrt((x_1^2 + ... + x_D^2) / D)
    layernorm   (x_i - m) / sqrt(((x_1 - m)^2 + ... + (x_D - m)^2) / D) with the mean m

Each has a mark that the others lack: something that always sums to 1, something that always has the mean 0, something
that does not change when the input is shifted, or stretched. But a mark shows only on the right input: a vector with
the mean 0, for example, comes out of rmsnorm and of layernorm alike. Boxes may add an eps of 1e-5 or less where
something is divided. This file stands alone: import nothing from other exercises.
"""

from torch import Tensor


def probes() -> Tensor:
    """The vectors that you send into the box.

    Returns:
        float32 [n, D], or whole numbers, which become float32: n vectors, 1 to 3, of D entries each, 1 to 16, all
        between -100 and 100, the same at every call. From what comes out any two of the five boxes must be told apart:
        somewhere their outputs have to differ by 0.01 or more.

    Example of probes that fail, because rmsnorm and layernorm make the same of them:
        tensor([[1., -1.]])
    """
    raise NotImplementedError


def classify(outputs: Tensor) -> str:
    """Name the box from what it made of your probes.

    Args:
        outputs: float32 or float64 [n, D]; row i is what the box made of row i of probes(). Not to be changed.

    Returns:
        "softmax", "sigmoid", "l2", "rmsnorm" or "layernorm".
    """
    raise NotImplementedError
