import torch
from torch import nn


class Row:
    def __init__(self, module, x):
        self.module = module
        self.output, self.weights = module(x, x, x)
        self.per_head = module(x, x, x, average_attn_weights=False)[1]

    def as_dict(self):
        shapes = {name: list(getattr(self, name).size()) for name in ("output", "weights", "per_head")}
        count = self.module.in_proj_weight.numel() + self.module.in_proj_bias.numel()
        count += sum(p.numel() for p in self.module.out_proj.parameters())
        return {"parameters": count, "head_dim": self.module.head_dim, **shapes}


def heads_report(embed_dim):
    x = torch.ones((2, 5, embed_dim))
    rows = {}
    for h in reversed(range(1, embed_dim + 1)):
        rows[h] = Row(nn.MultiheadAttention(embed_dim, h, batch_first=True), x).as_dict() if embed_dim % h == 0 else None
    return rows
