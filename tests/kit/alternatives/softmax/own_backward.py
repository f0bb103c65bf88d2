"""Values with numpy where they lie on the CPU, and the gradient p * (g - sum(p g)) by hand."""

import numpy as np
import torch


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim):
        if x.device.type == "cpu" and x.dtype in (torch.float32, torch.float64):
            a = x.detach().numpy()
            e = np.exp(a - a.max(axis=dim, keepdims=True))
            p = torch.from_numpy(e / e.sum(axis=dim, keepdims=True))
        else:
            e = (x - x.amax(dim, keepdim=True)).exp()
            p = e / e.sum(dim, keepdim=True)
        ctx.save_for_backward(p)
        ctx.dim = dim
        return p

    @staticmethod
    def backward(ctx, g):
        (p,) = ctx.saved_tensors
        return p * (g - (p * g).sum(ctx.dim, keepdim=True)), None


def softmax(x, dim=-1):
    return Softmax.apply(x, dim)
