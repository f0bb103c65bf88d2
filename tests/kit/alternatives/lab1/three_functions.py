import torch


def compare(q, k):
    return torch.addmm(torch.zeros(len(q), len(k), dtype=q.dtype, device=q.device), q, k.T)


def normalise(scores, d):
    scaled = scores / d**0.5
    return (scaled - scaled.logsumexp(1, keepdim=True)).exp()


def mix(weights, v):
    total = weights[:, :1] * v[0]
    for j in range(1, len(v)):
        total = total + weights[:, j : j + 1] * v[j]
    return total


def lab1(x):
    scores = compare(x, x)
    weights = normalise(scores, x.shape[1])
    return scores, weights, mix(weights, x)
