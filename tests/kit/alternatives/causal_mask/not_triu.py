import torch


def causal_mask(q_len: int, kv_len: int | None = None, device=None) -> torch.Tensor:
    if kv_len is None:
        kv_len = q_len
    if not (0 < q_len <= kv_len):
        raise ValueError(f"bad lengths {q_len}, {kv_len}")
    hidden = torch.triu(torch.ones((q_len, kv_len), device=device), diagonal=1 + kv_len - q_len)
    return hidden == 0
