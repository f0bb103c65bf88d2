import math

import torch


class Sublayer:
    """Flattens whatever stands in front of [T, D], and hides with the lowest number of the dtype."""

    def __call__(self, x, w_q, w_k, w_v, w_o):
        flat = x.reshape(-1, *x.shape[-2:])
        q, k, v = (torch.matmul(flat, w) for w in (w_q, w_k, w_v))
        scores = torch.bmm(q, k.permute(0, 2, 1)) * (1 / math.sqrt(w_q.shape[1]))
        index = torch.arange(x.shape[-2], device=x.device)
        later = index[None, :] > index[:, None]
        scores = torch.where(later, torch.finfo(scores.dtype).min, scores)
        weights = torch.exp(scores - torch.logsumexp(scores, -1, keepdim=True))
        return (torch.bmm(weights, v) @ w_o).reshape(x.shape)


attention_sublayer = Sublayer()
