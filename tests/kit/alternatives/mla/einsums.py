"""einsum throughout, logits in two terms, exponentials by hand."""

import torch


def softmax(x):
    e = (x - x.amax(-1, keepdim=True)).exp()
    return e / e.sum(-1, keepdim=True)


def mla_expanded(q, q_rope, latent, k_rope, w_k, w_v, mask=None):
    keys = torch.einsum("btc,hcd->bhtd", latent, w_k)
    values = torch.einsum("btc,hcd->bhtd", latent, w_v)
    logits = torch.einsum("bhid,bhjd->bhij", q, keys) + torch.einsum("bhid,bjd->bhij", q_rope, k_rope)
    logits = logits / (q.size(-1) + q_rope.size(-1)) ** 0.5
    if mask is not None:
        logits = torch.where(mask, logits, torch.finfo(logits.dtype).min)
    return torch.einsum("bhij,bhjd->bhid", softmax(logits), values)


def mla_step(q, q_rope, latent, k_rope, w_k, w_v, cache=None):
    if cache is not None:
        latent = torch.cat((cache[0], latent), dim=1)
        k_rope = torch.cat((cache[1], k_rope), dim=1)
    past = latent.size(1) - q.size(2)
    places = torch.arange(latent.size(1), device=q.device)
    mask = places <= past + torch.arange(q.size(2), device=q.device)[:, None]
    into = torch.einsum("bhid,hcd->bhic", q, w_k)
    logits = torch.einsum("bhic,bjc->bhij", into, latent) + torch.einsum("bhid,bjd->bhij", q_rope, k_rope)
    logits = logits / (q.size(-1) + q_rope.size(-1)) ** 0.5
    weights = softmax(logits.masked_fill(~mask, float("-inf")))
    mixed = torch.einsum("bhij,bjc->bhic", weights, latent)
    return torch.einsum("bhic,hcd->bhid", mixed, w_v), (latent, k_rope)
