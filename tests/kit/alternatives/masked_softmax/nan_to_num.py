import torch


def masked_softmax(scores, mask, dim=-1):
    weights = torch.softmax(scores.masked_fill(~mask, float("-inf")), dim=dim)
    return torch.nan_to_num(weights, nan=0.0)
