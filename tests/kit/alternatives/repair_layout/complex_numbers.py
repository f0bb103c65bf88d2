import torch


def rotary_attention(x, w_q, w_k, w_v, w_o, num_heads, cos, sin):
    B, T, D = x.shape
    c = D // num_heads
    turns = torch.complex(cos[:, : c // 2].contiguous(), sin[:, : c // 2].contiguous())

    def heads(w):
        return (x @ w).unflatten(-1, (num_heads, c)).transpose(1, 2)

    def rot(u):
        a, b = u.chunk(2, -1)
        z = torch.complex(a.contiguous(), b.contiguous()) * turns
        return torch.cat([z.real, z.imag], -1)

    q, k, v = rot(heads(w_q)), rot(heads(w_k)), heads(w_v)
    weights = torch.softmax(q @ k.mT / c**0.5, -1)
    return (weights @ v).permute(0, 2, 1, 3).flatten(2) @ w_o
