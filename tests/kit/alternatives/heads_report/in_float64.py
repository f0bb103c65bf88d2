from torch import nn
import torch


def heads_report(embed_dim):
    out = {}
    for h in range(1, embed_dim + 1):
        if embed_dim % h:
            out[h] = None
            continue
        with torch.device("cpu"):
            m = nn.MultiheadAttention(embed_dim, h, batch_first=True, dtype=torch.float64)
            x = torch.zeros(2, 5, embed_dim, dtype=torch.float64)
        y, none = m(x, x, x, need_weights=False)
        _, mean = m(x, x, x)
        _, each = m(x, x, x, average_attn_weights=False)
        out[h] = {"head_dim": each.shape[1] and embed_dim // each.shape[1], "parameters": sum(p.numel() for p in m.parameters() if p.requires_grad),
                  "output": tuple(y.shape), "weights": tuple(mean.shape), "per_head": tuple(each.shape)}
    return out
