import torch


def heads_report(embed_dim):
    """Without batch_first, turned round by hand."""

    def row(h):
        m = torch.nn.MultiheadAttention(embed_dim, h)
        x = torch.zeros(5, 2, embed_dim)
        out, weights = m(x, x, x, average_attn_weights=False)
        T, B, D = out.shape
        return {
            "head_dim": D // weights.shape[1], "parameters": sum(map(torch.numel, m.parameters())), "output": (B, T, D),
            "weights": tuple(weights.mean(1).shape), "per_head": tuple(weights.shape),
        }

    return {h: row(h) if not embed_dim % h else None for h in range(1, 1 + embed_dim)}
