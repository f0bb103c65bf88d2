import torch
import torch.nn.functional as F


def attention_sublayer(x, w_q, w_k, w_v, w_o):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    T = x.size(-2)
    mask = torch.tril(torch.ones(T, T, dtype=torch.bool, device=x.device))
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask) @ w_o
