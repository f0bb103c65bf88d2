import torch


def probes():
    return torch.tensor([[-2.0, -1.0, -1.0]])


def classify(outputs):
    a, b, c = outputs[0].tolist()
    if a > 0:
        return "softmax" if abs(a + b + c - 1) < 0.01 else "sigmoid"
    if b > 0:
        return "layernorm"
    return "rmsnorm" if a < -1 else "l2"
