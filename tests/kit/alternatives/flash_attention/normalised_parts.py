"""Each block's output and its log-sum-exp; outputs are mixed by how their log-sum-exps compare."""

import torch


def flash_attention(q, k, v, block, causal=False):
    T_q, T_kv, Dh = q.shape[-2], k.shape[-2], q.shape[-1]
    if block < 1 or (causal and T_q > T_kv):
        raise ValueError("invalid sizes")
    lse = out = None
    for s in range(0, T_kv, block):
        scores = (q * Dh**-0.5) @ k[..., s : s + block, :].transpose(-2, -1)
        if causal:
            late = torch.arange(s, s + scores.shape[-1], device=q.device) > torch.arange(
                T_kv - T_q, T_kv, device=q.device
            ).view(-1, 1)
            scores = torch.where(late, torch.full_like(scores, -3e4), scores)
        new = torch.logsumexp(scores, -1, keepdim=True)
        part = torch.exp(scores - new) @ v[..., s : s + block, :]
        if lse is None:
            lse, out = new, part
        else:
            both = torch.logaddexp(lse, new)
            out = torch.exp(lse - both) * out + torch.exp(new - both) * part
            lse = both
    return out
