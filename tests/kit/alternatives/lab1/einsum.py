import torch


def lab1(x):
    scores = torch.einsum("id,jd->ij", x, x)
    weights = torch.softmax(scores * x.size(-1) ** -0.5, dim=-1)
    return scores, weights, torch.einsum("ij,jd->id", weights, x)
