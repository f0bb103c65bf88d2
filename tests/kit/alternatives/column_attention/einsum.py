import torch


def column_attention(x, w_q, w_k, w_v, causal=False):
    q = torch.einsum("hd,dt->ht", w_q, x)
    k = torch.einsum("hd,dt->ht", w_k, x)
    v = torch.einsum("hd,dt->ht", w_v, x)
    s = torch.einsum("hk,hq->kq", k, q / q.size(0) ** 0.5)
    if causal:
        t = torch.arange(s.size(0), device=s.device)
        s = torch.where(t[:, None] > t[None, :], torch.finfo(s.dtype).min, s)
    e = (s - s.amax(0)).exp()
    return torch.einsum("hk,kq->hq", v, e / e.sum(0))


def to_mha_mask(mask):
    return torch.where(mask, False, True).view(-1, *mask.shape[-2:]).squeeze(0) if mask.dim() == 2 else (mask ^ True).flatten(end_dim=1)
