import torch


def probes():
    return torch.tensor([[5.0, 5.0], [2.0, 2.0]])
def classify(outputs):
    first = outputs[0, 0].item()
    second = outputs[1, 0].item()
    if abs(first) < 0.05:
        return "layernorm"
    if abs(first - 0.5) < 0.05:
        return "softmax"
    if abs(first - 0.7071) < 0.05:
        return "l2"
    if abs(second - 0.8808) < 0.05:
        return "sigmoid"
    return "rmsnorm"
