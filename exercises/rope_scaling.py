"""RoPE for texts longer than those of training: by how much each pair of channels rotates.

RoPE rotates pair i < head_dim/2 by the frequency f_i = theta^(-2i / head_dim), in radians a position. The first
pairs go round every few positions and have shown every angle in training. The last ones have not completed a turn;
beyond the trained length they come to angles that the model has never seen, and it fails. So the pairs are slowed down,
for a text `factor` times as long. There are three ways to do so:

* linear interpolation slows all pairs alike. All angles are known again, but neighbours are harder to tell apart;
* the NTK way raises the base, so that the first pair keeps its pace and only the last is slowed down in full;
* YaRN asks of each pair how many turns it makes in the trained length. Pairs with many turns are left alone, pairs that
  make less than one are interpolated, and in between there is a ramp. Llama 3.1 does it like this, with other bounds.

This file stands alone: import nothing from the other exercises.
"""

import torch
from torch import Tensor


def linear_frequencies(
    head_dim: int, factor: float, theta: float = 10000.0, device: torch.device | str | None = None
) -> Tensor:
    """Slow all pairs down by the factor, as if positions were squeezed into the trained length.

    Args:
        head_dim: number of channels Dh of a head, even.
        factor: how many times longer texts become, 1 or more; not always a whole number.
        theta: base of the frequencies.
        device: the device to build the result on; torch's default if it is None.

    Returns:
        Tensor [head_dim / 2], dtype float32: the new frequency of each pair.

    Raises:
        ValueError: head_dim is odd or below 2, or factor is below 1.

    Example:
        linear_frequencies(8, 4.0) -> [0.25, 0.025, 0.0025, 0.00025], without scaling [1, 0.1, 0.01, 0.001]
    """
    raise NotImplementedError


def ntk_frequencies(
    head_dim: int, factor: float, theta: float = 10000.0, device: torch.device | str | None = None
) -> Tensor:
    """Raise the base so far that the last pair rotates exactly `factor` times more slowly.

    The first pair rotates by 1 radian with any base. The frequencies still have the form base^(-2i / head_dim).

    Args:
        head_dim: number of channels Dh of a head, even, 4 or more.
        factor: how many times longer texts become, 1 or more.
        theta: base of the frequencies before it is raised.
        device: the device to build the result on; torch's default if it is None.

    Returns:
        Tensor [head_dim / 2], dtype float32: the new frequency of each pair.

    Raises:
        ValueError: head_dim is odd or below 4, or factor is below 1.

    Example:
        ntk_frequencies(8, 4.0) -> [1.0000, 0.062996, 0.0039685, 0.00025]
    """
    raise NotImplementedError


def yarn_frequencies(
    head_dim: int,
    factor: float,
    trained_len: int,
    theta: float = 10000.0,
    slow: float = 1.0,
    fast: float = 32.0,
    device: torch.device | str | None = None,
) -> Tensor:
    """Slow each pair down by as much as it needs.

    In the trained length pair i makes r_i = trained_len * f_i / (2 pi) turns. A pair with r_i >= fast keeps f_i, one
    with r_i <= slow gets f_i / factor. In between it gets

        keep * f_i + (1 - keep) * f_i / factor,    where keep = (r_i - slow) / (fast - slow)

    Args:
        head_dim: number of channels Dh of a head, even.
        factor: how many times longer texts become, 1 or more.
        trained_len: the longest text in training, in tokens, 1 or more.
        theta: base of the frequencies.
        slow: with so many turns or fewer a pair is slowed down in full.
        fast: with so many turns or more a pair is left alone; above slow.
        device: the device to build the result on; torch's default if it is None.

    Returns:
        Tensor [head_dim / 2], dtype float32: the new frequency of each pair.

    Raises:
        ValueError: head_dim is odd or below 2, factor is below 1, trained_len is below 1, or fast is not above slow.

    Example:
        yarn_frequencies(8, 4.0, 1000): the pairs make [159.2, 15.92, 1.592, 0.159] turns, the shares kept are
        [1, 0.4811, 0.0191, 0], the frequencies [1.0000, 0.061086, 0.0026431, 0.00025]
    """
    raise NotImplementedError
