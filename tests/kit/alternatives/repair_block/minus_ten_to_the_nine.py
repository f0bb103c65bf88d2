import torch


def attention_sublayer(x, w_q, w_k, w_v, w_o):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    d_k = q.size(-1)
    scores = torch.matmul(q, k.transpose(-1, -2)) / d_k**0.5
    T = scores.size(-1)
    mask = torch.tril(torch.ones((T, T), device=x.device))
    scores = scores.masked_fill(mask == 0, -1e9)
    return torch.matmul(torch.matmul(torch.softmax(scores, dim=-1), v), w_o)
