import numpy as np
import torch


X = np.array([[0.5, 1.0, -2.0, 3.0]])
def probes():
    return torch.tensor(X, dtype=torch.float32)
def classify(outputs):
    y = np.array(outputs.tolist())
    if np.allclose(y.sum(1), 1, atol=1e-3) and (y >= 0).all():
        return "softmax"
    if ((0 < y) & (y < 1)).all():
        return "sigmoid"
    if np.allclose(y.mean(1), 0, atol=1e-3):
        return "layernorm"
    ratio = y / X
    length = np.linalg.norm(X)
    return "l2" if abs(ratio[0, 0] - 1 / length) < 1e-3 else "rmsnorm"
