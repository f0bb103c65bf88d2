import torch


def sliding_window_mask(q_len, window, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if min(q_len, window) < 1 or kv_len < q_len:
        raise ValueError("out of range")
    causal = torch.ones(kv_len, kv_len, device=device).tril().bool()
    too_old = torch.ones(kv_len, kv_len, device=device).tril(-window).bool()
    return (causal ^ too_old)[kv_len - q_len :]


def sliding_window_attention(q, k, v, window):
    outputs = []
    T_q, T_kv = q.shape[-2], k.shape[-2]
    for i in range(T_q):
        end = T_kv - T_q + i + 1
        begin = max(0, end - window)
        scores = (q[..., i : i + 1, :] * k[..., begin:end, :]).sum(-1) / q.shape[-1] ** 0.5
        outputs.append((scores.softmax(-1).unsqueeze(-1) * v[..., begin:end, :]).sum(-2))
    return torch.stack(outputs, dim=-2)
