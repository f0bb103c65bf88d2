import torch
from torch.nn import functional as F


def multi_head_attention(x, W, biases, num_heads, mask=None):
    batch, tokens, width = x.shape
    if width % num_heads:
        raise ValueError("width must be a multiple of num_heads")
    qkv = F.linear(x, torch.cat(list(W[:3]), 1).t(), torch.cat(list(biases[:3])))
    qkv = qkv.view(batch, tokens, 3, num_heads, width // num_heads).permute(2, 0, 3, 1, 4)
    q, k, v = qkv.unbind(0)
    scores = (q @ k.mT).div((width // num_heads) ** 0.5)
    if mask is not None:
        bias = torch.zeros(mask.shape, dtype=x.dtype, device=x.device).masked_fill_(~mask, -torch.inf)
        scores = scores + bias
    out = F.softmax(scores, dim=3) @ v
    return F.linear(out.permute(0, 2, 1, 3).contiguous().view(batch, tokens, width), W[3].t(), biases[3])
