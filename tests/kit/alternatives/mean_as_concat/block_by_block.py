import torch


def mean_as_concat(W, num_heads):
    Dh, D = W.shape
    W_O = torch.zeros(num_heads * Dh, D, dtype=W.dtype, device=W.device)
    for h in range(num_heads):
        W_O[h * Dh:(h + 1) * Dh] = W / num_heads
    s = torch.linalg.svdvals(W.detach())
    tol = s.max() * max(W.shape) * torch.finfo(W.dtype).eps
    return W_O, int((s > tol).sum())
