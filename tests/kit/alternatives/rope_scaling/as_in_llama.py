"""inv_freq as model code has it, wavelengths instead of turns, torch.where for the three cases."""

import math

import torch


def check(head_dim, factor):
    if head_dim < 2 or head_dim & 1:
        raise ValueError(head_dim)
    if not factor >= 1:
        raise ValueError(factor)


def inv_freq(dim, base, device):
    return 1.0 / (base ** (torch.arange(0, dim, 2, device=device).float() / dim))


def linear_frequencies(head_dim, factor, theta=10000.0, device=None):
    check(head_dim, factor)
    return inv_freq(head_dim, theta, device) / factor


def ntk_frequencies(head_dim, factor, theta=10000.0, device=None):
    check(head_dim - 2, factor)
    base = theta * factor ** (head_dim / (head_dim - 2))
    return inv_freq(head_dim, base, device)


def yarn_frequencies(head_dim, factor, trained_len, theta=10000.0, slow=1.0, fast=32.0, device=None):
    check(head_dim, factor)
    if trained_len < 1 or slow >= fast:
        raise ValueError((trained_len, slow, fast))
    freqs = inv_freq(head_dim, theta, device)
    wavelen = 2 * math.pi / freqs
    smooth = (trained_len / wavelen - slow) / (fast - slow)
    between = (1 - smooth) * freqs / factor + smooth * freqs
    few, many = trained_len / wavelen <= slow, trained_len / wavelen >= fast
    return torch.where(few, freqs / factor, torch.where(many, freqs, between))
