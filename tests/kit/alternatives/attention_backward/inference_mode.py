"""Under inference mode, since no gradient of the results is asked for; the Jacobian of each row is written out."""

import math

import torch


@torch.inference_mode()
def softmax_backward(weights, d_weights):
    column = weights.unsqueeze(-1)
    jacobian = torch.diag_embed(weights) - column @ column.mT
    return (jacobian @ d_weights.unsqueeze(-1)).squeeze(-1)


@torch.inference_mode()
def attention_backward(q, k, v, d_output, mask=None):
    scale = 1 / math.sqrt(q.shape[-1])
    scores = q @ k.transpose(-2, -1) * scale
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1)
    d_scores = softmax_backward(weights, d_output @ v.transpose(-2, -1)) * scale
    return d_scores @ k, d_scores.transpose(-2, -1) @ q, weights.transpose(-2, -1) @ d_output
