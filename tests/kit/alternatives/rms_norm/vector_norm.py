import torch


def rms_norm(x, weight=None, eps=1e-6):
    D = x.shape[-1]
    h = x.double()
    length = torch.linalg.vector_norm(h, dim=-1, keepdim=True)
    h = h * (D / (length**2 + D * eps)) ** 0.5
    if weight is not None:
        h = h * weight.double()
    return h.type_as(x)
