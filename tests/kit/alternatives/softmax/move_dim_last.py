import torch


def softmax(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    y = x.movedim(dim, -1)
    m, _ = y.max(-1)
    e = torch.exp(y - m.unsqueeze(-1))
    s = e.sum(-1).unsqueeze(-1)
    return (e / s).movedim(-1, dim)
