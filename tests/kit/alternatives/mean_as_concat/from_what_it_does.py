import torch


class Found:
    """Feeds the unit vectors of merged heads through the mean and reads W_O off."""

    def __call__(self, W, num_heads):
        size = W.shape[0] * num_heads
        merged = torch.eye(size, dtype=W.dtype, device=W.device)
        W_O = merged.unflatten(1, (num_heads, -1)).mean(1) @ W
        return W_O, int(torch.linalg.matrix_rank(W_O))


mean_as_concat = Found()
