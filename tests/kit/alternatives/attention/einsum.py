import torch


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.einsum("...id,...jd->...ij", q, k) * q.size(-1) ** -0.5
    if mask is not None:
        scores = torch.where(mask, scores, float("-inf"))
    weights = torch.softmax(scores, -1)
    return torch.einsum("...ij,...jd->...id", weights, v), weights
