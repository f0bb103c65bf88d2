import math

import torch


def softmax_inverse(w):
    scores = []
    for weight in w:
        scores.append(torch.log(weight) if weight > 0 else torch.full_like(weight, -math.inf))
    return torch.stack(scores)
