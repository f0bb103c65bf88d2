import math

import torch
import torch.nn.functional as F


class Cross(torch.nn.Module):
    def forward(self, x, context, w_q, w_k, w_v, mask=None):
        q, k, v = F.linear(x, w_q.T), F.linear(context, w_k.T), F.linear(context, w_v.T)
        a = torch.bmm(q, k.mT) / math.sqrt(k.size(2))
        if mask is not None:
            a = a + torch.zeros_like(a).masked_fill(mask.logical_not(), float("-inf"))
        return torch.bmm(F.softmax(a, dim=2), v)


cross_attention = Cross()
