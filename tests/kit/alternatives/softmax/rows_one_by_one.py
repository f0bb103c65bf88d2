import torch


def softmax(x, dim=-1):
    """Beginner style: every row by itself."""
    if dim < 0:
        dim = x.dim() + dim
    last = x.dim() - 1
    x = x.transpose(dim, last)
    shape = x.shape
    rows = x.reshape(-1, shape[-1])
    results = []
    for row in rows:
        row = row - row.max()
        exponentials = torch.exp(row)
        results.append(exponentials / exponentials.sum())
    out = torch.stack(results)
    out = out.reshape(shape)
    out = out.transpose(dim, last)
    return out
