import torch


def softmax_inverse(w):
    s = torch.full_like(w, float("-inf"))
    seen = w > 0
    s[seen] = w[seen].log()
    return s
