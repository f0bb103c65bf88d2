"""The whole Jacobian of each row, and products as einsum."""

import torch


def softmax_backward(weights, d_weights):
    jacobian = torch.diag_embed(weights) - weights.unsqueeze(-1) * weights.unsqueeze(-2)
    return (jacobian @ d_weights.unsqueeze(-1)).squeeze(-1)


def attention_backward(q, k, v, d_output, mask=None):
    root = q.shape[-1] ** 0.5
    scores = torch.einsum("...ic,...jc->...ij", q, k) / root
    if mask is not None:
        scores = torch.where(mask, scores, torch.tensor(float("-inf"), dtype=scores.dtype, device=scores.device))
    weights = scores.softmax(-1)
    d_scores = softmax_backward(weights, torch.einsum("...ic,...jc->...ij", d_output, v)) / root
    return [
        torch.einsum("...ij,...jc->...ic", d_scores, k),
        torch.einsum("...ij,...ic->...jc", d_scores, q),
        torch.einsum("...ij,...ic->...jc", weights, d_output),
    ]
