import torch


def softmax_inverse(w):
    return torch.log(w / w.max())
