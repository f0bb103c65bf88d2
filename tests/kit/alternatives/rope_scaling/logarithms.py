"""Exponentials of logarithms, in float64 till the end; torch.lerp for the mix."""

import math

import torch


def log_frequencies(head_dim, theta, device, least=1):
    pairs, rest = divmod(head_dim, 2)
    if rest or pairs < least:
        raise ValueError(f"head_dim={head_dim}")
    return torch.arange(pairs, dtype=torch.float64, device=device) * (-math.log(theta) / pairs)


def logarithm(factor):
    if factor < 1:
        raise ValueError(f"factor={factor}")
    return math.log(factor)


def linear_frequencies(head_dim, factor, theta=10000.0, device=None):
    return (log_frequencies(head_dim, theta, device) - logarithm(factor)).exp().float()


def ntk_frequencies(head_dim, factor, theta=10000.0, device=None):
    slower = logarithm(factor)
    pace = log_frequencies(head_dim, theta, device, least=2)
    return (pace - slower * torch.linspace(0, 1, len(pace), dtype=torch.float64, device=device)).exp().float()


def yarn_frequencies(head_dim, factor, trained_len, theta=10000.0, slow=1.0, fast=32.0, device=None):
    slower = math.exp(-logarithm(factor))
    if min(trained_len, fast - slow) <= 0:
        raise ValueError("trained_len or bounds")
    f = log_frequencies(head_dim, theta, device).exp()
    turns = f * trained_len / math.tau
    keep = torch.clip((turns - slow) / (fast - slow), 0.0, 1.0)
    return torch.lerp(f * slower, f, keep).to(torch.float32)
