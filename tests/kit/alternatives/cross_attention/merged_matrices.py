import torch


def cross_attention(x, context, w_q, w_k, w_v, mask=None):
    """x (W_Q W_K^T) context^T, and the values projected after mixing."""
    scale = w_q.new_tensor(w_q.shape[-1]).rsqrt()
    scores = (x @ ((w_q * scale) @ w_k.T)) @ context.transpose(1, 2)
    if mask is not None:
        scores = scores.masked_fill(mask == False, float("-inf"))
    return (scores.softmax(2) @ context) @ w_v
