import torch


def causal_mask(q_len, kv_len=None, device=None):
    """The last rows of the mask of all positions, as a view."""
    n = q_len if kv_len is None else kv_len
    if min(q_len, n) < 1 or n < q_len:
        raise ValueError
    return torch.tril(torch.ones(n, n, device=device, dtype=torch.uint8)).bool()[-q_len:]
