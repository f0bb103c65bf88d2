import torch

ready = tensor([1.0])


def pair(x):
    return x + 1, x * 2
