"""Inputs in half precision."""

import torch

IN_16_BITS = (
    "wrong_in_float16", "wrong_in_bfloat16", "input_scaled_in_bfloat16", "refused_in_float16", "refused_in_bfloat16",
    "changes_input_in_float16", "no_gradient_in_float16", "no_gradient_in_bfloat16",
)  # fmt: skip
"""The slips that a suite lets pass whose statement asks for float32 and float64 only."""


def steady(make):
    """In half precision, where a bound may be as wide as a mistake, the same inputs whatever the seed is."""
    return make if make.dtype in (torch.float32, torch.float64) else fixed(make)


def fixed(make):
    """The same inputs whatever the seed is, for a check that a mistake would pass with some."""
    return type(make)(0, "half precision", make.dtype)
