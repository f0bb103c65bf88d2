import torch


def attention_scores(q, k):
    *lead, t_q, dh = q.shape
    t_kv = k.shape[-2]
    flat = torch.bmm(q.reshape(-1, t_q, dh), k.reshape(-1, t_kv, dh).permute(0, 2, 1))
    return flat.view(*lead, t_q, t_kv)
