import torch.nn.functional as F


def masked_multi_head(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    B, T, D = x.shape
    if D % num_heads != 0:
        raise ValueError("D must be a multiple of num_heads")
    q, k, v = [(x @ w).reshape(B, T, num_heads, D // num_heads).permute(0, 2, 1, 3) for w in (w_q, w_k, w_v)]
    y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    return y.permute(0, 2, 1, 3).flatten(2) @ w_o
