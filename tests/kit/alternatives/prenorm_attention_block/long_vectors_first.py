import torch


def prenorm_attention_block(x, W, mask=None):
    """The norm through the length of each vector, its half of the scale on each of Q and K, logsumexp for softmax."""
    D = x.shape[-1]
    length = torch.linalg.vector_norm(x.double(), dim=-1, keepdim=True)
    h = (x.double() * (D / (length * length + D * 1e-6)).sqrt()).to(x.dtype)
    root = W[0].shape[-1] ** 0.25
    s = (h @ W[0] / root) @ (h @ W[1] / root).swapaxes(-1, -2)
    if mask is not None:
        s = s.masked_fill(mask == 0, -torch.inf)
    weights = torch.exp(s - s.logsumexp(-1, keepdim=True))
    return x + (weights @ (h @ W[2])) @ W[3]
