import torch


def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    q = torch.einsum("btd,dh->bth", x, w_q) / w_q.shape[1] ** 0.5
    k = torch.einsum("bsc,ch->bsh", context, w_k)
    v = torch.einsum("bsc,cv->bsv", context, w_v)
    s = torch.einsum("bth,bsh->bts", q, k)
    if mask is not None:
        s = torch.where(mask, s, torch.finfo(s.dtype).min)
    return torch.einsum("bts,bsv->btv", torch.softmax(s, -1), v)
