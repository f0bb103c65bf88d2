import torch


def column_attention(x, w_q, w_k, w_v, causal=False):
    dtype = x.dtype
    x, w_q, w_k, w_v = (t.float() for t in (x, w_q, w_k, w_v))
    scores = x.T @ (w_k.T @ w_q) @ x / torch.tensor(w_q.shape[0], dtype=torch.float32, device=x.device).sqrt()
    if causal:
        scores = scores + torch.full_like(scores, -torch.inf).tril(-1)
    return (w_v @ (x @ torch.softmax(scores, 0))).to(dtype)


def to_mha_mask(mask):
    return 1 - mask.flatten(0, -3).to(torch.uint8) == 1 if mask.dim() > 2 else mask.logical_not()
