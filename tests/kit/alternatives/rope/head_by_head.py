# Every batch entry, head and token on its own.
import torch


def rope_cos_sin(head_dim, max_len, theta=10000.0, device=None):
    if head_dim % 2:
        raise ValueError("odd")
    half = head_dim // 2
    cos = torch.empty(max_len, head_dim, device=device)
    sin = torch.empty(max_len, head_dim, device=device)
    position = torch.arange(max_len, device=device)
    for i in range(half):
        angle = position * theta ** (-i / half)
        cos[:, i] = cos[:, i + half] = torch.cos(angle)
        sin[:, i] = sin[:, i + half] = torch.sin(angle)
    return cos, sin


def rotate_half(x):
    out = torch.empty_like(x)
    half = x.shape[-1] // 2
    out[..., :half] = -x[..., half:]
    out[..., half:] = x[..., :half]
    return out


def rotate(x, cos, sin):
    batches = []
    for b in range(x.shape[0]):
        heads = []
        for h in range(x.shape[1]):
            tokens = []
            for t in range(x.shape[2]):
                vector = x[b, h, t]
                tokens.append(vector * cos[t].to(x.dtype) + rotate_half(vector) * sin[t].to(x.dtype))
            heads.append(torch.stack(tokens))
        batches.append(torch.stack(heads))
    return torch.stack(batches)


def apply_rotary_pos_emb(q, k, cos, sin):
    return rotate(q, cos, sin), rotate(k, cos, sin)
