"""Added in place to a tensor of its own."""

import torch


def value_update(E, patterns, downs, ups):
    update = torch.zeros_like(E)
    for head in range(len(ups)):
        values = downs[head].mm(E)
        update += ups[head].mm(values.mm(patterns[head]))
    return update
