"""Each block is a softmax of its own; the logarithms of the sums say how much it counts."""

import torch


def flash_attention(q, k, v, block, causal=False):
    T, N = q.shape[-2], k.shape[-2]
    if block < 1:
        raise ValueError("block 必须至少为 1")
    if causal and T > N:
        raise ValueError("causal 时查询不能多于键")
    out, lse = None, None
    for j in range(0, N, block):
        e = min(N, j + block)
        s = q @ k[..., j:e, :].transpose(-2, -1) * q.shape[-1] ** -0.5
        if causal:
            see = torch.arange(j, e, device=q.device) <= torch.arange(N - T, N, device=q.device)[:, None]
            s = s.masked_fill(~see, torch.finfo(s.dtype).min / 2)
        part = torch.logsumexp(s, -1, keepdim=True)
        o = torch.exp(s - part) @ v[..., j:e, :]
        if out is None:
            out, lse = o, part
        else:
            new = torch.logaddexp(lse, part)
            out = out * torch.exp(lse - new) + o * torch.exp(part - new)
            lse = new
    return out
