import torch


def attention_with_mask(q, k, v, mask):
    kind = torch.promote_types(q.dtype, torch.float32)
    s = torch.einsum("...qd,...kd->...qk", q.to(kind), k.to(kind)) * q.shape[-1] ** -0.5
    w = torch.where(mask, s, torch.finfo(kind).min).softmax(-1)
    w = torch.where(mask, w, torch.zeros((), dtype=kind, device=q.device))
    return torch.einsum("...qk,...kd->...qd", w, v.to(kind)).to(q.dtype), w.to(q.dtype)
