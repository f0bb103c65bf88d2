import torch


def masked_softmax(scores, mask, dim=-1):
    """Rows without anything visible are opened for softmax and closed again afterwards."""
    mask = torch.broadcast_to(mask, scores.shape)
    dead = ~mask.any(dim=dim, keepdim=True)
    bias = torch.zeros_like(scores).masked_fill(~(mask | dead), float("-inf"))
    return torch.softmax(scores + bias, dim=dim).masked_fill(~mask, 0.0)
