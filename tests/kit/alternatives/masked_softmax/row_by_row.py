import torch


def masked_softmax(scores, mask, dim=-1):
    mask = mask.expand(scores.shape)
    s, m = scores.movedim(dim, -1), mask.movedim(dim, -1)
    rows = s.reshape(-1, s.shape[-1])
    keep = m.reshape(-1, m.shape[-1])
    out = []
    for row, visible in zip(rows, keep):
        result = torch.zeros_like(row)
        if visible.any():
            result = result.masked_scatter(visible, torch.softmax(row[visible], 0))
        out.append(result)
    return torch.stack(out).reshape(s.shape).movedim(-1, dim)
