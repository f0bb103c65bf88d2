import torch
import torch.nn.functional as F


def rotary_attention(x, w_q, w_k, w_v, w_o, num_heads, cos, sin):
    B, T, D = x.shape
    q, k, v = (torch.matmul(x, w).reshape(B, T, num_heads, D // num_heads) for w in (w_q, w_k, w_v))

    def rot(u):
        a, b = u.chunk(2, dim=-1)
        return u * cos.unsqueeze(1) + torch.cat((-b, a), -1) * sin.unsqueeze(1)

    q, k, v = (u.permute(0, 2, 1, 3) for u in (rot(q), rot(k), v))
    return F.scaled_dot_product_attention(q, k, v).transpose(1, 2).contiguous().view(B, T, D) @ w_o
