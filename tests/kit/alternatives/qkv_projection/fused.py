import torch


def qkv_projection(x, w_q, w_k, w_v):
    widths = [w.shape[1] for w in (w_q, w_k, w_v)]
    return (x @ torch.cat((w_q, w_k, w_v), 1)).split(widths, -1)
