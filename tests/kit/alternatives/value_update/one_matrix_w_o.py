"""The heads on top of each other, then one W_O."""

import torch


def value_update(E, patterns, downs, ups):
    merged = torch.vstack([down @ (E @ A) for A, down in zip(patterns, downs)])
    return torch.hstack(list(ups)) @ merged
