import torch


def masked_multi_head(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    B, T, D = x.shape
    d, rest = divmod(D, num_heads)
    if rest:
        raise ValueError(f"{D=} {num_heads=}")
    if mask is None:
        mask = torch.ones((), dtype=torch.bool, device=x.device)
    mask = mask.expand(B, num_heads, T, T)
    out = 0
    for h in range(num_heads):
        s = slice(h * d, (h + 1) * d)
        q, k, v = x @ w_q[:, s], x @ w_k[:, s], x @ w_v[:, s]
        a = torch.einsum("btd,bsd->bts", q, k) / d**0.5
        a = torch.where(mask[:, h], a, torch.finfo(a.dtype).min).softmax(-1)
        out = out + a @ v @ w_o[s]
    return out
