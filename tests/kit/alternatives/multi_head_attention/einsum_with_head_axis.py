import torch


def multi_head_attention(x, W, biases, num_heads, mask=None):
    D = x.shape[2]
    if D % num_heads:
        raise ValueError("heads")
    to_heads = [w.unflatten(1, (num_heads, -1)) for w in W[:3]]
    shifts = [b.unflatten(0, (num_heads, -1))[:, None] for b in biases[:3]]
    q, k, v = (torch.einsum("btd,dhc->bhtc", x, w) + b for w, b in zip(to_heads, shifts))
    scores = torch.einsum("bhtc,bhsc->bhts", q, k) * q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -float("inf"))
    weights = torch.exp(scores - torch.logsumexp(scores, -1, keepdim=True))
    heads = torch.einsum("bhts,bhsc->bhtc", weights, v)
    return torch.einsum("bhtc,hcd->btd", heads, W[3].unflatten(0, (num_heads, -1))) + biases[3]
