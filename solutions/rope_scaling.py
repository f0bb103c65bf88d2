"""RoPE beyond the trained length: linear interpolation, a raised base ("NTK-aware"), and YaRN's ramp."""

import math

import torch
from torch import Tensor


def linear_frequencies(
    head_dim: int, factor: float, theta: float = 10000.0, device: torch.device | str | None = None
) -> Tensor:
    """float32 [Dh/2]: all pairs slowed down alike; Chen et al. 2023.

    Raises:
        ValueError: head_dim is odd or below 2, or factor is below 1.
    """
    return _frequencies(head_dim, factor, theta, device) / factor


def ntk_frequencies(
    head_dim: int, factor: float, theta: float = 10000.0, device: torch.device | str | None = None
) -> Tensor:
    """float32 [Dh/2]: the first pair as it was, the last one `factor` times slower.

    The last pair has the exponent -(Dh - 2) / Dh, so the base grows by factor^(Dh / (Dh - 2)).

    Raises:
        ValueError: head_dim is odd or below 4, or factor is below 1.
    """
    if head_dim < 4:
        raise ValueError(f"got head_dim={head_dim}: with a single pair no base slows it down")
    return _frequencies(head_dim, factor, theta * factor ** (head_dim / (head_dim - 2)), device)


def yarn_frequencies(
    head_dim: int,
    factor: float,
    trained_len: int,
    theta: float = 10000.0,
    slow: float = 1.0,
    fast: float = 32.0,
    device: torch.device | str | None = None,
) -> Tensor:
    """float32 [Dh/2]: pairs of many turns as they were, those of few slowed down, a ramp between; Peng et al. 2023.

    Raises:
        ValueError: head_dim is odd or below 2, factor or trained_len is below 1, or fast is not above slow.
    """
    if trained_len < 1 or fast <= slow:
        raise ValueError(f"got trained_len={trained_len}, slow={slow} and fast={fast}")
    frequency = _frequencies(head_dim, factor, theta, device)  # [Dh/2]
    turns = trained_len * frequency / (2 * math.pi)
    keep = ((turns - slow) / (fast - slow)).clamp(0, 1)
    return frequency * (keep + (1 - keep) / factor)


def _frequencies(head_dim: int, factor: float, theta: float, device: torch.device | str | None) -> Tensor:
    if head_dim < 2 or head_dim % 2 or factor < 1:
        raise ValueError(f"got head_dim={head_dim} and factor={factor}")
    return theta ** (-torch.arange(0, head_dim, 2, device=device) / head_dim)
