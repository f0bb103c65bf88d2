import torch


def rotary_attention(x, w_q, w_k, w_v, w_o, num_heads, cos, sin):
    B, T, D = x.shape
    n = D // num_heads // 2
    q, k, v = (torch.einsum("btd,dhc->bthc", x, w.view(D, num_heads, -1)) for w in (w_q, w_k, w_v))
    c, s = cos[:, None, :n], sin[:, None, :n]

    def rot(u):
        a, b = u[..., :n], u[..., n:]
        return torch.cat([a * c - b * s, b * c + a * s], -1)

    a = torch.einsum("bqhc,bkhc->bhqk", rot(q), rot(k)) / (2 * n) ** 0.5
    return torch.einsum("bhqk,bkhc,hcd->bqd", a.softmax(-1), v, w_o.view(num_heads, -1, D))
