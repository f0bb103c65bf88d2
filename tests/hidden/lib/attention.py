"""Attention and what stands around it, right unless a place to go wrong is used."""

import math

import torch

from grader.suites import Text


def attend(q, k, v, mask=None, *, scale=None, fill=-math.inf, dim=-1):
    """Output and weights of scaled dot-product attention.

    scale: a number, or a function of q, k and v; 1 / sqrt(Dh) unless given. fill: what hidden scores become.
    """
    factor = scale(q, k, v) if callable(scale) else 1 / math.sqrt(q.shape[-1]) if scale is None else scale
    scores = q @ k.transpose(-2, -1) * factor
    if mask is not None:
        scores = scores.masked_fill(~mask, fill)
    weights = scores.softmax(dim)
    return weights @ v, weights


def integer_root(q, k, v):
    """A wrong scale for `attend`: the root of Dh is rounded down."""
    return 1 / math.isqrt(q.shape[-1])


def power_first(q, k, v):
    """A wrong scale for `attend`: `/ Dh ** 1 / 2`."""
    return 1 / (2 * q.shape[-1])


def power_first_in_brackets(q, k, v):
    """A wrong scale for `attend`: `/ (Dh ** 1 / 2)`."""
    return 2 / q.shape[-1]


def span(numbers):
    """Where numbers lie: from the smallest to the largest, or the one that all are."""
    low, high = f"{float(numbers.min()):.4g}", f"{float(numbers.max()):.4g}"
    return Text("{low}").format(low=low) if low == high else Text("{low} to {high}").format(low=low, high=high)


def scores_of(q, k, mask=None, fill=-math.inf):
    """q k^T / sqrt(Dh), hidden ones filled."""
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return scores if mask is None else scores.masked_fill(~mask, fill)


def split(x, num_heads):
    """[B, T, D] to [B, H, T, Dh], head 0 the first block of channels."""
    return x.unflatten(-1, (num_heads, -1)).transpose(1, 2)


def merge(heads):
    """[B, H, T, Dh] to [B, T, H * Dh], head 0 first."""
    return heads.transpose(1, 2).flatten(2)


def repeat(x, n_rep):
    """[B, H_kv, T, Dh] to [B, H, T, Dh]: h0 h0 h1 h1."""
    return x.repeat_interleave(n_rep, 1)


def causal(t_q, t_kv, offset=None):
    """[T_q, T_kv]: the last query sees every key; with `offset`, query i sees the keys up to i + offset."""
    keys, queries = torch.arange(t_kv), torch.arange(t_q)[:, None]
    return keys <= queries + (t_kv - t_q if offset is None else offset)
