import torch


def masked_softmax(scores, mask, dim=-1):
    full = mask.expand(scores.shape)
    any_seen = full.any(dim, keepdim=True)
    safe = torch.where(full, scores, torch.zeros((), dtype=scores.dtype, device=scores.device))
    bias = torch.where(full | ~any_seen, 0.0, float("-inf")).to(scores.dtype)
    return torch.softmax(safe + bias, dim) * full
