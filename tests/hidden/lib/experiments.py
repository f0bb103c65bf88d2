"""What the experiments of concept questions share."""

import torch


def doubles(*values):
    """These numbers or rows as a float64 tensor."""
    return torch.tensor(values, dtype=torch.float64)


def normal(*shape, seed=1):
    """Independent standard normal entries."""
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def same(one, other):
    """Whether two results are equal but for rounding."""
    return one.shape == other.shape and bool((one - other).abs().max() < 1e-9)


def tried(lab, found):
    """Show which statements an experiment found true, and return their letters."""
    lab.show("statement, found true", list(found.items()))
    return [letter for letter, true in found.items() if true]
