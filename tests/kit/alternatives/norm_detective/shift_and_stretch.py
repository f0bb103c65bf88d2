import torch


def probes():
    x = torch.tensor([0.5, -1.0, 2.0, 3.0])
    return torch.stack([x, x + 1, x * 2])


def same(a, b):
    return torch.allclose(a, b, atol=1e-3)


def classify(outputs):
    plain, shifted, stretched = outputs
    by_shift, by_stretch = same(plain, shifted), same(plain, stretched)
    if by_shift and by_stretch:
        return "layernorm"
    if by_shift:
        return "softmax"
    if not by_stretch:
        return "sigmoid"
    return "l2" if plain.norm() < 1.5 else "rmsnorm"
