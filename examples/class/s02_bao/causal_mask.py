import torch


def causal_mask(q_len, kv_len=None, device=None):
    kv_len = kv_len if kv_len is not None else q_len
    if kv_len < q_len or min(q_len, kv_len) < 1:
        raise ValueError(f"cannot mask {q_len} queries against {kv_len} keys")
    i, j = torch.meshgrid(torch.arange(q_len), torch.arange(kv_len), indexing="ij")
    yes, no = torch.tensor(True), torch.tensor(False)
    return torch.where(j - i <= kv_len - q_len, yes, no).to(device=device)
