import torch


def soft_lookup(weights, values):
    if weights.dim() > 1:
        return torch.stack([soft_lookup(w, values) for w in weights])
    columns = []
    for column in values.unbind(1):
        total = weights[0] * column[0]
        for w, v in zip(weights[1:], column[1:]):
            total = total + w * v
        columns.append(total)
    return torch.stack(columns)
