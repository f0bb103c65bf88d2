import torch


def _no(message):
    raise ValueError(message)


causal_mask = lambda q_len, kv_len=None, device=None: (
    causal_mask(q_len, kv_len=q_len, device=device)
    if kv_len is None
    else _no("lengths")
    if kv_len < q_len or q_len < 1
    else torch.full((q_len, kv_len), True, device=device).tril_(kv_len - q_len)
)
