from functools import reduce
import torch


def value_update(E, patterns, downs, ups):
    E64 = E.double()
    heads = [torch.linalg.multi_dot([u.double(), d.double(), E64, a.double()]) for u, d, a in zip(ups, downs, patterns)]
    out = reduce(torch.Tensor.add_, heads)
    return out.to(E.dtype)
