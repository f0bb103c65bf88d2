"""One unit vector, nearest of the five outputs."""

import torch


def boxes(x):
    c = x - x.mean(-1, keepdim=True)
    return {
        "softmax": x.softmax(-1),
        "sigmoid": x.sigmoid(),
        "l2": x / x.norm(dim=-1, keepdim=True),
        "rmsnorm": x / x.square().mean(-1, keepdim=True).sqrt(),
        "layernorm": c / c.square().mean(-1, keepdim=True).sqrt(),
    }


def probes():
    return torch.tensor([[1.0, 0.0, 0.0, 0.0]])


def classify(outputs):
    due = boxes(probes().to(outputs))
    return min(due, key=lambda name: (due[name] - outputs).abs().max())
