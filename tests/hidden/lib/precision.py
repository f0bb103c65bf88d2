"""Inputs in half precision."""

import torch


def steady(make):
    """In half precision, where a bound may be as wide as a mistake, the same inputs whatever the seed is."""
    full = make.dtype in (torch.float32, torch.float64)
    return make if full else type(make)(0, "half precision", make.dtype)
