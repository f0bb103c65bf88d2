"""Softmax by hand with the row's maximum; the tokens play three parts."""

import math

import torch


class Attention:
    def __init__(self, queries, keys, values):
        self.queries, self.keys, self.values = queries, keys, values

    def trace(self):
        scores = torch.mm(self.queries, self.keys.mT)
        scaled = scores / math.sqrt(self.queries.size(-1))
        e = torch.exp(scaled - torch.max(scaled, dim=-1, keepdim=True).values)
        weights = torch.div(e, torch.sum(e, dim=-1, keepdim=True))
        return scores, weights, torch.mm(weights, self.values)


def lab1(x):
    return Attention(x, x, x).trace()
