import torch


def column_attention(x, w_q, w_k, w_v, causal=False):
    X = x.transpose(0, 1)
    q, k, v = X @ w_q.t(), X @ w_k.t(), X @ w_v.t()
    s = q @ k.t() * q.shape[-1] ** -0.5
    if causal:
        n = s.shape[0]
        s = s.masked_fill(~torch.ones(n, n, dtype=torch.bool, device=s.device).tril(), float("-inf"))
    return (s.softmax(-1) @ v).t()


def to_mha_mask(mask):
    hidden = torch.logical_not(mask)
    if hidden.ndim == 4:
        B, H, L, S = hidden.shape
        hidden = hidden.reshape(B * H, L, S)
    return hidden
