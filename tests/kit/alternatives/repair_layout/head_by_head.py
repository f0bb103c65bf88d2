import torch


def rotary_attention(x, w_q, w_k, w_v, w_o, num_heads, cos, sin):
    d = x.shape[-1] // num_heads

    def rot(u):
        return u * cos + torch.roll(torch.cat([u[..., : d // 2], -u[..., d // 2 :]], -1), d // 2, -1) * sin

    out = []
    for h in range(num_heads):
        s = slice(h * d, h * d + d)
        q, k = rot(x @ w_q[:, s]), rot(x @ w_k[:, s])
        out.append((q @ k.mT * d**-0.5).softmax(-1) @ (x @ w_v[:, s]))
    return torch.cat(out, -1) @ w_o
