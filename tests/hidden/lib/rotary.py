"""Rotary positions, right unless a place to go wrong is used. Channel i is paired with channel i + Dh/2."""

import torch


def angles(head_dim, positions, theta=10000.0, exponent=lambda i, d: 2 * i / d, dtype=torch.float32):
    """[T, Dh/2]: by how much each pair is turned at each of these positions."""
    if head_dim % 2:
        raise ValueError("an odd number of channels")
    i = torch.arange(head_dim // 2, dtype=dtype, device=positions.device)
    return positions.to(dtype)[:, None] * theta ** -exponent(i, head_dim)


def side_by_side(angle):
    """cos and sin of angles [T, Dh/2]: all pairs, and all of them once more."""
    return angle.cos().repeat(1, 2), angle.sin().repeat(1, 2)


def tables(head_dim, positions, theta=10000.0, **wrong):
    """cos and sin [T, Dh] for these positions."""
    return side_by_side(angles(head_dim, positions, theta, **wrong))


def half_turn(x):
    """Every pair by a quarter turn: rotate_half."""
    x1, x2 = x.chunk(2, -1)
    return torch.cat([-x2, x1], -1)


def neighbours_turn(x):
    """The same for pairs of neighbouring channels."""
    return torch.stack([-x[..., 1::2], x[..., ::2]], -1).flatten(-2)


def turned(x, cos, sin, quarter=half_turn):
    """x at the positions of the tables, in its own dtype."""
    return (x * cos + quarter(x) * sin).to(x.dtype)


def table_units(positions):
    """How far a float32 cosine or sine may be off at these positions, in units of epsilon."""
    # An angle is position * frequency. A float32 frequency f = theta^(-2i/d) <= 1 is off by a few roundings of 6e-8,
    # and where it is computed as exp(-x), x = 2i/d * ln(theta), by x of them more; f * x = x * exp(-x) < 0.37. The
    # product rounds once: less than ten in all, 6e-7 * position. cos and sin have slope at most 1 and round once.
    return (2e-6 + 6e-7 * positions) / torch.finfo(torch.float32).eps


def pair_lengths(x):
    """The length of each pair of channels: [..., Dh/2]."""
    return x.unflatten(-1, (2, -1)).norm(dim=-2)
