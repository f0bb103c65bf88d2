import torch
import torch.nn.functional as F


def masked_softmax(scores: torch.Tensor, mask: torch.Tensor, dim: int = -1) -> torch.Tensor:
    lowest = torch.finfo(scores.dtype).min
    p = F.softmax(scores.masked_fill(mask.logical_not(), lowest), dim=dim)
    return p * mask  # uniform in dead rows, so no NaN to multiply
