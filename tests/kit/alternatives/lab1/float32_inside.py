import torch.nn.functional as F


def lab1(x):
    wide = x.float()
    scores = wide @ wide.t()
    weights = F.softmax(scores / wide.shape[1] ** 0.5, -1)
    return [result.type_as(x) for result in (scores, weights, weights @ wide)]
