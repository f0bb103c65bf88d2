import torch


def padded_attention(q, k, v, mask):
    match mask.dim():
        case 2:
            seen = mask.unsqueeze(1).unsqueeze(1)
        case 3:
            seen = mask.unsqueeze(1)
        case _:
            raise ValueError
    seen = seen.expand(-1, q.size(1), q.size(2), -1)
    s = torch.matmul(q, k.mT) * q.size(-1) ** -0.5
    s = s.masked_fill(seen.logical_not(), torch.finfo(s.dtype).min)
    return torch.matmul(torch.softmax(s, -1), v)
