import torch


def prenorm_attention_block(x, W, mask=None):
    wide = x.to(torch.float32)
    w_q, w_k, w_v, w_o = [w.to(torch.float32) for w in W]
    h = wide / (wide.square().mean(-1, keepdim=True) + 1e-6).sqrt()
    scores = (h @ w_q @ w_k.T @ h.transpose(-1, -2)) / w_q.shape[1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask.logical_not(), -1e30)
    return (wide + torch.softmax(scores, -1) @ h @ (w_v @ w_o)).to(x.dtype)
