import math

import torch


def rms_norm(x, weight=None, eps=1e-6):
    rows = []
    for row in x.reshape(-1, x.shape[-1]).unbind():
        wide = row if row.dtype == torch.float64 else row.float()
        squares = torch.zeros((), dtype=wide.dtype, device=wide.device)
        for entry in wide:
            squares = squares + entry * entry
        y = wide * math.sqrt(len(wide)) / torch.sqrt(squares + len(wide) * eps)
        rows.append((y if weight is None else torch.mul(y, weight)).to(x.dtype))
    return torch.stack(rows).reshape(x.shape)
