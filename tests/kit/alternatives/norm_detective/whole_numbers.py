import math

import torch


def probes() -> torch.Tensor:
    return torch.tensor([[3, 4], [0, 1]])


def classify(outputs: torch.Tensor) -> str:
    (a, b), _ = outputs.tolist()
    table = {(0.6, 0.8): "l2", (-1.0, 1.0): "layernorm"}
    if (found := table.get((round(a, 2), round(b, 2)))) is not None:
        return found
    if math.isclose(a + b, 1, abs_tol=1e-2):
        return "softmax"
    return "sigmoid" if b > 0.95 and a > 0.95 and b < 1 else "rmsnorm"
