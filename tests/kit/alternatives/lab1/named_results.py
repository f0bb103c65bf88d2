from typing import NamedTuple

import torch


class Trace(NamedTuple):
    scores: torch.Tensor
    weights: torch.Tensor
    output: torch.Tensor


def lab1(x):
    q = k = v = x
    scores = q.matmul(k.transpose(0, 1))
    scaled = scores / torch.tensor(float(x.shape[1])).sqrt().item()
    weights = scaled.exp() / scaled.exp().sum(1, keepdim=True) if scaled.abs().max() < 5 else scaled.softmax(1)
    return Trace(scores, weights, weights.matmul(v))
