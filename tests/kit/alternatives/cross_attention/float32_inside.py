import torch


def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    with torch.autocast("cpu", enabled=False):
        q, k, v = x.float() @ w_q.float(), context.float() @ w_k.float(), context.float() @ w_v.float()
    s = (q @ k.transpose(-1, -2)).mul(q.shape[-1] ** -0.5)
    if mask is not None:
        s = s.masked_fill(~mask.expand_as(s), -1e30)
    p = torch.softmax(s, dim=-1)
    return torch.matmul(p, v).type_as(x)
