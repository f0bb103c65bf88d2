import math

import torch
from torch import nn


class RMSNorm(nn.Module):
    def forward(self, x):
        h = x.float()
        return (h * torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + 1e-6)).type_as(x)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = RMSNorm()

    def forward(self, x, W, mask=None):
        residual = x
        h = self.norm(x)
        q, k, v = (h @ w for w in W[:3])
        s = torch.matmul(q, k.mT) / math.sqrt(q.size(-1))
        if mask is not None:
            s = s + torch.zeros_like(s).masked_fill(~mask, float("-inf"))
        return residual + nn.functional.softmax(s, dim=-1) @ v @ W[3]


prenorm_attention_block = Block()
