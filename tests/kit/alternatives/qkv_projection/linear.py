import torch.nn.functional as F


def qkv_projection(x, w_q, w_k, w_v):
    return [F.linear(x, w.t()) for w in (w_q, w_k, w_v)]
