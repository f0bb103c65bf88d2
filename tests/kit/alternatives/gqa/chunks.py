import torch


def repeat_kv(x: torch.Tensor, n_rep: int) -> torch.Tensor:
    if n_rep == 1:
        return x
    heads = []
    for head in torch.chunk(x, x.shape[1], dim=1):
        for _ in range(n_rep):
            heads.append(head)
    return torch.cat(heads, dim=1)


class CannotShare(ValueError):
    pass


def grouped_query_attention(q, k, v, mask=None):
    H = q.shape[1]
    H_kv = k.shape[1]
    if H % H_kv != 0:
        raise CannotShare(H, H_kv)
    outputs = []
    weights = []
    for h in range(H):
        shared = h // (H // H_kv)
        scores = q[:, h] @ k[:, shared].transpose(1, 2) / q.shape[3] ** 0.5  # [B, T_q, T_kv]
        if mask is not None:
            full = mask.expand(q.shape[0], H, q.shape[2], k.shape[2])
            scores = scores.masked_fill(~full[:, h], float("-inf"))
        w = torch.softmax(scores, dim=-1)
        outputs.append(w @ v[:, shared])
        weights.append(w)
    return torch.stack(outputs, dim=1), torch.stack(weights, dim=1)
