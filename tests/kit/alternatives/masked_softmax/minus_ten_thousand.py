import torch


def masked_softmax(scores, mask, dim=-1):
    # visible scores lie above -5000, so -1e4 is far below all of them
    hidden = mask.logical_not().expand(scores.shape)
    weights = torch.where(hidden, torch.full_like(scores, -1e4), scores).softmax(dim)
    return torch.where(hidden, torch.zeros_like(weights), weights)
