import torch


def causal_mask(q_len, kv_len=None, device=None):
    """By way of the additive mask."""
    if kv_len is None:
        kv_len = q_len
    if q_len < 1 or kv_len < q_len:
        raise ValueError("impossible lengths")
    additive = torch.full((q_len, kv_len), float("-inf"), device=device).triu(kv_len - q_len + 1)
    return torch.isfinite(additive)
