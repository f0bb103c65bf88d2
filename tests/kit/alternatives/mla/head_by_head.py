"""One head at a time; the step asks token by token."""

import torch


def one_head(q, q_rope, k, k_rope, v, root, mask):
    scores = (torch.bmm(q, k.mT) + torch.bmm(q_rope, k_rope.mT)) / root
    if mask is not None:
        scores = torch.where(mask, scores, float("-inf"))
    return torch.bmm(scores.softmax(2), v)


def mla_expanded(q, q_rope, latent, k_rope, w_k, w_v, mask=None):
    root = (q.shape[3] + q_rope.shape[3]) ** 0.5
    if mask is not None:
        mask = mask.expand(q.shape[0], q.shape[1], q.shape[2], latent.shape[1])
    heads = []
    for h in range(q.shape[1]):
        seen = None if mask is None else mask[:, h]
        heads.append(one_head(q[:, h], q_rope[:, h], latent @ w_k[h], k_rope, latent @ w_v[h], root, seen))
    return torch.stack(heads, 1)


def mla_step(q, q_rope, latent, k_rope, w_k, w_v, cache=None):
    if cache:
        latent, k_rope = torch.cat([cache[0], latent], 1), torch.cat([cache[1], k_rope], 1)
    past, root = latent.shape[1] - q.shape[2], (q.shape[3] + q_rope.shape[3]) ** 0.5
    heads = []
    for h in range(q.shape[1]):
        rows = []
        for t in range(q.shape[2]):
            seen, turned, asks = latent[:, : past + t + 1], k_rope[:, : past + t + 1], q[:, h, t : t + 1] @ w_k[h].mT
            rows.append(one_head(asks, q_rope[:, h, t : t + 1], seen, turned, seen, root, None) @ w_v[h])
        heads.append(torch.cat(rows, 1))
    return torch.stack(heads, 1), (latent, k_rope)
