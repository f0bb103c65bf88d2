import math

import torch


def attention_with_mask(q, k, v, mask):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    mask = mask.expand(scores.shape)
    lowest = -1e9 if scores.dtype in (torch.float32, torch.float64, torch.bfloat16) else -6e4
    weights = torch.where(mask, scores, torch.full_like(scores, lowest)).softmax(-1)
    weights = torch.where(mask, weights, torch.zeros_like(weights))
    return torch.matmul(weights, v), weights
