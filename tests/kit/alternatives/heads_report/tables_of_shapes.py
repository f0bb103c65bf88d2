from torch import nn, rand


def shapes(module, x):
    out, mean = module(query=x, key=x, value=x)
    per_head = module(x, x, x, average_attn_weights=False)[1]
    return [tuple(t.shape) for t in (out, mean, per_head)]


def heads_report(embed_dim):
    result = {}
    for h in range(1, embed_dim + 1):
        result[h] = None
        if embed_dim / h == embed_dim // h:
            module = nn.MultiheadAttention(embed_dim, h, dropout=0.0, batch_first=True)
            out, mean, each = shapes(module, rand(2, 5, embed_dim))
            count = sum(p.numel() for p in module.parameters() if p.requires_grad)
            result[h] = dict(zip(("head_dim", "parameters", "output", "weights", "per_head"),
                                 (embed_dim // h, count, out, mean, each)))
    return result
