import math

import torch


def attention_sublayer(x, w_q, w_k, w_v, w_o):
    q = torch.einsum("...td,dk->...tk", x, w_q) / math.sqrt(w_k.shape[1])
    k = torch.einsum("...td,dk->...tk", x, w_k)
    t = x.shape[-2]
    bias = torch.full((t, t), float("-inf"), dtype=x.dtype, device=x.device).triu(1)
    return torch.softmax(torch.einsum("...qk,...sk->...qs", q, k) + bias, dim=-1) @ (x @ (w_v @ w_o))
