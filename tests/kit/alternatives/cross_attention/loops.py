import math

import torch


def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    B, T_q, _ = x.shape
    T_kv = context.shape[1]
    seen = torch.ones(B, T_q, T_kv, dtype=torch.bool, device=x.device)
    if mask is not None:
        seen = seen & mask
    result = []
    for b in range(B):
        keys, values = context[b] @ w_k, context[b] @ w_v
        rows = []
        for t in range(T_q):
            here = seen[b, t]
            s = keys[here] @ (x[b, t] @ w_q) / math.sqrt(w_q.shape[1])
            e = torch.exp(s - s.max())
            rows.append((e / e.sum()) @ values[here])
        result.append(torch.stack(rows))
    return torch.stack(result)
