import torch


def value_update(E, patterns, downs, ups):
    A, W, U = (torch.stack(tuple(ts)) for ts in (patterns, downs, ups))
    return torch.einsum("hok,hkd,di,hij->oj", U, W, E, A)
