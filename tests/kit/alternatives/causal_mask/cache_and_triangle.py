import torch


def causal_mask(q_len, kv_len=None, device=None):
    """Cached keys on the left, a triangle on the right."""
    cached = 0 if kv_len is None else kv_len - q_len
    if q_len < 1 or cached < 0:
        raise ValueError("more queries than keys, or none at all")
    past = torch.ones(q_len, cached, dtype=torch.bool, device=device)
    now = torch.ones(q_len, q_len, dtype=torch.bool, device=device).tril()
    return torch.cat((past, now), dim=1)
