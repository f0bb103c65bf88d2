import torch


class _Attention:
    """W_V and W_O of a head multiplied first: each head moves tokens of full width."""

    def __call__(self, x, W, biases, num_heads, mask=None):
        D = x.shape[-1]
        if num_heads > D or D % num_heads:
            raise ValueError(f"{D} % {num_heads}")
        c = D // num_heads
        q = (x @ W[0] + biases[0]).reshape(*x.shape[:2], num_heads, c).movedim(2, 1)
        k = (x @ W[1] + biases[1]).reshape(*x.shape[:2], num_heads, c).movedim(2, 1)
        scores = q / c**0.25 @ (k / c**0.25).transpose(-1, -2)
        if mask is not None:
            scores = torch.where(mask, scores, float("-inf"))
        weights = scores.softmax(-1)
        values = (x @ W[2] + biases[2]).reshape(*x.shape[:2], num_heads, c).movedim(2, 1)
        moved = values @ W[3].reshape(num_heads, c, D)
        return (weights @ moved).sum(1) + biases[3]


multi_head_attention = _Attention()
