import warnings

import torch

print("softmax.py by Hana, version 7")
warnings.warn("this file is still being polished")


def softmax(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    print("softmax called with", tuple(x.shape), "dim =", dim)
    z = x.float() if x.dtype in (torch.float16, torch.bfloat16) else x
    z = z - z.max(dim=dim, keepdim=True).values.detach()
    p = z.exp()
    return (p / p.sum(dim=dim, keepdim=True)).to(x.dtype)
