import torch
import torch.nn.functional as F

CANDIDATES = {
    "softmax": lambda x: torch.softmax(x, -1),
    "sigmoid": torch.sigmoid,
    "l2": lambda x: F.normalize(x, dim=-1),
    "rmsnorm": lambda x: x / x.pow(2).mean(-1, keepdim=True).sqrt(),
    "layernorm": lambda x: F.layer_norm(x, x.shape[-1:]),
}


def probes():
    return torch.tensor([[3.0, 1.0, -2.0, 0.5, 0.0], [1.0, 1.0, 2.0, 5.0, -1.0]])


def classify(outputs):
    x = probes().to(outputs)
    return min(CANDIDATES, key=lambda name: float((CANDIDATES[name](x) - outputs).abs().max()))
