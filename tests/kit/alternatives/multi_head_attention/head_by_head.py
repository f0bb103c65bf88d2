import torch


def multi_head_attention(x, W, biases, num_heads, mask=None):
    B, T, D = x.shape
    if D % num_heads != 0:
        raise ValueError("bad head count")
    size = D // num_heads
    found = []
    for h in range(num_heads):
        cols = slice(h * size, (h + 1) * size)
        q = x @ W[0][:, cols] + biases[0][cols]
        k = x @ W[1][:, cols] + biases[1][cols]
        v = x @ W[2][:, cols] + biases[2][cols]
        s = torch.bmm(q, k.transpose(1, 2)) / size**0.5
        if mask is not None:
            m = torch.broadcast_to(mask, (B, num_heads, T, T))[:, h]
            s = torch.where(m, s, torch.finfo(s.dtype).min)
        found.append(torch.bmm(torch.softmax(s, 2), v))
    return torch.cat(found, dim=2) @ W[3] + biases[3]
